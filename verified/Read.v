(** What a text stands for: the lines, words, numbers and records of FORMAT.md, with its limits.

    What a text claims is the network, the routing and the claims in it; a wrong reading of the rest, which proves
    them, could not make the checker accept what does not hold. *)

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

Definition is_blank (c : ascii) : bool := (c =? " ")%char || (c =? "009")%char.
Definition is_visible (c : ascii) : bool := let n := N_of_ascii c in (33 <=? n) && (n <=? 126).

(** The lines of a text, each backwards, without the newline, and their lengths with it. *)
Fixpoint lines (text line : string) (length : N) : list (string * N) :=
  match text with
  | "" => match line with "" => [] | _ => [(line, length)] end
  | String c text =>
      let length := N.succ length in
      if (c =? "010")%char then (line, length) :: lines text "" 0 else lines text (String c line) length
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

Definition is_digit (c : ascii) : bool := let n := N_of_ascii c in (48 <=? n) && (n <=? 57).
Definition are_digits (word : string) : bool := match word with "" => false | _ => all_of is_digit word end.

Fixpoint value (digits : string) (before : N) : N :=
  match digits with
  | "" => before
  | String c digits => value digits (10 * before + (N_of_ascii c - 48))
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

Definition read_row (words : list string) : result row :=
  match words with
  | node :: (_ :: _) as entries =>
      let! node := integer node in
      let! entries := each (fun w => if (w =? "-")%string then Ok None else let! l := integer w in Ok (Some l)) entries in
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

(** A word that is one node or a range of nodes: the first and the last. *)
Definition read_range (word : string) : result (N * N) :=
  let (a, b) := match cut "-" word with Some ends => ends | None => (word, word) end in
  let! a := integer a in let! b := integer b in let! _ := right (a <=? b) in Ok (a, b).

Definition read_cut (words : list string) : result (list (N * N)) :=
  match words with [] => Wrong | _ => each read_range words end.

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

(** The flow: [None] for an even split over all shortest paths. *)
Definition read_flow (t : text) : result (option (list listing) * text) :=
  let! (rule, t) := one "route" (fun words => match words with [rule] => Ok rule | _ => Wrong end) t in
  if (rule =? "even")%string then Ok (None, t)
  else if (rule =? "paths")%string then let! (paths, t) := many "path" read_listing t in Ok (Some paths, t)
  else Wrong.

Definition weighted := (N * Q)%type.

Definition read_weighted (word : string) : result weighted :=
  match cut ":" word with
  | None => let! id := integer word in Ok (id, 1%Q)
  | Some (id, w) => let! id := integer id in let! w := rational w in Ok (id, w)
  end.

Record cover := Cover {
  cover_link : N; on_sources : list weighted; on_destinations : list weighted;
  out_of_cuts : list weighted; into_cuts : list weighted; lengths : list weighted }.

(** The words up to the next that names a side, and those from there. *)
Fixpoint side_words (words : list string) : list string * list string :=
  match words with
  | [] => ([], [])
  | (String c _ as word) :: rest =>
      if is_digit c then let (these, rest) := side_words rest in (word :: these, rest) else ([], words)
  | _ => ([], words)
  end.

Definition side (name : string) (words : list string) : result (list weighted * list string) :=
  match words with
  | word :: rest =>
      if (word =? name)%string then
        match side_words rest with
        | ([], _) => Wrong
        | (these, rest) => let! these := each read_weighted these in Ok (these, rest)
        end
      else Ok ([], words)
  | [] => Ok ([], words)
  end.

Definition read_cover (words : list string) : result cover :=
  match words with
  | [] => Wrong
  | l :: words =>
      let! l := integer l in
      let! (s, words) := side "s" words in
      let! (d, words) := side "d" words in
      let! (o, words) := side "o" words in
      let! (i, words) := side "i" words in
      let! (lengths, words) := side "l" words in
      match words with [] => Ok (Cover l s d o i lengths) | _ => Wrong end
  end.

Definition read_length (words : list string) : result weighted :=
  match words with
  | [l; n] => let! l := integer l in let! n := integer_to (2 ^ 41) n in Ok (l, inject_Z (Z.of_N n))
  | _ => Wrong
  end.

Definition read_witness (words : list string) : result weighted :=
  match words with [l; optu] => let! l := integer l in let! optu := rational optu in Ok (l, optu) | _ => Wrong end.

(** * Certificates *)

