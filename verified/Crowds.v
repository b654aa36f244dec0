(** Next links, followed crowd by crowd: the routing is one, and covers by ends cost no more than is found. *)

From Coq Require Import QArith NArith List Bool FMapPositive Lia Lqa.
From Verified Require Import Check Sums Duality Lookup Moves Covers.
Import ListNotations.
Open Scope Q_scope.

(** * What is to be shown *)

Section Costs.
Variables (n : network) (r : routing_text) (cuts : table (list (N * N))) (m : shields).
Notation R := (stands_for n r).

(** Weights of hosts cover the pairs on links without a cover that are counted, and cost no more than this. *)
Definition costs_at_most (counted : N -> bool) (c : N -> Q) (host : N -> N -> N) (costs : table Q) : Prop :=
  exists w : N -> N -> Q, (forall h l, 0 <= w h l) /\
  (forall s d l, get m l = None -> counted l = true -> is_pair n s d -> share (R s d) l <= w (host s d) l) /\
  forall l, get m l = None -> sum (fun h => w h l * c h) (host_list n) <= amount_at costs l.

(** Hosts and cuts cover the pairs on all other links. *)
Definition are_guarded : Prop :=
  forall s d l, get m l <> None -> is_pair n s d -> share (R s d) l <= guard_in cuts m l s d.
End Costs.

(** * Paths of next links *)

Definition known_rows (rows : list row) : table (list known_row) :=
  index (fun r => fst (fst r)) (map (fun r => (fst r, snd r, array (snd r))) rows).

Lemma entry_rows rows v d : known_entry (known_rows rows) v d = entry rows v d.
Proof. apply entry_known. Qed.

Lemma leads_ext f g e e' d p : (forall l, f l = g l) -> (forall v, e v d = e' v d) ->
  forall v, leads f e d v p -> leads g e' d v p.
Proof.
  intros Hf He. induction p as [|l p IH]; intros v H; [exact H|]. simpl in *.
  destruct H as (H1 & H2 & k & H3 & H4 & H). rewrite <- He, <- Hf. split; [exact H1|]. split; [exact H2|].
  exists k. auto.
Qed.

Lemma leads_from find next d p : forall v l, leads find next d v p -> In l p ->
  exists k, find l = Some k /\ from k <> d.
Proof.
  induction p as [|l' p IH]; intros v l H Hl; [contradiction|]. destruct H as (Hv & _ & k & Ek & Ef & H).
  destruct Hl as [<-|Hl]; [|eapply IH; eassumption]. exists k. split; [exact Ek|congruence].
Qed.

(** They pass no link twice, so that they are no longer than there are links. *)
Lemma leads_short n next d v p : leads (link_of n) next d v p -> (length p <= length (links n))%nat.
Proof.
  intros H. pose proof (leads_distinct _ _ _ _ _ H) as D.
  rewrite <- (map_length N.to_nat p), <- (seq_length (length (links n)) 0).
  apply NoDup_incl_length; [apply FinFun.Injective_map_NoDup; [intros a b; apply N2Nat.inj|exact D]|].
  intros i Hi. apply in_map_iff in Hi as (l & <- & Hl). destruct (leads_from _ _ _ _ _ _ H Hl) as (k & Ek & _).
  apply in_seq. split; [apply Nat.le_0_l|]. apply nth_error_Some. unfold link_of in Ek. simpl. congruence.
Qed.

Lemma share_of_one p l : NoDup p -> share [(1, p)] l <= 1 /\ (~ In l p -> share [(1, p)] l <= 0).
Proof.
  intros D. assert (E : share [(1, p)] l == passes l p).
  { unfold share. rewrite sum_cons. simpl fst. simpl snd. change (sum _ []) with 0. ring. }
  rewrite E. split.
  - destruct (in_dec N.eq_dec l p) as [H|H]; [rewrite passes_once|rewrite passes_none]; try assumption; discriminate.
  - intros H. rewrite passes_none by exact H. discriminate.
Qed.

(** What is found stays found. *)
Lemma trace_found find next fuel : forall v f w f', trace find next fuel f v = Some (w, f') ->
  get (fst f') v <> None /\ forall u, get (fst f) u <> None -> get (fst f') u <> None.
Proof.
  induction fuel as [|fuel IH]; intros v f w f' H; simpl in H; destruct (get (fst f) v) as [x|] eqn:E.
  1, 3: injection H as <- <-; split; [congruence|auto].
  - discriminate.
  - destruct (next v) as [l|]; [|discriminate]. destruct (find l) as [k|]; [|discriminate].
    destruct (from k =? v)%N; [|discriminate].
    destruct (trace find next fuel f (to k)) as [[[long p] g]|] eqn:Et; [|discriminate]. injection H as <- <-.
    destruct (IH _ _ _ _ Et) as [_ K]. simpl fst. split.
    + rewrite get_put, N.eqb_refl. discriminate.
    + intros u Hu. rewrite get_put. destruct (v =? u)%N; [discriminate|auto].
Qed.

Section Crowds.
Variables (n : network) (rows : list row) (cuts : table (list (N * N))) (m : shields) (send receive : N -> Q).
Hypothesis Hm : are_sound n m.
Hypothesis Hsend : forall h, 0 <= send h.
Notation R := (stands_for n (Next rows)).
Notation v := (look n (KnownNext (known_rows rows))).
Notation ks := (known_rows rows).
Notation hosts := (host_list n).
Notation start_of := (start_of v ks).
Notation first_link := (first_link v ks).
Notation leads := (leads (link_of n) (entry rows)).

Lemma first_link_sound s l u : first_link s = Some (l, u) ->
  (s < Spec.hosts n)%N /\ exists k, link_of n l = Some k /\ from k = s /\ to k = u /\ forall d, entry rows s d = Some l.
Proof.
  unfold Check.first_link. cbn [net look link_table]. destruct (N.ltb_spec s (Spec.hosts n)) as [Hs|]; [|discriminate].
  destruct (those ks s) as [|[[a [|[x|] [|y es]]] t] rest] eqn:E; try discriminate.
  rewrite find_link. destruct (link_of n x) as [k|] eqn:Ek; [|discriminate].
  destruct (N.eqb_spec (from k) s) as [Ef|]; [|discriminate]. intros H. injection H as <- <-.
  split; [exact Hs|]. exists k. repeat split; try assumption. intros d. rewrite <- entry_rows.
  unfold known_entry. rewrite E. reflexivity.
Qed.

