(** Stars in stars: the pairs between groups of subtrees pass ports of both, which carry too few. *)

From Coq Require Import QArith NArith ZArith List Bool Lia.
From Verified Require Import Single Sums Duality Lookup Moves Covers Ends Best Counting Stars Greatest Trees.
Import ListNotations.
Open Scope Z_scope.

Section Nested.
Variables (n : network) (r : routing) (q : quantity) (u : Q) (p1 p2 : ported) (size1 subtrees1 size2 subtrees2 : N).
Variables (joined split : N) (x : nat).
Hypothesis Hr : is_single_path n r.
Hypothesis Hu : is_bound n r q u.
Hypothesis Hq : q <> HoseLoad.
Hypothesis even : q = ObliviousRatio -> forall t, is_permutation n t -> possible_loads n t 1.
Hypothesis Hp1 : forall lk, In lk (link_list n) -> is_ported p1 lk = true.
Hypothesis Hp2 : forall lk, In lk (link_list n) -> is_ported p2 lk = true.
Hypothesis Hparts1 : check_parts n p1 size1 subtrees1 = true.
Hypothesis Hparts2 : check_parts n p2 size2 subtrees2 = true.
Hypothesis small : (u < inject_Z (Z.of_nat (S x)))%Q.
Hypothesis x_most : Z.of_nat x <= Z.of_N size1.
Hypothesis joined_some : (1 <= joined)%N.

(** Subtrees of one height in those of the other one; ports of one height that lead to those of the other one. *)
Notation group := (fun i => (i / joined)%N).
Notation port_below := (fun b => (b / split)%N).
Hypothesis in_groups : forall i, In i (numbers subtrees1) -> In (group i) (numbers subtrees2).
Hypothesis group_size : forall k, In k (numbers subtrees2) ->
  length (of_part group (numbers subtrees1) k) = N.to_nat joined.
Hypothesis ports_above : forall b, In b (numbers (ports p1)) ->
  length (of_part port_below (numbers (ports p2)) b) = N.to_nat split.
Hypothesis hosts_in : forall h, In h (host_list n) -> part_of p2 h = group (part_of p1 h).
Hypothesis above : forall v b, get (side_of p2) v = Some (Above b) -> get (side_of p1) v = Some (Above (port_below b)).

Notation hosts_of := (host_list n).
Notation part1 := (part_of p1).
Notation part2 := (part_of p2).
Notation same := (fun i j => (group i =? group j)%N).
Notation pairs1 := (pairs hosts_of hosts_of part1 same).
Notation pairs2 := (pairs hosts_of hosts_of part2 N.eqb).
Notation over b := (of_part port_below (numbers (ports p2)) b).

(** Pairs that pass a port of the lower height, and one of the greater height that it leads to. *)
Definition carried (b s d : N) : bool := takes r p1 b s d && existsb (fun h => takes r p2 h s d) (over b).

Lemma same_pairs f : pairs1 f = pairs2 f.
Proof.
  apply zsum_ext. intros s Hs. apply zsum_ext. intros d Hd. unfold apart. rewrite !hosts_in by assumption. reflexivity.
Qed.

Notation wanted := (Z.of_N size2 * Z.of_N size2 * (Z.of_N subtrees2 * (Z.of_N subtrees2 - 1))).

Lemma all_carried : wanted <= zsum (fun b => pairs1 (carried b)) (numbers (ports p1)).
Proof.
  rewrite (wanted_all n p2 size2 subtrees2 x Hparts2), <- same_pairs, by_ports.
  apply zsum_le. intros s Hs. apply zsum_le. intros d Hd. unfold apart. cbv beta.
  destruct (N.eqb_spec (group (part1 s)) (group (part1 d))) as [E|E]; [rewrite zsum_zero; lia|].
  assert (E1 : part1 s <> part1 d) by congruence.
  assert (E2 : part2 s <> part2 d) by (rewrite !hosts_in by assumption; exact E).
  pose proof (different n p1 s d Hs Hd E1) as P. destruct (the_top n r Hr s d P) as (w & Hw).
  destruct (takes_at n r p1 Hp1 (inside_some n p1 size1 subtrees1 Hparts1) s d w Hw P E1) as (b & A1 & B1 & T1).
  destruct (takes_at n r p2 Hp2 (inside_some n p2 size2 subtrees2 Hparts2) s d w Hw P E2) as (h & A2 & B2 & T2).
  apply above in A2. assert (Eb : b = (h / split)%N) by congruence.
  apply in_numbers in B1, B2. eapply some_bit; [exact B1|]. unfold carried. rewrite T1. apply existsb_exists.
  exists h. split; [|exact T2]. apply filter_In. split; [exact B2|apply N.eqb_eq; congruence].
