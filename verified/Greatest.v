(** The closed formula of COUNTING.md: one port carries at most (r−1)·X·max(rX,2n) pairs between r subtrees of n hosts.

    The proof is another one than there: of two directions, the one is looked at whose sources are not more than its
    targets. *)

From Coq Require Import ZArith NArith List Bool Lia.
From Verified Require Import Star Counting Stars.
Import ListNotations.
Open Scope Z_scope.

Section Sizes.
Variables (parts : list N) (a c : N -> Z) (X n : Z).
Notation r := (Z.of_nat (length parts)).
Notation S := (zsum a parts).
Notation T := (zsum c parts).
Hypothesis a_most : forall i, In i parts -> 0 <= a i <= X.
Hypothesis c_most : forall i, In i parts -> 0 <= c i <= X.
Hypothesis two : 2 <= r.
Hypothesis less : S <= T.
Definition good i := Z.min (X - c i) (S - a i).

Lemma lin p q t : zsum (fun i => p + q * a i + t * c i) parts = p * r + q * S + t * T.
Proof. rewrite !zsum_plus, !zsum_times, zsum_const. reflexivity. Qed.

Lemma X_nonneg : 0 <= X.
Proof. destruct parts as [|i l]; [simpl in two; lia|]. pose proof (a_most i (or_introl eq_refl)). lia. Qed.

Lemma in_sum i : In i parts -> a i <= S.
Proof.
  revert a_most. generalize parts. intros l H Hi. induction l as [|j l IH]; [destruct Hi|]. rewrite zsum_cons.
  assert (0 <= zsum a l) by (apply zsum_nonneg; intros; apply H; right; assumption).
  destruct Hi as [->|Hi]; [lia|]. specialize (IH (fun k Hk => H k (or_intror Hk)) Hi).
  pose proof (H j (or_introl eq_refl)). lia.
Qed.

(** What n is multiplied with. *)
Notation K := (zsum (fun i => X - a i + good i) parts).

Lemma K_most : 0 <= K <= 2 * (r - 1) * X.
Proof.
  pose proof X_nonneg. split.
  - apply zsum_nonneg. intros i Hi. pose proof (a_most i Hi). pose proof (c_most i Hi). pose proof (in_sum i Hi).
    unfold good. lia.
  - assert (K1 : K <= (2 * X) * r + (-1) * S + (-1) * T).
    { rewrite <- lin. apply zsum_le. intros i Hi. unfold good. lia. }
    assert (K2 : K <= (X + S) * r + (-2) * S + 0 * T).
    { rewrite <- lin. apply zsum_le. intros i Hi. unfold good. lia. }
    clear a_most c_most. destruct (Z.le_gt_cases S X); nia.
Qed.

(** What a part adds where 2n is rX. *)
Definition h i := (X - a i + good i) * (r * X) - 2 * a i * (X - a i) - 2 * c i * good i - 2 * (a i * c i).

Lemma by_bound p q t : (forall i, In i parts -> h i <= p + q * a i + t * c i) ->
  zsum h parts <= p * r + q * S + t * T.
Proof. intros H. rewrite <- lin. apply zsum_le, H. Qed.

Ltac part i Hi := pose proof (a_most i Hi); pose proof (c_most i Hi); pose proof X_nonneg; unfold h, good;
  destruct (Z.min_spec (X - c i) (S - a i)) as [[? ->]|[? ->]]; clear a_most c_most;
  set (ai := a i) in *; set (ci := c i) in *; set (s := S) in *; clearbody ai ci s.

Lemma few_sources : S <= X \/ r = 2 -> zsum h parts <= 2 * r * (r - 1) * (X * X) - 2 * (S * T).
Proof.
  intros Hs. pose proof X_nonneg. eapply Z.le_trans; [apply (by_bound ((X + S) * (r * X)) (-2 * (r * X)) (-2 * S))|].
  - intros i Hi. assert (2 * X <= r * X) by nia. part i Hi; set (w := r * X) in *; clearbody w; nia.
  - assert (r * (r - 2) * X * (S - X) <= 0); [|nia].
    destruct Hs as [Hs| ->]; [|lia]. assert (0 <= r * (r - 2) * X) by nia. nia.
