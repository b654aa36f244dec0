(** How many pairs one port of a tree carries. Nothing in this file has to be trusted. *)

From Coq Require Import ZArith NArith List Bool.
Import ListNotations.
Open Scope Z_scope.

Definition zsum {A} (f : A -> Z) (l : list A) : Z := fold_right (fun x rest => f x + rest) 0 l.
Definition bit (b : bool) : Z := if b then 1 else 0.
Definition cnt {A} (p : A -> bool) (l : list A) : Z := zsum (fun x => bit (p x)) l.

(** * The most that covers of at most [x] hosts let through *)

(** What a subtree of [n] hosts, of which [a] cover as sources and [c] as destinations, adds to the product of all a
    and all c, which are [sources] and [targets]: COUNTING.md, "Stars in stars", of groups of one subtree. *)
Definition gain (n x sources targets a c : Z) : Z :=
  let good := Z.min (x - a) (targets - c) in
  good * (n - a) + (x - a - good) * Z.min x (n - a) + Z.min (x - c) (sources - a) * (n - c) - a * c.

(** The most that subtrees add, for all totals of a and of c. *)
Definition sums := list (list (option Z)).

Definition greater (v w : option Z) : option Z :=
  match v, w with Some a, Some b => Some (Z.max a b) | Some a, None => Some a | None, _ => w end.

Fixpoint merge {A} (f : A -> A -> A) (v w : list A) : list A :=
  match v, w with
  | a :: v, b :: w => f a b :: merge f v w
  | [], _ => w
  | _, [] => v
  end.

Definition shift (a c : nat) (g : Z) (s : sums) : sums :=
  repeat [] a ++ map (fun row => repeat None c ++ map (option_map (Z.add g)) row) s.

Definition choice := (nat * nat * Z)%type.

Definition one_more (choices : list choice) (s : sums) : sums :=
  fold_left (fun acc t => merge (merge greater) acc (shift (fst (fst t)) (snd (fst t)) (snd t) s)) choices [].

Definition at_totals (s : sums) (a c : nat) : option Z := nth c (nth a s []) None.

Definition choices (n x sources targets : Z) (most : nat) (but : bool) : list choice :=
  flat_map (fun a => flat_map (fun c =>
      if but && Nat.eqb a most && Nat.eqb c most && (sources =? x) && (targets =? x) then [] else
      [(a, c, gain n x sources targets (Z.of_nat a) (Z.of_nat c))]) (seq 0 (S most))) (seq 0 (S most)).

Fixpoint times {A} (n : nat) (f : A -> A) (a : A) : A := match n with O => a | S n => f (times n f a) end.

(** Totals of 2x or more count as 2x: then every subtree has as many outside as it can use. *)
Definition capped (x a : nat) : nat := Nat.min a (2 * x).

Definition total_at (s : sums) (a c : nat) : Z :=
  match at_totals s a c with Some v => Z.of_nat a * Z.of_nat c + v | None => 0 end.

Definition greatest (l : list Z) : Z := fold_right Z.max 0 l.

Definition best_of_class (n : Z) (x r : nat) (but : bool) (sources targets : nat) : Z :=
  let z := Z.of_nat in
  let s := times r (one_more (choices n (z x) (z sources) (z targets) x but)) [[Some 0]] in
  let range := seq 0 (S (r * x)) in
  greatest (flat_map (fun a => if Nat.eqb (capped x a) sources then
    map (fun c => if Nat.eqb (capped x c) targets then total_at s a c else 0) range else []) range).

(** The most pairs that one port carries between [r] subtrees; with [but], where not all hosts that cover are at one
    subtree. *)
Definition best (n : Z) (x r : nat) (but : bool) : Z :=
  let classes := seq 0 (S (2 * x)) in
  greatest (flat_map (fun sources => map (best_of_class n x r but sources) classes) classes).
