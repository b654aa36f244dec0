(** Covers that the checker accepts bound the load of their links. *)

From Coq Require Import QArith NArith List Bool Lia Lqa.
From Verified Require Import Check Sums Duality Lookup Moves.
Import ListNotations.
Open Scope Q_scope.

(** * Weights *)

Definition are_nonneg (w : list weighted) : Prop := forall y, In y w -> 0 <= snd y.
Definition are_below (w : list weighted) (n : N) : Prop := forall y, In y w -> (fst y < n)%N.

Record is_sound (n : network) (c : cover) : Prop := {
  nonneg_sources : are_nonneg (on_sources c);
  nonneg_destinations : are_nonneg (on_destinations c);
  nonneg_out : are_nonneg (out_of_cuts c);
  nonneg_into : are_nonneg (into_cuts c);
  nonneg_lengths : are_nonneg (lengths c);
  sources_exist : are_below (on_sources c) (hosts n);
  destinations_exist : are_below (on_destinations c) (hosts n) }.

Lemma are_within_sound w n : are_within w n = true -> are_nonneg w /\ are_below w n.
Proof.
  unfold are_within. rewrite forallb_forall. intros H.
  split; intros y Hy; specialize (H y Hy); apply andb_true_iff in H as [H1 H2].
  - apply Qle_bool_iff, H2.
  - apply N.ltb_lt, H1.
Qed.

Lemma check_cover_sound n a b c : check_cover n a b c = true -> is_sound n c.
Proof.
  unfold check_cover, are_weights. rewrite !andb_true_iff.
  intros [[[[[_ [H1 _]] [H2 _]] [H3 _]] [H4 _]] [H5 _]]. apply are_within_sound in H1, H2, H3, H4, H5. split; tauto.
Qed.

Definition are_sound (n : network) (m : shields) : Prop :=
  forall l x, get m l = Some x -> exists c, x = shield_of c /\ is_sound n c.

Lemma raise_shields_sound n cs : (forall c, In c cs -> is_sound n c) -> are_sound n (raise_shields cs).
Proof.
  unfold raise_shields. intros H.
  assert (G : forall m, are_sound n m ->
    are_sound n (fold_left (fun m c => put (cover_link c) (shield_of c) m) cs m)).
  { induction cs as [|c cs IH]; intros m Hm; [exact Hm|]. simpl. apply IH.
    - intros; apply H; right; assumption.
    - intros l x E. rewrite get_put in E. destruct (cover_link c =? l)%N; [|eauto].
      injection E as <-. exists c. split; [reflexivity|]. apply H. left. reflexivity. }
  apply G. intros l x E. rewrite get_none in E. discriminate.
Qed.

Lemma raise_shields_some cs l : In l (map cover_link cs) -> get (raise_shields cs) l <> None.
Proof.
  unfold raise_shields.
  assert (G : forall cs m, get m l <> None \/ In l (map cover_link cs) ->
    get (fold_left (fun m c => put (cover_link c) (shield_of c) m) cs m) l <> None).
  { clear cs. induction cs as [|c cs IH]; intros m; [intros [H|[]]; exact H|]. simpl. intros H. apply IH.
    rewrite get_put. destruct (N.eqb_spec (cover_link c) l); [left; discriminate|]. intuition congruence. }
  intros H. apply G. right. exact H.
Qed.

Lemma weights_nonneg (w : list weighted) p : are_nonneg w -> 0 <= sum (fun y : weighted => only (p y) (snd y)) w.
Proof. intros H. apply sum_nonneg. intros y Hy. apply only_nonneg, H, Hy. Qed.

Section Covers.
Variables (n : network) (r : routing_text) (cuts : table (list (N * N))) (free : N -> bool).
Hypothesis Hn : is_network n.
Hypothesis Hr : is_routing n (stands_for n r).

Notation R := (stands_for n r).
Notation v := (look n (know r)).

Definition len_of (c : cover) : N -> Q := amount_at (tally (lengths c)).

Lemma cut_weight_nonneg c s d : is_sound n c -> 0 <= cut_weight cuts c s d.
Proof.
  intros [_ _ H1 H2 _ _ _]. unfold cut_weight. rewrite !sumr_sum.
  assert (0 <= sum (fun x => only (goes_out (members cuts (fst x)) s d) (snd x)) (out_of_cuts c))
    by (apply weights_nonneg, H1).
  assert (0 <= sum (fun x => only (goes_out (outside (members cuts (fst x))) s d) (snd x)) (into_cuts c))
    by (apply weights_nonneg, H2).
  lra.
