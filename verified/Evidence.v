(** The rest of a text: what proves the claims, and the limits on what is listed. Nothing here has to be trusted. *)

From Coq Require Import QArith NArith List String Ascii.
From Verified Require Import Spec Read.
Import ListNotations.
Open Scope string_scope.
Open Scope N_scope.

(** * Records *)

(** A word that is one node or a range of nodes: the first and the last. *)
Definition read_range (word : string) : result (N * N) :=
  let (a, b) := match cut "-" word with Some ends => ends | None => (word, word) end in
  let! a := integer a in let! b := integer b in let! _ := right (a <=? b) in Ok (a, b).

Definition read_cut (words : list string) : result (list (N * N)) :=
  match words with [] => Wrong | _ => each read_range words end.

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

Definition side {A} (name : string) (f : string -> result A) (words : list string) : result (list A * list string) :=
  match words with
  | word :: rest =>
      if (word =? name)%string then
        match side_words rest with
        | ([], _) => Wrong
        | (these, rest) => let! these := each f these in Ok (these, rest)
        end
      else Ok ([], words)
  | [] => Ok ([], words)
  end.

Definition read_cover (words : list string) : result cover :=
  match words with
  | [] => Wrong
  | l :: words =>
      let! l := integer l in
      let! (s, words) := side "s" read_weighted words in
      let! (d, words) := side "d" read_weighted words in
      let! (o, words) := side "o" read_weighted words in
      let! (i, words) := side "i" read_weighted words in
      let! (lengths, words) := side "l" read_weighted words in
      match words with [] => Ok (Cover l s d o i lengths) | _ => Wrong end
  end.

Definition read_length (words : list string) : result weighted :=
  match words with
  | [l; n] => let! l := integer l in let! n := integer_to (2 ^ 41) n in Ok (l, inject_Z (Z.of_N n))
  | _ => Wrong
  end.

Definition read_witness (words : list string) : result weighted :=
  match words with [l; optu] => let! l := integer l in let! optu := rational optu in Ok (l, optu) | _ => Wrong end.

(** Automorphisms: cycles of nodes, and of links. *)
Record moves := Moves { node_cycles : list (list N); link_cycles : list (list N) }.

Definition read_cycle (word : string) : result (list N) := each integer (parts "," word).

Definition read_moves (words : list string) : result moves :=
  let! (nodes, words) := side "n" read_cycle words in
  let! (links, words) := side "l" read_cycle words in
  match words with [] => Ok (Moves nodes links) | _ => Wrong end.

(** Traffic against a link, with its weight; there may be no flow, or one as in [read_flow]. *)
Record against := Against {
  against_link : N; weight : Q; against_demands : list demand; against_flow : option (option (list listing)) }.

Definition read_any_flow (t : text) : result (option (option (list listing)) * text) :=
  match t with
  | ("route" :: _) :: _ => let! (flow, t) := read_flow t in Ok (Some flow, t)
  | _ => Ok (None, t)
  end.

(** All that come next, of which there are at most [most]. *)
Fixpoint read_against (most : nat) (t : text) : result (list against * text) :=
  match most, t with
  | S most, ["against"; l; w] :: t =>
      let! l := integer l in
      let! w := rational w in
      let! (demands, t) := many "demand" read_demand t in
      let! (flow, t) := read_any_flow t in
      let! (rest, t) := read_against most t in
      Ok (Against l w demands flow :: rest, t)
  | _, _ => Ok ([], t)
  end.

(** * Certificates *)

Record evidence := Evidence {
  cuts : list (list (N * N)); witness : weighted; demands : list demand; flow : option (list listing);
  by_ends : bool; automorphisms : list moves; covers : list cover; link_lengths : list weighted;
  traffic_against : list against }.

Definition last (t : text) : result unit := match t with [["end"]] => Ok tt | _ => Wrong end.

Definition read_ends (t : text) : bool * text := match t with ["ends"] :: t => (true, t) | _ => (false, t) end.

(** The records behind those that come next and begin with [name]. *)
Definition behind (name : string) (t : text) : text := snd (all name t).

(** What is against a link, behind what [states] reads. *)
Definition read_least_evidence (best : option least) (t : text) : result (list against * text) :=
  match best, t with
  | None, _ => Ok ([], t)
  | Some (Least _ (Over a) _ _), ("least" :: _) :: t =>
      let t := match a with Listed _ => behind "allowed" t | _ => t end in
      read_against (List.length t) t
  | Some (Least _ SinglePath _ _), ("single-path" :: _) :: t => Ok ([], t)
  | _, _ => Wrong
  end.

