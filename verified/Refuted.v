(** What the records of trees refute: no single-path routing is better. *)

From Coq Require Import QArith NArith ZArith List Bool Lia Lqa.
From Verified Require Import Single Sums Duality Lookup Moves Covers Ends Best Counting Stars Trees Nested.
Import ListNotations.
Open Scope Q_scope.

(** * The record *)

Lemma all_ported n p : forallb (is_ported p) (numbered 0 (links n)) = true ->
  forall lk, In lk (link_list n) -> is_ported p lk = true.
Proof. intros H. apply forallb_forall, H. Qed.

Lemma right_ok b : right b = Ok tt -> b = true.
Proof. destruct b; [reflexivity|discriminate]. Qed.

Lemma ports_of_star n m w height :
  ports (of_tree (star_of n m w height)) = product (firstn (S (N.to_nat height)) w).
Proof.
  unfold star_of. cbn [of_tree]. generalize (numbered 0 (links n)). intros ls.
  set (p := Ported _ _ _ _). change (product _) with (ports p) at 1. generalize p. clear p.
  induction ls as [|lk ls IH]; intros p; [reflexivity|]. simpl. rewrite IH. unfold add_crossing.
  destruct (get (side_of p) (from (snd lk))) as [[a|a]|], (get (side_of p) (to (snd lk))) as [[b|b]|]; reflexivity.
Qed.

Lemma wanted_pairs s : Z.of_N (wanted s) =
  (Z.of_N (size s) * Z.of_N (size s) * (Z.of_N (subtrees s) * (Z.of_N (subtrees s) - 1)))%Z.
Proof.
  unfold wanted. set (k := subtrees s). set (z := size s).
  destruct (N.eq_dec k 0) as [->|H]; [rewrite N.mul_0_l, N.mul_0_r; simpl Z.of_N; ring|].
  rewrite !N2Z.inj_mul, N2Z.inj_sub by lia. reflexivity.
Qed.

Section Refuted.
Variables (n : network) (m w : list N) (x : N) (r : routing) (q : quantity) (u : Q).
Hypothesis Hr : is_single_path n r.
Hypothesis Hu : is_bound n r q u.
Hypothesis Hq : q <> HoseLoad.
Hypothesis even : q = ObliviousRatio -> forall t, is_permutation n t -> possible_loads n t 1.

Lemma small_bound : u < inject_Z (Z.of_N x + 1) -> u < inject_Z (Z.of_nat (S (N.to_nat x))).
Proof. rewrite Nat2Z.inj_succ, N_nat_Z. exact (fun H => H). Qed.

Lemma check_star_sound s : check_star n s = true ->
  (forall lk, In lk (link_list n) -> is_ported (of_tree s) lk = true) /\
  check_parts n (of_tree s) (size s) (subtrees s) = true.
Proof. intros H. apply andb_true_iff in H as [H1 H2]. split; [apply all_ported, H1|exact H2]. Qed.

Lemma check_count_sound height : check_count n m w height x = Ok tt -> inject_Z (Z.of_N x + 1) <= u.
Proof.
  intros H. unfold check_count in H. set (s := star_of n m w height) in *.
  destruct (right _) as [[]| | |] eqn:E1; try discriminate. apply right_ok in E1. cbn [bind] in H.
  destruct (check_star n s) eqn:Hs; [|discriminate]. rewrite !andb_true_iff in E1. destruct E1 as [[_ Ex] H2].
  apply check_star_sound in Hs as [Hp Hparts]. apply N.leb_le in Ex, H2.
  destruct (Qlt_le_dec u (inject_Z (Z.of_N x + 1))) as [Hlow|Hlow]; [exfalso|exact Hlow].
  apply small_bound in Hlow.
  assert (Hx : (Z.of_nat (N.to_nat x) <= Z.of_N (size s))%Z) by (rewrite N_nat_Z; lia).
  unfold are_too_few in H. cbv zeta in H. destruct (_ <? Z.of_N (wanted s))%Z eqn:Hless.
  - apply Z.ltb_lt in Hless. rewrite wanted_pairs in Hless.
    pose proof (too_few n r q u (of_tree s) (size s) (subtrees s) (N.to_nat x) Hr Hu Hq even Hp Hparts Hlow Hx H2) as K.
    rewrite N_nat_Z in K. exact (Zle_not_lt _ _ K Hless).
  - destruct ((_ =? _) && _ && _)%Z eqn:Ht; [|discriminate]. destruct (most_steps <? _)%N; [discriminate|].
    destruct (most_apart _ _ _ <? _)%Z eqn:Hb; [|discriminate]. apply Z.ltb_lt in Hb.
    rewrite !andb_true_iff, Z.eqb_eq, Z.leb_le, Z.ltb_lt in Ht. destruct Ht as [[Ht H3] Hlt].
    rewrite wanted_pairs in Ht.
    apply (not_all_full n r q u (of_tree s) (size s) (subtrees s) (N.to_nat x) Hr Hu Hq even Hp Hparts Hlow Hx);
      try assumption; try lia; rewrite ?N_nat_Z; try assumption.
    + nia.
    + unfold limit. rewrite Z.max_r by lia. ring.