(** A way of its crowd is the path of a host, behind its first link. *)
Lemma crowd_path s d p : s <> d -> leads d (start_of s) p ->
  exists q, R s d = [(1, q)] /\ leads d s q /\ NoDup q /\
    forall l, In l q -> In l p \/ exists u, first_link s = Some (l, u).
Proof.
  intros Hne H.
  assert (A : exists q, leads d s q /\ forall l, In l q -> In l p \/ exists u, first_link s = Some (l, u)).
  { unfold Check.start_of in H. destruct (first_link s) as [[l u]|] eqn:E; [|exists p; auto].
    destruct (first_link_sound _ _ _ E) as (_ & k & Ek & Ef & Et & He). exists (l :: p). split.
    - simpl. split; [exact Hne|]. split; [apply He|]. exists k. rewrite Et. auto.
    - intros i [<-|Hi]; [right; eauto|left; exact Hi]. }
  destruct A as (q & Hq & Hi). exists q. split; [|split; [exact Hq|split; [eapply leads_distinct, Hq|exact Hi]]].
  simpl. rewrite (leads_follow _ _ d q s (length (links n)) Hq); [reflexivity|]. eapply leads_short, Hq.
Qed.

(** * Ways of crowds *)

Definition only_is (c : crowd) (d : N) : bool := match crew c with [s] => (s =? d)%N | _ => false end.

Lemma only_is_sound c d s : only_is c d = true -> In s (crew c) -> s = d.
Proof.
  unfold only_is. destruct (crew c) as [|a [|b l]]; try discriminate. intros H [<-|[]]. apply N.eqb_eq, H.
Qed.

(** What has been found of ways to d: those that are needed, of which all links are in [all]. *)
Definition are_ways (d : N) (ways : table way) (all : list (N * Q)) : Prop :=
  forall u w, get ways u = Some w ->
  exists p, leads d u p /\ snd w = map (fun l => (l, 1)) p /\ incl (map (fun l => (l, 1)) p) all.

