(** Weak duality: what lengths of links, cuts and hosts say about every routing of some traffic. *)

From Coq Require Import QArith NArith List Bool Lia Lqa.
From Verified Require Import Check Sums.
Import ListNotations.
Open Scope Q_scope.

Definition link_list (n : network) : list (N * link) := numbered 0 (links n).

Lemma in_link_list n l k : In (l, k) (link_list n) <-> link_of n l = Some k.
Proof.
  unfold link_list. rewrite numbered_in, N.sub_0_r. unfold link_of. intuition lia.
Qed.

Lemma sum_numbered {A} (f : A -> Q) l b : sum (fun x => f (snd x)) (numbered b l) == sum f l.
Proof.
  revert b. induction l as [|x l IH]; intros b; [reflexivity|]. simpl numbered. rewrite !sum_cons, IH. reflexivity.
Qed.

Lemma capacity_positive n l k : is_network n -> link_of n l = Some k -> 0 < capacity k.
Proof. intros (_ & _ & H) E. apply H. eapply nth_error_In, E. Qed.

Lemma div_le a b c : 0 < b -> (a / b <= c <-> a <= c * b).
Proof.
  intros Hb. split; intros H.
  - setoid_replace a with (a / b * b) by (field; lra). apply Qmult_le_compat_r; lra.
  - apply Qle_shift_div_r; assumption.
Qed.

Lemma le_div a b c : 0 < b -> c * b <= a -> c <= a / b.
Proof. intros Hb H. apply Qle_shift_div_l; assumption. Qed.

Lemma joined_links n v d p : joins (link_of n) v d p = true -> forall l, In l p -> exists k, link_of n l = Some k.
Proof.
  revert v. induction p as [|x p IH]; intros v H l Hl; [contradiction|]. simpl in H.
  destruct (link_of n x) as [k|] eqn:E; [|discriminate]. apply andb_true_iff in H as [_ H].
  destruct Hl as [->|Hl]; [exists k; exact E|]. eapply IH; eassumption.
Qed.

(** The length of a path, by how often it passes every link. *)
Lemma length_by_links n v d p len :
  joins (link_of n) v d p = true ->
  (forall l k, link_of n l = Some k -> 0 <= len l) ->
  sum len p <= sum (fun lk => len (fst lk) * passes (fst lk) p) (link_list n).
