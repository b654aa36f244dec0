(** Tables, and the network and its routing, ready to be looked up. Nothing in this file has to be trusted. *)

From Coq Require Import QArith NArith List Bool FMapPositive.
From Verified Require Export Spec Read Evidence.
Import ListNotations.
Open Scope Q_scope.

(** * Tables *)

Definition table := PositiveMap.t.
Definition none {A} : table A := PositiveMap.empty A.
Definition key (i : N) : positive := match i with N0 => xH | Npos p => xO p end.
Definition unkey (p : positive) : N := match p with xO p => Npos p | _ => N0 end.
Definition get {A} (m : table A) (i : N) : option A := PositiveMap.find (key i) m.
Definition put {A} (i : N) (a : A) (m : table A) : table A := PositiveMap.add (key i) a m.
Definition items {A} (m : table A) : list (N * A) := map (fun x => (unkey (fst x), snd x)) (PositiveMap.elements m).

Fixpoint numbered {A} (i : N) (l : list A) : list (N * A) :=
  match l with [] => [] | a :: l => (i, a) :: numbered (N.succ i) l end.

Definition array {A} (l : list A) : table A :=
  fold_right (fun x m => put (fst x) (snd x) m) none (numbered 0 l).

(** All with the same key, in their order. *)
Definition those {A} (m : table (list A)) (i : N) : list A := match get m i with Some l => l | None => [] end.
Definition index {A} (key : A -> N) (l : list A) : table (list A) :=
  fold_right (fun a m => put (key a) (a :: those m (key a)) m) none l.

(** A sum or product, not always in lowest terms. *)
Definition plus_r (a b : Q) : Q :=
  if (Qden a =? Qden b)%positive then Qmake (Qnum a + Qnum b) (Qden a) else Qred (a + b).
Definition times_r (a b : Q) : Q :=
  match Qden a with 1%positive => Qmake (Qnum a * Qnum b) (Qden b) | _ => Qred (a * b) end.
Definition sumr {A} (f : A -> Q) (l : list A) : Q := fold_left (fun acc x => plus_r acc (f x)) l 0.

(** Amounts, 0 where none is written. *)
Definition amount_at (m : table Q) (i : N) : Q := match get m i with Some q => q | None => 0 end.
Definition bump (m : table Q) (i : N) (q : Q) : table Q := put i (plus_r (amount_at m i) q) m.
Definition tally (l : list weighted) : table Q := fold_left (fun m x => bump m (fst x) (snd x)) l none.

Fixpoint distinct_from (seen : table unit) (l : list N) : bool :=
  match l with
  | [] => true
  | x :: l => match get seen x with Some _ => false | None => distinct_from (put x tt seen) l end
  end.
Definition distinct (l : list N) : bool := distinct_from none l.

Fixpoint once (l : list N) : bool :=
  match l with [] => true | x :: l => negb (existsb (N.eqb x) l) && once l end.

(** [distinct], faster for short lists. *)
Definition are_distinct (l : list N) : bool := match nth_error l 32 with None => once l | Some _ => distinct l end.

Fixpoint ascend (l : list N) : bool :=
  match l with a :: (b :: _) as l => (a <? b)%N && ascend l | _ => true end.

(** * The network and its routing, ready to be looked up *)

Definition known_row := (N * list (option N) * table (option N))%type.

Inductive known_routing := KnownNext (rows : table (list known_row))
  | KnownPaths (by_pair : table (table (list listing))).

Record view := View { net : network; link_table : table link; longest : nat; known : known_routing }.

Definition known_paths (records : list listing) : known_routing := KnownPaths (PositiveMap.map (index ld)
  (index ls records)).

Definition know (r : routing_text) : known_routing :=
  match r with
  | Next rows => KnownNext (index (fun r => fst (fst r)) (map (fun r => (fst r, snd r, array (snd r))) rows))
  | Paths records => known_paths records
  end.

Definition look (n : network) (r : known_routing) : view := View n (array (links n)) (List.length (links n)) r.

Definition known_entry (rows : table (list known_row)) (v d : N) : option N :=
  match those rows v with
  | (_, [one], _) :: _ => one
  | (_, _, many) :: _ => match get many d with Some l => l | None => None end
  | [] => None
  end.

Definition lookup (v : view) (s d : N) : paths :=
  match known v with
  | KnownNext rows =>
      match follow (get (link_table v)) (known_entry rows) (longest v) s d with
      | Some p => [(1, p)]
      | None => []
      end
  | KnownPaths by_pair =>
      match get by_pair s with
      | Some of_source => map (fun r => (lshare r, lpath r)) (those of_source d)
      | None => []
      end
  end.

Definition host_list (n : network) : list N := map N.of_nat (seq 0 (N.to_nat (hosts n))).

