(** What the checker accepts holds. *)

From Coq Require Import QArith NArith List Bool Lia Lqa String.
From Verified Require Import Single Sums Duality Lookup Moves Covers Ends Best Refuted.
Import ListNotations.
Open Scope Q_scope.

(** * The lower side *)

Section Lower.
Variables (n : network) (r : routing_text) (t : list demand) (flow : list listing) (l : N) (k : link) (optu : Q).
Hypothesis Hn : is_network n.
Hypothesis Ht : is_traffic n t.
Hypothesis Ek : link_of n l = Some k.
Hypothesis Hflow : routes n (listed flow) t /\ loads_at_most n (listed flow) t optu.
Hypothesis Hoptu : 0 < optu.

Lemma is_permuted_sound : is_permuted t = true -> is_permutation n t.
Proof.
  unfold is_permuted. rewrite !andb_true_iff, forallb_forall. intros [[H1 H2] H3].
  split; [exact Ht|split; [apply distinct_sound, H1|split; [apply distinct_sound, H2|]]].
  intros x Hx. apply Qle_bool_iff, H3, Hx.
Qed.

Lemma lower_side q lower upper :
  check_lower n (leaving_table n) (entering_table n) t optu (carried_r (look n (know r)) t l) k (q, lower, upper)
    = true ->
  exists v, values_of q n (stands_for n r) v /\ lower <= v.
Proof.
  pose proof (capacity_positive _ _ _ Hn Ek) as Hk. unfold check_lower.
  set (on := carried_r (look n (know r)) t l). assert (Eon : on == carried (stands_for n r) t l)
    by apply carried_r_sound.
  destruct q; intros H.
  - apply Qle_bool_iff in H. exists (load (stands_for n r) t l k / optu). split.
    + exists t, optu, l, k. split; [exact Ht|]. split; [|split; [exact Ek|reflexivity]].
      split; [exact Hoptu|]. exists (listed flow). exact Hflow.
    + apply le_div; [exact Hoptu|]. apply le_div; [exact Hk|]. rewrite <- Eon. exact H.
  - apply andb_true_iff in H as [H1 H]. apply Qle_bool_iff in H. exists (load (stands_for n r) t l k). split.
    + exists t, l, k. split; [apply is_permuted_sound, H1|]. split; [exact Ek|reflexivity].
    + apply le_div; [exact Hk|]. rewrite <- Eon. exact H.
  - apply andb_true_iff in H as [H1 H]. apply Qle_bool_iff in H. exists (load (stands_for n r) t l k). split.
    + exists t, l, k. split; [apply is_within_hose_sound; assumption|]. split; [exact Ek|reflexivity].
    + apply le_div; [exact Hk|]. rewrite <- Eon. exact H.
Qed.
End Lower.

(** * The upper side *)

Lemma check_worst_sound n r bounds p routed :
  check_worst n r bounds p routed = true ->
  is_network n /\ is_routing n (stands_for n r) /\
  (forall q lower upper, In (q, lower, upper) bounds -> supremum_within (values_of q n (stands_for n r)) lower upper) /\
  forall g, In g (map mover_of (automorphisms p)) -> is_moved n g.
