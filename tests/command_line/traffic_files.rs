//! Traffic from files: every format read, written and read back; every refusal with its place;
//! the matrices of real programs.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::collections::BTreeSet;
use std::fs;

use routebound::export::traffic::{FORMATS, Replay, WriteError};
use routebound::import::traffic::{self as import, Hosts, Request, TrafficFileError, read_from};
use routebound::input::InputError;
use routebound::rational::Rational;
use routebound::registry;
use routebound::topology;
use routebound::traffic::{self, Demand, TrafficMatrix};

use crate::files::gzip;
use crate::program::{done, json, run};

fn read(text: &str, hosts: usize) -> Result<TrafficMatrix, TrafficFileError> {
    let request = Request { hosts: Hosts::Numbered(hosts), index: None };
    read_from("file", &mut text.as_bytes(), &request)
}

fn demand(s: u32, d: u32, amount: &str) -> Demand {
    Demand { s, d, amount: amount.parse().unwrap() }
}

#[test]
fn every_format_by_hand() {
    for (text, expected) in [
        (
            "%%MatrixMarket matrix coordinate real general\n% comment\n\n3 3 3\n1 2 0.5\n3 1 2e1\n3 1 1.25\n",
            vec![demand(0, 1, "1/2"), demand(2, 0, "85/4")],
        ),
        (
            "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 3 9\n",
            vec![demand(0, 1, "4"), demand(1, 0, "4")],
        ),
        (
            "%%matrixmarket MATRIX Coordinate Pattern General\n3 3 1\n3 2\n"
                .replace("%%matrixmarket", "%%MatrixMarket")
                .as_str(),
            vec![demand(2, 1, "1")],
        ),
        (
            // Column by column: (1,1) (2,1) (1,2) (2,2).
            "%%MatrixMarket matrix array real general\n2 2\n0\n3\n0.5\n0\n",
            vec![demand(0, 1, "1/2"), demand(1, 0, "3")],
        ),
        (
            // (1,1) (2,1) (3,1) (2,2) (3,2) (3,3).
            "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n2\n0\n3\n0\n",
            vec![
                demand(0, 1, "1"),
                demand(0, 2, "2"),
                demand(1, 0, "1"),
                demand(1, 2, "3"),
                demand(2, 0, "2"),
                demand(2, 1, "3"),
            ],
        ),
        (
            "\n0 1.5 0\r\n0 0 0\r\n\r\n500e+6 0 7 \r\n",
            vec![demand(0, 1, "3/2"), demand(2, 0, "500000000")],
        ),
        ("# rows\n0, 1,0\n0,0,0\n.5,0,0\n", vec![demand(0, 1, "1"), demand(2, 0, "1/2")]),
        (
            "0\t1\t0\t0\t0\t2\t3\t0\t0\n",
            vec![demand(0, 1, "1"), demand(1, 2, "2"), demand(2, 0, "3")],
        ),
        (
            "source,destination,demand\n0,1,1/3\n2, 0 ,0.1\n0,1,2/3\n1,1,5\n",
            vec![demand(0, 1, "1"), demand(2, 0, "1/10")],
        ),
        ("\u{feff}Bytes,\"SRC\",dst\n7,2,1\n", vec![demand(2, 1, "7")]),
        (
            "DEMANDS 2\nlabel src dest bw\nd0 0 1 30036\nd1 2 0 0.5\n",
            vec![demand(0, 1, "30036"), demand(2, 0, "1/2")],
        ),
        ("DEMANDS\nlabel src dest bw\n", vec![]),
    ] {
        assert_eq!(read(text, 3).unwrap().demands(), expected, "{text}");
    }
}

const SNDLIB: &str = "<?xml version=\"1.0\"?>\n<network xmlns=\"http://sndlib.zib.de/network\">\n \
    <networkStructure><nodes><node id=\"B\"><coordinates/></node><node id=\"A&amp;C\"/></nodes>\n \
    <links><link id=\"L\"><source>B</source><target>A&amp;C</target></link></links>\n \
    </networkStructure>\n <demands><demand id=\"D\"><source>A&amp;C</source> <target> B </target>\n\
    <routingUnit>2</routingUnit><demandValue> 1.25 </demandValue></demand></demands>\n</network>\n";

