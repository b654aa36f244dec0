(** An accepted certificate in one line, as `routebound check` prints it. *)

From Coq Require Import QArith NArith List String DecimalString.
From Verified Require Import Spec Read.
Import ListNotations.
Open Scope string_scope.

Definition show_number (n : N) : string := NilZero.string_of_uint (N.to_uint n).

Definition show_rational (q : Q) : string :=
  let q := Qred q in
  let a := show_number (Z.to_N (Qnum q)) in
  match Qden q with 1%positive => a | b => a ++ "/" ++ show_number (Npos b) end.

Definition show_bound (name : string) (lower upper : Q) : string :=
  if Qeq_bool lower upper then name ++ " = " ++ show_rational lower
  else show_rational lower ++ " <= " ++ name ++ " <= " ++ show_rational upper.

Definition name_of (q : quantity) : string :=
  match q with
  | ObliviousRatio => "oblivious-ratio"
  | PermutationLoad => "permutation-load"
  | HoseLoad => "hose-load"
  end.

Definition show_network (n : network) : string :=
  "an embedded network of " ++ show_number (hosts n) ++ " hosts, " ++ show_number (nodes n) ++ " nodes, " ++
  show_number (count (links n)) ++ " links".

Definition show_claims (c : claims) : string :=
  match c with
  | Worst _ bounds best =>
      String.concat ", " (map (fun b => show_bound (name_of (fst (fst b))) (snd (fst b)) (snd b)) bounds ++
        match best with
        | Some (Least q over lower upper) =>
            let of := match over with SinglePath => "least single-path " | _ => "least " end in
            [show_bound (of ++ name_of q) lower upper]
        | None => []
        end)
  | Optu _ lower upper => show_bound "optu" lower upper
  end.

(** What is accepted of the text [bytes], which states [c]. *)
Definition show (bytes : string) (c : statement) : string :=
  let subject := match claimed c with
                 | Worst (Next _) _ _ => "next links"
                 | Worst (Paths records) _ _ => show_number (count records) ++ " paths"
                 | Optu _ _ _ => "traffic"
                 end in
  show_claims (claimed c) ++ " (" ++ subject ++ " on " ++
    match body bytes with Ok (["topology"; name] :: _) => name | _ => show_network (about c) end ++ ")".
