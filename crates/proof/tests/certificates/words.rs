//! Lines, words and numbers.

use super::{Fate, PARALLEL, fate, judge};

#[test]
fn white_space_and_comments() {
    for (text, is_accepted) in [
        (PARALLEL.replace('\n', "\r\n"), true),
        (PARALLEL.replace(' ', "\t \t"), true),
        (PARALLEL.replace('\n', " \t\n \t"), true),
        (PARALLEL.replace('\n', "\n\n# comment\n  # another\n"), true),
        (format!("# before\n\n{PARALLEL}"), true),
        (PARALLEL.trim_end().to_string(), true),
        // After the end there may be comments too, but nothing else.
        (format!("{PARALLEL}# after\n\n \t\r\n# and no newline"), true),
        (format!("{PARALLEL}end\n"), false),
        (format!("{PARALLEL}\u{0}"), false),
        (format!("{PARALLEL}cover 1\n"), false),
        (PARALLEL.replace("end\n", "end # comment\n"), false),
        (PARALLEL.replace("end\n", "# end\n"), false),
        (PARALLEL.replace("hosts 2", "hosts 2 # two"), false),
        (PARALLEL.replace("hosts 2", "Hosts 2"), false),
        (PARALLEL.replace("hosts 2", "hosts\u{b}2"), false),
        (PARALLEL.replace("hosts 2", "hosts\u{a0}2"), false),
        (PARALLEL.replace("hosts 2", "hosts\r2"), false),
        (PARALLEL.replace("hosts 2", "hosts 2\r\r"), false),
        (PARALLEL.replace("hosts 2", "hosts ²"), false),
        (PARALLEL.replace("hosts 2", "hosts 2\n# für zwei Rechner"), true),
        (format!("\u{feff}{PARALLEL}"), false),
        (format!("\u{feff}# comment\n{PARALLEL}"), false),
        (PARALLEL.replace("certificate 1", "certificate 2"), false),
        (PARALLEL.replace("certificate 1", "certificate 1.0"), false),
    ] {
        assert_eq!(fate(text.as_bytes()) == Fate::Accepted, is_accepted, "{text:?}");
    }
    // Comments may hold any bytes but a newline.
    let bytes = [b"# \xff\x00\x0c\r\x1b[2J\n".as_slice(), PARALLEL.as_bytes()].concat();
    assert_eq!(fate(&bytes), Fate::Accepted);
    let bytes = PARALLEL.replace("hosts", "hos\u{1b}ts");
    assert!(matches!(fate(bytes.as_bytes()), Fate::Refused(text) if text.contains("printable")));
}

#[test]
fn numbers_are_digits() {
    judge(
        PARALLEL,
        &[
            (&[("hosts 2", "hosts 0002")], ""),
            (&[("hosts 2", "hosts +2")], "is not a non-negative integer"),
            (&[("hosts 2", "hosts -2")], "is not a non-negative integer"),
            (&[("hosts 2", "hosts 2.0")], "is not a non-negative integer"),
            (&[("hosts 2", "hosts 0x2")], "is not a non-negative integer"),
            (&[("demand 0 1 2", "demand 0 1 06/03")], ""),
            (&[("demand 0 1 2", "demand 0 1 2/1")], ""),
            (&[("demand 0 1 2", "demand 0 1 2.0")], "is not a non-negative rational"),
            (&[("demand 0 1 2", "demand 0 1 +2")], "is not a non-negative rational"),
            (&[("demand 0 1 2", "demand 0 1 -2")], "is not a non-negative rational"),
            (&[("demand 0 1 2", "demand 0 1 2/")], "is not a non-negative rational"),
            (&[("demand 0 1 2", "demand 0 1 2/+1")], "is not a non-negative rational"),
            (&[("demand 0 1 2", "demand 0 1 2/1/1")], "is not a non-negative rational"),
            (&[("demand 0 1 2", "demand 0 1 2/0")], "denominator zero"),
            (&[("demand 0 1 2", "demand 0 1 2e0")], "is not a non-negative rational"),
            (&[("cover 0 s 0", "cover 0 s 0:1")], ""),
            (&[("cover 0 s 0", "cover 0 s 0:3/3")], ""),
            (&[("cover 0 s 0", "cover 0 s 0:")], "is not a non-negative rational"),
            (&[("cover 0 s 0", "cover 0 s 0:1:1")], "is not a non-negative rational"),
            (&[("cover 0 s 0", "cover 0 s 0 :1")], "is not a non-negative integer"),
        ],
    );
}
