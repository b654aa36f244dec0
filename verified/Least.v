(** The least value over routings. Nothing in this file has to be trusted. *)

From Coq Require Import QArith NArith List Bool String.
From Verified Require Export Check.
Import ListNotations.
Open Scope Q_scope.

(** * Tables of pairs on links *)

(** A pair, and a link. *)
Definition place := (N * N * N)%type.
Definition places (A : Type) := table (table (table A)).

Definition get_place {A} (m : places A) (x : place) : option A :=
  get (inner (inner m (fst (fst x))) (snd (fst x))) (snd x).
Definition put_place {A} (x : place) (a : A) (m : places A) : places A :=
  let of_source := inner m (fst (fst x)) in
  put (fst (fst x)) (put (snd (fst x)) (put (snd x) a (inner of_source (snd (fst x)))) of_source) m.

(** * Prices *)

(** What a pair pays on a link. *)
Definition price := (place * Q)%type.

Definition prices_of (v : view) (a : against) : list price :=
  match get (link_table v) (against_link a) with
  | Some k => map (fun x => (src x, dst x, against_link a, Qred (weight a * amount x / capacity k))) (against_demands a)
  | None => []
  end.

Definition take_place (g : mover) (x : place) : place :=
  (image (nodes_on g) (fst (fst x)), image (nodes_on g) (snd (fst x)), image (links_on g) (snd x)).

(** The number of its orbit at every place; places whose images may lack it; all places of orbit [j]. *)
Definition search_state := (places N * list place * list place)%type.

Definition visit (gs : list mover) (j : N) (state : search_state) : search_state :=
  match state with
  | (numbers, x :: last, orbit) =>
      fold_left (fun acc g =>
        let '(numbers, last, orbit) := acc in
        let y := take_place g x in
        match get_place numbers y with
        | Some _ => acc
        | None => (put_place y j numbers, y :: last, y :: orbit)
        end) gs (numbers, last, orbit)
  | _ => state
  end.

(** [f] again and again, at most 2^most times. *)
Fixpoint turns {A} (most : nat) (f : A -> A) (stop : A -> bool) (a : A) : A :=
  match most with
  | O => f a
  | S most => let b := turns most f stop a in if stop b then b else turns most f stop b
  end.

Definition is_done (state : search_state) : bool := match snd (fst state) with [] => true | _ => false end.

Definition orbits := (places N * N * list (N * list place))%type.

Definition add_orbit (gs : list mover) (all : orbits) (x : place) : orbits :=
  let '(numbers, next, found) := all in
  match get_place numbers x with
  | Some _ => all
  | None =>
      let '(numbers, _, orbit) := turns 22 (visit gs next) is_done (put_place x next numbers, [x], [x]) in
      (numbers, N.succ next, (next, orbit) :: found)
  end.

Definition number_in (numbers : places N) (x : place) : N :=
  match get_place numbers x with Some j => j | None => 0%N end.

Definition at_price (q : Q) (xs : list place) : list price := map (fun x => (x, q)) xs.
Definition share_out (totals : table Q) (o : N * list place) : list price :=
  at_price (Qred (amount_at totals (fst o) / inject_Z (Z.of_N (count (snd o))))) (snd o).
Definition share_all (totals : table Q) (found : list (N * list place)) : list price :=
  List.concat (map (share_out totals) found).
Definition numbered_prices (numbers : places N) (ps : list price) : list weighted :=
  map (fun p => (number_in numbers (fst p), snd p)) ps.

(** Every price as the mean over its orbit. *)
Definition means (gs : list mover) (ps : list price) : option (list price) :=
  match gs with
  | [] => Some ps
  | _ =>
      let '(numbers, _, found) := fold_left (add_orbit gs) (map fst ps) (none, 0%N, []) in
      if forallb (fun p => match get_place numbers (fst p) with Some _ => true | None => false end) ps then
        Some (share_all (tally (numbered_prices numbers ps)) found)
      else None
  end.