Qed.

Lemma weight_nonneg (w : list weighted) h : are_nonneg w -> 0 <= weight_at (index fst w) h.
Proof. intros H. rewrite weight_at_index. apply weights_nonneg, H. Qed.

Lemma len_nonneg c l : is_sound n c -> 0 <= len_of c l.
Proof. intros [_ _ _ _ H _ _]. unfold len_of. rewrite amount_tally. apply weights_nonneg, H. Qed.

Lemma guard_nonneg c s d : is_sound n c -> 0 <= guard cuts (shield_of c) s d.
Proof.
  intros H. unfold guard. simpl.
  pose proof (weight_nonneg (on_sources c) s (nonneg_sources _ _ H)).
  pose proof (weight_nonneg (on_destinations c) d (nonneg_destinations _ _ H)).
  pose proof (cut_weight_nonneg c s d H). lra.
Qed.

Lemma is_guarded_sound c s d x :
  is_sound n c -> is_guarded cuts (shield_of c) s d x = true -> x <= guard cuts (shield_of c) s d.
Proof.
  intros H E. unfold guard, is_guarded in *. simpl in *.
  pose proof (weight_nonneg (on_sources c) s (nonneg_sources _ _ H)).
  pose proof (weight_nonneg (on_destinations c) d (nonneg_destinations _ _ H)).
  pose proof (cut_weight_nonneg c s d H).
  apply orb_true_iff in E as [E|E]; [apply Qle_bool_iff in E; lra|].
  apply orb_true_iff in E as [E|E]; [apply Qle_bool_iff in E; lra|].
  assert (E' : Qle_bool x (weight_at (index fst (on_sources c)) s + weight_at (index fst (on_destinations c)) d +
    cut_weight cuts c s d) = true) by (destruct (out_of_cuts c), (into_cuts c); try discriminate; exact E).
  apply Qle_bool_iff, E'.
Qed.

(** * Distances *)

Lemma distance_sound len s far :
  is_distance len (link_list n) s far = true ->
  forall d p, joins (link_of n) s d p = true -> exists a, get far d = Some a /\ a <= sum (amount_at len) p.
Proof.
  unfold is_distance. rewrite !andb_true_iff, forallb_forall. intros [[H1 H2] H3] d p Hj.
  assert (G : forall p u a, get far u = Some a -> joins (link_of n) u d p = true ->
    exists b, get far d = Some b /\ b <= a + sum (amount_at len) p).
  { clear p Hj. induction p as [|l p IH]; intros u a E Hj; simpl in Hj.
    - apply N.eqb_eq in Hj. subst. exists a. split; [exact E|]. change (sum (amount_at len) []) with 0. lra.
    - destruct (link_of n l) as [k|] eqn:El; [|discriminate]. apply andb_true_iff in Hj as [Hf Hj].
      apply N.eqb_eq in Hf. specialize (H3 (l, k) (proj2 (in_link_list n l k) El)). simpl in H3.
      rewrite Hf, E in H3. destruct (get far (to k)) as [b|] eqn:Eb; [|discriminate].
      apply Qle_bool_iff in H3. destruct (IH _ _ Eb Hj) as (e & Ee & He). exists e. split; [exact Ee|].
      rewrite sum_cons. lra. }
  destruct (get far s) as [a|] eqn:E; [|discriminate]. apply Qeq_bool_iff in H1.
  unfold amount_at in H1. rewrite E in H1. destruct (G p s a E Hj) as (b & Eb & Hb).
  exists b. split; [exact Eb|]. lra.
Qed.

(** * Every pair is covered on every link *)

Definition guard_in (m : shields) (l s d : N) : Q :=
  match get m l with Some c => guard cuts c s d | None => 0 end.
Definition length_in (m : shields) (l : N) (p : list N) : Q :=
  match get m l with Some c => sum (len_of (cover_of c)) p | None => 0 end.

(** Links without a cover may need none. *)
Definition is_judged (m : shields) (l : N) : Prop := get m l = None -> free l = false.

