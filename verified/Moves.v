(** What automorphisms take along: what traffic is admissible, and loads. *)

From Coq Require Import QArith NArith List Bool Lia Lqa Permutation.
From Verified Require Import Check Sums Duality Lookup.
Import ListNotations.
Open Scope Q_scope.

(** * Numbers are shuffled *)

Lemma to_table_in steps x y : get (to_table steps) x = Some y -> In (x, y) steps.
Proof.
  induction steps as [|[a c] steps IH]; simpl; [rewrite get_none; discriminate|].
  rewrite get_put. destruct (N.eqb_spec a x) as [->|_]; [|auto]. intros E. injection E as ->. auto.
Qed.

Lemma to_table_some steps x : In x (map fst steps) -> exists y, get (to_table steps) x = Some y.
Proof.
  induction steps as [|[a c] steps IH]; simpl; [contradiction|]. rewrite get_put.
  destruct (N.eqb_spec a x) as [->|Hne]; [eauto|]. intros [E|E]; [contradiction|auto].
Qed.

Lemma to_table_get steps x y : NoDup (map fst steps) -> In (x, y) steps -> get (to_table steps) x = Some y.
Proof.
  induction steps as [|[a c] steps IH]; simpl; [contradiction|]. intros Hd. inversion Hd; subst. rewrite get_put.
  intros [E|Hin]; [injection E as -> ->; rewrite N.eqb_refl; reflexivity|].
  destruct (N.eqb_spec a x) as [->|_]; [|auto]. exfalso. apply (in_map fst) in Hin. contradiction.
Qed.

Lemma image_cases steps x :
  In (x, image (to_table steps) x) steps \/ (~ In x (map fst steps) /\ image (to_table steps) x = x).
Proof.
  unfold image. destruct (get (to_table steps) x) as [y|] eqn:E; [left; apply to_table_in, E|].
  right. split; [|reflexivity]. intros H. apply to_table_some in H as [y Hy]. congruence.
Qed.

Record is_shuffled (steps : list (N * N)) (below : N) : Prop := {
  once_from : NoDup (map fst steps);
  once_to : NoDup (map snd steps);
  from_to : forall x, In x (map fst steps) <-> In x (map snd steps);
  all_below : forall x, In x (map fst steps) -> (x < below)%N }.

Lemma is_shuffle_sound steps below : is_shuffle steps (to_table steps) below = true -> is_shuffled steps below.
Proof.
  unfold is_shuffle. rewrite !andb_true_iff, forallb_forall. intros [[H1 H2] H3]. apply distinct_sound in H1, H2.
  assert (Hto : incl (map snd steps) (map fst steps)).
  { intros y Hy. apply in_map_iff in Hy as (x & <- & Hx). specialize (H3 x Hx). apply andb_true_iff in H3 as [_ H3].
    destruct (get (to_table steps) (snd x)) as [z|] eqn:E; [|discriminate]. apply to_table_in in E.
    apply (in_map fst) in E. exact E. }
  split; try assumption.
  - intros x. split; [|apply Hto]. apply (NoDup_length_incl H2); [rewrite !map_length; lia|exact Hto].
  - intros y Hy. apply in_map_iff in Hy as (x & <- & Hx). specialize (H3 x Hx). apply andb_true_iff in H3 as [H3 _].
    apply N.ltb_lt, H3.
Qed.

Lemma in_reversed steps x y : In (x, y) (reversed steps) <-> In (y, x) steps.
Proof.
  unfold reversed. rewrite in_map_iff. split; [|intros H; exists (y, x); auto].
  intros ([a c] & E & H). simpl in E. injection E as -> ->. exact H.
Qed.

Lemma reversed_from steps : map fst (reversed steps) = map snd steps.
Proof. unfold reversed. rewrite map_map. reflexivity. Qed.

Lemma reversed_to steps : map snd (reversed steps) = map fst steps.
Proof. unfold reversed. rewrite map_map. reflexivity. Qed.

