(** No single-path routing of a tree is better than what counting says. *)

From Coq Require Import QArith NArith ZArith List Bool Lia Lqa.
From Verified Require Import Single Sums Duality Lookup Moves Covers Ends Best Counting Stars Greatest Full.
Import ListNotations.
Open Scope Q_scope.

(** * Paths that lead up, then down *)

Lemma lead_nil up n : lead up n [].
Proof. intros l k []. Qed.

Lemma is_up_down_sound n p : forall up,
  is_up_down (link_of n) up p = true ->
  exists u d, p = u ++ d /\ lead true n u /\ lead false n d /\ (up = false -> u = []).
Proof.
  induction p as [|l p IH]; simpl; intros up H.
  { exists [], []. repeat split; auto using lead_nil. }
  destruct (link_of n l) as [k|] eqn:E; [|discriminate]. destruct (from k <? to k)%N eqn:Eu.
  - apply andb_true_iff in H as [-> H]. apply N.ltb_lt in Eu. apply IH in H as (u & d & -> & Hu & Hd & _).
    exists (l :: u), d. split; [reflexivity|]. split; [|split; [exact Hd|discriminate]].
    intros l' k' [->|Hin] E'; [congruence|eapply Hu; eassumption].
  - apply andb_true_iff in H as [Ed H]. apply N.ltb_lt in Ed. apply IH in H as (u & d & -> & Hu & Hd & Hno).
    rewrite (Hno eq_refl). exists [], (l :: d). split; [reflexivity|]. split; [apply lead_nil|]. split; [|reflexivity].
    intros l' k' [->|Hin] E'; [congruence|eapply Hd; eassumption].
Qed.

Lemma is_up_down_ext f g p : (forall l, f l = g l) -> forall up, is_up_down f up p = is_up_down g up p.
Proof.
  intros H. induction p as [|l p IH]; intros up; simpl; [reflexivity|]. rewrite H. destruct (g l); [|reflexivity].
  rewrite !IH. reflexivity.
Qed.

Lemma check_single_sound n r m :
  is_routing n (stands_for n r) -> check_single (look n (know r)) m = true -> is_single_path n (stands_for n r).
Proof.
  intros Hr H. split; [exact Hr|]. intros s d (Hs & Hd & Hne). unfold check_single in H. rewrite forallb_forall in H.
  specialize (H s (in_host_list _ _ Hs)). rewrite forallb_forall in H. specialize (H d (in_host_list _ _ Hd)).
  apply orb_true_iff in H as [H|H]; [apply N.eqb_eq in H; contradiction|]. unfold is_single in H.
  rewrite lookup_stands in H. destruct (stands_for n r s d) as [|[q p] [|]]; try discriminate.
  apply andb_true_iff in H as [H _]. cbn [link_table look] in H. rewrite (is_up_down_ext _ (link_of n)) in H
    by apply find_link.
  apply is_up_down_sound in H as (u & d' & -> & Hu & Hd' & _). exists q, u, d'. auto.
Qed.

Lemma joins_both find a b : forall v u d, joins find v u a = true -> joins find u d b = true ->
  joins find v d (a ++ b) = true.
Proof.
  induction a as [|l a IH]; intros v u d Ha Hb; simpl in *; [apply N.eqb_eq in Ha; subst; exact Hb|].
  destruct (find l) as [k|]; [|discriminate]. apply andb_true_iff in Ha as [-> Ha]. eapply IH; eassumption.
Qed.

Lemma joins_parts find a b : forall v d, joins find v d (a ++ b) = true ->
  exists w, joins find v w a = true /\ joins find w d b = true.
Proof.
  induction a as [|l a IH]; simpl; intros v d H; [exists v; split; [apply N.eqb_refl|exact H]|].
  destruct (find l) as [k|]; [|discriminate]. apply andb_true_iff in H as [H1 H].
  apply IH in H as (w & Ha & Hb). exists w. rewrite H1. auto.
Qed.

(** * Node-disjoint pairs on a link are a permutation *)

Section Bound.
Variables (n : network) (r : routing) (q : quantity) (u : Q).
Hypothesis Hn : is_network n.
Hypothesis Hr : is_single_path n r.
Hypothesis Hu : is_bound n r q u.
Hypothesis Hq : q <> HoseLoad.
Hypothesis even : q = ObliviousRatio -> forall t, is_permutation n t -> possible_loads n t 1.

Definition path_of (s d : N) : list N := match r s d with [(_, p)] => p | _ => [] end.

Lemma the_path s d : is_pair n s d -> exists x up down, r s d = [(x, up ++ down)] /\ x == 1 /\
  path_of s d = up ++ down /\ lead true n up /\ lead false n down /\ joins (link_of n) s d (up ++ down) = true.
