//! Capacities: exact numbers, and bad ones refused at their line and column in every format.

use routebound::import::{ImportError, ImportOptions, Problem};
use routebound::rational::RationalError;

use super::{import_text, import_with, links};

/// Files in which `{}` is the capacity of a link.
const FORMATS: &[(&str, &str)] = &[
    (
        "graphml",
        "<graphml>\n <key id=\"c\" for=\"edge\" attr.name=\"capacity\"/>\n <graph edgedefault=\"directed\">\n\
         <node id=\"a\"/><node id=\"b\"/>\n <edge source=\"a\" target=\"b\">\n\
         <data key=\"c\"> {}</data></edge>\n</graph></graphml>",
    ),
    (
        "zoo",
        "<graphml><key attr.name=\"LinkSpeedRaw\" for=\"edge\" id=\"d\" />\n <graph edgedefault=\"directed\">\n\
         <node id=\"a\"/><node id=\"b\"/>\n <edge source=\"a\" target=\"b\">\n\
         <data key=\"d\">{}</data></edge>\n</graph></graphml>",
    ),
    (
        "sndlib",
        "<network xmlns=\"http://sndlib.zib.de/network\"><networkStructure>\n\
         <nodes><node id=\"a\"/><node id=\"b\"/></nodes>\n<links><link id=\"l\"><source>a</source>\n\
         <target>b</target><additionalModules><addModule><capacity>\n  {}\n</capacity></addModule>\n\
         </additionalModules></link></links></networkStructure></network>",
    ),
    (
        "native",
        "?SNDlib native format; type: network; version: 1.0\nNODES (\n a ( 1 2 )\n b ( 1 2 )\n)\n\
         LINKS (\n l ( a b ) 0.0 0 0 0 (  {} 1.00 )\n)\n",
    ),
    (
        "repetita",
        "NODES 2\nlabel x y\na 0 0\nb 0 0\n\nEDGES 1\nlabel src dest weight bw delay\ne 0 1 1 {} 1\n",
    ),
    ("dot", "digraph {\n  a -> b [weight=1,\n    capacity=\"{}\"]\n}"),
    (
        "node-link",
        "{\"directed\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": [\n  {\"source\": \"a\",\n\"target\": \"b\", \"capacity\":  {}}]}",
    ),
    ("edge list", "# list\n\n a  b   {}\n"),
    ("CSV", "from,to,capacity\na, b,{}\n"),
];

/// Line and column of `{}`, counted on the text; in DOT the value begins with its quote.
fn position(format: &str, text: &str) -> (u64, usize) {
    let before = &text[..text.find("{}").unwrap()];
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
    let line = before.matches('\n').count() as u64 + 1;
    (line, column - usize::from(format == "dot"))
}

fn refusal(content: &str) -> (Problem, u64, usize) {
    let error = import_text(content).unwrap_err();
    let ImportError::Place { problem, line, column, .. } = error else {
        unreachable!("{content}: {error}")
    };
    (problem, line, column)
}

#[test]
fn good_numbers() {
    for (format, text) in FORMATS {
        for (number, exact) in [
            ("7", "7"),
            ("10000000000.0", "10000000000"),
            ("2.4e9", "2400000000"),
            ("0.1", "1/10"),
            ("1E-3", "1/1000"),
        ] {
            let network = import_text(text.replace("{}", number)).unwrap();
            assert!(links(&network)[0].ends_with(&format!("b {exact}")), "{format} {number}");
        }
    }
}

#[test]
fn bad_numbers_are_refused_where_they_stand() {
    for (format, text) in FORMATS {
        let (line, column) = position(format, text);
        for bad in ["-1", "NaN", "nan", "inf", "-inf", "Infinity", "1e400", "1e99999999999", "-0"] {
            // JSON has no such words: its parser refuses them, at the start or the end of the word, but those that
            // Python writes.
            let is_word = *format == "node-link" && ["nan", "inf", "-inf"].contains(&bad);
            let (problem, found_line, found_column) = refusal(&text.replace("{}", bad));
            assert_eq!(found_line, line, "{format} {bad}: {problem}");
            if is_word {
                assert!(matches!(problem, Problem::Malformed { .. }), "{format} {bad}");
                assert!(found_column.abs_diff(column) <= bad.len(), "{format} {bad}");
            } else {
                let Problem::BadCapacity { reason, .. } = problem else {
                    unreachable!("{problem}")
                };
                let large = bad.starts_with("1e");
                assert_eq!(matches!(reason, RationalError::OutOfRange(_)), large, "{format} {bad}");
                assert_eq!(found_column, column, "{format} {bad}");
            }
        }
        for zero in ["0", "0.0", "0e9"] {
            // In SNDlib, a module of capacity zero does not count as one either.
            let (problem, found_line, found_column) = refusal(&text.replace("{}", zero));
            assert!(matches!(problem, Problem::ZeroCapacity { .. }), "{format} {zero}: {problem}");
            assert_eq!((found_line, found_column), (line, column), "{format} {zero}");
        }
    }
}

#[test]
fn an_error_names_the_way_out() {
    let error = import_text("a b 1\nb c 1e400\n").unwrap_err().to_string();
    assert!(error.contains(", line 2, column 5: bad capacity: `1e400` is out of range"), "{error}");
    assert!(error.ends_with("ignore all capacities"), "{error}");
}

#[test]
fn unit_capacity_ignores_what_stands_there() {
    let unit = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    for (format, text) in FORMATS {
        for number in ["5", "0", "1e400", "-3"] {
            let network = import_with(text.replace("{}", number), &unit).unwrap();
            assert!(links(&network)[0].ends_with("b 1"), "{format}");
            assert!(network.notes().iter().all(|note| !note.contains("capacity is taken")));
        }
    }
}

#[test]
fn units_are_bits_a_second() {
    let text = "digraph { a -> b [capacity=\"1Gbps\"]; b -> a [capacity=\"155 Mbps\"] }";
    assert_eq!(links(&import_text(text).unwrap()), ["a b 1000000000", "b a 155000000"]);
    let mixed = "digraph {\n a -> b [capacity=\"1Gbps\"];\n b -> a [capacity=155] }";
    let (problem, line, column) = refusal(mixed);
    assert_eq!((problem, line, column), (Problem::MixedUnits, 3, 2));
    // Upper case B would be bytes.
    let (problem, ..) = refusal("digraph { a -> b [capacity=\"1GBps\"] }");
    assert!(matches!(problem, Problem::BadCapacity { .. }));
}

#[test]
fn all_links_have_a_capacity_or_none() {
    let (problem, line, column) = refusal("a b 10\n\n  b c\n");
    assert!(matches!((problem, line, column), (Problem::MissingCapacity(_), 3, 3)));
    let none = import_text("a b\nb c\n").unwrap();
    assert!(none.notes().iter().any(|note| note.contains("no link has a capacity")));
    // A remark on one link does not replace the capacity of the others.
    let both = "<graphml><key id=\"c\" for=\"edge\" attr.name=\"capacity\"/>\
        <key id=\"d\" for=\"edge\" attr.name=\"LinkSpeedRaw\"/><graph edgedefault=\"undirected\">\
        <node id=\"a\"/><node id=\"b\"/>\n<edge source=\"a\" target=\"b\"><data key=\"c\">1</data>\
        </edge>\n<edge source=\"a\" target=\"b\"><data key=\"d\">2</data></edge></graph></graphml>";
    assert!(matches!(refusal(both), (Problem::MissingCapacity(_), 3, 1)));
}
