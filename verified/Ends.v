(** Links that are covered by their ends are loaded no more than is claimed, and so are all links. *)

From Coq Require Import QArith NArith List Bool Lia Lqa.
From Verified Require Import Check Sums Duality Lookup Moves Covers Crowds.
Import ListNotations.
Open Scope Q_scope.

(** What demands add up to by one of their hosts. *)
Lemma sum_by_host n (key : demand -> N) (f c : N -> Q) t :
  (forall x, In x t -> (key x < hosts n)%N /\ 0 <= amount x) -> (forall h, 0 <= f h) ->
  (forall h, (h < hosts n)%N -> sum (fun x => only (key x =? h)%N (amount x)) t <= c h) ->
  sum (fun x => amount x * f (key x)) t <= sum (fun h => f h * c h) (host_list n).
Proof.
  intros Ht Hf Hc.
  transitivity (sum (fun h => f h * sum (fun x => only (key x =? h)%N (amount x)) t) (host_list n)).
  - apply Qle_lteq. right.
    transitivity (sum (fun x => sum (fun h => f h * only (key x =? h)%N (amount x)) (host_list n)) t).
    + apply sum_ext. intros x Hx. destruct (Ht x Hx) as [Hk _].
      transitivity (amount x * f (key x) * passes (key x) (host_list n)).
      * rewrite passes_once; [ring|apply host_list_distinct|apply in_host_list, Hk].
      * unfold passes. rewrite <- sum_times. apply sum_ext. intros h _. rewrite (N.eqb_sym h).
        destruct (N.eqb_spec (key x) h) as [->|_]; simpl; ring.
    + rewrite sum_swap. apply sum_ext. intros h _. rewrite <- sum_times. reflexivity.
  - apply sum_le. intros h Hh. apply Qmult_le_left; [apply Hf|]. apply Hc, host_list_in, Hh.
Qed.

(** * The largest shares, and their sums *)

