(** The least value over single-path routings, by counting. Nothing in this file has to be trusted. *)

From Coq Require Import QArith NArith ZArith List Bool String FMapPositive.
From Verified Require Export Least Star.
Import ListNotations.
Open Scope Q_scope.

(** * The routing of the certificate *)

(** Links that lead up, then links that lead down. *)
Fixpoint is_up_down (find : N -> option link) (up : bool) (p : list N) : bool :=
  match p with
  | [] => true
  | l :: p =>
      match find l with
      | Some k => if (from k <? to k)%N then up && is_up_down find true p
                  else (to k <? from k)%N && is_up_down find false p
      | None => false
      end
  end.

(** The level of the nearest common ancestors of two hosts. *)
Fixpoint meeting_level (m : list N) (s d : N) : nat :=
  match m with
  | [] => 0
  | k :: m => if (s =? d)%N then 0 else S (meeting_level m (s / k) (d / k))
  end.

Definition is_single (v : view) (m : list N) (s d : N) : bool :=
  match lookup v s d with
  | [(_, p)] =>
      is_up_down (get (link_table v)) true p && Nat.eqb (List.length p) (2 * meeting_level m s d)
  | _ => false
  end.

Definition check_single (v : view) (m : list N) : bool :=
  let hosts := host_list (net v) in
  forallb (fun s => forallb (fun d => (s =? d)%N || is_single v m s d) hosts) hosts.

(** * The links of ports *)

(** Below a height, the subtree of this height; above, the port by which its nodes are reached. *)
Inductive side := Inside (subtree : N) | Above (port : N).

(** The sides of all nodes from a level on; [height] is one more than levels are left. *)
Fixpoint sides (height ports subtrees wide : N) (m w : list N) : list side :=
  let side_of x :=
    match height with
    | 0%N => Above (x mod wide / (wide / ports))%N
    | _ => Inside (x / wide / product (firstn (N.to_nat (N.pred height)) m))%N
    end in
  map side_of (map N.of_nat (seq 0 (N.to_nat (subtrees * wide)))) ++
  match m, w with
  | k :: m, u :: w => sides (N.pred height) ports (subtrees / k) (wide * u) m w
  | _, _ => []
  end.

Record ported := Ported { side_of : table side; ports : N; up_links : table N; down_links : table N }.

Definition key (p : ported) (subtree port : N) : N := (subtree * ports p + port)%N.

Definition add_crossing (p : ported) (lk : N * link) : ported :=
  match get (side_of p) (from (snd lk)), get (side_of p) (to (snd lk)) with
  | Some (Inside a), Some (Above b) =>
      Ported (side_of p) (ports p) (put (key p a b) (fst lk) (up_links p)) (down_links p)
  | Some (Above b), Some (Inside a) =>
      Ported (side_of p) (ports p) (up_links p) (put (key p a b) (fst lk) (down_links p))
  | _, _ => p
  end.

Definition is_number (o : option N) (l : N) : bool := match o with Some i => (i =? l)%N | None => false end.

(** A link stays inside, or above, or is the one that joins its subtree and port. *)
Definition is_ported (p : ported) (lk : N * link) : bool :=
  let (l, k) := lk in
  Qeq_bool (capacity k) 1 &&
  match get (side_of p) (from k), get (side_of p) (to k) with
  | Some (Inside a), Some (Inside b) | Some (Above a), Some (Above b) => (a =? b)%N
  | Some (Inside a), Some (Above b) =>
      (from k <? to k)%N && (b <? ports p)%N && is_number (get (up_links p) (key p a b)) l
  | Some (Above b), Some (Inside a) =>
      (to k <? from k)%N && (b <? ports p)%N && is_number (get (down_links p) (key p a b)) l
  | _, _ => false
  end.

Definition part_of (p : ported) (h : N) : N := match get (side_of p) h with Some (Inside a) => a | _ => 0 end.

Definition numbers (n : N) : list N := map N.of_nat (seq 0 (N.to_nat n)).

(** Hosts are in subtrees, each of which has [size] hosts. *)
Definition check_parts (n : network) (p : ported) (size subtrees : N) : bool :=
  let parts := index (part_of p) (host_list n) in
  forallb (fun h => match get (side_of p) h with Some (Inside a) => (a <? subtrees)%N | _ => false end) (host_list n) &&
  forallb (fun i => (count (those parts i) =? size)%N) (numbers subtrees).

(** * Counting *)

(** The subtrees of one height, and the links of their ports. *)
Record star := Star { of_tree : ported; size : N; subtrees : N }.

Definition star_of (n : network) (m w : list N) (height : N) : star :=
  let size := product (firstn (N.to_nat height) m) in
  let many := product (firstn (S (N.to_nat height)) w) in
  let sides := array (sides (N.succ height) many (product m) 1 m w) in
  Star (fold_left add_crossing (numbered 0 (links n)) (Ported sides many none none)) size (product m / size).