#[test]
fn sndlib_demands() {
    // The node list numbers B 0 and A&C 1; 2 · 1.25.
    assert_eq!(read(SNDLIB, 5).unwrap().demands(), [demand(1, 0, "5/2")]);
    // Names of the network take precedence over the order of the list.
    let tree = topology::generate("ft(4,1)").unwrap();
    let names: Vec<&str> = [3, 1].map(|host| tree.node(host).name.as_str()).to_vec();
    let text = SNDLIB.replace("A&amp;C", names[0]).replace(">B<", &format!(">{}<", names[1]));
    let text = text
        .replace("> B <", &format!("> {} <", names[1]))
        .replace("\"B\"", &format!("\"{}\"", names[1]));
    let request = Request { hosts: Hosts::Of(&tree), index: None };
    let matrix = read_from("file", &mut text.as_bytes(), &request).unwrap();
    assert_eq!(matrix.demands(), [demand(3, 1, "5/2")]);
    // A CSV file may name hosts, too.
    let text = format!("source,destination,demand\n{},2,1\n", names[0]);
    let matrix = read_from("file", &mut text.as_bytes(), &request).unwrap();
    assert_eq!(matrix.demands(), [demand(3, 2, "1")]);
}

#[test]
fn one_matrix_of_several() {
    let text = "0 1 2 0\n0 3 4 0\n0 5 6 0\n";
    let at = |index, hosts| {
        let request = Request { hosts: Hosts::Numbered(hosts), index };
        read_from("file", &mut text.as_bytes(), &request)
    };
    assert_eq!(at(Some(1), 2).unwrap().demands(), [demand(0, 1, "3"), demand(1, 0, "4")]);
    let error = |index| at(index, 2).unwrap_err().to_string();
    assert!(error(Some(3)).contains("no matrix 3: the file has 3"));
    assert!(error(None).contains("3 matrices of 2 hosts"));
    assert!(error(None).contains("the last is 2"));
    // Four rows of four: one matrix, or with an index one of four.
    let text = "0 1 2 0\n0 0 4 0\n0 5 0 0\n1 0 0 0\n";
    assert_eq!(read(text, 4).unwrap().len(), 5);
    let request = Request { hosts: Hosts::Numbered(4), index: Some(2) };
    let third = read_from("file", &mut text.as_bytes(), &request).unwrap();
    assert_eq!(third.demands(), [demand(0, 1, "5")]);
    // A matrix that cannot be several is number 0.
    for (index, fine) in [(0, true), (1, false)] {
        let request = Request { hosts: Hosts::Numbered(3), index: Some(index) };
        for text in ["0 1 2\n1 0 0\n0 0 0\n", "DEMANDS\nlabel src dest bw\n", SNDLIB] {
            let result = read_from("file", &mut text.as_bytes(), &request);
            assert_eq!(result.is_ok(), fine, "{index} {text}");
        }
    }
}

/// Checks the place and the reason of refusals among 4 hosts.
fn assert_refused(text: &str, place: &str, words: &str) {
    let error = read(text, 4).unwrap_err().to_string();
    assert!(error.starts_with("file"), "{error}");
    assert!(error.contains(place) && error.contains(words), "{text}: {error}");
}

#[test]
fn bad_rows_are_refused_with_line_and_column() {
    for (text, place, words) in [
        ("0 1\n-1 0\n", "line 2, column 1", "`-1`"),
        ("0 nan\n1 0\n", "line 1, column 3", "`nan`"),
        ("nan 0\n1 0\n", "line 1, column 1", "`nan`"),
        ("0,1\n inf,0\n", "line 2, column 2", "`inf`"),
        ("0 1e400\n1 0\n", "line 1, column 3", "out of range"),
        ("0 1e-400\n1 0\n", "line 1, column 3", "out of range"),
        ("0 1 2\n1 0\n", "line 2, column 4", "this row has 2 numbers, the first one has 3"),
        ("0 1\n1 0 4\n", "line 2, column 6", "has 3 numbers"),
        ("0,1\n1,,0\n", "line 2, column 3", "``"),
        ("0 1/0\n1 0\n", "line 1, column 3", "denominator zero"),
        (" a\n", "file:", "not a known traffic format: it starts with `a`"),
        ("\n\n", "file:", "it is empty"),
        ("0 1.5 2\n1 0 2\n", "file:", "not square: 2 rows, 3 columns"),
        ("0 1 2\n1 4 2\n", "line 2, column 3", "index 4 is out of range: 0 to 3"),
        ("0 1\n\u{0}\n", "line 2, column 1", "text file"),
    ] {
        assert_refused(text, place, words);
    }
}