Record evidence := Evidence {
  cuts : list (list (N * N)); witness : weighted; demands : list demand; flow : option (list listing);
  by_ends : bool; covers : list cover; link_lengths : list weighted }.

Record certificate := Certificate { about : network; claimed : claims; proof : evidence }.

Definition last (t : text) : result unit := match t with [["end"]] => Ok tt | _ => Wrong end.

Definition read_ends (t : text) : bool * text := match t with ["ends"] :: t => (true, t) | _ => (false, t) end.

Fixpoint about_routing (claims : list (option quantity * Q * Q)) : result (list (quantity * Q * Q)) :=
  match claims with
  | [] => Ok []
  | (Some q, a, b) :: claims => let! claims := about_routing claims in Ok ((q, a, b) :: claims)
  | (None, _, _) :: _ => Wrong
  end.

Definition read_worst n r cuts found (t : text) : result certificate :=
  let! bounds := about_routing found in
  let! (witness, t) := one "witness" read_witness t in
  let! (demands, t) := many "demand" read_demand t in
  let! (flow, t) := read_flow t in
  let (by_ends, t) := read_ends t in
  let! (covers, t) := many "cover" read_cover t in
  let! _ := last t in
  Ok (Certificate n (Worst r bounds) (Evidence cuts witness demands flow by_ends covers [])).

Definition read_optimum n (found : Q * Q) (t : text) : result certificate :=
  let! (demands, t) := many "demand" read_demand t in
  let! (flow, t) := read_flow t in
  let! (lengths, t) := many "length" read_length t in
  let! _ := last t in
  Ok (Certificate n (Optu demands (fst found) (snd found)) (Evidence [] (0, 0%Q) demands flow false [] lengths)).

Definition read_body (t : text) : result certificate :=
  let! (hosts, t) := one "hosts" number t in
  let! (nodes, t) := one "nodes" number t in
  let! (links, t) := many "link" read_link t in
  let n := Network hosts nodes links in
  let! (r, t) := read_routing t in
  let! (cuts, t) := many "cut" read_cut t in
  let! (found, t) := many "claim" read_claim t in
  match found with
  | [] => Wrong
  | [(None, a, b)] =>
      match r, cuts with Paths [], [] => read_optimum n (a, b) t | _, _ => Wrong end
  | _ => read_worst n r cuts found t
  end.

(** * Limits on what is listed *)

Definition listed_paths (c : certificate) : list listing :=
  match claimed c with Worst (Paths paths) _ => paths | _ => [] end ++
  match flow (proof c) with Some paths => paths | None => [] end.

Definition entries (c : certificate) : N :=
  match claimed c with Worst (Next rows) _ => total (map (fun r => count (snd r)) rows) | _ => 0 end.

Definition weights (c : cover) : N :=
  total (map count [on_sources c; on_destinations c; out_of_cuts c; into_cuts c; lengths c]).

Definition within_limits (c : certificate) : result unit :=
  let (n, p) := (about c, proof c) in
  let ranges := List.concat (cuts p) in
  let! _ := within (hosts n) (2 ^ 16) in
  let! _ := within (nodes n) (2 ^ 22) in
  let! _ := within (count (links n)) (2 ^ 22) in
  let! _ := within (total (map (fun r => snd r - fst r + 1) ranges)) (2 ^ 26) in
  let! _ := within (count (cuts p) * hosts n) (2 ^ 28) in
  let! _ := within (count (listed_paths c)) (2 ^ 24) in
  let! _ := within (total (map (fun r => count (lpath r)) (listed_paths c))) (2 ^ 26) in
  let! _ := within (entries c) (2 ^ 28) in
  within (count (demands p) + count (link_lengths p) + total (map weights (covers p))) (2 ^ 25).

(** First words of records of kinds that this checker does not know. *)
Definition unknown : list string :=
  ["topology"; "routing"; "split"; "class"; "automorphism"; "least"; "single-path"; "few-paths"; "by-destination";
   "busiest"; "rule"; "fewer"; "group"].

Definition is_unknown (words : list string) : bool :=
  match words with word :: _ => existsb (String.eqb word) unknown | [] => false end.

Definition read (bytes : string) : result certificate :=
  let! t := records bytes in
  match t with
  | ["routebound-certificate"; "1"] :: t =>
      if existsb is_unknown t then Unknown else
      let! c := read_body t in
      let! _ := within_limits c in
      Ok c
  | _ => Wrong
  end.
