(** Sums over lists, and tables. *)

From Coq Require Import QArith NArith List Bool FMapPositive Lia Lqa Permutation.
From Verified Require Import Check.
Import ListNotations.
Open Scope Q_scope.

#[export] Instance Qle_transitive : RelationClasses.Transitive Qle := Qle_trans.
#[export] Instance Qle_reflexive : RelationClasses.Reflexive Qle := Qle_refl.

(** * Sums *)

Lemma sum_cons {A} (f : A -> Q) x l : sum f (x :: l) = f x + sum f l.
Proof. reflexivity. Qed.

Lemma sum_ext {A} (f g : A -> Q) l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|].
  rewrite !sum_cons, (H x), IH; [reflexivity| |left; reflexivity].
  intros y Hy; apply H; right; exact Hy.
Qed.

Lemma sum_le {A} (f g : A -> Q) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; intros H; [apply Qle_refl|].
  rewrite !sum_cons. apply Qplus_le_compat; [apply H; left; reflexivity|].
  apply IH. intros y Hy; apply H; right; exact Hy.
Qed.

Lemma sum_zero {A} (l : list A) : sum (fun _ => 0) l == 0.
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite sum_cons, IH. reflexivity. Qed.

Lemma sum_nonneg {A} (f : A -> Q) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof. intros H. rewrite <- (sum_zero l). apply sum_le, H. Qed.

Lemma sum_plus {A} (f g : A -> Q) l : sum (fun x => f x + g x) l == sum f l + sum g l.
Proof. induction l as [|x l IH]; [reflexivity|]. rewrite !sum_cons, IH. ring. Qed.

Lemma sum_times {A} (f : A -> Q) c l : sum (fun x => c * f x) l == c * sum f l.
Proof. induction l as [|x l IH]; [simpl; ring|]. rewrite !sum_cons, IH. ring. Qed.

Lemma sum_swap {A B} (f : A -> B -> Q) l m :
  sum (fun x => sum (f x) m) l == sum (fun y => sum (fun x => f x y) l) m.
Proof.
  induction l as [|x l IH].
  - simpl. rewrite sum_zero. reflexivity.
  - rewrite sum_cons, IH, <- sum_plus. apply sum_ext. intros; reflexivity.
Qed.

Lemma sum_map {A B} (f : B -> Q) (g : A -> B) l : sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl map. rewrite !sum_cons, IH. reflexivity. Qed.

Lemma sum_app {A} (f : A -> Q) l l' : sum f (l ++ l') == sum f l + sum f l'.
Proof. induction l as [|x l IH]; [simpl; ring|]. simpl app. rewrite !sum_cons, IH. ring. Qed.

Lemma sum_filter {A} (f : A -> Q) p l : sum f (filter p l) == sum (fun x => only (p x) (f x)) l.
Proof.
  induction l as [|x l IH]; [reflexivity|]. simpl filter. rewrite sum_cons.
  destruct (p x); simpl only; [rewrite sum_cons, IH; reflexivity|rewrite IH; ring].
Qed.

(** One term is at most the sum of all that are not negative. *)
Lemma sum_one {A} (f : A -> Q) x l : In x l -> (forall y, In y l -> 0 <= f y) -> f x <= sum f l.
Proof.
  induction l as [|y l IH]; intros Hin H; [contradiction|].
  rewrite sum_cons. destruct Hin as [->|Hin].
  - assert (0 <= sum f l) by (apply sum_nonneg; intros; apply H; right; assumption). lra.
  - assert (f x <= sum f l) by (apply IH; [assumption|intros; apply H; right; assumption]).
    assert (0 <= f y) by (apply H; left; reflexivity). lra.
Qed.

Lemma plus_r_sound a b : plus_r a b == a + b.
Proof.
  unfold plus_r. destruct (Pos.eqb_spec (Qden a) (Qden b)) as [E|_]; [|apply Qred_correct].
  destruct a as [x p], b as [y q]. simpl in *. subst q. unfold Qeq. simpl. lia.
Qed.

Lemma times_r_sound a b : times_r a b == a * b.
Proof. unfold times_r. destruct a as [x [p|p|]]; try apply Qred_correct. reflexivity. Qed.

Lemma sumr_sum {A} (f : A -> Q) l : sumr f l == sum f l.
Proof.
  unfold sumr.
  assert (H : forall acc, fold_left (fun acc x => plus_r acc (f x)) l acc == acc + sum f l).
  { induction l as [|x l IH]; intros acc; [simpl; ring|]. simpl fold_left. rewrite IH, sum_cons.
    rewrite plus_r_sound. ring. }
  rewrite H. ring.
Qed.

Lemma only_nonneg b q : 0 <= q -> 0 <= only b q.
Proof. destruct b; simpl; lra. Qed.

(** * Tables *)

