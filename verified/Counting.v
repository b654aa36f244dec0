(** Counting: covers of pairs on a link, and how many pairs the links of one port carry with them. *)

From Coq Require Import ZArith NArith List Bool Lia.
From Verified Require Import Star.
Import ListNotations.
Open Scope Z_scope.

(** * Sums of integers *)

Lemma zsum_cons {A} (f : A -> Z) a l : zsum f (a :: l) = f a + zsum f l.
Proof. reflexivity. Qed.

Lemma cnt_cons {A} (p : A -> bool) a l : cnt p (a :: l) = bit (p a) + cnt p l.
Proof. reflexivity. Qed.

Lemma zsum_ext {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> zsum f l = zsum g l.
Proof. induction l; simpl; intros H; [reflexivity|]. rewrite (H a), IHl; auto. Qed.

Lemma zsum_le {A} (f g : A -> Z) l : (forall x, In x l -> f x <= g x) -> zsum f l <= zsum g l.
Proof.
  induction l; simpl; intros H; [lia|]. pose proof (H a (or_introl eq_refl)).
  assert (zsum f l <= zsum g l) by auto. lia.
Qed.

Lemma zsum_plus {A} (f g : A -> Z) l : zsum (fun x => f x + g x) l = zsum f l + zsum g l.
Proof. induction l; simpl; lia. Qed.

Lemma zsum_times {A} k (f : A -> Z) l : zsum (fun x => k * f x) l = k * zsum f l.
Proof. induction l; simpl; lia. Qed.

Lemma zsum_zero {A} (l : list A) : zsum (fun _ => 0) l = 0.
Proof. induction l; simpl; lia. Qed.

Lemma zsum_swap {A B} (f : A -> B -> Z) l m :
  zsum (fun x => zsum (f x) m) l = zsum (fun y => zsum (fun x => f x y) l) m.
Proof. induction l; simpl; [symmetry; apply zsum_zero|]. rewrite IHl, zsum_plus. reflexivity. Qed.

Lemma zsum_product {A B} (f : A -> Z) (g : B -> Z) l m :
  zsum (fun x => zsum (fun y => f x * g y) m) l = zsum f l * zsum g m.
Proof.
  induction l; simpl; [reflexivity|]. rewrite IHl, zsum_times. lia.
Qed.

Lemma zsum_nonneg {A} (f : A -> Z) l : (forall x, In x l -> 0 <= f x) -> 0 <= zsum f l.
Proof. intros H. rewrite <- (zsum_zero l). apply zsum_le, H. Qed.

Lemma zsum_map {A B} (g : A -> B) f l : zsum f (map g l) = zsum (fun x => f (g x)) l.
Proof. induction l; simpl; lia. Qed.

Lemma bit_range b : 0 <= bit b <= 1.
Proof. destruct b; simpl; lia. Qed.

Lemma cnt_nonneg {A} p (l : list A) : 0 <= cnt p l.
Proof. apply zsum_nonneg. intros. apply bit_range. Qed.

Lemma cnt_imp {A} (p q : A -> bool) l : (forall x, In x l -> p x = true -> q x = true) -> cnt p l <= cnt q l.
Proof.
  intros H. apply zsum_le. intros x Hx. specialize (H x Hx). destruct (p x); [rewrite H by reflexivity; simpl; lia|].
  apply bit_range.
Qed.

Lemma cnt_lattice {A} (p q : A -> bool) l :
  cnt (fun x => p x || q x) l + cnt (fun x => p x && q x) l = cnt p l + cnt q l.
Proof.
  unfold cnt. rewrite <- !zsum_plus. apply zsum_ext. intros x _. destruct (p x), (q x); reflexivity.
Qed.

Lemma cnt_split {A} (p q : A -> bool) l : cnt (fun x => p x && q x) l + cnt (fun x => p x && negb (q x)) l = cnt p l.
Proof. unfold cnt. rewrite <- zsum_plus. apply zsum_ext. intros x _. destruct (p x), (q x); reflexivity. Qed.

Lemma cnt_length {A} (l : list A) : cnt (fun _ => true) l = Z.of_nat (length l).
Proof.
  induction l; [reflexivity|]. change (1 + cnt (fun _ => true) l = Z.of_nat (length (a :: l))). rewrite IHl.
  cbn [length]. lia.
Qed.

Lemma cnt_filter {A} (p q : A -> bool) l : cnt p (filter q l) = cnt (fun x => q x && p x) l.
Proof. unfold cnt. induction l; simpl; [reflexivity|]. destruct (q a); simpl; rewrite IHl; reflexivity. Qed.

Lemma zsum_filter {A} (f : A -> Z) (q : A -> bool) l : zsum f (filter q l) = zsum (fun x => bit (q x) * f x) l.
Proof.
  induction l; [reflexivity|]. rewrite zsum_cons, <- IHl. cbn [filter]. destruct (q a); rewrite ?zsum_cons;
    unfold bit; lia.
Qed.

Lemma cnt_one (x : N) l : NoDup l -> cnt (N.eqb x) l <= 1.
Proof.
  induction l; intros H; [unfold cnt, zsum; simpl; lia|]. rewrite cnt_cons. inversion_clear H. specialize (IHl H1).
  destruct (N.eqb_spec x a); unfold bit; [|lia]. subst a.
  assert (cnt (N.eqb x) l = 0); [|lia]. unfold cnt. rewrite <- (zsum_zero l). apply zsum_ext. intros y Hy.
  destruct (N.eqb_spec x y); [subst; contradiction|reflexivity].
Qed.

Lemma cnt_one_in (x : N) l : NoDup l -> In x l -> cnt (N.eqb x) l = 1.
Proof.
  intros H Hx. apply Z.le_antisymm; [apply cnt_one, H|]. clear H. induction l; [contradiction|].
  rewrite cnt_cons. pose proof (cnt_nonneg (N.eqb x) l). destruct Hx as [->|Hx].
  - rewrite N.eqb_refl. unfold bit. lia.
  - specialize (IHl Hx). pose proof (bit_range (x =? a)%N). lia.
Qed.

(** Whatever is added up part by part is added up once. *)
Lemma zsum_parts {A} (part : A -> N) (f : A -> Z) l parts :
  NoDup parts -> (forall x, In x l -> In (part x) parts) ->
  zsum (fun i => zsum f (filter (fun x => (part x =? i)%N) l)) parts = zsum f l.
Proof.
  intros H Hp. rewrite (zsum_ext _ (fun i => zsum (fun x => bit (part x =? i)%N * f x) l))
    by (intros; apply zsum_filter).
  rewrite zsum_swap. apply zsum_ext. intros x Hx.
  rewrite (zsum_ext _ (fun i => f x * bit (part x =? i)%N)) by (intros; lia). rewrite zsum_times.
  change (zsum (fun i => bit (part x =? i)%N) parts) with (cnt (N.eqb (part x)) parts). rewrite cnt_one_in; auto. lia.
Qed.

Lemma cnt_none {A} (l : list A) : cnt (fun _ => false) l = 0.
Proof. apply zsum_zero. Qed.

(** * König's theorem *)

Section Konig.
Variable hosts : list N.
Hypothesis once : NoDup hosts.

Definition meets (A B : N -> bool) (g : list (N * N)) : Prop :=
  forall e, In e g -> A (fst e) || B (snd e) = true.
Definition is_small (k : Z) (g : list (N * N)) : Prop :=
  exists A B, cnt A hosts + cnt B hosts <= k /\ meets A B g.
Definition has_matching (k : nat) (g : list (N * N)) : Prop :=
  exists m, incl m g /\ NoDup (map fst m) /\ NoDup (map snd m) /\ length m = k.

Lemma cnt_with A x : cnt (fun v => A v || (x =? v)%N) hosts <= cnt A hosts + 1.
Proof.
  pose proof (cnt_lattice A (N.eqb x) hosts) as H. pose proof (cnt_one x hosts once).
  pose proof (cnt_nonneg (fun v => A v && (x =? v)%N) hosts). lia.
Qed.

(** Of two covers, each of all but one of two edges that share an end, one of all can be made. *)
Lemma exchange (p q : N * N -> N) e f k (rest : N * N -> Prop) (S T S' T' : N -> bool) :
  p e = p f ->
  cnt S hosts + cnt S' hosts <= k -> cnt T hosts + cnt T' hosts <= k ->
  (forall g, rest g -> S (p g) || S' (q g) = true) -> S (p f) || S' (q f) = true -> S (p e) || S' (q e) = false ->
  (forall g, rest g -> T (p g) || T' (q g) = true) -> T (p e) || T' (q e) = true -> T (p f) || T' (q f) = false ->
  exists A B, cnt A hosts + cnt B hosts <= k /\ (forall g, rest g \/ g = e \/ g = f -> A (p g) || B (q g) = true).
Proof.
  intros E HS HT Sr Sf Se Tr Te Tf.
  apply orb_false_iff in Se as [Se1 Se2]. apply orb_false_iff in Tf as [Tf1 Tf2].
  rewrite <- E, Se1 in Sf. rewrite E, Tf1 in Te. simpl in Sf, Te.
  pose proof (cnt_lattice S T hosts). pose proof (cnt_lattice S' T' hosts).
  pose proof (cnt_with (fun v => S v || T v) (p e)) as Hw. cbv beta in Hw.
  destruct (Z.le_gt_cases (cnt (fun v => S v && T v) hosts + cnt (fun v => S' v || T' v) hosts) k) as [Hk|Hk].
  - exists (fun v => S v && T v), (fun v => S' v || T' v). split; [exact Hk|]. intros g [Hg|[->| ->]].
    + specialize (Sr g Hg). specialize (Tr g Hg). destruct (S (p g)), (T (p g)), (S' (q g)), (T' (q g)); auto.
    + rewrite Te. rewrite !orb_true_r. reflexivity.
    + rewrite Sf. rewrite orb_true_r. reflexivity.
  - exists (fun v => S v || T v || (p e =? v)%N), (fun v => S' v && T' v). split; [lia|].
    intros g [Hg|[->| ->]].
    + specialize (Sr g Hg). specialize (Tr g Hg). destruct (S (p g)), (T (p g)), (S' (q g)), (T' (q g)); auto;
        simpl in *; rewrite ?orb_true_r; auto; discriminate.
    + rewrite N.eqb_refl, orb_true_r. reflexivity.
    + rewrite <- E, N.eqb_refl, orb_true_r. reflexivity.
Qed.

Lemma twice_or_once (p : N * N -> N) g :
  NoDup (map p g) \/ exists l1 e l2 f l3, g = l1 ++ e :: l2 ++ f :: l3 /\ p e = p f.
Proof.
  induction g as [|e g IH]; [left; constructor|]. destruct IH as [IH|(l1 & a & l2 & b & l3 & -> & E)].
  - destruct (in_dec N.eq_dec (p e) (map p g)) as [H|H]; [right|left; constructor; assumption].
    apply in_map_iff in H as (f & E & H). apply in_split in H as (l2 & l3 & ->).
    exists [], e, l2, f, l3. split; [reflexivity|auto].
  - right. exists (e :: l1), a, l2, b, l3. split; [reflexivity|exact E].
Qed.

Lemma smaller g g' k : has_matching k g -> incl g g' -> has_matching k g'.
Proof. intros (m & H & H') Hi. exists m. split; [eapply incl_tran; eassumption|exact H']. Qed.

Lemma of_firsts g : cnt (fun v => existsb (fun e : N * N => (fst e =? v)%N) g) hosts <= Z.of_nat (length g).
Proof.
  induction g as [|e g IH]; [apply Z.eq_le_incl, (cnt_none hosts)|].
  pose proof (cnt_with (fun v => existsb (fun e : N * N => (fst e =? v)%N) g) (fst e)) as H. cbv beta in H.
  assert (cnt (fun v => existsb (fun e : N * N => (fst e =? v)%N) (e :: g)) hosts <=
    cnt (fun v => existsb (fun e : N * N => (fst e =? v)%N) g || (fst e =? v)%N) hosts).
  { apply cnt_imp. intros v _ Hv. simpl in Hv. rewrite orb_comm. exact Hv. }
  cbn [length]. lia.
Qed.

Ltac sizes := repeat first [rewrite app_length in *|progress cbn [length] in *]; lia.
Ltac places := repeat first [rewrite in_app_iff in *|progress cbn [In] in *]; intuition (subst; auto).

Theorem konig g k : has_matching (S k) g \/ is_small (Z.of_nat k) g.
Proof.
  remember (length g) as size eqn:Es. assert (Hs : (length g <= size)%nat) by lia. clear Es. revert g Hs.
  induction size as [|size IH]; intros g Hs.
  { right. destruct g; [|simpl in Hs; lia]. exists (fun _ => false), (fun _ => false). split.
    - rewrite !cnt_none. lia.
    - intros e []. }
  assert (Step : forall (p q : N * N -> N) (mk : (N -> bool) -> (N -> bool) -> Prop)
    (Hmk : forall A B, mk A B -> is_small (Z.of_nat k) g)
    (Hin : forall A B, cnt A hosts + cnt B hosts <= Z.of_nat k -> (forall e, In e g -> A (p e) || B (q e) = true) ->
      mk A B)
    (Hout : forall h, is_small (Z.of_nat k) h -> exists A B, cnt A hosts + cnt B hosts <= Z.of_nat k /\
      forall e, In e h -> A (p e) || B (q e) = true)
    l1 e l2 f l3, g = l1 ++ e :: l2 ++ f :: l3 -> p e = p f -> has_matching (S k) g \/ is_small (Z.of_nat k) g).
  { intros p q mk Hmk Hin Hout l1 e l2 f l3 -> E.
    destruct (IH (l1 ++ l2 ++ f :: l3)) as [H|H].
    { sizes. }
    { left. eapply smaller; [exact H|]. intros x. places. }
    destruct (IH (l1 ++ e :: l2 ++ l3)) as [H'|H'].
    { sizes. }
    { left. eapply smaller; [exact H'|]. intros x. places. }
    right. apply Hout in H as (S0 & S' & HS & CS). apply Hout in H' as (T & T' & HT & CT).
    destruct (S0 (p e) || S' (q e)) eqn:Se.
    { eapply Hmk, (Hin S0 S' HS). intros x Hx. assert (x = e \/ In x (l1 ++ l2 ++ f :: l3)) as [->|] by places; auto. }
    destruct (T (p f) || T' (q f)) eqn:Tf.
    { eapply Hmk, (Hin T T' HT). intros x Hx. assert (x = f \/ In x (l1 ++ e :: l2 ++ l3)) as [->|] by places; auto. }
    destruct (exchange p q e f (Z.of_nat k) (fun x => In x l1 \/ In x l2 \/ In x l3) S0 T S' T') as (A & B & HA & HB);
      auto; try (intros x Hx); try (apply CS; places); try (apply CT; places).
    eapply Hmk, (Hin A B HA). intros x Hx. apply HB. places. }
  destruct (twice_or_once fst g) as [Hf|(l1 & e & l2 & f & l3 & Eg & E)].
  2:{ eapply (Step fst snd (fun A B => cnt A hosts + cnt B hosts <= Z.of_nat k /\ meets A B g));
      try eassumption; auto.
      - intros A B [H1 H2]. exists A, B. split; assumption. }
  destruct (twice_or_once snd g) as [Hs'|(l1 & e & l2 & f & l3 & Eg & E)].
  2:{ eapply (Step snd fst (fun B A => cnt A hosts + cnt B hosts <= Z.of_nat k /\ meets A B g));
      try eassumption; auto.
      - intros B A [H1 H2]. exists A, B. split; assumption.
      - intros B A H1 H2. split; [lia|]. intros x Hx. rewrite orb_comm. apply H2, Hx.
      - intros h (A & B & H1 & H2). exists B, A. split; [lia|]. intros x Hx. rewrite orb_comm. apply H2, Hx. }
  destruct (Nat.le_gt_cases (S k) (length g)) as [Hk|Hk].
  - left. exists (firstn (S k) g).
    assert (Hm : forall A (h : N * N -> A), NoDup (map h g) -> NoDup (map h (firstn (S k) g))).
    { intros A h Hh. rewrite <- (firstn_skipn (S k) g), map_app in Hh.
      clear - Hh. induction (map h (firstn (S k) g)); [constructor|]. simpl in Hh. inversion_clear Hh.
      constructor; [|auto]. rewrite in_app_iff in H. tauto. }
    split; [|split; [apply Hm, Hf|split; [apply Hm, Hs'|apply firstn_length_le, Hk]]].
    intros x Hx. rewrite <- (firstn_skipn (S k) g). apply in_app_iff. left. exact Hx.
  - right. exists (fun v => existsb (fun e : N * N => (fst e =? v)%N) g), (fun _ => false). split.
    + pose proof (of_firsts g). rewrite cnt_none. lia.
    + intros e He. apply orb_true_iff. left. apply existsb_exists. exists e. split; [exact He|apply N.eqb_refl].
Qed.
End Konig.

(** * The greatest sum *)

Definition reaches (v : Z) (o : option Z) : Prop := exists w, o = Some w /\ v <= w.

Lemma reaches_greater v a b : reaches v a \/ reaches v b -> reaches v (greater a b).
Proof.
  unfold reaches. intros [(w & -> & H)|(w & -> & H)]; [destruct b|destruct a]; simpl; eexists; (split; [reflexivity|]);
    lia.
Qed.

Lemma reaches_row v i a b :
  reaches v (nth i a None) \/ reaches v (nth i b None) -> reaches v (nth i (merge greater a b) None).
Proof.
  revert i b. induction a as [|a0 a IH]; intros i b H.
  - destruct H as [H|H]; [destruct i; destruct H as (w & H & _); discriminate|exact H].
  - destruct b as [|b0 b].
    + destruct H as [H|H]; [exact H|destruct i; destruct H as (w & H & _); discriminate].
    + destruct i; simpl in *; [apply reaches_greater, H|apply IH, H].
Qed.

Lemma reaches_merge v i j (a b : sums) :
  reaches v (at_totals a i j) \/ reaches v (at_totals b i j) -> reaches v (at_totals (merge (merge greater) a b) i j).
Proof.
  unfold at_totals. revert i b. induction a as [|a0 a IH]; intros i b H.
  - destruct H as [H|H]; [destruct i, j; destruct H as (w & H & _); discriminate|exact H].
  - destruct b as [|b0 b].
    + destruct H as [H|H]; [exact H|destruct i, j; destruct H as (w & H & _); discriminate].
    + destruct i; simpl in *; [apply reaches_row, H|apply IH, H].
Qed.

Lemma nth_repeat_app {A} (d x : A) k l i : nth (k + i) (repeat x k ++ l) d = nth i l d.
Proof. induction k; simpl; auto. Qed.

Lemma reaches_shift v a c g s i j :
  reaches v (at_totals s i j) -> reaches (g + v) (at_totals (shift a c g s) (a + i) (c + j)).
Proof.
  unfold at_totals, shift. intros (w & E & H). rewrite nth_repeat_app.
  set (f := fun row : list (option Z) => repeat None c ++ map (option_map (Z.add g)) row).
  destruct (Nat.le_gt_cases (length s) i) as [Hl|Hl].
  { rewrite (nth_overflow s) in E by exact Hl. destruct j; discriminate. }
  rewrite (nth_indep _ [] (f [])) by (rewrite map_length; exact Hl). rewrite map_nth. unfold f.
  rewrite nth_repeat_app. change (@None Z) with (option_map (Z.add g) None). rewrite map_nth, E. simpl.
  eexists. split; [reflexivity|]. lia.
Qed.

Lemma reaches_more v cs s a c g i j :
  In (a, c, g) cs -> reaches v (at_totals s i j) -> reaches (g + v) (at_totals (one_more cs s) (a + i) (c + j)).
Proof.
  intros Hin H. unfold one_more.
  assert (K : forall cs acc, reaches (g + v) (at_totals acc (a + i) (c + j)) \/ In (a, c, g) cs ->
    reaches (g + v) (at_totals (fold_left (fun acc t => merge (merge greater) acc
      (shift (fst (fst t)) (snd (fst t)) (snd t) s)) cs acc) (a + i) (c + j))); [|apply K; right; exact Hin].
  clear Hin cs. induction cs as [|t cs IH]; intros acc HK; [destruct HK as [?|[]]; assumption|].
  simpl fold_left. apply IH. destruct HK as [HK|[->|HK]]; [left|left|right; exact HK].
  - apply reaches_merge. left. exact HK.
  - apply reaches_merge. right. apply reaches_shift, H.
Qed.

Definition total (l : list nat) : nat := fold_right Nat.add 0%nat l.

Lemma reaches_less v w o : reaches w o -> v <= w -> reaches v o.
Proof. intros (u & E & H) L. exists u. split; [exact E|lia]. Qed.

Lemma nth_firstn {A} (d : A) m : forall i l, (i < m)%nat -> nth i (firstn m l) d = nth i l d.
Proof. induction m as [|m IH]; intros i l H; [lia|]. destruct l, i; simpl; auto with arith. Qed.

Lemma at_trim rows columns s i j : (i < rows)%nat -> (j < columns)%nat ->
  at_totals (trim rows columns s) i j = at_totals s i j.
Proof.
  intros Hi Hj. unfold at_totals, trim.
  replace (nth i (map (firstn columns) (firstn rows s)) []) with (firstn columns (nth i s [])).
  - apply nth_firstn, Hj.
  - rewrite <- (nth_firstn [] rows i s Hi). rewrite <- (map_nth (firstn columns)). f_equal. apply firstn_nil.
Qed.

Lemma reaches_all rows columns cs {A} (l : list A) (a c : A -> nat) (v : A -> Z) :
  (forall t, In t l -> exists g, In (a t, c t, g) cs /\ v t <= g) ->
  (total (map a l) < rows)%nat -> (total (map c l) < columns)%nat ->
  reaches (zsum v l) (at_totals (all_sums rows columns cs (length l)) (total (map a l)) (total (map c l))).
Proof.
  unfold all_sums. induction l as [|t l IH]; intros H Ha Hc.
  - exists 0. split; [reflexivity|]. unfold zsum. simpl. lia.
  - rewrite zsum_cons. destruct (H t (or_introl eq_refl)) as (g & Hin & Hg). apply reaches_less with (g + zsum v l);
      [|lia]. cbn [length times]. rewrite at_trim by assumption. simpl in *.
    apply reaches_more; [exact Hin|apply IH; [intros; apply H; right; auto|lia|lia]].
Qed.

Lemma greatest_le v l : In v l -> v <= greatest l.
Proof.
  induction l; simpl; intros []; [subst; lia|]. specialize (IHl H). lia.
Qed.

Lemma total_most {A} x (f : A -> nat) (l : list A) :
  (forall a, In a l -> (f a <= x)%nat) -> (total (map f l) <= length l * x)%nat.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|]. assert (f a <= x)%nat by auto.
  assert (total (map f l) <= length l * x)%nat by auto. lia.
Qed.

Lemma total_in {A} (f : A -> nat) (l : list A) a : In a l -> (f a <= total (map f l))%nat.
Proof. induction l; simpl; intros []; [subst; lia|]. specialize (IHl H). lia. Qed.

Lemma up_le n x o p a : 0 <= a <= x -> x <= n -> Z.min (x - a) o <= Z.min (x - a) p -> up n x o a <= up n x p a.
Proof.
  unfold up. intros. set (g := Z.min (x - a) o) in *. set (h := Z.min (x - a) p) in *.
  set (m := Z.min x (n - a)). assert (m <= n - a) by (unfold m; lia). clearbody g h m. nia.
Qed.

Lemma down_le n x o p c : 0 <= c <= x -> x <= n -> Z.min (x - c) o <= Z.min (x - c) p -> down n x o c <= down n x p c.
Proof. unfold down. intros. nia. Qed.

Lemma outside_enough x all own a : (own <= all)%nat -> (a <= x)%nat ->
  Z.min (Z.of_nat x - Z.of_nat a) (Z.of_nat all - Z.of_nat own) <=
    Z.min (Z.of_nat x - Z.of_nat a) (Z.of_nat (outside x (capped x all) own)).
Proof. unfold outside, capped. intros. destruct (Nat.eqb_spec (Nat.min all (2 * x)) (2 * x)); lia. Qed.

Lemma in_group g x f outside (G : list nat) (v : nat -> Z) :
  (outside <= x)%nat -> length G = g ->
  (forall a, In a G -> (a <= x)%nat /\ v a <= f (Z.of_nat outside) (Z.of_nat a)) ->
  reaches (zsum v G) (at_totals (nth outside (of_group g x f) []) (total G) 0).
Proof.
  intros Ho <- HG. unfold of_group.
  set (h := fun outside => all_sums (S (length G * x)) 1 _ (length G)).
  replace (nth outside (map h (seq 0 (S x))) []) with (h outside).
  2:{ rewrite (nth_indep _ [] (h 0%nat)) by (rewrite map_length, seq_length; lia). rewrite map_nth, seq_nth by lia.
    reflexivity. }
  assert (Z0 : total (map (fun _ => 0%nat) G) = 0%nat) by (clear; induction G; simpl; auto).
  assert (L : (total G <= length G * x)%nat).
  { rewrite <- (map_id G) at 1. apply total_most. intros a Ha. apply HG, Ha. }
  assert (K := reaches_all (S (length G * x)) 1 (map (fun a => (a, O, f (Z.of_nat outside) (Z.of_nat a))) (seq 0 (S x)))
    G (fun a => a) (fun _ => O) v). rewrite map_id, Z0 in K. apply K; [|lia|lia].
  intros a Ha. destruct (HG a Ha) as [H1 H2].
  eexists. split; [|exact H2]. apply in_map_iff. exists a. split; [reflexivity|apply in_seq; lia].
Qed.

Section Best.
Variables (k : weights) (n : Z) (x g : nat) (l : list (list (nat * nat))).
Hypothesis x_most : Z.of_nat x <= n.
Hypothesis whole_nonneg : 0 <= whole k.
Hypothesis sizes : forall G, In G l -> length G = g.
Hypothesis most : forall G t, In G l -> In t G -> (fst t <= x)%nat /\ (snd t <= x)%nat.
Definition own_a (G : list (nat * nat)) : nat := total (map fst G).
Definition own_c (G : list (nat * nat)) : nat := total (map snd G).
Notation A := (total (map own_a l)).
Notation C := (total (map own_c l)).
Hypothesis Hbut : but k = true -> A = x -> C = x -> forall G, In G l -> ~ (own_a G = x /\ own_c G = x).

Definition adds (G : list (nat * nat)) : Z :=
  whole k * zsum (fun t => up n (Z.of_nat x) (Z.of_nat C - Z.of_nat (own_c G)) (Z.of_nat (fst t)) +
    down n (Z.of_nat x) (Z.of_nat A - Z.of_nat (own_a G)) (Z.of_nat (snd t))) G -
  core k * (Z.of_nat (own_a G) * Z.of_nat (own_c G)).

(** Whatever hosts cover, the sum is at most [best]. *)
Theorem best_sound : core k * (Z.of_nat A * Z.of_nat C) + zsum adds l <= best k n g x (length l).
Proof.
  assert (GA : forall G, In G l -> (own_a G <= g * x)%nat).
  { intros G HG. rewrite <- (sizes G HG). apply total_most. intros t Ht. apply (most G t HG Ht). }
  assert (GC : forall G, In G l -> (own_c G <= g * x)%nat).
  { intros G HG. rewrite <- (sizes G HG). apply total_most. intros t Ht. apply (most G t HG Ht). }
  assert (HA := total_most (g * x) own_a l GA). assert (HC := total_most (g * x) own_c l GC).
  assert (IA := total_in own_a l). assert (IC := total_in own_c l).
  set (A0 := A) in *. set (C0 := C) in *. set (A' := capped x A0). set (C' := capped x C0).
  set (ups := of_group g x (up n (Z.of_nat x))). set (downs := of_group g x (down n (Z.of_nat x))).
  set (size := fun all => S (if Nat.eqb all (2 * x) then length l * (g * x) else all)).
  assert (SA : (A0 < size A')%nat)
    by (unfold size, A', capped; destruct (Nat.eqb_spec (Nat.min A0 (2 * x)) (2 * x)); lia).
  assert (SC : (C0 < size C')%nat)
    by (unfold size, C', capped; destruct (Nat.eqb_spec (Nat.min C0 (2 * x)) (2 * x)); lia).
  set (rows := size A') in *. set (columns := size C') in *.
  assert (R : reaches (zsum adds l)
    (at_totals (all_sums rows columns (choices k ups downs g x rows columns A' C') (length l)) A0 C0)).
  { apply reaches_all; [|exact SA|exact SC]. intros G HG. specialize (IA G HG). specialize (IC G HG).
    assert (Oc : forall all own, (outside x all own <= x)%nat).
    { intros. unfold outside. destruct (Nat.eqb _ _); lia. }
    destruct (in_group g x (up n (Z.of_nat x)) (outside x C' (own_c G)) (map fst G)
      (fun a => up n (Z.of_nat x) (Z.of_nat C0 - Z.of_nat (own_c G)) (Z.of_nat a))) as (u & Eu & Hu).
    { apply Oc. } { rewrite map_length. auto. }
    { intros a Ha. apply in_map_iff in Ha as (t & <- & Ht). destruct (most G t HG Ht). split; [assumption|].
      apply up_le; [lia|exact x_most|apply outside_enough; assumption]. }
    destruct (in_group g x (down n (Z.of_nat x)) (outside x A' (own_a G)) (map snd G)
      (fun c => down n (Z.of_nat x) (Z.of_nat A0 - Z.of_nat (own_a G)) (Z.of_nat c))) as (d & Ed & Hd).
    { apply Oc. } { rewrite map_length. auto. }
    { intros c Hc. apply in_map_iff in Hc as (t & <- & Ht). destruct (most G t HG Ht). split; [assumption|].
      apply down_le; [lia|exact x_most|apply outside_enough; assumption]. }
    rewrite zsum_map in Hu, Hd. fold (own_a G) in Eu. fold (own_c G) in Ed. fold ups in Eu. fold downs in Ed.
    exists (whole k * (u + d) - core k * (Z.of_nat (own_a G) * Z.of_nat (own_c G))). split.
    - unfold choices. apply in_flat_map. exists (own_a G). split; [apply in_seq; specialize (GA G HG); lia|].
      apply in_flat_map. exists (own_c G). split; [apply in_seq; specialize (GC G HG); lia|].
      destruct (but k && _ && _ && _ && _) eqn:Eb; [|rewrite Eu, Ed; left; reflexivity]. exfalso.
      rewrite !andb_true_iff, !Nat.eqb_eq in Eb. destruct Eb as [[[[E1 E2] E3] E4] E5].
      apply (Hbut E1) with G; auto; unfold A', C', capped in *; lia.
    - unfold adds. fold A0. fold C0. rewrite zsum_plus. nia. }
  destruct R as (w & Ew & Hw). unfold best. fold ups. fold downs.
  apply Z.le_trans with (best_of_class k ups downs g x (length l) A' C').
  - apply Z.le_trans with (total_at k (all_sums rows columns (choices k ups downs g x rows columns A' C') (length l))
      A0 C0).
    + unfold total_at. rewrite Ew. lia.
    + unfold best_of_class. fold (size A'). fold (size C'). fold rows. fold columns. cbv zeta.
      apply greatest_le. apply in_flat_map. exists A0. split; [apply in_seq; lia|].
      fold A'. rewrite Nat.eqb_refl. apply in_map_iff. exists C0. split; [|apply in_seq; lia]. fold C'.
      rewrite Nat.eqb_refl. reflexivity.
  - apply greatest_le. apply in_flat_map. exists A'. split; [apply in_seq; unfold A', capped; lia|].
    apply in_map, in_seq. unfold C', capped. lia.
Qed.
End Best.