Qed.

Lemma pairs_filter (f g : N -> bool) (p : N -> N -> bool) :
  pairs2 (fun s d => p s d && (f s && g d)) = pairs (filter f hosts_of) (filter g hosts_of) part2 N.eqb p.
Proof.
  unfold pairs. rewrite zsum_filter. apply zsum_ext. intros s _. rewrite zsum_filter, <- zsum_times. apply zsum_ext.
  intros d _. unfold apart. destruct (part2 s =? part2 d)%N; [lia|]. destruct (p s d), (f s), (g d); reflexivity.
Qed.

(** Few hosts of a group cover. *)
Lemma few_cover (A : N -> N -> bool) k :
  (forall i, In i (numbers subtrees1) -> cnt (A i) hosts_of <= Z.of_nat x) -> In k (numbers subtrees2) ->
  Z.of_nat (length (of_part part2 (filter (fun h => A (part1 h) h) hosts_of) k)) <= Z.of_nat (N.to_nat joined * x).
Proof.
  intros H Hk. set (l := of_part part2 _ k).
  assert (E : zsum (fun _ => 1) l = Z.of_nat (length l)) by (rewrite zsum_const; lia). rewrite <- E.
  rewrite <- (zsum_parts part1 (fun _ => 1) l (of_part group (numbers subtrees1) k)).
  - rewrite <- (group_size k Hk), Nat2Z.inj_mul, Z.mul_comm, <- zsum_const. apply zsum_le. intros i Hi.
    apply filter_In in Hi as [Hi _]. specialize (H i Hi). rewrite zsum_filter. unfold l, of_part.
    rewrite !zsum_filter. eapply Z.le_trans; [|exact H]. apply zsum_le. intros h _.
    destruct (N.eqb_spec (part1 h) i) as [->|]; destruct (A i h), (part2 h =? k)%N; unfold bit; try lia;
      destruct (A (part1 h) h); lia.
  - apply NoDup_filter, numbers_once.
  - intros h Hh. apply filter_In in Hh as [Hh E2]. apply N.eqb_eq in E2. apply filter_In in Hh as [Hh _].
    apply filter_In. split; [apply (in_subtrees n p1 size1 subtrees1 Hparts1), Hh|]. apply N.eqb_eq.
    rewrite <- hosts_in by exact Hh. exact E2.
Qed.

Lemma cnt_filter_le p (f : N -> bool) : cnt p (filter f hosts_of) <= cnt p hosts_of.
Proof. rewrite cnt_filter. apply cnt_imp. intros h _ H. apply andb_true_iff in H. tauto. Qed.

Notation larger := (limit (Z.of_nat (N.to_nat joined * x)) (Z.of_nat (N.to_nat subtrees2)) (Z.of_nat x)).
Hypothesis two : (2 <= subtrees2)%N.

(** A port of the greater height, between hosts of which few are in a group. *)
Lemma large_port h (A C : N -> N -> bool) :
  (forall i, In i (numbers subtrees1) -> cnt (A i) hosts_of <= Z.of_nat x) ->
  (forall i, In i (numbers subtrees1) -> cnt (C i) hosts_of <= Z.of_nat x) ->
  pairs2 (fun s d => takes r p2 h s d && in_core part1 A C s d) <= larger.
