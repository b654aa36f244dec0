(** How many pairs the links of one port carry: no more than [best] counts. *)

From Coq Require Import ZArith NArith List Bool Lia.
From Verified Require Import Star Counting.
Import ListNotations.
Open Scope Z_scope.

Lemma bit_and a b : bit (a && b) = bit a * bit b.
Proof. destruct a, b; reflexivity. Qed.

Lemma zsum_const {A} k (l : list A) : zsum (fun _ => k) l = k * Z.of_nat (length l).
Proof. induction l; [simpl; lia|]. rewrite zsum_cons, IHl. cbn [length]. lia. Qed.

(** [f] for two parts of which other pairs are looked at. *)
Definition apart (same : N -> N -> bool) (i j : N) (f : Z) : Z := if same i j then 0 else f.

(** Those of a part. *)
Definition of_part (part : N -> N) (l : list N) (i : N) : list N := filter (fun h => (part h =? i)%N) l.

Lemma of_part_le part p l i : cnt p (of_part part l i) <= cnt p l.
Proof. unfold of_part. rewrite cnt_filter. apply cnt_imp. intros h _ H. apply andb_true_iff in H. tauto. Qed.

Section Star.
(** Senders and receivers, of which every part has at most [n]; pairs of the same part, or group of parts, do not
    count. *)
Variables (senders receivers : list N) (part : N -> N) (parts : list N) (same : N -> N -> bool) (n : Z) (x : nat).
Hypothesis parts_once : NoDup parts.
Hypothesis senders_in : forall h, In h senders -> In (part h) parts.
Hypothesis receivers_in : forall h, In h receivers -> In (part h) parts.
Hypothesis same_flip : forall i j, same i j = same j i.
Notation apart := (apart same).
Notation from_part := (of_part part senders).
Notation to_part := (of_part part receivers).
Hypothesis senders_most : forall i, In i parts -> Z.of_nat (length (from_part i)) <= n.
Hypothesis receivers_most : forall i, In i parts -> Z.of_nat (length (to_part i)) <= n.
Hypothesis x_most : Z.of_nat x <= n.

Lemma by_parts l (f : N -> Z) : (forall h, In h l -> In (part h) parts) ->
  zsum (fun i => zsum f (of_part part l i)) parts = zsum f l.
Proof. apply zsum_parts, parts_once. Qed.

Definition between (f : N -> N -> Z) : Z := zsum (fun i => zsum (fun j => apart i j (f i j)) parts) parts.

Lemma between_le f g : (forall i j, In i parts -> In j parts -> f i j <= g i j) -> between f <= between g.
Proof.
  intros H. apply zsum_le. intros i Hi. apply zsum_le. intros j Hj. unfold Stars.apart. destruct (same i j); [lia|auto].
Qed.

Lemma between_plus f g : between (fun i j => f i j + g i j) = between f + between g.
Proof.
  unfold between. rewrite <- zsum_plus. apply zsum_ext. intros i _. rewrite <- zsum_plus. apply zsum_ext. intros j _.
  unfold Stars.apart. destruct (same i j); lia.
Qed.

Lemma between_flip f : between f = between (fun i j => f j i).
Proof.
  unfold between. rewrite zsum_swap. apply zsum_ext. intros i _. apply zsum_ext. intros j _. unfold Stars.apart.
  rewrite same_flip. reflexivity.
Qed.

(** What those add that do not count. *)
Definition own (i : N) (f : N -> Z) : Z := zsum (fun j => bit (same i j) * f j) parts.

Lemma row (f : N -> Z) i : zsum (fun j => apart i j (f j)) parts = zsum f parts - own i f.
Proof.
  unfold own. rewrite (zsum_ext _ (fun j => f j + (-1) * (bit (same i j) * f j))).
  - rewrite zsum_plus, zsum_times. lia.
  - intros j _. unfold Stars.apart, bit. destruct (same i j); lia.
Qed.

Lemma row_times i k (f : N -> Z) :
  zsum (fun j => apart i j (k * f j)) parts = k * zsum (fun j => apart i j (f j)) parts.
Proof. rewrite <- zsum_times. apply zsum_ext. intros j _. unfold Stars.apart. destruct (same i j); lia. Qed.

