(** What a certificate states: networks, routings, traffic, and bounds on what they do.

    This file and [Read.v], which says what a text stands for, are all that has to be read to know what [check_sound]
    in [Sound.v] says. Numbers are exact rationals; suprema and infima are stated by what is below and above them. *)

From Coq Require Import QArith NArith List.
Import ListNotations.
Open Scope Q_scope.

(** The sum of [f x] over all [x] in a list. *)
Definition sum {A} (f : A -> Q) (l : list A) : Q := fold_right (fun x rest => f x + rest) 0 l.

(** [f] where [b] is true, 0 elsewhere. *)
Definition only (b : bool) (f : Q) : Q := if b then f else 0.

(** * Networks *)

(** Nodes are numbers; a link leads [from] a node [to] a node. The links of a network are numbered 0, 1, … in order.
    The hosts are the nodes 0 … hosts − 1. *)
Record link := Link { from : N; to : N; capacity : Q }.
Record network := Network { hosts : N; nodes : N; links : list link }.

Definition link_of (n : network) (l : N) : option link := nth_error (links n) (N.to_nat l).

Definition is_network (n : network) : Prop :=
  (2 <= hosts n)%N /\ (hosts n <= nodes n)%N /\
  forall k, In k (links n) -> (from k < nodes n)%N /\ (to k < nodes n)%N /\ 0 < capacity k.

(** * Paths and routings *)

(** A path is the numbers of its links. [joins find v d p]: it leads from v to d; [find] says which links there are. *)
Fixpoint joins (find : N -> option link) (v d : N) (p : list N) : bool :=
  match p with
  | [] => (v =? d)%N
  | l :: p =>
      match find l with
      | Some k => (from k =? v)%N && joins find (to k) d p
      | None => false
      end
  end.

(** How often a path passes a link. *)
Definition passes (l : N) (p : list N) : Q := sum (fun x => only (x =? l)%N 1) p.

(** Paths with shares, and the share that they put on a link. *)
Definition paths := list (Q * list N).
Definition share (ps : paths) (l : N) : Q := sum (fun qp => fst qp * passes l (snd qp)) ps.

(** A routing gives every pair of hosts paths with shares. *)
Definition routing := N -> N -> paths.

Definition is_routed (n : network) (s d : N) (ps : paths) : Prop :=
  (forall q p, In (q, p) ps -> 0 <= q /\ joins (link_of n) s d p = true) /\ sum fst ps == 1.

Definition is_pair (n : network) (s d : N) : Prop := (s < hosts n)%N /\ (d < hosts n)%N /\ s <> d.

Definition is_routing (n : network) (r : routing) : Prop :=
  forall s d, is_pair n s d -> is_routed n s d (r s d).

(** * Traffic and loads *)

(** Traffic is any number of demands; those of one pair add up. *)
Record demand := Demand { src : N; dst : N; amount : Q }.

Definition is_traffic (n : network) (t : list demand) : Prop :=
  forall x, In x t -> is_pair n (src x) (dst x) /\ 0 <= amount x.

(** The routing has paths for all of this traffic; it may have none for other pairs. *)
Definition routes (n : network) (r : routing) (t : list demand) : Prop :=
  forall x, In x t -> is_routed n (src x) (dst x) (r (src x) (dst x)).

(** What a routing puts on link l, and that divided by the capacity of the link, which is [k]. *)
Definition carried (r : routing) (t : list demand) (l : N) : Q :=
  sum (fun x => amount x * share (r (src x) (dst x)) l) t.
Definition load (r : routing) (t : list demand) (l : N) (k : link) : Q := carried r t l / capacity k.

Definition loads_at_most (n : network) (r : routing) (t : list demand) (m : Q) : Prop :=
  forall l k, link_of n l = Some k -> load r t l k <= m.

(** Every host is at most once a source and at most once a destination, of at most 1. *)
Definition is_permutation (n : network) (t : list demand) : Prop :=
  is_traffic n t /\ NoDup (map src t) /\ NoDup (map dst t) /\ forall x, In x t -> amount x <= 1.

(** No host sends or receives more than its links can. *)
Definition leaving (n : network) (h : N) : Q := sum (fun k => only (from k =? h)%N (capacity k)) (links n).
Definition entering (n : network) (h : N) : Q := sum (fun k => only (to k =? h)%N (capacity k)) (links n).
Definition sent (t : list demand) (h : N) : Q := sum (fun x => only (src x =? h)%N (amount x)) t.
Definition received (t : list demand) (h : N) : Q := sum (fun x => only (dst x =? h)%N (amount x)) t.

Definition is_hose (n : network) (t : list demand) : Prop :=
  is_traffic n t /\
  forall h, (h < hosts n)%N -> sent t h <= leaving n h /\ received t h <= entering n h.

(** * What is bounded *)

Definition supremum_within (values : Q -> Prop) (lower upper : Q) : Prop :=
  (exists v, values v /\ lower <= v) /\ forall v, values v -> v <= upper.

Definition infimum_within (values : Q -> Prop) (lower upper : Q) : Prop :=
  (forall v, values v -> lower <= v) /\ exists v, values v /\ v <= upper.

(** The loads of links under all permutations; permutation load is their supremum. *)
Definition permutation_loads (n : network) (r : routing) (v : Q) : Prop :=
  exists t l k, is_permutation n t /\ link_of n l = Some k /\ v == load r t l k.