(** * What is listed is sound *)

Definition check_network (n : network) : bool :=
  (2 <=? hosts n)%N && (hosts n <=? nodes n)%N &&
  forallb (fun k => (from k <? nodes n)%N && (to k <? nodes n)%N && negb (Qle_bool (capacity k) 0)) (links n).

Definition check_pair (n : network) (s d : N) : bool := (s <? hosts n)%N && (d <? hosts n)%N && negb (s =? d)%N.

Definition check_routed (v : view) (s d : N) (ps : paths) : bool :=
  forallb (fun qp => Qle_bool 0 (fst qp) && joins (get (link_table v)) s d (snd qp)) ps && Qeq_bool (sumr fst ps) 1.

Definition check_row (n : network) (links : N) (r : row) : bool :=
  (fst r <? nodes n)%N &&
  (let entries := count (snd r) in (entries =? 1)%N || (entries =? hosts n)%N) &&
  forallb (fun e => match e with Some l => (l <? links)%N | None => true end) (snd r).

Definition check_text (n : network) (r : routing_text) : bool :=
  match r with
  | Next rows => let links := count (links n) in forallb (check_row n links) rows && distinct (map fst rows)
  | Paths records => forallb (fun r => check_pair n (ls r) (ld r)) records
  end.

Definition is_positive (q : Q) : bool := negb (Qle_bool q 0).

(** Uses of links, with the share on each; of all sources of a destination, and all together. *)
Definition arrivals := (list (N * list (N * Q)) * list (N * Q))%type.

(** Over next links from v on: how many links, and the use of each; all that are found, by node and together. *)
Definition way := (nat * list (N * Q))%type.
Definition ways_found := (table way * list (N * Q))%type.

Fixpoint trace (find : N -> option link) (next : N -> option N) (most : nat) (found : ways_found) (v : N) :
    option (way * ways_found) :=
  match get (fst found) v with
  | Some w => Some (w, found)
  | None =>
      match most, next v with
      | S most, Some l =>
          match find l with
          | Some k =>
              if (from k =? v)%N then
                match trace find next most found (to k) with
                | Some ((long, p), found) =>
                    let w := (S long, (l, 1) :: p) in Some (w, (put v w (fst found), (l, 1) :: snd found))
                | None => None
                end
              else None
          | None => None
          end
      | _, _ => None
      end
  end.

Fixpoint trace_all (find : N -> option link) (next : N -> option N) (most : nat) (found : ways_found)
    (sources : list N) : option arrivals :=
  match sources with
  | [] => Some ([], snd found)
  | s :: sources =>
      match trace find next most found s with
      | Some ((long, p), found) =>
          if Nat.leb long most then
            option_map (fun x => ((s, p) :: fst x, snd x)) (trace_all find next most found sources)
          else None
      | None => None
      end
  end.

(** The next links from all other [hosts] to d. *)
Definition traced (v : view) (rows : table (list known_row)) (hosts : list N) (d : N) : option arrivals :=
  trace_all (get (link_table v)) (fun x => known_entry rows x d) (longest v) (put d (O, []) none, [])
    (filter (fun s => negb (s =? d)%N) hosts).

Definition check_routing (v : view) : bool :=
  let hosts := host_list (net v) in
  match known v with
  | KnownNext rows => forallb (fun d => match traced v rows hosts d with Some _ => true | None => false end) hosts
  | KnownPaths _ =>
      forallb (fun s => forallb (fun d => (s =? d)%N ||
        let ps := lookup v s d in forallb (fun qp => is_positive (fst qp)) ps && check_routed v s d ps) hosts) hosts
  end.

Definition check_demands (n : network) (t : list demand) : bool :=
  match t with [] => false | _ => forallb (fun x => check_pair n (src x) (dst x) && is_positive (amount x)) t end.

(** * Traffic on links *)

Definition add_path (m : table Q) (a : Q) (p : list N) : table Q := fold_left (fun m l => bump m l a) p m.
Definition add_paths (m : table Q) (a : Q) (ps : paths) : table Q :=
  fold_left (fun m qp => add_path m (times_r a (fst qp)) (snd qp)) ps m.
Definition add_traffic (m : table Q) (v : view) (t : list demand) : table Q :=
  fold_left (fun m x => add_paths m (amount x) (lookup v (src x) (dst x))) t m.

(** The routing has paths for the traffic, and loads no link above [most]. *)
Definition check_flow (v : view) (t : list demand) (most : Q) : bool :=
  forallb (fun x => check_routed v (src x) (dst x) (lookup v (src x) (dst x))) t &&
  (let on := add_traffic none v t in
   forallb (fun lk => Qle_bool (amount_at on (fst lk)) (most * capacity (snd lk))) (numbered 0 (links (net v)))).
