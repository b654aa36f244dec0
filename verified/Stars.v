(** How many pairs the links of one port carry: no more than [best] counts. *)

From Coq Require Import ZArith NArith List Bool Lia.
From Verified Require Import Star Counting.
Import ListNotations.
Open Scope Z_scope.

Lemma bit_and a b : bit (a && b) = bit a * bit b.
Proof. destruct a, b; reflexivity. Qed.

Lemma zsum_const {A} k (l : list A) : zsum (fun _ => k) l = k * Z.of_nat (length l).
Proof. induction l; [simpl; lia|]. rewrite zsum_cons, IHl. cbn [length]. lia. Qed.

Section Star.
(** Hosts in parts of [n] each. *)
Variables (hosts : list N) (part : N -> N) (parts : list N) (n : Z) (x : nat).
Hypothesis parts_once : NoDup parts.
Hypothesis in_parts : forall h, In h hosts -> In (part h) parts.
Definition of_part (i : N) : list N := filter (fun h => (part h =? i)%N) hosts.
Hypothesis part_size : forall i, In i parts -> Z.of_nat (length (of_part i)) = n.
Hypothesis x_most : Z.of_nat x <= n.

Lemma by_parts (f : N -> Z) : zsum (fun i => zsum f (of_part i)) parts = zsum f hosts.
Proof. apply zsum_parts; assumption. Qed.

Lemma of_part_le p i : cnt p (of_part i) <= cnt p hosts.
Proof. unfold of_part. rewrite cnt_filter. apply cnt_imp. intros h _ H. apply andb_true_iff in H. tauto. Qed.

(** [f] for two different parts. *)
Definition apart (i j : N) (f : Z) : Z := if (i =? j)%N then 0 else f.

Definition between (f : N -> N -> Z) : Z := zsum (fun i => zsum (fun j => apart i j (f i j)) parts) parts.

Lemma between_le f g : (forall i j, In i parts -> In j parts -> f i j <= g i j) -> between f <= between g.
Proof.
  intros H. apply zsum_le. intros i Hi. apply zsum_le. intros j Hj. unfold apart. destruct (i =? j)%N; [lia|auto].
Qed.

Lemma between_plus f g : between (fun i j => f i j + g i j) = between f + between g.
Proof.
  unfold between. rewrite <- zsum_plus. apply zsum_ext. intros i _. rewrite <- zsum_plus. apply zsum_ext. intros j _.
  unfold apart. destruct (i =? j)%N; lia.
Qed.

Lemma between_flip f : between f = between (fun i j => f j i).
Proof.
  unfold between. rewrite zsum_swap. apply zsum_ext. intros i _. apply zsum_ext. intros j _. unfold apart.
  rewrite N.eqb_sym. reflexivity.
Qed.

Lemma row (f : N -> Z) i : In i parts -> zsum (fun j => apart i j (f j)) parts = zsum f parts - f i.
Proof.
  intros Hi. rewrite (zsum_ext _ (fun j => f j + (- f i) * bit (i =? j)%N)).
  - rewrite zsum_plus, zsum_times. change (zsum (fun j => bit (i =? j)%N) parts) with (cnt (N.eqb i) parts).
    rewrite cnt_one_in by assumption. lia.
  - intros j _. unfold apart. destruct (N.eqb_spec i j); [subst|]; unfold bit; lia.
Qed.

Lemma row_times i k (f : N -> Z) :
  zsum (fun j => apart i j (k * f j)) parts = k * zsum (fun j => apart i j (f j)) parts.
Proof. rewrite <- zsum_times. apply zsum_ext. intros j _. unfold apart. destruct (i =? j)%N; lia. Qed.

Lemma row_plus i (f g : N -> Z) : zsum (fun j => apart i j (f j + g j)) parts =
  zsum (fun j => apart i j (f j)) parts + zsum (fun j => apart i j (g j)) parts.
Proof. rewrite <- zsum_plus. apply zsum_ext. intros j _. unfold apart. destruct (i =? j)%N; lia. Qed.

