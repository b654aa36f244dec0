(** The checker as an OCaml module. Booleans, options, lists, pairs and unit become those of OCaml; nothing else is
    replaced: characters, strings and numbers are extracted as they are. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Verified Require Import Single Show.

Extraction Language OCaml.
Extraction "checker.ml" check show.
