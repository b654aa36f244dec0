//! Schedules: what they mean, what is refused, and that what is written reads back.

use super::super::collectives::{COLLECTIVES, generate};
use super::*;

fn read(text: &str) -> Result<Program, String> {
    read_program("x", &mut text.as_bytes(), 8).map_err(|error| error.to_string())
}

const PAIR: &str = "num_ranks 2
// two ranks
rank 1 {
  r: recv 8b from 0 tag 4 cpu 0 nic 0
  done requires r /* a label
  that follows */
  done: calc 30
}
rank 0 { calc 5
  l1: calc 10 cpu 1
  l2 irequires l1
  l2: send 8b to 1 tag 4 }
";

#[test]
fn a_schedule_is_read() {
    let program = read(PAIR).unwrap();
    let [zero, one] = program.ranks() else { panic!("{program:?}") };
    let send = Operation::Send { to: 1, bytes: 8, tag: 4 };
    let calc = |ns| Operation::Compute { ns };
    assert_eq!(zero.operations, [calc(5), calc(10), send]);
    assert_eq!(zero.starts_after, [vec![], vec![], vec![1]]);
    assert!(zero.requires.iter().all(Vec::is_empty));
    assert_eq!(one.operations, [Operation::Receive { from: 0, bytes: 8, tag: 4 }, calc(30)]);
    assert_eq!(one.requires, [vec![], vec![0]]);
}

/// One refusal per reason, with the line.
#[test]
fn what_does_not_fit_is_refused() {
    let block = |inside: &str| format!("num_ranks 2\nrank 0 {{\n{inside}\n}}\nrank 1 {{\n}}\n");
    for (text, says) in [
        (String::new(), "x, line 1: the file ends here, expected `num_ranks N` and N ranks"),
        ("num_ranks 9".into(), "x, line 1: the program has 9 ranks, but there are 8 hosts"),
        ("num_ranks 0".into(), "x, line 1: found `num_ranks 0`, expected at least 1 rank"),
        ("num_ranks 2 num_ranks 2".into(), "x, line 1: found `num_ranks`, expected it once"),
        ("rank 0 {".into(), "x, line 1: found `rank`, expected `num_ranks N` before"),
        (
            "num_ranks 2\nrank 2 {".into(),
            "x, line 2: there is no rank 2; ranks are numbered 0 to 1",
        ),
        ("num_ranks 2\nrank 0 {\n}\nrank 0 {".into(), "x, line 4: rank 0 is described a second"),
        ("num_ranks 2\nrank 0 {\nrank 1 {".into(), "x, line 3: found `rank`, expected `}` before"),
        ("num_ranks 2\nrank 0 {\n}\n".into(), "x, line 4: the file ends here without rank 1"),
        ("num_ranks 2\nrank 0 {\n".into(), "x, line 3: the file ends here, expected `}`, the end"),
        ("num_ranks 2 /*\n".into(), "x, line 2: the file ends here, expected `*/`"),
        ("num_ranks 2\n}".into(), "x, line 2: found `}`, expected `rank R {` before it"),
        ("num_ranks 2\ncalc 1".into(), "x, line 2: found `an operation`, expected `rank R {`"),
        ("a requires b".into(), "x, line 1: found `a dependency`, expected `rank R {`"),
        ("\u{0}".into(), "x, line 1, column 1: binary data"),
        (block("a: calc 1\na: calc 2"), "x, line 4: label `a` stands for another operation"),
        (
            block("a: calc 1\na requires b"),
            "x, line 4: no operation of this rank has the label `b`",
        ),
        (block("a: send 8b too 1"), "x, line 3: column 12: found `too 1`, expected `to`"),
        (block("send 8b to 4294967296"), "x, line 3: found `4294967296`, expected a rank"),
        (block("send 8b to 1 tag 4294967296"), "x, line 3: found `4294967296`, expected a tag"),
        (block("recv 8b from -1"), "x, line 3: a receive from any rank cannot be simulated"),
        (block("send 8b to 5"), "x, line 3: there is no rank 5; ranks are numbered 0 to 1"),
        (block("send 8b to 1"), "x, line 3: rank 1 does not receive this message: add a receive"),
        (block("\nrecv 8b from 1"), "x, line 4: rank 1 does not send this message: add a send"),
        (block("send 68719476737b to 1"), "number of bytes of a message is 68719476737"),
        (
            block("a: calc 1\nb: calc 1\na requires b\nb irequires a"),
            "x, these operations of a rank wait for each other, line 3 waits for line 4 waits for \
             line 3: remove",
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.starts_with(says), "{text}: {error}");
    }
}

#[test]
fn ends_of_messages_are_named_by_their_lines() {
    let text = PAIR.replace("send 8b", "send 9b");
    let says = "x, line 12 sends 9 bytes, line 4 receives 8 of that message: make both the same";
    assert_eq!(read(&text).unwrap_err(), says);
    let text = "num_ranks 2
rank 0 {
a: recv 8b from 1
b: send 8b to 1
b requires a
}
rank 1 {
a: recv 8b from 0
b: send 8b to 0
b requires a
}";
    let says = "x, the program never ends, line 3 waits for line 9 waits for line 8 waits for line 4 \
                waits for line 3: let one of the sends start before";
    let error = read(text).unwrap_err();
    assert!(error.starts_with(says), "{error}");
}

#[test]
fn what_is_written_reads_back() {
    let examples = COLLECTIVES.iter().flat_map(|kind| kind.examples);
    let programs = examples.map(|spec| generate(spec, 8).unwrap().0);
    for program in programs.chain([read(PAIR).unwrap()]) {
        let mut text = Vec::new();
        write_program(&program, &mut text).unwrap();
        assert_eq!(read(&String::from_utf8(text).unwrap()).unwrap(), program);
    }
}