#[test]
fn bad_matrix_market_files_are_refused_with_line_and_column() {
    let mtx = |rest: &str| format!("%%MatrixMarket matrix coordinate real general\n{rest}");
    for (text, place, words) in [
        (
            "%%MatrixMarket matrix coordinate complex general\n1 1 0\n".into(),
            "line 1, column 34",
            "complex",
        ),
        (
            "%%MatrixMarket vector coordinate real general\n1 1 0\n".into(),
            "line 1, column 16",
            "vector",
        ),
        (
            "%%MatrixMarket matrix array pattern general\n1 1\n".into(),
            "line 1, column 29",
            "pattern",
        ),
        ("%%MatrixMarket matrix list real general\n1 1\n".into(), "line 1, column 23", "list"),
        (
            "%%MatrixMarket matrix coordinate real hermitian\n1 1\n".into(),
            "line 1, column 39",
            "hermitian",
        ),
        ("%%MatrixMarket matrix\n1 1\n".into(), "line 1, column 22", "expected"),
        (mtx(""), "line 2, column 1", "file ends here"),
        (mtx("2 3 0\n"), "line 2, column 1", "not square: 2 rows, 3 columns"),
        (mtx("5 5 0\n"), "line 2, column 1", "among 5 hosts"),
        (mtx("2 2\n"), "line 2, column 4", "number of entries"),
        (mtx("2 x 0\n"), "line 2, column 3", "`x`"),
        (mtx("2 2 99999999999\n"), "line 2, column 5", "out of range"),
        (mtx("2 2 1\n1 3 1\n"), "line 3, column 3", "index 3 is out of range: 1 to 2"),
        (mtx("2 2 1\n0 1 1\n"), "line 3, column 1", "index 0 is out of range: 1 to 2"),
        (mtx("2 2 1\n1 2 -0.5\n"), "line 3, column 5", "`-0.5`"),
        (mtx("2 2 1\n1 2\n"), "line 3, column 4", "row, column and amount"),
        (mtx("2 2 1\n1 2 3 4\n"), "line 3, column 7", "row, column and amount"),
        (mtx("2 2 1\n1 2 3\n2 1 3\n"), "line 4, column 1", "1 entries are announced"),
        (mtx("2 2 2\n1 2 3\n"), "line 4, column 1", "2 entries are announced, but 1"),
        (
            "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 0.5\n".into(),
            "line 3, column 5",
            "not an integer",
        ),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n".into(),
            "line 3, column 1",
            "lower triangle",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n0 1 1\n0 1\n".into(),
            "line 4, column 3",
            "4 entries are announced",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n0 1 1\n".into(),
            "line 4, column 1",
            "but 3 are there",
        ),
    ] {
        assert_refused(&text, place, words);
    }
}

#[test]
fn bad_demand_lists_are_refused_with_line_and_column() {
    let csv = |rest: &str| format!("source,destination,demand\n{rest}");
    let demands = |rest: &str| format!("DEMANDS 1\nlabel src dest bw\n{rest}");
    for (text, place, words) in [
        (csv("0,4,1\n"), "line 2, column 3", "index 4 is out of range: 0 to 3"),
        (csv("0,1,1\n\"3\",x,1\n"), "line 3, column 5", "no host `x`"),
        (csv("0,1,-2\n"), "line 2, column 5", "`-2`"),
        (csv("0,1,NaN\n"), "line 2, column 5", "`NaN`"),
        (csv("0,1,\n"), "line 2, column 5", "``"),
        (csv("0,1\n"), "line 2, column 4", "source, destination and demand"),
        (csv("0,1,2,3\n"), "line 2, column 7", "source, destination and demand"),
        (demands("d 0 1 x\n"), "line 3, column 7", "`x`"),
        (demands("d 0 4 1\n"), "line 3, column 5", "0 to 3"),
        (demands("d -1 3 1\n"), "line 3, column 3", "`-1`"),
        (demands("d 0 1\n"), "line 3, column 6", "label, source"),
        (demands(""), "line 3, column 1", "1 entries are announced, but 0"),
        ("DEMANDS x\n".into(), "line 1, column 9", "`x`"),
        ("DEMANDS 0\n".into(), "line 2, column 1", "file ends here"),
        ("DEMANDS 0\nlabel source dest bw\n".into(), "line 2, column 1", "label src dest bw"),
    ] {
        assert_refused(&text, place, words);
    }
}