Lemma row_le i (f g : N -> Z) : (forall j, In j parts -> f j <= g j) ->
  zsum (fun j => apart i j (f j)) parts <= zsum (fun j => apart i j (g j)) parts.
Proof. intros H. apply zsum_le. intros j Hj. unfold apart. destruct (i =? j)%N; [lia|auto]. Qed.

(** Pairs of hosts of different parts. *)
Definition pairs (p : N -> N -> bool) : Z :=
  zsum (fun s => zsum (fun d => apart (part s) (part d) (bit (p s d))) hosts) hosts.

Lemma pairs_between p :
  pairs p = between (fun i j => zsum (fun s => zsum (fun d => bit (p s d)) (of_part j)) (of_part i)).
Proof.
  unfold pairs, between. rewrite <- by_parts. apply zsum_ext. intros i Hi.
  rewrite (zsum_ext _ (fun s => zsum (fun j => apart i j (zsum (fun d => bit (p s d)) (of_part j))) parts)).
  - rewrite zsum_swap. apply zsum_ext. intros j _. unfold apart. destruct (i =? j)%N; [apply zsum_zero|reflexivity].
  - intros s Hs. apply filter_In in Hs as [Hs Ei]. apply N.eqb_eq in Ei. rewrite <- by_parts. apply zsum_ext.
    intros j _. unfold apart. rewrite Ei. destruct (N.eqb_spec i j) as [E|E].
    + transitivity (zsum (fun _ : N => 0) (of_part j)); [|apply zsum_zero]. apply zsum_ext. intros d Hd.
      apply filter_In in Hd as [_ Ed].
      apply N.eqb_eq in Ed. rewrite Ed. destruct (N.eqb_spec i j); [reflexivity|contradiction].
    + apply zsum_ext. intros d Hd. apply filter_In in Hd as [_ Ed].
      apply N.eqb_eq in Ed. rewrite Ed. destruct (N.eqb_spec i j); [contradiction|reflexivity].
Qed.

(** All of them. *)
Lemma all_pairs : pairs (fun _ _ => true) = n * n * (Z.of_nat (length parts) * (Z.of_nat (length parts) - 1)).
Proof.
  rewrite pairs_between. unfold between.
  rewrite (zsum_ext _ (fun _ => (Z.of_nat (length parts) - 1) * (n * n))); [rewrite zsum_const; lia|].
  intros i Hi. rewrite row by assumption.
  assert (E : forall j, In j parts -> zsum (fun _ => zsum (fun _ => bit true) (of_part j)) (of_part i) = n * n).
  { intros j Hj. rewrite !zsum_const, !part_size by assumption. unfold bit. lia. }
  rewrite (E i Hi), (zsum_ext _ (fun _ => n * n)) by exact E. rewrite zsum_const. lia.
Qed.

(** What covers: [A] and [B] on the link up from a part, [C] and [E] on the link down to one. *)
Variables A B C E : N -> N -> bool.
Hypothesis up_most : forall i, In i parts -> cnt (A i) hosts + cnt (B i) hosts <= Z.of_nat x.
Hypothesis down_most : forall j, In j parts -> cnt (E j) hosts + cnt (C j) hosts <= Z.of_nat x.

Definition is_covered (s d : N) : bool :=
  (A (part s) s || B (part s) d) && (E (part d) s || C (part d) d).

Definition a i := cnt (A i) (of_part i).
Definition c j := cnt (C j) (of_part j).
Definition y i j := cnt (fun h => B i h && C j h) (of_part j).
Definition z i j := cnt (fun h => B i h && negb (C j h)) (of_part j).
Definition u i j := cnt (fun h => A i h && E j h) (of_part i).
Definition v i j := cnt (fun h => negb (A i h) && E j h) (of_part i).

Lemma not_a i : In i parts -> cnt (fun h => negb (A i h)) (of_part i) = n - a i.
Proof.
  intros Hi.
  assert (H : cnt (A i) (of_part i) + cnt (fun h => negb (A i h)) (of_part i) = cnt (fun _ => true) (of_part i))
    by exact (cnt_split (fun _ => true) (A i) (of_part i)).
 
  rewrite cnt_length, part_size in H by assumption. unfold a, c in *. lia.