Definition covers_all (m : shields) : Prop :=
  forall s d l p, is_judged m l -> is_pair n s d -> joins (link_of n) s d p = true ->
  share (R s d) l <= guard_in m l s d + length_in m l p.

Lemma guard_in_nonneg m l s d : are_sound n m -> 0 <= guard_in m l s d.
Proof.
  intros H. unfold guard_in. destruct (get m l) as [x|] eqn:E; [|lra].
  destruct (H _ _ E) as (c & -> & Hc). apply guard_nonneg, Hc.
Qed.

Lemma length_in_nonneg m l p : are_sound n m -> 0 <= length_in m l p.
Proof.
  intros H. unfold length_in. destruct (get m l) as [x|] eqn:E; [|lra].
  destruct (H _ _ E) as (c & -> & Hc). apply sum_nonneg. intros y _. apply len_nonneg, Hc.
Qed.

Lemma settle_sound m s ws l d x p :
  settle v cuts m s ws l = true -> In (l, d, x) ws -> joins (link_of n) s d p = true ->
  x <= guard_in m l s d + length_in m l p.
Proof.
  unfold settle. intros H Hin Hj.
  assert (Hmine : In (l, d, x) (filter (fun w => (fst (fst w) =? l)%N) ws)).
  { apply filter_In. split; [exact Hin|]. simpl. apply N.eqb_refl. }
  unfold guard_in, length_in.
  destruct (filter (fun w => (fst (fst w) =? l)%N) ws) as [|w mine]; [contradiction|].
  destruct (get m l) as [c|]; [|discriminate].
  simpl net in H. fold (link_list n) in H.
  apply andb_true_iff in H as [H1 H2]. rewrite forallb_forall in H2. specialize (H2 _ Hmine).
  simpl fst in H2. simpl snd in H2.
  destruct (distance_sound _ _ _ H1 d p Hj) as (a & Ea & Ha). unfold len_of.
  rewrite Ea in H2. apply Qle_bool_iff in H2. lra.
Qed.

Lemma is_open_sound m s d l x : are_sound n m -> is_judged m l -> is_open cuts free m s d (l, x) = true ->
  x <= guard_in m l s d.
