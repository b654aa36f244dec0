(** Automorphisms that the routing respects. Nothing in this file has to be trusted. *)

From Coq Require Import QArith NArith List Bool FMapPositive.
From Verified Require Import Spec Read Evidence Tables.
Import ListNotations.
Open Scope Q_scope.

(** * Where nodes and links are taken *)

(** The steps of a cycle: every number, and the next one. *)
Definition steps_of (cycle : list N) : list (N * N) :=
  match cycle with [] => [] | first :: rest => combine cycle (rest ++ [first]) end.

Definition to_table (steps : list (N * N)) : table N := fold_right (fun x m => put (fst x) (snd x) m) none steps.
Definition reversed (steps : list (N * N)) : list (N * N) := map (fun x => (snd x, fst x)) steps.

(** What is in no cycle stays where it is. *)
Definition image (m : table N) (x : N) : N := match get m x with Some y => y | None => x end.

(** Tables that take nodes and links along, and back. *)
Record mover := Mover { node_steps : list (N * N); link_steps : list (N * N);
  nodes_on : table N; nodes_back : table N; links_on : table N; links_back : table N }.

Definition mover_of (m : moves) : mover :=
  let nodes := List.concat (map steps_of (node_cycles m)) in
  let links := List.concat (map steps_of (link_cycles m)) in
  Mover nodes links (to_table nodes) (to_table (reversed nodes)) (to_table links) (to_table (reversed links)).

(** Every number is named once, and exists. *)
Definition is_shuffle (steps : list (N * N)) (on : table N) (below : N) : bool :=
  distinct (map fst steps) && distinct (map snd steps) &&
  forallb (fun x => (fst x <? below)%N && match get on (snd x) with Some _ => true | None => false end) steps.

Definition is_same_link (a b : link) (on : table N) : bool :=
  (from b =? image on (from a))%N && (to b =? image on (to a))%N && Qeq_bool (capacity b) (capacity a).

Definition check_mover (v : view) (g : mover) : bool :=
  let n := net v in
  is_shuffle (node_steps g) (nodes_on g) (nodes n) && is_shuffle (link_steps g) (links_on g) (count (links n)) &&
  forallb (fun x => eqb (fst x <? hosts n)%N (snd x <? hosts n)%N) (node_steps g) &&
  forallb (fun lk => match get (link_table v) (image (links_on g) (fst lk)) with
                     | Some k => is_same_link (snd lk) k (nodes_on g)
                     | None => false
                     end) (numbered 0 (links n)).

(** * The routing respects them *)

Definition take_paths (on : table N) (ps : paths) : paths := map (fun qp => (fst qp, map (image on) (snd qp))) ps.

Fixpoint same_path (p p' : list N) : bool :=
  match p, p' with
  | [], [] => true
  | l :: p, l' :: p' => (l =? l')%N && same_path p p'
  | _, _ => false
  end.

Fixpoint same_paths (ps ps' : paths) : bool :=
  match ps, ps' with
  | [], [] => true
  | (q, p) :: ps, (q', p') :: ps' => same_path p p' && Qeq_bool q q' && same_paths ps ps'
  | _, _ => false
  end.

Definition is_within (a b : table Q) : bool := forallb (fun x => Qeq_bool (amount_at b (fst x)) (snd x)) (items a).

Definition same_shares (ps ps' : paths) : bool :=
  same_paths ps ps' ||
  let a := add_paths none 1 ps in
  let b := add_paths none 1 ps' in
  is_within a b && is_within b a.

Definition is_respected (v : view) (gs : list mover) (s d : N) (ps : paths) : bool :=
  forallb (fun g => same_shares (take_paths (links_on g) ps)
                      (lookup v (image (nodes_on g) s) (image (nodes_on g) d))) gs.

Definition check_respect (v : view) (gs : list mover) : bool :=
  match gs with
  | [] => true
  | _ => let hosts := host_list (net v) in
         forallb (fun s => forallb (fun d => (s =? d)%N || is_respected v gs s d (lookup v s d)) hosts) hosts
  end.

(** * Links whose class has a cover *)

(** [found], with all that one of these takes into it, step by step; [last] are those whose origins are not yet in it.
  *)
Fixpoint spread (most : nat) (gs : list mover) (found : table unit) (last : list N) : table unit :=
  match most, last with
  | S most, l :: last =>
      let step acc g :=
        let l := image (links_back g) l in
        match get (fst acc) l with Some _ => acc | None => (put l tt (fst acc), l :: snd acc) end in
      let (found, last) := fold_left step gs (found, last) in
      spread most gs found last
  | _, _ => found
  end.

Definition free_links (n : network) (gs : list mover) (covered : list N) : table unit :=
  match gs with
  | [] => none
  | _ => spread (List.length (links n)) gs (fold_left (fun m l => put l tt m) covered none) covered
  end.
