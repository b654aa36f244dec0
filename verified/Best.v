(** A bound on all routings over allowed paths that the checker accepts holds. *)

From Coq Require Import QArith NArith List Bool Lia Lqa.
From Verified Require Import Least Sums Duality Lookup Moves Covers Average.
Import ListNotations.
Open Scope Q_scope.

(** * Routings are taken back *)

Lemma back_automorphism n f b fl bl : is_automorphism n f b fl bl -> is_automorphism n b f bl fl.
Proof.
  intros H. split.
  - apply (node_back _ _ _ _ _ H).
  - apply (node_there _ _ _ _ _ H).
  - apply (link_back _ _ _ _ _ H).
  - apply (link_there _ _ _ _ _ H).
  - intros x. rewrite <- (host_kept _ _ _ _ _ H (b x)), (node_back _ _ _ _ _ H). reflexivity.
  - intros l k E. rewrite <- (link_back _ _ _ _ _ H l) in E. destruct (link_only _ _ _ _ _ H _ _ E) as (k' & E').
    destruct (link_kept _ _ _ _ _ H _ _ E') as (k'' & E'' & Hf & Ht & Hk). replace k'' with k in * by congruence.
    exists k'. rewrite Hf, Ht, !(node_there _ _ _ _ _ H). split; [exact E'|]. split; [reflexivity|].
    split; [reflexivity|]. symmetry. exact Hk.
  - intros l k E. destruct (link_kept _ _ _ _ _ H _ _ E) as (k' & E' & _). rewrite (link_back _ _ _ _ _ H) in E'. eauto.
Qed.

Definition back_routing (f bl : N -> N) (r : routing) : routing := fun s d => take_all bl (r (f s) (f d)).

Definition is_bound (n : network) (r : routing) (q : quantity) (u : Q) : Prop := forall v, values_of q n r v -> v <= u.

Lemma bounded_values n r q u l : is_bound n r q u -> bounded n r q u l.
Proof.
  intros H k t E. destruct q.
  - intros Ht m Hm. apply H. exists t, m, l, k. split; [exact Ht|]. split; [exact Hm|]. split; [exact E|reflexivity].
  - intros Ht. apply H. exists t, l, k. split; [exact Ht|]. split; [exact E|reflexivity].
  - intros Ht. apply H. exists t, l, k. split; [exact Ht|]. split; [exact E|reflexivity].
Qed.

Section Best.
Variables (n : network) (a : among).
Hypothesis Hn : is_network n.

Section Back.
Variables (f b fl bl : N -> N).
Hypothesis H : is_automorphism n f b fl bl.
(** Allowed paths are taken back to allowed ones. *)
Hypothesis Hlisted :
  forall paths, a = Listed paths -> forall s d p, In (s, d, p) paths -> In (b s, b d, map bl p) paths.