Lemma row_plus i (f g : N -> Z) : zsum (fun j => apart i j (f j + g j)) parts =
  zsum (fun j => apart i j (f j)) parts + zsum (fun j => apart i j (g j)) parts.
Proof. rewrite <- zsum_plus. apply zsum_ext. intros j _. unfold Stars.apart. destruct (same i j); lia. Qed.

Lemma row_le i (f g : N -> Z) : (forall j, In j parts -> f j <= g j) ->
  zsum (fun j => apart i j (f j)) parts <= zsum (fun j => apart i j (g j)) parts.
Proof. intros H. apply zsum_le. intros j Hj. unfold Stars.apart. destruct (same i j); [lia|auto]. Qed.

Lemma row_nonneg i (f : N -> Z) : (forall j, 0 <= f j) -> 0 <= zsum (fun j => apart i j (f j)) parts.
Proof. intros H. apply zsum_nonneg. intros j _. unfold Stars.apart. destruct (same i j); [lia|apply H]. Qed.

(** Pairs of hosts that count. *)
Definition pairs (p : N -> N -> bool) : Z :=
  zsum (fun s => zsum (fun d => apart (part s) (part d) (bit (p s d))) receivers) senders.

Lemma pairs_between p :
  pairs p = between (fun i j => zsum (fun s => zsum (fun d => bit (p s d)) (to_part j)) (from_part i)).
Proof.
  unfold pairs, between. rewrite <- by_parts by assumption. apply zsum_ext. intros i Hi.
  rewrite (zsum_ext _ (fun s => zsum (fun j => apart i j (zsum (fun d => bit (p s d)) (to_part j))) parts)).
  - rewrite zsum_swap. apply zsum_ext. intros j _. unfold Stars.apart. destruct (same i j); [apply zsum_zero|].
    reflexivity.
  - intros s Hs. apply filter_In in Hs as [Hs Ei]. apply N.eqb_eq in Ei. rewrite <- by_parts by assumption.
    apply zsum_ext. intros j _. unfold Stars.apart. rewrite Ei. destruct (same i j) eqn:E.
    + transitivity (zsum (fun _ : N => 0) (to_part j)); [|apply zsum_zero]. apply zsum_ext. intros d Hd.
      apply filter_In in Hd as [_ Ed]. apply N.eqb_eq in Ed. rewrite Ed, E. reflexivity.
    + apply zsum_ext. intros d Hd. apply filter_In in Hd as [_ Ed]. apply N.eqb_eq in Ed. rewrite Ed, E. reflexivity.
Qed.

(** What covers: [A] and [B] on the link up from a part, [C] and [E] on the link down to one. *)
Variables A B C E : N -> N -> bool.
Hypothesis up_most : forall i, In i parts -> cnt (A i) senders + cnt (B i) receivers <= Z.of_nat x.
Hypothesis down_most : forall j, In j parts -> cnt (E j) senders + cnt (C j) receivers <= Z.of_nat x.

Definition is_covered (s d : N) : bool :=
  (A (part s) s || B (part s) d) && (E (part d) s || C (part d) d).

Definition a i := cnt (A i) (from_part i).
Definition c j := cnt (C j) (to_part j).
Definition y i j := cnt (fun h => B i h && C j h) (to_part j).
Definition z i j := cnt (fun h => B i h && negb (C j h)) (to_part j).
Definition u i j := cnt (fun h => A i h && E j h) (from_part i).
Definition v i j := cnt (fun h => negb (A i h) && E j h) (from_part i).

Lemma cnt_not p (l : list N) : cnt (fun h => negb (p h)) l = Z.of_nat (length l) - cnt p l.
Proof.
  assert (H : cnt p l + cnt (fun h => negb (p h)) l = cnt (fun _ => true) l) by exact (cnt_split (fun _ => true) p l).
  rewrite cnt_length in H. lia.
Qed.

(** From one part to another one. *)
Lemma from_to i j :
  zsum (fun s => zsum (fun d => bit (is_covered s d)) (to_part j)) (from_part i) =
  a i * c j + (Z.of_nat (length (from_part i)) - a i) * y i j + u i j * (Z.of_nat (length (to_part j)) - c j) +
    v i j * z i j.
