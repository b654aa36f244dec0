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
  destruct (PositiveMap.find (N.succ_pos s) (index ls records)) as [mine|]; [|reflexivity].
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

Lemma check_routing_sound n r :
  check_routing (look n (know r)) = true -> is_routing n (stands_for n r).
Proof.
  unfold check_routing. rewrite forallb_forall. intros H s d (Hs & Hd & Hne).
  specialize (H s (in_host_list _ _ Hs)). rewrite forallb_forall in H.
  specialize (H d (in_host_list _ _ Hd)). apply orb_true_iff in H as [H|H].
  - apply N.eqb_eq in H. contradiction.
  - apply andb_true_iff in H as [_ H]. rewrite lookup_stands in H. eapply check_routed_sound, H.
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
  - change (add_paths m a ((q, p) :: ps)) with (add_paths (add_path m (Qred (a * q)) p) a ps).
    rewrite IH, amount_add_path, (Qred_correct (a * q)). unfold share. rewrite sum_cons. simpl fst. simpl snd. ring.
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

Lemma uses_sound ps l : (exists x, In (l, x) (uses ps) /\ share ps l == x) \/ share ps l == 0.
Proof.
  unfold uses. destruct ps as [|[q p] [|b ps]]; try apply general_uses.
  destruct (are_distinct p) eqn:E; [|apply general_uses]. apply are_distinct_sound in E.
  unfold share. rewrite sum_cons. simpl fst. simpl snd. change (sum _ []) with 0.
  destruct (in_dec N.eq_dec l p) as [Hin|Hn].
  - left. exists q. split; [apply in_map_iff; exists l; split; [reflexivity|exact Hin]|].
    rewrite passes_once by assumption. ring.
  - right. rewrite passes_none by assumption. ring.
Qed.