#[test]
fn bad_sndlib_files_are_refused_with_line_and_column() {
    for (text, place, words) in [
        ("0 1 0 0 0\n".into(), "line 1, column 1", "among 5 hosts, the network has 4"),
        ("<html></html>\n".into(), "line 1, column 1", "element network"),
        ("<network>\n <a></b>\n".into(), "line 2, column", "well-formed XML"),
        ("<network>\n <a>".into(), "line 2, column 5", "ends inside <a>"),
        ("<network><nodes>\n<node/></nodes></network>".into(), "line 2, column 1", "attribute id"),
        (
            "<network><demands>\n <demand><source>A</source></demand></demands></network>".into(),
            "line 2, column 2",
            "element target",
        ),
        (SNDLIB.replace(" 1.25", "\n  -1"), "line 8, column 3", "`-1`"),
        (SNDLIB.replace("> B <", "> X <"), "line 6, column", "no host `X`"),
        (
            SNDLIB.replace("A&amp;C</target></link>", "&nope;</target></link>"),
            "line 4, column 48",
            "entity",
        ),
        (SNDLIB.replace("\"A&amp;C\"", "\"B\""), "file:", "`B` is in the file twice"),
        (
            SNDLIB.replace(
                "<coordinates/></node>",
                "</node><node id=\"C\"/><node id=\"D\"/><node id=\"E\"/>",
            ),
            "file:",
            "among 5 hosts",
        ),
    ] {
        assert_refused(&text, place, words);
    }
}

#[test]
fn invalid_utf8_is_refused() {
    let request = Request { hosts: Hosts::Numbered(2), index: None };
    for bytes in
        [&b"0 1\n\xff 0\n"[..], b"source,destination,demand\n\xff,1,1\n", b"<network>\n\xff"]
    {
        let error = read_from("file", &mut &bytes[..], &request).unwrap_err().to_string();
        assert!(error.contains("UTF-8"), "{error}");
    }
}

/// Reads a text of the named format between the hosts of a tree of 8.
fn read_as(format: &str, text: &str) -> Result<TrafficMatrix, TrafficFileError> {
    let tree = topology::generate("ft(4,2)").unwrap();
    let request = Request { hosts: Hosts::Of(&tree), index: None };
    // A trace of numbers has no identifying mark.
    if format == "booksim" {
        return read_named(format, text);
    }
    read_from("file", &mut text.as_bytes(), &request)
}

/// The same, whatever the text looks like.
fn read_named(format: &str, text: &str) -> Result<TrafficMatrix, TrafficFileError> {
    let tree = topology::generate("ft(4,2)").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    fs::write(&path, text).unwrap();
    import::open(&format!("file(format={format}):{}", path.display()), Hosts::Of(&tree))
}

fn written(format: &str, matrix: &TrafficMatrix) -> Result<String, WriteError> {
    let tree = topology::generate("ft(4,2)").unwrap();
    let header = ["a -- b".to_string(), "two\nlines".into(), "- -".into()];
    let replay = Replay { topology: Some(&tree), header: &header, ..Replay::of(matrix) };
    let mut bytes = Vec::new();
    let result =
        (registry::find(FORMATS, "format", format).unwrap().build.write)(&replay, &mut bytes);
    // Whatever is refused is refused before the first byte.
    assert!(result.is_ok() || bytes.is_empty(), "{format}");
    result.map(|()| String::from_utf8(bytes).unwrap())
}

/// Formats that hold no amounts, or only their proportions.
const PATTERNS: [&str; 4] = ["booksim", "caminos", "orcs", "connections"];