Lemma raise_sound c us : forall acc, let acc' := fold_left (raise c) us acc in
  (forall l, amount_at (snd acc') l - amount_at (snd acc) l ==
    (amount_at (fst acc') l - amount_at (fst acc) l) * c) /\
  (forall l, amount_at (fst acc) l <= amount_at (fst acc') l) /\
  forall l x, In (l, x) us -> x <= amount_at (fst acc') l.
Proof.
  induction us as [|[l x] us IH]; intros acc acc'.
  { unfold acc'. simpl fold_left. split; [intros; ring|]. split; [intros; apply Qle_refl|contradiction]. }
  assert (S : let mid := raise c acc (l, x) in
    (forall i, amount_at (snd mid) i - amount_at (snd acc) i == (amount_at (fst mid) i - amount_at (fst acc) i) * c) /\
    (forall i, amount_at (fst acc) i <= amount_at (fst mid) i) /\ x <= amount_at (fst mid) l).
  { unfold raise. simpl fst. simpl snd. destruct (Qle_bool x (amount_at (fst acc) l)) eqn:E.
    - apply Qle_bool_iff in E. split; [intros; ring|]. split; [intros; apply Qle_refl|exact E].
    - assert (H : amount_at (fst acc) l < x) by (apply Qnot_le_lt; intros H; apply Qle_bool_iff in H; congruence).
      assert (G : forall i, amount_at (put l x (fst acc)) i = if (l =? i)%N then x else amount_at (fst acc) i).
      { intros i. unfold amount_at at 1. rewrite get_put. destruct (l =? i)%N; reflexivity. }
      simpl fst. simpl snd. repeat split.
      + intros i. rewrite amount_bump, G. destruct (N.eqb_spec l i) as [->|_]; simpl only; ring.
      + intros i. rewrite G. destruct (N.eqb_spec l i) as [->|_]; [apply Qlt_le_weak, H|apply Qle_refl].
      + rewrite G, N.eqb_refl. apply Qle_refl. }
  destruct S as (S1 & S2 & S3). destruct (IH (raise c acc (l, x))) as (I1 & I2 & I3).
  unfold acc' in *. simpl fold_left. repeat split.
  - intros i. specialize (S1 i). specialize (I1 i). lra.
  - intros i. eapply Qle_trans; [apply S2|apply I2].
  - intros i y [E|Hin]; [|apply I3, Hin]. injection E as <- <-. eapply Qle_trans; [exact S3|apply I2].
Qed.

Lemma sift_sound cuts m s d us : forall us', sift cuts m s d us = Some us' -> forall l x, In (l, x) us ->
  match get m l with Some k => is_guarded cuts k s d x = true | None => In (l, x) us' end.
Proof.
  induction us as [|[l' x'] us IH]; intros us' H l x Hx; [contradiction|]. simpl in H.
  destruct (get m l') as [k|] eqn:E.
  - destruct (is_guarded cuts k s d x') eqn:Eg; [|discriminate]. destruct Hx as [Hx|Hx]; [|apply IH; assumption].
    injection Hx as <- <-. rewrite E. exact Eg.
  - destruct (sift cuts m s d us) as [rest|]; [|discriminate]. injection H as <-. destruct Hx as [Hx|Hx].
    + injection Hx as <- <-. rewrite E. left. reflexivity.
    + specialize (IH _ eq_refl l x Hx). destruct (get m l); [exact IH|right; exact IH].
Qed.

Definition most_of (acc : largest) (h l : N) : Q := amount_at (inner (fst acc) h) l.

Definition below (a b : largest) : Prop := forall h l, most_of a h l <= most_of b h l.

Lemma below_trans a b c : below a b -> below b c -> below a c.
Proof. intros H1 H2 h l. eapply Qle_trans; [apply H1|apply H2]. Qed.

Section Largest.
Variables (hosts : list N) (c : N -> Q).
Hypothesis Hosts : NoDup hosts.
Hypothesis Hc : forall h, 0 <= c h.

Definition adds_up (acc : largest) : Prop :=
  forall l, sum (fun h => most_of acc h l * c h) hosts <= amount_at (snd acc) l.

Lemma note_sound h us acc : adds_up acc ->
  adds_up (note c h us acc) /\ below acc (note c h us acc) /\
  forall l x, In (l, x) us -> x <= most_of (note c h us acc) h l.
Proof.
  intros Ha. unfold note.
  destruct (raise_sound (c h) us (inner (fst acc) h, snd acc)) as (R1 & R2 & R3).
  destruct (fold_left _ us _) as [most costs]. simpl in R1, R2, R3.
  assert (M : forall i l, most_of (put h most (fst acc), costs) i l = if (h =? i)%N then amount_at most l else
    most_of acc i l).
  { intros i l. unfold most_of. simpl fst. rewrite inner_put. destruct (h =? i)%N; reflexivity. }
  split; [|split].
  - intros l. simpl snd. specialize (Ha l). specialize (R1 l). specialize (R2 l).
    set (more := (amount_at most l - amount_at (inner (fst acc) h) l) * c h) in *.
    assert (0 <= more).
    { unfold more. apply Qmult_le_0_compat; [lra|apply Hc]. }
    assert (E : sum (fun i => most_of (put h most (fst acc), costs) i l * c i) hosts ==
      sum (fun i => most_of acc i l * c i) hosts + more * passes h hosts).
    { unfold passes. rewrite <- sum_times, <- sum_plus. apply sum_ext. intros i _. rewrite M, (N.eqb_sym i).
      destruct (N.eqb_spec h i) as [<-|_]; simpl only; unfold more, most_of; ring. }
    rewrite E. clear E. destruct (in_dec N.eq_dec h hosts) as [Hin|Hn].
    + rewrite passes_once by assumption. lra.
    + rewrite passes_none by assumption. lra.
  - intros i l. rewrite M. destruct (N.eqb_spec h i) as [<-|_]; [apply R2|apply Qle_refl].
  - intros l x Hx. rewrite M, N.eqb_refl. apply R3, Hx.
Qed.

Lemma note_pairs_sound cuts m d (pairs : list (N * list (N * Q))) : forall acc acc', adds_up acc ->
  note_pairs cuts m c d pairs acc = Some acc' ->
  adds_up acc' /\ below acc acc' /\
  forall s us l x, In (s, us) pairs -> In (l, x) us ->
    match get m l with Some k => is_guarded cuts k s d x = true | None => x <= most_of acc' s l end.
Proof.
  induction pairs as [|[h us] pairs IH]; intros acc acc' Ha H; simpl in H.
  { injection H as <-. split; [exact Ha|]. split; [intros h l; apply Qle_refl|contradiction]. }
  destruct (sift cuts m h d us) as [us'|] eqn:Es; [|discriminate].
  destruct (note_sound h us' acc Ha) as (N1 & N2 & N3). destruct (IH _ _ N1 H) as (I1 & I2 & I3).
  split; [exact I1|]. split; [eapply below_trans; eassumption|].
  intros s us'' l x [E|Hin] Hx; [|eapply I3; eassumption]. injection E as <- <-.
  pose proof (sift_sound _ _ _ _ _ _ Es l x Hx) as S. destruct (get m l); [exact S|].
  eapply Qle_trans; [apply N3, S|apply I2].
Qed.

Lemma adds_up_none : adds_up (none, none).
Proof.
  intros l. simpl snd. rewrite amount_none, <- (sum_zero hosts). apply sum_le. intros h _.
  unfold most_of, inner. simpl fst. rewrite get_none, amount_none. lra.
Qed.
End Largest.

(** * Costs of covers by ends *)

Section Ends.
Variables (n : network) (r : routing_text).
Hypothesis Hn : is_network n.
Hypothesis Hr : is_routing n (stands_for n r).
Notation R := (stands_for n r).
Notation v := (look n (know r)).

Variables (cuts : table (list (N * N))) (m : shields).
Hypothesis Hm : are_sound n m.

Section Costs.
Variables send receive : N -> Q.
Hypothesis Hsend : forall h, 0 <= send h.
Hypothesis Hreceive : forall h, 0 <= receive h.

Lemma note_from_sound ds : forall acc acc',
  adds_up (host_list n) send (fst acc) -> adds_up (host_list n) receive (snd acc) ->
  (forall h l, 0 <= most_of (fst acc) h l) -> (forall h l, 0 <= most_of (snd acc) h l) ->
  note_from v cuts m send receive (host_list n) ds acc = Some acc' ->
  adds_up (host_list n) send (fst acc') /\ adds_up (host_list n) receive (snd acc') /\
  below (fst acc) (fst acc') /\ below (snd acc) (snd acc') /\
  forall s d l, In d ds -> is_pair n s d ->
    (get m l = None -> share (R s d) l <= most_of (fst acc') s l /\ share (R s d) l <= most_of (snd acc') d l) /\
    (get m l <> None -> share (R s d) l <= guard_in cuts m l s d).
Proof.
  induction ds as [|d ds IH]; intros acc acc' A1 A2 P1 P2 H; simpl in H.
  { injection H as <-. repeat (split; [assumption || (intros h l; apply Qle_refl)|]). contradiction. }
  destruct (arriving v (host_list n) d) as [[pairs all]|] eqn:E; [|discriminate].
  destruct (note_pairs cuts m send d pairs (fst acc)) as [mid|] eqn:Ep; [|discriminate].
  destruct (note_pairs_sound (host_list n) send (host_list_distinct n) Hsend _ _ _ _ _ _ A1 Ep) as (S1 & S2 & S3).
  destruct (note_sound (host_list n) receive (host_list_distinct n) Hreceive d (filter (has_none m) all) _ A2)
    as (D1 & D2 & D3).
  apply IH in H; [|exact S1|exact D1|intros h l; eapply Qle_trans; [apply P1|apply S2]
    |intros h l; eapply Qle_trans; [apply P2|apply D2]].
  destruct H as (B1 & B2 & G1 & G2 & H). split; [exact B1|]. split; [exact B2|].
  assert (T1 := below_trans _ _ _ S2 G1). assert (T2 := below_trans _ _ _ D2 G2).
  split; [exact T1|]. split; [exact T2|]. intros s d' l [<-|Hd] Hp; [|apply H; assumption].
  destruct (arriving_sound _ _ _ _ _ E s Hp) as (us & Hus & Hall & T).
  destruct (T l) as [(x & Hx & Ex)|Ex]; rewrite Ex.
  - specialize (S3 s us l x Hus Hx). split; intros El.
    + rewrite El in S3. split; [eapply Qle_trans; [exact S3|apply G1]|]. eapply Qle_trans; [|apply G2].
      apply D3, filter_In. split; [apply Hall, Hx|]. unfold has_none. simpl fst. rewrite El. reflexivity.
    + apply (is_open_sound n cuts (fun _ => true) m s d l x Hm); [intros E'; contradiction|].
      unfold is_open. simpl fst. simpl snd. destruct (get m l); [exact S3|contradiction].
  - split; intros El; [|apply (guard_in_nonneg n), Hm].
    split; [eapply Qle_trans; [apply P1|apply T1]|eapply Qle_trans; [apply P2|apply T2]].
Qed.

Lemma end_costs_sound least a counted b : end_costs v cuts m send receive least = Some (a, counted, b) ->
  costs_at_most n r m counted send (fun s _ => s) a /\ costs_at_most n r m (fun _ => true) receive (fun _ d => d) b /\
  are_guarded n r cuts m.
Proof.
  clear Hr. destruct (known v) as [rows|by_pair] eqn:Ek; unfold end_costs; rewrite Ek; cbn [net look].
  { destruct r as [lines|] eqn:Er; [|discriminate]. injection Ek as <-. intros H.
    apply (crowd_costs_sound n lines cuts m send receive Hm Hsend least a counted b H). }
  destruct (note_from _ _ _ _ _ _ _ _) as [acc|] eqn:E; [|discriminate]. intros H. injection H as <- <- <-.
  assert (Z : forall h l, 0 <= most_of (none, none) h l).
  { intros h l. unfold most_of, inner. simpl fst. rewrite get_none, amount_none. apply Qle_refl. }
  apply note_from_sound in E; try apply adds_up_none; try exact Z. destruct E as (A1 & A2 & G1 & G2 & H).
  split; [|split].
  - exists (most_of (fst acc)). split; [intros h l; eapply Qle_trans; [apply (Z h l)|apply G1]|].
    split; [|intros l _; apply A1]. intros s d l El _ Hp. apply H; [apply in_host_list, Hp|exact Hp|exact El].
  - exists (most_of (snd acc)). split; [intros h l; eapply Qle_trans; [apply (Z h l)|apply G2]|].
    split; [|intros l _; apply A2]. intros s d l El _ Hp. apply H; [apply in_host_list, Hp|exact Hp|exact El].
  - intros s d l El Hp. apply H; [apply in_host_list, Hp|exact Hp|exact El].
Qed.

Lemma carried_by_costs (key : demand -> N) host counted c costs t most l : get m l = None -> counted l = true ->
  (forall x, host (src x) (dst x) = key x) -> costs_at_most n r m counted c host costs -> is_traffic n t -> 0 <= most ->
  (forall x, In x t -> (key x < hosts n)%N) ->
  (forall h, (h < hosts n)%N -> sum (fun x => only (key x =? h)%N (amount x)) t <= most * c h) ->
  carried R t l <= most * amount_at costs l.
Proof.
  intros El Hl' Hkey (w & Hw & Hs & Hl) Ht Hmost Hk Hc.
  transitivity (sum (fun x => amount x * w (key x) l) t).
  - apply sum_le. intros x Hx. destruct (Ht x Hx) as [Hp Ha]. apply Qmult_le_left; [exact Ha|].
    rewrite <- Hkey. apply Hs; [exact El|exact Hl'|exact Hp].
  - eapply Qle_trans; [apply (sum_by_host n key (fun h => w h l) (fun h => most * c h))|].
    + intros x Hx. split; [apply Hk, Hx|apply (Ht x Hx)].
    + intros; apply Hw.
    + exact Hc.
    + eapply Qle_trans; [|apply Qmult_le_left; [exact Hmost|apply Hl, El]]. apply Qle_lteq. right.
      rewrite <- sum_times. apply sum_ext. intros; ring.
Qed.

Lemma light_by_ends least upper l k t most : link_of n l = Some k -> get m l = None ->
  is_light_by_ends (end_costs v cuts m send receive least) upper (l, k) = true -> is_traffic n t -> 0 <= most ->
  (forall h, (h < hosts n)%N -> sent t h <= most * send h) ->
  (forall h, (h < hosts n)%N -> received t h <= most * receive h) ->
  load R t l k <= most * upper.
Proof.
  intros Ek El H Ht Hmost Hs Hd. apply div_le; [eapply capacity_positive; eassumption|].
  setoid_replace (most * upper * capacity k) with (most * (upper * capacity k)) by ring.
  unfold is_light_by_ends in H.
  destruct (end_costs v cuts m send receive least) as [[[a counted] b]|] eqn:E; [|discriminate].
  apply end_costs_sound in E as (Ea & Eb & _). simpl fst in H. simpl snd in H.
  apply orb_true_iff in H as [H|H]; [|apply andb_true_iff in H as [H1 H]]; apply Qle_bool_iff in H;
    (eapply Qle_trans; [|apply Qmult_le_left; [exact Hmost|exact H]]).
  - eapply (carried_by_costs dst); try eassumption; try reflexivity. intros x Hx. apply (Ht x Hx).
  - eapply (carried_by_costs src); try eassumption; try reflexivity. intros x Hx. apply (Ht x Hx).
Qed.
End Costs.

Lemma leaving_nonneg h : 0 <= amount_at (leaving_table n) h.
Proof. rewrite leaving_sound. apply sum_nonneg. intros y Hy. apply only_nonneg, Qlt_le_weak, Hn, Hy. Qed.

Lemma entering_nonneg h : 0 <= amount_at (entering_table n) h.
Proof. rewrite entering_sound. apply sum_nonneg. intros y Hy. apply only_nonneg, Qlt_le_weak, Hn, Hy. Qed.

Lemma hose_ends q least upper l k : link_of n l = Some k -> get m l = None ->
  is_light_by_ends (end_costs v cuts m (amount_at (leaving_table n)) (amount_at (entering_table n)) least) upper
    (l, k)
    = true ->
  q <> PermutationLoad -> bounded n R q upper l.
Proof.
  intros Ek El H Hq k' t E. replace k' with k by congruence.
  pose proof leaving_nonneg as L. pose proof entering_nonneg as T.
  destruct q; [|contradiction|].
  - intros Ht most (Hmost & best & Hb & Hl). apply div_le; [exact Hmost|]. rewrite Qmult_comm.
    eapply (light_by_ends _ _ L T least); try eassumption; [apply Qlt_le_weak, Hmost| |]; intros h _.
    + rewrite leaving_sound. eapply sent_bound; eassumption.
    + rewrite entering_sound. eapply received_bound; eassumption.
  - intros [Ht Hh]. rewrite <- (Qmult_1_l upper).
    eapply (light_by_ends _ _ L T least); try eassumption; [discriminate| |]; intros h Hlt; rewrite Qmult_1_l.
    + rewrite leaving_sound. apply Hh, Hlt.
    + rewrite entering_sound. apply Hh, Hlt.
Qed.

Lemma permutation_ends send receive least upper l k : link_of n l = Some k -> get m l = None ->
  is_light_by_ends (end_costs v cuts m send receive least) upper (l, k) = true ->
  (forall h, 0 <= send h) -> (forall h, 0 <= receive h) ->
  (forall h, (h < hosts n)%N -> 1 <= send h) -> (forall h, (h < hosts n)%N -> 1 <= receive h) ->
  bounded n R PermutationLoad upper l.
Proof.
  intros Ek El H L T Hs Hd k' t E (Ht & Hsrc & Hdst & Hone). replace k' with k by congruence.
  rewrite <- (Qmult_1_l upper). eapply (light_by_ends _ _ L T least); try eassumption; [discriminate| |];
    intros h Hlt; rewrite Qmult_1_l; (apply Qle_trans with 1; [|auto]); apply sum_distinct;
    try assumption; discriminate.
Qed.
End Ends.

(** * The upper side *)

(** [check_upper] has found that next links lead from all hosts to all. *)
Lemma followed_routing n r cuts free p bounds : is_network n -> (forall c, In c (covers p) -> is_sound n c) ->
  is_followed_later (look n (know r)) p = true ->
  check_upper (look n (know r)) cuts free (leaving_table n) (entering_table n) p bounds = true ->
  is_routing n (stands_for n r).
Proof.
  intros Hn Hc L H. unfold is_followed_later in L. destruct r as [rows|records]; [|discriminate].
  cbn [known look know] in L. destruct (long_links (covers p)) eqn:El; [|discriminate].
  unfold check_upper in H. cbv zeta in H. destruct (by_ends p).
  - unfold check_ends in H. cbv zeta in H. rewrite El in H. apply andb_true_iff in H as [H _].
    pose proof (raise_shields_sound n (covers p) Hc) as A.
    assert (U : forall send receive least, (forall h, 0 <= send h) -> (forall h, 0 <= receive h) ->
      end_costs (look n (know (Next rows))) cuts (raise_shields (covers p)) send receive least <> None ->
      is_routing n (stands_for n (Next rows))).
    { intros send receive least Hs Hr E.
      destruct (end_costs _ _ _ send receive least) as [[[a counted] b]|] eqn:Ec; [|contradiction].
      apply (crowd_costs_sound n rows cuts _ send receive A Hs least a counted b Ec). }
    pose proof (fun least => U _ _ least (leaving_nonneg n Hn) (entering_nonneg n Hn)) as Uh.
    set (ones := forallb _ (host_list (net _))) in *.
    set (hose := if ones || _ then _ else None) in *. set (unit := if ones then hose else _) in *.
    assert (Hh : hose <> None -> is_routing n (stands_for n (Next rows))).
    { unfold hose. destruct (ones || _); [apply Uh|congruence]. }
    destruct hose as [h|] eqn:Eh; [apply Hh; discriminate|].
    destruct unit as [x|] eqn:Eu; [|discriminate]. unfold unit in Eu.
    destruct ones; [discriminate|]. destruct (existsb _ _); [|discriminate].
    eapply (U (fun _ => 1) (fun _ => 1) _); [intros; discriminate|intros; discriminate|]. rewrite Eu. discriminate.
  - apply andb_true_iff in H as [H _]. apply check_routing_sound. unfold check_covers in H. rewrite El in H.
    unfold check_routing. cbn [net look known know] in *. cbv zeta in H. rewrite forallb_forall in H.
    apply forallb_forall. intros d Hd. specialize (H d Hd). unfold check_destination, arriving in H.
    cbn [known look] in H. destruct (traced _ _ _ d); [reflexivity|discriminate].
Qed.

Lemma check_upper_sound n r cuts free p bounds :
  is_network n -> is_routing n (stands_for n r) -> (forall c, In c (covers p) -> is_sound n c) ->
  check_upper (look n (know r)) cuts free (leaving_table n) (entering_table n) p bounds = true ->
  forall q lower upper, In (q, lower, upper) bounds ->
  forall l k, link_of n l = Some k -> get free l = None \/ In l (map cover_link (covers p)) ->
  bounded n (stands_for n r) q upper l.
Proof.
  intros Hn Hr Hc H q lower upper Hb l k Ek Hl. unfold check_upper in H. cbn [net look] in H.
  pose proof (raise_shields_sound n (covers p) Hc) as A. set (m := raise_shields (covers p)) in *.
  pose proof Ek as Ek'. apply in_link_list in Ek'. unfold link_list in Ek'.
  assert (Hfree : get m l = None -> is_in_table free l = false).
  { intros E. destruct Hl as [Hl|Hl]; [unfold is_in_table; rewrite Hl; reflexivity|].
    exfalso. revert E. apply raise_shields_some, Hl. }
  destruct (by_ends p).
  - unfold check_ends in H. cbn [net look] in H. fold m in H. cbv zeta in H. apply andb_true_iff in H as [H1 H2].
    rewrite forallb_forall in H2. specialize (H2 _ Hb). rewrite forallb_forall in H2. specialize (H2 _ Ek').
    cbn [fst snd] in H1, H2. set (short := match long_links (covers p) with [] => m | _ => none end) in *.
    assert (Hshort : are_sound n short).
    { unfold short. destruct (long_links (covers p)); [exact A|]. intros i x. rewrite get_none. discriminate. }
    set (ones := forallb _ (host_list n)) in *.
    set (hose := if ones || _ then _ else None) in *. set (unit := if ones then hose else _) in *.
    pose proof (leaving_nonneg n Hn) as L. pose proof (entering_nonneg n Hn) as T.
    assert (O : ones = true -> forall h, (h < hosts n)%N -> amount_at (leaving_table n) h == 1 /\
      amount_at (entering_table n) h == 1).
    { unfold ones. rewrite forallb_forall. intros Eo h Hh. specialize (Eo h (in_host_list _ _ Hh)).
      apply andb_true_iff in Eo as [E1 E2]. split; apply Qeq_bool_iff; assumption. }
    destruct (get m l) as [x|] eqn:E.
    + refine (upper_side n r cuts (fun _ => true) Hn Hr q upper m l k A _ _ Ek H2); [|intros E'; congruence].
      destruct (long_links (covers p)) as [|l0 long] eqn:El; [|eapply check_covers_sound; eassumption].
      assert (G : are_guarded n r cuts m).
      { assert (U : forall send receive least, (forall h, 0 <= send h) -> (forall h, 0 <= receive h) ->
          end_costs (look n (know r)) cuts m send receive least <> None -> are_guarded n r cuts m).
        { intros send receive least Hs Hd Hc'.
          destruct (end_costs _ cuts m send receive least) as [[[a counted] b]|] eqn:Ec; [|contradiction].
          eapply end_costs_sound; [exact A|exact Hs|exact Hd|exact Ec]. }
        assert (H3 : hose <> None \/ unit <> None).
        { clearbody unit. clearbody hose. destruct hose; [left; discriminate|].
          destruct unit; [right; discriminate|discriminate H1]. }
        assert (H4 : hose <> None -> are_guarded n r cuts m).
        { unfold hose. destruct (ones || _); [|congruence]. apply U; assumption. }
        destruct H3 as [H3|H3]; [exact (H4 H3)|]. revert H3. unfold unit. destruct ones; [exact H4|].
        destruct (existsb _ _); [|congruence]. apply U; intros; discriminate. }
      intros s d i path Hi Hp Hj. pose proof (length_in_nonneg n m i path A).
      assert (Hne : get m i <> None) by (intros E'; specialize (Hi E'); discriminate).
      specialize (G s d i Hne Hp). lra.
    + rewrite (Hfree eq_refl) in H2. cbn [orb] in H2.
      assert (Es : get short l = None) by (unfold short; destruct (long_links _); [exact E|apply get_none]).
      assert (H3 : q <> PermutationLoad -> is_light_by_ends hose upper (l, k) = true ->
        bounded n (stands_for n r) q upper l).
      { intros Hq. unfold hose. destruct (ones || _); [|discriminate]. intros H3.
        apply (hose_ends n r Hn cuts short Hshort _ _ _ _ _ Ek Es H3 Hq). }
      destruct q; cbn [is_permutation_load fst] in H2; [apply H3; [discriminate|exact H2]| |apply H3;
        [discriminate|exact H2]].
      revert H2. unfold unit. destruct ones eqn:Eo.
      * unfold hose. cbn [orb]. intros H2. apply (permutation_ends n r Hn cuts short Hshort _ _ _ _ _ _ Ek Es H2 L T);
          intros h Hh; destruct (O eq_refl h Hh) as [O1 O2]; rewrite ?O1, ?O2; apply Qle_refl.
      * destruct (existsb _ _); [|discriminate]. intros H2.
        apply (permutation_ends n r Hn cuts short Hshort _ _ _ _ _ _ Ek Es H2); intros; discriminate.
  - apply andb_true_iff in H as [H1 H2].
    rewrite forallb_forall in H2. specialize (H2 _ Hb). rewrite forallb_forall in H2. specialize (H2 _ Ek').
    refine (upper_side n r cuts (is_in_table free) Hn Hr q upper m l k A _ Hfree Ek H2).
    eapply check_covers_sound; eassumption.
Qed.