Proof.
  intros HA HC. unfold in_core.
  rewrite (pairs_filter (fun s => A (part1 s) s) (fun d => C (part1 d) d)).
  destruct (port_covers n r q u p2 size2 subtrees2 x Hr Hu Hq even Hp2 Hparts2 small h)
    as (A' & B & C' & E & H1 & H2 & H3).
  eapply Z.le_trans; [apply (pairs_le _ _ _ _ _ (is_covered part2 A' B C' E))|].
  { intros s d Hs Hd Hne. apply filter_In in Hs as [Hs _], Hd as [Hd _]. apply H3; try assumption.
    apply N.eqb_neq, Hne. }
  rewrite <- (numbers_length subtrees2). apply covered_limit.
  - apply numbers_once.
  - nia.
  - rewrite numbers_length. lia.
  - intros s Hs. apply filter_In in Hs as [Hs _]. apply (in_subtrees n p2 size2 subtrees2 Hparts2), Hs.
  - intros d Hd. apply filter_In in Hd as [Hd _]. apply (in_subtrees n p2 size2 subtrees2 Hparts2), Hd.
  - intros k Hk. apply few_cover; assumption.
  - intros k Hk. apply few_cover; assumption.
  - intros i Hi. specialize (H1 i Hi). pose proof (cnt_filter_le (A' i) (fun s => A (part1 s) s)).
    pose proof (cnt_filter_le (B i) (fun d => C (part1 d) d)). lia.
  - intros i Hi. specialize (H2 i Hi). pose proof (cnt_filter_le (E i) (fun s => A (part1 s) s)).
    pose proof (cnt_filter_le (C' i) (fun d => C (part1 d) d)). lia.
Qed.

Lemma one_port b c : In b (numbers (ports p1)) -> 0 <= c <= 8 ->
  8 * pairs1 (carried b) <= nested_most (Z.of_N size1) (N.to_nat joined) x (N.to_nat subtrees2) (Z.of_N split) c.
Proof.
  intros Hb Hc8. unfold nested_most.
  destruct (port_covers n r q u p1 size1 subtrees1 x Hr Hu Hq even Hp1 Hparts1 small b)
    as (A & B & C & E & H1 & H2 & H3).
  assert (In1 := in_subtrees n p1 size1 subtrees1 Hparts1).
  assert (Most := subtree_most n p1 size1 subtrees1 x Hparts1).
  assert (K := carried_best hosts_of hosts_of part1 (numbers subtrees1) same (Z.of_N size1) x (numbers_once _) In1 In1
    (fun i j => N.eqb_sym _ _) Most Most x_most A B C E H1 H2 group (numbers subtrees2) (N.to_nat joined)
    (numbers_once _) in_groups group_size (fun i j _ _ => eq_refl) (carried b) (Weights c 8 false)
    ltac:(simpl; lia)).
  rewrite numbers_length in K. cbn [whole core but] in K.
  assert (L : pairs1 (fun s d => carried b s d && in_core part1 A C s d) <= pairs1 (in_core part1 A C)).
  { apply pairs_le. intros s d _ _ _ H. apply andb_true_iff in H. apply H. }
  assert (M : pairs1 (fun s d => carried b s d && in_core part1 A C s d) <= Z.of_N split * larger).
  { rewrite same_pairs. apply Z.le_trans with
      (zsum (fun h => pairs2 (fun s d => takes r p2 h s d && in_core part1 A C s d)) (over b)).
    - rewrite by_ports. apply zsum_le. intros s Hs. apply zsum_le. intros d Hd. unfold apart.
      destruct (part2 s =? part2 d)%N; [rewrite zsum_zero; lia|].
      assert (P : forall l, 0 <= zsum (fun h => bit (takes r p2 h s d && in_core part1 A C s d)) l)
        by (intros; apply zsum_nonneg; intros; apply bit_range).
      destruct (carried b s d && in_core part1 A C s d) eqn:Ec; [|apply P].
      apply andb_true_iff in Ec as [Ec1 Ec2]. unfold carried in Ec1. apply andb_true_iff in Ec1 as [_ Ec1].
      apply existsb_exists in Ec1 as (h & Hh & Th).
      apply (some_bit (fun h => takes r p2 h s d && in_core part1 A C s d) h); [exact Hh|].
      rewrite Th, Ec2. reflexivity.
    - replace (Z.of_N split) with (Z.of_nat (length (over b))) by (rewrite (ports_above b Hb); lia).
      rewrite Z.mul_comm, <- zsum_const. apply zsum_le. intros h _. apply large_port.
      + intros i Hi. specialize (H1 i Hi). pose proof (cnt_nonneg (B i) hosts_of). lia.
      + intros i Hi. specialize (H2 i Hi). pose proof (cnt_nonneg (E i) hosts_of). lia. }
  assert (K' := K ltac:(intros s d Hs Hd Hne Hcar; apply H3; try assumption;
    [apply N.eqb_neq in Hne; congruence|unfold carried in Hcar; apply andb_true_iff in Hcar; apply Hcar])
    ltac:(discriminate)).
  apply (Z.mul_le_mono_nonneg_l _ _ c) in L; [|lia]. apply (Z.mul_le_mono_nonneg_l _ _ (8 - c)) in M; [|lia].
  cbv beta in L, M |- *. lia.
Qed.

Theorem nested_too_few c : 0 <= c <= 8 ->
  wanted <= Z.of_N (ports p1) *
    (nested_most (Z.of_N size1) (N.to_nat joined) x (N.to_nat subtrees2) (Z.of_N split) c / 8).
Proof.
  intros Hc. eapply Z.le_trans; [apply all_carried|]. set (most := nested_most _ _ _ _ _ _).
  apply Z.le_trans with (zsum (fun _ => most / 8) (numbers (ports p1))).
  - apply zsum_le. intros b Hb. apply Z.div_le_lower_bound; [lia|]. apply one_port; assumption.
  - rewrite zsum_const, numbers_length, N_nat_Z. lia.
Qed.
End Nested.