Qed.

Lemma check_nested_sound low high : check_nested n m w low high x = Ok tt -> inject_Z (Z.of_N x + 1) <= u.
Proof.
  intros H. unfold check_nested in H. set (small := star_of n m w low) in *. set (large := star_of n m w high) in *.
  set (joined := (size large / size small)%N) in *. set (split := (ports (of_tree large) / _)%N) in *.
  destruct (right _) as [[]| | |] eqn:E1; try discriminate. apply right_ok in E1. cbn [bind] in H. cbv zeta in H.
  destruct (most_steps <? _)%N; [discriminate|].
  destruct (check_star n small && check_star n large && are_nested n small large joined split) eqn:E2;
    cbn [negb] in H; [|discriminate].
  destruct (existsb _ _) eqn:E3; [|discriminate].
  rewrite !andb_true_iff in E1, E2. destruct E1 as [[_ Ex] H2]. destruct E2 as [[Hs Hl] Hn].
  apply check_star_sound in Hs as [Hp1 Hparts1], Hl as [Hp2 Hparts2]. apply N.leb_le in Ex, H2.
  unfold are_nested in Hn. rewrite !andb_true_iff, !forallb_forall in Hn. destruct Hn as [[[[[Hj Hin] Hg] Ha] Hh] Hv].
  destruct (Qlt_le_dec u (inject_Z (Z.of_N x + 1))) as [Hlow|Hlow]; [exfalso|exact Hlow].
  apply small_bound in Hlow.
  assert (Hx : (Z.of_nat (N.to_nat x) <= Z.of_N (size small))%Z) by (rewrite N_nat_Z; lia).
  apply existsb_exists in E3 as (c & Hc & Hless). apply Z.ltb_lt in Hless. rewrite wanted_pairs in Hless.
  apply (Zlt_not_le _ _ Hless).
  apply (nested_too_few n r q u (of_tree small) (of_tree large) (size small) (subtrees small) (size large)
    (subtrees large) joined split (N.to_nat x)); try assumption.
  - apply N.leb_le, Hj.
  - intros i Hi. apply in_numbers, N.ltb_lt, Hin, Hi.
  - intros k Hk. specialize (Hg k Hk). apply N.eqb_eq in Hg. rewrite those_index, count_length in Hg.
    unfold of_part. lia.
  - intros b Hb. specialize (Ha b Hb). apply N.eqb_eq in Ha. rewrite those_index, count_length in Ha.
    unfold of_part. lia.
  - intros h H0. apply N.eqb_eq, Hh, H0.
  - intros v b H0. specialize (Hv (v, Above b) (items_get _ _ _ H0)). cbn [fst snd] in Hv.
    destruct (get (side_of (of_tree small)) v) as [[a|a]|]; try discriminate. apply N.eqb_eq in Hv. congruence.
  - simpl in Hc. intuition lia.
Qed.
End Refuted.

(** * Even splits over tops *)

Section Split.
Variables (n : network) (up down : table (table (list N))) (tops : list N) (q : Q).

Definition splits : routing := fun s d => map (fun top => (q, leg_up up s top ++ leg down d top)) tops.
Definition legs (path : N -> N -> list N) (l h : N) : Q := sum (fun top => passes l (path h top)) tops.

Lemma legs_nonneg path l h : 0 <= legs path l h.
Proof. apply sum_nonneg. intros top _. apply sum_nonneg. intros x _. apply only_nonneg. lra. Qed.

Lemma share_splits s d l : share (splits s d) l == q * (legs (leg_up up) l s + legs (leg down) l d).
Proof.
  unfold share, splits, legs. rewrite sum_map, <- sum_plus, <- sum_times. apply sum_ext. intros top _. simpl fst.
  simpl snd. unfold passes. rewrite sum_app. reflexivity.