Definition check_star (n : network) (s : star) : bool :=
  forallb (is_ported (of_tree s)) (numbered 0 (links n)) && check_parts n (of_tree s) (size s) (subtrees s).

(** The pairs between different subtrees. *)
Definition wanted (s : star) : N := (size s * size s * (subtrees s * (subtrees s - 1)))%N.

(** A limit on the additions of a count, and about how many it takes. *)
Definition most_steps : N := 2 ^ 26.
Definition steps (r g x : N) : N := (r * (g * x + 1) ^ 2 * (r * (g * x) + 1 + x * (2 * x + 1)) ^ 2)%N.

(** Ports carry fewer pairs than there are, or all of them would have to be full and have one part as their centre. *)
Definition are_too_few (s : star) (x : N) : result unit :=
  let n := Z.of_N (size s) in
  let r := Z.of_N (subtrees s) in
  let most := limit n r (Z.of_N x) in
  let all := (Z.of_N (ports (of_tree s)) * most)%Z in
  let pairs := Z.of_N (wanted s) in
  if (all <? pairs)%Z then Ok tt
  else if ((all =? pairs) && (3 <=? r) && (r * Z.of_N x <? 2 * n))%Z then
    if (most_steps <? steps (subtrees s) 1 x)%N then Unknown
    else if (most_apart n (N.to_nat x) (N.to_nat (subtrees s)) <? most)%Z then Ok tt else Unknown
  else Wrong.

(** No routing has only [x] pairs of different hosts on every link: ports of subtrees of this height carry too few. *)
Definition check_count (n : network) (m w : list N) (height x : N) : result unit :=
  let s := star_of n m w height in
  let! _ := right ((1 <=? height) && (height <? count m) && (1 <=? x) && (x <=? size s) &&
    (2 <=? subtrees s))%N in
  if check_star n s then are_too_few s x else Unknown.

(** Subtrees of the smaller stars are joined to those of the larger ones, and ports split into their ports. *)
Definition are_nested (n : network) (small large : star) (joined split : N) : bool :=
  let group i := (i / joined)%N in
  let port_below b := (b / split)%N in
  let groups := index group (numbers (subtrees small)) in
  let above := index port_below (numbers (ports (of_tree large))) in
  (1 <=? joined)%N &&
  forallb (fun i => group i <? subtrees large)%N (numbers (subtrees small)) &&
  forallb (fun k => (count (those groups k) =? joined)%N) (numbers (subtrees large)) &&
  forallb (fun b => (count (those above b) =? split)%N) (numbers (ports (of_tree small))) &&
  forallb (fun h => (part_of (of_tree large) h =? group (part_of (of_tree small) h))%N) (host_list n) &&
  forallb (fun vb => match snd vb, get (side_of (of_tree small)) (fst vb) with
                     | Above b, Some (Above c) => (c =? port_below b)%N
                     | Above _, _ => false
                     | Inside _, _ => true
                     end) (items (side_of (of_tree large))).

(** The same for pairs between the larger subtrees. *)
Definition check_nested (n : network) (m w : list N) (low high x : N) : result unit :=
  let small := star_of n m w low in
  let large := star_of n m w high in
  let joined := (size large / size small)%N in
  let split := (ports (of_tree large) / ports (of_tree small))%N in
  let carry eighths := nested_most (Z.of_N (size small)) (N.to_nat joined) (N.to_nat x) (N.to_nat (subtrees large))
    (Z.of_N split) eighths in
  let! _ := right ((1 <=? low) && (low <? high) && (high <? count m) && (1 <=? x) && (x <=? size small) &&
    (2 <=? subtrees large))%N in
  if (most_steps <? steps (subtrees large) joined x)%N then Unknown
  else if negb (check_star n small && check_star n large && are_nested n small large joined split) then Unknown
  else if existsb (fun eighths => Z.of_N (ports (of_tree small)) * (carry eighths / 8) <? Z.of_N (wanted large))%Z
    [7; 6; 5; 4; 3; 2; 1; 0]%Z
  then Ok tt else Wrong.

(** * Permutations have an optu of at most 1 *)

(** The tops to which links lead up, with the numbers of the links, the last one first. *)
Fixpoint climb (most : nat) (up : table (list (N * N))) (v : N) (p : list N) (found : table (list N)) :
    table (list N) :=
  match those up v, most with
  | [], _ => put v p found
  | _, O => found
  | ls, S most => fold_left (fun found x => climb most up (snd x) (fst x :: p) found) ls found
  end.

Definition climb_all (up : list (N * (N * N))) (hosts : list N) : table (table (list N)) :=
  let by_node := PositiveMap.map (map snd) (index fst up) in
  fold_left (fun m h => put h (climb 32 by_node h [] none) m) hosts none.

Definition leg (m : table (table (list N))) (h top : N) : list N :=
  match get (inner m h) top with Some p => p | None => [] end.
Definition leg_up (m : table (table (list N))) (h top : N) : list N := rev (leg m h top).