Definition hose_loads (n : network) (r : routing) (v : Q) : Prop :=
  exists t l k, is_hose n t /\ link_of n l = Some k /\ v == load r t l k.

(** Bounds m > 0 on the max load of some routing of this traffic. Their infimum is optu. *)
Definition possible_loads (n : network) (t : list demand) (m : Q) : Prop :=
  0 < m /\ exists best, routes n best t /\ loads_at_most n best t m.

(** The loads of links under all traffic, divided by a max load that some routing of this traffic has at most. Their
    supremum is that of max load ÷ optu. *)
Definition ratios (n : network) (r : routing) (v : Q) : Prop :=
  exists t m l k, is_traffic n t /\ possible_loads n t m /\ link_of n l = Some k /\ v == load r t l k / m.

Inductive quantity := ObliviousRatio | PermutationLoad | HoseLoad.

Definition values_of (q : quantity) : network -> routing -> Q -> Prop :=
  match q with
  | ObliviousRatio => ratios
  | PermutationLoad => permutation_loads
  | HoseLoad => hose_loads
  end.

(** * Routings that are written out *)

(** A `path` record. *)
Record listing := Listing { ls : N; ld : N; lshare : Q; lpath : list N }.

(** A `next` record: a node, and its next links to the hosts, or one link to all. *)
Definition row := (N * list (option N))%type.

Inductive routing_text := Next (rows : list row) | Paths (records : list listing).

(** The paths that are listed for a pair. *)
Definition listed (records : list listing) : routing := fun s d =>
  map (fun r => (lshare r, lpath r)) (filter (fun r => (ls r =? s) && (ld r =? d))%N records).

(** The next link from v to d. *)
Definition entry (rows : list row) (v d : N) : option N :=
  match filter (fun r => fst r =? v)%N rows with
  | (_, [one]) :: _ => one
  | (_, many) :: _ => match nth_error many (N.to_nat d) with Some l => l | None => None end
  | [] => None
  end.

(** The path that begins at v and follows next links until it is at d: as [next] is a function, one that gets there
    does so over at most as many links as there are. *)
Fixpoint follow (find : N -> option link) (next : N -> N -> option N) (most : nat) (v d : N) : option (list N) :=
  if (v =? d)%N then Some [] else
  match most, next v d with
  | S most, Some l =>
      match find l with
      | Some k => if (from k =? v)%N then option_map (cons l) (follow find next most (to k) d) else None
      | None => None
      end
  | _, _ => None
  end.

Definition stands_for (n : network) (r : routing_text) : routing :=
  match r with
  | Paths records => listed records
  | Next rows => fun s d =>
      match follow (link_of n) (entry rows) (length (links n)) s d with
      | Some p => [(1, p)]
      | None => []
      end
  end.

(** * The least value over routings *)

(** The paths that routings may take: all, those with the fewest links of their pair, or those that are listed. *)
Inductive among := All | Shortest | Listed (allowed : list (N * N * list N)).

Definition is_allowed (n : network) (a : among) (s d : N) (p : list N) : Prop :=
  match a with
  | All => True
  | Shortest => forall other, joins (link_of n) s d other = true -> (length p <= length other)%nat
  | Listed allowed => In (s, d, p) allowed
  end.

Definition is_among (n : network) (a : among) (r : routing) : Prop :=
  is_routing n r /\
  forall s d q p, is_pair n s d -> In (q, p) (r s d) -> 0 < q -> is_allowed n a s d p.

(** Links that lead up, or down: the nodes of a tree are numbered level by level from the hosts. *)
Definition lead (up : bool) (n : network) (p : list N) : Prop :=
  forall l k, In l p -> link_of n l = Some k -> if up then (from k < to k)%N else (to k < from k)%N.

(** Every pair has one path, which leads up, then down. *)
Definition is_single_path (n : network) (r : routing) : Prop :=
  is_routing n r /\
  forall s d, is_pair n s d -> exists q up down, r s d = [(q, up ++ down)] /\ lead true n up /\ lead false n down.

(** All routings over some paths, or all single-path routings. *)
Inductive routings := Over (a : among) | SinglePath.
Definition is_one_of (n : network) (o : routings) : routing -> Prop :=
  match o with Over a => is_among n a | SinglePath => is_single_path n end.

(** Bounds on the value of some of these routings. Their infimum is the least value. *)
Definition possible_bounds (q : quantity) (n : network) (o : routings) (u : Q) : Prop :=
  exists r, is_one_of n o r /\ forall v, values_of q n r v -> v <= u.

Record least := Least { quantity_of : quantity; over : routings; least_lower : Q; least_upper : Q }.

(** * What a certificate claims *)

Inductive claims :=
  | Worst (r : routing_text) (bounds : list (quantity * Q * Q)) (best : option least)
  | Optu (t : list demand) (lower upper : Q).

(** The claims hold in this network. *)
Definition hold (n : network) (c : claims) : Prop :=
  is_network n /\
  match c with
  | Worst r bounds best =>
      let r := stands_for n r in
      is_routing n r /\
      (forall q lower upper, In (q, lower, upper) bounds -> supremum_within (values_of q n r) lower upper) /\
      forall q o lower upper, best = Some (Least q o lower upper) ->
        infimum_within (possible_bounds q n o) lower upper
  | Optu t lower upper => is_traffic n t /\ infimum_within (possible_loads n t) lower upper
  end.
