(** Means over orbits: what holds of all images of some prices holds of their means. *)

From Coq Require Import QArith NArith List Bool Lia Lqa Permutation.
From Verified Require Import Least Sums Duality Lookup Moves.
Import ListNotations.
Open Scope Q_scope.

(** * Sums *)

Lemma sum_concat {A} (f : A -> Q) ls : sum f (List.concat ls) == sum (sum f) ls.
Proof. induction ls as [|l ls IH]; [reflexivity|]. simpl List.concat. rewrite sum_app, sum_cons, IH. reflexivity. Qed.

Lemma sum_same {A} (c : Q) (l : list A) : sum (fun _ => c) l == inject_Z (Z.of_N (count l)) * c.
Proof.
  rewrite count_length. induction l as [|x l IH]; [simpl; ring|]. rewrite sum_cons, IH. simpl length.
  replace (Z.of_N (N.of_nat (S (length l)))) with (Z.of_N (N.of_nat (length l)) + 1)%Z by lia.
  rewrite inject_Z_plus. ring.
Qed.

Lemma count_positive {A} (l : list A) : l <> [] -> 0 < inject_Z (Z.of_N (count l)).
Proof.
  intros H. rewrite count_length. destruct l; [congruence|]. simpl length.
  change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia.
Qed.

(** With distinct keys, one term has that of x. *)
Lemma sum_single {A} (key : A -> N) (f : A -> Q) x l :
  NoDup (map key l) -> In x l -> sum (fun y => only (key x =? key y)%N (f y)) l == f x.