#[test]
fn every_format_reads_back_what_it_wrote() {
    for kind in FORMATS {
        assert!(!kind.examples.is_empty(), "{}", kind.name);
        let any: &[&str] = if kind.name == "orcs" { &[] } else { &["permutation", "shift(0)"] };
        for example in kind.examples.iter().chain(any) {
            let fractions = ["csv", "pairs"].contains(&kind.name);
            let factor = Rational::new(5, if fractions { 7 } else { 8 }).unwrap();
            let plain = traffic::generate(example, 8).unwrap();
            let scaled = plain.clone().scaled(&factor);
            let text = written(kind.name, &scaled).unwrap();
            assert_eq!(text.contains("two?lines"), kind.build.holds_header, "{}", kind.name);
            let mut back = read_as(kind.name, &text).unwrap();
            if kind.name == "connections" {
                back = back.scaled(&Rational::new(1, 2_000_000).unwrap());
            }
            let expected = if PATTERNS.contains(&kind.name) { plain } else { scaled };
            assert_eq!(back.demands(), expected.demands(), "{} {example}", kind.name);
        }
        // What is not a decimal is refused before the first byte, or written as a fraction.
        let thirds = traffic::generate("ring", 8).unwrap().scaled(&Rational::new(1, 3).unwrap());
        match written(kind.name, &thirds) {
            Ok(_) => {
                let holds = ["csv", "pairs", "booksim", "connections"].contains(&kind.name);
                assert!(holds, "{}", kind.name);
            }
            Err(WriteError::NotDecimal { s, d, .. }) => assert_eq!((s, d), (0, 1), "{}", kind.name),
            Err(WriteError::DoesNotFit { .. }) => assert!(PATTERNS.contains(&kind.name)),
            Err(other) => unreachable!("{other}"),
        }
    }
    for kind in import::FORMATS {
        assert!(!kind.examples.is_empty(), "{}", kind.name);
        for example in kind.examples {
            // Two hosts if the example has no more.
            assert!(
                !read_as(kind.name, &example.replace("[3, 1,\n\t0, 2, ]", "[3,1,0,2,4,5,6,7]"))
                    .unwrap()
                    .is_empty(),
                "{example}"
            );
        }
    }
}

