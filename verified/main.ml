(* The program routebound-verified: reads files into strings of the extracted checker, and prints what this says.
   What has to be trusted beside the checker: [text], which hands over the bytes, and [verdict]. *)

open Checker

let usage = "Usage: routebound-verified FILE...\n"

let help =
  "Check certificates of routebound by a program that was extracted from a proof\n\n" ^ usage
  ^ "\nArguments:\n  FILE...  Certificates whose network and routing are written out; `-` is stdin\n\n\
     Exit codes: 0 all are verified, 1 one was refused, otherwise 2 bad usage or input, otherwise 3 a limit was reached,\n\
     otherwise 4 one is of a kind that this program does not know\n"

(* A character of Coq: its bits, the lowest first. *)
let character byte =
  let bit n = (byte lsr n) land 1 = 1 in
  Ascii (bit 0, bit 1, bit 2, bit 3, bit 4, bit 5, bit 6, bit 7)

let characters = Array.init 256 character

let text bytes =
  let rec go at rest = if at < 0 then rest else go (at - 1) (String (characters.(Char.code bytes.[at]), rest)) in
  go (String.length bytes - 1) EmptyString

let printed shown =
  let buffer = Buffer.create 256 in
  let code bits = List.fold_right (fun bit rest -> (2 * rest) + Bool.to_int bit) bits 0 in
  let rec go = function
    | EmptyString -> Buffer.contents buffer
    | String (Ascii (a, b, c, d, e, f, g, h), rest) ->
        Buffer.add_char buffer (Char.chr (code [ a; b; c; d; e; f; g; h ]));
        go rest
  in
  go shown

let read_all channel =
  let buffer = Buffer.create 65536 in
  (try
     while true do
       Buffer.add_channel buffer channel 65536
     done
   with End_of_file -> ());
  Buffer.contents buffer

let contents file =
  if file = "-" then (set_binary_mode_in stdin true; read_all stdin)
  else
    let channel = open_in_bin file in
    Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () -> read_all channel)

(* What is printed of a text, on stdout if it is a verdict, and the exit code. *)
let verdict bytes =
  if String.length bytes >= 2 && String.sub bytes 0 2 = "\x1f\x8b" then
    (`No "it is gzip-compressed, which is not a kind I know: decompress it first", 4)
  else
    match check (text bytes) with
    | Ok certificate -> (`Verdict ("VERIFIED " ^ printed (show (text bytes) certificate)), 0)
    | Wrong -> (`Verdict "NOT VERIFIED the certificate is malformed, or does not prove what it claims", 1)
    | Beyond -> (`No "it is beyond a limit", 3)
    | Unknown -> (`No "it is not a kind I know", 4)
    | exception (Stack_overflow | Out_of_memory) -> (`No "it is too large for this program", 3)

(* The worse of two exit codes. *)
let worse one other = if one = 0 || other = 0 then max one other else min one other

let judge several worst file =
  match contents file with
  | exception Sys_error why ->
      prerr_endline ("error: " ^ why);
      worse worst 2
  | bytes -> (
      match verdict bytes with
      | `Verdict said, code ->
          print_endline ((if several then file ^ ": " else "") ^ "s " ^ said);
          worse worst code
      | `No why, code ->
          prerr_endline ("error: cannot check " ^ file ^ ": " ^ why);
          worse worst code)

let () =
  (* More memory, in less time. *)
  let heap = { (Gc.get ()) with minor_heap_size = 1 lsl 20; major_heap_increment = 1 lsl 21 } in
  Gc.set { heap with space_overhead = 4000; allocation_policy = 0 };
  match List.tl (Array.to_list Sys.argv) with
  | [ ("-h" | "--help") ] -> print_string help
  | [] ->
      prerr_string ("error: no FILE is given\n\n" ^ usage);
      exit 2
  | files -> exit (List.fold_left (judge (List.length files > 1)) 0 files)