Qed.

Lemma counts_sound (hosts : list N) l : forall m,
  amount_at (fold_left (fun m h => fold_left (fun m top =>
    add_path (add_path m 1 (leg_up up h top)) 1 (leg down h top)) tops m) hosts m) l ==
  amount_at m l + sum (fun h => legs (leg_up up) l h + legs (leg down) l h) hosts.
Proof.
  induction hosts as [|h hosts IH]; intros m; [simpl; ring|]. simpl fold_left. rewrite IH, sum_cons. clear IH.
  assert (E : forall tops m, amount_at (fold_left (fun m top =>
    add_path (add_path m 1 (leg_up up h top)) 1 (leg down h top)) tops m) l == amount_at m l +
    sum (fun top => passes l (leg_up up h top) + passes l (leg down h top)) tops).
  { induction tops0 as [|top tops0 IH]; intros m'; [simpl; ring|]. simpl fold_left.
    rewrite IH, !amount_add_path, sum_cons. ring. }
  rewrite E, sum_plus. unfold legs. ring.
Qed.

Lemma check_split_sound : is_network n -> check_split n up down tops q = true ->
  forall t, is_permutation n t -> possible_loads n t 1.
Proof.
  intros Hn H t (Ht & Hsrc & Hdst & Hone). unfold check_split in H. rewrite !andb_true_iff in H.
  destruct H as [[[Hq Hsum] Hj] Hl]. apply Qle_bool_iff in Hq. apply Qeq_bool_iff in Hsum. rewrite sumr_sum in Hsum.
  rewrite forallb_forall in Hj, Hl. split; [reflexivity|]. exists splits. split.
  - intros x Hx. destruct (Ht x Hx) as [(Hs & Hd & _) _]. split.
    + intros q' p Hin. apply in_map_iff in Hin as (top & E & Htop). injection E as <- <-. split; [exact Hq|].
      pose proof (Hj _ (in_host_list _ _ Hs)) as Js. pose proof (Hj _ (in_host_list _ _ Hd)) as Jd.
      rewrite forallb_forall in Js, Jd. specialize (Js _ Htop). specialize (Jd _ Htop).
      apply andb_true_iff in Js as [Js _], Jd as [_ Jd].
      rewrite (joins_ext _ (link_of n)) in Js, Jd by apply find_link.
      eapply joins_both; eassumption.
    + unfold splits. rewrite sum_map. exact Hsum.
  - intros l k Ek. apply div_le; [eapply capacity_positive; eassumption|]. rewrite Qmult_1_l.
    specialize (Hl (l, k) (proj2 (in_link_list n l k) Ek)). apply Qle_bool_iff in Hl. simpl fst in Hl. simpl snd in Hl.
    rewrite counts_sound, amount_none, Qplus_0_l in Hl. eapply Qle_trans; [|exact Hl]. unfold carried.
    transitivity (q * (sum (fun x => amount x * legs (leg_up up) l (src x)) t +
      sum (fun x => amount x * legs (leg down) l (dst x)) t)).
    + apply Qle_lteq. right. rewrite <- sum_plus, <- sum_times. apply sum_ext. intros x _. rewrite share_splits. ring.
    + apply Qmult_le_left; [exact Hq|]. rewrite sum_plus.
      assert (G : forall key path, NoDup (map key t) -> (forall x, In x t -> (key x < hosts n)%N) ->
        sum (fun x => amount x * legs path l (key x)) t <= sum (legs path l) (host_list n)).
      { intros key path Hd Hk.
        eapply Qle_trans; [apply (sum_by_host n key (legs path l) (fun _ => 1))|].
        - intros x Hx. split; [apply Hk, Hx|apply (Ht x Hx)].
        - intros; apply legs_nonneg.
        - intros h _. apply sum_distinct; try assumption; discriminate.
        - apply Qle_lteq. right. apply sum_ext. intros; ring. }
      apply Qplus_le_compat; apply G; try assumption; intros x Hx; apply (Ht x Hx).
Qed.
End Split.

Lemma check_even_sound n : is_network n -> check_even n = Ok tt ->
  forall t, is_permutation n t -> possible_loads n t 1.
Proof.
  intros Hn H. unfold check_even in H. cbv zeta in H. destruct (check_split _ _ _ _ _) eqn:E; [|discriminate].
  eapply check_split_sound; eassumption.
Qed.