Qed.

Lemma not_c j : In j parts -> cnt (fun h => negb (C j h)) (of_part j) = n - c j.
Proof.
  intros Hi.
  assert (H : cnt (C j) (of_part j) + cnt (fun h => negb (C j h)) (of_part j) = cnt (fun _ => true) (of_part j))
    by exact (cnt_split (fun _ => true) (C j) (of_part j)).
 
  rewrite cnt_length, part_size in H by assumption. unfold a, c in *. lia.
Qed.

(** From one part to another one. *)
Lemma from_to i j : In i parts -> In j parts ->
  zsum (fun s => zsum (fun d => bit (is_covered s d)) (of_part j)) (of_part i) =
  a i * c j + (n - a i) * y i j + u i j * (n - c j) + v i j * z i j.
Proof.
  intros Hi Hj. rewrite <- not_a, <- not_c by assumption. unfold a, c, y, z, u, v, cnt. rewrite <- !zsum_product.
  rewrite <- !zsum_plus. apply zsum_ext. intros s Hs. rewrite <- !zsum_plus. apply zsum_ext. intros d Hd.
  apply filter_In in Hs as [_ Es]. apply filter_In in Hd as [_ Ed]. apply N.eqb_eq in Es, Ed. unfold is_covered.
  rewrite Es, Ed. destruct (A i s), (B i d), (E j s), (C j d); reflexivity.
Qed.

Definition sources := zsum a parts.
Definition targets := zsum c parts.

Ltac counts := repeat match goal with
  | |- context [cnt ?p ?l] => lazymatch goal with H : 0 <= cnt p l |- _ => fail | _ => pose proof (cnt_nonneg p l) end
  end.

Lemma a_most i : In i parts -> 0 <= a i <= Z.of_nat x.
Proof.
  intros Hi. pose proof (up_most i Hi). pose proof (of_part_le (A i) i). pose proof (cnt_nonneg (B i) hosts).
  pose proof (cnt_nonneg (A i) (of_part i)). unfold a. lia.
Qed.

Lemma c_most j : In j parts -> 0 <= c j <= Z.of_nat x.
Proof.
  intros Hi. pose proof (down_most j Hi). pose proof (of_part_le (C j) j). pose proof (cnt_nonneg (E j) hosts).
  pose proof (cnt_nonneg (C j) (of_part j)). unfold c. lia.
Qed.

Lemma yz_sum i : In i parts -> zsum (fun j => apart i j (y i j + z i j)) parts <= Z.of_nat x - a i.
Proof.
  intros Hi. pose proof (up_most i Hi). pose proof (of_part_le (A i) i). fold (a i) in *.
  assert (zsum (fun j => apart i j (y i j + z i j)) parts <= cnt (B i) hosts); [|lia].
  unfold cnt. rewrite <- by_parts. apply zsum_le. intros j Hj. fold (cnt (B i) (of_part j)).
  unfold y, z. rewrite cnt_split. pose proof (cnt_nonneg (B i) (of_part j)). unfold apart. destruct (i =? j)%N; lia.
Qed.

Lemma uv_sum j : In j parts -> zsum (fun i => apart j i (u i j + v i j)) parts <= Z.of_nat x - c j.
Proof.
  intros Hj. pose proof (down_most j Hj). pose proof (of_part_le (C j) j). fold (c j) in *.
  assert (zsum (fun i => apart j i (u i j + v i j)) parts <= cnt (E j) hosts); [|lia].
  unfold cnt. rewrite <- by_parts. apply zsum_le. intros i Hi. fold (cnt (E j) (of_part i)).
  pose proof (cnt_split (E j) (A i) (of_part i)) as S. unfold u, v.
  replace (cnt (fun h => A i h && E j h) (of_part i)) with (cnt (fun h => E j h && A i h) (of_part i))
    by (apply zsum_ext; intros; rewrite andb_comm; reflexivity).
  replace (cnt (fun h => negb (A i h) && E j h) (of_part i)) with (cnt (fun h => E j h && negb (A i h)) (of_part i))
    by (apply zsum_ext; intros; rewrite andb_comm; reflexivity).
  rewrite S. pose proof (cnt_nonneg (E j) (of_part i)). unfold apart. destruct (j =? i)%N; lia.