Proof.
  unfold a at 2, c at 2. rewrite <- !cnt_not. unfold a, c, y, z, u, v, cnt. rewrite <- !zsum_product.
  rewrite <- !zsum_plus. apply zsum_ext. intros s Hs. rewrite <- !zsum_plus. apply zsum_ext. intros d Hd.
  apply filter_In in Hs as [_ Es]. apply filter_In in Hd as [_ Ed]. apply N.eqb_eq in Es, Ed. unfold is_covered.
  rewrite Es, Ed. destruct (A i s), (B i d), (E j s), (C j d); reflexivity.
Qed.

(** Those from what covers as a source to what covers as a destination. *)
Definition in_core (s d : N) : bool := A (part s) s && C (part d) d.

Lemma pairs_core : pairs in_core = between (fun i j => a i * c j).
Proof.
  rewrite pairs_between. unfold between. apply zsum_ext. intros i _. apply zsum_ext. intros j _. f_equal.
  unfold a, c, cnt. rewrite <- zsum_product. apply zsum_ext. intros s Hs. apply zsum_ext. intros d Hd.
  apply filter_In in Hs as [_ Es]. apply filter_In in Hd as [_ Ed]. apply N.eqb_eq in Es, Ed. unfold in_core.
  rewrite Es, Ed, bit_and. reflexivity.
Qed.

Definition sources := zsum a parts.
Definition targets := zsum c parts.

Lemma a_most i : In i parts -> 0 <= a i <= Z.of_nat x.
Proof.
  intros Hi. pose proof (up_most i Hi). pose proof (of_part_le part (A i) senders i).
  pose proof (cnt_nonneg (B i) receivers). pose proof (cnt_nonneg (A i) (from_part i)). unfold a. lia.
Qed.

Lemma c_most j : In j parts -> 0 <= c j <= Z.of_nat x.
Proof.
  intros Hi. pose proof (down_most j Hi). pose proof (of_part_le part (C j) receivers j).
  pose proof (cnt_nonneg (E j) senders). pose proof (cnt_nonneg (C j) (to_part j)). unfold c. lia.
Qed.

Lemma yz_sum i : In i parts -> zsum (fun j => apart i j (y i j + z i j)) parts <= Z.of_nat x - a i.
Proof.
  intros Hi. pose proof (up_most i Hi). pose proof (of_part_le part (A i) senders i). fold (a i) in *.
  assert (zsum (fun j => apart i j (y i j + z i j)) parts <= cnt (B i) receivers); [|lia].
  unfold cnt at 1. rewrite <- (by_parts receivers) by exact receivers_in. apply zsum_le. intros j Hj.
  fold (cnt (B i) (to_part j)). unfold y, z. rewrite cnt_split. pose proof (cnt_nonneg (B i) (to_part j)).
  unfold Stars.apart. destruct (same i j); lia.
Qed.

Lemma uv_sum j : In j parts -> zsum (fun i => apart j i (u i j + v i j)) parts <= Z.of_nat x - c j.
Proof.
  intros Hj. pose proof (down_most j Hj). pose proof (of_part_le part (C j) receivers j). fold (c j) in *.
  assert (zsum (fun i => apart j i (u i j + v i j)) parts <= cnt (E j) senders); [|lia].
  unfold cnt at 1. rewrite <- (by_parts senders) by exact senders_in. apply zsum_le. intros i Hi.
  fold (cnt (E j) (from_part i)). pose proof (cnt_split (E j) (A i) (from_part i)) as S. unfold u, v.
  replace (cnt (fun h => A i h && E j h) (from_part i)) with (cnt (fun h => E j h && A i h) (from_part i))
    by (apply zsum_ext; intros; rewrite andb_comm; reflexivity).
  replace (cnt (fun h => negb (A i h) && E j h) (from_part i)) with (cnt (fun h => E j h && negb (A i h)) (from_part i))
    by (apply zsum_ext; intros; rewrite andb_comm; reflexivity).
  rewrite S. pose proof (cnt_nonneg (E j) (from_part i)). unfold Stars.apart. destruct (same j i); lia.
Qed.