#[test]
fn a_simulator_pattern_refuses_other_traffic() {
    for (format, pattern, words) in [
        ("caminos", "ring", "host 0 sends to hosts 1 and 7"),
        ("caminos", "hotspot-percent", "sends to hosts"),
        ("orcs", "shift(1)", "host 1 is in two pairs"),
        ("orcs", "uniform", "host 0 sends to hosts"),
    ] {
        let error = written(format, &traffic::generate(pattern, 8).unwrap()).unwrap_err();
        assert!(matches!(error, WriteError::DoesNotFit { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.to_string().contains("use format pairs"), "{error}");
    }
    let uneven = TrafficMatrix::new(8, [demand(0, 1, "1"), demand(1, 0, "2")]).unwrap();
    let error = written("caminos", &uneven).unwrap_err().to_string();
    assert!(error.contains("amounts differ: 1 and 2"), "{error}");
    let large = TrafficMatrix::new(8, [demand(0, 1, "1"), demand(1, 0, "9999999")]).unwrap();
    assert!(matches!(written("booksim", &large), Err(WriteError::TooLarge(_))));
    let error = written("connections", &large).unwrap_err().to_string();
    assert!(error.contains("host 1 sends 9999999 units to host 0"), "{error}");
    let mut bytes = Vec::new();
    let orcs = registry::find(FORMATS, "format", "orcs").unwrap();
    let error = (orcs.build.write)(&Replay::of(&uneven), &mut bytes).unwrap_err();
    assert!(matches!(error, WriteError::NoNetwork { .. }), "{error}");
}

#[test]
fn a_trace_keeps_proportions_and_ends_with_its_last_number() {
    let matrix =
        TrafficMatrix::new(8, [demand(0, 1, "1/2"), demand(1, 0, "3/2"), demand(2, 3, "1")]);
    let text = written("booksim", &matrix.unwrap()).unwrap();
    // Cycle 0: all three; cycle 1: two of them; cycle 2: one. Delays count from packet to packet.
    assert_eq!(text, "0 0 1 0\n0 1 0 0\n0 2 3 0\n1 1 0 0\n0 2 3 0\n1 1 0 0");
    let back = read_as("booksim", &text).unwrap();
    assert_eq!(back.demands(), [demand(0, 1, "1"), demand(1, 0, "3"), demand(2, 3, "2")]);
    // A packet of negative type does not count.
    assert!(read_as("booksim", "0 0 1 -1\n").unwrap().is_empty());
}

#[test]
fn bad_files_of_simulators_are_refused_with_line_and_column() {
    for (format, text, place, words) in [
        (
            "pairs",
            "# 2 pairs: source destination\n0 1\n",
            "line 3",
            "2 entries are announced, but 1",
        ),
        ("pairs", "# 1 pairs: source destination\n0 8\n", "line 2, column 3", "0 to 7"),
        ("pairs", "# 1 pairs: source destination\n0 x\n", "line 2, column 3", "no host `x`"),
        ("pairs", "# 1 pairs: source destination\n0\n", "line 2, column 2", "source, destination"),
        (
            "pairs",
            "# 1 pairs: source destination\n0 1 2 3\n",
            "line 2, column 7",
            "optionally demand",
        ),
        ("pairs", "# 1 pairs: source destination\n0 1 -2\n", "line 2, column 5", "`-2`"),
        ("booksim", "0 0 1 0\n0 1 0\n", "line 2, column 6", "delay, source"),
        ("booksim", "0 0 9 0", "line 1, column 5", "0 to 7"),
        ("booksim", "0 0 1 x", "line 1, column 7", "the type"),
        ("booksim", "-1 0 1 0", "line 1, column 1", "a number of cycles"),
        (
            "caminos",
            "EmbeddedMap{\n map: [0, 1, 2],\n}\n",
            "file:",
            "8 entries are announced, but 3",
        ),
        ("caminos", "EmbeddedMap{\n map: [0, 8,", "line 2, column 11", "0 to 7"),
        ("caminos", "EmbeddedMap{\n map: [0, x,", "line 2, column 11", "a host number"),
        ("caminos", "EmbeddedMap{\n map: [0,1,2,3,4,5,6,7", "file:", "the file ends here"),
        (
            "caminos",
            "EmbeddedMap{\n map: [0,1,2,3,4,5,6,7,0]",
            "line 2, column 24",
            "among 9 hosts",
        ),
        (
            "caminos",
            "EmbeddedMap{\n map: [0,1,2,3,4,5,6,7], legend_name",
            "line 2, column 26",
            "its only member",
        ),
        (
            "caminos",
            "EmbeddedMap{map:[0,1,2,3,4,5,6,7]} x",
            "line 1, column 36",
            "the end of the file",
        ),
        ("caminos", "// nothing\n", "file:", "EmbeddedMap"),
        (
            "orcs",
            "# ORCS node ordering of 2 hosts\n0x0002c90300000000\n",
            "line 3",
            "2 entries are announced, but 1",
        ),
        ("orcs", "# ORCS node ordering of 1 hosts\n zz\n", "line 2, column 2", "hexadecimal"),
        (
            "orcs",
            "# ORCS node ordering of 1 hosts\n0x17\n",
            "line 2, column 1",
            "a host of the network",
        ),
        (
            "orcs",
            "# ORCS node ordering of 2 hosts\n2c90300000000\n0x2c90300000000\n",
            "line 3, column 1",
            "each only once",
        ),
    ] {
        let error = read_as(format, text).unwrap_err().to_string();
        let error = error.replace("/trace", "/file");
        assert!(error.contains(place) && error.contains(words), "{format}: {text}: {error}");
    }
    let request = Request { hosts: Hosts::Numbered(8), index: None };
    let text = "# ORCS node ordering of 0 hosts\n";
    let error = read_from("file", &mut text.as_bytes(), &request).unwrap_err().to_string();
    assert!(error.contains("give a topology"), "{error}");
    let error = import::open("file(format=nope):x", Hosts::Numbered(8)).unwrap_err().to_string();
    assert!(error.contains("known: mtx"), "{error}");
}

#[test]
fn paths_specs_and_compressed_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("rows"), "0 1\n7 0\n").unwrap();
    fs::write(path("rows.gz"), gzip(b"0 1\n7 0\n")).unwrap();
    let hosts = Hosts::Numbered(6);
    let plain = import::open(&path("rows"), hosts).unwrap();
    assert_eq!((plain.hosts(), plain.demands()), (6, &[demand(0, 1, "1"), demand(1, 0, "7")][..]));
    assert_eq!(import::open(&path("rows.gz"), hosts).unwrap(), plain);
    assert_eq!(import::open(&format!("file:{}", path("rows")), hosts).unwrap(), plain);
    let spec = format!("file(place=random,seed=8):{}", path("rows"));
    let random = import::open(&spec, hosts).unwrap();
    assert_eq!((random.len(), random.total()), (2, Rational::from(8)));
    assert_ne!(random, plain);
    let seed_1 = spec.replace("seed=8", "seed=1");
    assert_eq!(import::canonical(&spec.replace(",seed=8", "")).unwrap(), seed_1);
    let error = |text: &str, hosts| import::open(text, Hosts::Numbered(hosts)).unwrap_err();
    assert!(matches!(error("none.mtx", 4), TrafficFileError::Input(InputError::NoSuchFile { .. })));
    assert!(matches!(
        error("file:none", 4),
        TrafficFileError::Input(InputError::NoSuchFile { .. })
    ));
    assert!(matches!(error(&path(""), 4), TrafficFileError::Input(InputError::Unreadable { .. })));
    assert!(matches!(error("file(size=3):x", 4), TrafficFileError::Spec(_)));
    assert!(matches!(error("file(index=x):x", 4), TrafficFileError::Spec(_)));
    assert!(matches!(error("file", 4), TrafficFileError::Traffic(_)));
    assert!(matches!(error("nonsense", 4), TrafficFileError::Traffic(_)));
    let cut: Vec<u8> = fs::read(path("rows.gz")).unwrap().into_iter().take(15).collect();
    fs::write(path("cut.gz"), cut).unwrap();
    assert!(matches!(
        error(&path("cut.gz"), 4),
        TrafficFileError::Input(InputError::Unreadable { .. })
    ));
}