Proof.
  intros Hp. destruct Hr as [Hrouting H]. destruct (H s d Hp) as (x & up & down & E & Hup & Hdown).
  destruct (Hrouting s d Hp) as [H1 H2]. rewrite E in H1, H2. exists x, up, down.
  split; [exact E|]. split; [simpl in H2; rewrite Qplus_0_r in H2; exact H2|].
  split; [unfold path_of; rewrite E; reflexivity|]. split; [exact Hup|]. split; [exact Hdown|].
  apply (H1 x). left. reflexivity.
Qed.

(** The node where the path turns down. *)
Definition turns_at (s d w : N) : Prop := exists up down, path_of s d = up ++ down /\ lead true n up /\
  lead false n down /\ joins (link_of n) s w up = true /\ joins (link_of n) w d down = true.

Lemma the_top s d : is_pair n s d -> exists w, turns_at s d w.
Proof.
  intros P. destruct (the_path s d P) as (x & up & down & _ & _ & Ep & Hup & Hdown & Hj).
  apply joins_parts in Hj as (w & J1 & J2). exists w, up, down. auto.
Qed.

Lemma share_at_least s d l : is_pair n s d -> In l (path_of s d) -> 1 <= share (r s d) l.
Proof.
  intros Hp Hl. destruct (the_path s d Hp) as (x & up & down & E & Ex & Ep & _). rewrite Ep in Hl. rewrite E.
  unfold share. rewrite sum_cons. simpl fst. simpl snd. change (sum _ []) with 0. rewrite Ex.
  assert (1 <= passes l (up ++ down)); [|lra].
  assert (K := sum_one (fun x => only (x =? l)%N 1) l (up ++ down) Hl). cbv beta in K.
  rewrite N.eqb_refl in K. apply K. intros. apply only_nonneg. discriminate.
Qed.

Definition traffic_of (m : list (N * N)) : list demand := map (fun e => Demand (fst e) (snd e) 1) m.

Lemma matching_bound m l k :
  link_of n l = Some k -> capacity k == 1 -> NoDup (map fst m) -> NoDup (map snd m) ->
  (forall e, In e m -> is_pair n (fst e) (snd e) /\ In l (path_of (fst e) (snd e))) ->
  inject_Z (Z.of_nat (length m)) <= u.
Proof.
  intros Ek Hk N1 N2 Hm. set (t := traffic_of m).
  assert (Ht : is_permutation n t).
  { split; [|split; [|split]].
    - intros x Hx. apply in_map_iff in Hx as (e & <- & He). split; [apply Hm, He|discriminate].
    - unfold t, traffic_of. rewrite map_map. exact N1.
    - unfold t, traffic_of. rewrite map_map. exact N2.
    - intros x Hx. apply in_map_iff in Hx as (e & <- & He). apply Qle_refl. }
  assert (L : inject_Z (Z.of_nat (length m)) <= load r t l k).
  { apply le_div; [rewrite Hk; reflexivity|]. rewrite Hk, Qmult_1_r. unfold carried, t, traffic_of. rewrite sum_map.
    cbn [src dst amount]. clear Ht t N1 N2. induction m as [|e m IH]; [apply Qle_refl|].
    rewrite sum_cons. cbn [length]. rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus.
    destruct (Hm e (or_introl eq_refl)) as [H1 H2]. pose proof (share_at_least _ _ _ H1 H2) as Hs.
    assert (inject_Z (Z.of_nat (length m)) <= sum (fun x => 1 * share (r (fst x) (snd x)) l) m)
      by (apply IH; intros; apply Hm; right; assumption).
    change (inject_Z 1) with 1. lra. }
  eapply Qle_trans; [exact L|]. destruct q.
  - assert (H : load r t l k / 1 <= u).
    { apply Hu. exists t, 1, l, k. split; [apply Ht|]. split; [apply even; auto|]. split; [exact Ek|reflexivity]. }
    eapply Qle_trans; [|exact H]. unfold Qdiv. change (/ 1) with 1. rewrite Qmult_1_r. apply Qle_refl.
  - apply Hu. exists t, l, k. split; [exact Ht|]. split; [exact Ek|reflexivity].
  - contradiction.
Qed.

(** Some link carries a pair. *)
Lemma at_least_one : (forall k, In k (links n) -> capacity k == 1) -> 1 <= u.
Proof.
  intros Hcap. assert (P : is_pair n 0 1). { destruct Hn as (H2 & _). unfold is_pair. lia. }
  destruct (the_path 0 1 P) as (x & up & down & E & Ex & Ep & _ & _ & Hj).
  destruct (up ++ down) as [|l p] eqn:Eq; [discriminate|].
  destruct (joined_links n _ _ _ Hj l (or_introl eq_refl)) as (k & Ek).
  apply (matching_bound [(0, 1)%N] l k Ek).
  - apply Hcap. unfold link_of in Ek. eapply nth_error_In, Ek.
  - constructor; [intros []|constructor].
  - constructor; [intros []|constructor].
  - intros e [<-|[]]. split; [exact P|]. simpl. rewrite Ep. left. reflexivity.
