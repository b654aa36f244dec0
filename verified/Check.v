(** The checker. Nothing in this file has to be trusted: [Sound.v] proves what follows when it accepts. *)

From Coq Require Import QArith NArith List Bool Ascii String FMapPositive.
From Verified Require Export Spec Read Evidence Tables Symmetry.
Import ListNotations.
Open Scope Q_scope.

(** * Even splits: all shortest paths, listed *)

Definition most_paths : N := 16384.

(** Of a node from which a target can be reached: over how many links, and the first links of all shortest paths, with
    the nodes where they lead. *)
Definition hops := table (N * list (N * N)).

Fixpoint distances (most : nat) (into : table (list (N * link))) (found : hops) (last : list N) (far : N) : hops :=
  match most, last with
  | S most, _ :: _ =>
      let step acc v :=
        fold_left (fun acc lk =>
          let u := from (snd lk) in
          match get (fst acc) u with
          | Some (n, hs) => if (n =? far)%N then (put u (n, (fst lk, v) :: hs) (fst acc), snd acc) else acc
          | None => (put u (far, [(fst lk, v)]) (fst acc), u :: snd acc)
          end) (those into v) acc in
      let (found, last) := fold_left step last (found, []) in
      distances most into found last (N.succ far)
  | _, _ => found
  end.

(** All paths over them, with [behind] at their end; no more are looked for where there are too many. *)
Fixpoint walks (most : nat) (to : hops) (behind : list N) (v : N) (before : list N) (acc : N * list (list N)) :
    N * list (list N) :=
  match most, get to v with
  | _, Some (_, []) => (N.succ (fst acc), rev_append before behind :: snd acc)
  | S most, Some (_, hs) =>
      fold_left (fun acc h =>
        if (most_paths <? fst acc)%N then acc else walks most to behind (snd h) (fst h :: before) acc) hs acc
  | _, _ => acc
  end.