Lemma v_most i j : In i parts -> In j parts -> 0 <= v i j <= Z.min (Z.of_nat x) (n - a i).
Proof.
  intros Hi Hj. unfold v. split; [apply cnt_nonneg|]. apply Z.min_glb.
  - pose proof (down_most j Hj). pose proof (of_part_le part (E j) senders i). pose proof (cnt_nonneg (C j) receivers).
    assert (cnt (fun h => negb (A i h) && E j h) (from_part i) <= cnt (E j) (from_part i)); [|lia].
    apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto.
  - apply Z.le_trans with (cnt (fun h => negb (A i h)) (from_part i)).
    + apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto.
    + rewrite cnt_not. pose proof (senders_most i Hi). unfold a. lia.
Qed.

Lemma y_most i j : y i j <= c j.
Proof. apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto. Qed.

Lemma u_most i j : u i j <= a i.
Proof. apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto. Qed.

(** What part i adds. *)
Lemma up_side i : In i parts ->
  zsum (fun j => apart i j ((n - a i) * y i j + v i j * z i j)) parts <= up n (Z.of_nat x) (targets - own i c) (a i).
Proof.
  intros Hi. unfold up. cbv zeta. set (good := Z.min (Z.of_nat x - a i) (targets - own i c)).
  set (m := Z.min (Z.of_nat x) (n - a i)). pose proof (a_most i Hi).
  apply Z.le_trans with (zsum (fun j => apart i j ((n - a i) * y i j + m * z i j)) parts).
  - apply row_le. intros j Hj. pose proof (v_most i j Hi Hj). fold m in H0.
    assert (0 <= z i j) by apply cnt_nonneg. nia.
  - rewrite row_plus, !row_times. pose proof (yz_sum i Hi) as H1. rewrite row_plus in H1.
    set (Y := zsum (fun j => apart i j (y i j)) parts) in *. set (Z0 := zsum (fun j => apart i j (z i j)) parts) in *.
    assert (HY : Y <= targets - own i c).
    { unfold targets. rewrite <- row. apply row_le. intros. apply y_most. }
    assert (HZ : 0 <= Z0) by (apply row_nonneg; intros; apply cnt_nonneg).
    assert (0 <= m) by (unfold m; lia). assert (m <= n - a i) by (unfold m; lia).
    assert (Y <= good) by (unfold good; lia).
    assert (good <= Z.of_nat x - a i) by (unfold good; lia).
    clearbody Y Z0 m good. nia.
Qed.

Lemma down_side j : In j parts ->
  zsum (fun i => apart j i (u i j * (n - c j))) parts <= down n (Z.of_nat x) (sources - own j a) (c j).
Proof.
  intros Hj. pose proof (c_most j Hj). unfold down.
  rewrite (zsum_ext _ (fun i => apart j i ((n - c j) * u i j))) by (intros; f_equal; lia). rewrite row_times.
  pose proof (uv_sum j Hj) as H1. rewrite row_plus in H1.
  set (U := zsum (fun i => apart j i (u i j)) parts) in *.
  assert (0 <= zsum (fun i => apart j i (v i j)) parts) by (apply row_nonneg; intros; apply cnt_nonneg).
  assert (U <= sources - own j a).
  { unfold sources. rewrite <- row. apply row_le. intros. apply u_most. }
  clearbody U. nia.
Qed.

(** What all parts add. *)
Notation sides := (zsum (fun i => up n (Z.of_nat x) (targets - own i c) (a i) +
  down n (Z.of_nat x) (sources - own i a) (c i)) parts).

Lemma covered_most : pairs is_covered <= pairs in_core + sides.
Proof.
  rewrite pairs_between, pairs_core.
  apply Z.le_trans with (between (fun i j => a i * c j + ((n - a i) * y i j + v i j * z i j) + u i j * (n - c j))).
  { apply between_le. intros i j Hi Hj. rewrite from_to. pose proof (senders_most i Hi).
    pose proof (receivers_most j Hj). pose proof (cnt_nonneg (fun h => B i h && C j h) (to_part j)).
    pose proof (cnt_nonneg (fun h => A i h && E j h) (from_part i)). unfold y, u in *. nia. }
  rewrite (between_plus (fun i j => a i * c j + ((n - a i) * y i j + v i j * z i j))),
    (between_plus (fun i j => a i * c j)).
  assert (E2 := zsum_le _ _ _ up_side). assert (E3 := zsum_le _ _ _ down_side).
  rewrite (between_flip (fun i j => u i j * (n - c j))).
  fold (between (fun i j => (n - a i) * y i j + v i j * z i j)) in E2.
  fold (between (fun j i => u i j * (n - c j))) in E3.
  rewrite zsum_plus. lia.
