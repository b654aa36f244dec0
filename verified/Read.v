(** What a text stands for: the lines, words, numbers and records of FORMAT.md, with its limits.

    What a text claims is the network, the routing and the claims in it. The rest, which proves them, is read in
    [Evidence.v]: a wrong reading of it could not make the checker accept what does not hold. *)

From Coq Require Import QArith NArith List String Ascii.
From Verified Require Import Spec.
Import ListNotations.
Open Scope string_scope.
Open Scope N_scope.

(** Why there is no result: the text is wrong; it is beyond a limit; it is of a kind that this checker does not know. *)
Inductive result (A : Type) := Ok (a : A) | Wrong | Beyond | Unknown.
Arguments Ok {A}. Arguments Wrong {A}. Arguments Beyond {A}. Arguments Unknown {A}.

Definition bind {A B} (r : result A) (f : A -> result B) : result B :=
  match r with Ok a => f a | Wrong => Wrong | Beyond => Beyond | Unknown => Unknown end.
Notation "'let!' x := r 'in' e" := (bind r (fun x => e)) (at level 200, x pattern, e at level 200).

Definition within (size limit : N) : result unit := if size <=? limit then Ok tt else Beyond.
Definition right (b : bool) : result unit := if b then Ok tt else Wrong.

Definition count {A} (l : list A) : N := fold_left (fun n _ => N.succ n) l 0.
Definition total (l : list N) : N := fold_left N.add l 0.

Fixpoint each {A B} (f : A -> result B) (l : list A) : result (list B) :=
  match l with
  | [] => Ok []
  | a :: l => let! b := f a in let! l := each f l in Ok (b :: l)
  end.

(** * Lines and words *)

Definition is_blank (c : ascii) : bool := match c with " "%char | "009"%char => true | _ => false end.
Definition is_newline (c : ascii) : bool := match c with "010"%char => true | _ => false end.

Definition digit (c : ascii) : option N :=
  match c with
  | "0" => Some 0 | "1" => Some 1 | "2" => Some 2 | "3" => Some 3 | "4" => Some 4
  | "5" => Some 5 | "6" => Some 6 | "7" => Some 7 | "8" => Some 8 | "9" => Some 9
  | _ => None
  end%char.
Definition is_digit (c : ascii) : bool := match digit c with Some _ => true | None => false end.
Definition is_visible (c : ascii) : bool := is_digit c || let n := N_of_ascii c in (33 <=? n) && (n <=? 126).

(** The lines of a text, each backwards, without the newline, and their lengths with it. *)
Fixpoint lines (text line : string) (length : N) : list (string * N) :=
  match text with
  | "" => match line with "" => [] | _ => [(line, length)] end
  | String c text =>
      let length := N.succ length in
      if is_newline c then (line, length) :: lines text "" 0 else lines text (String c line) length
  end.

Definition without_return (line : string) : string :=
  match line with String "013" line => line | _ => line end.

(** The words of a line that is given backwards: [word] and [words] are what was found behind it. *)
Fixpoint split (line word : string) (words : list string) : list string :=
  let words' := match word with "" => words | _ => word :: words end in
  match line with
  | "" => words'
  | String c line => if is_blank c then split line "" words' else split line (String c word) words
  end.

Definition is_comment (words : list string) : bool :=
  match words with [] | String "#" _ :: _ => true | _ => false end.

Fixpoint all_of (p : ascii -> bool) (word : string) : bool :=
  match word with "" => true | String c word => p c && all_of p word end.

Definition records (text : string) : result (list (list string)) :=
  let lines := lines text "" 0 in
  let! _ := within (total (map snd lines)) (2 ^ 30 - 1) in
  let! _ := each (fun line => within (snd line) (2 ^ 24 - 1)) lines in
  let records := map (fun line => split (without_return (fst line)) "" []) lines in
  let records := filter (fun words => negb (is_comment words)) records in
  let! _ := each (fun words => right (forallb (all_of is_visible) words)) records in
  Ok records.

(** * Numbers *)

Definition are_digits (word : string) : bool := match word with "" => false | _ => all_of is_digit word end.

Fixpoint value (digits : string) (before : N) : N :=
  match digits with
  | "" => before
  | String c digits => value digits (10 * before + match digit c with Some d => d | None => 0 end)
  end.

Fixpoint without_zeros (digits : string) : string :=
  match digits with String "0" digits => without_zeros digits | _ => digits end.

(** Whether a word has at most so many characters. *)
Fixpoint is_short (word : string) (most : nat) : bool :=
  match word, most with
  | "", _ => true
  | String _ word, S most => is_short word most
  | _, O => false
  end.

Definition integer_to (limit : N) (word : string) : result N :=
  let! _ := right (are_digits word) in
  let digits := without_zeros word in
  if is_short digits 20 then
    let n := value digits 0 in let! _ := within n limit in Ok n
  else Beyond.

Definition integer : string -> result N := integer_to (2 ^ 32 - 1).