/// A file that was cut off in its first line holds no entry; without the rest of that line it would
/// pass for empty traffic.
#[test]
fn headers_are_whole() {
    for (format, header) in [
        ("orcs", "# ORCS node ordering of 128 hosts"),
        ("pairs", "# 128 pairs: source destination"),
        ("pairs", "# 0 pairs: source destination"),
    ] {
        let whole = format!("{header}\n");
        for length in 0..header.len() {
            let cut = &header[..length];
            let guessed = read_as("", cut);
            assert!(guessed.is_err(), "{cut}: {guessed:?}");
            let error = read_named(format, cut).unwrap_err().to_string();
            assert!(error.contains("line "), "{cut}: {error}");
        }
        assert_eq!(read_as(format, &whole).is_ok(), header.contains(" 0 "), "{header}");
    }
    let error = read_as("", "# made by hand\n").unwrap_err();
    assert!(error.to_string().contains("a header after `#` may be cut off"), "{error}");
}

#[test]
fn xml_of_traffic_is_checked() {
    let sndlib = registry::find(import::FORMATS, "format", "sndlib").unwrap();
    let text = sndlib.examples[0];
    let refused = |text: &str| read_as("sndlib", text).unwrap_err().to_string();
    assert!(read_as("sndlib", text).is_ok());
    let error = refused(&text.replacen("?>", " rubbish?>", 1));
    assert!(error.contains("line 1, column 1: not well-formed XML"), "{error}");
    for zero in ["&#0;", "\0", "\u{1}"] {
        assert!(!refused(&text.replacen("<source>", &format!("<source>{zero}"), 1)).is_empty());
    }
    assert!(refused(&text.replacen("<nodes>", &"<a>".repeat(99), 1)).contains("nested too deeply"));
}

/// Data of other projects, which not every copy of the sources has.
fn data(path: &str) -> Option<String> {
    let path = super::collection::collection(&format!("data/{path}"))?;
    Some(path.to_str().unwrap().to_string())
}

#[test]
fn matrices_of_mpi_programs() {
    for (path, hosts, pairs, total, on_diagonal) in [
        ("maplib/commMatrices/cgCMatrices/comm_matrix.p2p.size.csv", 64, 256, "75884703744", 8),
        ("maplib/commMatrices/btmzCMatrices/comm_matrix.p2p.size.csv", 64, 910, "4785761760", 0),
        ("maplib/commMatrices/luleshCMatrices/comm_matrix.p2p.size.csv", 64, 936, "20161171008", 0),
        ("hwloc-netloc/scotch/app.mat", 64, 480, "4473291420", 0),
        ("pennant/communication_matrix_p2p.message_size.dat", 32, 142, "701726560", 0),
    ] {
        let Some(path) = data(path) else { return };
        let matrix = import::open(&path, Hosts::Numbered(hosts)).unwrap();
        assert_eq!(
            (matrix.len() + matrix.self_demands(), matrix.self_demands()),
            (pairs, on_diagonal),
            "{path}"
        );
        if on_diagonal == 0 {
            assert_eq!(matrix.total().to_string(), total);
        }
    }
}

