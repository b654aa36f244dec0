(** How many pairs one port of a tree carries. Nothing in this file has to be trusted. *)

From Coq Require Import ZArith NArith List Bool.
Import ListNotations.
Open Scope Z_scope.

Definition zsum {A} (f : A -> Z) (l : list A) : Z := fold_right (fun x rest => f x + rest) 0 l.
Definition bit (b : bool) : Z := if b then 1 else 0.
Definition cnt {A} (p : A -> bool) (l : list A) : Z := zsum (fun x => bit (p x)) l.

(** * The most that covers of at most [x] hosts let through *)

(** What a subtree of [n] hosts adds, of which so many cover as sources (or as destinations), to the pairs from all of
    these to all of those; as many as [outside] cover in other groups: COUNTING.md, "Stars in stars". *)
Definition up (n x outside a : Z) : Z :=
  let good := Z.min (x - a) outside in good * (n - a) + (x - a - good) * Z.min x (n - a).
Definition down (n x outside c : Z) : Z := Z.min (x - c) outside * (n - c).

(** The most that subtrees add, for all totals of both. *)
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

Fixpoint times {A} (n : nat) (f : A -> A) (a : A) : A := match n with O => a | S n => f (times n f a) end.

(** Only the first rows and columns: greater totals are not looked at. *)
Definition trim (rows columns : nat) (s : sums) : sums := map (firstn columns) (firstn rows s).

Definition all_sums (rows columns : nat) (choices : list choice) (n : nat) : sums :=
  times n (fun s => trim rows columns (one_more choices s)) [[Some 0]].

Definition at_totals (s : sums) (a c : nat) : option Z := nth c (nth a s []) None.

(** Groups of [g] subtrees, of one kind: what they add, by what there is outside, then by their total. *)
Definition of_group (g x : nat) (f : Z -> Z -> Z) : list sums :=
  map (fun outside => all_sums (S (g * x)) 1 (map (fun a => (a, O, f (Z.of_nat outside) (Z.of_nat a))) (seq 0 (S x))) g)
    (seq 0 (S x)).

(** Totals of 2x or more count as 2x: then there are taken to be as many outside as a subtree can use. *)
Definition capped (x a : nat) : nat := Nat.min a (2 * x).
Definition outside (x all own : nat) : nat := if Nat.eqb all (2 * x) then x else Nat.min x (all - own).

(** A pair from those that cover as sources to those that cover as destinations counts [core], any other one [whole].
    With [but], not all hosts that cover are in one group. *)
Record weights := Weights { core : Z; whole : Z; but : bool }.

Definition choices (k : weights) (ups downs : list sums) (g x rows columns sources targets : nat) : list choice :=
  flat_map (fun a => flat_map (fun c =>
    if but k && Nat.eqb a x && Nat.eqb c x && Nat.eqb sources x && Nat.eqb targets x then [] else
    match at_totals (nth (outside x targets c) ups []) a 0, at_totals (nth (outside x sources a) downs []) c 0 with
    | Some u, Some d => [(a, c, whole k * (u + d) - core k * (Z.of_nat a * Z.of_nat c))]
    | _, _ => []
    end) (seq 0 (Nat.min columns (S (g * x))))) (seq 0 (Nat.min rows (S (g * x)))).

Definition total_at (k : weights) (s : sums) (a c : nat) : Z :=
  match at_totals s a c with Some v => core k * (Z.of_nat a * Z.of_nat c) + v | None => 0 end.

Definition greatest (l : list Z) : Z := fold_right Z.max 0 l.

Definition best_of_class (k : weights) (ups downs : list sums) (g x r sources targets : nat) : Z :=
  let size all := S (if Nat.eqb all (2 * x) then r * (g * x) else all) in
  let (rows, columns) := (size sources, size targets) in
  let s := all_sums rows columns (choices k ups downs g x rows columns sources targets) r in
  greatest (flat_map (fun a => if Nat.eqb (capped x a) sources then
    map (fun c => if Nat.eqb (capped x c) targets then total_at k s a c else 0) (seq 0 columns) else []) (seq 0 rows)).

(** The most that the pairs of one port count, between [r] groups of [g] subtrees. *)
Definition best (k : weights) (n : Z) (g x r : nat) : Z :=
  let classes := seq 0 (S (2 * x)) in
  let ups := of_group g x (up n (Z.of_nat x)) in
  let downs := of_group g x (down n (Z.of_nat x)) in
  greatest (flat_map (fun sources => map (best_of_class k ups downs g x r sources) classes) classes).

(** The most pairs that one port carries between [r] subtrees of [n] hosts: the T(X) of COUNTING.md. *)
Definition limit (n r x : Z) : Z := (r - 1) * x * Z.max (r * x) (2 * n).

(** The most that it carries where not all that cover are in one subtree. *)
Definition most_apart (n : Z) (x r : nat) : Z := best (Weights 1 1 true) n 1 x r.

(** Eight times the pairs that one port carries between [r] groups of [g] subtrees, at most, where it splits into
    [split] ports of the groups: pairs from hosts that cover as sources to those that cover as destinations count
    [eighths] of 8, and the rest of as many as the ports of the groups carry. *)
Definition nested_most (n : Z) (g x r : nat) (split eighths : Z) : Z :=
  let z := Z.of_nat in
  best (Weights eighths 8 false) n g x r + (8 - eighths) * (split * limit (z (g * x)%nat) (z r) (z x)).