Lemma reversed_shuffled steps below : is_shuffled steps below -> is_shuffled (reversed steps) below.
Proof.
  intros [H1 H2 H3 H4]. split; rewrite ?reversed_from, ?reversed_to; try assumption.
  - intros x. symmetry. apply H3.
  - intros x Hx. apply H4, H3, Hx.
Qed.

Lemma there_and_back steps below x :
  is_shuffled steps below -> image (to_table (reversed steps)) (image (to_table steps) x) = x.
Proof.
  intros [H1 H2 H3 H4]. destruct (image_cases steps x) as [Hin|[Hn E]].
  - unfold image at 1. rewrite (to_table_get _ _ x); [reflexivity|rewrite reversed_from; exact H2|].
    apply in_reversed, Hin.
  - rewrite E. destruct (image_cases (reversed steps) x) as [Hin|[_ E']]; [|exact E'].
    exfalso. apply Hn, H3. apply (proj1 (in_reversed _ _ _)), (in_map snd) in Hin. exact Hin.
Qed.

Lemma back_and_there steps below x :
  is_shuffled steps below -> image (to_table steps) (image (to_table (reversed steps)) x) = x.
Proof.
  intros H. apply reversed_shuffled in H. pose proof (there_and_back _ _ x H) as E.
  replace (reversed (reversed steps)) with steps in E; [exact E|].
  unfold reversed. rewrite map_map. simpl. rewrite <- (map_id steps) at 1. apply map_ext. intros [a c]. reflexivity.
Qed.

Lemma image_below steps below x : is_shuffled steps below -> (x < below)%N -> (image (to_table steps) x < below)%N.
Proof.
  intros [H1 H2 H3 H4] Hx. destruct (image_cases steps x) as [Hin|[_ E]]; [|rewrite E; exact Hx].
  apply H4, H3. apply (in_map snd) in Hin. exact Hin.
Qed.

(** * Automorphisms *)

(** They take nodes along by [f] and back by [b], and links by [fl] and [bl]. *)
Record is_automorphism (n : network) (f b fl bl : N -> N) : Prop := {
  node_there : forall x, b (f x) = x;
  node_back : forall x, f (b x) = x;
  link_there : forall l, bl (fl l) = l;
  link_back : forall l, fl (bl l) = l;
  host_kept : forall x, (f x < hosts n)%N <-> (x < hosts n)%N;
  link_kept : forall l k, link_of n l = Some k -> exists k', link_of n (fl l) = Some k' /\
    from k' = f (from k) /\ to k' = f (to k) /\ capacity k' == capacity k;
  link_only : forall l k, link_of n (fl l) = Some k -> exists k', link_of n l = Some k' }.

Lemma count_length {A} (l : list A) : count l = N.of_nat (length l).
Proof.
  unfold count. assert (H : forall n, fold_left (fun n (_ : A) => N.succ n) l n = (n + N.of_nat (length l))%N).
  { induction l as [|x l IH]; intros n; simpl fold_left; simpl length; [lia|]. rewrite IH. lia. }
  rewrite H. lia.
Qed.

Lemma link_exists n l : (l < count (links n))%N <-> exists k, link_of n l = Some k.
Proof.
  rewrite count_length. unfold link_of. split.
  - intros H. destruct (nth_error (links n) (N.to_nat l)) eqn:E; [eauto|]. apply nth_error_None in E. lia.
  - intros [k E]. assert (N.to_nat l < length (links n))%nat; [|lia]. apply nth_error_Some. congruence.
Qed.

Definition moves_nodes (g : mover) := image (nodes_on g).
Definition moves_links (g : mover) := image (links_on g).

Definition is_moved (n : network) (g : mover) : Prop :=
  is_automorphism n (image (nodes_on g)) (image (nodes_back g)) (image (links_on g)) (image (links_back g)).

Lemma check_mover_sound n r m : check_mover (look n r) (mover_of m) = true -> is_moved n (mover_of m).
Proof.
  unfold check_mover, is_moved, mover_of. cbn [net look node_steps link_steps nodes_on nodes_back links_on links_back
    link_table].
  set (ns := List.concat (map steps_of (node_cycles m))). set (ks := List.concat (map steps_of (link_cycles m))).
  rewrite !andb_true_iff, !forallb_forall. intros [[[H1 H2] H3] H4].
  apply is_shuffle_sound in H1, H2. split.
  - intros x. eapply there_and_back, H1.
  - intros x. eapply back_and_there, H1.
  - intros x. eapply there_and_back, H2.
  - intros x. eapply back_and_there, H2.
  - intros x. destruct (image_cases ns x) as [Hin|[_ E]]; [|rewrite E; reflexivity].
    specialize (H3 _ Hin). apply eqb_prop in H3. simpl in H3. rewrite <- !N.ltb_lt, H3. reflexivity.
  - intros l k E. specialize (H4 (l, k) (proj2 (in_link_list n l k) E)). simpl in H4. rewrite find_link in H4.
    destruct (link_of n (image (to_table ks) l)) as [k'|]; [|discriminate]. exists k'. split; [reflexivity|].
    unfold is_same_link in H4. rewrite !andb_true_iff, !N.eqb_eq in H4. destruct H4 as [[? ?] H4].
    apply Qeq_bool_iff in H4. auto.
  - intros l k E. apply link_exists. rewrite <- (there_and_back ks _ l H2).
    apply image_below; [apply reversed_shuffled, H2|]. apply link_exists. eauto.
Qed.

Lemma sum_permutation {A} (f : A -> Q) l l' : Permutation l l' -> sum f l == sum f l'.
Proof. induction 1; rewrite ?sum_cons; try reflexivity; [rewrite IHPermutation; reflexivity|ring|].
  etransitivity; eassumption. Qed.

Lemma numbered_distinct {A} (l : list A) b : NoDup (map fst (numbered b l)).
Proof.
  revert b. induction l as [|x l IH]; intros b; simpl; constructor; [|apply IH].
  intros H. apply in_map_iff in H as ([i a] & E & H). simpl in E. apply numbered_in in H. lia.
Qed.

Section Moves.
Variables (n : network) (f b fl bl : N -> N).
Hypothesis H : is_automorphism n f b fl bl.

Lemma node_eqb x y : (f x =? y)%N = (x =? b y)%N.
Proof.
  destruct (N.eqb_spec (f x) y) as [E|E]; destruct (N.eqb_spec x (b y)) as [E'|E']; try reflexivity; exfalso.
  - apply E'. rewrite <- E, (node_there _ _ _ _ _ H). reflexivity.
  - apply E. rewrite E', (node_back _ _ _ _ _ H). reflexivity.
Qed.

Lemma link_eqb x y : (fl x =? fl y)%N = (x =? y)%N.
Proof.
  destruct (N.eqb_spec (fl x) (fl y)) as [E|E]; destruct (N.eqb_spec x y) as [E'|E']; try reflexivity; exfalso.
  - apply E'. rewrite <- (link_there _ _ _ _ _ H x), E. apply (link_there _ _ _ _ _ H).
  - apply E. congruence.
Qed.

Definition take (t : list demand) : list demand := map (fun x => Demand (f (src x)) (f (dst x)) (amount x)) t.
Definition take_all (ps : paths) : paths := map (fun qp => (fst qp, map fl (snd qp))) ps.

Lemma node_injective x y : f x = f y -> x = y.
Proof. intros E. rewrite <- (node_there _ _ _ _ _ H x), E. apply (node_there _ _ _ _ _ H). Qed.

Lemma pair_kept s d : is_pair n s d -> is_pair n (f s) (f d).
Proof.
  intros (Hs & Hd & Hne). split; [apply (host_kept _ _ _ _ _ H), Hs|]. split; [apply (host_kept _ _ _ _ _ H), Hd|].
  intros E. apply Hne, node_injective, E.
Qed.

Lemma take_traffic t : is_traffic n t -> is_traffic n (take t).
Proof.
  intros Ht x Hx. apply in_map_iff in Hx as (y & <- & Hy). destruct (Ht y Hy) as [Hp Ha].
  split; [apply pair_kept, Hp|exact Ha].
Qed.

Lemma joins_kept v d p : joins (link_of n) v d p = true -> joins (link_of n) (f v) (f d) (map fl p) = true.
Proof.
  revert v. induction p as [|l p IH]; intros v Hj; simpl in *.
  - apply N.eqb_eq in Hj. subst. apply N.eqb_refl.
  - destruct (link_of n l) as [k|] eqn:E; [|discriminate]. apply andb_true_iff in Hj as [Hf Hj].
    apply N.eqb_eq in Hf. destruct (link_kept _ _ _ _ _ H l k E) as (k' & -> & -> & -> & _).
    rewrite Hf, N.eqb_refl. apply IH, Hj.
Qed.

Lemma share_kept ps l : share (take_all ps) (fl l) == share ps l.
Proof.
  unfold share, take_all. rewrite sum_map. apply sum_ext. intros qp _. simpl. apply Qmult_comp; [reflexivity|].
  unfold passes. rewrite sum_map. apply sum_ext. intros x _. rewrite link_eqb. reflexivity.
Qed.

Lemma routed_kept s d ps : is_routed n s d ps -> is_routed n (f s) (f d) (take_all ps).
Proof.
  intros [H1 H2]. split.
  - intros q p Hin. apply in_map_iff in Hin as ([q' p'] & E & Hin). simpl in E. injection E as <- <-.
    destruct (H1 _ _ Hin) as [Hq Hj]. split; [exact Hq|apply joins_kept, Hj].
  - unfold take_all. rewrite sum_map. simpl. exact H2.
Qed.

Lemma load_kept r r' t l k k' :
  link_of n l = Some k -> link_of n (fl l) = Some k' -> carried r' (take t) (fl l) == carried r t l ->
  load r' (take t) (fl l) k' == load r t l k.
Proof.
  intros E E' Hc. destruct (link_kept _ _ _ _ _ H l k E) as (k'' & E'' & _ & _ & Hk). unfold load.
  replace k' with k'' by congruence. rewrite Hc, Hk. reflexivity.
Qed.

Lemma take_possible t m : possible_loads n t m -> possible_loads n (take t) m.
Proof.
  intros (H0 & best & Hb & Hl). split; [exact H0|]. exists (fun s d => take_all (best (b s) (b d))). split.
  - intros x Hx. apply in_map_iff in Hx as (y & <- & Hy). simpl. rewrite !(node_there _ _ _ _ _ H).
    apply routed_kept, (Hb y Hy).
  - intros l k E. rewrite <- (link_back _ _ _ _ _ H l) in *. destruct (link_only _ _ _ _ _ H _ _ E) as (k' & E').
    rewrite (load_kept best _ t _ _ _ E' E); [apply (Hl _ _ E')|].
    unfold carried, take. rewrite sum_map. apply sum_ext. intros x _. simpl.
    rewrite !(node_there _ _ _ _ _ H), share_kept. reflexivity.
Qed.

Lemma take_permutation t : is_permutation n t -> is_permutation n (take t).
Proof.
  intros (Ht & Hs & Hd & Ha). split; [apply take_traffic, Ht|].
  assert (M : forall g : demand -> N, NoDup (map g t) -> NoDup (map (fun x => f (g x)) t)).
  { intros g Hg. rewrite <- (map_map g f). apply FinFun.Injective_map_NoDup; [|exact Hg].
    intros x y. apply node_injective. }
  unfold take. rewrite !map_map. split; [exact (M src Hs)|]. split; [exact (M dst Hd)|].
  intros x Hx. apply in_map_iff in Hx as (y & <- & Hy). exact (Ha y Hy).
Qed.

(** Links that meet a node are taken to those that meet its image. *)
Lemma ends_kept (e : link -> N) h :
  (forall l k k', link_of n l = Some k -> link_of n (fl l) = Some k' -> e k' = f (e k)) ->
  sum (fun k => only (e k =? f h)%N (capacity k)) (links n) == sum (fun k => only (e k =? h)%N (capacity k)) (links n).
Proof.
  intros He. set (ids := map fst (link_list n)).
  set (at_node := fun h l => match link_of n l with Some k => only (e k =? h)%N (capacity k) | None => 0 end).
  assert (S : forall h, sum (fun k => only (e k =? h)%N (capacity k)) (links n) == sum (at_node h) ids).
  { intros x. unfold ids. rewrite sum_map, <- (sum_numbered (fun k => only (e k =? x)%N (capacity k)) (links n) 0).
    apply sum_ext. intros [l k] Hin. apply in_link_list in Hin. unfold at_node. simpl. rewrite Hin. reflexivity. }
  assert (I : forall l, In l ids <-> exists k, link_of n l = Some k).
  { intros l. unfold ids. rewrite in_map_iff. split.
    - intros ([i k] & <- & Hin). exists k. apply in_link_list, Hin.
    - intros [k E]. exists (l, k). split; [reflexivity|]. apply in_link_list, E. }
  assert (P : Permutation (map fl ids) ids).
  { apply NoDup_Permutation.
    - apply FinFun.Injective_map_NoDup; [|apply numbered_distinct]. intros x y E.
      rewrite <- (link_there _ _ _ _ _ H x), E. apply (link_there _ _ _ _ _ H).
    - apply numbered_distinct.
    - intros l. rewrite in_map_iff, I. split.
      + intros (l' & <- & Hin). apply I in Hin as [k E]. destruct (link_kept _ _ _ _ _ H _ _ E) as (k' & E' & _). eauto.
      + intros [k E]. exists (bl l). split; [apply (link_back _ _ _ _ _ H)|]. apply I.
        rewrite <- (link_back _ _ _ _ _ H l) in E. apply (link_only _ _ _ _ _ H _ _ E). }
  rewrite !S, <- (sum_permutation _ _ _ P), sum_map. apply sum_ext. intros l Hl. apply I in Hl as [k E].
  destruct (link_kept _ _ _ _ _ H _ _ E) as (k' & E' & _ & _ & Hk). unfold at_node. rewrite E, E', (He _ _ _ E E').
  rewrite node_eqb, (node_there _ _ _ _ _ H). destruct (e k =? h)%N; simpl; [exact Hk|reflexivity].
Qed.

Lemma leaving_kept h : leaving n (f h) == leaving n h.
Proof.
  apply (ends_kept from). intros l k k' E E'. destruct (link_kept _ _ _ _ _ H _ _ E) as (k'' & E'' & Hf & _).
    congruence.
Qed.

Lemma entering_kept h : entering n (f h) == entering n h.
Proof.
  apply (ends_kept to). intros l k k' E E'. destruct (link_kept _ _ _ _ _ H _ _ E) as (k'' & E'' & _ & Hf & _).
    congruence.
Qed.

Lemma take_hose t : is_hose n t -> is_hose n (take t).
Proof.
  intros [Ht Hh]. split; [apply take_traffic, Ht|]. intros h Hlt.
  assert (Hb : (b h < hosts n)%N) by (apply (host_kept _ _ _ _ _ H); rewrite (node_back _ _ _ _ _ H); exact Hlt).
  destruct (Hh _ Hb) as [Hs Hd]. rewrite <- leaving_kept in Hs. rewrite <- entering_kept in Hd.
  rewrite (node_back _ _ _ _ _ H) in Hs, Hd.
  split; [eapply Qle_trans; [|exact Hs]|eapply Qle_trans; [|exact Hd]]; apply Qle_lteq; right;
    unfold sent, received, take; rewrite sum_map; apply sum_ext; intros x _; simpl; rewrite node_eqb; reflexivity.
Qed.

End Moves.

(** * Bounds on links of a class *)

(** No traffic that counts for [q] puts more on link l. *)
Definition bounded (n : network) (r : routing) (q : quantity) (upper : Q) (l : N) : Prop :=
  forall k t, link_of n l = Some k ->
  match q with
  | PermutationLoad => is_permutation n t -> load r t l k <= upper
  | HoseLoad => is_hose n t -> load r t l k <= upper
  | ObliviousRatio => is_traffic n t -> forall m, possible_loads n t m -> load r t l k / m <= upper
  end.

Lemma upper_from_links n r q upper :
  (forall l k, link_of n l = Some k -> bounded n r q upper l) -> forall v, values_of q n r v -> v <= upper.
Proof.
  intros H v Hv. destruct q; simpl in Hv.
  - destruct Hv as (t & most & l & k & Ht & Hp & Ek & ->). exact (H l k Ek k t Ek Ht most Hp).
  - destruct Hv as (t & l & k & Ht & Ek & ->). exact (H l k Ek k t Ek Ht).
  - destruct Hv as (t & l & k & Ht & Ek & ->). exact (H l k Ek k t Ek Ht).
Qed.

(** [r'] does with the images of pairs and links what [r] does with them. *)
Definition follows (n : network) (r r' : routing) (f fl : N -> N) : Prop :=
  forall s d l, is_pair n s d -> share (r' (f s) (f d)) (fl l) == share (r s d) l.

Lemma bounded_back n r r' f b fl bl q upper l :
  is_automorphism n f b fl bl -> follows n r r' f fl -> bounded n r' q upper (fl l) -> bounded n r q upper l.
Proof.
  intros H Hr Hb k t E. destruct (link_kept _ _ _ _ _ H l k E) as (k' & E' & _). specialize (Hb k' (take f t) E').
  assert (L : is_traffic n t -> load r' (take f t) (fl l) k' == load r t l k).
  { intros Ht. eapply load_kept; try eassumption. unfold carried, take. rewrite sum_map. apply sum_ext.
    intros x Hx. simpl. rewrite (Hr _ _ l (proj1 (Ht x Hx))). reflexivity. }
  destruct q.
  - intros Ht m Hm. rewrite <- (L Ht). apply Hb; [eapply take_traffic; eassumption|eapply take_possible; eassumption].
  - intros Ht. rewrite <- (L (proj1 Ht)). apply Hb. eapply take_permutation; eassumption.
  - intros Ht. rewrite <- (L (proj1 Ht)). apply Hb. eapply take_hose; eassumption.
Qed.

Lemma same_path_sound p p' : same_path p p' = true -> p = p'.
Proof.
  revert p'. induction p as [|l p IH]; intros [|l' p'] E; simpl in E; try discriminate; [reflexivity|].
  apply andb_true_iff in E as [E1 E2]. apply N.eqb_eq in E1. rewrite E1, (IH _ E2). reflexivity.
Qed.

Lemma same_paths_sound ps ps' l : same_paths ps ps' = true -> share ps l == share ps' l.
Proof.
  revert ps'. induction ps as [|[q p] ps IH]; intros [|[q' p'] ps'] E; simpl in E; try discriminate; [reflexivity|].
  rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3]. apply same_path_sound in E1. apply Qeq_bool_iff in E2.
  unfold share. rewrite !sum_cons. fold (share ps l). fold (share ps' l). rewrite (IH _ E3). simpl. rewrite E1, E2.
  reflexivity.
Qed.

Lemma is_within_sound a b i q : is_within a b = true -> get a i = Some q -> amount_at b i == q.
Proof.
  unfold is_within. rewrite forallb_forall. intros H E. apply items_get in E. specialize (H _ E). apply Qeq_bool_iff, H.
Qed.

Lemma same_shares_sound ps ps' l : same_shares ps ps' = true -> share ps l == share ps' l.
Proof.
  unfold same_shares. rewrite orb_true_iff, andb_true_iff. intros [H|[H1 H2]]; [apply same_paths_sound, H|].
  assert (S : forall ps, share ps l == amount_at (add_paths none 1 ps) l).
  { intros x. rewrite amount_add_paths, amount_none. ring. }
  rewrite (S ps), (S ps'). destruct (get (add_paths none 1 ps) l) as [x|] eqn:E.
  - rewrite (is_within_sound _ _ _ _ H1 E). unfold amount_at. rewrite E. reflexivity.
  - destruct (get (add_paths none 1 ps') l) as [y|] eqn:E'.
    + rewrite (is_within_sound _ _ _ _ H2 E'). unfold amount_at. rewrite E'. reflexivity.
    + unfold amount_at. rewrite E, E'. reflexivity.
Qed.

Lemma check_respect_sound n r gs g :
  check_respect (look n (know r)) gs = true -> In g gs -> is_moved n g ->
  follows n (stands_for n r) (stands_for n r) (image (nodes_on g)) (image (links_on g)).
Proof.
  intros H Hg Hm s d l (Hs & Hd & Hne).
  assert (H' : forallb (fun s => forallb (fun d => (s =? d)%N ||
    is_respected (look n (know r)) gs s d (lookup (look n (know r)) s d)) (host_list n)) (host_list n) = true)
    by (destruct gs; [contradiction|exact H]).
  rewrite forallb_forall in H'. specialize (H' s (in_host_list _ _ Hs)). rewrite forallb_forall in H'.
  specialize (H' d (in_host_list _ _ Hd)). apply orb_true_iff in H' as [E|H']; [apply N.eqb_eq in E; contradiction|].
  unfold is_respected in H'. rewrite forallb_forall in H'. specialize (H' g Hg). rewrite !lookup_stands in H'.
  rewrite <- (same_shares_sound _ _ _ H'). apply (share_kept n _ _ _ _ Hm).
Qed.

(** What holds of links with covers, and of all that are taken to a link of which it holds,
    holds of all that are free. *)
Lemma spread_all (P : N -> Prop) gs most : forall found last,
  (forall g l, In g gs -> P l -> P (image (links_back g) l)) ->
  (forall l, get found l <> None -> P l) -> (forall l, In l last -> P l) ->
  forall l, get (spread most gs found last) l <> None -> P l.
Proof.
  induction most as [|most IH]; intros found last Hg Hf Hl; [exact Hf|]. destruct last as [|x last]; [exact Hf|].
  assert (Hx : P x) by (apply Hl; left; reflexivity).
  assert (G : forall gs' acc, incl gs' gs ->
    (forall l, get (fst acc) l <> None -> P l) -> (forall l, In l (snd acc) -> P l) ->
    let acc := fold_left (fun acc g =>
      let l := image (links_back g) x in
      match get (fst acc) l with Some _ => acc | None => (put l tt (fst acc), l :: snd acc) end) gs' acc in
    (forall l, get (fst acc) l <> None -> P l) /\ (forall l, In l (snd acc) -> P l)).
  { induction gs' as [|g gs' IHg]; intros acc Hin Ha Hb; [split; assumption|]. simpl fold_left.
    assert (Py : P (image (links_back g) x)) by (apply Hg; [apply Hin; left; reflexivity|exact Hx]).
    apply IHg; [intros z Hz; apply Hin; right; exact Hz| |];
      destruct (get (fst acc) (image (links_back g) x)) eqn:E; try assumption; intros l; simpl.
    - rewrite get_put. destruct (N.eqb_spec (image (links_back g) x) l) as [<-|_]; auto.
    - intros [<-|Hin']; auto. }
  simpl spread. destruct (fold_left _ gs (found, last)) as [found' last'] eqn:E.
  specialize (G gs (found, last) (incl_refl _) Hf (fun l Hin => Hl l (or_intror Hin))). cbv zeta in G. rewrite E in G.
  destruct G as [G1 G2]. apply IH; assumption.
Qed.

Lemma free_links_all (P : N -> Prop) n gs covered :
  (forall g l, In g gs -> P l -> P (image (links_back g) l)) -> (forall l, In l covered -> P l) ->
  forall l, get (free_links n gs covered) l <> None -> P l.
Proof.
  intros Hg Hc l. unfold free_links. destruct gs as [|g gs]; [rewrite get_none; congruence|].
  apply spread_all; [exact Hg| |exact Hc].
  assert (G : forall cs m, (forall l, get m l <> None -> P l) -> (forall l, In l cs -> P l) ->
    forall l, get (fold_left (fun m l => put l tt m) cs m) l <> None -> P l).
  { induction cs as [|c cs IH]; intros m Hm Hcs; [exact Hm|]. simpl. apply IH; [|intros; apply Hcs; right; assumption].
    intros i. rewrite get_put. destruct (N.eqb_spec c i) as [<-|_]; [intros _; apply Hcs; left; reflexivity|apply Hm]. }
  apply G; [|exact Hc]. intros i. rewrite get_none. congruence.
Qed.