Qed.

(** Of what is carried, only those of the core may be few. *)
Lemma carried_most (carried : N -> N -> bool) :
  (forall s d, In s senders -> In d receivers -> same (part s) (part d) = false -> carried s d = true ->
    is_covered s d = true) ->
  pairs carried <= pairs (fun s d => carried s d && in_core s d) + sides.
Proof.
  intros H. pose proof covered_most as K.
  assert (pairs carried + pairs in_core <= pairs (fun s d => carried s d && in_core s d) + pairs is_covered); [|lia].
  unfold pairs. rewrite <- !zsum_plus. apply zsum_le. intros s Hs. rewrite <- !zsum_plus. apply zsum_le. intros d Hd.
  specialize (H s d Hs Hd). unfold Stars.apart. destruct (same (part s) (part d)); [lia|]. specialize (H eq_refl).
  assert (G : in_core s d = true -> is_covered s d = true).
  { unfold in_core, is_covered. rewrite !andb_true_iff, !orb_true_iff. tauto. }
  destruct (carried s d), (in_core s d), (is_covered s d); try discriminate (H eq_refl); try discriminate (G eq_refl);
    unfold bit; simpl; lia.
Qed.

(** * Groups of parts *)

Variables (group : N -> N) (groups : list N) (g : nat).
Hypothesis groups_once : NoDup groups.
Hypothesis in_groups : forall i, In i parts -> In (group i) groups.
Hypothesis group_size : forall k, In k groups -> length (of_part group parts k) = g.
Hypothesis same_group : forall i j, In i parts -> In j parts -> same i j = (group i =? group j)%N.

Definition pair_of i : nat * nat := (Z.to_nat (a i), Z.to_nat (c i)).
Definition group_pairs k : list (nat * nat) := map pair_of (of_part group parts k).
Definition in_group (f : N -> Z) k : Z := zsum f (of_part group parts k).

Lemma total_sum (f : N -> Z) l : (forall i, In i l -> 0 <= f i) ->
  Z.of_nat (total (map (fun i => Z.to_nat (f i)) l)) = zsum f l.
Proof.
  induction l as [|i l IH]; intros H; [reflexivity|]. rewrite zsum_cons, <- IH by auto with datatypes. simpl.
  assert (0 <= f i) by auto with datatypes. lia.
Qed.

Lemma in_parts k i : In i (of_part group parts k) -> In i parts.
Proof. intros H. apply filter_In in H. apply H. Qed.

Lemma own_in_group i f : In i parts -> own i f = in_group f (group i).
Proof.
  intros Hi. unfold own, in_group, of_part. rewrite zsum_filter. apply zsum_ext. intros j Hj.
  rewrite same_group, N.eqb_sym by assumption. reflexivity.
Qed.

Lemma by_groups f : zsum (in_group f) groups = zsum f parts.
Proof. unfold in_group, of_part. apply zsum_parts; assumption. Qed.

Lemma group_a k : Z.of_nat (own_a (group_pairs k)) = in_group a k.
Proof.
  unfold own_a, group_pairs, in_group. rewrite map_map. apply (total_sum a). intros i Hi. apply in_parts in Hi.
  apply a_most, Hi.
Qed.

Lemma group_c k : Z.of_nat (own_c (group_pairs k)) = in_group c k.
Proof.
  unfold own_c, group_pairs, in_group. rewrite map_map. apply (total_sum c). intros i Hi. apply in_parts in Hi.
  apply c_most, Hi.
Qed.

Lemma total_groups (f : list (nat * nat) -> nat) (h : N -> Z) :
  (forall k, Z.of_nat (f (group_pairs k)) = in_group h k) ->
  Z.of_nat (total (map f (map group_pairs groups))) = zsum h parts.
Proof.
  intros H. rewrite <- by_groups. clear - H. induction groups as [|k l IH]; [reflexivity|].
  rewrite zsum_cons, <- IH, <- H.
  simpl. lia.
Qed.