(** * Allowed paths *)

Definition allowed_path := (N * N * list N)%type.

Definition by_source_of (a : among) : table (list allowed_path) :=
  match a with Listed paths => index (fun x => fst (fst x)) paths | _ => none end.

Definition is_listed (m : table (list allowed_path)) (s d : N) (p : list N) : bool :=
  existsb (fun x => (snd (fst x) =? d)%N && same_path (snd x) p) (those m s).

(** Numbers of links from s. *)
Definition ones (ls : list (N * link)) : table Q := tally (map (fun lk => (fst lk, 1)) ls).
Definition hops (n : network) (one : table Q) (ls : list (N * link)) (s : N) : table Q :=
  let far := reach n one ls s in if is_distance one ls s far then far else none.

Definition length_of (p : list N) : Q := inject_Z (Z.of_N (count p)).

Definition is_hops (far : table Q) (d : N) (p : list N) : bool :=
  match get far d with Some a => Qeq_bool a (length_of p) | None => false end.

(** The paths of the routing are allowed. *)
Definition all_fit (v : view) (s : N) (fits : N -> list N -> bool) : bool :=
  forallb (fun d => (s =? d)%N || forallb (fun qp => fits d (snd qp)) (lookup v s d)) (host_list (net v)).

Definition are_shortest (v : view) (one : table Q) (ls : list (N * link)) : bool :=
  forallb (fun s => all_fit v s (is_hops (hops (net v) one ls s))) (host_list (net v)).

Definition are_listed (v : view) (m : table (list allowed_path)) : bool :=
  forallb (fun s => all_fit v s (is_listed m s)) (host_list (net v)).

Definition check_taken (v : view) (a : among) : bool :=
  match a with
  | All => true
  | Shortest => let ls := numbered 0 (links (net v)) in are_shortest v (ones ls) ls
  | Listed _ => are_listed v (by_source_of a)
  end.

(** Automorphisms take allowed paths to allowed paths: as these are finitely many, it is the same as back. *)
Definition are_kept (m : table (list allowed_path)) (g : mover) (paths : list allowed_path) : bool :=
  forallb (fun x => is_listed m (image (nodes_back g) (fst (fst x))) (image (nodes_back g) (snd (fst x)))
    (map (image (links_back g)) (snd x))) paths.

Definition all_kept (m : table (list allowed_path)) (gs : list mover) (paths : list allowed_path) : bool :=
  forallb (fun g => are_kept m g paths) gs.

Definition check_among (v : view) (gs : list mover) (a : among) : bool :=
  match a with
  | Listed paths =>
      forallb (fun x => check_pair (net v) (fst (fst x)) (snd (fst x)) &&
        joins (get (link_table v)) (fst (fst x)) (snd (fst x)) (snd x)) paths &&
      all_kept (by_source_of a) gs paths
  | _ => true
  end.

(** Links that lead away from where [far] is counted from. *)
Definition leads_away (far : table Q) (lk : N * link) : bool :=
  match get far (from (snd lk)), get far (to (snd lk)) with
  | Some a, Some b => Qeq_bool b (a + 1)
  | _, _ => false
  end.

Definition nearest (n : network) (len : table Q) (ls : list (N * link)) (s d : N) : Q :=
  let far := reach n len ls s in if is_distance len ls s far then amount_at far d else 0.

Definition path_cost (len : table Q) (p : list N) : Q := sumr (amount_at len) p.

Fixpoint least_of (costs : list Q) : Q :=
  match costs with
  | [] => 0
  | [a] => a
  | a :: costs => let b := least_of costs in if Qle_bool a b then a else b
  end.

(** What the cheapest allowed path from s costs, or less. *)
Definition cheapest (n : network) (a : among) (listed : list allowed_path) (ls : list (N * link)) (s d : N)
    (len : table Q) : Q :=
  match a with
  | Listed _ => least_of (map (fun x => path_cost len (snd x)) (filter (fun x => (snd (fst x) =? d)%N) listed))
  | _ => nearest n len ls s d
  end.