Qed.

Lemma three_parts : r = 3 -> zsum h parts <= 2 * r * (r - 1) * (X * X) - 2 * (S * T).
Proof.
  intros Hr. pose proof X_nonneg.
  eapply Z.le_trans; [apply (by_bound ((X + S) * (3 * X) - X * S + X * X) (-5 * X) (-2 * S - X))|].
  - intros i Hi. part i Hi; rewrite Hr; nia.
  - rewrite Hr. nia.
Qed.

Lemma some_sources : 4 <= r -> X <= S <= 2 * X -> zsum h parts <= 2 * r * (r - 1) * (X * X) - 2 * (S * T).
Proof.
  intros Hr Hs. pose proof X_nonneg.
  eapply Z.le_trans; [apply (by_bound (2 * X * (r * X)) (- (r * X) - 2 * X + 2 * (S - X)) (- (r * X)))|].
  - intros i Hi. assert (4 * X <= r * X) by nia. part i Hi; set (w := r * X) in *; clearbody w.
    + assert (2 * (ai * ai + ci * ci - ai * ci) <= 2 * (s - X) * ai + 2 * X * ci); [|nia].
      assert (0 <= ci * (X - ai)) by nia. assert (0 <= (s - X) * ci) by nia. destruct (Z.le_gt_cases ai ci).
      * assert (0 <= ai * (ci - ai)) by nia. assert (0 <= ci * (X - ci)) by nia. assert (0 <= (s - X) * ai) by nia. lia.
      * assert (0 <= (ai - ci) * (s - X - (ai - ci))) by nia. lia.
    + set (d := ai - ci - (s - X)). assert (0 <= d) by (unfold d; lia).
      assert (2 * (ai * ai + ci * ci - ai * ci) - d * (w - 2 * ci) <= 2 * (s - X) * ai + 2 * X * ci);
        [|unfold d in *; nia].
      assert (d * (4 * X - 2 * ci) <= d * (w - 2 * ci)) by nia. assert (0 <= ci * (X - ai)) by nia.
      assert (0 <= X * d) by nia. assert (0 <= ci * (s - X)) by nia. assert (0 <= (X - ai) * d) by nia.
      unfold d in *. lia.
  - assert (W : 4 * X <= r * X) by nia. clear a_most c_most. set (s := S) in *. set (t := T) in *. clearbody s t.
    set (k := Z.of_nat (length parts)) in *. clearbody k. set (w := k * X) in *.
    assert (0 <= (w - 2 * s) * (t - s)) by (apply Z.mul_nonneg_nonneg; lia).
    assert (0 <= (s - X) * (2 * w - 4 * s)) by (apply Z.mul_nonneg_nonneg; lia).
    replace (2 * k * (k - 1) * (X * X)) with (2 * w * w - 2 * w * X) by (unfold w; ring).
    replace (2 * X * w * k) with (2 * w * w) by (unfold w; ring). lia.
Qed.