Proof.
  induction l as [|y l IH]; intros Hd Hin; [contradiction|]. simpl map in Hd. inversion Hd as [|? ? Hn Hd']; subst.
  rewrite sum_cons. destruct Hin as [->|Hin].
  - rewrite N.eqb_refl. setoid_replace (sum (fun y => only (key x =? key y)%N (f y)) l) with 0; [simpl; ring|].
    rewrite <- (sum_zero l). apply sum_ext. intros z Hz. destruct (N.eqb_spec (key x) (key z)) as [E|]; [|reflexivity].
    exfalso. apply Hn. rewrite E. apply in_map, Hz.
  - rewrite (IH Hd' Hin). destruct (N.eqb_spec (key x) (key y)) as [E|]; [|simpl; ring].
    exfalso. apply Hn. rewrite <- E. apply in_map, Hin.
Qed.

(** * Tables of places *)

Lemma get_put_place {A} (m : places A) (x y : place) (a b : A) :
  get_place (put_place x a m) y = Some b -> (x = y /\ a = b) \/ get_place m y = Some b.
Proof.
  destruct x as [[s d] l], y as [[s' d'] l']. unfold get_place, put_place. simpl. rewrite inner_put.
  destruct (N.eqb_spec s s') as [->|]; [|auto]. rewrite inner_put. destruct (N.eqb_spec d d') as [->|]; [|auto].
  rewrite get_put. destruct (N.eqb_spec l l') as [->|]; [|auto]. intros E. injection E as ->. auto.
Qed.

(** * A finite group *)

Definition ids (k : nat) : list N := map N.of_nat (seq 0 k).

Lemma in_ids k i : In i (ids k) <-> (i < N.of_nat k)%N.
Proof.
  unfold ids. rewrite in_map_iff. split.
  - intros (x & <- & H). apply in_seq in H. lia.
  - intros H. exists (N.to_nat i). split; [apply N2Nat.id|]. apply in_seq. lia.
Qed.

Lemma nth_ids (f : N -> N) k i : (i < N.of_nat k)%N -> nth (N.to_nat i) (map f (ids k)) 0%N = f i.
Proof.
  intros H. assert (L : (N.to_nat i < k)%nat) by lia. unfold ids. rewrite map_map.
  rewrite (nth_indep _ 0%N (f (N.of_nat 0))) by (rewrite map_length, seq_length; exact L).
  rewrite (map_nth (fun x => f (N.of_nat x))), seq_nth by exact L. simpl. rewrite N2Nat.id. reflexivity.
Qed.

Fixpoint lists (k : nat) (values : list N) : list (list N) :=
  match k with O => [[]] | S k => flat_map (fun l => map (fun x => x :: l) values) (lists k values) end.

Lemma in_lists k values l : length l = k -> (forall x, In x l -> In x values) -> In l (lists k values).
Proof.
  revert l. induction k as [|k IH]; intros [|x l] E H; simpl in *; try discriminate; [auto|].
  apply in_flat_map. exists l. split; [apply IH; [lia|auto]|]. apply (in_map (fun x => x :: l)). apply H. left.
    reflexivity.
Qed.

(** Where hosts, and links, are taken. *)
Definition act := ((N -> N) * (N -> N))%type.
Definition take_by (w : act) (x : place) : place := (fst w (fst (fst x)), fst w (snd (fst x)), snd w (snd x)).
Definition after (g w : act) : act := (fun x => fst w (fst g x), fun l => snd w (snd g l)).

Section Group.
Variables (h k : nat) (gens : list act) (good : act -> Prop).

Definition is_place (x : place) : Prop :=
  (fst (fst x) < N.of_nat h)%N /\ (snd (fst x) < N.of_nat h)%N /\ (snd x < N.of_nat k)%N.
Definition keeps (w : act) : Prop :=
  (forall s, (s < N.of_nat h)%N -> (fst w s < N.of_nat h)%N) /\
  (forall l, (l < N.of_nat k)%N -> (snd w l < N.of_nat k)%N).
Definition is_onto (w : act) : Prop :=
  (forall s, (s < N.of_nat h)%N -> exists s', (s' < N.of_nat h)%N /\ fst w s' = s) /\
  (forall l, (l < N.of_nat k)%N -> exists l', (l' < N.of_nat k)%N /\ snd w l' = l).

Hypothesis good_id : good (fun x => x, fun l => l).
Hypothesis good_after : forall g w, In g gens -> good w -> good (after g w).
Hypothesis good_keeps : forall w, good w -> keeps w.
Hypothesis gens_onto : forall g, In g gens -> is_onto g.

Definition signature (w : act) : list N * list N := (map (fst w) (ids h), map (snd w) (ids k)).

Definition signature_dec (a b : list N * list N) : {a = b} + {a <> b}.
Proof. decide equality; apply (list_eq_dec N.eq_dec). Defined.

Lemma signature_bound : exists most, forall ws,
  (forall w, In w ws -> good w) -> NoDup (map signature ws) -> (length ws <= most)%nat.
Proof.
  exists (length (list_prod (lists h (ids h)) (lists k (ids k)))). intros ws Hw Hd.
  rewrite <- (map_length signature ws). apply (NoDup_incl_length Hd).
  intros s Hs. apply in_map_iff in Hs as (w & <- & Hin). destruct (good_keeps w (Hw w Hin)) as [H1 H2].
  unfold signature. apply in_prod; apply in_lists; rewrite ?map_length; unfold ids at 1;
    rewrite ?map_length, ?seq_length;
    try reflexivity; intros y Hy; apply in_map_iff in Hy as (z & <- & Hz); apply in_ids; apply in_ids in Hz; auto.
Qed.

Lemma closure : exists ws, ws <> [] /\ (forall w, In w ws -> good w) /\ NoDup (map signature ws) /\
  forall g w, In g gens -> In w ws -> In (signature (after g w)) (map signature ws).
Proof.
  destruct signature_bound as [most Hmost].
  assert (G : forall more ws, ws <> [] -> (forall w, In w ws -> good w) -> NoDup (map signature ws) ->
    (most < length ws + more)%nat -> exists ws, ws <> [] /\ (forall w, In w ws -> good w) /\ NoDup (map signature ws) /\
    forall g w, In g gens -> In w ws -> In (signature (after g w)) (map signature ws)).
  { induction more as [|more IH]; intros ws Hne Hw Hd Hl; [specialize (Hmost ws Hw Hd); lia|].
    set (new := fun gw : act * act => if in_dec signature_dec (signature (after (fst gw) (snd gw))) (map signature ws)
      then false else true).
    destruct (find new (list_prod gens ws)) as [[g w]|] eqn:E.
    - apply find_some in E as [Hin E]. apply in_prod_iff in Hin as [Hg Hin]. unfold new in E. simpl in E.
      destruct (in_dec signature_dec (signature (after g w)) (map signature ws)) as [|Hn]; [discriminate|].
      apply (IH (after g w :: ws)); [discriminate| | |simpl; lia].
      + intros x [<-|Hx]; [apply good_after; auto|auto].
      + simpl. constructor; assumption.
    - exists ws. split; [exact Hne|]. split; [exact Hw|]. split; [exact Hd|]. intros g w Hg Hin.
      pose proof (find_none _ _ E (g, w) (proj2 (in_prod_iff _ _ _ _) (conj Hg Hin))) as N. unfold new in N. simpl in N.
      destruct (in_dec signature_dec (signature (after g w)) (map signature ws)) as [Hi|]; [exact Hi|discriminate]. }
  apply (G (S most) [(fun x => x, fun l => l)]); [discriminate| | |simpl; lia].
  - intros w [<-|[]]. exact good_id.
  - simpl. constructor; [intros []|constructor].
Qed.

Lemma signature_after g w w' :
  In g gens -> signature (after g w) = signature (after g w') -> signature w = signature w'.
Proof.
  intros Hg E. destruct (gens_onto g Hg) as [H1 H2]. unfold signature, after in *. simpl in E.
  injection E as E1 E2. rewrite map_ext_in_iff in E1. rewrite map_ext_in_iff in E2.
  f_equal; apply map_ext_in; intros x Hx; apply in_ids in Hx.
  - destruct (H1 x Hx) as (y & Hy & <-). apply (E1 y). apply in_ids, Hy.
  - destruct (H2 x Hx) as (y & Hy & <-). apply (E2 y). apply in_ids, Hy.
Qed.

Definition is_invariant (A : place -> Q) : Prop :=
  forall g x, In g gens -> is_place x -> A (take_by g x) == A x.

Lemma sum_invariant (F : place -> Q) ws :
  (forall w, In w ws -> good w) -> NoDup (map signature ws) ->
  (forall g w, In g gens -> In w ws -> In (signature (after g w)) (map signature ws)) ->
  is_invariant (fun x => sum (fun w => F (take_by w x)) ws).
Proof.
  intros Hw Hd Hc g x Hg Hx.
  set (by_signature := fun s : list N * list N =>
    F (nth (N.to_nat (fst (fst x))) (fst s) 0%N, nth (N.to_nat (snd (fst x))) (fst s) 0%N, nth (N.to_nat (snd x))
      (snd s) 0%N)).
  assert (B : forall w, F (take_by w x) = by_signature (signature w)).
  { intros w. destruct Hx as (Hs & Hdst & Hl). unfold by_signature, signature. cbn [fst snd].
    rewrite !nth_ids by assumption. reflexivity. }
  assert (P : Permutation (map signature (map (after g) ws)) (map signature ws)).
  { apply NoDup_Permutation_bis.
    - rewrite map_map. clear Hw. assert (Hd' := Hd). revert Hd'. clear Hc. generalize ws at 1 2. intros l Hl.
      induction l as [|w l IH]; simpl in *; [constructor|]. inversion Hl as [|? ? Hn Hl']; subst. constructor; [|auto].
      intros Hin. apply Hn. apply in_map_iff in Hin as (w' & E & Hin). rewrite (signature_after g w w' Hg (eq_sym E)).
      apply in_map, Hin.
    - rewrite !map_length. lia.
    - intros s Hs. rewrite map_map in Hs. apply in_map_iff in Hs as (w & <- & Hin). apply Hc; assumption. }
  transitivity (sum by_signature (map signature (map (after g) ws))).
  - rewrite !sum_map. apply sum_ext. intros w _. rewrite <- B. reflexivity.
  - rewrite (sum_permutation _ _ _ P), sum_map. apply sum_ext. intros w _. rewrite B. reflexivity.
Qed.

(** Prices [ps'] are worth the same as [ps] wherever images do not matter. *)
Theorem average (F : place -> Q) (ps ps' : list price) (least most : Q) :
  (forall A, is_invariant A -> sum (fun p => snd p * A (fst p)) ps' == sum (fun p => snd p * A (fst p)) ps) ->
  (forall w, good w -> sum (fun p => snd p * F (take_by w (fst p))) ps <= most) ->
  (forall w, good w -> least <= sum (fun p => snd p * F (take_by w (fst p))) ps') -> least <= most.
Proof.
  intros Hsame Hmost Hleast. destruct closure as (ws & Hne & Hw & Hd & Hc).
  pose proof (Hsame _ (sum_invariant F ws Hw Hd Hc)) as E. pose proof (count_positive ws Hne) as Hpos.
  apply (Qmult_le_l _ _ _ Hpos). rewrite <- !sum_same.
  assert (S : forall ps : list price, sum (fun w => sum (fun p => snd p * F (take_by w (fst p))) ps) ws ==
    sum (fun p => snd p * sum (fun w => F (take_by w (fst p))) ws) ps).
  { intros l. rewrite sum_swap. apply sum_ext. intros p _. apply sum_times. }
  transitivity (sum (fun w => sum (fun p => snd p * F (take_by w (fst p))) ps') ws).
  - apply sum_le. intros w Hin. apply Hleast, Hw, Hin.
  - rewrite S, E, <- S. apply sum_le. intros w Hin. apply Hmost, Hw, Hin.
Qed.

(** * The means that are computed *)

Variable gs : list mover.
Hypothesis gs_in : forall g, In g gs -> In (image (nodes_on g), image (links_on g)) gens.
Hypothesis gens_keep : forall g, In g gens -> keeps g.

Lemma turns_all {A} (P : A -> Prop) most f stop a : (forall a, P a -> P (f a)) -> P a -> P (turns most f stop a).
Proof.
  intros Hf. revert a. induction most as [|most IH]; intros a Ha; simpl; [apply Hf, Ha|].
  destruct (stop _); [apply IH, Ha|apply IH, IH, Ha].
Qed.

Section Means.
Variable A : place -> Q.
Hypothesis HA : is_invariant A.

Definition is_found (numbers : places N) (j : N) (x : place) (state : search_state) : Prop :=
  let '(numbers', last, orbit) := state in
  (forall y i, get_place numbers' y = Some i -> (i = j /\ A y == A x) \/ get_place numbers y = Some i) /\
  (forall y, In y last -> is_place y /\ A y == A x) /\ (forall y, In y orbit -> A y == A x) /\ orbit <> [].

Lemma visit_found numbers j x state : is_found numbers j x state -> is_found numbers j x (visit gs j state).
Proof.
  destruct state as [[numbers' [|z last]] orbit]; [auto|]. intros (H1 & H2 & H3 & H4).
  destruct (H2 z (or_introl eq_refl)) as [Hz Ez]. simpl visit.
  assert (G : forall l acc, incl l gs -> is_found numbers j x acc ->
    is_found numbers j x (fold_left (fun acc g =>
        let '(numbers, last, orbit) := acc in
        let y := take_place g z in
        match get_place numbers y with
        | Some _ => acc
        | None => (put_place y j numbers, y :: last, y :: orbit)
        end) l acc)).
  { induction l as [|g l IH]; intros acc Hi Ha; [exact Ha|]. simpl fold_left.
    apply IH; [intros y Hy; apply Hi; right; exact Hy|].
    destruct acc as [[m ys] zs]. destruct (get_place m (take_place g z)); [exact Ha|].
    assert (Hg : In (image (nodes_on g), image (links_on g)) gens) by (apply gs_in, Hi; left; reflexivity).
    assert (E : A (take_place g z) == A x) by (rewrite <- Ez; apply (HA _ z Hg Hz)).
    assert (Hp : is_place (take_place g z)).
    { destruct (gens_keep _ Hg) as [K1 K2]. simpl in K1, K2. destruct Hz as (Z1 & Z2 & Z3).
      split; [|split]; simpl; auto. }
    destruct Ha as (A1 & A2 & A3 & A4). split; [|split; [|split]].
    - intros y i Ey. apply get_put_place in Ey as [[<- <-]|Ey]; [left; auto|apply A1, Ey].
    - intros y [<-|Hy]; auto.
    - intros y [<-|Hy]; auto.
    - discriminate. }
  apply G; [apply incl_refl|]. split; [exact H1|]. split; [intros y Hy; apply H2; right; exact Hy|]. auto.
Qed.

Definition is_settled (all : orbits) : Prop :=
  let '(numbers, next, found) := all in
  (forall x j, get_place numbers x = Some j -> exists o, In (j, o) found /\ forall y, In y o -> A x == A y) /\
  NoDup (map fst found) /\
  (forall j o, In (j, o) found -> (j < next)%N /\ o <> [] /\ forall y z, In y o -> In z o -> A y == A z).

Lemma add_orbit_settled all x : is_place x -> is_settled all -> is_settled (add_orbit gs all x).
Proof.
  intros Hx. destruct all as [[numbers next] found]. intros (H1 & H2 & H3). unfold add_orbit.
  destruct (get_place numbers x); [split; [exact H1|split; assumption]|].
  assert (F : is_found numbers next x (turns 22 (visit gs next) is_done (put_place x next numbers, [x], [x]))).
  { apply turns_all; [intros; apply visit_found; assumption|]. split; [|split; [|split]].
    - intros y i E. apply get_put_place in E as [[<- <-]|E]; [left; split; reflexivity|right; exact E].
    - intros y [<-|[]]. split; [exact Hx|reflexivity].
    - intros y [<-|[]]. reflexivity.
    - discriminate. }
  destruct (turns 22 (visit gs next) is_done _) as [[numbers' last] orbit]. destruct F as (F1 & _ & F3 & F4).
  split; [|split].
  - intros y j E. destruct (F1 y j E) as [[-> Ey]|E'].
    + exists orbit. split; [left; reflexivity|]. intros z Hz. rewrite Ey, (F3 z Hz). reflexivity.
    + destruct (H1 y j E') as (o & Ho & Hy). exists o. split; [right; exact Ho|exact Hy].
  - simpl. constructor; [|exact H2]. intros Hin. apply in_map_iff in Hin as ([j o] & E & Hin). simpl in E. subst.
    destruct (H3 _ _ Hin) as [L _]. lia.
  - intros j o [E|Hin].
    + injection E as <- <-. split; [lia|]. split; [exact F4|]. intros y z Hy Hz. rewrite (F3 y Hy), (F3 z Hz).
      reflexivity.
    + destruct (H3 _ _ Hin) as [L R]. split; [lia|exact R].
Qed.

Lemma share_out_sum totals j o a :
  o <> [] -> (forall x, In x o -> A x == a) ->
  sum (fun p => snd p * A (fst p)) (share_out totals (j, o)) == amount_at totals j * a.
Proof.
  intros Hne Ho. pose proof (count_positive o Hne) as Hpos. unfold share_out, at_price. rewrite sum_map. simpl fst.
    simpl snd.
  transitivity (sum (fun _ : place => amount_at totals j / inject_Z (Z.of_N (count o)) * a) o).
  - apply sum_ext. intros x Hx. rewrite (Ho x Hx), (Qred_correct (amount_at totals j / inject_Z (Z.of_N (count o)))).
    reflexivity.
  - rewrite sum_same. field. lra.
Qed.

Lemma means_sum ps ps' : means gs ps = Some ps' -> (forall p, In p ps -> is_place (fst p)) ->
  sum (fun p => snd p * A (fst p)) ps' == sum (fun p => snd p * A (fst p)) ps.
Proof.
  unfold means. intros H Hp.
  assert (H' : ps' = ps \/ (let '(numbers, _, found) := fold_left (add_orbit gs) (map fst ps) (none, 0%N, []) in
    if forallb (fun p => match get_place numbers (fst p) with Some _ => true | None => false end) ps
    then Some (share_all (tally (numbered_prices numbers ps)) found) else None) = Some ps').
  { revert H. clear. destruct gs; [left; congruence|right; assumption]. }
  clear H. destruct H' as [->|H]; [reflexivity|].
  assert (S : is_settled (fold_left (add_orbit gs) (map fst ps) (none, 0%N, []))).
  { assert (G : forall xs all, (forall x, In x xs -> is_place x) -> is_settled all ->
      is_settled (fold_left (add_orbit gs) xs all)).
    { induction xs as [|x xs IH]; intros all Hx Ha; [exact Ha|]. simpl.
      apply IH; [intros; apply Hx; right; assumption|].
      apply add_orbit_settled; [apply Hx; left; reflexivity|exact Ha]. }
    apply G.
    - intros x Hx. apply in_map_iff in Hx as (p & <- & Hin). apply Hp, Hin.
    - split; [|split].
      + intros x j E. unfold get_place, inner in E. rewrite !get_none in E. discriminate.
      + constructor.
      + intros j o []. }
  destruct (fold_left (add_orbit gs) (map fst ps) (none, 0%N, [])) as [[numbers next] found].
  destruct S as (S1 & S2 & S3).
  match type of H with (if ?b then _ else _) = _ => destruct b eqn:Eall; [|discriminate] end. injection H as <-.
  rewrite forallb_forall in Eall. unfold share_all. rewrite sum_concat, sum_map.
  set (worth := fun o : N * list place => A (hd (0, 0, 0)%N (snd o))).
  assert (W : forall j o x, In (j, o) found -> In x o -> A x == worth (j, o)).
  { intros j o x Hin Hx. destruct (S3 _ _ Hin) as (_ & Hne & Ho). unfold worth. simpl.
    destruct o as [|y o]; [congruence|].
    apply Ho; [exact Hx|left; reflexivity]. }
  transitivity (sum (fun o => amount_at (tally (numbered_prices numbers ps)) (fst o) * worth o) found).
  { apply sum_ext. intros [j o] Hin. apply share_out_sum; [apply (S3 _ _ Hin)|]. intros x Hx. apply (W j o x Hin Hx). }
  transitivity (sum (fun o => sum (fun p => snd p * only (number_in numbers (fst p) =? fst o)%N (worth o)) ps) found).
  { apply sum_ext. intros o _. rewrite amount_tally. unfold numbered_prices. rewrite sum_map, Qmult_comm, <- sum_times.
    apply sum_ext. intros p _. simpl. destruct (_ =? _)%N; simpl; ring. }
  rewrite sum_swap. apply sum_ext. intros p Hin. rewrite sum_times. apply Qmult_comp; [reflexivity|].
  specialize (Eall p Hin). unfold number_in. destruct (get_place numbers (fst p)) as [j|] eqn:E; [|discriminate].
  destruct (S1 _ _ E) as (o & Ho & Hx).
  transitivity (worth (j, o)).
  - exact (sum_single fst worth (j, o) found S2 Ho).
  - destruct (S3 _ _ Ho) as (_ & Hne & _). unfold worth. simpl. destruct o as [|y o]; [congruence|].
    symmetry. apply Hx. left. reflexivity.
Qed.
End Means.
End Group.