Definition read_worst (best : option least) cuts (t : text) : result evidence :=
  let! (witness, t) := one "witness" read_witness t in
  let! (demands, t) := many "demand" read_demand t in
  let! (flow, t) := read_flow t in
  let (by_ends, t) := read_ends t in
  let! (automorphisms, t) := many "automorphism" read_moves t in
  let! (covers, t) := many "cover" read_cover t in
  let! (traffic, t) := read_least_evidence best t in
  let! _ := last t in
  Ok (Evidence cuts witness demands flow by_ends automorphisms covers [] traffic).

Definition read_optimum (t : text) : result evidence :=
  let! (demands, t) := many "demand" read_demand t in
  let! (flow, t) := read_flow t in
  let! (lengths, t) := many "length" read_length t in
  let! _ := last t in
  Ok (Evidence [] (0, 0%Q) demands flow false [] [] lengths []).

(** What proves [c] in the same text; all that [states] reads is left out here. *)
Definition read_evidence (c : claims) (t : text) : result evidence :=
  let embedded := fold_left (fun t name => behind name t) ["hosts"; "nodes"; "link"] in
  let t := match t with ("topology" :: _) :: t => t | _ => embedded t end in
  let t := match t with ("next" :: _) :: _ => behind "next" t | _ => behind "path" t end in
  let! (cuts, t) := many "cut" read_cut t in
  let t := behind "claim" t in
  match c, cuts with
  | Worst _ _ best, _ => read_worst best cuts t
  | Optu _ _ _, [] => read_optimum t
  | Optu _ _ _, _ => Wrong
  end.

(** * Limits on what is listed *)

Definition listed_paths (s : statement) (p : evidence) : list listing :=
  (match claimed s with Worst (Paths paths) _ _ => paths | _ => [] end ++
  match flow p with Some paths => paths | None => [] end ++
  List.concat (map (fun a => match against_flow a with Some (Some paths) => paths | _ => [] end)
    (traffic_against p)))%list.

Definition allowed_paths (s : statement) : list (N * N * list N) :=
  match claimed s with Worst _ _ (Some (Least _ (Over (Listed paths)) _ _)) => paths | _ => [] end.

Definition entries (s : statement) : N :=
  match claimed s with Worst (Next rows) _ _ => total (map (fun r => count (snd r)) rows) | _ => 0 end.

Definition weights (c : cover) : N :=
  total (map count [on_sources c; on_destinations c; out_of_cuts c; into_cuts c; lengths c]).

Definition moved (m : moves) : N := total (map count (node_cycles m ++ link_cycles m)).

Definition within_limits (s : statement) (p : evidence) : result unit :=
  let n := about s in
  let movers := count (automorphisms p) in
  let ranges := List.concat (cuts p) in
  let! _ := within (hosts n) (2 ^ 16) in
  let! _ := within (nodes n) (2 ^ 22) in
  let! _ := within (count (links n)) (2 ^ 22) in
  let! _ := within (total (map (fun r => snd r - fst r + 1) ranges)) (2 ^ 26) in
  let! _ := within (movers + total (map moved (automorphisms p))) (2 ^ 24) in
  let! _ := within (movers * (hosts n * hosts n)) (2 ^ 32) in
  let! _ := within (movers * (nodes n + count (links n))) (2 ^ 26) in
  let! _ := within (count (cuts p) * hosts n) (2 ^ 28) in
  let paths := app (map lpath (listed_paths s p)) (map snd (allowed_paths s)) in
  let! _ := within (count paths) (2 ^ 24) in
  let! _ := within (total (map count paths)) (2 ^ 26) in
  let! _ :=
    match claimed s with
    | Worst _ _ (Some (Least _ (Over _) _ _)) => within (hosts n * hosts n * N.max (nodes n) (count (links n))) (2 ^ 31)
    | _ => Ok tt
    end in
  let! _ := within (entries s) (2 ^ 28) in
  let traffic := List.concat (map against_demands (traffic_against p)) in
  within (count (demands p) + count traffic + count (link_lengths p) + total (map weights (covers p))) (2 ^ 25).

(** First words of records of kinds that this checker does not know. *)
Definition unknown : list string :=
  ["routing"; "split"; "class"; "few-paths"; "adaptive-rates";
   "by-destination"; "busiest"; "rule"; "fewer"; "group"].

Definition is_unknown (words : list string) : bool :=
  match words with word :: _ => existsb (String.eqb word) unknown | [] => false end.