Definition usable (n : network) (a : among) (one : table Q) (ls : list (N * link)) (s : N) : list (N * link) :=
  match a with Shortest => filter (leads_away (hops n one ls s)) ls | _ => ls end.

(** What the pairs of s pay at least, and all pairs. *)
Definition paid_to (n : network) (a : among) (listed : list allowed_path) (ls : list (N * link)) (s : N)
    (by_destination : table (list price)) : Q :=
  sumr (fun d => match those by_destination d with
    | [] => 0
    | these => cheapest n a listed ls s d (tally (map (fun p : price => (snd (fst p), snd p)) these))
    end) (host_list n).

Definition paid_from (n : network) (a : among) (m : table (list allowed_path)) (one : table Q) (ls : list (N * link))
    (by_source : table (list price)) : Q :=
  sumr (fun s => match those by_source s with
    | [] => 0
    | these =>
        paid_to n a (those m s) (usable n a one ls s) s (index (fun p : price => snd (fst (fst p))) these)
    end) (host_list n).

Definition paid (n : network) (a : among) (ps : list price) : Q :=
  let ls := numbered 0 (links n) in
  paid_from n a (by_source_of a) (ones ls) ls (index (fun p : price => fst (fst (fst p))) ps).

(** * The bound *)

(** The traffic counts for the quantity, and the flow routes it where the quantity needs one. *)
Definition is_admissible (v : view) (out into : table Q) (q : quantity) (x : against * list listing) : bool :=
  let (a, routed) := x in
  let n := net v in
  let t := against_demands a in
  match get (link_table v) (against_link a) with Some _ => true | None => false end &&
  Qle_bool 0 (weight a) && check_demands n t &&
  match q, against_flow a with
  | HoseLoad, None => is_within_hose n out into t
  | ObliviousRatio, Some _ =>
      forallb (fun r => check_pair n (ls r) (ld r) && joins (get (link_table v)) (ls r) (ld r) (lpath r)) routed &&
      check_flow (look n (known_paths routed)) t 1
  | _, _ => false
  end.

Definition check_place (n : network) (p : price) : bool :=
  check_pair n (fst (fst (fst p))) (snd (fst (fst p))) && Qle_bool 0 (snd p).

Definition check_least (v : view) (gs : list mover) (q : quantity) (a : among) (lower upper : Q)
    (xs : list (against * list listing)) : bool :=
  let n := net v in
  let (out, into) := (leaving_table n, entering_table n) in
  let total := sumr (fun x => weight (fst x)) xs in
  match q with PermutationLoad => false | _ => true end && Qle_bool lower upper &&
  check_among v gs a && check_taken v a &&
  match q, xs with
  | ObliviousRatio, [] => Qle_bool lower 1
  | _, _ =>
      forallb (is_admissible v out into q) xs && (is_positive total || Qle_bool lower 0) &&
      match means gs (List.concat (map (fun x => prices_of v (fst x)) xs)) with
      | Some ps => forallb (check_place n) ps && Qle_bool (lower * total) (paid n a ps)
      | None => false
      end
  end.

(** Traffic against a link with its flow, path by path. *)
Definition route_against (n : network) (x : against) : result (against * list listing) :=
  match against_flow x with
  | None => Ok (x, [])
  | Some f =>
      let! _ := right (check_demands n (against_demands x)) in
      let! routed := flow_of n (against_demands x) f in
      Ok (x, routed)
  end.

Definition check_best (n : network) (r : routing_text) (bounds : list (quantity * Q * Q)) (p : evidence)
    (q : quantity) (a : among) (lower upper : Q) (xs : list (against * list listing)) : bool :=
  existsb (fun b => same_quantity (fst (fst b)) q && Qeq_bool (snd b) upper) bounds &&
  check_least (look n (know r)) (map mover_of (automorphisms p)) q a lower upper xs.