#[test]
fn measured_cg_is_the_pattern() {
    let Some(path) = data("maplib/commMatrices/cgCMatrices/comm_matrix.p2p.size.csv") else {
        return;
    };
    let measured = import::open(&path, Hosts::Numbered(64)).unwrap();
    let with = |bytes: u64| -> BTreeSet<(u32, u32)> {
        let equal =
            measured.demands().iter().filter(|demand| demand.amount == Rational::from(bytes));
        equal.map(|demand| (demand.s, demand.d)).collect()
    };
    let phases = |phases: &[u8]| -> BTreeSet<(u32, u32)> {
        let matrix = |phase| traffic::generate(&format!("cg(64,phase={phase})"), 64).unwrap();
        let all = phases.iter().flat_map(|phase| matrix(phase).demands().to_vec());
        all.map(|demand| (demand.s, demand.d)).collect()
    };
    // Row sums move vectors and one number per step; the transposition moves vectors only.
    assert_eq!(with(296_432_832), phases(&[1, 2, 3]));
    assert_eq!(with(296_400_000), phases(&[4]));
    assert_eq!(measured.self_demands(), 8);
    assert_eq!(traffic::generate("cg(64)", 64).unwrap().len(), measured.len());
}

#[test]
fn traffic_of_wide_area_networks() {
    let Some(path) = data("yates/demands/abilene.txt") else { return };
    let matrix = import::open(&format!("file(index=0):{path}"), Hosts::Numbered(12)).unwrap();
    assert_eq!(matrix.amount(0, 1), Rational::from_decimal("977151.333333").unwrap());
    assert_eq!(matrix.self_demands(), 12);
    let Some(path) = data("figret/GEANT/train_5.hist") else { return };
    let matrix = import::open(&format!("file(index=0):{path}"), Hosts::Numbered(22)).unwrap();
    assert_eq!(matrix.amount(0, 2), Rational::from_decimal("66806850.99999999").unwrap());
    assert_eq!(matrix.hosts(), 22);
}

#[test]
fn the_verb_sums_up_and_writes() {
    let value = json("traffic ft(8,3) bitrev");
    let expected = serde_json::json!({
        "schema": 1, "verb": "traffic",
        "traffic": "bitrev", "topology": "ft(8,3)", "hosts": 128, "pairs": 112, "total": "112",
        "max_sent": "1", "max_received": "1", "permutation": true, "self_demands": 16
    });
    assert_eq!(value, expected);
    let text = done("traffic --hosts 128 cg(128,phase=5)");
    assert!(text.contains("16 self demands") && text.contains("permutation  yes"), "{text}");
    let text = done("traffic --hosts 8 permutation --seed 5");
    assert!(text.starts_with("permutation(seed=5)\n"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.mtx");
    let value = json(format!("traffic ft(4,2) ring --output {}", file.display()));
    assert_eq!(value["export"]["format"], "mtx");
    let back = import::open(file.to_str().unwrap(), Hosts::Numbered(8)).unwrap();
    assert_eq!(back, traffic::generate("ring", 8).unwrap());
    let text = done("traffic --hosts 2 shift(1) --output - --format csv");
    assert_eq!(text, "source,destination,demand\n0,1,1\n1,0,1\n");
}

#[test]
fn the_verb_refuses_with_one_line() {
    for (line, code, words) in [
        ("traffic ft(4,2)", 2, "--hosts N"),
        ("traffic ft(4,2) ring --hosts 4", 2, "leave one out"),
        ("traffic ft(4,2) rnig", 2, "did you mean `ring`"),
        ("traffic --hosts 6 bitrev", 2, "use tasks=4"),
        ("traffic --hosts 9999 uniform --output - --format csv", 3, "above the limit"),
        ("traffic --hosts 99999999999 ring", 3, "above the limit"),
        ("traffic ft(4,2) none.mtx", 2, "none.mtx: no such file"),
        ("traffic ft(4,2) ring --output -", 2, "add --format"),
        ("traffic ft(4,2) ring --output - --format gml", 2, "known: mtx"),
        ("traffic ft(4,2) ring --output - --format csv --json", 2, "--output FILE"),
        ("traffic ft(4,2) hotspot-percent --output - --format mtx", 2, "not a finite decimal"),
        ("traffic --hosts 5000 ring --output - --format rows", 3, "above the limit"),
    ] {
        let run = run(line).refuses(code, words);
        assert!(run.stdout.is_empty() || line.ends_with("--json"), "{line}");
    }
}
