(** Proof steps of LRAT: a formula that they refute has no model.

    The checker does not read such proofs yet, as it is not proved here that a formula says what it has to. *)

From Coq Require Import NArith List Bool Lia FMapPositive.
From Verified Require Import Tables Sums.
Import ListNotations.
Open Scope N_scope.

(** * What is stated *)

(** A variable, which is true or not; a clause holds if one of its literals does. *)
Definition literal := (bool * N)%type.
Definition clause := list literal.
Definition is_true (model : N -> bool) (l : literal) : bool := eqb (model (snd l)) (fst l).
Definition is_model (model : N -> bool) (formula : list clause) : Prop :=
  forall c, In c formula -> exists l, In l c /\ is_true model l = true.

(** * The checker *)

Definition negation (l : literal) : literal := (negb (fst l), snd l).
Definition code (l : literal) : N := 2 * snd l + if fst l then 1 else 0.

(** Literals that are false. *)
Definition set_false (m : table unit) (l : literal) : table unit := put (code l) tt m.
Definition is_open (m : table unit) (l : literal) : bool :=
  match get m (code l) with Some _ => false | None => true end.

(** The hints lead from literals that are false to a clause of which all are. *)
Fixpoint follows (clauses : table clause) (hints : list N) (m : table unit) : bool :=
  match hints with
  | [] => false
  | h :: hints =>
      match get clauses h with
      | None => false
      | Some c =>
          match filter (is_open m) c with
          | [] => true
          | [l] => follows clauses hints (set_false m (negation l))
          | _ => false
          end
      end
  end.

Inductive step := Add (number : N) (c : clause) (hints : list N) | Delete (numbers : list N).

Definition remove (m : table clause) (i : N) : table clause := PositiveMap.remove (key i) m.
Definition exists_in (m : table clause) (i : N) : bool := match get m i with Some _ => true | None => false end.

(** The steps lead to the empty clause; [last] is the greatest number of a clause so far. *)
Fixpoint leads_to_empty (clauses : table clause) (last : N) (steps : list step) : bool :=
  match steps with
  | [] => false
  | Add number c hints :: steps =>
      (last <? number) && follows clauses hints (fold_left set_false c none) &&
      match c with [] => true | _ => leads_to_empty (put number c clauses) number steps end
  | Delete numbers :: steps =>
      forallb (exists_in clauses) numbers && leads_to_empty (fold_left remove numbers clauses) last steps
  end.

Definition refutes (formula : list clause) (steps : list step) : bool :=
  let clauses := fold_right (fun x m => put (fst x) (snd x) m) none (numbered 1 formula) in
  leads_to_empty clauses (N.of_nat (length formula)) steps.

(** * Its proof *)

Section Model.
Variable model : N -> bool.

Definition all_hold (clauses : table clause) : Prop :=
  forall i c, get clauses i = Some c -> exists l, In l c /\ is_true model l = true.
Definition all_false (m : table unit) : Prop :=
  forall l, get m (code l) <> None -> is_true model l = false.

Lemma code_injective l l' : code l = code l' -> l = l'.
Proof. destruct l as [[] v], l' as [[] v']; unfold code; cbn [fst snd]; intros; try (exfalso; lia); f_equal; lia. Qed.

Lemma set_false_all m l : all_false m -> is_true model l = false -> all_false (set_false m l).
Proof.
  intros Hm Hl l' H. unfold set_false in H. rewrite get_put in H. destruct (N.eqb_spec (code l) (code l')) as [E|E];
    [apply code_injective in E; subst; exact Hl|apply Hm, H].
Qed.

Lemma negation_false l : is_true model l = true -> is_true model (negation l) = false.
Proof. unfold is_true, negation. simpl. destruct (model (snd l)), (fst l); simpl; congruence. Qed.

Lemma open_all m c l : all_false m -> In l c -> is_true model l = true -> In l (filter (is_open m) c).
Proof.
  intros Hm Hl Ht. apply filter_In. split; [exact Hl|]. unfold is_open. destruct (get m (code l)) eqn:E; [|reflexivity].
  rewrite (Hm l) in Ht by congruence. discriminate.