Lemma trace_crowds_sound d cs : forall f f',
  is_found (get (array (links n))) (known_entry ks) d f ->
  trace_crowds (get (array (links n))) (fun x => known_entry ks x d) (length (links n)) d cs f = Some f' ->
  is_found (get (array (links n))) (known_entry ks) d f' /\
  (forall u, get (fst f) u <> None -> get (fst f') u <> None) /\
  forall c, In c cs -> only_is c d = false -> get (fst f') (start c) <> None.
Proof.
  induction cs as [|c cs IH]; intros f f' Hf H; simpl in H.
  { injection H as <-. split; [exact Hf|]. split; [auto|contradiction]. }
  fold (only_is c d) in H. destruct (only_is c d) eqn:Eo.
  - destruct (IH _ _ Hf H) as (A & B & C). split; [exact A|]. split; [exact B|].
    intros c' [<-|Hc] Ho; [congruence|auto].
  - destruct (trace _ _ _ f (start c)) as [[w g]|] eqn:Et; [|discriminate].
    destruct (trace_sound _ _ _ _ _ _ _ _ Hf Et) as (Hg & _ & _).
    destruct (trace_found _ _ _ _ _ _ _ Et) as (K1 & K2).
    destruct (IH _ _ Hg H) as (A & B & C). split; [exact A|]. split; [auto|].
    intros c' [<-|Hc] Ho; [apply B; congruence|auto].
Qed.

Lemma found_ways d f : is_found (get (array (links n))) (known_entry ks) d f -> are_ways d (fst f) (snd f).
Proof.
  intros [_ H] u w E. destruct (H u w E) as (p & Hp & _ & Ep & Hi). exists p. split; [|split; [exact Ep|]].
  - eapply leads_ext; [apply find_link|intros; apply entry_rows|exact Hp].
  - rewrite <- Ep. exact Hi.
Qed.

Lemma found_first d : is_found (get (array (links n))) (known_entry ks) d (put d (O, []) none, []).
Proof.
  split; simpl; [rewrite get_put, N.eqb_refl; discriminate|]. intros u w. rewrite get_put.
  destruct (N.eqb_spec d u) as [<-|_]; [|rewrite get_none; discriminate]. intros E. injection E as <-.
  exists []. repeat split. intros y [].
Qed.

(** * Costs of covers by destinations *)

(** Weights of hosts, and what they cost beside what is there from the beginning. *)
Definition adds (c : N -> Q) (before after : table Q) (w : N -> N -> Q) : Prop :=
  (forall h l, 0 <= w h l) /\ forall l, get m l = None ->
  amount_at before l + sum (fun h => w h l * c h) hosts <= amount_at after l.

Lemma adds_nothing c costs : adds c costs costs (fun _ _ => 0).
Proof.
  split; [intros; apply Qle_refl|]. intros l _.
  assert (E : sum (fun h => 0 * c h) hosts == 0) by (rewrite <- (sum_zero hosts); apply sum_ext; intros; ring).
  rewrite E. lra.
Qed.

Lemma adds_more c a b b' w w' : adds c a b w -> adds c b b' w' -> adds c a b' (fun h l => w h l + w' h l).
Proof.
  intros [P1 A1] [P2 A2]. split; [intros h l; specialize (P1 h l); specialize (P2 h l); lra|]. intros l El.
  specialize (A1 l El). specialize (A2 l El).
  assert (E : sum (fun h => (w h l + w' h l) * c h) hosts ==
    sum (fun h => w h l * c h) hosts + sum (fun h => w' h l * c h) hosts).
  { rewrite <- sum_plus. apply sum_ext. intros; ring. }
  rewrite E. lra.
Qed.

Lemma passes_nonneg l p : 0 <= passes l p.
Proof. apply sum_nonneg. intros x _. apply only_nonneg. discriminate. Qed.

Lemma passes_some l p : In l p -> 1 <= passes l p.
Proof.
  intros H. unfold passes. transitivity (only (l =? l)%N 1); [rewrite N.eqb_refl; apply Qle_refl|].
  apply (sum_one (fun x => only (x =? l)%N 1)); [exact H|]. intros y _. apply only_nonneg. discriminate.
Qed.

Lemma adds_path d p costs : In d hosts ->
  adds receive costs (add_path costs (receive d) p) (fun h l => only (h =? d)%N (passes l p)).
Proof.
  intros Hd. split; [intros; apply only_nonneg, passes_nonneg|]. intros l _. rewrite amount_add_path.
  assert (E : sum (fun h => only (h =? d)%N (passes l p) * receive h) hosts ==
    receive d * passes l p * passes d hosts).
  { transitivity (sum (fun h => receive d * passes l p * only (h =? d)%N 1) hosts).
    - apply sum_ext. intros h _. destruct (N.eqb_spec h d) as [->|_]; simpl only; ring.
    - rewrite sum_times. reflexivity. }
  rewrite E, (passes_once d hosts (host_list_distinct n) Hd). lra.
Qed.

Section Aside.
Variable aside : table unit.

(** Links on a way to d that are not set aside are counted. *)
Definition is_told (w : N -> N -> Q) (d : N) (p : list N) : Prop :=
  forall l, In l p -> get aside l = None -> 1 <= w d l.

(** What is known of a destination. *)
Definition is_reached (w : N -> N -> Q) (x : reached) : Prop :=
  let '(d, home, ways) := x in In d hosts /\ home = start_of d /\
  forall u y, get ways u = Some y -> exists p, leads d u p /\ snd y = map (fun l => (l, 1)) p /\ is_told w d p.

Lemma reach_all_sound cs ds : forall costs rs after, incl ds hosts ->
  reach_all v ks aside receive cs ds costs = Some (rs, after) ->
  exists w, adds receive costs after w /\ (forall x, In x rs -> is_reached w x) /\
  forall d, In d ds -> exists ways, In (d, start_of d, ways) rs /\
    forall c, In c cs -> only_is c d = false -> get ways (start c) <> None.
Proof.
  induction ds as [|d ds IH]; intros costs rs after Hds H; simpl in H.
  { injection H as <- <-. exists (fun _ _ => 0). split; [apply adds_nothing|]. split; contradiction. }
  destruct (trace_crowds _ _ _ d cs _) as [f|] eqn:Et; [|discriminate].
  set (counted := filter _ (map fst (snd f))) in H.
  destruct (reach_all _ _ _ _ cs ds _) as [[rest last]|] eqn:Er; [|discriminate]. injection H as <- <-.
  apply IH in Er as (w & Hw & Hrest & IH'); [|intros x Hx; apply Hds; right; exact Hx].
  destruct (trace_crowds_sound _ _ _ _ (found_first d) Et) as (Hf & _ & Hc). apply found_ways in Hf.
  assert (Hd : In d hosts) by (apply Hds; left; reflexivity).
  set (w' := fun h l => only (h =? d)%N (passes l counted) + w h l).
  exists w'. split; [eapply adds_more; [apply adds_path, Hd|exact Hw]|]. split.
  - intros x [<-|Hx].
    + split; [exact Hd|]. split; [reflexivity|]. intros u y Ey. destruct (Hf u y Ey) as (p & Hp & Ep & Hi).
      exists p. split; [exact Hp|]. split; [exact Ep|]. intros l Hl El. unfold w'. rewrite N.eqb_refl. simpl only.
      assert (X : In l counted).
      { unfold counted. apply filter_In. split; [|unfold is_in_table; rewrite El; reflexivity].
        apply in_map_iff. exists (l, 1). split; [reflexivity|]. apply Hi, in_map_iff. eauto. }
      pose proof (passes_some l counted X). pose proof (proj1 Hw d l). lra.
    + specialize (Hrest x Hx). destruct x as [[d' home] ways]. destruct Hrest as (H1 & H2 & H3).
      split; [exact H1|]. split; [exact H2|]. intros u y Ey. destruct (H3 u y Ey) as (p & Hp & Ep & T).
      exists p. split; [exact Hp|]. split; [exact Ep|]. intros l Hl El. specialize (T l Hl El). unfold w'.
      pose proof (only_nonneg (d' =? d)%N _ (passes_nonneg l counted)). lra.
  - intros d' [<-|Hd'].
    + exists (fst f). split; [left; reflexivity|exact Hc].
    + destruct (IH' d' Hd') as (ways & H1 & H2). exists ways. split; [right; exact H1|exact H2].
Qed.

(** * Costs of covers by sources *)

(** The weight of a source for a mark of its crowd. *)
Definition mark_weight (o : option (option N)) (s : N) : Q :=
  match o with None => 0 | Some None => 1 | Some (Some x) => only (negb (s =? x)%N) 1 end.

Lemma mark_nonneg o s : 0 <= mark_weight o s.
Proof. destruct o as [[x|]|]; simpl; try discriminate. apply only_nonneg. discriminate. Qed.

Lemma mark_most o s : mark_weight o s <= 1.
Proof. destruct o as [[x|]|]; simpl; try discriminate. destruct (negb _); discriminate. Qed.

Section Needed.
Variable needed : matters.
Hypothesis Hneeded : forall l k, get needed l = Some (Some k) <-> get m l = Some k.

Section Crowd.
Variables (c : crowd) (before : table Q).
Hypothesis Crew : crew c = filter (fun s => start_of s =? start c)%N hosts.
Hypothesis Whole : whole c == sum send (crew c).

Lemma crew_distinct : NoDup (crew c).
Proof. rewrite Crew. apply NoDup_filter, host_list_distinct. Qed.

Definition is_kept (acc : marks * table Q) : Prop :=
  (forall l, get m l = None ->
    amount_at before l + sum (fun s => mark_weight (get (fst acc) l) s * send s) (crew c) <= amount_at (snd acc) l) /\
  forall l k s, get needed l = Some (Some k) -> get (fst acc) l <> None -> In s (crew c) ->
    1 <= weight_at (source_weights k) s.

Definition is_less (a b : marks) : Prop := forall l s, mark_weight (get a l) s <= mark_weight (get b l) s.

(** Sources of the crowd are counted on a link to d, or guarded, if that matters. *)
Definition is_noted (mu : marks) (d l : N) : Prop :=
  forall s, In s (crew c) -> s <> d ->
  match get needed l with
  | None => True
  | Some None => 1 <= mark_weight (get mu l) s
  | Some (Some k) => 1 <= guard cuts k s d
  end.

Lemma is_noted_less a b d l : is_less a b -> is_noted a d l -> is_noted b d l.
Proof.
  intros H Hn s Hs Hne. specialize (Hn s Hs Hne). destruct (get needed l) as [[k|]|]; try exact Hn.
  eapply Qle_trans; [exact Hn|apply H].
Qed.

Lemma put_less mu l o : (forall s, mark_weight (get mu l) s <= mark_weight (Some o) s) -> is_less mu (put l o mu).
Proof. intros H i s. rewrite get_put. destruct (N.eqb_spec l i) as [<-|_]; [apply H|apply Qle_refl]. Qed.

Lemma keep_put mu costs l o q : get needed l = Some None ->
  sum (fun s => mark_weight (Some o) s * send s) (crew c) <=
    sum (fun s => mark_weight (get mu l) s * send s) (crew c) + q ->
  is_kept (mu, costs) -> is_kept (put l o mu, bump costs l q).
Proof.
  intros El Hq [K1 K2]. split; cbn [fst snd] in *.
  - intros i Ei. specialize (K1 i Ei). rewrite amount_bump, get_put.
    destruct (N.eqb_spec l i) as [<-|_]; simpl only; lra.
  - intros i k s Ek Hi. rewrite get_put in Hi. destruct (N.eqb_spec l i) as [<-|_]; [congruence|].
    eapply K2; eassumption.
Qed.

Lemma sum_but x : In x (crew c) ->
  sum (fun s => mark_weight (Some (Some x)) s * send s) (crew c) == sum send (crew c) - send x.
Proof.
  intros Hx. assert (E : sum (fun s => mark_weight (Some (Some x)) s * send s) (crew c) + send x * passes x (crew c) ==
    sum send (crew c)).
  { unfold passes. rewrite <- sum_times, <- sum_plus. apply sum_ext. intros s _. simpl.
    destruct (N.eqb_spec s x) as [->|_]; simpl only; ring. }
  rewrite <- E, (passes_once x (crew c) crew_distinct Hx). ring.
Qed.

Lemma sum_but_all x : sum send (crew c) <=
  sum (fun s => mark_weight (Some (Some x)) s * send s) (crew c) + send x.
Proof.
  destruct (in_dec N.eq_dec x (crew c)) as [Hx|Hx]; [rewrite sum_but by exact Hx; lra|].
  assert (E : sum (fun s => mark_weight (Some (Some x)) s * send s) (crew c) == sum send (crew c)).
  { apply sum_ext. intros s Hs. simpl. destruct (N.eqb_spec s x) as [->|_]; [contradiction|]. simpl only. ring. }
  rewrite E. specialize (Hsend x). lra.
Qed.

Lemma sum_all : sum (fun s => mark_weight (Some None) s * send s) (crew c) == sum send (crew c).
Proof. apply sum_ext. intros s _. simpl. ring. Qed.

Lemma sum_no : sum (fun s => mark_weight None s * send s) (crew c) == 0.
Proof. rewrite <- (sum_zero (crew c)). apply sum_ext. intros s _. simpl. ring. Qed.

Lemma guard_at_least k s d l : get m l = Some k ->
  1 <= weight_at (source_weights k) s \/ 1 <= weight_at (destination_weights k) d -> 1 <= guard cuts k s d.
Proof.
  intros Ek H. destruct (Hm _ _ Ek) as (x & -> & Hx). unfold guard. simpl in *.
  pose proof (weight_nonneg (on_sources x) s (nonneg_sources _ _ Hx)).
  pose proof (weight_nonneg (on_destinations x) d (nonneg_destinations _ _ Hx)).
  pose proof (cut_weight_nonneg n cuts x s d Hx). destruct H; lra.
Qed.

Lemma guarded_at_least k s d l : get m l = Some k -> is_guarded cuts k s d 1 = true -> 1 <= guard cuts k s d.
Proof. intros Ek H. destruct (Hm _ _ Ek) as (x & -> & Hx). eapply is_guarded_sound; eassumption. Qed.

(** All of the crowd are guarded on a link, whatever is added to its cost. *)
Lemma keep_guarded mu costs costs' l k : get needed l = Some (Some k) ->
  (forall s, In s (crew c) -> 1 <= weight_at (source_weights k) s) ->
  (forall i, i <> l -> amount_at costs i <= amount_at costs' i) ->
  is_kept (mu, costs) -> is_kept (put l None mu, costs').
Proof.
  intros El G Hc [K1 K2]. split; cbn [fst snd] in *.
  - intros i Ei. rewrite get_put. destruct (N.eqb_spec l i) as [<-|Hne].
    + apply Hneeded in El. congruence.
    + specialize (K1 i Ei). specialize (Hc i ltac:(congruence)). lra.
  - intros i k' s Ei Hi Hs. rewrite get_put in Hi. destruct (N.eqb_spec l i) as [<-|_].
    + replace k' with k by congruence. apply G, Hs.
    + eapply K2; eassumption.
Qed.

Lemma note_link_sound d acc acc' l : In d hosts -> is_kept acc ->
  note_link cuts needed send c d (start_of d =? start c)%N acc l = Some acc' ->
  is_kept acc' /\ is_less (fst acc) (fst acc') /\ is_noted (fst acc') d l.
Proof.
  intros Hd K H. destruct acc as [mu costs]. unfold note_link in H. cbn [fst snd] in H.
  assert (Less : is_less mu mu) by (intros i s; apply Qle_refl).
  set (own := (start_of d =? start c)%N) in *.
  assert (Own : own = true -> In d (crew c)).
  { intros E. rewrite Crew. apply filter_In. split; [exact Hd|exact E]. }
  destruct (get needed l) as [cover|] eqn:En.
  2:{ injection H as <-. split; [exact K|]. split; [exact Less|]. intros s _ _. rewrite En. exact I. }
  assert (G : forall k, cover = Some k -> get mu l <> None -> forall s, In s (crew c) ->
    1 <= weight_at (source_weights k) s).
  { intros k -> Hmu s Hs. eapply (proj2 K); eassumption. }
  assert (Noted : forall k mu', cover = Some k -> (forall s, In s (crew c) -> 1 <= weight_at (source_weights k) s) ->
    is_noted mu' d l).
  { intros k mu' -> Gk s Hs _. rewrite En. apply Hneeded in En. apply (guard_at_least k s d l En). left. apply Gk, Hs. }
  destruct (get mu l) as [[x|]|] eqn:E.
  - destruct (own && (x =? d)%N) eqn:Eo; injection H as <-; cbn [fst].
    + split; [exact K|]. split; [exact Less|]. destruct cover as [k|].
      * apply (Noted k mu eq_refl), (G k eq_refl). discriminate.
      * intros s Hs Hne. rewrite En, E. apply andb_true_iff in Eo as [_ Ex]. apply N.eqb_eq in Ex. subst x. simpl.
        rewrite (proj2 (N.eqb_neq s d) Hne). apply Qle_refl.
    + assert (L : is_less mu (put l None mu)) by (apply put_less; intros s; rewrite E; apply mark_most).
      destruct cover as [k|].
      * pose proof (G k eq_refl ltac:(discriminate)) as Gk.
        split; [|split; [exact L|apply (Noted k _ eq_refl Gk)]].
        apply (keep_guarded mu costs _ l k En Gk); [|exact K]. intros i Hi. rewrite amount_bump.
        rewrite (proj2 (N.eqb_neq l i)) by congruence. simpl only. lra.
      * split; [|split; [exact L|]].
        -- apply keep_put; [exact En| |exact K]. rewrite E, sum_all. apply sum_but_all.
        -- intros s _ _. rewrite En, get_put, N.eqb_refl. apply Qle_refl.
  - injection H as <-. split; [exact K|]. split; [exact Less|]. cbn [fst]. destruct cover as [k|].
    + apply (Noted k mu eq_refl), (G k eq_refl). discriminate.
    + intros s _ _. rewrite En, E. apply Qle_refl.
  - assert (L : forall o, is_less mu (put l o mu)).
    { intros o. apply put_less. intros s. rewrite E. apply mark_nonneg. }
    destruct cover as [k|].
    + assert (Ek := En). apply Hneeded in Ek.
      destruct (Qle_bool 1 (weight_at (destination_weights k) d)) eqn:Eq.
      { injection H as <-. split; [exact K|]. split; [exact Less|]. intros s Hs _. rewrite En.
        apply (guard_at_least k s d l Ek). right. apply Qle_bool_iff, Eq. }
      destruct (forallb (fun s => Qle_bool 1 (weight_at (source_weights k) s)) (crew c)) eqn:Ea.
      * injection H as <-. cbn [fst snd].
        assert (Gk : forall s, In s (crew c) -> 1 <= weight_at (source_weights k) s).
        { rewrite forallb_forall in Ea. intros s Hs. apply Qle_bool_iff, Ea, Hs. }
        split; [|split; [apply L|apply (Noted k _ eq_refl Gk)]].
        apply (keep_guarded mu costs costs l k En Gk); [intros; apply Qle_refl|exact K].
      * destruct (forallb (fun s => (s =? d)%N || is_guarded cuts k s d 1) (crew c)) eqn:Ef; [|discriminate].
        injection H as <-. split; [exact K|]. split; [exact Less|]. intros s Hs Hne. rewrite En.
        rewrite forallb_forall in Ef. specialize (Ef s Hs). rewrite (proj2 (N.eqb_neq s d) Hne) in Ef.
        eapply guarded_at_least; eassumption.
    + destruct own; injection H as <-; cbn [fst snd]; (split; [|split; [apply L|]]).
      * apply keep_put; [exact En| |exact K]. rewrite E, sum_no, sum_but by (apply Own; reflexivity).
        rewrite Whole. lra.
      * intros s _ Hne. rewrite En, get_put, N.eqb_refl. simpl. rewrite (proj2 (N.eqb_neq s d) Hne). apply Qle_refl.
      * apply keep_put; [exact En| |exact K]. rewrite E, sum_no, sum_all, Whole. lra.
      * intros s _ _. rewrite En, get_put, N.eqb_refl. apply Qle_refl.
Qed.

Lemma is_less_trans a b e : is_less a b -> is_less b e -> is_less a e.
Proof. intros H1 H2 l s. eapply Qle_trans; [apply H1|apply H2]. Qed.

Lemma note_links_sound d p : In d hosts -> forall acc acc', is_kept acc ->
  note_links cuts needed send c d (start_of d =? start c)%N (map (fun l => (l, 1)) p) acc = Some acc' ->
  is_kept acc' /\ is_less (fst acc) (fst acc') /\ forall l, In l p -> is_noted (fst acc') d l.
Proof.
  intros Hd. induction p as [|l p IH]; intros acc acc' K H; simpl in H.
  { injection H as <-. split; [exact K|]. split; [intros l s; apply Qle_refl|contradiction]. }
  destruct (note_link _ _ _ _ _ _ acc l) as [mid|] eqn:E; [|discriminate].
  destruct (note_link_sound _ _ _ _ Hd K E) as (K1 & L1 & N1). destruct (IH _ _ K1 H) as (K2 & L2 & N2).
  split; [exact K2|]. split; [eapply is_less_trans; eassumption|].
  intros i [<-|Hi]; [eapply is_noted_less; eassumption|apply N2, Hi].
Qed.

Lemma note_to_sound w rs : (forall x, In x rs -> is_reached w x) -> forall acc acc', is_kept acc ->
  note_to cuts needed send c rs acc = Some acc' ->
  is_kept acc' /\ is_less (fst acc) (fst acc') /\
  forall d home ways, In (d, home, ways) rs -> get ways (start c) <> None ->
    exists p, leads d (start c) p /\ is_told w d p /\ forall l, In l p -> is_noted (fst acc') d l.
Proof.
  induction rs as [|[[d home] ways] rs IH]; intros Hrs acc acc' K H; simpl in H.
  { injection H as <-. split; [exact K|]. split; [intros l s; apply Qle_refl|contradiction]. }
  assert (Hrs' : forall x, In x rs -> is_reached w x) by (intros; apply Hrs; right; assumption).
  destruct (Hrs (d, home, ways) (or_introl eq_refl)) as (Hd & -> & Hw).
  destruct (get ways (start c)) as [[long us]|] eqn:E.
  - destruct (Hw _ _ E) as (p & Hp & Ep & T). simpl in Ep. subst us.
    destruct (note_links _ _ _ _ _ _ _ acc) as [mid|] eqn:El; [|discriminate].
    destruct (note_links_sound _ _ Hd _ _ K El) as (K1 & L1 & N1). destruct (IH Hrs' _ _ K1 H) as (K2 & L2 & N2).
    split; [exact K2|]. split; [eapply is_less_trans; eassumption|]. intros d' home' ways' [X|X] Hne.
    + injection X as <- <- <-. exists p. split; [exact Hp|]. split; [exact T|]. intros l Hl.
      eapply is_noted_less; [exact L2|apply N1, Hl].
    + eapply N2; eassumption.
  - destruct (IH Hrs' _ _ K H) as (K2 & L2 & N2). split; [exact K2|]. split; [exact L2|].
    intros d' home' ways' [X|X] Hne; [injection X as <- <- <-; contradiction|eapply N2; eassumption].
Qed.
End Crowd.

Definition is_crowd (c : crowd) : Prop :=
  crew c = filter (fun s => start_of s =? start c)%N hosts /\ whole c == sum send (crew c).

(** The use of a link by a pair is covered, or counted as one of its source. *)
Definition is_counted (w : N -> N -> Q) (s d l : N) : Prop :=
  match get needed l with None => True | Some None => 1 <= w s l | Some (Some k) => 1 <= guard cuts k s d end.

Lemma note_crowds_sound w rs : (forall x, In x rs -> is_reached w x) -> forall cs before after,
  (forall c, In c cs -> is_crowd c) -> note_crowds cuts needed send rs cs before = Some after ->
  exists ws, adds send before after ws /\
  forall c d home ways s, In c cs -> In (d, home, ways) rs -> get ways (start c) <> None -> In s (crew c) -> s <> d ->
    exists p, leads d (start c) p /\ is_told w d p /\ forall l, In l p -> is_counted ws s d l.
Proof.
  intros Hrs. induction cs as [|c cs IH]; intros before after Hcs H; simpl in H.
  { injection H as <-. exists (fun _ _ => 0). split; [apply adds_nothing|contradiction]. }
  destruct (note_to cuts needed send c rs (none, before)) as [[mu costs]|] eqn:E; [|discriminate].
  destruct (Hcs c (or_introl eq_refl)) as [Crew Whole].
  assert (K0 : is_kept c before (none, before)).
  { split; cbn [fst snd].
    - intros l _. rewrite get_none, sum_no. lra.
    - intros l k s _ Hl. rewrite get_none in Hl. contradiction. }
  destruct (note_to_sound c before Crew Whole w rs Hrs _ _ K0 E) as (K & _ & N). cbn [fst] in N.
  destruct (IH _ _ (fun c Hc => Hcs c (or_intror Hc)) H) as (ws & Hws & IH').
  set (mine := fun s l => only (start_of s =? start c)%N (mark_weight (get mu l) s)).
  assert (A : adds send before costs mine).
  { split; [intros; apply only_nonneg, mark_nonneg|]. intros l El. destruct K as [K _]. specialize (K l El).
    cbn [fst snd] in K. rewrite Crew, sum_filter in K.
    assert (X : sum (fun h => mine h l * send h) hosts ==
      sum (fun s => only (start_of s =? start c)%N (mark_weight (get mu l) s * send s)) hosts).
    { apply sum_ext. intros s _. unfold mine. destruct (start_of s =? start c)%N; simpl only; ring. }
    rewrite X. exact K. }
  exists (fun s l => mine s l + ws s l). split; [eapply adds_more; eassumption|].
  intros c' d home ways s [<-|Hc] Hin Hne Hs Hsd.
  - destruct (N d home ways Hin Hne) as (p & Hp & T & Hl). exists p. split; [exact Hp|]. split; [exact T|].
    intros l Hi. specialize (Hl l Hi s Hs Hsd). unfold is_counted. destruct (get needed l) as [[k|]|]; try exact Hl.
    unfold mine. rewrite Crew in Hs. apply filter_In in Hs as [_ Hs]. rewrite Hs. simpl only.
    pose proof (proj1 Hws s l). lra.
  - destruct (IH' c' d home ways s Hc Hin Hne Hs Hsd) as (p & Hp & T & Hl). exists p. split; [exact Hp|].
    split; [exact T|]. intros l Hi. specialize (Hl l Hi). unfold is_counted in *.
    destruct (get needed l) as [[k|]|]; try exact Hl.
    pose proof (proj1 A s l). lra.
Qed.

End Needed.
End Aside.

(** * All crowds *)

Lemma crowds_of_sound c : In c (crowds_of v ks send) -> is_crowd c.
Proof.
  unfold crowds_of. intros H. apply in_map_iff in H as (x & <- & _). unfold is_crowd. cbn [crew start whole].
  rewrite those_index. split; [reflexivity|apply sumr_sum].
Qed.

Lemma crowds_of_all s : In s hosts -> exists c, In c (crowds_of v ks send) /\ start c = start_of s /\ In s (crew c).
Proof.
  intros Hs. set (t := index start_of hosts).
  assert (Hin : In s (those t (start_of s))).
  { unfold t. rewrite those_index. apply filter_In. split; [exact Hs|apply N.eqb_refl]. }
  destruct (get t (start_of s)) as [ms|] eqn:E; [|unfold those in Hin; rewrite E in Hin; contradiction].
  exists (Crowd (start_of s) (those t (start_of s)) (sumr send (those t (start_of s)))).
  split; [|split; [reflexivity|exact Hin]].
  unfold crowds_of. apply in_map_iff. exists (start_of s, ms). split; [reflexivity|]. apply items_get, E.
Qed.

Lemma firsts_in l s : In (l, s) (firsts v ks) <-> In s hosts /\ exists u, first_link s = Some (l, u).
Proof.
  unfold firsts. cbn [net look]. induction hosts as [|h hs IH]; simpl.
  { split; [contradiction|]. intros [[] _]. }
  destruct (first_link h) as [[l' u']|] eqn:E; simpl; rewrite ?IH; split.
  - intros [X|[H1 H2]]; [injection X as -> ->; split; [left; reflexivity|eauto]|auto].
  - intros [[->|H1] [u H2]]; [left; congruence|right; eauto].
  - intros [H1 H2]. auto.
  - intros [[->|H1] [u H2]]; [congruence|eauto].
Qed.

Lemma sum_pick {A} (f : A -> Q) (g : A -> N) c l : (forall x, In x l -> In (g x) hosts) ->
  sum (fun h => sum (fun x => only (h =? g x)%N (f x)) l * c h) hosts == sum (fun x => f x * c (g x)) l.
Proof.
  intros H. transitivity (sum (fun h => sum (fun x => c h * only (h =? g x)%N (f x)) l) hosts).
  { apply sum_ext. intros h _. rewrite sum_times. ring. }
  rewrite sum_swap. apply sum_ext. intros x Hx.
  transitivity (f x * c (g x) * passes (g x) hosts).
  - unfold passes. rewrite <- sum_times. apply sum_ext. intros h _.
    destruct (N.eqb_spec h (g x)) as [->|_]; simpl only; ring.
  - rewrite (passes_once (g x) hosts (host_list_distinct n) (H x Hx)). ring.
Qed.

(** A host counts on its first link; all others do as destinations. *)
Definition first_source (s l : N) : Q := sum (fun x => only (s =? snd x)%N (only (fst x =? l)%N 1)) (firsts v ks).
Definition first_target (d l : N) : Q :=
  sum (fun x => only (negb (d =? snd x)%N) (only (fst x =? l)%N 1)) (firsts v ks).

Lemma first_source_nonneg s l : 0 <= first_source s l.
Proof. apply sum_nonneg. intros x _. apply only_nonneg, only_nonneg. discriminate. Qed.

Lemma first_target_nonneg s l : 0 <= first_target s l.
Proof. apply sum_nonneg. intros x _. apply only_nonneg, only_nonneg. discriminate. Qed.

Lemma firsts_hosts x : In x (firsts v ks) -> In (snd x) hosts.
Proof. destruct x as [l s]. intros H. apply firsts_in in H. apply H. Qed.

Lemma first_source_cost l : sum (fun h => first_source h l * send h) hosts ==
  amount_at (tally (map (fun x => (fst x, send (snd x))) (firsts v ks))) l.
Proof.
  rewrite amount_tally, sum_map. unfold first_source.
  rewrite (sum_pick (fun x => only (fst x =? l)%N 1) snd send (firsts v ks) firsts_hosts).
  apply sum_ext. intros x _. simpl. destruct (fst x =? l)%N; simpl only; ring.
Qed.

Lemma first_target_cost l : sum (fun h => first_target h l * receive h) hosts ==
  amount_at (tally (map (fun x => (fst x, sumr receive hosts - receive (snd x))) (firsts v ks))) l.
Proof.
  rewrite amount_tally, sum_map.
  pose proof (sum_pick (fun x => only (fst x =? l)%N 1) snd receive (firsts v ks) firsts_hosts) as P.
  transitivity (sum receive hosts * sum (fun x => only (fst x =? l)%N 1) (firsts v ks) -
    sum (fun x => only (fst x =? l)%N 1 * receive (snd x)) (firsts v ks)).
  - rewrite <- P.
    assert (E : sum (fun h => first_target h l * receive h) hosts +
      sum (fun h => sum (fun x => only (h =? snd x)%N (only (fst x =? l)%N 1)) (firsts v ks) * receive h) hosts ==
      sum receive hosts * sum (fun x => only (fst x =? l)%N 1) (firsts v ks)).
    { rewrite <- sum_plus, (Qmult_comm (sum receive hosts)), <- sum_times. apply sum_ext. intros h _.
      unfold first_target. rewrite <- Qmult_plus_distr_l, <- sum_plus.
      apply Qmult_comp; [|reflexivity]. apply sum_ext. intros x _. destruct (h =? snd x)%N; simpl; ring. }
    rewrite <- E. ring.
  - rewrite <- sum_times.
    assert (E : sum (fun x => only (fst x =? l)%N (sumr receive hosts - receive (snd x))) (firsts v ks) +
      sum (fun x => only (fst x =? l)%N 1 * receive (snd x)) (firsts v ks) ==
      sum (fun x => sum receive hosts * only (fst x =? l)%N 1) (firsts v ks)).
    { rewrite <- sum_plus. apply sum_ext. intros x _. pose proof (sumr_sum receive hosts) as S.
      destruct (fst x =? l)%N; simpl only; [rewrite S|]; ring. }
    rewrite <- E. simpl. ring.
Qed.

Lemma first_source_some s l u : In s hosts -> first_link s = Some (l, u) -> 1 <= first_source s l.
Proof.
  intros Hs E. assert (In (l, s) (firsts v ks)) by (apply firsts_in; eauto).
  transitivity (only (s =? s)%N (only (l =? l)%N 1)); [rewrite !N.eqb_refl; apply Qle_refl|].
  apply (sum_one (fun x => only (s =? snd x)%N (only (fst x =? l)%N 1)) (l, s)); [assumption|].
  intros x _. apply only_nonneg, only_nonneg. discriminate.
Qed.

Lemma first_target_some s d l u : In s hosts -> first_link s = Some (l, u) -> d <> s -> 1 <= first_target d l.
Proof.
  intros Hs E Hne. assert (In (l, s) (firsts v ks)) by (apply firsts_in; eauto).
  transitivity (only (negb (d =? s)%N) (only (l =? l)%N 1)).
  { rewrite (proj2 (N.eqb_neq d s) Hne), N.eqb_refl. apply Qle_refl. }
  apply (sum_one (fun x => only (negb (d =? snd x)%N) (only (fst x =? l)%N 1)) (l, s)); [assumption|].
  intros x _. apply only_nonneg, only_nonneg. discriminate.
Qed.

(** A first link on the way to d is that of another host. *)
Lemma first_target_path d l s h q : leads d s q -> In l q -> In (l, h) (firsts v ks) -> 1 <= first_target d l.
Proof.
  intros Hq Hl H. destruct (leads_from _ _ _ _ _ _ Hq Hl) as (k & Ek & Hne).
  apply firsts_in in H as (Hh & u & E). destruct (first_link_sound _ _ _ E) as (_ & k' & Ek' & Ef & _).
  eapply first_target_some; [exact Hh|exact E|congruence].
Qed.

Lemma aside_sound fs l :
  get (fold_right (fun x t => put (fst x) tt t) (PositiveMap.map (fun _ => tt) m) fs) l <> None ->
  get m l <> None \/ exists s : N, In (l, s) fs.
Proof.
  induction fs as [|[i s] fs IH]; simpl.
  - unfold get, PositiveMap.map. rewrite PositiveMap.gmapi. destruct (PositiveMap.find _ m); simpl; [left|]; congruence.
  - rewrite get_put. destruct (N.eqb_spec i l) as [->|_]; [right; exists s; left; reflexivity|].
    intros H. destruct (IH H) as [X|[h X]]; [left; exact X|right; exists h; right; exact X].
Qed.

Lemma matter_sound into upper l k : get (matter n m into upper) l = Some (Some k) <-> get m l = Some k.
Proof.
  unfold matter.
  assert (G : forall ls found, (forall l k, get found l = Some (Some k) <-> get m l = Some k) ->
    forall l k, get (fold_left (fun found lk => match get m (fst lk) with
      | Some _ => found
      | None => if Qle_bool (amount_at into (fst lk)) (upper * capacity (snd lk)) then found
                else put (fst lk) None found
      end) ls found) l = Some (Some k) <-> get m l = Some k).
  { induction ls as [|[i x] ls IH]; intros found H; [exact H|]. simpl fold_left. apply IH. intros j y.
    destruct (get m i) as [z|] eqn:E; [apply H|]. destruct (Qle_bool _ _); [apply H|]. rewrite get_put.
    destruct (N.eqb_spec i j) as [<-|_]; [|apply H]. rewrite E. split; discriminate. }
  apply G. intros j y. unfold get, PositiveMap.map. rewrite PositiveMap.gmapi.
  destruct (PositiveMap.find _ m); simpl; split; congruence.
Qed.

Theorem crowd_costs_sound upper a counted b : crowd_costs v ks cuts m send receive upper = Some (a, counted, b) ->
  is_routing n R /\ costs_at_most n (Next rows) m counted send (fun s _ => s) a /\
  costs_at_most n (Next rows) m (fun _ => true) receive (fun _ d => d) b /\ are_guarded n (Next rows) cuts m.
Proof.
  unfold crowd_costs. cbn [net look]. destruct (forallb _ (firsts v ks)) eqn:Ef; [|discriminate].
  destruct (reach_all _ _ _ _ _ _ _) as [[rs into]|] eqn:Er; [|discriminate].
  destruct (note_crowds _ _ _ _ _ _) as [out|] eqn:Ec; [|discriminate]. intros H. injection H as <- <- <-.
  set (aside := fold_right _ _ _) in *. set (needed := matter n m into upper) in *.
  assert (Hneeded : forall l k, get needed l = Some (Some k) <-> get m l = Some k) by (apply matter_sound).
  destruct (reach_all_sound aside _ _ _ _ _ (incl_refl _) Er) as (w & [Pw Aw] & Hrs & Hd).
  destruct (note_crowds_sound aside needed Hneeded w rs Hrs _ _ _ crowds_of_sound Ec) as (ws & [Ps As] & Hc).
  assert (A : forall s d, is_pair n s d -> exists q, R s d = [(1, q)] /\ leads d s q /\ NoDup q /\
    forall l, In l q -> (get m l = None -> get needed l <> None -> 1 <= ws s l + first_source s l) /\
      (get m l = None -> 1 <= w d l + first_target d l) /\
      (get m l <> None -> 1 <= guard_in cuts m l s d)).
  { intros s d (Hs & Ht & Hne). apply in_host_list in Hs, Ht.
    destruct (crowds_of_all s Hs) as (c & Hin & Es & Hcrew). destruct (Hd d Ht) as (ways & Hw & Hget).
    assert (Ho : only_is c d = false).
    { destruct (only_is c d) eqn:Eo; [|reflexivity]. exfalso. exact (Hne (only_is_sound _ _ _ Eo Hcrew)). }
    destruct (Hc c d _ ways s Hin Hw (Hget c Hin Ho) Hcrew Hne) as (p & Hp & T & Hl). rewrite Es in Hp.
    destruct (crowd_path s d p Hne Hp) as (q & E & Hq & D & Hi). exists q. repeat (split; [assumption|]).
    intros l Hlq. pose proof (Ps s l) as P1. pose proof (Pw d l) as P2.
    pose proof (first_source_nonneg s l) as P3. pose proof (first_target_nonneg d l) as P4. split; [|split].
    - intros El En. destruct (Hi l Hlq) as [Hlp|[u Eu]].
      + specialize (Hl l Hlp). unfold is_counted in Hl.
        destruct (get needed l) as [[k|]|] eqn:E1; [apply Hneeded in E1; congruence|lra|contradiction].
      + pose proof (first_source_some s l u Hs Eu). lra.
    - intros El. destruct (get aside l) as [[]|] eqn:E1.
      + destruct (aside_sound (firsts v ks) l) as [X|[h X]]; [fold aside; congruence|contradiction|].
        pose proof (first_target_path d l s h q Hq Hlq X). lra.
      + destruct (Hi l Hlq) as [Hlp|[u Eu]]; [specialize (T l Hlp E1); lra|].
        assert (X : In (l, s) (firsts v ks)) by (apply firsts_in; eauto).
        pose proof (first_target_path d l s s q Hq Hlq X). lra.
    - intros El. unfold guard_in. destruct (get m l) as [k|] eqn:Ek; [|contradiction].
      destruct (Hi l Hlq) as [Hlp|[u Eu]].
      + specialize (Hl l Hlp). unfold is_counted in Hl. rewrite (proj2 (Hneeded l k) Ek) in Hl. exact Hl.
      + rewrite forallb_forall in Ef. assert (F : In (l, s) (firsts v ks)) by (apply firsts_in; eauto).
        specialize (Ef _ F). unfold is_first_guarded in Ef. cbn [fst snd] in Ef. rewrite Ek in Ef.
        apply orb_true_iff in Ef as [Ef|Ef].
        * apply (guard_at_least k s d l Ek). left. apply Qle_bool_iff, Ef.
        * rewrite forallb_forall in Ef. specialize (Ef d Ht). rewrite (proj2 (N.eqb_neq s d) Hne) in Ef.
          eapply guarded_at_least; eassumption. }
  split; [|split; [|split]].
  - intros s d Hp. destruct (A s d Hp) as (q & -> & Hq & _). split; [|reflexivity].
    intros x p' [F|[]]. injection F as <- <-. split; [discriminate|]. eapply leads_joins, Hq.
  - exists (fun s l => first_source s l + ws s l).
    split; [intros s l; pose proof (Ps s l); pose proof (first_source_nonneg s l); lra|]. split.
    + intros s d l El Hl' Hp. destruct (A s d Hp) as (q & -> & _ & D & Hl).
      destruct (share_of_one q l D) as [S1 S2].
      assert (En : get needed l <> None) by (destruct (get needed l); discriminate).
      pose proof (Ps s l). pose proof (first_source_nonneg s l).
      destruct (in_dec N.eq_dec l q) as [Hi|Hi]; [destruct (Hl l Hi) as (X & _ & _); specialize (X El En)
        |specialize (S2 Hi)]; lra.
    + intros l El. specialize (As l El). rewrite <- first_source_cost in As. eapply Qle_trans; [|exact As].
      apply Qle_lteq. right. rewrite <- sum_plus. apply sum_ext. intros; ring.
  - exists (fun d l => first_target d l + w d l).
    split; [intros d l; pose proof (Pw d l); pose proof (first_target_nonneg d l); lra|]. split.
    + intros s d l El _ Hp. destruct (A s d Hp) as (q & -> & _ & D & Hl). destruct (share_of_one q l D) as [S1 S2].
      pose proof (Pw d l). pose proof (first_target_nonneg d l).
      destruct (in_dec N.eq_dec l q) as [Hi|Hi]; [destruct (Hl l Hi) as (_ & X & _); specialize (X El)
        |specialize (S2 Hi)]; lra.
    + intros l El. specialize (Aw l El). rewrite <- first_target_cost in Aw. eapply Qle_trans; [|exact Aw].
      apply Qle_lteq. right. rewrite <- sum_plus. apply sum_ext. intros; ring.
  - intros s d l El Hp. destruct (A s d Hp) as (q & -> & _ & D & Hl). destruct (share_of_one q l D) as [S1 S2].
    pose proof (guard_in_nonneg n cuts m l s d Hm).
    destruct (in_dec N.eq_dec l q) as [Hi|Hi]; [destruct (Hl l Hi) as (_ & _ & X); specialize (X El)
      |specialize (S2 Hi)]; lra.
Qed.
End Crowds.