Proof.
  intros Hj Hlen.
  transitivity (sum (fun x => sum (fun lk => only (x =? fst lk)%N (len (fst lk))) (link_list n)) p).
  - apply sum_le. intros x Hx. destruct (joined_links _ _ _ _ Hj x Hx) as [k Hk].
    transitivity ((fun lk : N * link => only (x =? fst lk)%N (len (fst lk))) (x, k)).
    + simpl. rewrite N.eqb_refl. apply Qle_refl.
    + apply (sum_one (fun lk : N * link => only (x =? fst lk)%N (len (fst lk)))).
      * apply in_link_list, Hk.
      * intros [l k'] H. apply only_nonneg. simpl. apply in_link_list in H. eauto.
  - rewrite sum_swap. apply sum_le. intros [l k] _. simpl fst. unfold passes. rewrite <- sum_times.
    apply sum_le. intros x _. destruct (x =? l)%N; simpl; lra.
Qed.

Lemma share_by_links n ps len :
  sum (fun qp => fst qp * sum (fun lk => len (fst lk) * passes (fst lk) (snd qp)) (link_list n)) ps ==
  sum (fun lk => len (fst lk) * share ps (fst lk)) (link_list n).
Proof.
  transitivity (sum (fun qp : Q * list N =>
    sum (fun lk : N * link => len (fst lk) * (fst qp * passes (fst lk) (snd qp))) (link_list n)) ps).
  { apply sum_ext. intros qp _. rewrite <- sum_times. apply sum_ext. intros lk _. ring. }
  rewrite sum_swap. apply sum_ext. intros lk _. unfold share. rewrite <- sum_times. reflexivity.
Qed.

Section Duality.
Variables (n : network) (best : routing) (t : list demand) (m : Q).
Hypothesis Hn : is_network n.
Hypothesis Ht : is_traffic n t.
Hypothesis Hroutes : routes n best t.
Hypothesis Hloads : loads_at_most n best t m.

Lemma carried_at_most l k : link_of n l = Some k -> carried best t l <= m * capacity k.
Proof.
  intros E. apply div_le; [eapply capacity_positive; eassumption|]. exact (Hloads l k E).
Qed.

Lemma duality (len : N -> Q) (far : demand -> Q) :
  (forall l k, link_of n l = Some k -> 0 <= len l) ->
  (forall x p, In x t -> joins (link_of n) (src x) (dst x) p = true -> far x <= sum len p) ->
  sum (fun x => amount x * far x) t <= m * sum (fun lk => len (fst lk) * capacity (snd lk)) (link_list n).
Proof.
  intros Hlen Hfar.
  transitivity (sum (fun x => amount x *
    sum (fun lk => len (fst lk) * share (best (src x) (dst x)) (fst lk)) (link_list n)) t).
  - apply sum_le. intros x Hx. apply Qmult_le_left; [apply Ht, Hx|]. rewrite <- share_by_links.
    destruct (Hroutes x Hx) as [Hp H1].
    setoid_replace (far x) with (far x * 1) by ring. rewrite <- H1, <- sum_times.
    apply sum_le. intros [q p] Hin. simpl. destruct (Hp q p Hin) as [Hq Hj].
    rewrite (Qmult_comm (far x)). apply Qmult_le_left; [exact Hq|].
    eapply Qle_trans; [apply (Hfar x p Hx Hj)|]. eapply length_by_links; eassumption.
  - transitivity (sum (fun lk => len (fst lk) * carried best t (fst lk)) (link_list n)).
    + apply Qle_lteq. right.
      transitivity (sum (fun x => sum (fun lk : N * link =>
        len (fst lk) * (amount x * share (best (src x) (dst x)) (fst lk))) (link_list n)) t).
      { apply sum_ext. intros x _. rewrite <- sum_times. apply sum_ext. intros lk _. ring. }
      rewrite sum_swap. apply sum_ext. intros lk _. unfold carried. rewrite <- sum_times. reflexivity.
    + rewrite <- sum_times. apply sum_le. intros [l k] H. simpl. apply in_link_list in H.
      setoid_replace (m * (len l * capacity k)) with (len l * (m * capacity k)) by ring.
      apply Qmult_le_left; [eapply Hlen, H|]. apply carried_at_most, H.
Qed.

(** Links of a kind, each of length 1. *)
Definition of_kind (kind : link -> bool) (l : N) : Q :=
  match link_of n l with Some k => only (kind k) 1 | None => 0 end.

Lemma kind_bound (kind : link -> bool) (on : demand -> bool) :
  (forall x p, In x t -> on x = true -> joins (link_of n) (src x) (dst x) p = true -> 1 <= sum (of_kind kind) p) ->
  sum (fun x => only (on x) (amount x)) t <= m * sum (fun k => only (kind k) (capacity k)) (links n).
Proof.
  intros H.
  transitivity (sum (fun x => amount x * only (on x) 1) t).
  { apply Qle_lteq. right. apply sum_ext. intros x _. destruct (on x); simpl; ring. }
  assert (H0 : forall l, 0 <= of_kind kind l).
  { intros l. unfold of_kind. destruct (link_of n l); [apply only_nonneg; lra|lra]. }
  eapply Qle_trans; [apply (duality (of_kind kind))|].
  - intros; apply H0.
  - intros x p Hx Hj. destruct (on x) eqn:E; simpl; [eauto|]. apply sum_nonneg. intros; apply H0.
  - apply Qle_lteq. right. rewrite <- (sum_numbered (fun k => only (kind k) (capacity k)) (links n) 0).
    apply Qmult_comp; [reflexivity|]. apply sum_ext. intros [l k] Hin. simpl. apply in_link_list in Hin.
    unfold of_kind. rewrite Hin. destruct (kind k); simpl; ring.
Qed.

Lemma path_goes_out inside v d p :
  joins (link_of n) v d p = true -> goes_out inside v d = true ->
  1 <= sum (of_kind (fun k => goes_out inside (from k) (to k))) p.
Proof.
  unfold goes_out. revert v. induction p as [|l p IH]; intros v Hj Hout; simpl in Hj.
  - apply N.eqb_eq in Hj. subst. apply andb_true_iff in Hout as [H1 H2]. rewrite H1 in H2. discriminate.
  - destruct (link_of n l) as [k|] eqn:E; [|discriminate]. apply andb_true_iff in Hj as [Hf Hj].
    apply N.eqb_eq in Hf. apply andb_true_iff in Hout as [Hv Hd]. rewrite sum_cons.
    unfold of_kind at 1. rewrite E, Hf, Hv. simpl andb.
    destruct (inside (to k)) eqn:Ek; simpl only.
    + assert (1 <= sum (of_kind (fun k => inside (from k) && negb (inside (to k)))) p).
      { apply (IH (to k)); [exact Hj|]. rewrite Ek, Hd. reflexivity. }
      lra.
    + assert (0 <= sum (of_kind (fun k => inside (from k) && negb (inside (to k)))) p).
      { apply sum_nonneg. intros y _. unfold of_kind. destruct (link_of n y); [apply only_nonneg; lra|lra]. }
      lra.
Qed.

Lemma out_bound inside :
  sum (fun x => only (goes_out inside (src x) (dst x)) (amount x)) t <= m * outward n inside.
Proof.
  unfold outward. rewrite sumr_sum.
  apply (kind_bound (fun k => goes_out inside (from k) (to k)) (fun x => goes_out inside (src x) (dst x))).
  intros x p _ Hon Hj. eapply path_goes_out; eassumption.
Qed.

(** Links of a kind are passed as often as those of a kind within it, or more. *)
Lemma kind_more (a b : link -> bool) p :
  (forall k, a k = true -> b k = true) -> sum (of_kind a) p <= sum (of_kind b) p.
Proof.
  intros H. apply sum_le. intros l _. unfold of_kind. destruct (link_of n l) as [k|]; [|lra].
  destruct (a k) eqn:E; [rewrite (H k E); lra|]. simpl only at 1. apply only_nonneg. lra.
Qed.

Lemma sent_bound h : sent t h <= m * leaving n h.
Proof.
  apply (kind_bound (fun k => from k =? h)%N (fun x => src x =? h)%N). intros x p Hx Hs Hj.
  apply N.eqb_eq in Hs. destruct (Ht x Hx) as [(_ & _ & Hne) _].
  eapply Qle_trans; [apply (path_goes_out (fun v => v =? h)%N _ _ _ Hj)|].
  - unfold goes_out. rewrite Hs, N.eqb_refl. destruct (N.eqb_spec (dst x) h); [congruence|reflexivity].
  - apply kind_more. intros k Hk. apply andb_true_iff in Hk as [Hk _]. exact Hk.
Qed.

Lemma received_bound h : received t h <= m * entering n h.
Proof.
  apply (kind_bound (fun k => to k =? h)%N (fun x => dst x =? h)%N). intros x p Hx Hs Hj.
  apply N.eqb_eq in Hs. destruct (Ht x Hx) as [(_ & _ & Hne) _].
  eapply Qle_trans; [apply (path_goes_out (fun v => negb (v =? h))%N _ _ _ Hj)|].
  - unfold goes_out. rewrite Hs, N.eqb_refl. destruct (N.eqb_spec (src x) h); [congruence|reflexivity].
  - apply kind_more. intros k Hk. apply andb_true_iff in Hk as [_ Hk].
    rewrite negb_involutive in Hk. exact Hk.
Qed.

End Duality.