Qed.

Lemma follows_sound clauses hints : all_hold clauses -> forall m, all_false m -> follows clauses hints m = false.
Proof.
  intros Hc. induction hints as [|h hints IH]; intros m Hm; [reflexivity|]. simpl.
  destruct (get clauses h) as [c|] eqn:E; [|reflexivity]. destruct (Hc h c E) as (l & Hl & Ht).
  pose proof (open_all m c l Hm Hl Ht) as Ho.
  destruct (filter (is_open m) c) as [|x [|y r]]; [contradiction| |reflexivity].
  destruct Ho as [->|[]]. apply IH, set_false_all; [exact Hm|apply negation_false, Ht].
Qed.

Lemma some_true (c : clause) :
  (exists l, In l c /\ is_true model l = true) \/ forall l, In l c -> is_true model l = false.
Proof.
  destruct (existsb (is_true model) c) eqn:E; [left; apply existsb_exists, E|right]. intros l Hl.
  destruct (is_true model l) eqn:Et; [|reflexivity].
  assert (existsb (is_true model) c = true) by (apply existsb_exists; exists l; auto). congruence.
Qed.

Lemma false_all c : forall m, all_false m -> (forall l, In l c -> is_true model l = false) ->
  all_false (fold_left set_false c m).
Proof.
  induction c as [|l c IH]; intros m Hm Hc; [exact Hm|]. simpl. apply IH; [|intros; apply Hc; right; assumption].
  apply set_false_all; [exact Hm|apply Hc; left; reflexivity].
Qed.

Lemma remove_some m i j c : get (remove m i) j = Some c -> get m j = Some c.
Proof.
  unfold get, remove. intros H. destruct (Pos.eq_dec (key j) (key i)) as [E|E].
  - rewrite E, PositiveMap.grs in H. discriminate.
  - rewrite PositiveMap.gro in H by exact E. exact H.
Qed.

Lemma removed_hold numbers : forall m, all_hold m -> all_hold (fold_left remove numbers m).
Proof.
  induction numbers as [|i numbers IH]; intros m Hm; [exact Hm|]. simpl. apply IH. intros j c E.
  eapply Hm, remove_some, E.
Qed.

Lemma never_empty steps : forall clauses last, all_hold clauses -> leads_to_empty clauses last steps = false.
Proof.
  induction steps as [|s steps IH]; intros clauses last Hc; [reflexivity|].
  destruct s as [number c hints|numbers]; simpl.
  - destruct (some_true c) as [(l & Hl & Ht)|Hf].
    + destruct c as [|l0 c]; [contradiction|]. rewrite IH; [apply andb_false_r|]. intros i c' E. rewrite get_put in E.
      destruct (number =? i); [|eapply Hc, E]. injection E as <-. exists l. auto.
    + rewrite (follows_sound clauses hints Hc); [rewrite andb_false_r; reflexivity|]. apply false_all; [|exact Hf].
      intros l H. rewrite get_none in H. congruence.
  - rewrite IH; [apply andb_false_r|]. apply removed_hold, Hc.
Qed.
End Model.

Lemma of_formula (l : list (N * clause)) i c :
  get (fold_right (fun x m => put (fst x) (snd x) m) none l) i = Some c -> In (i, c) l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [rewrite get_none in H; discriminate|]. rewrite get_put in H.
  destruct (N.eqb_spec (fst x) i) as [E|E]; [|right; apply IH, H]. left. destruct x. simpl in *. congruence.
Qed.

Lemma numbered_snd {A} (l : list A) i a b : In (i, a) (numbered b l) -> In a l.
Proof.
  revert b. induction l as [|x l IH]; simpl; intros b; [intros []|].
  intros [H|H]; [left; congruence|right; eapply IH, H].
Qed.

Theorem refuted (formula : list clause) (steps : list step) :
  refutes formula steps = true -> forall model, ~ is_model model formula.
Proof.
  intros H model Hm. unfold refutes in H. rewrite never_empty with (model := model) in H; [discriminate|].
  intros i c E. apply Hm. eapply numbered_snd, of_formula, E.
Qed.

Print Assumptions refuted.
