(** What the checker looks up and adds up is what the specification says. *)

From Coq Require Import QArith NArith List Bool Lia Lqa FMapPositive.
From Verified Require Import Check Sums Duality.
Import ListNotations.
Open Scope Q_scope.

(** * Lookups *)

Lemma joins_ext f g v d p : (forall l, f l = g l) -> joins f v d p = joins g v d p.
Proof.
  intros H. revert v. induction p as [|l p IH]; intros v; simpl; [reflexivity|].
  rewrite H. destruct (g l); [rewrite IH|]; reflexivity.
Qed.

Lemma follow_ext f g e e' most v d :
  (forall l, f l = g l) -> (forall v d, e v d = e' v d) -> follow f e most v d = follow g e' most v d.
Proof.
  intros H He. revert v. induction most as [|most IH]; intros v; simpl; [reflexivity|].
  destruct (v =? d)%N; [reflexivity|]. rewrite He. destruct (e' v d) as [l|]; [|reflexivity].
  rewrite H. destruct (g l) as [k|]; [|reflexivity]. rewrite IH. reflexivity.
Qed.

Lemma find_link n l : get (array (links n)) l = link_of n l.
Proof. apply get_array. Qed.

Lemma filter_map {A B} (g : A -> B) p l : filter p (map g l) = map g (filter (fun x => p (g x)) l).
Proof.
  induction l as [|x l IH]; [reflexivity|]. simpl. destruct (p (g x)); simpl; rewrite IH; reflexivity.
Qed.

Lemma filter_and {A} (p q : A -> bool) l : filter q (filter p l) = filter (fun x => p x && q x) l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. simpl. destruct (p x); simpl; [destruct (q x)|]; rewrite IH; reflexivity.
Qed.

Definition ready (r : row) : known_row := (fst r, snd r, array (snd r)).

Lemma entry_known rows v d :
  known_entry (index (fun r => fst (fst r)) (map ready rows)) v d = entry rows v d.
Proof.
  unfold known_entry, entry. rewrite those_index, filter_map.
  change (@filter row (fun x => (fst (fst (ready x)) =? v)%N) rows)
    with (@filter (N * list (option N)) (fun r => (fst r =? v)%N) rows).
  destruct (@filter (N * list (option N)) (fun r => (fst r =? v)%N) rows) as [|[a es] rest]; [reflexivity|].
  simpl. destruct es as [|x [|y es]]; rewrite ?get_array; reflexivity.
Qed.

Lemma lookup_listed n records s d : lookup (look n (known_paths records)) s d = listed records s d.
Proof.
  unfold lookup, listed. cbn [known look known_paths]. unfold get, PositiveMap.map. rewrite PositiveMap.gmapi.
  pose proof (those_index ls records s) as E. unfold those, get in E. rewrite <- filter_and, <- E.
  destruct (PositiveMap.find (key s) (index ls records)) as [mine|]; [|reflexivity].
  simpl option_map. cbv iota. rewrite those_index. reflexivity.
Qed.

Lemma lookup_stands n r s d : lookup (look n (know r)) s d = stands_for n r s d.
Proof.
  destruct r as [rows|records]; [|apply lookup_listed].
  unfold lookup, stands_for. simpl. fold ready.
  erewrite follow_ext; [reflexivity|apply find_link|]. intros; apply entry_known.
Qed.

(** * Checks of pairs *)

Lemma is_positive_sound q : is_positive q = true -> 0 < q.
Proof.
  unfold is_positive. intros H. apply negb_true_iff in H. apply Qnot_le_lt. intros E.
  apply Qle_bool_iff in E. congruence.
Qed.

Lemma check_pair_sound n s d : check_pair n s d = true -> is_pair n s d.
Proof.
  unfold check_pair, is_pair. rewrite !andb_true_iff, !N.ltb_lt, negb_true_iff, N.eqb_neq. tauto.
Qed.

Lemma check_routed_sound n r s d ps : check_routed (look n r) s d ps = true -> is_routed n s d ps.
Proof.
  unfold check_routed. rewrite andb_true_iff, forallb_forall. intros [H1 H2]. split.
  - intros q p Hin. specialize (H1 _ Hin). apply andb_true_iff in H1 as [H1 H3].
    split; [apply Qle_bool_iff, H1|]. rewrite <- H3. apply joins_ext. intros. symmetry. apply find_link.
  - apply Qeq_bool_iff in H2. rewrite <- sumr_sum. exact H2.
Qed.

Lemma in_host_list n h : (h < hosts n)%N -> In h (host_list n).
Proof.
  intros H. unfold host_list. apply in_map_iff. exists (N.to_nat h). split; [apply N2Nat.id|].
  apply in_seq. lia.
Qed.

Lemma host_list_in n h : In h (host_list n) -> (h < hosts n)%N.
Proof.
  unfold host_list. intros H. apply in_map_iff in H as (x & <- & H). apply in_seq in H. lia.
Qed.

Lemma host_list_distinct n : NoDup (host_list n).
Proof.
  unfold host_list. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros a b. apply Nat2N.inj.
Qed.

(** * Next links to one destination *)

Section Next.
Variables (find : N -> option link) (next : N -> N -> option N) (most : nat) (d : N).

(** A path that follows next links to d. *)
Fixpoint leads (v : N) (p : list N) : Prop :=
  match p with
  | [] => v = d
  | l :: p => v <> d /\ next v d = Some l /\ exists k, find l = Some k /\ from k = v /\ leads (to k) p
  end.

Lemma leads_follow p : forall v long, leads v p -> (length p <= long)%nat -> follow find next long v d = Some p.
Proof.
  induction p as [|l p IH]; intros v long H Hl.
  - simpl in H. subst. destruct long; simpl; rewrite N.eqb_refl; reflexivity.
  - destruct H as (Hv & Hn & k & Ek & Ef & H). destruct long as [|long]; [inversion Hl|]. simpl.
    rewrite (proj2 (N.eqb_neq v d) Hv), Hn, Ek, Ef, N.eqb_refl. rewrite IH; [reflexivity|exact H|].
    simpl in Hl. lia.
Qed.

Lemma leads_joins p : forall v, leads v p -> joins find v d p = true.
Proof.
  induction p as [|l p IH]; intros v H; simpl in *; [apply N.eqb_eq, H|].
  destruct H as (_ & _ & k & -> & Ef & H). rewrite (IH _ H), (proj2 (N.eqb_eq _ _) Ef). reflexivity.
Qed.

Lemma leads_once p : forall v p', leads v p -> leads v p' -> p = p'.
Proof.
  induction p as [|l p IH]; intros v [|l' p'] H H'; simpl in H, H'.
  - reflexivity.
  - destruct H' as [H' _]. contradiction.
  - destruct H as [H _]. contradiction.
  - destruct H as (_ & En & k & Ek & _ & H), H' as (_ & En' & k' & Ek' & _ & H').
    replace l' with l in * by congruence. replace k' with k in * by congruence. f_equal. eapply IH; eassumption.
Qed.

Lemma leads_end a b : forall v, leads v (a ++ b) -> exists u, leads u b.
Proof.
  induction a as [|l a IH]; intros v H; [exists v; exact H|]. destruct H as (_ & _ & k & _ & _ & H).
  eapply IH, H.
Qed.

(** Such a path would pass a link again and again, or does so once. *)
Lemma leads_distinct p : forall v, leads v p -> NoDup p.
Proof.
  induction p as [|l p IH]; intros v H; [constructor|]. constructor.
  - intros Hin. apply in_split in Hin as (a & b & ->).
    assert (H' := H). destruct H as (_ & _ & k & Ek & Ef & H). apply leads_end in H as [u Hu].
    assert (u = v). { destruct Hu as (_ & _ & k' & Ek' & Ef' & _). congruence. }
    subst u. pose proof (leads_once _ _ _ H' Hu) as E. injection E as E. apply (f_equal (@length N)) in E.
    rewrite app_length in E. simpl in E. lia.
  - destruct H as (_ & _ & k & _ & _ & H). eapply IH, H.
Qed.

(** The uses of such a path, which are among [all]. *)
Definition is_way (all : list (N * Q)) (v : N) (w : way) : Prop :=
  exists p, leads v p /\ fst w = length p /\ snd w = map (fun l => (l, 1)) p /\ incl (snd w) all.

Definition is_found (f : ways_found) : Prop :=
  get (fst f) d <> None /\ forall v w, get (fst f) v = Some w -> is_way (snd f) v w.

Lemma is_way_incl all all' v w : incl all all' -> is_way all v w -> is_way all' v w.
Proof.
  intros H (p & H1 & H2 & H3 & H4). exists p. repeat split; try assumption. eapply incl_tran; eassumption.
Qed.

Lemma trace_sound fuel : forall v f w f', is_found f -> trace find (fun v => next v d) fuel f v = Some (w, f') ->
  is_found f' /\ incl (snd f) (snd f') /\ is_way (snd f') v w.
Proof.
  induction fuel as [|fuel IH]; intros v f w f' Hf H; simpl in H; destruct (get (fst f) v) as [w'|] eqn:E.
  1, 3: injection H as -> ->; split; [exact Hf|]; split; [apply incl_refl|]; apply Hf, E.
  - discriminate.
  - destruct (next v d) as [l|] eqn:En; [|discriminate]. destruct (find l) as [k|] eqn:Ek; [|discriminate].
    destruct (N.eqb_spec (from k) v) as [Ef|]; [|discriminate].
    destruct (trace _ _ fuel f (to k)) as [[[long p] g]|] eqn:Et; [|discriminate]. injection H as <- <-.
    destruct (IH _ _ _ _ Hf Et) as ([Hd Hg] & Hi & q & Hq & El & Ep & Hall). simpl in El, Ep, Hall. subst long p.
    assert (W : is_way ((l, 1) :: snd g) v (S (length q), (l, 1) :: map (fun l => (l, 1)) q)).
    { exists (l :: q). repeat split; try reflexivity.
      - intros ->. apply (proj1 Hf), E.
      - exact En.
      - exists k. tauto.
      - simpl. intros y [<-|Hy]; [left; reflexivity|right; apply Hall, Hy]. }
    split; [split|split; [intros y Hy; right; apply Hi, Hy|exact W]]; simpl fst; simpl snd.
    + rewrite get_put. destruct (v =? d)%N; [discriminate|exact Hd].
    + intros u w. rewrite get_put. destruct (N.eqb_spec v u) as [<-|_].
      * intros H. injection H as <-. exact W.
      * intros H. apply (is_way_incl (snd g)); [apply incl_tl, incl_refl|apply Hg, H].
Qed.

Lemma trace_all_sound sources : forall f pairs all, is_found f ->
  trace_all find (fun v => next v d) most f sources = Some (pairs, all) ->
  incl (snd f) all /\ forall s, In s sources -> exists p, leads s p /\ (length p <= most)%nat /\
    In (s, map (fun l => (l, 1)) p) pairs /\ incl (map (fun l => (l, 1)) p) all.
Proof.
  induction sources as [|x sources IH]; intros f pairs all Hf H; simpl in H.
  { injection H as <- <-. split; [apply incl_refl|contradiction]. }
  destruct (trace _ _ most f x) as [[[long us] g]|] eqn:Et; [|discriminate].
  destruct (Nat.leb_spec long most) as [Hlong|]; [|discriminate].
  destruct (trace_sound _ _ _ _ _ Hf Et) as (Hg & Hi & p & Hp & El & Ep & Hall).
  simpl in El, Ep, Hall. subst long us.
  destruct (trace_all _ _ most g sources) as [[pairs' all']|] eqn:Er; [|discriminate]. simpl in H. injection H as <- <-.
  destruct (IH _ _ _ Hg Er) as [Hi' H]. split; [eapply incl_tran; eassumption|]. intros s [<-|Hs].
  - exists p. repeat split; [exact Hp|exact Hlong|left; reflexivity|eapply incl_tran; eassumption].
  - destruct (H s Hs) as (q & H1 & H2 & H3 & H4). exists q. repeat split; try assumption. right. exact H3.
Qed.
End Next.

Lemma traced_sound n rows hosts d pairs all :
  traced (look n (know (Next rows))) (index (fun r => fst (fst r)) (map ready rows)) hosts d = Some (pairs, all) ->
  forall s, In s hosts -> s <> d -> exists p,
    leads (link_of n) (entry rows) d s p /\ stands_for n (Next rows) s d = [(1, p)] /\
    In (s, map (fun l => (l, 1)) p) pairs /\ incl (map (fun l => (l, 1)) p) all.
Proof.
  intros H s Hs Hne. unfold traced in H.
  apply (trace_all_sound (get (array (links n))) (known_entry (index (fun r => fst (fst r)) (map ready rows)))) in H.
  - destruct H as [_ H].
    destruct (H s) as (p & Hp & Hl & H1 & H2); [apply filter_In; rewrite (proj2 (N.eqb_neq s d) Hne); auto|].
    assert (F : follow (link_of n) (entry rows) (length (links n)) s d = Some p).
    { rewrite <- (leads_follow _ _ d p s _ Hp Hl). apply follow_ext; [symmetry; apply find_link|].
      intros. symmetry. apply entry_known. }
    exists p. split; [|split; [simpl; rewrite F; reflexivity|split; assumption]].
    clear - Hp. revert s Hp. induction p as [|l p IH]; intros s H; [exact H|]. simpl in *.
    rewrite <- entry_known, <- find_link. destruct H as (H1 & H2 & k & H3 & H4 & H). split; [exact H1|].
    split; [exact H2|]. exists k. auto.
  - split; simpl; [rewrite get_put, N.eqb_refl; discriminate|]. intros v w. rewrite get_put.
    destruct (N.eqb_spec d v) as [<-|_]; [|rewrite get_none; discriminate]. intros E. injection E as <-.
    exists []. repeat split. intros y [].
Qed.

Lemma check_routing_sound n r :
  check_routing (look n (know r)) = true -> is_routing n (stands_for n r).
Proof.
  unfold check_routing. cbv zeta. intros H s d (Hs & Hd & Hne).
  destruct r as [rows|records]; cbn [known look know known_paths net] in H;
    rewrite forallb_forall in H.
  - specialize (H d (in_host_list _ _ Hd)).
    destruct (traced _ _ _ d) as [[pairs all]|] eqn:E; [|discriminate].
    destruct (traced_sound _ _ _ _ _ _ E s (in_host_list _ _ Hs) Hne) as (p & Hp & -> & _).
    split; [|reflexivity]. intros q p' [F|[]]. injection F as <- <-. split; [discriminate|]. eapply leads_joins, Hp.
  - specialize (H s (in_host_list _ _ Hs)). rewrite forallb_forall in H.
    specialize (H d (in_host_list _ _ Hd)). apply orb_true_iff in H as [H|H].
    + apply N.eqb_eq in H. contradiction.
    + apply andb_true_iff in H as [_ H]. change (check_routed (look n (know (Paths records))) s d
        (lookup (look n (know (Paths records))) s d) = true) in H.
      rewrite lookup_stands in H. eapply check_routed_sound, H.
Qed.

Lemma check_network_sound n : check_network n = true -> is_network n.
Proof.
  unfold check_network. rewrite !andb_true_iff, !N.leb_le, forallb_forall. intros [[H1 H2] H3].
  split; [exact H1|split; [exact H2|]]. intros k Hk. specialize (H3 k Hk).
  rewrite !andb_true_iff, !N.ltb_lt in H3. destruct H3 as [[? ?] ?]. repeat split; try assumption.
  apply is_positive_sound. assumption.
Qed.

Lemma check_demands_sound n t :
  check_demands n t = true -> is_traffic n t /\ t <> [] /\ forall x, In x t -> 0 < amount x.
Proof.
  intros H. assert (H' : t <> [] /\ forallb (fun x => check_pair n (src x) (dst x) && is_positive (amount x)) t = true).
  { destruct t; [discriminate|]. split; [discriminate|exact H]. }
  destruct H' as [Hne H']. rewrite forallb_forall in H'.
  assert (Hpos : forall x, In x t -> 0 < amount x).
  { intros x Hx. apply is_positive_sound. specialize (H' x Hx). apply andb_true_iff in H'. tauto. }
  split; [|split; assumption]. intros x Hx. specialize (H' x Hx). apply andb_true_iff in H' as [H1 H2].
  split; [apply check_pair_sound, H1|]. apply Qlt_le_weak, Hpos, Hx.
Qed.

(** * Traffic on links *)

Lemma passes_cons l x p : passes l (x :: p) == only (x =? l)%N 1 + passes l p.
Proof. reflexivity. Qed.

Lemma amount_add_path p m a l : amount_at (add_path m a p) l == amount_at m l + a * passes l p.
Proof.
  revert m. induction p as [|x p IH]; intros m.
  - unfold passes. simpl. ring.
  - change (add_path m a (x :: p)) with (add_path (bump m x a) a p).
    rewrite IH, amount_bump, passes_cons. destruct (x =? l)%N; simpl only; ring.
Qed.

Lemma amount_add_paths ps m a l : amount_at (add_paths m a ps) l == amount_at m l + a * share ps l.
Proof.
  revert m. induction ps as [|[q p] ps IH]; intros m.
  - unfold share. simpl. ring.
  - change (add_paths m a ((q, p) :: ps)) with (add_paths (add_path m (times_r a q) p) a ps).
    rewrite IH, amount_add_path, times_r_sound. unfold share. rewrite sum_cons. simpl fst. simpl snd. ring.
Qed.

Lemma amount_add_traffic v t m l : amount_at (add_traffic m v t) l == amount_at m l + carried (lookup v) t l.
Proof.
  revert m. induction t as [|x t IH]; intros m.
  - unfold carried. simpl. ring.
  - change (add_traffic m v (x :: t)) with (add_traffic (add_paths m (amount x) (lookup v (src x) (dst x))) v t).
    rewrite IH, amount_add_paths. unfold carried. rewrite sum_cons. ring.
Qed.

Lemma check_flow_sound n flow t most :
  is_network n -> check_flow (look n (known_paths flow)) t most = true ->
  routes n (listed flow) t /\ loads_at_most n (listed flow) t most.
Proof.
  intros Hn. unfold check_flow. rewrite andb_true_iff, !forallb_forall. intros [H1 H2]. split.
  - intros x Hx. rewrite <- lookup_listed with (n := n). eapply check_routed_sound, (H1 x Hx).
  - intros l k E. assert (Hin : In (l, k) (link_list n)) by (apply in_link_list, E).
    specialize (H2 _ Hin). apply Qle_bool_iff in H2. simpl fst in H2. simpl snd in H2.
    apply div_le; [eapply capacity_positive; eassumption|].
    rewrite amount_add_traffic, amount_none in H2.
    setoid_replace (carried (listed flow) t l) with
      (0 + carried (lookup (look n (known_paths flow))) t l); [exact H2|].
    rewrite Qplus_0_l. unfold carried. apply sum_ext. intros x _. rewrite lookup_listed. reflexivity.
Qed.

Lemma carried_r_sound n r t l : carried_r (look n (know r)) t l == carried (stands_for n r) t l.
Proof.
  unfold carried_r, carried. rewrite sumr_sum. apply sum_ext. intros x _. rewrite sumr_sum, lookup_stands.
  reflexivity.
Qed.

(** * Uses *)

Lemma passes_none l p : ~ In l p -> passes l p == 0.
Proof.
  intros H. unfold passes. rewrite <- (sum_zero p). apply sum_ext. intros x Hx.
  destruct (N.eqb_spec x l) as [->|]; [contradiction|reflexivity].
Qed.

Lemma passes_once l p : NoDup p -> In l p -> passes l p == 1.
Proof.
  induction p as [|x p IH]; intros Hd Hin; [contradiction|]. inversion Hd; subst. rewrite passes_cons.
  destruct (N.eqb_spec x l) as [->|Hne].
  - rewrite passes_none by assumption. reflexivity.
  - destruct Hin as [->|Hin]; [contradiction|]. rewrite IH by assumption. reflexivity.
Qed.

Lemma general_uses ps l :
  (exists x, In (l, x) (items (add_paths none 1 ps)) /\ share ps l == x) \/ share ps l == 0.
Proof.
  pose proof (amount_add_paths ps none 1 l) as H. rewrite amount_none in H. unfold amount_at in H.
  destruct (get (add_paths none 1 ps) l) as [q|] eqn:E.
  - left. exists q. split; [apply items_get, E|]. rewrite H. ring.
  - right. rewrite Qplus_0_l, Qmult_1_l in H. symmetry. exact H.
Qed.

Lemma uses_of_one q p : NoDup p -> forall l,
  (exists x, In (l, x) (map (fun l => (l, q)) p) /\ share [(q, p)] l == x) \/ share [(q, p)] l == 0.
Proof.
  intros E l. unfold share. rewrite sum_cons. simpl fst. simpl snd. change (sum _ []) with 0.
  destruct (in_dec N.eq_dec l p) as [Hin|Hn].
  - left. exists q. split; [apply in_map_iff; exists l; split; [reflexivity|exact Hin]|].
    rewrite passes_once by assumption. ring.
  - right. rewrite passes_none by assumption. ring.
Qed.

Lemma uses_sound ps l : (exists x, In (l, x) (uses ps) /\ share ps l == x) \/ share ps l == 0.
Proof.
  unfold uses. destruct ps as [|[q p] [|b ps]]; try apply general_uses.
  destruct (are_distinct p) eqn:E; [|apply general_uses]. apply are_distinct_sound in E. apply uses_of_one, E.
Qed.

(** What pairs put on links is what [arriving] says. *)
Definition tells (ps : paths) (us : list (N * Q)) : Prop :=
  forall l, (exists x, In (l, x) us /\ share ps l == x) \/ share ps l == 0.

Lemma arriving_sound n r d pairs all :
  arriving (look n (know r)) (host_list n) d = Some (pairs, all) ->
  forall s, is_pair n s d -> exists us, In (s, us) pairs /\ incl us all /\ tells (stands_for n r s d) us.
Proof.
  intros H s (Hs & _ & Hne). apply in_host_list in Hs. destruct r as [rows|records]; unfold arriving in H;
    cbn [known look know known_paths] in H.
  - destruct (traced_sound _ _ _ _ _ _ H s Hs Hne) as (p & Hp & -> & H1 & H2).
    exists (map (fun l => (l, 1)) p). repeat split; try assumption. intros l.
    pose proof (uses_of_one 1 p (leads_distinct _ _ _ _ _ Hp)) as T. apply T.
  - injection H as <- <-. change (KnownPaths _) with (know (Paths records)).
    assert (Hin : In s (filter (fun s => negb (s =? d)%N) (host_list n))).
    { apply filter_In. rewrite (proj2 (N.eqb_neq s d) Hne). auto. }
    exists (uses (lookup (look n (know (Paths records))) s d)). split; [|split].
    + apply in_map_iff. exists s. auto.
    + intros y Hy. apply in_concat. exists (uses (lookup (look n (know (Paths records))) s d)).
      split; [|exact Hy]. apply in_map_iff. eexists. split; [|apply in_map, Hin]. reflexivity.
    + rewrite lookup_stands. intros l. apply uses_sound.
Qed.