(** What stands before and after the first [c]. *)
Fixpoint cut (c : ascii) (word : string) : option (string * string) :=
  match word with
  | "" => None
  | String a word =>
      if (a =? c)%char then Some ("", word)
      else match cut c word with Some (x, y) => Some (String a x, y) | None => None end
  end.

(** The parts of a word between all [c]. *)
Fixpoint parts (c : ascii) (word : string) : list string :=
  match word with
  | "" => [""]
  | String a word =>
      if (a =? c)%char then "" :: parts c word
      else match parts c word with x :: rest => String a x :: rest | [] => [] end
  end.

Definition part (digits : string) : result N :=
  let! _ := right (are_digits digits) in
  if is_short digits 200 then Ok (value digits 0) else Beyond.

Definition rational (word : string) : result Q :=
  match cut "/" word with
  | None => let! a := part word in Ok (inject_Z (Z.of_N a))
  | Some (a, b) =>
      let! a := part a in
      let! b := part b in
      match b with
      | 0 => Wrong
      | Npos b => Ok (Qred (Z.of_N a # b))
      end
  end.

(** * Records *)

Definition text := list (list string).

(** The words after [name] of all records that come next and begin with it, and the records behind them. *)
Fixpoint all (name : string) (t : text) : list (list string) * text :=
  match t with
  | (word :: words) :: rest =>
      if (word =? name)%string then let (these, rest) := all name rest in (words :: these, rest) else ([], t)
  | _ => ([], t)
  end.

Definition many {A} (name : string) (f : list string -> result A) (t : text) : result (list A * text) :=
  let (these, rest) := all name t in let! these := each f these in Ok (these, rest).

(** The one record that comes next and begins with [name]. *)
Definition one {A} (name : string) (f : list string -> result A) (t : text) : result (A * text) :=
  match t with
  | (word :: words) :: rest =>
      if (word =? name)%string then let! a := f words in Ok (a, rest) else Wrong
  | _ => Wrong
  end.

Definition number (words : list string) : result N := match words with [n] => integer n | _ => Wrong end.

Definition read_link (words : list string) : result link :=
  match words with
  | [a; b; c] => let! a := integer a in let! b := integer b in let! c := rational c in Ok (Link a b c)
  | _ => Wrong
  end.

(** The number of nodes of XGFT(h; m; w), and its links, of NAMES.md: those from level l on, which has this number of
    subtrees of as many nodes as it is wide, the first of them [first]. *)
Fixpoint tree (first subtrees wide : N) (m w : list N) : result (N * list link) :=
  match m, w with
  | k :: m, u :: w =>
      let (next, wider) := (first + subtrees * wide, wide * u) in
      let! _ := within (subtrees * wider) (2 ^ 21) in
      let up := map (fun x => Link (first + x / u) (next + x / (wider * k) * wider + x mod wider) 1)
        (map N.of_nat (seq 0 (N.to_nat (subtrees * wider)))) in
      let! (nodes, links) := tree next (subtrees / k) wider m w in
      Ok (nodes, up ++ map (fun k => Link (to k) (from k) 1) up ++ links)%list
  | _, _ => Ok (first + subtrees * wide, [])
  end.

Definition product : list N -> N := fold_right N.mul 1.

(** A number of a name; names that are spelled otherwise are not known. *)
Definition named_number (word : string) : result N :=
  match word, integer word with String "0" _, _ | _, Wrong => Unknown | _, n => n end.

(** m and w of a tree that is named. *)
Definition read_tree (name : string) : result (list N * list N) :=
  let! (kind, rest) := match cut "(" name with Some found => Ok found | None => Unknown end in
  let! inside := match cut ")" rest with Some (inside, "") => Ok inside | _ => Unknown end in
  let! numbers := each (fun list => each named_number (parts "," list)) (parts ";" inside) in
  match kind, numbers with
  | "xgft", [[h]; m; w] => if (h =? count m) && (h =? count w) && (h <=? 16) then Ok (m, w) else Unknown
  | "ft", [[m; h]] =>
      if (16 <? h) || (m mod 2 =? 1) then Unknown
      else let half := repeat (m / 2) (N.to_nat (h - 1)) in Ok (half ++ [m], 1 :: half)%list
  | "eft2", [[m; k]] => if m mod 2 =? 0 then Ok ([m / 2; k], [1; m / 2]) else Unknown
  | _, _ => Unknown
  end.

Definition read_network (t : text) : result (network * text) :=
  match t with
  | ["topology"; name] :: t =>
      let! (m, w) := read_tree name in
      let! _ := within (product m) (2 ^ 16) in
      let! (nodes, links) := tree 0 (product m) 1 m w in
      Ok (Network (product m) nodes links, t)
  | _ =>
      let! (hosts, t) := one "hosts" number t in
      let! (nodes, t) := one "nodes" number t in
      let! (links, t) := many "link" read_link t in
      Ok (Network hosts nodes links, t)
  end.

Definition read_row (words : list string) : result row :=
  match words with
  | node :: (_ :: _) as entries =>
      let! node := integer node in
      let entry w := if (w =? "-")%string then Ok None else let! l := integer w in Ok (Some l) in
      let! entries := each entry entries in
      Ok (node, entries)
  | _ => Wrong
  end.

Definition read_listing (words : list string) : result listing :=
  match words with
  | s :: d :: share :: (_ :: _) as path =>
      let! path := each integer path in
      let! s := integer s in let! d := integer d in let! share := rational share in
      Ok (Listing s d share path)
  | _ => Wrong
  end.

(** The routing, which is written out; without any record it has no paths. *)
Definition read_routing (t : text) : result (routing_text * text) :=
  let! (rows, t) := many "next" read_row t in
  match rows with
  | [] => let! (paths, t) := many "path" read_listing t in Ok (Paths paths, t)
  | _ => Ok (Next rows, t)
  end.

Definition read_quantity (word : string) : result (option quantity) :=
  if (word =? "oblivious-ratio")%string then Ok (Some ObliviousRatio)
  else if (word =? "permutation-load")%string then Ok (Some PermutationLoad)
  else if (word =? "hose-load")%string then Ok (Some HoseLoad)
  else if (word =? "optu")%string then Ok None
  else Wrong.

Definition read_claim (words : list string) : result (option quantity * Q * Q) :=
  match words with
  | [q; a; b] => let! q := read_quantity q in let! a := rational a in let! b := rational b in Ok (q, a, b)
  | _ => Wrong
  end.

Definition read_demand (words : list string) : result demand :=
  match words with
  | [s; d; a] => let! s := integer s in let! d := integer d in let! a := rational a in Ok (Demand s d a)
  | _ => Wrong
  end.

(** The records from the first that begins with [name]. *)
Fixpoint starting (name : string) (t : text) : text :=
  match t with
  | (word :: _) :: rest => if (word =? name)%string then t else starting name rest
  | _ => []
  end.

Fixpoint about_routing (claims : list (option quantity * Q * Q)) : result (list (quantity * Q * Q)) :=
  match claims with
  | [] => Ok []
  | (Some q, a, b) :: claims => let! claims := about_routing claims in Ok ((q, a, b) :: claims)
  | (None, _, _) :: _ => Wrong
  end.

(** A bound on all routings over some paths. The upper side is that of the claim on the routing of the certificate. *)
Definition read_allowed (words : list string) : result (N * N * list N) :=
  match words with
  | s :: d :: (_ :: _) as path =>
      let! s := integer s in let! d := integer d in let! path := each integer path in Ok (s, d, path)
  | _ => Wrong
  end.

Definition read_among (word : string) (t : text) : result among :=
  if (word =? "all")%string then Ok All
  else if (word =? "shortest")%string then Ok Shortest
  else if (word =? "listed")%string then let! (paths, _) := many "allowed" read_allowed t in Ok (Listed paths)
  else Wrong.

Definition same_quantity (a b : quantity) : bool :=
  match a, b with
  | ObliviousRatio, ObliviousRatio | PermutationLoad, PermutationLoad | HoseLoad, HoseLoad => true
  | _, _ => false
  end.

Definition read_bound (bounds : list (quantity * Q * Q)) (word : string) (o : routings) (lower : Q) :
    result (option least) :=
  let! q := read_quantity word in
  match find (fun b => match q with Some q => same_quantity (fst (fst b)) q | None => false end) bounds with
  | Some (q, _, upper) => Ok (Some (Least q o lower upper))
  | None => Wrong
  end.

Definition read_least (bounds : list (quantity * Q * Q)) (t : text) : result (option least) :=
  match starting "least" t, starting "single-path" t with
  | [], [] => Ok None
  | [_; q; lower; a] :: t, _ =>
      let! lower := rational lower in let! a := read_among a t in read_bound bounds q (Over a) lower
  | [], (_ :: q :: lower :: _) :: _ =>
      let! lower := integer lower in read_bound bounds q SinglePath (inject_Z (Z.of_N lower))
  | _, _ => Wrong
  end.

(** * Certificates *)

Record statement := Statement { about : network; claimed : claims }.

(** The records behind the first one. *)
Definition body (bytes : string) : result text :=
  let! t := records bytes in
  match t with ["routebound-certificate"; "1"] :: t => Ok t | _ => Wrong end.

Definition states (t : text) : result statement :=
  let! (n, t) := read_network t in
  let! (r, t) := read_routing t in
  let! (found, t) := many "claim" read_claim (starting "claim" t) in
  let! claims :=
    match found, r with
    | [], _ => Wrong
    | [(None, a, b)], Paths [] => let! (demands, _) := many "demand" read_demand t in Ok (Optu demands a b)
    | _, _ =>
        let! bounds := about_routing found in
        let! best := read_least bounds t in
        Ok (Worst r bounds best)
    end in
  Ok (Statement n claims).

Definition read (bytes : string) : result statement := let! t := body bytes in states t.