Proof.
  unfold check_worst. destruct (witness p) as [l optu] eqn:Ew.
  rewrite !andb_true_iff. intros H.
  repeat match goal with H : _ /\ _ |- _ => destruct H end.
  assert (Hn : is_network n) by (apply check_network_sound; assumption).
  assert (Hr : is_routing n (stands_for n r)).
  { match goal with H : _ || _ = true |- _ => apply orb_true_iff in H as [H|H] end;
      [|apply check_routing_sound; assumption]. eapply followed_routing; try eassumption.
    match goal with H : forallb (check_cover _ _ _) (covers p) = true |- _ => rewrite forallb_forall in H;
      rename H into Hc end.
    intros c Hin. eapply check_cover_sound, Hc, Hin. }
  assert (Ht : is_traffic n (demands p)) by (eapply check_demands_sound; eassumption).
  match goal with H : forallb (check_mover _) _ = true |- _ => rewrite forallb_forall in H; rename H into Hm end.
  assert (Hmoved : forall g, In g (map mover_of (automorphisms p)) -> is_moved n g).
  { intros g Hin. pose proof (Hm g Hin) as Hg. apply in_map_iff in Hin as (m & <- & _). eapply check_mover_sound, Hg. }
  split; [exact Hn|]. split; [exact Hr|]. split; [|exact Hmoved]. intros q lower upper Hb. split.
  - match goal with H : match get _ l with _ => _ end = true |- _ => rename H into Hw end.
    simpl link_table in Hw. rewrite find_link in Hw. destruct (link_of n l) as [k|] eqn:Ek; [|discriminate].
    rewrite forallb_forall in Hw. specialize (Hw _ Hb).
    eapply (lower_side n r (demands p) routed l k optu); try eassumption.
    + apply check_flow_sound; assumption.
    + apply is_positive_sound; assumption.
  - match goal with H : forallb (check_cover _ _ _) (covers p) = true |- _ => rewrite forallb_forall in H;
    rename H into Hc end.
    match goal with H : check_respect _ _ = true |- _ => rename H into Hg end.
    match goal with H : check_upper _ _ _ _ _ _ _ = true |- _ => rename H into Hu end.
    set (movers := map mover_of (automorphisms p)) in *.
    set (free := free_links n movers (map cover_link (covers p))) in *.
    assert (B : forall l, get free l = None \/ In l (map cover_link (covers p)) ->
      bounded n (stands_for n r) q upper l).
    { intros i Hi k t Ek. refine (check_upper_sound n r _ free p bounds Hn Hr _ Hu q lower upper Hb i k Ek Hi k t Ek).
      intros c Hin. eapply check_cover_sound, Hc, Hin. }
    apply upper_from_links. intros i k _. destruct (get free i) eqn:E; [|apply B; left; exact E].
    apply (free_links_all (bounded n (stands_for n r) q upper) n movers (map cover_link (covers p))).
    + intros g j Hin Hj. pose proof (Hmoved g Hin) as M. eapply bounded_back; [exact M|eapply check_respect_sound;
      eassumption|].
      rewrite (link_back _ _ _ _ _ M). exact Hj.
    + intros j Hj. apply B. right. exact Hj.
    + fold free. congruence.
Qed.

Lemma check_best_sound n r bounds p routed q a lower upper xs :
  check_worst n r bounds p routed = true -> check_best n r bounds p q a lower upper xs = true ->
  infimum_within (possible_bounds q n (Over a)) lower upper.
Proof.
  intros H. apply check_worst_sound in H as (Hn & Hr & Hb & Hm). intros H. apply andb_true_iff in H as [H1 H2].
  pose proof (claimed_upper n r bounds q upper Hb H1) as Hu. eapply check_least_sound; eassumption.
Qed.

(** * The optimal load of given traffic *)

(** Whatever is added up source by source is added up once. *)
Lemma by_source n (g : demand -> Q) t :
  is_traffic n t -> sum (fun s => sum g (filter (fun x => (src x =? s)%N) t)) (host_list n) == sum g t.
Proof.
  intros Ht. transitivity (sum (fun s => sum (fun x => only (src x =? s)%N (g x)) t) (host_list n)).
  { apply sum_ext. intros s _. apply sum_filter. }
  rewrite sum_swap. apply sum_ext. intros x Hx. destruct (Ht x Hx) as [(Hs & _) _].
  transitivity (g x * passes (src x) (host_list n)).
  - unfold passes. rewrite <- sum_times. apply sum_ext. intros s _. rewrite (N.eqb_sym s).
    destruct (src x =? s)%N; simpl; ring.
  - rewrite passes_once; [ring|apply host_list_distinct|apply in_host_list, Hs].
Qed.

Lemma check_optu_sound n t lower upper p routed : check_optu n t lower upper p routed = true ->
  hold n (Optu t lower upper).
