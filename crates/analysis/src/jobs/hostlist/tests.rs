//! Hostlists by hand, damaged, and written and read again.

use proptest::prelude::*;

use super::*;
use crate::jobs::compact;

fn names(text: &str) -> Vec<String> {
    Hostlist::parse(text).unwrap().names().map(|listed| listed.name).collect()
}

fn error(text: &str) -> String {
    Hostlist::parse(text).unwrap_err().to_string()
}

#[test]
fn lists_are_expanded() {
    assert_eq!(names("a"), ["a"]);
    assert_eq!(names(" a , b[1-2] "), ["a", "b1", "b2"]);
    assert_eq!(names("a[1-2]x"), ["a1x", "a2x"]);
    assert_eq!(names("a[08-10,7]"), ["a08", "a09", "a10", "a7"]);
    assert_eq!(names("a[ 1 - 2 , 4 ]"), ["a1", "a2", "a4"]);
    assert_eq!(names("[3-4]"), ["3", "4"]);
    assert_eq!(names("r[1-2]n[01-02]"), ["r1n01", "r1n02", "r2n01", "r2n02"]);
    assert_eq!(names("r[1-2][3-4]"), ["r13", "r14", "r23", "r24"]);
    assert_eq!(names("a[099-101]"), ["a099", "a100", "a101"]);
    assert_eq!(names("\"\",\"a\"\"b\" ,c"), ["", "a\"b", "c"]);
    assert_eq!(Hostlist::parse("a[1-9]b[1-9],c").unwrap().count(), 82);
}

#[test]
fn damage_is_refused_with_its_column() {
    for (text, expected) in [
        ("", "column 1: expected a name"),
        ("a,", "column 3: expected a name"),
        ("a,,b", "column 3: expected a name"),
        ("a,b[1-2", "column 4: this `[` has no `]`"),
        ("a]", "column 2: `]` without"),
        ("a[1[2]]", "column 4: `[` within brackets"),
        ("a[]", "column 3: expected a number or a range such as `01-16`, found nothing"),
        ("a[1,]", "column 5: expected a number"),
        ("a[1,x]", "column 5: expected a number of at most 18 digits"),
        ("a[1-2-3]", "column 3: expected a number of at most"),
        ("a[1111111111111111111]", "column 3: expected a number of at most"),
        ("a[+1]", "column 3: expected a number of at most"),
        ("a[2-1]", "column 3: `2-1` is not a range"),
        ("a[1-02]", "column 3: `1-02` is not a range"),
        ("\"a", "column 1: this `\"` has no second one"),
        ("\"a\"b", "column 4: expected a comma after"),
    ] {
        assert!(error(text).starts_with(expected), "{text}: {}", error(text));
    }
}

#[test]
fn sizes_are_limited_before_names_are_made() {
    for text in [
        "a[0-1048576]",
        "a[0-999][0-999],b[0-99999]",
        "a[0-999999999999999999,0-999999999999999999]",
        &"[0-99999999]".repeat(30),
    ] {
        assert!(error(text).contains("number of names in a list is"), "{text}");
    }
    let long = format!("{}[1-10000]", "a".repeat(10_000));
    assert!(error(&long).contains("number of bytes of the names"));
    assert_eq!(Hostlist::parse("a[0-1048575]").unwrap().count(), MAX_NAMES);
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same(
        all in prop::collection::vec("[a-b]{0,1}[-0-9]{0,3}|[ -~]{0,4}|\\PC{0,3}", 1..12),
    ) {
        let text = compact(all.iter().map(String::as_str));
        prop_assert_eq!(names(&text), all, "{}", text);
    }

    /// Numbers in order are one range.
    #[test]
    fn ranges_are_found(low in 0..2000_u64, more in 1..50_u64, width in 1..5_usize) {
        let all: Vec<String> = (low..=low + more).map(|n| format!("n{n:0width$}")).collect();
        let text = compact(all.iter().map(String::as_str));
        prop_assert_eq!(&text, &format!("n[{low:0width$}-{:0width$}]", low + more));
        prop_assert_eq!(names(&text), all);
    }
}