(** A pair of the core counts [core w], any other one [whole w]. *)
Theorem carried_best (carried : N -> N -> bool) (w : weights) :
  0 <= whole w ->
  (forall s d, In s senders -> In d receivers -> same (part s) (part d) = false -> carried s d = true ->
    is_covered s d = true) ->
  (but w = true -> sources = Z.of_nat x -> targets = Z.of_nat x -> forall k, In k groups ->
    ~ (in_group a k = Z.of_nat x /\ in_group c k = Z.of_nat x)) ->
  whole w * pairs carried + core w * pairs in_core <=
    whole w * pairs (fun s d => carried s d && in_core s d) + best w n g x (length groups).
Proof.
  intros Hw Hc Hbut. pose proof (carried_most carried Hc) as H.
  pose proof (total_groups own_a a group_a) as EA. pose proof (total_groups own_c c group_c) as EC.
  fold sources in EA. fold targets in EC.
  assert (K := best_sound w n x g (map group_pairs groups) x_most Hw). rewrite map_length in K.
  assert (E1 : pairs in_core = sources * targets - zsum (fun k => in_group a k * in_group c k) groups).
  { rewrite pairs_core. unfold between. rewrite (zsum_ext _ (fun i => targets * a i + (-1) * (a i * own i c))).
    - rewrite zsum_plus, !zsum_times. fold sources.
      rewrite <- (by_groups (fun i => a i * own i c)).
      rewrite (zsum_ext (in_group (fun i => a i * own i c)) (fun k => in_group a k * in_group c k)); [lia|].
      intros k _. unfold in_group at 1. rewrite (zsum_ext _ (fun i => in_group c k * a i)); [rewrite zsum_times|].
      + unfold in_group. lia.
      + intros i Hi. rewrite own_in_group by (eapply in_parts, Hi). apply filter_In in Hi as [_ Hi].
        apply N.eqb_eq in Hi. rewrite Hi. lia.
    - intros i Hi. rewrite row_times, row. fold targets. lia. }
  assert (E2 : zsum (adds w n x (map group_pairs groups)) (map group_pairs groups) =
    whole w * sides - core w * zsum (fun k => in_group a k * in_group c k) groups).
  { rewrite zsum_map, <- by_groups, <- zsum_times.
    transitivity (zsum (fun k => whole w * in_group (fun i => up n (Z.of_nat x) (targets - own i c) (a i) +
      down n (Z.of_nat x) (sources - own i a) (c i)) k + (- core w) * (in_group a k * in_group c k)) groups);
      [|rewrite zsum_plus, (zsum_times (- core w)); lia].
    apply zsum_ext. intros k _. unfold adds. rewrite EA, EC, group_a, group_c. unfold group_pairs. rewrite zsum_map.
    rewrite (zsum_ext _ (fun i => up n (Z.of_nat x) (targets - own i c) (a i) +
      down n (Z.of_nat x) (sources - own i a) (c i))); [unfold in_group; lia|].
    intros i Hi. pose proof (in_parts k i Hi) as Hp. apply filter_In in Hi as [_ Hi]. apply N.eqb_eq in Hi.
    rewrite !own_in_group, Hi by assumption. pose proof (a_most i Hp). pose proof (c_most i Hp). unfold pair_of.
    cbn [fst snd]. rewrite !Z2Nat.id by lia. reflexivity. }
  rewrite E2, EA, EC in K.
  assert (K' : core w * (sources * targets) + (whole w * sides -
    core w * zsum (fun k => in_group a k * in_group c k) groups) <= best w n g x (length groups)).
  { apply K.
    - intros G HG. apply in_map_iff in HG as (k & <- & Hk). unfold group_pairs. rewrite map_length. auto.
    - intros G t HG Ht. apply in_map_iff in HG as (k & <- & Hk). apply in_map_iff in Ht as (i & <- & Hi).
      apply in_parts in Hi. pose proof (a_most i Hi). pose proof (c_most i Hi). simpl. lia.
    - intros Eb E3 E4 G HG [H1 H2]. apply in_map_iff in HG as (k & <- & Hk).
      apply (Hbut Eb) with k; [lia|lia|exact Hk|]. rewrite <- group_a, <- group_c. lia. }
  rewrite E1. nia.
Qed.
End Star.

(** * Groups of one part *)

Section Alone.
Variables (parts : list N).
Hypothesis parts_once : NoDup parts.