Lemma back_among r : is_among n a r -> is_among n a (back_routing f bl r).
Proof.
  intros [Hr Ha]. pose proof (back_automorphism _ _ _ _ _ H) as H'. split.
  - intros s d Hp. pose proof (Hr _ _ (pair_kept _ _ _ _ _ H _ _ Hp)) as R.
    apply (routed_kept n b f bl fl H') in R. rewrite !(node_there _ _ _ _ _ H) in R. exact R.
  - intros s d q p Hp Hin Hq. unfold back_routing, take_all in Hin. apply in_map_iff in Hin as ([q' p'] & E & Hin).
    simpl in E. injection E as <- <-. specialize (Ha _ _ _ _ (pair_kept _ _ _ _ _ H _ _ Hp) Hin Hq).
    destruct a as [| |paths] eqn:Ea; [exact I| |].
    + intros other Ho. rewrite map_length, <- (map_length fl other). apply Ha. apply (joins_kept n f b fl bl H), Ho.
    + simpl in *. rewrite <- (node_there _ _ _ _ _ H s), <- (node_there _ _ _ _ _ H d).
      apply (Hlisted paths eq_refl), Ha.
Qed.

Lemma back_follows r : follows n (back_routing f bl r) r f fl.
Proof.
  intros s d l _. unfold back_routing. rewrite <- (share_kept n b f bl fl (back_automorphism _ _ _ _ _ H)).
  rewrite (link_there _ _ _ _ _ H). reflexivity.
Qed.

Lemma back_bound r q u : is_bound n r q u -> is_bound n (back_routing f bl r) q u.
Proof.
  intros Hu. unfold is_bound. apply upper_from_links. intros l k _. eapply bounded_back; [exact H|apply back_follows|].
  apply bounded_values, Hu.
Qed.
End Back.

(** * What pairs pay *)

(** Every path costs what it passes. *)
Lemma cost_by_places (ps : paths) (es : list price) :
  sum (fun e => snd e * share ps (snd (fst e))) es ==
  sum (fun qp => fst qp * sum (amount_at (tally (map (fun p : price => (snd (fst p), snd p)) es))) (snd qp)) ps.
Proof.
  transitivity (sum (fun e => sum (fun qp => snd e * (fst qp * passes (snd (fst e)) (snd qp))) ps) es).
  { apply sum_ext. intros e _. unfold share. rewrite <- sum_times. reflexivity. }
  rewrite sum_swap. apply sum_ext. intros qp _.
  transitivity (fst qp * sum (fun e => snd e * passes (snd (fst e)) (snd qp)) es).
  { rewrite <- sum_times. apply sum_ext. intros e _. ring. }
  apply Qmult_comp; [reflexivity|].
  transitivity (sum (fun e => sum (fun x => snd e * only (x =? snd (fst e))%N 1) (snd qp)) es).
  { apply sum_ext. intros e _. unfold passes. rewrite sum_times. reflexivity. }
  rewrite sum_swap. apply sum_ext. intros x _. rewrite amount_tally, sum_map. apply sum_ext. intros [y z] _. simpl.
  rewrite N.eqb_sym. destruct (snd y =? x)%N; unfold only; ring.
Qed.

Lemma distance_within len ls s far : incl ls (link_list n) -> is_distance len ls s far = true ->
  forall d p, joins (link_of n) s d p = true -> (forall l k, In l p -> link_of n l = Some k -> In (l, k) ls) ->
  exists x, get far d = Some x /\ x <= sum (amount_at len) p.
Proof.
  intros _. unfold is_distance. rewrite !andb_true_iff, forallb_forall. intros [[H1 H2] H3] d p Hj Hin.
  assert (G : forall p u x, (forall l k, In l p -> link_of n l = Some k -> In (l, k) ls) ->
    get far u = Some x -> joins (link_of n) u d p = true ->
    exists y, get far d = Some y /\ y <= x + sum (amount_at len) p).
  { clear p Hj Hin. induction p as [|l p IH]; intros u x Hin E Hj; simpl in Hj.
    - apply N.eqb_eq in Hj. subst. exists x. split; [exact E|]. change (sum (amount_at len) []) with 0. lra.
    - destruct (link_of n l) as [k|] eqn:El; [|discriminate]. apply andb_true_iff in Hj as [Hf Hj].
      apply N.eqb_eq in Hf. specialize (H3 (l, k) (Hin l k (or_introl eq_refl) El)). simpl in H3.
      rewrite Hf, E in H3. destruct (get far (to k)) as [y|] eqn:Eb; [|discriminate].
      apply Qle_bool_iff in H3. destruct (IH _ _ (fun l k Hl => Hin l k (or_intror Hl)) Eb Hj) as (e & Ee & He).
      exists e. split; [exact Ee|]. rewrite sum_cons. lra. }
  destruct (get far s) as [x|] eqn:E; [|discriminate]. apply Qeq_bool_iff in H1.
  unfold amount_at in H1. rewrite E in H1. destruct (G p s x Hin E Hj) as (y & Ey & Hy).
  exists y. split; [exact Ey|]. lra.
Qed.

Lemma amount_ones l k : link_of n l = Some k -> amount_at (ones (link_list n)) l == 1.
Proof.
  intros E. unfold ones. rewrite amount_tally, sum_map. cbn [fst snd].
  transitivity (sum (fun lk : N * link => only (l =? fst lk)%N 1) (link_list n)).
  - apply sum_ext. intros x _. rewrite N.eqb_sym. reflexivity.
  - apply (sum_single fst (fun _ : N * link => 1) (l, k)); [apply numbered_distinct|apply in_link_list, E].
Qed.

Lemma length_cons l p : length_of (l :: p) == 1 + length_of p.
Proof.
  unfold length_of. rewrite !count_length. simpl length.
  replace (Z.of_N (N.of_nat (S (length p)))) with (1 + Z.of_N (N.of_nat (length p)))%Z by lia.
  rewrite inject_Z_plus. reflexivity.
Qed.

Lemma length_le p p' : length_of p <= length_of p' <-> (length p <= length p')%nat.
Proof. unfold length_of. rewrite !count_length, <- Zle_Qle. lia. Qed.

Lemma sum_ones v d p : joins (link_of n) v d p = true -> sum (amount_at (ones (link_list n))) p == length_of p.
Proof.
  revert v. induction p as [|l p IH]; intros v Hj; [reflexivity|]. simpl in Hj.
  destruct (link_of n l) as [k|] eqn:E; [|discriminate]. apply andb_true_iff in Hj as [_ Hj].
  rewrite sum_cons, length_cons, (IH _ Hj), (amount_ones l k E). reflexivity.
Qed.

Notation far_from s := (hops n (ones (link_list n)) (link_list n) s).

(** Paths are no shorter than [hops] says, from wherever they begin. *)
Lemma hops_bound s v d p x :
  get (far_from s) v = Some x -> joins (link_of n) v d p = true ->
  exists y, get (far_from s) d = Some y /\ y <= x + length_of p.
Proof.
  unfold hops. destruct (is_distance _ _ _ _) eqn:H; [|rewrite get_none; discriminate].
  unfold is_distance in H. rewrite !andb_true_iff, forallb_forall in H. destruct H as [_ H].
  revert v x. induction p as [|l p IH]; intros v x E Hj; simpl in Hj.
  - apply N.eqb_eq in Hj. subst. exists x. split; [exact E|]. change (length_of []) with 0. lra.
  - destruct (link_of n l) as [k|] eqn:El; [|discriminate]. apply andb_true_iff in Hj as [Hf Hj].
    apply N.eqb_eq in Hf. specialize (H (l, k) (proj2 (in_link_list n l k) El)). simpl in H. rewrite Hf, E in H.
    destruct (get _ (to k)) as [y|] eqn:Ey; [|discriminate]. apply Qle_bool_iff in H.
    rewrite (amount_ones l k El) in H. destruct (IH _ _ Ey Hj) as (z & Ez & Hz). exists z. split; [exact Ez|].
    rewrite length_cons. lra.
Qed.

Lemma hops_start s x d : get (far_from s) d = Some x -> exists y, get (far_from s) s = Some y /\ y == 0.
Proof.
  unfold hops. destruct (is_distance _ _ _ _) eqn:H; [|rewrite get_none; discriminate]. intros _.
  unfold is_distance in H. rewrite !andb_true_iff in H. destruct H as [[H1 H2] _].
  destruct (get _ s) as [y|] eqn:E; [|discriminate]. exists y. split; [reflexivity|].
  apply Qeq_bool_iff in H1. unfold amount_at in H1. rewrite E in H1. exact H1.
Qed.

(** Links of a path that is as short as can be lead away. *)
Lemma shortest_leads_away s d p v x y :
  get (far_from s) v = Some x -> get (far_from s) d = Some y -> joins (link_of n) v d p = true ->
  x + length_of p <= y -> forall l k, In l p -> link_of n l = Some k ->
  In (l, k) (filter (leads_away (far_from s)) (link_list n)).
Proof.
  revert v x. induction p as [|l p IH]; intros v x Ex Ey Hj Hle i k Hin Ek; [contradiction|]. simpl in Hj.
  destruct (link_of n l) as [k'|] eqn:El; [|discriminate]. apply andb_true_iff in Hj as [Hf Hj]. apply N.eqb_eq in Hf.
  assert (One : joins (link_of n) v (to k') [l] = true) by (simpl; rewrite El, Hf, !N.eqb_refl; reflexivity).
  destruct (hops_bound _ _ _ _ _ Ex One) as (z & Ez & Hz). destruct (hops_bound _ _ _ _ _ Ez Hj) as (y' & Ey' & Hy).
  replace y' with y in Hy by congruence. rewrite length_cons in *. change (length_of []) with 0 in *.
  destruct Hin as [<-|Hin].
  - apply filter_In. split; [apply in_link_list, Ek|]. replace k with k' by congruence. unfold leads_away. simpl.
    rewrite Hf, Ex, Ez. apply Qeq_bool_iff. lra.
  - apply (IH (to k') z Ez Ey Hj); [lra|exact Hin|exact Ek].
Qed.

Lemma least_of_le costs x : In x costs -> least_of costs <= x.
Proof.
  induction costs as [|y costs IH]; intros Hin; [contradiction|].
  assert (G : least_of (y :: costs) <= y /\ forall z, In z costs -> least_of (y :: costs) <= least_of costs).
  { destruct costs as [|z costs]; [simpl; split; [lra|contradiction]|].
    change (least_of (y :: z :: costs)) with (let b := least_of (z :: costs) in if Qle_bool y b then y else b).
      cbv zeta.
    destruct (Qle_bool y (least_of (z :: costs))) eqn:E; split; intros; try lra.
    - apply Qle_bool_iff in E. exact E.
    - assert (~ y <= least_of (z :: costs)) as L by (intros L; apply Qle_bool_iff in L; congruence). lra. }
  destruct G as [G1 G2]. destruct Hin as [<-|Hin]; [exact G1|]. eapply Qle_trans; [apply (G2 _ Hin)|apply IH, Hin].
Qed.

(** Some path of every pair is as short as [hops] says. *)
Hypothesis Hshort : a = Shortest -> forall s d, is_pair n s d ->
  exists p y, joins (link_of n) s d p = true /\ get (far_from s) d = Some y /\ y == length_of p.

Lemma cheapest_sound len s d p :
  (forall l, 0 <= amount_at len l) -> is_pair n s d -> joins (link_of n) s d p = true -> is_allowed n a s d p ->
  cheapest n a (those (by_source_of a) s) (usable n a (ones (link_list n)) (link_list n) s)
    s d len <= sum (amount_at len) p.
Proof.
  intros H0 Hp Hj Ha.
  assert (Hpos : 0 <= sum (amount_at len) p) by (apply sum_nonneg; intros; apply H0).
  assert (Near : forall ls, (forall l k, In l p -> link_of n l = Some k -> In (l, k) ls) -> incl ls (link_list n) ->
    nearest n len ls s d <= sum (amount_at len) p).
  { intros ls Hls Hi. unfold nearest. destruct (is_distance len ls s (reach n len ls s)) eqn:E; [|exact Hpos].
    destruct (distance_within _ _ _ _ Hi E d p Hj Hls) as (x & Ex & Hx). unfold amount_at at 1. rewrite Ex. exact Hx. }
  destruct a as [| |paths] eqn:Ea; unfold cheapest, usable.
  - apply Near; [|apply incl_refl]. intros l k _ E. apply in_link_list, E.
  - apply Near; [|intros x Hx; apply filter_In in Hx; apply Hx].
    destruct (Hshort eq_refl s d Hp) as (p0 & y & Hj0 & Ey & El). destruct (hops_start _ _ _ Ey) as (x & Ex & E0).
    apply (shortest_leads_away s d p s x y Ex Ey Hj). rewrite El, E0, Qplus_0_l. apply length_le, Ha, Hj0.
  - simpl in Ha. unfold path_cost. rewrite <- (sumr_sum (amount_at len) p).
    apply least_of_le. apply in_map_iff. exists (s, d, p). split; [reflexivity|]. apply filter_In. simpl.
    rewrite N.eqb_refl. split; [|reflexivity]. unfold by_source_of. rewrite those_index. apply filter_In.
    split; [exact Ha|apply N.eqb_refl].
Qed.

Lemma share_cost r s d es :
  (forall e, In e es -> 0 <= snd e) -> is_among n a r -> is_pair n s d ->
  cheapest n a (those (by_source_of a) s) (usable n a (ones (link_list n)) (link_list n) s) s d
    (tally (map (fun p : price => (snd (fst p), snd p)) es)) <=
  sum (fun e => snd e * share (r s d) (snd (fst e))) es.
Proof.
  intros H0 [Hr Ha] Hp. rewrite cost_by_places. set (len := tally _).
  set (c := cheapest _ _ _ _ _ _ _). destruct (Hr s d Hp) as [H1 H2].
  setoid_replace c with (c * 1) by ring. rewrite <- H2, <- sum_times. apply sum_le. intros [q p] Hin. simpl.
  destruct (H1 q p Hin) as [Hq Hj]. rewrite (Qmult_comm c).
  destruct (Qlt_le_dec 0 q) as [Hpos|Hle].
  - apply Qmult_le_left; [exact Hq|]. apply cheapest_sound; [|exact Hp|exact Hj|eapply Ha; eassumption].
    intros l. unfold len. rewrite amount_tally, sum_map. apply sum_nonneg. intros e He. apply only_nonneg. simpl. auto.
  - assert (E : q == 0) by lra. rewrite E. lra.
Qed.

Lemma by_host (key : price -> N) (g : price -> Q) es :
  (forall e, In e es -> (key e < hosts n)%N) ->
  sum (fun h => sum g (filter (fun e => (key e =? h)%N) es)) (host_list n) == sum g es.
Proof.
  intros Hk. transitivity (sum (fun h => sum (fun e => only (key e =? h)%N (g e)) es) (host_list n)).
  { apply sum_ext. intros h _. apply sum_filter. }
  rewrite sum_swap. apply sum_ext. intros e He.
  rewrite <- (sum_single (fun h : N => h) (fun _ => g e) (key e) (host_list n));
    [reflexivity| |apply in_host_list, Hk, He].
  rewrite map_id. unfold host_list. apply FinFun.Injective_map_NoDup; [intros x y; apply Nat2N.inj|apply seq_NoDup].
Qed.

Lemma check_place_sound p : check_place n p = true -> is_pair n (fst (fst (fst p))) (snd (fst (fst p))) /\ 0 <= snd p.
Proof.
  unfold check_place. rewrite andb_true_iff. intros [H1 H2].
  split; [apply check_pair_sound, H1|apply Qle_bool_iff, H2].
Qed.

Definition share_at (r : routing) (x : place) : Q := share (r (fst (fst x)) (snd (fst x))) (snd x).

Lemma paid_sound r ps :
  is_among n a r -> (forall p, In p ps -> check_place n p = true) ->
  paid n a ps <= sum (fun p => snd p * share_at r (fst p)) ps.
Proof.
  intros Hr Hp. unfold paid, paid_from. fold (link_list n). rewrite sumr_sum.
  rewrite <- (by_host (fun p => fst (fst (fst p))) _ ps) by (intros e He; apply (check_place_sound e (Hp e He))).
  apply sum_le. intros s _. rewrite those_index.
  set (mine := filter (fun p : price => (fst (fst (fst p)) =? s)%N) ps).
  assert (Hm : forall p, In p mine -> check_place n p = true /\ fst (fst (fst p)) = s).
  { intros p Hin. apply filter_In in Hin as [Hin E]. apply N.eqb_eq in E. auto. }
  transitivity (paid_to n a (those (by_source_of a) s) (usable n a (ones (link_list n)) (link_list n) s) s
    (index (fun p : price => snd (fst (fst p))) mine)).
  { destruct mine; [|apply Qle_refl]. unfold paid_to. rewrite sumr_sum, <- (sum_zero (host_list n)). apply sum_le.
    intros d _. unfold those, index. simpl. rewrite get_none. apply Qle_refl. }
  unfold paid_to. rewrite sumr_sum.
  rewrite <- (by_host (fun p => snd (fst (fst p))) _ mine)
    by (intros e He; apply (check_place_sound e (proj1 (Hm e He)))).
  apply sum_le. intros d _. rewrite those_index.
  set (these := filter (fun p : price => (snd (fst (fst p)) =? d)%N) mine).
  assert (Ht : forall p, In p these -> check_place n p = true /\ fst (fst (fst p)) = s /\ snd (fst (fst p)) = d).
  { intros p Hin. apply filter_In in Hin as [Hin E]. apply N.eqb_eq in E. destruct (Hm p Hin). auto. }
  destruct these as [|e es] eqn:E; [apply Qle_refl|]. rewrite <- E in *.
  assert (Hin : In e these) by (rewrite E; left; reflexivity). destruct (Ht e Hin) as (He & Es & Ed).
  destruct (check_place_sound e He) as [Hpair _]. rewrite Es, Ed in Hpair.
  transitivity (sum (fun p : price => snd p * share (r s d) (snd (fst p))) these).
  - apply share_cost; [|exact Hr|exact Hpair]. intros p Hin'. apply (check_place_sound p), Ht, Hin'.
  - apply Qle_lteq. right. apply sum_ext. intros p Hin'. destruct (Ht p Hin') as (_ & <- & <-). reflexivity.
Qed.
End Best.

(** * The paths of the routing are allowed *)

Lemma all_fit_sound n r fits s d q p :
  all_fit (look n (know r)) s fits = true -> is_pair n s d -> In (q, p) (stands_for n r s d) -> fits d p = true.
Proof.
  unfold all_fit. rewrite forallb_forall. intros H (_ & Hd & Hne) Hin. specialize (H d (in_host_list _ _ Hd)).
  apply orb_true_iff in H as [E|H]; [apply N.eqb_eq in E; contradiction|].
  rewrite lookup_stands, forallb_forall in H. exact (H (q, p) Hin).
Qed.

Lemma is_listed_sound paths s d p : is_listed (by_source_of (Listed paths)) s d p = true -> In (s, d, p) paths.
Proof.
  unfold is_listed, by_source_of. rewrite those_index. intros H. apply existsb_exists in H as ([[s' d'] p'] & Hin & E).
  apply filter_In in Hin as [Hin Es]. apply andb_true_iff in E as [Ed Ep]. simpl in *.
  apply N.eqb_eq in Es, Ed. apply same_path_sound in Ep. subst. exact Hin.
Qed.

Definition has_shortest (n : network) : Prop := forall s d, is_pair n s d ->
  exists p y, joins (link_of n) s d p = true /\
    get (hops n (ones (link_list n)) (link_list n) s) d = Some y /\ y == length_of p.

Lemma check_taken_sound n r a :
  check_taken (look n (know r)) a = true -> is_routing n (stands_for n r) ->
  is_among n a (stands_for n r) /\ (a = Shortest -> has_shortest n).
Proof.
  intros H Hr. destruct a as [| |paths]; unfold check_taken in H; cbn [net look] in H.
  - split; [split; [exact Hr|intros; exact I]|discriminate].
  - unfold are_shortest in H. cbn [net look] in H. fold (link_list n) in H. rewrite forallb_forall in H.
    assert (F : forall s d q p, is_pair n s d -> In (q, p) (stands_for n r s d) ->
      exists y, get (hops n (ones (link_list n)) (link_list n) s) d = Some y /\ y == length_of p).
    { intros s d q p Hp Hin. pose proof (all_fit_sound n r _ s d q p (H s (in_host_list _ _ (proj1 Hp))) Hp Hin) as E.
      unfold is_hops in E. destruct (get _ d) as [y|]; [|discriminate]. exists y. split; [reflexivity|].
      apply Qeq_bool_iff, E. }
    split.
    + split; [exact Hr|]. intros s d q p Hp Hin _ other Ho. destruct (F s d q p Hp Hin) as (y & Ey & El).
      destruct (hops_start _ _ _ _ Ey) as (x & Ex & E0). destruct (hops_bound _ _ _ _ _ _ Ex Ho) as (y' & Ey' & Hy).
      replace y' with y in Hy by congruence. apply length_le. lra.
    + intros _ s d Hp. destruct (Hr s d Hp) as [H1 H2]. destruct (stands_for n r s d) as [|[q p] ps] eqn:E;
      [discriminate H2|].
      destruct (F s d q p Hp) as (y & Ey & El); [rewrite E; left; reflexivity|]. exists p, y.
      split; [apply (H1 q p); left; reflexivity|]. split; [exact Ey|exact El].
  - unfold are_listed in H. cbn [net look] in H. rewrite forallb_forall in H. split; [|discriminate].
    split; [exact Hr|]. intros s d q p Hp Hin _. apply is_listed_sound.
    exact (all_fit_sound n r _ s d q p (H s (in_host_list _ _ (proj1 Hp))) Hp Hin).
Qed.

(** * What always bounds the values of a routing *)

Section Always.
Variables (n : network) (r : routing).
Hypothesis Hn : is_network n.
Hypothesis Hr : is_routing n r.

Lemma first_pair : is_pair n 0 1.
Proof. destruct Hn as [H _]. split; [lia|]. split; [lia|discriminate]. Qed.

(** A path that is taken, and a link of it. *)
Lemma some_link : exists q p l k, In (q, p) (r 0%N 1%N) /\ 0 < q /\ In l p /\ link_of n l = Some k.
Proof.
  destruct (Hr _ _ first_pair) as [H1 H2].
  assert (E : exists q p, In (q, p) (r 0%N 1%N) /\ 0 < q).
  { induction (r 0%N 1%N) as [|[q p] ps IH]; [discriminate H2|]. rewrite sum_cons in H2. simpl fst in H2.
    destruct (Qlt_le_dec 0 q) as [Hq|Hq]; [exists q, p; split; [left; reflexivity|exact Hq]|].
    destruct IH as (q' & p' & Hin & Hq'); [intros; apply H1; right; assumption|
      |exists q', p'; split; [right; exact Hin|exact Hq']].
    destruct (H1 q p (or_introl eq_refl)) as [H0 _]. assert (q == 0) as E by lra. rewrite E in H2. rewrite <- H2.
      ring. }
  destruct E as (q & p & Hin & Hq). destruct (H1 q p Hin) as [_ Hj]. destruct p as [|l p]; [discriminate Hj|].
  destruct (joined_links _ _ _ _ Hj l (or_introl eq_refl)) as [k Ek].
  exists q, (l :: p), l, k. split; [exact Hin|]. split; [exact Hq|]. split; [left; reflexivity|exact Ek].
Qed.

Lemma load_none l k : load r [] l k == 0.
Proof. unfold load, carried, Qdiv. simpl. ring. Qed.

Lemma bound_nonneg q u : is_bound n r q u -> 0 <= u.
Proof.
  intros H. destruct some_link as (_ & _ & l & k & _ & _ & _ & Ek).
  assert (T : is_traffic n []) by (intros x []).
  transitivity (load r [] l k); [rewrite load_none; apply Qle_refl|].
  pose proof (bounded_values n r q u l H k [] Ek) as B. destruct q.
  - transitivity (load r [] l k / 1); [rewrite load_none; discriminate|]. apply B; [exact T|].
    split; [reflexivity|]. exists r. split; [intros x []|]. intros i k' _. rewrite load_none. discriminate.
  - apply B. split; [exact T|]. split; [constructor|]. split; [constructor|intros x []].
  - apply B. split; [exact T|]. intros h _. split; unfold sent, received; simpl; apply sum_nonneg; intros k' Hk;
      apply only_nonneg, Qlt_le_weak, Hn, Hk.
Qed.

Lemma some_highest {A} (f : A -> Q) l : l <> [] -> exists x, In x l /\ forall y, In y l -> f y <= f x.
Proof.
  induction l as [|x l IH]; [congruence|]. intros _. destruct l as [|y l].
  - exists x. split; [left; reflexivity|]. intros z [<-|[]]. lra.
  - destruct IH as (z & Hz & Hle); [discriminate|]. destruct (Qlt_le_dec (f z) (f x)) as [Hlt|Hge].
    + exists x. split; [left; reflexivity|]. intros w [<-|Hw]; [lra|]. specialize (Hle w Hw). lra.
    + exists z. split; [right; exact Hz|]. intros w [<-|Hw]; [exact Hge|exact (Hle w Hw)].
Qed.

(** A max load is never below optu. *)
Lemma ratio_one u : is_bound n r ObliviousRatio u -> 1 <= u.
Proof.
  intros H. set (t := [Demand 0 1 1]). destruct some_link as (q & p & l & k & Hin & Hq & Hl & Ek).
  assert (T : is_traffic n t). { intros x [<-|[]]. split; [exact first_pair|discriminate]. }
  destruct (some_highest (fun lk => load r t (fst lk) (snd lk)) (link_list n)) as ([m km] & Hm & Hle).
  { apply in_link_list in Ek. destruct (link_list n); [contradiction|discriminate]. }
  apply in_link_list in Hm. simpl in Hle.
  assert (Hpos : 0 < load r t m km).
  { apply (Qlt_le_trans _ (load r t l k)); [|apply (Hle (l, k)), in_link_list, Ek].
    pose proof (capacity_positive _ _ _ Hn Ek) as Hk. unfold load. apply Qlt_shift_div_l; [exact Hk|].
    rewrite Qmult_0_l. unfold carried, t. rewrite sum_cons. simpl src. simpl dst. simpl amount.
    change (sum _ []) with 0. rewrite Qmult_1_l, Qplus_0_r.
    destruct (Hr _ _ first_pair) as [H1 _].
    assert (P : forall x p, 0 <= passes x p).
    { intros x p'. apply sum_nonneg. intros. apply only_nonneg. discriminate. }
    apply (Qlt_le_trans _ (q * passes l p)).
    - assert (1 <= passes l p).
      { transitivity (only (l =? l)%N 1); [rewrite N.eqb_refl; apply Qle_refl|].
        apply (sum_one (fun x => only (x =? l)%N 1) l p Hl). intros. apply only_nonneg. discriminate. }
      assert (q * 1 <= q * passes l p) by (apply Qmult_le_left; lra). lra.
    - apply (sum_one (fun qp : Q * list N => fst qp * passes l (snd qp)) (q, p) _ Hin).
      intros [q' p'] Hin'. simpl. apply Qmult_le_0_compat; [apply (H1 q' p' Hin')|apply P]. }
  transitivity (load r t m km / load r t m km).
  - apply Qle_shift_div_l; [exact Hpos|]. rewrite Qmult_1_l. apply Qle_refl.
  - apply H. exists t, (load r t m km), m, km. split; [exact T|]. split; [|split; [exact Hm|reflexivity]].
    split; [exact Hpos|]. exists r. split.
    + intros x [<-|[]]. apply Hr, first_pair.
    + intros i ki Ei. apply (Hle (i, ki)), in_link_list, Ei.
Qed.
End Always.

(** * Traffic against links *)

Lemma admissible_bound n v q r u x routed :
  is_network n -> v = look n (known v) -> is_bound n r q u ->
  is_admissible v (leaving_table n) (entering_table n) q (x, routed) = true ->
  sum (fun p => snd p * share_at r (fst p)) (prices_of v x) <= weight x * u /\
  forall p, In p (prices_of v x) -> is_pair n (fst (fst (fst p))) (snd (fst (fst p))) /\
    exists k, link_of n (snd (fst p)) = Some k.
Proof.
  intros Hn Ev Hu. unfold is_admissible, prices_of. rewrite Ev. cbn [net look link_table]. rewrite find_link.
  destruct (link_of n (against_link x)) as [k|] eqn:Ek; [|discriminate].
  rewrite !andb_true_iff. intros [[[_ Hw] Ht] Hq]. apply Qle_bool_iff in Hw.
  destruct (check_demands_sound _ _ Ht) as (T & _ & _). pose proof (capacity_positive _ _ _ Hn Ek) as Hk.
  set (t := against_demands x) in *. set (l := against_link x) in *. split.
  - transitivity (weight x * load r t l k).
    + apply Qle_lteq. right. rewrite sum_map. transitivity (weight x / capacity k * carried r t l).
      * unfold carried. rewrite <- sum_times. apply sum_ext. intros y _. unfold share_at. simpl.
        rewrite (Qred_correct (weight x * amount y / capacity k)). field. lra.
      * unfold load. field. lra.
    + apply Qmult_le_left; [exact Hw|]. pose proof (bounded_values n r q u l Hu k t Ek) as B. destruct q.
      * destruct (against_flow x); [|discriminate]. apply andb_true_iff in Hq as [_ Hq].
        apply check_flow_sound in Hq; [|exact Hn].
        transitivity (load r t l k / 1); [apply Qle_lteq; right; field|]. apply B; [exact T|].
        split; [reflexivity|]. exists (listed routed). exact Hq.
      * destruct (against_flow x); discriminate.
      * destruct (against_flow x); [discriminate|]. apply B. apply is_within_hose_sound; assumption.
  - intros p Hp. apply in_map_iff in Hp as (y & <- & Hy). simpl. split; [apply T, Hy|]. exists k. exact Ek.
Qed.

(** * The bound *)

Section Least.
Variables (n : network) (a : among) (q : quantity) (u : Q).
Hypothesis Hn : is_network n.

Notation h := (N.to_nat (hosts n)).
Notation k := (length (links n)).

Definition is_good_routing (r : routing) : Prop := is_among n a r /\ is_bound n r q u.

Definition is_good (w : act) : Prop :=
  keeps h k w /\ (forall s d, is_pair n s d -> is_pair n (fst w s) (fst w d)) /\
  forall r, is_good_routing r -> exists r', is_good_routing r' /\
    forall s d l, is_pair n s d -> share (r' s d) l == share (r (fst w s) (fst w d)) (snd w l).

Lemma gen_keeps f b fl bl : is_automorphism n f b fl bl -> keeps h k (f, fl).
Proof.
  intros H. split; simpl.
  - intros s Hs. rewrite N2Nat.id in *. apply (host_kept _ _ _ _ _ H), Hs.
  - intros l Hl. rewrite <- count_length in *. apply link_exists in Hl as [k' E].
    destruct (link_kept _ _ _ _ _ H _ _ E) as (k'' & E' & _). apply link_exists. eauto.
Qed.

Lemma gen_onto f b fl bl : is_automorphism n f b fl bl -> is_onto h k (f, fl).
Proof.
  intros H. destruct (gen_keeps b f bl fl (back_automorphism _ _ _ _ _ H)) as [K1 K2]. simpl in K1, K2. split; simpl.
  - intros s Hs. exists (b s). split; [apply K1, Hs|apply (node_back _ _ _ _ _ H)].
  - intros l Hl. exists (bl l). split; [apply K2, Hl|apply (link_back _ _ _ _ _ H)].
Qed.

Lemma good_after_gen f b fl bl w :
  is_automorphism n f b fl bl ->
  (forall paths, a = Listed paths -> forall s d p, In (s, d, p) paths -> In (b s, b d, map bl p) paths) ->
  is_good w -> is_good (after (f, fl) w).
Proof.
  intros H Hl (K & P & G). destruct (gen_keeps _ _ _ _ H) as [K1 K2], K as [K3 K4]. split; [|split].
  - split; simpl; intros; [apply K3, K1|apply K4, K2]; assumption.
  - intros s d Hp. simpl. apply P. eapply pair_kept; eassumption.
  - intros r Hr. destruct (G r Hr) as (r1 & [A1 B1] & E1). exists (back_routing f bl r1). split.
    + split; [eapply back_among; eassumption|eapply back_bound; eassumption].
    + intros s d l Hp. simpl. rewrite <- (back_follows n f b fl bl H r1 s d l Hp).
      apply E1. eapply pair_kept; eassumption.
Qed.

Lemma good_start : is_good (fun x => x, fun l => l).
Proof.
  split; [split; simpl; auto|]. split; [auto|]. intros r Hr. exists r. split; [exact Hr|]. reflexivity.
Qed.
End Least.

Lemma is_kept_sound paths g :
  are_kept (by_source_of (Listed paths)) g paths = true -> forall s d p, In (s, d, p) paths ->
  In (image (nodes_back g) s, image (nodes_back g) d, map (image (links_back g)) p) paths.
Proof.
  unfold are_kept. rewrite forallb_forall. intros H s d p Hin. apply is_listed_sound. exact (H _ Hin).
Qed.

Definition action (g : mover) : act := (image (nodes_on g), image (links_on g)).

Lemma prices_bound n v gs q a lower r u xs ps :
  is_network n -> v = look n (known v) -> (forall g, In g gs -> is_moved n g) -> (a = Shortest -> has_shortest n) ->
  check_among v gs a = true -> forallb (is_admissible v (leaving_table n) (entering_table n) q) xs = true ->
  means gs (List.concat (map (fun x => prices_of v (fst x)) xs)) = Some ps -> forallb (check_place n) ps = true ->
  lower <= paid n a ps -> is_among n a r -> is_bound n r q u ->
  lower <= u * sum (fun x => weight (fst x)) xs.
Proof.
  intros Hn Ev Hgs Hshort Hamong Hxs Hmeans Hplaces Hlower Hr Hu. rewrite forallb_forall in Hxs, Hplaces.
  set (ps0 := List.concat (map (fun x => prices_of v (fst x)) xs)) in *.
  assert (Hps0 : forall p, In p ps0 -> is_pair n (fst (fst (fst p))) (snd (fst (fst p))) /\
    exists k, link_of n (snd (fst p)) = Some k).
  { intros p Hp. unfold ps0 in Hp. apply in_concat in Hp as (l & Hl & Hp).
    apply in_map_iff in Hl as ([x routed] & <- & Hin).
    exact (proj2 (admissible_bound n v q r u x routed Hn Ev Hu (Hxs _ Hin)) p Hp). }
  eapply Qle_trans; [exact Hlower|].
  apply (average (N.to_nat (hosts n)) (length (links n)) (map action gs) (is_good n a q u)
    (good_start n a q u)) with (F := share_at r) (ps := ps0) (ps' := ps).
  - intros g w Hg Hw. apply in_map_iff in Hg as (g' & <- & Hg). eapply good_after_gen; [exact (Hgs _ Hg)| |exact Hw].
    intros paths -> s d p Hin. unfold check_among in Hamong. apply andb_true_iff in Hamong as [_ Hk].
    unfold all_kept in Hk. rewrite forallb_forall in Hk. apply (is_kept_sound paths g' (Hk g' Hg) s d p Hin).
  - intros w Hw. apply Hw.
  - intros g Hg. apply in_map_iff in Hg as (g' & <- & Hg). eapply gen_onto, (Hgs _ Hg).
  - intros A HA. eapply means_sum; try eassumption.
    + intros g Hg. apply in_map_iff. exists g. auto.
    + intros g Hg. apply in_map_iff in Hg as (g' & <- & Hg). eapply gen_keeps, (Hgs _ Hg).
    + intros p Hp. destruct (Hps0 p Hp) as ((Hs & Hd & _) & Hk). split; [|split].
      * rewrite N2Nat.id. exact Hs.
      * rewrite N2Nat.id. exact Hd.
      * rewrite <- count_length. apply link_exists, Hk.
  - intros w (_ & _ & G). destruct (G r (conj Hr Hu)) as (r' & [_ Hb'] & E).
    transitivity (sum (fun p => snd p * share_at r' (fst p)) ps0).
    + apply Qle_lteq. right. apply sum_ext. intros p Hp. destruct (Hps0 p Hp) as [Hpair _]. unfold share_at, take_by.
      simpl. rewrite (E _ _ _ Hpair). reflexivity.
    + unfold ps0. rewrite sum_concat, sum_map, <- sum_times. apply sum_le. intros [x routed] Hin. simpl fst.
      rewrite Qmult_comm. exact (proj1 (admissible_bound n v q r' u x routed Hn Ev Hb' (Hxs _ Hin))).
  - intros w (_ & _ & G). destruct (G r (conj Hr Hu)) as (r' & [Ha' _] & E).
    eapply Qle_trans; [apply (paid_sound n a Hshort r' ps Ha' Hplaces)|].
    apply Qle_lteq. right. apply sum_ext. intros p Hp. destruct (check_place_sound n p (Hplaces p Hp)) as [Hpair _].
    unfold share_at, take_by. simpl. rewrite (E _ _ _ Hpair). reflexivity.
Qed.

Lemma check_least_sound n r gs q a lower upper xs :
  is_network n -> is_routing n (stands_for n r) -> is_bound n (stands_for n r) q upper ->
  (forall g, In g gs -> is_moved n g) -> check_least (look n (know r)) gs q a lower upper xs = true ->
  infimum_within (possible_bounds q n (Over a)) lower upper.
Proof.
  intros Hn Hr Hupper Hgs. unfold check_least. cbn [net look]. rewrite !andb_true_iff.
  intros [[[[_ Hle] Hamong] Htaken] H]. apply Qle_bool_iff in Hle.
  destruct (check_taken_sound n r a Htaken Hr) as [Ha Hshort]. split.
  2:{ exists upper. split; [|apply Qle_refl]. exists (stands_for n r). split; [exact Ha|exact Hupper]. }
  intros u (r' & Hr' & Hu).
  assert (G : forallb (is_admissible (look n (know r)) (leaving_table n) (entering_table n) q) xs &&
    (is_positive (sumr (fun x => weight (fst x)) xs) || Qle_bool lower 0) &&
    match means gs (List.concat (map (fun x => prices_of (look n (know r)) (fst x)) xs)) with
    | Some ps => forallb (check_place n) ps && Qle_bool (lower * sumr (fun x => weight (fst x)) xs) (paid n a ps)
    | None => false
    end = true -> lower <= u).
  { clear H. rewrite !andb_true_iff. intros [[H1 H2] H3].
    apply orb_true_iff in H2 as [H2|H2].
    2:{ apply Qle_bool_iff in H2. pose proof (bound_nonneg n r' Hn (proj1 Hr') q u Hu). lra. }
    apply is_positive_sound in H2. rewrite sumr_sum in H2.
    destruct (means gs _) as [ps|] eqn:Em; [|discriminate]. apply andb_true_iff in H3 as [H3 H4].
    apply Qle_bool_iff in H4. rewrite sumr_sum in H4. apply (Qmult_le_r _ _ _ H2).
    eapply (prices_bound n (look n (know r)) gs q a _ r' u xs ps); try eassumption. reflexivity. }
  destruct q; try (apply G, H). destruct xs as [|x xs]; [|apply G, H].
  apply Qle_bool_iff in H. pose proof (ratio_one n r' Hn (proj1 Hr') u Hu). lra.
Qed.