(** Every host splits what it sends evenly over all tops: then no link has more than 1. *)
Definition check_split (n : network) (up down : table (table (list N))) (tops : list N) (q : Q) : bool :=
  let hosts := host_list n in
  let find := get (array (links n)) in
  let counts := fold_left (fun m h => fold_left (fun m top =>
    add_path (add_path m 1 (leg_up up h top)) 1 (leg down h top)) tops m) hosts none in
  Qle_bool 0 q && Qeq_bool (sumr (fun _ => q) tops) 1 &&
  forallb (fun h => forallb (fun top =>
    joins find h top (leg_up up h top) && joins find top h (leg down h top)) tops) hosts &&
  forallb (fun lk => Qle_bool (q * amount_at counts (fst lk)) (capacity (snd lk))) (numbered 0 (links n)).

Definition check_even (n : network) : result unit :=
  let ls := numbered 0 (links n) in
  let ups := filter (fun lk => from (snd lk) <? to (snd lk))%N ls in
  let downs := filter (fun lk => to (snd lk) <? from (snd lk))%N ls in
  let up := climb_all (map (fun lk => (from (snd lk), (fst lk, to (snd lk)))) ups) (host_list n) in
  let down := climb_all (map (fun lk => (to (snd lk), (fst lk, from (snd lk)))) downs) (host_list n) in
  let tops := map fst (items (inner up 0)) in
  if check_split n up down tops (1 / inject_Z (Z.of_N (count tops))) then Ok tt else Unknown.

(** Covers of [x] hosts stand for a value of [x]. *)
Definition covers_hosts (q : quantity) (w : list N) : bool :=
  match q, w with PermutationLoad, _ => true | ObliviousRatio, u :: _ => (u =? 1)%N | _, _ => false end.

Definition check_evenly (n : network) (q : quantity) : result unit :=
  match q with ObliviousRatio => check_even n | _ => Ok tt end.

(** What the record says of the tree. *)
Definition check_refuted (n : network) (m w : list N) (q : quantity) (lower : N) (how : list string) : result unit :=
  if negb (covers_hosts q w) then Unknown else
  match how with
  | [kind] =>
      if (kind =? "trivial")%string
      then right ((lower <=? 1)%N && forallb (fun k => Qeq_bool (capacity k) 1) (links n))
      else Unknown
  | [kind; height] =>
      if (kind =? "count")%string then
        let! height := integer height in
        let! _ := right (1 <? lower)%N in
        let! _ := check_evenly n q in
        check_count n m w height (N.pred lower)
      else Unknown
  | [kind; low; high] =>
      if (kind =? "nested")%string then
        let! low := integer low in
        let! high := integer high in
        let! _ := right (1 <? lower)%N in
        let! _ := check_evenly n q in
        check_nested n m w low high (N.pred lower)
      else Unknown
  | _ => Unknown
  end.

Definition tree_and_how (t : text) : result (list N * list N * list string) :=
  match t, starting "single-path" t with
  | ["topology"%string; name] :: _, (_ :: _ :: _ :: how) :: _ => let! (m, w) := read_tree name in Ok (m, w, how)
  | _, _ => Wrong
  end.

Definition check_single_path (n : network) (r : routing_text) (bounds : list (quantity * Q * Q)) (q : quantity)
    (lower upper : Q) (t : text) : result unit :=
  let x := Z.to_N (Qnum lower) in
  let! (m, w, how) := tree_and_how t in
  let! _ := right (Qle_bool lower upper && Qeq_bool lower (inject_Z (Z.of_N x)) &&
    existsb (fun b => same_quantity (fst (fst b)) q && Qeq_bool (snd b) upper) bounds &&
    match q with HoseLoad => false | _ => true end && check_single (look n (know r)) m) in
  check_refuted n m w q x how.

(** * Certificates *)

Definition check_certificate (c : statement) (p : evidence) (t : text) : result unit :=
  let n := about c in
  let! _ := right (check_network n && check_demands n (demands p)) in
  let! routed := flow_of n (demands p) (flow p) in
  match claimed c with
  | Worst r bounds best =>
      let! _ := right (check_worst n r bounds p routed) in
      match best with
      | None => Ok tt
      | Some (Least q (Over a) lower upper) =>
          let! xs := each (route_against n) (traffic_against p) in
          right (check_best n r bounds p q a lower upper xs)
      | Some (Least q SinglePath lower upper) => check_single_path n r bounds q lower upper t
      end
  | Optu traffic lower upper => right (check_optu n traffic lower upper p routed)
  end.

(** The verdict on a text: accepted, with what it states; or why not. *)
Definition check (bytes : string) : result statement :=
  let! t := body bytes in
  if existsb is_unknown t then Unknown else
  let! c := states t in
  let! p := read_evidence (claimed c) t in
  let! _ := within_limits c p in
  let! _ := check_certificate c p t in
  Ok c.