Lemma many_sources : 4 <= r -> 2 * X <= S -> zsum h parts <= 2 * r * (r - 1) * (X * X) - 2 * (S * T).
Proof.
  intros Hr Hs. pose proof X_nonneg.
  assert (A : zsum h parts <= 2 * X * (r * X) * r + (- (r * X)) * S + (- (r * X)) * T).
  { apply by_bound. intros i Hi. assert (4 * X <= r * X) by nia.
    part i Hi; set (w := r * X) in *; clearbody w; nia. }
  assert (B : zsum h parts <= (2 * X * (r * X) + 2 * (X * X)) * r + (- (r * X) - 2 * X) * S +
    (- (r * X) - 2 * X) * T).
  { apply by_bound. intros i Hi. assert (4 * X <= r * X) by nia.
    part i Hi; set (w := r * X) in *; clearbody w; nia. }
  assert (Q : 4 * (S * T) <= (S + T) * (S + T)) by nia.
  assert (U : S + T <= 2 * (r * X)).
  { assert (S + T <= (2 * X) * r + 0 * S + 0 * T); [|lia]. rewrite <- lin. rewrite <- zsum_plus. apply zsum_le.
    intros i Hi. pose proof (a_most i Hi). pose proof (c_most i Hi). lia. }
  clear a_most c_most. set (all := zsum h parts) in *. clearbody all.
  set (s := S) in *. set (t := T) in *. clearbody s t. set (k := Z.of_nat (length parts)) in *. clearbody k.
  destruct (Z.le_gt_cases (s + t) (k * X)) as [L|L].
  - assert ((s + t - 4 * X) * (s + t - k * X) <= 0) by nia. assert (0 <= (k - 4) * (X * (s + t))) by nia. nia.
  - assert ((s + t - 2 * (k * X)) * (s + t - 4 * X) <= 0) by nia. nia.
Qed.

Theorem sizes_most : 2 * (S * T) - 2 * zsum (fun i => a i * c i) parts +
    zsum (fun i => (X - a i) * (2 * n - 2 * a i) + good i * (2 * n - 2 * c i)) parts <=
  2 * ((r - 1) * X * Z.max (r * X) (2 * n)).
Proof.
  assert (E : zsum (fun i => (X - a i) * (2 * n - 2 * a i) + good i * (2 * n - 2 * c i)) parts -
    2 * zsum (fun i => a i * c i) parts = (2 * n - r * X) * K + zsum h parts).
  { rewrite <- zsum_times. rewrite <- (zsum_times (2 * n - r * X)). rewrite <- zsum_plus.
    rewrite <- Z.add_opp_r. rewrite <- (Z.mul_1_l (zsum (fun i => 2 * (a i * c i)) parts)).
    rewrite <- Z.mul_opp_l, <- zsum_times, <- zsum_plus.
    apply zsum_ext. intros i _. unfold h. ring. }
  pose proof K_most as HK. pose proof X_nonneg.
  assert (H0 : zsum h parts <= 2 * r * (r - 1) * (X * X) - 2 * (S * T)).
  { destruct (Z.le_gt_cases S X); [apply few_sources; auto|]. destruct (Z.eq_dec r 2); [apply few_sources; auto|].
    destruct (Z.eq_dec r 3); [apply three_parts; assumption|].
    destruct (Z.le_gt_cases S (2 * X)); [apply some_sources; lia|apply many_sources; lia]. }
  assert ((2 * n - r * X) * K <= 2 * (r - 1) * X * (Z.max (r * X) (2 * n) - r * X)); [|nia].
  destruct (Z.max_spec (r * X) (2 * n)) as [[L ->]|[L ->]]; nia.
Qed.
End Sizes.

Section Ports.
Variables (parts : list N) (part : N -> N) (n : Z) (x : nat).
Hypothesis parts_once : NoDup parts.
Hypothesis x_most : Z.of_nat x <= n.
Hypothesis two : 2 <= Z.of_nat (length parts).
Notation X := (Z.of_nat x).
Notation limit := (limit n (Z.of_nat (length parts)) X).

Section Covers.
Variables (senders receivers : list N) (A B C E : N -> N -> bool).
Hypothesis senders_in : forall h, In h senders -> In (part h) parts.
Hypothesis receivers_in : forall h, In h receivers -> In (part h) parts.
Hypothesis senders_most : forall i, In i parts -> Z.of_nat (length (of_part part senders i)) <= n.
Hypothesis receivers_most : forall i, In i parts -> Z.of_nat (length (of_part part receivers i)) <= n.
Hypothesis up_most : forall i, In i parts -> cnt (A i) senders + cnt (B i) receivers <= X.
Hypothesis down_most : forall j, In j parts -> cnt (E j) senders + cnt (C j) receivers <= X.
Notation a := (a senders part A).
Notation c := (c receivers part C).