Qed.

(** * The links of ports *)

Variable p : ported.
Hypothesis Hp : forall lk, In lk (link_list n) -> is_ported p lk = true.
Notation side v := (get (side_of p) v).

Lemma stays_above up b l : lead up n l -> forall v w, joins (link_of n) v w l = true -> side v = Some (Above b) ->
  up = true -> side w = Some (Above b).
Proof.
  intros Hl. induction l as [|x l IH]; simpl; intros v w Hj Ev ->; [apply N.eqb_eq in Hj; congruence|].
  destruct (link_of n x) as [k|] eqn:Ek; [|discriminate]. apply andb_true_iff in Hj as [E1 Hj]. apply N.eqb_eq in E1.
  assert (Hl' : lead true n l) by (intros l' k' Hin; apply Hl; right; exact Hin).
  pose proof (Hl x k (or_introl eq_refl) Ek) as D. simpl in D.
  pose proof Ek as Hx. apply in_link_list, Hp in Hx. unfold is_ported in Hx. apply andb_true_iff in Hx as [_ Hx].
  rewrite E1, Ev in Hx. eapply (IH Hl'); [exact Hj| |reflexivity].
  destruct (side (to k)) as [[a|a]|]; try discriminate.
  - rewrite !andb_true_iff, N.ltb_lt in Hx. lia.
  - apply N.eqb_eq in Hx. congruence.
Qed.

Lemma stays_inside a l : lead false n l -> forall v w, joins (link_of n) v w l = true -> side v = Some (Inside a) ->
  side w = Some (Inside a).
Proof.
  intros Hl. induction l as [|x l IH]; simpl; intros v w Hj Ev; [apply N.eqb_eq in Hj; congruence|].
  destruct (link_of n x) as [k|] eqn:Ek; [|discriminate]. apply andb_true_iff in Hj as [E1 Hj]. apply N.eqb_eq in E1.
  assert (Hl' : lead false n l) by (intros l' k' Hin; apply Hl; right; exact Hin).
  pose proof (Hl x k (or_introl eq_refl) Ek) as D. simpl in D.
  pose proof Ek as Hx. apply in_link_list, Hp in Hx. unfold is_ported in Hx. apply andb_true_iff in Hx as [_ Hx].
  rewrite E1, Ev in Hx. eapply (IH Hl'); [exact Hj|].
  destruct (side (to k)) as [[b|b]|]; try discriminate.
  - apply N.eqb_eq in Hx. congruence.
  - rewrite !andb_true_iff, N.ltb_lt in Hx. lia.
Qed.

Lemma is_number_sound o l : is_number o l = true -> o = Some l.
Proof. unfold is_number. destruct o; [|discriminate]. intros H. apply N.eqb_eq in H. congruence. Qed.

Lemma going_up a l : lead true n l -> forall v w, joins (link_of n) v w l = true -> side v = Some (Inside a) ->
  side w = Some (Inside a) \/
  exists b x, side w = Some (Above b) /\ (b < ports p)%N /\ In x l /\ get (up_links p) (key p a b) = Some x.
Proof.
  intros Hl. induction l as [|x l IH]; simpl; intros v w Hj Ev; [apply N.eqb_eq in Hj; left; congruence|].
  destruct (link_of n x) as [k|] eqn:Ek; [|discriminate]. apply andb_true_iff in Hj as [E1 Hj]. apply N.eqb_eq in E1.
  assert (Hl' : lead true n l) by (intros l' k' Hin; apply Hl; right; exact Hin).
  pose proof Ek as Hx. apply in_link_list, Hp in Hx. unfold is_ported in Hx. apply andb_true_iff in Hx as [_ Hx].
  rewrite E1, Ev in Hx. destruct (side (to k)) as [[b|b]|] eqn:Et; try discriminate.
  - apply N.eqb_eq in Hx. subst b. destruct (IH Hl' _ _ Hj Et) as [H|(b & y & H1 & H2 & H3 & H4)]; [left; exact H|].
    right. exists b, y. auto.
  - right. rewrite !andb_true_iff, !N.ltb_lt in Hx. destruct Hx as [[_ Hb] Hx]. apply is_number_sound in Hx.
    exists b, x. split; [|auto]. eapply (stays_above true); eauto.
Qed.

Lemma going_down b c l : lead false n l -> forall v w, joins (link_of n) v w l = true -> side v = Some (Above b) ->
  side w = Some (Inside c) -> exists x, In x l /\ get (down_links p) (key p c b) = Some x.
Proof.
  intros Hl. induction l as [|x l IH]; simpl; intros v w Hj Ev Ew; [apply N.eqb_eq in Hj; congruence|].
  destruct (link_of n x) as [k|] eqn:Ek; [|discriminate]. apply andb_true_iff in Hj as [E1 Hj]. apply N.eqb_eq in E1.
  assert (Hl' : lead false n l) by (intros l' k' Hin; apply Hl; right; exact Hin).
  pose proof Ek as Hx. apply in_link_list, Hp in Hx. unfold is_ported in Hx. apply andb_true_iff in Hx as [_ Hx].
  rewrite E1, Ev in Hx. destruct (side (to k)) as [[a|a]|] eqn:Et; try discriminate.
  - rewrite !andb_true_iff in Hx. destruct Hx as [_ Hx]. apply is_number_sound in Hx.
    assert (side w = Some (Inside a)) by (eapply stays_inside; eassumption). exists x. split; [left; reflexivity|].
    replace c with a by congruence. exact Hx.
  - apply N.eqb_eq in Hx. subst a. destruct (IH Hl' _ _ Hj Et Ew) as (y & H1 & H2). exists y. auto.
Qed.

(** Whether the pair passes the links of a port. *)
Definition is_on (o : option N) (s d : N) : bool :=
  match o with Some l => existsb (N.eqb l) (path_of s d) | None => false end.
Notation part := (part_of p).
Definition takes (b s d : N) : bool :=
  is_on (get (up_links p) (key p (part s) b)) s d && is_on (get (down_links p) (key p (part d) b)) s d.

Hypothesis inside : forall h, (h < hosts n)%N -> exists a, side h = Some (Inside a).

Lemma is_on_in x l s d : path_of s d = l -> In x l -> is_on (Some x) s d = true.
Proof. intros E H. simpl. rewrite E. apply existsb_exists. exists x. split; [exact H|apply N.eqb_refl]. Qed.

Lemma takes_at s d w : turns_at s d w -> is_pair n s d -> part s <> part d ->
  exists b, side w = Some (Above b) /\ (b < ports p)%N /\ takes b s d = true.
Proof.
  intros (up & down & Ep & Hup & Hdown & J1 & J2) (Hs & Hd & _) Hne.
  destruct (inside s Hs) as (a & Ea). destruct (inside d Hd) as (c & Ec).
  unfold part_of in Hne. rewrite Ea, Ec in Hne.
  destruct (going_up a up Hup _ _ J1 Ea) as [H|(b & y & H & Hb & Hy & Ey)].
  - pose proof (stays_inside a down Hdown _ _ J2 H). congruence.
  - destruct (going_down b c down Hdown _ _ J2 H Ec) as (z & Hz & Ez). exists b. split; [exact H|]. split; [exact Hb|].
    unfold takes, part_of.
    rewrite Ea, Ec, Ey, Ez. apply andb_true_iff. split; eapply is_on_in; try exact Ep; apply in_app_iff; auto.
Qed.

(** Covers of a link, by König's theorem. *)
Variable x : nat.
Hypothesis small : u < inject_Z (Z.of_nat (S x)).

Lemma covers_of (o : option N) (g : list (N * N)) :
  (forall e, In e g -> is_pair n (fst e) (snd e) /\ is_on o (fst e) (snd e) = true) ->
  is_small (host_list n) (Z.of_nat x) g.
Proof.
  intros Hg. destruct (konig (host_list n) (host_list_distinct n) g x) as [(m & Hi & N1 & N2 & Hm)|H]; [|exact H].
  exfalso. destruct m as [|e m]; [discriminate|].
  assert (He : In e g) by (apply Hi; left; reflexivity). destruct (Hg e He) as [P Hon].
  destruct o as [l|]; [|discriminate].
  assert (Hpath : forall f, In f g -> In l (path_of (fst f) (snd f))).
  { intros f Hf. destruct (Hg f Hf) as [_ H]. simpl in H. apply existsb_exists in H as (y & Hy & E).
    apply N.eqb_eq in E. subst y. exact Hy. }
  destruct (the_path _ _ P) as (y & up & down & _ & _ & Ep & _ & _ & Hj). pose proof (Hpath e He) as Hl.
  rewrite Ep in Hl. destruct (joined_links n _ _ _ Hj l Hl) as (k & Ek).
  pose proof Ek as Hx. apply in_link_list, Hp in Hx. unfold is_ported in Hx. apply andb_true_iff in Hx as [Hk _].
  apply Qeq_bool_iff in Hk.
  assert (B : inject_Z (Z.of_nat (length (e :: m))) <= u).
  { eapply matching_bound; try eassumption. intros f Hf. split; [apply Hg, Hi, Hf|apply Hpath, Hi, Hf]. }
  rewrite Hm in B. lra.
Qed.
End Bound.

(** * What a port carries, and all ports *)

Lemma choose_two (P : N -> (N -> bool) -> (N -> bool) -> Prop) l :
  (forall i, In i l -> exists A B, P i A B) -> exists f g, forall i, In i l -> P i (f i) (g i).
Proof.
  induction l as [|a l IH]; intros H; [exists (fun _ _ => false), (fun _ _ => false); intros i []|].
  destruct (H a (or_introl eq_refl)) as (A & B & HA). destruct IH as (f & g & Hf); [intros; apply H; right; auto|].
  exists (fun i => if (i =? a)%N then A else f i), (fun i => if (i =? a)%N then B else g i). intros i Hi.
  destruct (N.eqb_spec i a) as [->|Hne]; [exact HA|]. destruct Hi as [->|Hi]; [congruence|auto].
Qed.

Lemma in_numbers n i : In i (numbers n) <-> (i < n)%N.
Proof.
  unfold numbers. rewrite in_map_iff. split.
  - intros (k & <- & Hk). apply in_seq in Hk. lia.
  - intros H. exists (N.to_nat i). rewrite in_seq. split; lia.
Qed.

Lemma numbers_once n : NoDup (numbers n).
Proof. unfold numbers. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros a b. apply Nat2N.inj. Qed.

Lemma numbers_length n : length (numbers n) = N.to_nat n.
Proof. unfold numbers. rewrite map_length, seq_length. reflexivity. Qed.

Lemma pairs_le ss ds part same (f g : N -> N -> bool) :
  (forall s d, In s ss -> In d ds -> same (part s) (part d) = false -> f s d = true -> g s d = true) ->
  (pairs ss ds part same f <= pairs ss ds part same g)%Z.
Proof.
  intros H. apply zsum_le. intros s Hs. apply zsum_le. intros d Hd. specialize (H s d Hs Hd). unfold apart.
  destruct (same (part s) (part d)); [lia|]. specialize (H eq_refl).
  destruct (f s d); [rewrite H by reflexivity; lia|apply bit_range].
Qed.

Lemma some_bit (f : N -> bool) b l : In b l -> f b = true -> (1 <= zsum (fun b => bit (f b)) l)%Z.
Proof.
  intros Hb Hf. induction l as [|c l IH]; [destruct Hb|]. rewrite zsum_cons.
  assert (0 <= zsum (fun y => bit (f y)) l)%Z by (apply zsum_nonneg; intros; apply bit_range).
  destruct Hb as [->|Hb]; [rewrite Hf; unfold bit at 1; lia|]. specialize (IH Hb). pose proof (bit_range (f c)). lia.
Qed.

Lemma by_ports ss ds part same (l : list N) (f : N -> N -> N -> bool) :
  zsum (fun b => pairs ss ds part same (f b)) l =
  zsum (fun s => zsum (fun d => zsum (fun b => apart same (part s) (part d) (bit (f b s d))) l) ds) ss.
Proof. unfold pairs. etransitivity; [apply zsum_swap|]. apply zsum_ext. intros s _. apply zsum_swap. Qed.

Section Ports.
Variables (n : network) (r : routing) (q : quantity) (u : Q) (p : ported) (size subtrees : N) (x : nat).
Hypothesis Hn : is_network n.
Hypothesis Hr : is_single_path n r.
Hypothesis Hu : is_bound n r q u.
Hypothesis Hq : q <> HoseLoad.
Hypothesis even : q = ObliviousRatio -> forall t, is_permutation n t -> possible_loads n t 1.
Hypothesis Hp : forall lk, In lk (link_list n) -> is_ported p lk = true.
Hypothesis Hparts : check_parts n p size subtrees = true.
Hypothesis small : u < inject_Z (Z.of_nat (S x)).
Hypothesis x_most : (Z.of_nat x <= Z.of_N size)%Z.

Notation hosts_of := (host_list n).
Notation part := (part_of p).
Notation takes := (takes r p).

Lemma is_inside h : (h < hosts n)%N -> exists a, get (side_of p) h = Some (Inside a) /\ (a < subtrees)%N.
Proof.
  intros Hh. unfold check_parts in Hparts. apply andb_true_iff in Hparts as [H _]. rewrite forallb_forall in H.
  specialize (H h (in_host_list _ _ Hh)). destruct (get (side_of p) h) as [[a|a]|]; try discriminate.
  exists a. split; [reflexivity|apply N.ltb_lt, H].
Qed.

Lemma in_subtrees h : In h hosts_of -> In (part h) (numbers subtrees).
Proof.
  intros H. apply host_list_in in H. destruct (is_inside h H) as (a & E & Ha). unfold part_of. rewrite E.
  apply in_numbers, Ha.
Qed.

Lemma subtree_size i : In i (numbers subtrees) -> Z.of_nat (length (of_part part hosts_of i)) = Z.of_N size.
Proof.
  intros Hi. unfold check_parts in Hparts. apply andb_true_iff in Hparts as [_ H]. rewrite forallb_forall in H.
  specialize (H i Hi). apply N.eqb_eq in H. rewrite those_index, count_length in H. unfold of_part. lia.
Qed.

Lemma different s d : In s hosts_of -> In d hosts_of -> part s <> part d -> is_pair n s d.
Proof.
  intros Hs Hd Hne. split; [apply host_list_in, Hs|]. split; [apply host_list_in, Hd|congruence].
Qed.

Definition through (b : N) (keep : N * N -> bool) : list (N * N) :=
  filter (fun e => keep e && negb (part (fst e) =? part (snd e))%N && takes b (fst e) (snd e))
    (list_prod hosts_of hosts_of).

Lemma in_through b keep s d : In s hosts_of -> In d hosts_of -> part s <> part d -> takes b s d = true ->
  keep (s, d) = true -> In (s, d) (through b keep).
Proof.
  intros Hs Hd Hne Ht Hk. apply filter_In. split; [apply in_prod; assumption|]. simpl. rewrite Ht, Hk.
  destruct (N.eqb_spec (part s) (part d)); [contradiction|reflexivity].
Qed.

Lemma through_in b keep e : In e (through b keep) ->
  is_pair n (fst e) (snd e) /\ keep e = true /\ takes b (fst e) (snd e) = true.
Proof.
  intros H. apply filter_In in H as [Hin H]. rewrite !andb_true_iff, negb_true_iff in H. destruct H as [[H1 H2] H3].
  apply N.eqb_neq in H2. destruct e as [s d]. apply in_prod_iff in Hin as [Hs Hd].
  split; [apply different; assumption|].
  split; assumption.
Qed.

(** Covers of the links of a port. *)
Lemma port_covers b : exists A B C E,
  (forall i, In i (numbers subtrees) -> (cnt (A i) hosts_of + cnt (B i) hosts_of <= Z.of_nat x)%Z) /\
  (forall j, In j (numbers subtrees) -> (cnt (E j) hosts_of + cnt (C j) hosts_of <= Z.of_nat x)%Z) /\
  forall s d, In s hosts_of -> In d hosts_of -> part s <> part d -> takes b s d = true ->
    is_covered part A B C E s d = true.
Proof.
  destruct (choose_two (fun i A B => (cnt A hosts_of + cnt B hosts_of <= Z.of_nat x)%Z /\
    meets A B (through b (fun e => part (fst e) =? i)%N)) (numbers subtrees)) as (A & B & HA).
  { intros i _. destruct (covers_of n r q u Hr Hu Hq even p Hp x small (get (up_links p) (key p i b))
      (through b (fun e => part (fst e) =? i)%N)) as (A & B & H1 & H2); [|exists A, B; split; assumption].
    intros e He. apply through_in in He as (P & Hk & Ht). split; [exact P|]. apply N.eqb_eq in Hk. rewrite <- Hk.
    unfold Trees.takes in Ht. apply andb_true_iff in Ht. apply Ht. }
  destruct (choose_two (fun j E C => (cnt E hosts_of + cnt C hosts_of <= Z.of_nat x)%Z /\
    meets E C (through b (fun e => part (snd e) =? j)%N)) (numbers subtrees)) as (E & C & HC).
  { intros i _. destruct (covers_of n r q u Hr Hu Hq even p Hp x small (get (down_links p) (key p i b))
      (through b (fun e => part (snd e) =? i)%N)) as (E & C & H1 & H2); [|exists E, C; split; assumption].
    intros e He. apply through_in in He as (P & Hk & Ht). split; [exact P|]. apply N.eqb_eq in Hk. rewrite <- Hk.
    unfold Trees.takes in Ht. apply andb_true_iff in Ht. apply Ht. }
  exists A, B, C, E. split; [intros; apply HA; assumption|]. split; [intros; apply HC; assumption|].
  intros s d Hs Hd Hne Ht. unfold is_covered. apply andb_true_iff. split.
  - destruct (HA (part s) (in_subtrees s Hs)) as [_ H].
    apply (H (s, d)), in_through; try assumption. apply N.eqb_refl.
  - destruct (HC (part d) (in_subtrees d Hd)) as [_ H].
    apply (H (s, d)), in_through; try assumption. apply N.eqb_refl.
Qed.

Lemma subtree_most i : In i (numbers subtrees) -> (Z.of_nat (length (of_part part hosts_of i)) <= Z.of_N size)%Z.
Proof. intros Hi. rewrite subtree_size by exact Hi. lia. Qed.

Notation most := (limit (Z.of_N size) (Z.of_N subtrees) (Z.of_nat x)).
Hypothesis two : (2 <= subtrees)%N.

Lemma subtrees_length : Z.of_nat (length (numbers subtrees)) = Z.of_N subtrees.
Proof. rewrite numbers_length. apply N_nat_Z. Qed.

Notation pairs := (pairs hosts_of hosts_of part N.eqb).

Lemma port_most b : (pairs (takes b) <= most)%Z.
Proof.
  destruct (port_covers b) as (A & B & C & E & H1 & H2 & H3).
  eapply Z.le_trans; [apply (pairs_le _ _ _ _ _ (is_covered part A B C E))|].
  { intros s d Hs Hd Hne. apply H3; try assumption. apply N.eqb_neq, Hne. }
  rewrite <- subtrees_length. apply covered_limit; auto using numbers_once, in_subtrees, subtree_most.
  rewrite subtrees_length. lia.
Qed.

Notation carries s d := (zsum (fun b => apart N.eqb (part s) (part d) (bit (takes b s d))) (numbers (ports p))).

Lemma inside_some h : (h < hosts n)%N -> exists a, get (side_of p) h = Some (Inside a).
Proof. intros H. destruct (is_inside h H) as (a & E & _). exists a. exact E. Qed.

Lemma some_port s d : In s hosts_of -> In d hosts_of -> (apart N.eqb (part s) (part d) (bit true) <= carries s d)%Z.
Proof.
  intros Hs Hd. unfold apart.
  destruct (N.eqb_spec (part s) (part d)) as [Es|Es]; [rewrite zsum_zero; lia|].
  pose proof (different s d Hs Hd Es) as P. destruct (the_top n r Hr s d P) as (w & Hw).
  destruct (takes_at n r p Hp inside_some s d w Hw P Es) as (b & _ & Hb & Ht). apply in_numbers in Hb.
  exact (some_bit _ _ _ Hb Ht).
Qed.

Notation wanted := (Z.of_N size * Z.of_N size * (Z.of_N subtrees * (Z.of_N subtrees - 1)))%Z.

Lemma wanted_all : wanted = pairs (fun _ _ => true).
Proof.
  rewrite (all_pairs (numbers subtrees) (numbers_once _) _ _ (Z.of_N size) in_subtrees subtree_size).
  rewrite numbers_length, N_nat_Z. reflexivity.
Qed.

Lemma all_ports : (wanted <= zsum (fun b => pairs (takes b)) (numbers (ports p)))%Z.
Proof.
  rewrite wanted_all, by_ports. apply zsum_le. intros s Hs. apply zsum_le. intros d Hd. apply some_port; assumption.
Qed.

Theorem too_few :
  (Z.of_N size * Z.of_N size * (Z.of_N subtrees * (Z.of_N subtrees - 1)) <=
    Z.of_N (ports p) * most)%Z.
Proof.
  eapply Z.le_trans; [apply all_ports|].
  eapply Z.le_trans; [apply zsum_le; intros b _; apply port_most|].
  rewrite zsum_const, numbers_length, N_nat_Z. lia.
Qed.

(** * All ports cannot be full *)

Section Full.
Hypothesis x_less : (Z.of_nat x < Z.of_N size)%Z.
Hypothesis three : (3 <= subtrees)%N.
Hypothesis most_is : most = (2 * Z.of_N size * (Z.of_N subtrees - 1) * Z.of_nat x)%Z.
Hypothesis less : (most_apart (Z.of_N size) x (N.to_nat subtrees) < most)%Z.
Hypothesis tight : (Z.of_N (ports p) * most = wanted)%Z.

Lemma full_port b : (most <= pairs (takes b))%Z -> exists f g,
  (forall i, In i (numbers subtrees) -> cnt f (of_part part hosts_of i) = cnt g (of_part part hosts_of i)) /\
  forall s d, In s hosts_of -> In d hosts_of -> part s <> part d ->
    bit (takes b s d) = (bit (f s) + bit (g d))%Z.
Proof.
  intros Hb. destruct (port_covers b) as (A & B & C & E & H1 & H2 & H3).
  assert (H3' : forall s d, In s hosts_of -> In d hosts_of -> (part s =? part d)%N = false -> takes b s d = true ->
    is_covered part A B C E s d = true).
  { intros s d Hs Hd Hne. apply H3; try assumption. apply N.eqb_neq, Hne. }
  assert (K := covered_best (numbers subtrees) (numbers_once _) hosts_of hosts_of part (Z.of_N size) x A B C
    E in_subtrees in_subtrees subtree_most subtree_most x_most H1 H2). rewrite numbers_length in K.
  assert (K0 : (pairs (is_covered part A B C E) <= most)%Z).
  { rewrite <- subtrees_length. apply covered_limit; auto using numbers_once, in_subtrees, subtree_most.
    rewrite subtrees_length. lia. }
  pose proof (pairs_le _ _ _ _ _ _ H3') as L.
  set (at_all := fun i => ((a hosts_of part A i =? Z.of_nat x) && (c hosts_of part C i =? Z.of_nat x))%Z).
  destruct ((sources hosts_of part (numbers subtrees) A =? Z.of_nat x)%Z &&
    (targets hosts_of part (numbers subtrees) C =? Z.of_nat x)%Z && existsb at_all (numbers subtrees)) eqn:Ec.
  - rewrite !andb_true_iff, !Z.eqb_eq, existsb_exists in Ec. destruct Ec as [[Es Et] (i & Hi & Hc)].
    unfold at_all in Hc. rewrite andb_true_iff, !Z.eqb_eq in Hc. destruct Hc as [Ea Ec].
    assert (F : (2 * Z.of_N size * (Z.of_nat (length (numbers subtrees)) - 1) * Z.of_nat x <=
      pairs (is_covered part A B C E))%Z).
    { rewrite numbers_length, N_nat_Z, <- most_is. lia. }
    exists (from_centre part A i), (to_centre part C i). split.
    + intros j Hj. eapply centre_even; eassumption.
    + intros s d Hs Hd Hne.
      rewrite (pairs_same hosts_of part x _ _ H3 ltac:(lia) s d Hs Hd Hne).
      apply (centred hosts_of part (numbers subtrees) (Z.of_N size) x (numbers_once _) in_subtrees subtree_size x_less
        A B C E H1 H2 i Hi Ea Ec Es Et F); assumption.
  - exfalso. assert (K1 : (pairs (is_covered part A B C E) <= most_apart (Z.of_N size) x (N.to_nat subtrees))%Z);
      [|lia].
    apply K. intros Es Et i Hi [Ea Ec']. rewrite Es, Et, !Z.eqb_refl in Ec. cbn [andb] in Ec.
    assert (X : existsb at_all (numbers subtrees) = true); [|congruence].
    apply existsb_exists. exists i. split; [exact Hi|]. unfold at_all. rewrite Ea, Ec', !Z.eqb_refl. reflexivity.
Qed.

Theorem not_all_full : False.
Proof.
  assert (S : zsum (fun _ => most) (numbers (ports p)) = wanted).
  { rewrite zsum_const, numbers_length, N_nat_Z. lia. }
  pose proof all_ports as All.
  assert (Each : forall b, In b (numbers (ports p)) -> pairs (takes b) = most).
  { apply zsum_same; [intros b _; apply port_most|]. rewrite S. exact All. }
  destruct (choose_two (fun b f g =>
    (forall i, In i (numbers subtrees) -> cnt f (of_part part hosts_of i) = cnt g (of_part part hosts_of i)) /\
    forall s d, In s hosts_of -> In d hosts_of -> part s <> part d ->
      bit (takes b s d) = (bit (f s) + bit (g d))%Z) (numbers (ports p))) as (f & g & Hfg).
  { intros b Hb. apply full_port. rewrite (Each b Hb). lia. }
  assert (Total : zsum (fun s => zsum (fun d => carries s d) hosts_of) hosts_of =
    zsum (fun s => zsum (fun d => apart N.eqb (part s) (part d) (bit true)) hosts_of) hosts_of).
  { rewrite <- by_ports, (zsum_ext _ _ _ Each), S. exact wanted_all. }
  apply (no_halves hosts_of part (numbers subtrees) (Z.of_N size) x subtree_size x_less (numbers (ports p)) f g 0 1 2).
  - intros b i Hb Hi. apply (Hfg b Hb), Hi.
  - intros s d Hs Hd Hne.
    rewrite <- (zsum_ext (fun b => bit (takes b s d))) by (intros b Hb; apply (Hfg b Hb); assumption).
    assert (Es := zsum_same _ _ hosts_of (fun s Hs => zsum_le _ _ hosts_of (fun d Hd => some_port s d Hs Hd))
      ltac:(rewrite Total; lia) s Hs). cbv beta in Es.
    assert (Ed := zsum_same _ _ hosts_of (fun d Hd => some_port s d Hs Hd) ltac:(rewrite Es; lia) d Hd).
    cbv beta in Ed. unfold apart in Ed. rewrite (proj2 (N.eqb_neq _ _) Hne) in Ed. symmetry. exact Ed.
  - apply in_numbers. lia.
  - apply in_numbers. lia.
  - apply in_numbers. lia.
  - discriminate.
  - discriminate.
  - discriminate.
  - lia.
Qed.
End Full.
End Ports.