Lemma get_put {A} (m : table A) i j a : get (put i a m) j = if (i =? j)%N then Some a else get m j.
Proof.
  unfold get, put. destruct (N.eqb_spec i j) as [->|H].
  - apply PositiveMap.gss.
  - apply PositiveMap.gso. intros E. apply H. destruct i, j; simpl in E; congruence.
Qed.

Lemma get_none {A} i : get (@none A) i = None.
Proof. apply PositiveMap.gempty. Qed.

Lemma inner_put {A} (m : table (table A)) i a j : inner (put i a m) j = if (i =? j)%N then a else inner m j.
Proof. unfold inner. rewrite get_put. destruct (i =? j)%N; reflexivity. Qed.

Lemma items_get {A} (m : table A) i a : get m i = Some a -> In (i, a) (items m).
Proof.
  intros H. unfold items. apply in_map_iff. exists (key i, a). split.
  - destruct i; reflexivity.
  - apply PositiveMap.elements_correct, H.
Qed.

Lemma those_index {A} (key : A -> N) l i : those (index key l) i = filter (fun a => key a =? i)%N l.
Proof.
  induction l as [|a l IH]; [unfold those, index; simpl fold_right; rewrite get_none; reflexivity|].
  unfold index in *. simpl fold_right. unfold those at 1. rewrite get_put. simpl filter.
  destruct (N.eqb_spec (key a) i) as [->|H]; [rewrite IH; reflexivity|apply IH].
Qed.

Lemma numbered_in {A} (l : list A) b i a :
  In (i, a) (numbered b l) <-> (b <= i)%N /\ nth_error l (N.to_nat (i - b)) = Some a.
Proof.
  revert b. induction l as [|x l IH]; intros b; simpl.
  - split; [contradiction|]. intros [_ H]. destruct (N.to_nat (i - b)); discriminate.
  - rewrite IH. split.
    + intros [E|[H1 H2]].
      * injection E as -> ->. split; [lia|]. rewrite N.sub_diag. reflexivity.
      * split; [lia|]. replace (N.to_nat (i - b)) with (S (N.to_nat (i - N.succ b))) by lia. exact H2.
    + intros [H1 H2]. destruct (N.eq_dec b i) as [->|Hne].
      * left. rewrite N.sub_diag in H2. simpl in H2. injection H2 as ->. reflexivity.
      * right. split; [lia|].
        replace (N.to_nat (i - b)) with (S (N.to_nat (i - N.succ b))) in H2 by lia. exact H2.
Qed.

Lemma get_array {A} (l : list A) i : get (array l) i = nth_error l (N.to_nat i).
Proof.
  unfold array.
  assert (H : forall b, get (fold_right (fun x m => put (fst x) (snd x) m) none (numbered b l)) i =
    if (i <? b)%N then None else nth_error l (N.to_nat (i - b))).
  { induction l as [|x l IH]; intros b; simpl.
    - rewrite get_none. destruct (i <? b)%N; [reflexivity|]. destruct (N.to_nat (i - b)); reflexivity.
    - rewrite get_put, IH. destruct (N.eqb_spec b i) as [->|Hne].
      + rewrite N.ltb_irrefl, N.sub_diag. reflexivity.
      + destruct (N.ltb_spec i (N.succ b)); destruct (N.ltb_spec i b); try lia; [reflexivity|].
        replace (N.to_nat (i - b)) with (S (N.to_nat (i - N.succ b))) by lia. reflexivity. }
  rewrite H. destruct (N.ltb_spec i 0); [lia|]. rewrite N.sub_0_r. reflexivity.
Qed.

Lemma amount_bump m i q j : amount_at (bump m i q) j == amount_at m j + only (i =? j)%N q.
Proof.
  unfold bump. unfold amount_at at 1. rewrite get_put. destruct (N.eqb_spec i j) as [->|H]; simpl only.
  - apply plus_r_sound.
  - unfold amount_at. ring.
Qed.

Lemma amount_none j : amount_at none j = 0.
Proof. unfold amount_at. rewrite get_none. reflexivity. Qed.

Lemma amount_tally l j : amount_at (tally l) j == sum (fun x => only (fst x =? j)%N (snd x)) l.
Proof.
  unfold tally.
  assert (H : forall m, amount_at (fold_left (fun m x => bump m (fst x) (snd x)) l m) j ==
    amount_at m j + sum (fun x => only (fst x =? j)%N (snd x)) l).
  { induction l as [|x l IH]; intros m; [simpl; ring|]. simpl fold_left. rewrite IH, sum_cons, amount_bump. ring. }
  rewrite H, amount_none. ring.
Qed.