Lemma alone k : In k parts -> of_part (fun i => i) parts k = [k].
Proof.
  revert parts_once. unfold of_part. induction parts as [|i l IH]; intros H [].
  - subst i. inversion_clear H. simpl. rewrite N.eqb_refl. f_equal. clear - H0.
    induction l as [|j l IH]; [reflexivity|]. simpl. destruct (N.eqb_spec j k) as [->|E]; [exfalso; apply H0; left;
      reflexivity|]. apply IH. intros H. apply H0. right. exact H.
  - inversion_clear H. simpl. destruct (N.eqb_spec i k) as [->|E]; [contradiction|]. auto.
Qed.

Lemma own_alone f i : In i parts -> own parts N.eqb i f = f i.
Proof.
  intros Hi. rewrite (own_in_group parts N.eqb (fun i => i)) by auto. unfold in_group. rewrite alone by exact Hi.
  unfold zsum. simpl. lia.
Qed.

(** All pairs of hosts of different parts. *)
Lemma all_pairs hosts part n : (forall h, In h hosts -> In (part h) parts) ->
  (forall i, In i parts -> Z.of_nat (length (of_part part hosts i)) = n) ->
  pairs hosts hosts part N.eqb (fun _ _ => true) =
    n * n * (Z.of_nat (length parts) * (Z.of_nat (length parts) - 1)).
Proof.
  intros Hin Hn. rewrite (pairs_between hosts hosts part parts N.eqb) by assumption. unfold between.
  rewrite (zsum_ext _ (fun _ => (Z.of_nat (length parts) - 1) * (n * n))); [rewrite zsum_const; lia|].
  intros i Hi. rewrite (row parts N.eqb 0), own_alone by assumption.
  assert (E : forall j, In j parts ->
    zsum (fun _ => zsum (fun _ => bit true) (of_part part hosts j)) (of_part part hosts i) = n * n).
  { intros j Hj. rewrite !zsum_const, !Hn by assumption. unfold bit. lia. }
  rewrite (E i Hi), (zsum_ext _ (fun _ => n * n)) by exact E. rewrite zsum_const. lia.
Qed.

Theorem covered_best senders receivers part n x A B C E :
  (forall h, In h senders -> In (part h) parts) -> (forall h, In h receivers -> In (part h) parts) ->
  (forall i, In i parts -> Z.of_nat (length (of_part part senders i)) <= n) ->
  (forall i, In i parts -> Z.of_nat (length (of_part part receivers i)) <= n) -> Z.of_nat x <= n ->
  (forall i, In i parts -> cnt (A i) senders + cnt (B i) receivers <= Z.of_nat x) ->
  (forall i, In i parts -> cnt (E i) senders + cnt (C i) receivers <= Z.of_nat x) ->
  (sources senders part parts A = Z.of_nat x -> targets receivers part parts C = Z.of_nat x ->
    forall i, In i parts -> ~ (a senders part A i = Z.of_nat x /\ c receivers part C i = Z.of_nat x)) ->
  pairs senders receivers part N.eqb (is_covered part A B C E) <= most_apart n x (length parts).
Proof.
  intros Hs Hr Hns Hnr Hx Hup Hdown Hbut.
  assert (K := carried_best senders receivers part parts N.eqb n x parts_once Hs Hr N.eqb_sym Hns Hnr Hx A B C E
    Hup Hdown (fun i => i) parts 1 parts_once (fun i Hi => Hi)). unfold most_apart.
  specialize (K ltac:(intros; rewrite alone by assumption; reflexivity) (fun i j _ _ => eq_refl)
    (is_covered part A B C E)
    (Weights 1 1 true) ltac:(simpl; lia) (fun s d _ _ _ H => H)). cbn [whole core Star.but] in K.
  assert (L : pairs senders receivers part N.eqb (fun s d => is_covered part A B C E s d && in_core part A C s d) =
    pairs senders receivers part N.eqb (in_core part A C)).
  { apply zsum_ext. intros s _. apply zsum_ext. intros d _. f_equal. f_equal. unfold is_covered, in_core.
    destruct (A (part s) s), (C (part d) d); simpl; rewrite ?andb_false_r, ?orb_true_r; reflexivity. }
  rewrite L in K. lapply K; [lia|]. intros _ Es Et k Hk. unfold in_group. rewrite (alone k Hk). unfold zsum. simpl.
  rewrite !Z.add_0_r. apply Hbut; assumption.
Qed.
End Alone.