Lemma few_sources_limit : zsum a parts <= zsum c parts ->
  pairs senders receivers part N.eqb (is_covered part A B C E) <= limit.
Proof.
  intros Hl.
  pose proof (covered_most senders receivers part parts N.eqb n x parts_once senders_in receivers_in N.eqb_sym
    senders_most receivers_most x_most A B C E up_most down_most) as H.
  rewrite (pairs_core senders receivers part parts N.eqb parts_once senders_in receivers_in) in H.
  assert (E1 : between parts N.eqb (fun i j => a i * c j) =
    zsum a parts * zsum c parts - zsum (fun i => a i * c i) parts).
  { unfold between. rewrite (zsum_ext _ (fun i => zsum c parts * a i + (-1) * (a i * c i))).
    - rewrite zsum_plus, !zsum_times. lia.
    - intros i Hi. rewrite (row_times parts N.eqb 0), (row parts N.eqb 0), own_alone by assumption. lia. }
  rewrite E1 in H. clear E1.
  pose proof (a_most senders receivers part parts x A B up_most) as Ha.
  pose proof (c_most senders receivers part parts x C E down_most) as Hc.
  pose proof (sizes_most parts a c X n Ha Hc two Hl) as K. fold limit in K.
  assert (L : 2 * zsum (fun i => up n X (targets receivers part parts C - own parts N.eqb i c) (a i) +
      down n X (sources senders part parts A - own parts N.eqb i a) (c i)) parts <=
    zsum (fun i => (X - a i) * (2 * n - 2 * a i) + good parts a c X i * (2 * n - 2 * c i)) parts).
  { rewrite <- zsum_times. apply zsum_le. intros i Hi. rewrite !own_alone by assumption. unfold up, down, good.
    change (sources senders part parts A) with (zsum a parts). set (o := targets receivers part parts C - c i).
    specialize (Ha i Hi). assert (0 <= X - a i - Z.min (X - a i) o) by lia.
    assert (Z.min X (n - a i) <= n - a i) by lia. nia. }
  unfold Star.limit in *. lia.
Qed.
End Covers.

Lemma pairs_flip senders receivers same f : (forall i j, same i j = same j i) ->
  pairs senders receivers part same f = pairs receivers senders part same (fun s d => f d s).
Proof.
  intros H. unfold pairs. rewrite zsum_swap. apply zsum_ext. intros d _. apply zsum_ext. intros s _. unfold apart.
  rewrite H. reflexivity.
Qed.

(** What covers let through one port. *)
Theorem covered_limit senders receivers A B C E :
  (forall h, In h senders -> In (part h) parts) -> (forall h, In h receivers -> In (part h) parts) ->
  (forall i, In i parts -> Z.of_nat (length (of_part part senders i)) <= n) ->
  (forall i, In i parts -> Z.of_nat (length (of_part part receivers i)) <= n) ->
  (forall i, In i parts -> cnt (A i) senders + cnt (B i) receivers <= X) ->
  (forall i, In i parts -> cnt (E i) senders + cnt (C i) receivers <= X) ->
  pairs senders receivers part N.eqb (is_covered part A B C E) <= limit.
Proof.
  intros Hs Hr Hns Hnr Hup Hdown.
  destruct (Z.le_ge_cases (zsum (a senders part A) parts) (zsum (c receivers part C) parts)) as [L|L];
    [apply few_sources_limit; assumption|].
  rewrite pairs_flip by apply N.eqb_sym. eapply Z.le_trans; [|apply (few_sources_limit receivers senders C E A B)];
    try assumption.
  - apply Z.eq_le_incl, zsum_ext. intros s _. apply zsum_ext. intros d _. f_equal. f_equal. unfold is_covered.
    rewrite andb_comm. f_equal; apply orb_comm.
  - intros i Hi. specialize (Hdown i Hi). lia.
  - intros i Hi. specialize (Hup i Hi). lia.
Qed.
End Ports.