Qed.

Lemma v_most i j : In i parts -> In j parts -> 0 <= v i j <= Z.min (Z.of_nat x) (n - a i).
Proof.
  intros Hi Hj. unfold v. split; [apply cnt_nonneg|]. apply Z.min_glb.
  - pose proof (down_most j Hj). pose proof (of_part_le (E j) i). pose proof (cnt_nonneg (C j) hosts).
    assert (cnt (fun h => negb (A i h) && E j h) (of_part i) <= cnt (E j) (of_part i)); [|lia].
    apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto.
  - rewrite <- not_a by assumption. apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto.
Qed.

Lemma y_most i j : y i j <= c j.
Proof. apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto. Qed.

Lemma u_most i j : u i j <= a i.
Proof. apply cnt_imp. intros h _ Hh. apply andb_true_iff in Hh. tauto. Qed.

(** What part i adds. *)
Lemma up_side i : In i parts ->
  zsum (fun j => apart i j ((n - a i) * y i j + v i j * z i j)) parts <=
  let good := Z.min (Z.of_nat x - a i) (targets - c i) in
  good * (n - a i) + (Z.of_nat x - a i - good) * Z.min (Z.of_nat x) (n - a i).
Proof.
  intros Hi. cbv zeta. set (good := Z.min (Z.of_nat x - a i) (targets - c i)).
  set (m := Z.min (Z.of_nat x) (n - a i)). pose proof (a_most i Hi).
  apply Z.le_trans with (zsum (fun j => apart i j ((n - a i) * y i j + m * z i j)) parts).
  - apply row_le. intros j Hj. pose proof (v_most i j Hi Hj). fold m in H0.
    assert (0 <= z i j) by apply cnt_nonneg. nia.
  - rewrite row_plus, !row_times. pose proof (yz_sum i Hi) as H1. rewrite row_plus in H1.
    set (Y := zsum (fun j => apart i j (y i j)) parts) in *. set (Z0 := zsum (fun j => apart i j (z i j)) parts) in *.
    assert (HY : Y <= targets - c i).
    { unfold targets. rewrite <- row by assumption. apply row_le. intros. apply y_most. }
    assert (HZ : 0 <= Z0).
    { apply zsum_nonneg. intros j _. unfold apart. destruct (i =? j)%N; [lia|apply cnt_nonneg]. }
    assert (0 <= m) by (unfold m; lia). assert (m <= n - a i) by (unfold m; lia).
    assert (Y <= good) by (unfold good; lia).
    assert (good <= Z.of_nat x - a i) by (unfold good; lia).
    clearbody Y Z0 m good. nia.
Qed.

Lemma down_side j : In j parts ->
  zsum (fun i => apart j i (u i j * (n - c j))) parts <= Z.min (Z.of_nat x - c j) (sources - a j) * (n - c j).
Proof.
  intros Hj. pose proof (c_most j Hj).
  rewrite (zsum_ext _ (fun i => apart j i ((n - c j) * u i j))) by (intros; f_equal; lia). rewrite row_times.
  pose proof (uv_sum j Hj) as H1. rewrite row_plus in H1.
  set (U := zsum (fun i => apart j i (u i j)) parts) in *.
  assert (0 <= zsum (fun i => apart j i (v i j)) parts).
  { apply zsum_nonneg. intros i _. unfold apart. destruct (j =? i)%N; [lia|apply cnt_nonneg]. }
  assert (U <= sources - a j).
  { unfold sources. rewrite <- row by assumption. apply row_le. intros. apply u_most. }
  clearbody U. nia.
Qed.

Definition pair_of i : nat * nat := (Z.to_nat (a i), Z.to_nat (c i)).

Lemma total_sum (f : N -> Z) l : (forall i, In i l -> 0 <= f i) ->
  Z.of_nat (total (map (fun i => Z.to_nat (f i)) l)) = zsum f l.