Definition shortest (most : nat) (to : hops) (s d : N) (behind : list N) : result (list listing) :=
  let (count, found) := walks most to behind s [] (0%N, []) in
  match count with
  | 0%N => Wrong
  | Npos c => if (most_paths <? count)%N then Unknown else Ok (map (fun p => Listing s d (1 # c) p) found)
  end.

(** Where all paths to a node end: the node of its only link into it, and this link; else it alone. *)
Definition gate (into : table (list (N * link))) (d : N) : N * list N :=
  match those into d with [(l, k)] => (from k, [l]) | _ => (d, []) end.

Definition even_flow (n : network) (t : list demand) : result (list listing) :=
  let most := List.length (links n) in
  let into := index (fun lk => to (snd lk)) (numbered 0 (links n)) in
  let pairs := index src t in
  let destinations ys := map fst (items (fold_left (fun m y => put (dst y) tt m) ys none)) in
  let once := List.concat (map (fun x => map (pair (fst x)) (destinations (snd x))) (items pairs)) in
  let by_gate := index (fun sd => fst (gate into (snd sd))) once in
  let! found := each (fun x =>
    let to := distances most into (put (fst x) (0%N, []) none) [fst x] 1%N in
    let! found := each (fun sd => shortest most to (fst sd) (snd sd) (snd (gate into (snd sd)))) (snd x) in
    Ok (List.concat found)) (items by_gate) in
  Ok (List.concat found).

Definition flow_of (n : network) (t : list demand) (f : option (list listing)) : result (list listing) :=
  match f with Some paths => Ok paths | None => even_flow n t end.

(** * Cuts *)

Definition is_in (ranges : list (N * N)) (v : N) : bool := existsb (fun r => (fst r <=? v) && (v <=? snd r))%N ranges.
Definition members (cuts : table (list (N * N))) (i v : N) : bool := is_in (those cuts i) v.

Fixpoint apart (ranges : list (N * N)) : bool :=
  match ranges with
  | [] => true
  | a :: rest => forallb (fun b => (snd a <? fst b) || (snd b <? fst a))%N rest && apart rest
  end.

Definition check_cuts (n : network) (cuts : list (list (N * N))) : bool :=
  forallb (fun ranges => forallb (fun r => snd r <? nodes n)%N ranges && apart ranges) cuts.

(** Whether traffic from s to d leaves the nodes of [inside], and what the links can carry that do. *)
Definition goes_out (inside : N -> bool) (s d : N) : bool := inside s && negb (inside d).
Definition outward (n : network) (inside : N -> bool) : Q :=
  sumr (fun k => only (goes_out inside (from k) (to k)) (capacity k)) (links n).
Definition outside (inside : N -> bool) (v : N) : bool := negb (inside v).

(** * Covers *)

Record shield := Shield {
  cover_of : cover; source_weights : table (list weighted); destination_weights : table (list weighted) }.

Definition shield_of (c : cover) : shield :=
  Shield c (index fst (on_sources c)) (index fst (on_destinations c)).

Definition shields := table shield.

Definition raise_shields (cs : list cover) : shields :=
  fold_left (fun m c => put (cover_link c) (shield_of c) m) cs none.

Definition weight_at (m : table (list weighted)) (h : N) : Q :=
  match get m h with
  | None => 0
  | Some [x] => snd x
  | Some l => sumr snd l
  end.

Section Cuts.
Variable cuts : table (list (N * N)).

Definition cut_weight (c : cover) (s d : N) : Q :=
  sumr (fun x => only (goes_out (members cuts (fst x)) s d) (snd x)) (out_of_cuts c) +
  sumr (fun x => only (goes_out (outside (members cuts (fst x))) s d) (snd x)) (into_cuts c).

(** Whether hosts and cuts alone cover a share. *)
Definition is_guarded (c : shield) (s d : N) (x : Q) : bool :=
  let a := weight_at (source_weights c) s in
  Qle_bool x a ||
  (let b := a + weight_at (destination_weights c) d in
   Qle_bool x b || match out_of_cuts (cover_of c), into_cuts (cover_of c) with
                   | [], [] => false
                   | _, _ => Qle_bool x (b + cut_weight (cover_of c) s d)
                   end).

Definition guard (c : shield) (s d : N) : Q :=
  weight_at (source_weights c) s + weight_at (destination_weights c) d + cut_weight (cover_of c) s d.
End Cuts.

(** The links that carry a pair, and its share on them. *)
Definition uses (ps : paths) : list (N * Q) :=
  match ps with
  | [(q, p)] =>
      if are_distinct p then map (fun l => (l, q)) p else items (add_paths none 1 ps)
  | _ => items (add_paths none 1 ps)
  end.

(** The shares on links of the pairs of all other [hosts] with d. *)
Definition arriving (v : view) (hosts : list N) (d : N) : option arrivals :=
  match known v with
  | KnownNext rows => traced v rows hosts d
  | KnownPaths _ =>
      let pairs := map (fun s => (s, uses (lookup v s d))) (filter (fun s => negb (s =? d)%N) hosts) in
      Some (pairs, List.concat (map snd pairs))
  end.

(** Distances from s, or less: [relax] improves them until nothing changes. *)
Definition relax (len : table Q) (ls : list (N * link)) (far : table Q) : bool * table Q :=
  fold_left (fun acc lk =>
    match get (snd acc) (from (snd lk)) with
    | None => acc
    | Some a =>
        let a := plus_r a (amount_at len (fst lk)) in
        match get (snd acc) (to (snd lk)) with
        | Some b => if Qle_bool b a then acc else (true, put (to (snd lk)) a (snd acc))
        | None => (true, put (to (snd lk)) a (snd acc))
        end
    end) ls (false, far).

Fixpoint search (most : nat) (len : table Q) (ls : list (N * link)) (far : table Q) : table Q :=
  match most with
  | O => far
  | S most => let (changed, far) := relax len ls far in if changed then search most len ls far else far
  end.

Definition is_distance (len : table Q) (ls : list (N * link)) (s : N) (far : table Q) : bool :=
  Qeq_bool (amount_at far s) 0 &&
  match get far s with Some _ => true | None => false end &&
  forallb (fun lk =>
    match get far (from (snd lk)) with
    | None => true
    | Some a => match get far (to (snd lk)) with Some b => Qle_bool b (a + amount_at len (fst lk)) | None => false end
    end) ls.

Definition reach (n : network) (len : table Q) (ls : list (N * link)) (s : N) : table Q :=
  search (S (List.length ls)) len ls (put s 0 none).

Definition is_in_table (m : table unit) (l : N) : bool := match get m l with Some _ => true | None => false end.

(** A pair of the source that is looked at, on a link, with a share that hosts and cuts do not cover. Links without a
    cover that are [free] need none. *)
Definition waiting := (N * N * Q)%type.

Definition settle (v : view) (cuts : table (list (N * N))) (m : shields) (s : N) (ws : list waiting) (l : N) : bool :=
  match filter (fun w => (fst (fst w) =? l)%N) ws, get m l with
  | [], _ => true
  | mine, Some c =>
      let ls := numbered 0 (links (net v)) in
      let len := tally (lengths (cover_of c)) in
      let far := reach (net v) len ls s in
      is_distance len ls s far &&
      forallb (fun w => match get far (snd (fst w)) with
                        | Some a => Qle_bool (snd w) (guard cuts c s (snd (fst w)) + a)
                        | None => false
                        end) mine
  | _, None => false
  end.

Definition long_links (cs : list cover) : list N :=
  map cover_link (filter (fun c => match lengths c with [] => false | _ => true end) cs).

Definition is_open (cuts : table (list (N * N))) (free : N -> bool) (m : shields) (s d : N) (lx : N * Q) : bool :=
  match get m (fst lx) with
  | Some c => is_guarded cuts c s d (snd lx)
  | None => free (fst lx) || Qle_bool (snd lx) 0
  end.

Definition wait (v : view) (cuts : table (list (N * N))) (free : N -> bool) (m : shields) (s d : N) : list waiting :=
  if (s =? d)%N then [] else
  map (fun lx => (fst lx, d, snd lx)) (filter (fun lx => negb (is_open cuts free m s d lx)) (uses (lookup v s d))).

Definition check_source (v : view) (cuts : table (list (N * N))) (free : N -> bool) (m : shields) (long : list N)
    (s : N) : bool :=
  match List.concat (map (wait v cuts free m s) (host_list (net v))) with
  | [] => true
  | ws =>
      forallb (fun w => existsb (N.eqb (fst (fst w))) long) ws && forallb (settle v cuts m s ws) long
  end.

(** The same where no cover has lengths. *)
Definition check_destination (v : view) (cuts : table (list (N * N))) (free : N -> bool) (m : shields) (hosts : list N)
    (d : N) : bool :=
  match arriving v hosts d with
  | Some (pairs, _) => forallb (fun x => forallb (is_open cuts free m (fst x) d) (snd x)) pairs
  | None => false
  end.

Definition check_covers (v : view) (cuts : table (list (N * N))) (free : N -> bool) (m : shields) (long : list N) :
    bool :=
  let hosts := host_list (net v) in
  match long with
  | [] => forallb (check_destination v cuts free m hosts) hosts
  | _ => forallb (check_source v cuts free m long) hosts
  end.

(** * What covers let through *)

Definition plain (c : cover) : bool :=
  match out_of_cuts c, into_cuts c, lengths c with [], [], [] => true | _, _, _ => false end.

Definition host_cost (c : cover) (send receive : N -> Q) : Q :=
  sumr (fun x => snd x * send (fst x)) (on_sources c) + sumr (fun x => snd x * receive (fst x)) (on_destinations c).

Definition cut_cost (n : network) (cuts : table (list (N * N))) (c : cover) : Q :=
  sumr (fun x => snd x * outward n (members cuts (fst x))) (out_of_cuts c) +
  sumr (fun x => snd x * outward n (outside (members cuts (fst x)))) (into_cuts c).

Definition length_cost (n : network) (c : cover) : Q :=
  match lengths c with
  | [] => 0
  | _ =>
      let len := tally (lengths c) in
      sumr (fun lk => amount_at len (fst lk) * capacity (snd lk)) (numbered 0 (links n))
  end.

Definition leaving_table (n : network) : table Q := tally (map (fun k => (from k, capacity k)) (links n)).
Definition entering_table (n : network) : table Q := tally (map (fun k => (to k, capacity k)) (links n)).

(** Whether a cover is light enough for a claim. *)
Definition is_light (n : network) (cuts : table (list (N * N))) (out into : table Q) (q : quantity) (upper : Q)
    (k : link) (c : cover) : bool :=
  let most := upper * capacity k in
  match q with
  | PermutationLoad => plain c && Qle_bool (host_cost c (fun _ => 1) (fun _ => 1)) most
  | HoseLoad => plain c && Qle_bool (host_cost c (amount_at out) (amount_at into)) most
  | ObliviousRatio =>
      Qle_bool (host_cost c (amount_at out) (amount_at into) + cut_cost n cuts c + length_cost n c) most
  end.

Definition is_light_in (n : network) cuts out into q upper (m : shields) (lk : N * link) : bool :=
  match get m (fst lk) with
  | None => Qle_bool 0 upper
  | Some c => is_light n cuts out into q upper (snd lk) (cover_of c)
  end.

Definition are_within (l : list weighted) (below : N) : bool :=
  forallb (fun x => (fst x <? below)%N && Qle_bool 0 (snd x)) l.
Definition are_weights (l : list weighted) (below : N) : bool := are_within l below && ascend (map fst l).

Definition check_cover (n : network) (cuts links : N) (c : cover) : bool :=
  (cover_link c <? links)%N &&
  are_weights (on_sources c) (hosts n) && are_weights (on_destinations c) (hosts n) &&
  are_weights (out_of_cuts c) cuts && are_weights (into_cuts c) cuts && are_weights (lengths c) links.

(** * Links that are covered by their ends *)

(** The largest share on every link of the pairs of every host, and what their sums let through where a host may send
    or receive [c]. *)
Definition largest := (table (table Q) * table Q)%type.

Definition raise (c : Q) (acc : table Q * table Q) (lx : N * Q) : table Q * table Q :=
  let y := amount_at (fst acc) (fst lx) in
  if Qle_bool (snd lx) y then acc
  else (put (fst lx) (snd lx) (fst acc), bump (snd acc) (fst lx) ((snd lx - y) * c)).

Definition inner {A} (m : table (table A)) (i : N) : table A := match get m i with Some m => m | None => none end.

Definition note (c : N -> Q) (h : N) (us : list (N * Q)) (acc : largest) : largest :=
  let (most, costs) := fold_left (raise (c h)) us (inner (fst acc) h, snd acc) in (put h most (fst acc), costs).

(** The uses of links without a cover, if covers by hosts and cuts are enough for the others. *)
Definition has_none (m : shields) (lx : N * Q) : bool := match get m (fst lx) with None => true | Some _ => false end.

Fixpoint sift (cuts : table (list (N * N))) (m : shields) (s d : N) (us : list (N * Q)) : option (list (N * Q)) :=
  match us with
  | [] => Some []
  | lx :: us =>
      match get m (fst lx) with
      | None => option_map (cons lx) (sift cuts m s d us)
      | Some c => if is_guarded cuts c s d (snd lx) then sift cuts m s d us else None
      end
  end.

Fixpoint note_pairs (cuts : table (list (N * N))) (m : shields) (send : N -> Q) (d : N)
    (pairs : list (N * list (N * Q))) (acc : largest) : option largest :=
  match pairs with
  | [] => Some acc
  | (s, us) :: pairs =>
      match sift cuts m s d us with
      | Some us => note_pairs cuts m send d pairs (note send s us acc)
      | None => None
      end
  end.

Fixpoint note_from (v : view) (cuts : table (list (N * N))) (m : shields) (send receive : N -> Q) (hosts ds : list N)
    (acc : largest * largest) : option (largest * largest) :=
  match ds with
  | [] => Some acc
  | d :: ds =>
      match arriving v hosts d with
      | Some (pairs, all) =>
          match note_pairs cuts m send d pairs (fst acc) with
          | Some s =>
              note_from v cuts m send receive hosts ds (s, note receive d (filter (has_none m) all) (snd acc))
          | None => None
          end
      | None => None
      end
  end.

(** ** Next links, by crowds of hosts *)

(** The next link of a host that has the same one to all, and where it leads. *)
Definition first_link (v : view) (rows : table (list known_row)) (s : N) : option (N * N) :=
  if (s <? hosts (net v))%N then
    match those rows s with
    | (_, [Some l], _) :: _ =>
        match get (link_table v) l with
        | Some k => if (from k =? s)%N then Some (l, to k) else None
        | None => None
        end
    | _ => None
    end
  else None.

Definition start_of (v : view) (rows : table (list known_row)) (s : N) : N :=
  match first_link v rows s with Some (_, u) => u | None => s end.

(** Hosts whose paths to any other host are those from [start], behind the first link of each; what they send. *)
Record crowd := Crowd { start : N; crew : list N; whole : Q }.

Definition crowds_of (v : view) (rows : table (list known_row)) (send : N -> Q) : list crowd :=
  let by_start := index (start_of v rows) (host_list (net v)) in
  map (fun x => let ms := those by_start (fst x) in Crowd (fst x) ms (sumr send ms)) (items by_start).

(** Links that carry all of a crowd, which are [None] here, or all but one, which is named. Covers by sources that are
    enough for all of it count as [None]. *)
Definition marks := table (option N).

(** Links that matter: those with a cover, and those to be counted. *)
Definition matters := table (option shield).

(** A link on the way of a crowd to d, which is its [own] where it is one of its hosts. *)
Definition note_link (cuts : table (list (N * N))) (m : matters) (send : N -> Q) (c : crowd) (d : N) (own : bool)
    (acc : marks * table Q) (l : N) : option (marks * table Q) :=
  match get m l with
  | None => Some acc
  | Some cover =>
      match get (fst acc) l, cover with
      | Some None, _ => Some acc
      | Some (Some x), _ =>
          if own && (x =? d)%N then Some acc else Some (put l None (fst acc), bump (snd acc) l (send x))
      | None, None =>
          Some (if own then (put l (Some d) (fst acc), bump (snd acc) l (whole c - send d))
                else (put l None (fst acc), bump (snd acc) l (whole c)))
      | None, Some k =>
          if Qle_bool 1 (weight_at (destination_weights k) d) then Some acc
          else if forallb (fun s => Qle_bool 1 (weight_at (source_weights k) s)) (crew c)
            then Some (put l None (fst acc), snd acc)
          else if forallb (fun s => (s =? d)%N || is_guarded cuts k s d 1) (crew c) then Some acc else None
      end
  end.

Fixpoint note_links (cuts : table (list (N * N))) (m : matters) (send : N -> Q) (c : crowd) (d : N) (own : bool)
    (us : list (N * Q)) (acc : marks * table Q) : option (marks * table Q) :=
  match us with
  | [] => Some acc
  | lx :: us =>
      match note_link cuts m send c d own acc (fst lx) with
      | Some acc => note_links cuts m send c d own us acc
      | None => None
      end
  end.

(** The ways to d of all crowds that have another host. *)
Fixpoint trace_crowds (find : N -> option link) (next : N -> option N) (most : nat) (d : N) (cs : list crowd)
    (found : ways_found) : option ways_found :=
  match cs with
  | [] => Some found
  | c :: cs =>
      if match crew c with [s] => (s =? d)%N | _ => false end then trace_crowds find next most d cs found
      else match trace find next most found (start c) with
           | Some (_, found) => trace_crowds find next most d cs found
           | None => None
           end
  end.

(** A destination, where its own crowd starts, and all ways to it. *)
Definition reached := (N * N * table way)%type.

(** All destinations, and what covers by destinations let through on links that are not set [aside]. *)
Fixpoint reach_all (v : view) (rows : table (list known_row)) (aside : table unit) (receive : N -> Q) (cs : list crowd)
    (ds : list N) (costs : table Q) : option (list reached * table Q) :=
  match ds with
  | [] => Some ([], costs)
  | d :: ds =>
      match trace_crowds (get (link_table v)) (fun x => known_entry rows x d) (longest v) d cs
          (put d (O, []) none, []) with
      | Some found =>
          let counted := filter (fun l => negb (is_in_table aside l)) (map fst (snd found)) in
          match reach_all v rows aside receive cs ds (add_path costs (receive d) counted) with
          | Some (rest, costs) => Some ((d, start_of v rows d, fst found) :: rest, costs)
          | None => None
          end
      | None => None
      end
  end.

Fixpoint note_to (cuts : table (list (N * N))) (m : matters) (send : N -> Q) (c : crowd) (rs : list reached)
    (acc : marks * table Q) : option (marks * table Q) :=
  match rs with
  | [] => Some acc
  | (d, home, ways) :: rs =>
      match get ways (start c) with
      | None => note_to cuts m send c rs acc
      | Some (_, us) =>
          match note_links cuts m send c d (home =? start c)%N us acc with
          | Some acc => note_to cuts m send c rs acc
          | None => None
          end
      end
  end.

Fixpoint note_crowds (cuts : table (list (N * N))) (m : matters) (send : N -> Q) (rs : list reached)
    (cs : list crowd) (costs : table Q) : option (table Q) :=
  match cs with
  | [] => Some costs
  | c :: cs =>
      match note_to cuts m send c rs (none, costs) with
      | Some (_, costs) => note_crowds cuts m send rs cs costs
      | None => None
      end
  end.

(** First links, and whose. *)
Definition firsts (v : view) (rows : table (list known_row)) : list (N * N) :=
  fold_right (fun s rest => match first_link v rows s with Some (l, _) => (l, s) :: rest | None => rest end) []
    (host_list (net v)).

Definition is_first_guarded (cuts : table (list (N * N))) (m : shields) (hosts : list N) (x : N * N) : bool :=
  match get m (fst x) with
  | None => true
  | Some k =>
      Qle_bool 1 (weight_at (source_weights k) (snd x)) ||
      forallb (fun d => (snd x =? d)%N || is_guarded cuts k (snd x) d 1) hosts
  end.

(** Links with a cover, and those without one that covers by destinations leave above [upper]. *)
Definition matter (n : network) (m : shields) (into : table Q) (upper : Q) : matters :=
  fold_left (fun found lk =>
    match get m (fst lk) with
    | Some _ => found
    | None =>
        if Qle_bool (amount_at into (fst lk)) (upper * capacity (snd lk)) then found else put (fst lk) None found
    end) (numbered 0 (links n)) (PositiveMap.map Some m).

(** What covers by sources let through on links that are counted, and covers by destinations on all links. *)
Definition costs_by_ends := (table Q * (N -> bool) * table Q)%type.

Definition crowd_costs (v : view) (rows : table (list known_row)) (cuts : table (list (N * N))) (m : shields)
    (send receive : N -> Q) (upper : Q) : option costs_by_ends :=
  let hosts := host_list (net v) in
  let first := firsts v rows in
  let cs := crowds_of v rows send in
  let all := sumr receive hosts in
  let aside := fold_right (fun x t => put (fst x) tt t) (PositiveMap.map (fun _ => tt) m) first in
  if forallb (is_first_guarded cuts m hosts) first then
    match reach_all v rows aside receive cs hosts (tally (map (fun x => (fst x, all - receive (snd x))) first)) with
    | Some (rs, into) =>
        let needed := matter (net v) m into upper in
        option_map (fun out => (out, fun l => match get needed l with Some _ => true | None => false end, into))
          (note_crowds cuts needed send rs cs (tally (map (fun x => (fst x, send (snd x))) first)))
    | None => None
    end
  else None.

(** No more is looked for where covers by destinations let through [upper] times the capacity. *)
Definition end_costs (v : view) (cuts : table (list (N * N))) (m : shields) (send receive : N -> Q) (upper : Q) :
    option costs_by_ends :=
  match known v with
  | KnownNext rows => crowd_costs v rows cuts m send receive upper
  | KnownPaths _ =>
      let hosts := host_list (net v) in
      option_map (fun x => (snd (fst x), fun _ => true, snd (snd x)))
        (note_from v cuts m send receive hosts hosts ((none, none), (none, none)))
  end.

Definition is_light_by_ends (costs : option costs_by_ends) (upper : Q) (lk : N * link) : bool :=
  match costs with
  | Some (s, counted, d) =>
      let most := upper * capacity (snd lk) in
      Qle_bool (amount_at d (fst lk)) most || counted (fst lk) && Qle_bool (amount_at s (fst lk)) most
  | None => false
  end.

(** * Certificates *)

Definition is_permuted (t : list demand) : bool :=
  distinct (map src t) && distinct (map dst t) && forallb (fun x => Qle_bool (amount x) 1) t.

Definition is_within_hose (n : network) (out into : table Q) (t : list demand) : bool :=
  let sent := tally (map (fun x => (src x, amount x)) t) in
  let received := tally (map (fun x => (dst x, amount x)) t) in
  forallb (fun h => Qle_bool (amount_at sent h) (amount_at out h) && Qle_bool (amount_at received h) (amount_at into h))
    (host_list n).

Definition carried_r (v : view) (t : list demand) (l : N) : Q :=
  sumr (fun x => amount x * sumr (fun qp => fst qp * passes l (snd qp)) (lookup v (src x) (dst x))) t.

(** The witness proves the lower side of a claim. *)
Definition check_lower (n : network) (out into : table Q) (t : list demand) (optu on : Q) (k : link)
    (b : quantity * Q * Q) : bool :=
  let '(q, lower, _) := b in
  match q with
  | ObliviousRatio => Qle_bool (lower * optu * capacity k) on
  | PermutationLoad => is_permuted t && Qle_bool (lower * capacity k) on
  | HoseLoad => is_within_hose n out into t && Qle_bool (lower * capacity k) on
  end.

Definition quantity_number (b : quantity * Q * Q) : N :=
  match fst (fst b) with ObliviousRatio => 0 | PermutationLoad => 1 | HoseLoad => 2 end.

Definition check_bounds (bounds : list (quantity * Q * Q)) : bool :=
  forallb (fun b => Qle_bool (snd (fst b)) (snd b)) bounds && distinct (map quantity_number bounds).

Definition is_permutation_load (b : quantity * Q * Q) : bool :=
  match fst (fst b) with PermutationLoad => true | _ => false end.

Definition least_upper_bound (bounds : list (quantity * Q * Q)) : Q :=
  match map snd bounds with
  | [] => 0
  | u :: us => fold_left (fun a b => if Qle_bool a b then a else b) us u
  end.

(** Every link has a cover, or is [free], or is covered by its ends. *)
Definition check_ends (v : view) (cuts : table (list (N * N))) (free : table unit) (out into : table Q) (p : evidence)
    (bounds : list (quantity * Q * Q)) : bool :=
  let n := net v in
  let ls := numbered 0 (links n) in
  let m := raise_shields (covers p) in
  let long := long_links (covers p) in
  let short := match long with [] => m | _ => none end in
  let least := least_upper_bound bounds in
  let ones := forallb (fun h => Qeq_bool (amount_at out h) 1 && Qeq_bool (amount_at into h) 1) (host_list n) in
  let hose := if ones || negb (forallb is_permutation_load bounds)
    then end_costs v cuts short (amount_at out) (amount_at into) least else None in
  let unit := if ones then hose else if existsb is_permutation_load bounds
    then end_costs v cuts short (fun _ => 1) (fun _ => 1) least else None in
  match long with
  | [] => match hose, unit with None, None => false | _, _ => true end
  | _ => check_covers v cuts (fun _ => true) m long
  end &&
  forallb (fun b => forallb (fun lk =>
    match get m (fst lk) with
    | Some _ => is_light_in n cuts out into (fst (fst b)) (snd b) m lk
    | None => is_in_table free (fst lk) || is_light_by_ends (if is_permutation_load b then unit else hose) (snd b) lk
    end) ls) bounds.

Definition check_upper (v : view) (cuts : table (list (N * N))) (free : table unit) (out into : table Q) (p : evidence)
    (bounds : list (quantity * Q * Q)) : bool :=
  if by_ends p then check_ends v cuts free out into p bounds
  else
    let m := raise_shields (covers p) in
    check_covers v cuts (is_in_table free) m (long_links (covers p)) &&
    forallb (fun b => forallb (is_light_in (net v) cuts out into (fst (fst b)) (snd b) m) (numbered 0 (links (net v))))
      bounds.

(** [check_upper] follows next links from all hosts to all, unless covers have lengths. *)
Definition is_followed_later (v : view) (p : evidence) : bool :=
  match known v, long_links (covers p) with KnownNext _, [] => true | _, _ => false end.

Definition check_worst (n : network) (r : routing_text) (bounds : list (quantity * Q * Q)) (p : evidence)
    (routed : list listing) : bool :=
  let v := look n (know r) in
  let (l, optu) := witness p in
  let t := demands p in
  let (out, into) := (leaving_table n, entering_table n) in
  let movers := map mover_of (automorphisms p) in
  let cut_table := array (cuts p) in
  let free := free_links n movers (map cover_link (covers p)) in
  check_network n && check_text n r && check_bounds bounds && check_demands n t &&
  match flow p with
  | Some _ => forallb (fun r => check_pair n (ls r) (ld r) && joins (get (link_table v)) (ls r) (ld r) (lpath r)) routed
  | None => true
  end &&
  check_flow (look n (known_paths routed)) t optu && is_positive optu &&
  (is_followed_later v p || check_routing v) &&
  match get (link_table v) l with
  | None => false
  | Some k => let on := carried_r v t l in forallb (check_lower n out into t optu on k) bounds
  end &&
  check_cuts n (cuts p) &&
  forallb (check_cover n (count (cuts p)) (count (links n))) (covers p) && distinct (map cover_link (covers p)) &&
  forallb (check_mover v) movers && check_respect v movers && check_upper v cut_table free out into p bounds.

(** The demands of every source, with distances from there. *)
Definition ways (n : network) (len : table Q) (t : list demand) : list (N * table Q * list demand) :=
  let ls := numbered 0 (links n) in
  let by_source := index src t in
  map (fun s => (s, match those by_source s with [] => none | _ => reach n len ls s end, those by_source s))
    (host_list n).

Definition check_optu (n : network) (t : list demand) (lower upper : Q) (p : evidence) (routed : list listing) : bool :=
  let len := tally (link_lengths p) in
  let ls := numbered 0 (links n) in
  let all := ways n len t in
  let whole := sumr (fun lk => amount_at len (fst lk) * capacity (snd lk)) ls in
  check_network n && check_demands n t && Qle_bool lower upper &&
  forallb (fun r => check_pair n (Spec.ls r) (ld r) && joins (get (array (links n))) (Spec.ls r) (ld r) (lpath r))
    routed &&
  check_flow (look n (known_paths routed)) t upper && is_positive upper &&
  forallb (fun x => (fst x <? count (links n))%N && Qle_bool 0 (snd x)) (link_lengths p) &&
  distinct (map fst (link_lengths p)) && is_positive whole &&
  forallb (fun x => match snd x with [] => true | _ => is_distance len ls (fst (fst x)) (snd (fst x)) end) all &&
  Qle_bool (lower * whole)
    (sumr (fun x => sumr (fun y => amount y * amount_at (snd (fst x)) (dst y)) (snd x)) all).