Proof.
  unfold check_optu. rewrite !andb_true_iff. intros H.
  repeat match goal with H : _ /\ _ |- _ => destruct H end.
  assert (Hn : is_network n) by (apply check_network_sound; assumption).
  assert (Ht : is_traffic n t) by (eapply check_demands_sound; eassumption).
  assert (Hf : routes n (listed routed) t /\ loads_at_most n (listed routed) t upper) by (apply check_flow_sound;
    assumption).
  split; [exact Hn|]. split; [exact Ht|]. split.
  2:{ exists upper. split; [|apply Qle_refl]. split; [apply is_positive_sound; assumption|].
      exists (listed routed). exact Hf. }
  intros m (_ & best & Hb & Hl).
  match goal with H : Qle_bool (lower * _) _ = true |- _ => apply Qle_bool_iff in H; rewrite !sumr_sum in H;
    rename H into Hw end.
  match goal with H : forallb _ (link_lengths p) = true |- _ => rewrite forallb_forall in H; rename H into Hlen end.
  match goal with H : forallb _ (ways _ _ _) = true |- _ => rewrite forallb_forall in H; rename H into Hd end.
  match goal with H : is_positive (sumr _ _) = true |- _ => apply is_positive_sound in H; rewrite sumr_sum in H;
    rename H into Hpos end.
  set (len := tally (link_lengths p)) in *. fold (link_list n) in *.
  set (far := fun x : demand => amount_at (reach n len (link_list n) (src x)) (dst x)).
  assert (Hway : sum (fun x => amount x * far x) t <=
    m * sum (fun lk => amount_at len (fst lk) * capacity (snd lk)) (link_list n)).
  { eapply duality; try eassumption.
    - intros l _ _. unfold len. rewrite amount_tally. apply sum_nonneg. intros y Hy. apply only_nonneg.
      specialize (Hlen _ Hy). apply andb_true_iff in Hlen as [_ Hlen]. apply Qle_bool_iff, Hlen.
    - intros x q Hx Hj. destruct (Ht x Hx) as [(Hs & _) _].
      assert (Hin : In x (those (index src t) (src x))).
      { rewrite those_index. apply filter_In. split; [exact Hx|apply N.eqb_refl]. }
      assert (Hmine : In (src x, reach n len (link_list n) (src x), those (index src t) (src x)) (ways n len t)).
      { unfold ways. apply in_map_iff. exists (src x). split; [|apply in_host_list, Hs].
        destruct (those (index src t) (src x)); [contradiction|reflexivity]. }
      specialize (Hd _ Hmine). simpl in Hd. destruct (those (index src t) (src x)); [contradiction|].
      destruct (distance_sound n _ _ _ Hd _ _ Hj) as (a & Ea & Ha). unfold far, amount_at at 1. rewrite Ea. exact Ha. }
  assert (E : sum (fun x => sumr (fun y => amount y * amount_at (snd (fst x)) (dst y)) (snd x)) (ways n len t) ==
    sum (fun x => amount x * far x) t).
  { unfold ways. rewrite sum_map. rewrite <- (by_source n _ t Ht). apply sum_ext. intros s _. simpl fst. simpl snd.
    rewrite sumr_sum, those_index. fold (link_list n).
    destruct (filter (fun a => (src a =? s)%N) t) as [|z zs] eqn:Ez; [reflexivity|]. rewrite <- Ez.
    apply sum_ext. intros y Hy. apply filter_In in Hy as [_ Hy]. apply N.eqb_eq in Hy. unfold far. rewrite Hy.
    reflexivity. }
  rewrite E in Hw. apply (Qmult_le_r _ _ _ Hpos). eapply Qle_trans; [exact Hw|exact Hway].
Qed.

(** * The theorem *)

(** If the checker accepts a text, then this is what the text states, and it holds. *)
Theorem check_sound (bytes : string) (c : statement) :
  check bytes = Ok c -> read bytes = Ok c /\ hold (about c) (claimed c).
Proof.
  unfold check, read. destruct (body bytes) as [t| | |]; try discriminate. simpl.
  destruct (existsb is_unknown t); [discriminate|]. destruct (states t) as [c'| | |]; try discriminate. simpl.
  destruct (read_evidence (claimed c') t) as [p| | |]; try discriminate. simpl.
  destruct (within_limits c' p); try discriminate. simpl.
  destruct (check_certificate c' p t) as [[]| | |] eqn:E; try discriminate. simpl. intros H. injection H as ->.
  split; [reflexivity|]. unfold check_certificate in E.
  destruct (check_network (about c) && check_demands (about c) (demands p)); [|discriminate]. simpl in E.
  destruct (flow_of (about c) (demands p) (flow p)) as [routed| | |]; try discriminate.
  simpl in E. destruct (claimed c) as [r bounds best|t' lower upper].
  - destruct (check_worst (about c) r bounds p routed) eqn:Ec; [|discriminate]. simpl in E.
    destruct (check_worst_sound _ _ _ _ _ Ec) as (Hn & Hr & Hb & _). split; [exact Hn|]. split; [exact Hr|].
    split; [exact Hb|]. intros q o lower upper ->. destruct o as [o|].
    + destruct (each (route_against (about c)) (traffic_against p)) as [xs| | |]; try discriminate. simpl in E.
      destruct (check_best (about c) r bounds p q o lower upper xs) eqn:Eb; [|discriminate].
      eapply check_best_sound; eassumption.
    + eapply check_single_path_sound; eassumption.
  - destruct (check_optu (about c) t' lower upper p routed) eqn:Ec; [|discriminate]. eapply check_optu_sound, Ec.
Qed.

Print Assumptions check_sound.