Proof.
  intros Hm Hfree H. unfold is_open in H. simpl in H. unfold guard_in. destruct (get m l) as [c|] eqn:E.
  - destruct (Hm _ _ E) as (c' & -> & Hc). apply is_guarded_sound in H; assumption.
  - rewrite (Hfree E) in H. apply Qle_bool_iff, H.
Qed.

Lemma check_covers_sound m long : are_sound n m -> check_covers v cuts free m long = true -> covers_all m.
Proof.
  intros Hm H s d l p Hfree Hp Hj. unfold check_covers in H. cbn [net look] in H.
  pose proof (guard_in_nonneg m l s d Hm) as Hg. pose proof (length_in_nonneg m l p Hm) as Hl.
  assert (H' : forallb (check_destination v cuts free m (host_list n)) (host_list n) = true \/
    forallb (check_source v cuts free m long) (host_list n) = true) by (destruct long; auto). clear H.
  assert (Hp' := Hp). destruct Hp' as (Hs & Hd & Hne). destruct H' as [H|H]; rewrite forallb_forall in H.
  - specialize (H d (in_host_list _ _ Hd)). unfold check_destination in H.
    destruct (arriving _ _ d) as [[pairs all]|] eqn:Ea; [|discriminate].
    destruct (arriving_sound _ _ _ _ _ Ea s Hp) as (us & Hus & _ & T).
    rewrite forallb_forall in H. specialize (H _ Hus). simpl fst in H. simpl snd in H. rewrite forallb_forall in H.
    destruct (T l) as [(x & Hx & Ex)|E]; [|lra]. rewrite Ex. specialize (H _ Hx).
    apply is_open_sound in H; [lra|exact Hm|exact Hfree].
  - specialize (H s (in_host_list _ _ Hs)). unfold check_source in H.
    destruct (uses_sound (R s d) l) as [(x & Hx & Ex)|E]; [|lra]. rewrite Ex.
    destruct (is_open cuts free m s d (l, x)) eqn:Et; [apply is_open_sound in Et; [lra|exact Hm|exact Hfree]|].
    assert (Hw : In (l, d, x) (List.concat (map (wait v cuts free m s) (host_list n)))).
    { apply in_concat. exists (wait v cuts free m s d). split; [apply in_map, in_host_list, Hd|].
      unfold wait. destruct (N.eqb_spec s d); [contradiction|]. apply in_map_iff. exists (l, x).
      split; [reflexivity|]. apply filter_In. split; [rewrite lookup_stands; exact Hx|rewrite Et; reflexivity]. }
    cbn [net look] in H.
    destruct (List.concat (map (wait v cuts free m s) (host_list n))) as [|w ws] eqn:Ews; [contradiction|].
    apply andb_true_iff in H as [H1 H2]. rewrite forallb_forall in H1, H2.
    specialize (H1 _ Hw). apply existsb_exists in H1 as (l' & Hl' & E'). simpl in E'. apply N.eqb_eq in E'. subst l'.
    eapply settle_sound; eauto.
Qed.

(** * What covers let through *)

Lemma guard_sums c s d :
  guard cuts (shield_of c) s d ==
  sum (fun y => only (fst y =? s)%N (snd y)) (on_sources c) +
  sum (fun y => only (fst y =? d)%N (snd y)) (on_destinations c) +
  sum (fun y => only (goes_out (members cuts (fst y)) s d) (snd y)) (out_of_cuts c) +
  sum (fun y => only (goes_out (outside (members cuts (fst y))) s d) (snd y)) (into_cuts c).
Proof. unfold guard, cut_weight. simpl. rewrite !weight_at_index, !sumr_sum. ring. Qed.

Lemma sum_eqb_swap (f : demand -> N) h t :
  sum (fun x => only (h =? f x)%N (amount x)) t == sum (fun x => only (f x =? h)%N (amount x)) t.
Proof. apply sum_ext. intros x _. rewrite N.eqb_sym. reflexivity. Qed.

Lemma guard_bound c t send receive out_cost into_cost :
  is_sound n c ->
  (forall h, (h < hosts n)%N -> sent t h <= send h) ->
  (forall h, (h < hosts n)%N -> received t h <= receive h) ->
  (forall y, In y (out_of_cuts c) ->
    sum (fun x => only (goes_out (members cuts (fst y)) (src x) (dst x)) (amount x)) t <= out_cost (fst y)) ->
  (forall y, In y (into_cuts c) ->
    sum (fun x => only (goes_out (outside (members cuts (fst y))) (src x) (dst x)) (amount x)) t
      <= into_cost (fst y)) ->
  sum (fun x => amount x * guard cuts (shield_of c) (src x) (dst x)) t <=
  host_cost c send receive + sum (fun y => snd y * out_cost (fst y)) (out_of_cuts c) +
  sum (fun y => snd y * into_cost (fst y)) (into_cuts c).
Proof.
  intros Hc Hs Hd Ho Hi. unfold host_cost. rewrite !sumr_sum.
  pose proof (sum_weights_le (fun h (x : demand) => h =? src x)%N amount send (on_sources c) t
    (nonneg_sources _ _ Hc)) as A.
  pose proof (sum_weights_le (fun h (x : demand) => h =? dst x)%N amount receive (on_destinations c) t
    (nonneg_destinations _ _ Hc)) as B.
  pose proof (sum_weights_le (fun i (x : demand) => goes_out (members cuts i) (src x) (dst x)) amount out_cost
    (out_of_cuts c) t (nonneg_out _ _ Hc) Ho) as C.
  pose proof (sum_weights_le (fun i (x : demand) => goes_out (outside (members cuts i)) (src x) (dst x)) amount
    into_cost (into_cuts c) t (nonneg_into _ _ Hc) Hi) as D.
  specialize (A ltac:(intros y Hy; cbv beta; rewrite sum_eqb_swap; apply Hs, (sources_exist _ _ Hc), Hy)).
  specialize (B ltac:(intros y Hy; cbv beta; rewrite sum_eqb_swap; apply Hd, (destinations_exist _ _ Hc), Hy)).
  cbv beta in A, B, C, D.
  eapply Qle_trans; [|apply Qplus_le_compat; [apply Qplus_le_compat; [apply Qplus_le_compat;
    [exact A|exact B]|exact C]|exact D]].
  apply Qle_lteq. right. rewrite <- !sum_plus. apply sum_ext. intros x _. rewrite guard_sums. ring.
Qed.

Lemma leaving_sound h : amount_at (leaving_table n) h == leaving n h.
Proof. unfold leaving_table, leaving. rewrite amount_tally, sum_map. reflexivity. Qed.

Lemma entering_sound h : amount_at (entering_table n) h == entering n h.
Proof. unfold entering_table, entering. rewrite amount_tally, sum_map. reflexivity. Qed.

(** A pair has a path. *)
Lemma some_path s d : is_pair n s d -> exists p, joins (link_of n) s d p = true.
Proof.
  intros H. destruct (Hr s d H) as [H1 H2]. destruct (R s d) as [|[q p] ps].
  - discriminate H2.
  - exists p. apply (H1 q p). left. reflexivity.
Qed.

Lemma no_lengths c p : lengths c = [] -> sum (len_of c) p == 0.
Proof.
  intros E. unfold len_of. rewrite E. rewrite <- (sum_zero p). apply sum_ext. intros x _.
  unfold tally. simpl. rewrite amount_none. reflexivity.
Qed.

Lemma carried_none m t l :
  is_traffic n t -> covers_all m -> is_judged m l -> get m l = None -> carried R t l <= 0.
Proof.
  intros Ht Hm Hfree E. unfold carried. rewrite <- (sum_zero t). apply sum_le. intros x Hx.
  destruct (Ht x Hx) as [Hp Ha]. destruct (some_path _ _ Hp) as [p Hj].
  specialize (Hm _ _ l p Hfree Hp Hj). unfold guard_in, length_in in Hm. rewrite E in Hm.
  rewrite Qplus_0_r in Hm. setoid_replace 0 with (amount x * 0) by ring. apply Qmult_le_left; [exact Ha|exact Hm].
Qed.

Lemma carried_plain m t l c :
  is_traffic n t -> covers_all m -> get m l = Some (shield_of c) -> lengths c = [] ->
  carried R t l <= sum (fun x => amount x * guard cuts (shield_of c) (src x) (dst x)) t.
Proof.
  intros Ht Hm E El. apply sum_le. intros x Hx. destruct (Ht x Hx) as [Hp Ha].
  destruct (some_path _ _ Hp) as [p Hj]. specialize (Hm _ _ l p ltac:(unfold is_judged; congruence) Hp Hj).
  unfold guard_in, length_in in Hm. rewrite E in Hm. change (cover_of (shield_of c)) with c in Hm.
    rewrite (no_lengths c p El) in Hm.
  apply Qmult_le_left; [exact Ha|]. rewrite Qplus_0_r in Hm. exact Hm.
Qed.

Lemma plain_sound c : plain c = true -> out_of_cuts c = [] /\ into_cuts c = [] /\ lengths c = [].
Proof. unfold plain. destruct (out_of_cuts c), (into_cuts c), (lengths c); try discriminate. auto. Qed.

Lemma hosts_only_bound m t l k c send receive upper :
  is_traffic n t -> are_sound n m -> covers_all m -> get m l = Some (shield_of c) -> is_sound n c ->
  plain c = true -> link_of n l = Some k ->
  (forall h, (h < hosts n)%N -> sent t h <= send h) ->
  (forall h, (h < hosts n)%N -> received t h <= receive h) ->
  host_cost c send receive <= upper * capacity k -> load R t l k <= upper.
Proof.
  intros Ht Hs Hm E Hc Hp Ek H1 H2 H3. apply plain_sound in Hp as (Ho & Hi & Hl).
  apply div_le; [eapply capacity_positive; eassumption|].
  eapply Qle_trans; [eapply carried_plain; eassumption|].
  eapply Qle_trans; [|exact H3].
  eapply Qle_trans; [apply (guard_bound c t send receive (fun _ => 0) (fun _ => 0) Hc H1 H2)|].
  - rewrite Ho. contradiction.
  - rewrite Hi. contradiction.
  - rewrite Ho, Hi. unfold sum. simpl fold_right. rewrite !Qplus_0_r. apply Qle_refl.
Qed.

(** * A light cover bounds the load *)

Lemma is_light_in_none q upper m l k :
  get m l = None -> is_light_in n cuts (leaving_table n) (entering_table n) q upper m (l, k) = true -> 0 <= upper.
Proof. unfold is_light_in. simpl. intros ->. apply Qle_bool_iff. Qed.

Lemma light_some q upper m l k x :
  are_sound n m -> get m l = Some x ->
  is_light_in n cuts (leaving_table n) (entering_table n) q upper m (l, k) = true ->
  exists c, x = shield_of c /\ is_sound n c /\
    is_light n cuts (leaving_table n) (entering_table n) q upper k c = true.
Proof.
  intros Hs E. unfold is_light_in. simpl. rewrite E. destruct (Hs _ _ E) as (c & -> & Hc).
  intros H. exists c. auto.
Qed.

Lemma load_of_none m t l k upper :
  is_traffic n t -> covers_all m -> is_judged m l -> get m l = None -> link_of n l = Some k -> 0 <= upper ->
    load R t l k <= upper.
Proof.
  intros Ht Hm Hfree E Ek Hu. pose proof (capacity_positive _ _ _ Hn Ek). apply div_le; [assumption|].
  eapply Qle_trans; [eapply carried_none; eassumption|]. apply Qmult_le_0_compat; lra.
Qed.

Lemma permutation_upper m t l k upper :
  are_sound n m -> covers_all m -> is_judged m l -> link_of n l = Some k -> is_permutation n t ->
  is_light_in n cuts (leaving_table n) (entering_table n) PermutationLoad upper m (l, k) = true ->
  load R t l k <= upper.
Proof.
  intros Hs Hm Hfree Ek (Ht & Hsrc & Hdst & Hone) H. destruct (get m l) as [x|] eqn:E.
  - destruct (light_some _ _ _ _ _ _ Hs E H) as (c & -> & Hc & Hl). unfold is_light in Hl.
    apply andb_true_iff in Hl as [Hp Hl]. apply Qle_bool_iff in Hl.
    eapply hosts_only_bound; try eassumption; intros h _; cbv beta; apply sum_distinct; try assumption; lra.
  - apply is_light_in_none in H; [|exact E]. eapply load_of_none; eassumption.
Qed.

Lemma hose_upper m t l k upper :
  are_sound n m -> covers_all m -> is_judged m l -> link_of n l = Some k -> is_hose n t ->
  is_light_in n cuts (leaving_table n) (entering_table n) HoseLoad upper m (l, k) = true ->
  load R t l k <= upper.
Proof.
  intros Hs Hm Hfree Ek (Ht & Hh) H. destruct (get m l) as [x|] eqn:E.
  - destruct (light_some _ _ _ _ _ _ Hs E H) as (c & -> & Hc & Hl). unfold is_light in Hl.
    apply andb_true_iff in Hl as [Hp Hl]. apply Qle_bool_iff in Hl.
    eapply hosts_only_bound; try eassumption; intros h Hlt; cbv beta.
    + rewrite leaving_sound. apply Hh, Hlt.
    + rewrite entering_sound. apply Hh, Hlt.
  - apply is_light_in_none in H; [|exact E]. eapply load_of_none; eassumption.
Qed.

Lemma sum_scaled (w : list weighted) f m :
  sum (fun y => snd y * (m * f (fst y))) w == m * sum (fun y => snd y * f (fst y)) w.
Proof. rewrite <- sum_times. apply sum_ext. intros; ring. Qed.

Lemma ratio_cost c t best most :
  is_traffic n t -> routes n best t -> loads_at_most n best t most -> is_sound n c ->
  sum (fun x => amount x * guard cuts (shield_of c) (src x) (dst x)) t <=
  most * (host_cost c (amount_at (leaving_table n)) (amount_at (entering_table n)) + cut_cost n cuts c).
Proof.
  intros Ht Hb Hl Hc.
  eapply Qle_trans; [apply (guard_bound c t
    (fun h => most * amount_at (leaving_table n) h) (fun h => most * amount_at (entering_table n) h)
    (fun i => most * outward n (members cuts i)) (fun i => most * outward n (outside (members cuts i))) Hc)|].
  - intros h _. cbv beta. rewrite leaving_sound. eapply sent_bound; eassumption.
  - intros h _. cbv beta. rewrite entering_sound. eapply received_bound; eassumption.
  - intros y _. cbv beta. eapply out_bound; eassumption.
  - intros y _. cbv beta. eapply out_bound; eassumption.
  - apply Qle_lteq. right. unfold host_cost, cut_cost. rewrite !sumr_sum.
    rewrite (sum_scaled (on_sources c) (amount_at (leaving_table n))).
    rewrite (sum_scaled (on_destinations c) (amount_at (entering_table n))).
    rewrite (sum_scaled (out_of_cuts c) (fun i => outward n (members cuts i))).
    rewrite (sum_scaled (into_cuts c) (fun i => outward n (outside (members cuts i)))). ring.
Qed.

Lemma length_cost_sound c :
  length_cost n c == sum (fun lk => len_of c (fst lk) * capacity (snd lk)) (link_list n).
Proof.
  unfold length_cost. destruct (lengths c) as [|y w] eqn:E.
  - rewrite <- (sum_zero (link_list n)). apply sum_ext. intros lk _. unfold len_of. rewrite E.
    unfold tally. simpl. rewrite amount_none. ring.
  - rewrite sumr_sum. unfold len_of. rewrite E. reflexivity.
Qed.

Lemma ratio_upper m t l k upper most best :
  are_sound n m -> covers_all m -> is_judged m l -> link_of n l = Some k -> is_traffic n t ->
  0 < most -> routes n best t -> loads_at_most n best t most ->
  is_light_in n cuts (leaving_table n) (entering_table n) ObliviousRatio upper m (l, k) = true ->
  load R t l k / most <= upper.
Proof.
  intros Hs Hm Hfree Ek Ht H0 Hb Hl H. pose proof (capacity_positive _ _ _ Hn Ek) as Hk.
  apply div_le; [assumption|]. apply div_le; [assumption|]. destruct (get m l) as [x|] eqn:E.
  - destruct (light_some _ _ _ _ _ _ Hs E H) as (c & -> & Hc & Hlight). unfold is_light in Hlight.
    apply Qle_bool_iff in Hlight.
    transitivity (most * (host_cost c (amount_at (leaving_table n)) (amount_at (entering_table n)) +
      cut_cost n cuts c) + most * length_cost n c).
    + set (far := fun x => share (R (src x) (dst x)) l - guard cuts (shield_of c) (src x) (dst x)).
      transitivity (sum (fun x => amount x * guard cuts (shield_of c) (src x) (dst x)) t +
        sum (fun x => amount x * far x) t).
      * apply Qle_lteq. right. rewrite <- sum_plus. apply sum_ext. intros y _. unfold far. ring.
      * apply Qplus_le_compat; [eapply ratio_cost; eassumption|]. rewrite length_cost_sound.
        eapply duality; try eassumption.
        -- intros. apply len_nonneg, Hc.
        -- intros y p Hy Hj. destruct (Ht y Hy) as [Hp _]. specialize (Hm _ _ l p Hfree Hp Hj).
           unfold guard_in, length_in in Hm. rewrite E in Hm. change (cover_of (shield_of c)) with c in Hm.
             unfold far. lra.
    + setoid_replace (upper * most * capacity k) with (most * (upper * capacity k)) by ring.
      rewrite <- Qmult_plus_distr_r. apply Qmult_le_left; lra.
  - apply is_light_in_none in H; [|exact E]. eapply Qle_trans; [eapply carried_none; eassumption|].
    apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; lra.
Qed.

Lemma upper_side q upper m l k :
  are_sound n m -> covers_all m -> is_judged m l -> link_of n l = Some k ->
  is_light_in n cuts (leaving_table n) (entering_table n) q upper m (l, k) = true -> bounded n R q upper l.
Proof.
  intros Hs Hm Hfree Ek H k' t E. replace k' with k by congruence. destruct q; intros Ht.
  - intros most (H0 & best & Hb & Hl). eapply ratio_upper; eassumption.
  - eapply permutation_upper; eassumption.
  - eapply hose_upper; eassumption.
Qed.

End Covers.

Lemma is_within_hose_sound n t :
  is_traffic n t -> is_within_hose n (leaving_table n) (entering_table n) t = true -> is_hose n t.
Proof.
  intros Ht. unfold is_within_hose. rewrite forallb_forall. intros H. split; [exact Ht|]. intros h Hh.
  specialize (H h (in_host_list _ _ Hh)). apply andb_true_iff in H as [H1 H2].
  apply Qle_bool_iff in H1, H2. rewrite leaving_sound, amount_tally, sum_map in H1.
  rewrite entering_sound, amount_tally, sum_map in H2. split; assumption.
Qed.