Proof.
  induction l as [|i l IH]; intros H; [reflexivity|]. rewrite zsum_cons, <- IH by auto with datatypes. simpl.
  assert (0 <= f i) by auto with datatypes. lia.
Qed.

(** The sum of what all parts add is what the sets of sizes [a] and [c] let through at most. *)
Lemma covered_most :
  pairs is_covered <= sources * targets + zsum (fun i => gain n (Z.of_nat x) sources targets (a i) (c i)) parts.
Proof.
  rewrite pairs_between.
  apply Z.le_trans with (between (fun i j => a i * c j + ((n - a i) * y i j + v i j * z i j) + u i j * (n - c j))).
  { apply between_le. intros i j Hi Hj. rewrite from_to by assumption. lia. }
  rewrite (between_plus (fun i j => a i * c j + ((n - a i) * y i j + v i j * z i j))),
    (between_plus (fun i j => a i * c j)).
  assert (E1 : between (fun i j => a i * c j) = sources * targets - zsum (fun i => a i * c i) parts).
  { unfold between. rewrite (zsum_ext _ (fun i => targets * a i + (-1) * (a i * c i))).
    - rewrite zsum_plus, !zsum_times. unfold sources. lia.
    - intros i Hi. rewrite row_times, row by assumption. unfold targets. lia. }
  assert (E2 := zsum_le _ _ _ up_side). assert (E3 := zsum_le _ _ _ down_side). cbv zeta in E2.
  rewrite (between_flip (fun i j => u i j * (n - c j))).
  fold (between (fun i j => (n - a i) * y i j + v i j * z i j)) in E2.
  fold (between (fun j i => u i j * (n - c j))) in E3.
  unfold gain. rewrite (zsum_ext (fun i => _ + _ + _ - _) (fun i =>
    (Z.min (Z.of_nat x - a i) (targets - c i) * (n - a i) +
      (Z.of_nat x - a i - Z.min (Z.of_nat x - a i) (targets - c i)) * Z.min (Z.of_nat x) (n - a i)) +
    (Z.min (Z.of_nat x - c i) (sources - a i) * (n - c i) + (-1) * (a i * c i)))) by (intros; cbv zeta; lia).
  rewrite !zsum_plus, zsum_times in *. lia.
Qed.

Theorem covered_best but :
  (but = true -> sources = Z.of_nat x -> targets = Z.of_nat x -> forall i, In i parts ->
    ~ (a i = Z.of_nat x /\ c i = Z.of_nat x)) ->
  pairs is_covered <= best n x (length parts) but.
Proof.
  intros Hbut. pose proof covered_most as H.
  assert (Ea : Z.of_nat (total (map fst (map pair_of parts))) = sources).
  { rewrite map_map. apply (total_sum a). intros i Hi. apply a_most, Hi. }
  assert (Ec : Z.of_nat (total (map snd (map pair_of parts))) = targets).
  { rewrite map_map. apply (total_sum c). intros i Hi. apply c_most, Hi. }
  assert (K := best_sound n x but (map pair_of parts)). cbv zeta in K. rewrite map_length, Ea, Ec, zsum_map in K.
  eapply Z.le_trans; [|apply K].
  - rewrite (zsum_ext (fun i => gain _ _ _ _ (Z.of_nat (fst (pair_of i))) _)
      (fun i => gain n (Z.of_nat x) sources targets (a i) (c i))); [exact H|].
    intros i Hi. pose proof (a_most i Hi). pose proof (c_most i Hi). simpl. rewrite !Z2Nat.id by lia. reflexivity.
  - intros t Ht. apply in_map_iff in Ht as (i & <- & Hi). pose proof (a_most i Hi). pose proof (c_most i Hi).
    simpl. lia.
  - intros Eb E1 E2 Hin. apply in_map_iff in Hin as (i & Ei & Hi). injection Ei as Ei1 Ei2.
    pose proof (a_most i Hi). pose proof (c_most i Hi). apply (Hbut Eb) with i; try assumption; lia.
Qed.
End Star.
