(** When all ports are full: where every port of a tree would have to carry the most that it can, they do not carry all
    pairs. *)

From Coq Require Import ZArith NArith List Bool Lia.
From Verified Require Import Star Counting Stars.
Import ListNotations.
Open Scope Z_scope.

Lemma zsum_same {A} (f g : A -> Z) l :
  (forall x, In x l -> f x <= g x) -> zsum g l <= zsum f l -> forall x, In x l -> f x = g x.
Proof.
  induction l as [|y l IH]; intros H Hs x Hx; [contradiction|]. rewrite !zsum_cons in Hs.
  pose proof (H y (or_introl eq_refl)). assert (H' : forall x, In x l -> f x <= g x) by (intros; apply H; right; auto).
  pose proof (zsum_le _ _ _ H'). destruct Hx as [<-|Hx]; [lia|]. apply IH; [exact H'|lia|exact Hx].
Qed.

Lemma cnt_full {A} (p q : A -> bool) l : (forall x, In x l -> p x = true -> q x = true) -> cnt q l <= cnt p l ->
  forall x, In x l -> q x = true -> p x = true.
Proof.
  intros H Hs x Hx Hq. assert (E : bit (p x) = bit (q x)).
  { apply (zsum_same (fun x => bit (p x)) (fun x => bit (q x)) l); [|exact Hs|exact Hx]. intros y Hy.
    specialize (H y Hy). pose proof (bit_range (q y)). destruct (p y); [rewrite H by reflexivity; simpl; lia|].
    simpl. lia. }
  rewrite Hq in E. destruct (p x); [reflexivity|discriminate].
Qed.

Lemma cnt_zero {A} (p : A -> bool) l : cnt p l <= 0 -> forall x, In x l -> p x = false.
Proof.
  intros H x Hx. destruct (p x) eqn:E; [|reflexivity].
  apply (cnt_full (fun _ => false) p l) in E; [discriminate|discriminate|rewrite cnt_none; exact H|exact Hx].
Qed.

Section Full.
Variables (hosts : list N) (part : N -> N) (parts : list N) (n : Z) (x : nat).
Hypothesis parts_once : NoDup parts.
Hypothesis in_parts : forall h, In h hosts -> In (part h) parts.
Notation of_part := (of_part part hosts).
Hypothesis part_size : forall i, In i parts -> Z.of_nat (length (of_part i)) = n.
Hypothesis x_less : Z.of_nat x < n.
Lemma part_most i : In i parts -> Z.of_nat (length (of_part i)) <= n.
Proof. intros Hi. rewrite part_size by exact Hi. lia. Qed.
Notation X := (Z.of_nat x).
Notation r := (Z.of_nat (length parts)).
Notation pairs := (pairs hosts hosts part N.eqb).
Notation apart := (apart N.eqb).

Lemma pairs_same (f g : N -> N -> bool) :
  (forall s d, In s hosts -> In d hosts -> part s <> part d -> f s d = true -> g s d = true) -> pairs g <= pairs f ->
  forall s d, In s hosts -> In d hosts -> part s <> part d -> f s d = g s d.
Proof.
  intros H Hs s d Hin Hd Hne.
  assert (T : forall s d, In s hosts -> In d hosts ->
    apart (part s) (part d) (bit (f s d)) <= apart (part s) (part d) (bit (g s d))).
  { intros s' d' Hs' Hd'. unfold Stars.apart. destruct (N.eqb_spec (part s') (part d')) as [|E]; [lia|].
    specialize (H s' d' Hs' Hd' E). pose proof (bit_range (g s' d')).
    destruct (f s' d'); [rewrite H by reflexivity; simpl; lia|simpl; lia]. }
  assert (E := zsum_same _ _ hosts (fun s Hs => zsum_le _ _ hosts (fun d Hd => T s d Hs Hd)) Hs s Hin). cbv beta in E.
  assert (E' := zsum_same _ _ hosts (fun d Hd => T s d Hin Hd) ltac:(rewrite E; lia) d Hd). cbv beta in E'.
  unfold Stars.apart in E'. rewrite (proj2 (N.eqb_neq _ _) Hne) in E'.
  destruct (f s d), (g s d); try discriminate; reflexivity.
Qed.

Lemma row f i : In i parts -> zsum (fun j => apart i j (f j)) parts = zsum f parts - f i.
Proof. intros Hi. rewrite (row parts N.eqb 0), own_alone by assumption. reflexivity. Qed.

Section Centre.
Variables A B C E : N -> N -> bool.
Hypothesis up_most : forall i, In i parts -> cnt (A i) hosts + cnt (B i) hosts <= X.
Hypothesis down_most : forall j, In j parts -> cnt (E j) hosts + cnt (C j) hosts <= X.
Notation a := (a hosts part A).
Notation c := (c hosts part C).
Notation y := (y hosts part B C).
Notation z := (z hosts part B C).
Notation u := (u hosts part A E).
Notation v := (v hosts part A E).
Notation is_covered := (is_covered part A B C E).

Variable i : N.
Hypothesis Hi : In i parts.
Hypothesis Ha : a i = X.
Hypothesis Hc : c i = X.
Hypothesis Hsources : sources hosts part parts A = X.
Hypothesis Htargets : targets hosts part parts C = X.
Hypothesis Hfull : 2 * n * (r - 1) * X <= pairs is_covered.

Lemma other_zero (f : N -> Z) j : (forall k, 0 <= f k) -> zsum f parts = f i -> In j parts -> i <> j -> f j = 0.
Proof.
  intros H0 Hs Hj Hne. pose proof (row f i Hi) as R. rewrite Hs, Z.sub_diag in R.
  assert (Z : 0 = apart i j (f j)).
  { apply (zsum_same (fun _ => 0) (fun k => apart i k (f k)) parts); [|rewrite R, zsum_zero; lia|exact Hj].
    intros k _. unfold Stars.apart. destruct (i =? k)%N; [lia|apply H0]. }
  unfold Stars.apart in Z. rewrite (proj2 (N.eqb_neq i j) Hne) in Z. lia.
Qed.

Lemma a_zero j : In j parts -> i <> j -> a j = 0.
Proof. apply other_zero; [intros; apply cnt_nonneg|]. rewrite Ha. exact Hsources. Qed.

Lemma c_zero j : In j parts -> i <> j -> c j = 0.
Proof. apply other_zero; [intros; apply cnt_nonneg|]. rewrite Hc. exact Htargets. Qed.

Lemma row_zero k (f : N -> Z) j : (forall m, 0 <= f m) -> zsum (fun m => apart k m (f m)) parts <= 0 ->
  In j parts -> k <> j -> f j = 0.
Proof.
  intros H0 Hs Hj Hne. assert (Z : 0 = apart k j (f j)).
  { apply (zsum_same (fun _ => 0) (fun k' => apart k k' (f k')) parts); [|rewrite zsum_zero; exact Hs|exact Hj].
    intros m _. unfold Stars.apart. destruct (k =? m)%N; [lia|apply H0]. }
  unfold Stars.apart in Z. rewrite (proj2 (N.eqb_neq k j) Hne) in Z. lia.
Qed.

Lemma yz_nonneg j k : 0 <= y j k + z j k.
Proof. pose proof (cnt_nonneg (fun h => B j h && C k h) (of_part k)).
  pose proof (cnt_nonneg (fun h => B j h && negb (C k h)) (of_part k)). unfold Stars.y, Stars.z. lia. Qed.

Lemma uv_nonneg j k : 0 <= u j k + v j k.
Proof. pose proof (cnt_nonneg (fun h => A j h && E k h) (of_part j)).
  pose proof (cnt_nonneg (fun h => negb (A j h) && E k h) (of_part j)). unfold Stars.u, Stars.v. lia. Qed.

(** What every part sends. *)
Definition sent j :=
  zsum (fun k => apart j k (a j * c k + (n - a j) * y j k + u j k * (n - c k) + v j k * z j k)) parts.

Lemma sent_centre : sent i = n * zsum (fun k => apart i k (u i k)) parts.
Proof.
  unfold sent. rewrite <- zsum_times. apply zsum_ext. intros k Hk. unfold Stars.apart.
  destruct (N.eqb_spec i k) as [|Hne]; [lia|]. rewrite (c_zero k Hk Hne).
  pose proof (yz_sum hosts hosts part parts N.eqb x parts_once in_parts A B C up_most i Hi) as H. fold (a i) in H.
  rewrite Ha, Z.sub_diag in H.
  pose proof (row_zero i (fun k => y i k + z i k) k (fun k => yz_nonneg i k) H Hk Hne) as Hz. cbv beta in Hz.
  pose proof (cnt_nonneg (fun h => B i h && C k h) (of_part k)).
  pose proof (cnt_nonneg (fun h => B i h && negb (C k h)) (of_part k)).
  assert (y i k = 0) by (unfold Stars.y, Stars.z in *; lia). assert (z i k = 0) by (unfold Stars.y, Stars.z in *; lia).
  rewrite H2, H3. lia.
Qed.

Lemma sent_other j : In j parts -> i <> j -> sent j <= n * X - (n - X) * (X - y j i) /\ y j i <= X.
Proof.
  intros Hj Hne. pose proof (yz_sum hosts hosts part parts N.eqb x parts_once in_parts A B C up_most j Hj) as H.
  fold (a j) in H.
  rewrite (a_zero j Hj Hne), Z.sub_0_r in H.
  assert (Hy : forall k, In k parts -> i <> k -> y j k = 0).
  { intros k Hk Hk'. pose proof (y_most hosts part B C j k) as M. fold (c k) in M. rewrite (c_zero k Hk Hk') in M.
    pose proof (cnt_nonneg (fun h => B j h && C k h) (of_part k)). unfold Stars.y in *. lia. }
  assert (Hu : forall k, u j k = 0).
  { intros k. pose proof (u_most hosts part A E j k) as M. fold (a j) in M. rewrite (a_zero j Hj Hne) in M.
    pose proof (cnt_nonneg (fun h => A j h && E k h) (of_part j)). unfold Stars.u in *. lia. }
  assert (Hv : v j i = 0).
  { pose proof (uv_sum hosts hosts part parts N.eqb x parts_once in_parts A C E down_most i Hi) as V. fold (c i) in V.
    rewrite Hc, Z.sub_diag in V.
    pose proof (row_zero i (fun k => u k i + v k i) j (fun k => uv_nonneg k i) V Hj Hne) as Z0. cbv beta in Z0.
    rewrite Hu in Z0. lia. }
  assert (S : zsum (fun k => apart j k (y j k)) parts = y j i).
  { rewrite (row _ j Hj). rewrite (Hy j Hj Hne).
    pose proof (row (y j) i Hi) as R.
    assert (Z0 : zsum (fun k => apart i k (y j k)) parts = 0).
    { rewrite <- (zsum_zero parts). apply zsum_ext. intros k Hk. unfold Stars.apart.
      destruct (N.eqb_spec i k) as [|Hk']; [reflexivity|apply Hy; assumption]. }
    lia. }
  assert (Hsent : sent j <= n * zsum (fun k => apart j k (y j k)) parts + X * zsum (fun k => apart j k (z j k)) parts).
  { unfold sent. rewrite <- !zsum_times, <- zsum_plus. apply zsum_le. intros k Hk. unfold Stars.apart.
    destruct (N.eqb_spec j k) as [|Hjk]; [lia|]. rewrite Hu, (a_zero j Hj Hne), Z.sub_0_r.
    pose proof (v_most hosts hosts part parts n x part_most A C E down_most j k Hj Hk) as V.
    assert (0 <= z j k) by apply cnt_nonneg. nia. }
  rewrite (row_plus parts N.eqb x), S in H. rewrite S in Hsent.
  assert (0 <= zsum (fun k => apart j k (z j k)) parts).
  { apply zsum_nonneg. intros k _. unfold Stars.apart. destruct (j =? k)%N; [lia|apply cnt_nonneg]. }
  set (Z0 := zsum (fun k => apart j k (z j k)) parts) in *. clearbody Z0. nia.
Qed.

Lemma u_at_most k : In k parts -> u i k <= X.
Proof. intros Hk. pose proof (u_most hosts part A E i k) as M. fold (a i) in M. lia. Qed.

Lemma all_full : (forall j, In j parts -> i <> j -> y j i = X) /\ (forall k, In k parts -> i <> k -> u i k = X).
Proof.
  assert (P : pairs is_covered = zsum sent parts).
  { rewrite (pairs_between hosts hosts part parts N.eqb parts_once in_parts in_parts). unfold between, sent.
    apply zsum_ext. intros j Hj.
    apply zsum_ext. intros k Hk. unfold Stars.apart. destruct (j =? k)%N; [reflexivity|].
    rewrite (from_to hosts hosts part 0), !part_size by assumption. reflexivity. }
  assert (R1 : zsum (fun j => apart i j (sent j)) parts = zsum sent parts - sent i)
    by (apply row; assumption).
  assert (R2 : zsum (fun j => apart i j (n * X - (n - X) * (X - y j i))) parts =
    n * X * (r - 1) - (n - X) * zsum (fun j => apart i j (X - y j i)) parts).
  { rewrite <- (row_times parts N.eqb x). rewrite <- (Z.add_opp_r (n * X * (r - 1))).
    transitivity (zsum (fun j => apart i j (n * X) + (-1) * apart i j ((n - X) * (X - y j i))) parts).
    - apply zsum_ext. intros j _. unfold Stars.apart. destruct (i =? j)%N; lia.
    - rewrite zsum_plus, zsum_times, (row _ i Hi), zsum_const. lia. }
  assert (L1 : zsum (fun j => apart i j (sent j)) parts <=
    zsum (fun j => apart i j (n * X - (n - X) * (X - y j i))) parts).
  { apply zsum_le. intros j Hj. unfold Stars.apart. destruct (N.eqb_spec i j) as [|Hne]; [lia|].
    apply sent_other; assumption. }
  assert (L2 : zsum (fun k => apart i k (X - u i k)) parts = X * (r - 1) - zsum (fun k => apart i k (u i k)) parts).
  { transitivity (zsum (fun k => apart i k X + (-1) * apart i k (u i k)) parts).
    - apply zsum_ext. intros k _. unfold Stars.apart. destruct (i =? k)%N; lia.
    - rewrite zsum_plus, zsum_times, (row _ i Hi), zsum_const. lia. }
  assert (N1 : 0 <= zsum (fun j => apart i j (X - y j i)) parts).
  { apply zsum_nonneg. intros j Hj. unfold Stars.apart. destruct (N.eqb_spec i j) as [|Hne]; [lia|].
    pose proof (proj2 (sent_other j Hj Hne)). lia. }
  assert (N2 : 0 <= zsum (fun k => apart i k (X - u i k)) parts).
  { apply zsum_nonneg. intros k Hk. unfold Stars.apart. destruct (N.eqb_spec i k) as [|Hne]; [lia|].
    pose proof (u_at_most k Hk). lia. }
  rewrite sent_centre in R1. rewrite P in Hfull.
  set (S1 := zsum (fun j => apart i j (X - y j i)) parts) in *.
  set (S2 := zsum (fun k => apart i k (X - u i k)) parts) in *.
  set (U := zsum (fun k => apart i k (u i k)) parts) in *.
  assert (K : (n - X) * S1 + n * S2 <= 0) by nia.
  assert (S1 <= 0) by nia. assert (S2 <= 0) by nia. split.
  - intros j Hj Hne.
    assert (0 = apart i j (X - y j i)).
    { apply (zsum_same (fun _ => 0) (fun j => apart i j (X - y j i)) parts); [|rewrite zsum_zero; assumption|exact Hj].
      intros k Hk. unfold Stars.apart. destruct (N.eqb_spec i k) as [|Hk']; [lia|].
      pose proof (proj2 (sent_other k Hk Hk')). lia. }
    unfold Stars.apart in H1. rewrite (proj2 (N.eqb_neq i j) Hne) in H1. lia.
  - intros j Hj Hne.
    assert (0 = apart i j (X - u i j)).
    { apply (zsum_same (fun _ => 0) (fun j => apart i j (X - u i j)) parts); [|rewrite zsum_zero; assumption|exact Hj].
      intros k Hk. unfold Stars.apart. destruct (N.eqb_spec i k) as [|Hk']; [lia|]. pose proof (u_at_most k Hk). lia. }
    unfold Stars.apart in H1. rewrite (proj2 (N.eqb_neq i j) Hne) in H1. lia.
Qed.

Lemma in_part h j : In h hosts -> part h = j -> In h (of_part j).
Proof. intros H E'. apply filter_In. rewrite E', N.eqb_refl. auto. Qed.

Lemma at_centre h : In h hosts -> B i h = false /\ E i h = false.
Proof.
  intros Hh. pose proof (up_most i Hi). pose proof (down_most i Hi).
  pose proof (of_part_le part (A i) hosts i) as HA. pose proof (of_part_le part (C i) hosts i) as HC.
  fold (a i) in HA. fold (c i) in HC.
  split; (apply (cnt_zero _ hosts); [lia|exact Hh]).
Qed.

(** Another part sends to the targets of the centre alone. *)
Lemma sends_to j h : In j parts -> i <> j -> In h hosts ->
  A j h = false /\ (B j h = true <-> part h = i /\ C i h = true).
Proof.
  intros Hj Hne Hh. pose proof (proj1 all_full j Hj Hne) as Y. unfold Stars.y in Y.
  assert (Y' := Y). unfold Stars.of_part in Y'. rewrite cnt_filter in Y'. pose proof (up_most j Hj).
  assert (M : cnt (fun h => (part h =? i)%N && (B j h && C i h)) hosts <= cnt (B j) hosts).
  { apply cnt_imp. intros k _ H'. rewrite !andb_true_iff in H'. tauto. }
  pose proof (cnt_nonneg (A j) hosts). split; [apply (cnt_zero _ hosts); [lia|exact Hh]|]. split; intros H'.
  - assert (F : (part h =? i)%N && (B j h && C i h) = true).
    { apply (cnt_full (fun h => (part h =? i)%N && (B j h && C i h)) (B j) hosts); [|lia|exact Hh|exact H'].
      intros k _ H''. rewrite !andb_true_iff in H''. tauto. }
    rewrite !andb_true_iff, N.eqb_eq in F. tauto.
  - destruct H' as [Hp HC]. assert (F : B j h && C i h = true).
    { apply (cnt_full (fun h => B j h && C i h) (C i) (of_part i));
        [|fold (c i); lia|apply in_part; assumption|exact HC].
      intros k _ H''. rewrite !andb_true_iff in H''. tauto. }
    rewrite andb_true_iff in F. tauto.
Qed.

Lemma receives_from k h : In k parts -> i <> k -> In h hosts ->
  C k h = false /\ (E k h = true <-> part h = i /\ A i h = true).
Proof.
  intros Hj Hne Hh. pose proof (proj2 all_full k Hj Hne) as Y. unfold Stars.u in Y.
  assert (Y' := Y). unfold Stars.of_part in Y'. rewrite cnt_filter in Y'. pose proof (down_most k Hj).
  assert (M : cnt (fun h => (part h =? i)%N && (A i h && E k h)) hosts <= cnt (E k) hosts).
  { apply cnt_imp. intros m _ H'. rewrite !andb_true_iff in H'. tauto. }
  pose proof (cnt_nonneg (C k) hosts). split; [apply (cnt_zero _ hosts); [lia|exact Hh]|]. split; intros H'.
  - assert (F : (part h =? i)%N && (A i h && E k h) = true).
    { apply (cnt_full (fun h => (part h =? i)%N && (A i h && E k h)) (E k) hosts); [|lia|exact Hh|exact H'].
      intros m _ H''. rewrite !andb_true_iff in H''. tauto. }
    rewrite !andb_true_iff, N.eqb_eq in F. tauto.
  - destruct H' as [Hp HA]. assert (F : A i h && E k h = true).
    { apply (cnt_full (fun h => A i h && E k h) (A i) (of_part i));
        [|fold (a i); lia|apply in_part; assumption|exact HA].
      intros m _ H''. rewrite !andb_true_iff in H''. tauto. }
    rewrite andb_true_iff in F. tauto.
Qed.

(** The port is centred: it carries pairs from sources of one part, and to targets of this part. *)
Definition from_centre s := (part s =? i)%N && A i s.
Definition to_centre d := (part d =? i)%N && C i d.

Lemma centred s d : In s hosts -> In d hosts -> part s <> part d ->
  bit (is_covered s d) = bit (from_centre s) + bit (to_centre d).
Proof.
  intros Hs Hd Hne. unfold Stars.is_covered, from_centre, to_centre.
  pose proof (in_parts s Hs) as Ps. pose proof (in_parts d Hd) as Pd.
  destruct (N.eqb_spec (part s) i) as [Es|Es], (N.eqb_spec (part d) i) as [Ed|Ed]; [congruence| | |]; cbn [andb].
  - destruct (receives_from (part d) d Pd (not_eq_sym Ed) Hd) as [C0 _].
    destruct (receives_from (part d) s Pd (not_eq_sym Ed) Hs) as [_ E0].
    destruct (at_centre d Hd) as [B0 _]. rewrite Es, C0, B0, !orb_false_r.
    destruct (A i s) eqn:EA; [rewrite (proj2 E0 (conj Es eq_refl)); reflexivity|reflexivity].
  - destruct (sends_to (part s) s Ps (not_eq_sym Es) Hs) as [A0 _].
    destruct (sends_to (part s) d Ps (not_eq_sym Es) Hd) as [_ B0].
    destruct (at_centre s Hs) as [_ E0]. rewrite Ed, A0, E0. cbn [orb].
    destruct (C i d) eqn:EC; [rewrite (proj2 B0 (conj Ed eq_refl)); reflexivity|rewrite andb_false_r; reflexivity].
  - destruct (sends_to (part s) s Ps (not_eq_sym Es) Hs) as [A0 _].
    destruct (sends_to (part s) d Ps (not_eq_sym Es) Hd) as [_ B0]. rewrite A0. cbn [orb].
    destruct (B (part s) d); [exfalso; apply Ed, B0; reflexivity|reflexivity].
Qed.

Lemma centre_even j : In j parts -> cnt from_centre (of_part j) = cnt to_centre (of_part j).
Proof.
  intros Hj. unfold from_centre, to_centre. destruct (N.eq_dec j i) as [->|Hne].
  - transitivity (cnt (A i) (of_part i)); [|transitivity (cnt (C i) (of_part i))].
    + apply zsum_ext. intros h Hh. apply filter_In in Hh as [_ Hh]. rewrite Hh. reflexivity.
    + fold (a i). fold (c i). lia.
    + apply zsum_ext. intros h Hh. apply filter_In in Hh as [_ Hh]. rewrite Hh. reflexivity.
  - apply zsum_ext. intros h Hh. apply filter_In in Hh as [_ Hh]. apply N.eqb_eq in Hh.
    rewrite Hh, (proj2 (N.eqb_neq j i) Hne). reflexivity.
Qed.
End Centre.

(** * They do not fit together *)

Lemma no_halves (ports : list N) (f g : N -> N -> bool) i j k :
  (forall b m, In b ports -> In m parts -> cnt (f b) (of_part m) = cnt (g b) (of_part m)) ->
  (forall s d, In s hosts -> In d hosts -> part s <> part d ->
    zsum (fun b => bit (f b s) + bit (g b d)) ports = 1) ->
  In i parts -> In j parts -> In k parts -> i <> j -> i <> k -> j <> k -> 0 < n -> False.
Proof.
  intros Heven Hone Hi Hj Hk Hij Hik Hjk Hn.
  set (F := fun s => zsum (fun b => bit (f b s)) ports). set (G := fun d => zsum (fun b => bit (g b d)) ports).
  assert (One : forall s d, In s hosts -> In d hosts -> part s <> part d -> F s + G d = 1).
  { intros s d Hs Hd Hne. unfold F, G. rewrite <- zsum_plus. apply Hone; assumption. }
  assert (Some_host : forall m, In m parts -> exists h, In h hosts /\ part h = m).
  { intros m Hm. pose proof (part_size m Hm) as L. destruct (of_part m) as [|h l] eqn:E; [simpl in L; lia|].
    assert (Hh : In h (of_part m)) by (rewrite E; left; reflexivity). apply filter_In in Hh as [H1 H2].
    apply N.eqb_eq in H2. exists h. auto. }
  assert (Same : forall m h m' h', In m parts -> In h hosts -> part h = m -> In h' hosts -> part h' = m' -> m <> m' ->
    F h = G h).
  { intros m h m' h' Hm Hh Eh Hh' Eh' Hne.
    assert (SF : zsum F (of_part m) = n * F h).
    { rewrite (zsum_ext F (fun _ => F h)); [rewrite zsum_const, part_size by assumption; lia|].
      intros s Hs. apply filter_In in Hs as [Hs Es]. apply N.eqb_eq in Es.
      pose proof (One s h' Hs Hh' ltac:(congruence)). pose proof (One h h' Hh Hh' ltac:(congruence)). lia. }
    assert (SG : zsum G (of_part m) = n * G h).
    { rewrite (zsum_ext G (fun _ => G h)); [rewrite zsum_const, part_size by assumption; lia|].
      intros s Hs. apply filter_In in Hs as [Hs Es]. apply N.eqb_eq in Es.
      pose proof (One h' s Hh' Hs ltac:(congruence)). pose proof (One h' h Hh' Hh ltac:(congruence)). lia. }
    assert (SFG : zsum F (of_part m) = zsum G (of_part m)).
    { unfold F, G. rewrite (zsum_swap (fun s b => bit (f b s))), (zsum_swap (fun s b => bit (g b s))).
      apply zsum_ext. intros b Hb. apply (Heven b m Hb Hm). }
    nia. }
  destruct (Some_host i Hi) as (h1 & H1 & E1). destruct (Some_host j Hj) as (h2 & H2 & E2).
  destruct (Some_host k Hk) as (h3 & H3 & E3).
  pose proof (Same i h1 j h2 Hi H1 E1 H2 E2 Hij). pose proof (Same j h2 k h3 Hj H2 E2 H3 E3 Hjk).
  pose proof (Same k h3 i h1 Hk H3 E3 H1 E1 ltac:(congruence)).
  pose proof (One h1 h2 H1 H2 ltac:(congruence)). pose proof (One h2 h3 H2 H3 ltac:(congruence)).
  pose proof (One h1 h3 H1 H3 ltac:(congruence)). lia.
Qed.
End Full.