Lemma check_refuted_sound n m w q lower how r u :
  is_network n -> check_refuted n m w q lower how = Ok tt -> is_single_path n r -> is_bound n r q u -> q <> HoseLoad ->
  inject_Z (Z.of_N lower) <= u.
Proof.
  intros Hn H Hr Hu Hq. unfold check_refuted in H. destruct (covers_hosts q w); cbn [negb] in H; [|discriminate].
  destruct how as [|kind [|height [|high [|]]]]; try discriminate.
  - destruct (String.eqb kind _); [|discriminate]. apply right_ok, andb_true_iff in H as [Hl Hc].
    apply N.leb_le in Hl. rewrite forallb_forall in Hc. apply Qle_trans with 1.
    + change 1 with (inject_Z 1). rewrite <- Zle_Qle. lia.
    + destruct q; [eapply ratio_one; [exact Hn|apply Hr|exact Hu]| |contradiction].
      eapply at_least_one; try eassumption; [discriminate|]. intros k Hk. apply Qeq_bool_iff, Hc, Hk.
  - destruct (String.eqb kind _); [|discriminate]. destruct (integer height) as [i| | |]; try discriminate.
    cbn [bind] in H. destruct (right (1 <? lower)%N) as [[]| | |] eqn:El; try discriminate. cbn [bind] in H.
    apply right_ok, N.ltb_lt in El.
    destruct (check_evenly n q) as [[]| | |] eqn:Ee; try discriminate. cbn [bind] in H.
    replace (Z.of_N lower) with (Z.of_N (N.pred lower) + 1)%Z by lia.
    eapply check_count_sound; try eassumption. intros ->. apply check_even_sound; assumption.
  - destruct (String.eqb kind _); [|discriminate]. destruct (integer height) as [i| | |]; try discriminate.
    cbn [bind] in H. destruct (integer high) as [j| | |]; try discriminate.
    cbn [bind] in H. destruct (right (1 <? lower)%N) as [[]| | |] eqn:El; try discriminate. cbn [bind] in H.
    apply right_ok, N.ltb_lt in El.
    destruct (check_evenly n q) as [[]| | |] eqn:Ee; try discriminate. cbn [bind] in H.
    replace (Z.of_N lower) with (Z.of_N (N.pred lower) + 1)%Z by lia.
    eapply check_nested_sound; try eassumption. intros ->. apply check_even_sound; assumption.
Qed.

(** What a claim on the routing says of the upper side of a bound over routings. *)
Lemma claimed_upper n r bounds q upper :
  (forall q lower upper, In (q, lower, upper) bounds -> supremum_within (values_of q n (stands_for n r)) lower upper) ->
  existsb (fun b => same_quantity (fst (fst b)) q && Qeq_bool (snd b) upper) bounds = true ->
  is_bound n (stands_for n r) q upper.
Proof.
  intros Hb H.
  apply existsb_exists in H as ([[q' lower'] upper'] & Hin & E). apply andb_true_iff in E as [Eq Eu].
  simpl in Eq, Eu. apply Qeq_bool_iff in Eu. replace q' with q in Hin by (destruct q, q';
    (reflexivity || discriminate)).
  intros v Hv. rewrite <- Eu. exact (proj2 (Hb _ _ _ Hin) v Hv).
Qed.

Lemma check_single_path_sound n r bounds q lower upper t :
  is_network n -> is_routing n (stands_for n r) ->
  (forall q lower upper, In (q, lower, upper) bounds -> supremum_within (values_of q n (stands_for n r)) lower upper) ->
  check_single_path n r bounds q lower upper t = Ok tt ->
  infimum_within (possible_bounds q n SinglePath) lower upper.
Proof.
  intros Hn Hr Hb H. unfold check_single_path in H. destruct (tree_and_how t) as [[[m w] how]| | |]; try discriminate.
  cbn [bind] in H. destruct (right _) as [[]| | |] eqn:E; try discriminate. cbn [bind] in H. apply right_ok in E.
  rewrite !andb_true_iff in E. destruct E as [[[[Hle Eint] Hin] Hq] Hs]. apply Qle_bool_iff in Hle.
  apply Qeq_bool_iff in Eint. pose proof (claimed_upper n r bounds q upper Hb Hin) as Hu. split.
  - intros u (r' & Hr' & Hu'). rewrite Eint. eapply check_refuted_sound; try eassumption. intros ->. discriminate.
  - exists upper. split; [|apply Qle_refl]. exists (stands_for n r). split; [|exact Hu].
    eapply check_single_sound; eassumption.
Qed.