Lemma weight_at_those (m : table (list weighted)) h : weight_at m h == sum snd (those m h).
Proof.
  unfold weight_at, those. destruct (get m h) as [[|x [|y r]]|].
  - reflexivity.
  - rewrite sum_cons. change (sum snd (@nil weighted)) with 0. ring.
  - apply sumr_sum.
  - reflexivity.
Qed.

Lemma weight_at_index (l : list weighted) h :
  weight_at (index fst l) h == sum (fun x => only (fst x =? h)%N (snd x)) l.
Proof. rewrite weight_at_those, <- (sum_filter snd). unfold weighted in *. rewrite those_index. reflexivity. Qed.

Lemma distinct_from_sound l seen :
  distinct_from seen l = true -> NoDup l /\ forall x, In x l -> get seen x = None.
Proof.
  revert seen. induction l as [|x l IH]; intros seen H; simpl in H.
  - split; [constructor|contradiction].
  - destruct (get seen x) eqn:E; [discriminate|]. apply IH in H as [H1 H2]. split.
    + constructor; [|exact H1]. intros Hin. apply H2 in Hin. rewrite get_put, N.eqb_refl in Hin. discriminate.
    + intros y [->|Hy]; [exact E|]. apply H2 in Hy. rewrite get_put in Hy.
      destruct (x =? y)%N; [discriminate|exact Hy].
Qed.

Lemma distinct_sound l : distinct l = true -> NoDup l.
Proof. intros H. exact (proj1 (distinct_from_sound _ _ H)). Qed.

Lemma are_distinct_sound l : are_distinct l = true -> NoDup l.
Proof.
  unfold are_distinct. destruct (nth_error l 32); [apply distinct_sound|].
  induction l as [|x l IH]; intros H; [constructor|]. simpl in H. apply andb_true_iff in H as [H1 H2].
  constructor; [|auto]. intros Hin. apply negb_true_iff in H1.
  assert (E : existsb (N.eqb x) l = true) by (apply existsb_exists; exists x; split; [exact Hin|apply N.eqb_refl]).
  congruence.
Qed.

(** With distinct keys, at most one term has a key. *)
Lemma sum_distinct {A} (key : A -> N) (f : A -> Q) c l h :
  NoDup (map key l) -> 0 <= c -> (forall x, In x l -> f x <= c) -> sum (fun x => only (key x =? h)%N (f x)) l <= c.
Proof.
  intros Hd Hc. induction l as [|x l IH]; intros H; [exact Hc|].
  simpl map in Hd. inversion Hd as [|? ? Hn Hd']; subst. rewrite sum_cons.
  destruct (N.eqb_spec (key x) h) as [<-|Hne]; simpl only.
  - assert (E : sum (fun y => only (key y =? key x)%N (f y)) l == 0).
    { rewrite <- (sum_zero l). apply sum_ext. intros y Hy.
      destruct (N.eqb_spec (key y) (key x)) as [E|E]; [|reflexivity].
      exfalso. apply Hn. rewrite <- E. apply in_map, Hy. }
    rewrite E. specialize (H x (or_introl eq_refl)). lra.
  - assert (sum (fun y => only (key y =? h)%N (f y)) l <= c).
    { apply IH; [exact Hd'|]. intros y Hy. apply H. right. exact Hy. }
    lra.
Qed.

(** Σ amount·Σ weight of what is crossed is the sum over what is weighed. *)
Lemma sum_weights {A} (p : N -> A -> bool) (a : A -> Q) (w : list weighted) (t : list A) :
  sum (fun x => a x * sum (fun y => only (p (fst y) x) (snd y)) w) t ==
  sum (fun y => snd y * sum (fun x => only (p (fst y) x) (a x)) t) w.
Proof.
  transitivity (sum (fun x => sum (fun y => a x * only (p (fst y) x) (snd y)) w) t).
  { apply sum_ext. intros. rewrite sum_times. reflexivity. }
  rewrite sum_swap. apply sum_ext. intros y _. rewrite <- sum_times.
  apply sum_ext. intros x _. destruct (p (fst y) x); simpl; ring.
Qed.

Lemma Qmult_le_left a b c : 0 <= a -> b <= c -> a * b <= a * c.
Proof. intros Ha H. rewrite !(Qmult_comm a). apply Qmult_le_compat_r; assumption. Qed.

Lemma sum_weights_le {A} (p : N -> A -> bool) (a : A -> Q) (c : N -> Q) (w : list weighted) (t : list A) :
  (forall y, In y w -> 0 <= snd y) ->
  (forall y, In y w -> sum (fun x => only (p (fst y) x) (a x)) t <= c (fst y)) ->
  sum (fun x => a x * sum (fun y => only (p (fst y) x) (snd y)) w) t <= sum (fun y => snd y * c (fst y)) w.
Proof.
  intros H0 H. rewrite sum_weights. apply sum_le. intros y Hy. apply Qmult_le_left; auto.
Qed.
