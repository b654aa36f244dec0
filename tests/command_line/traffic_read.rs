//! How traffic files are taken: by their extension as they are written, else by what they can only
//! be; refused where they can be two things, with the option for each; and always said.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs;

use routebound::export::traffic::{FORMATS, Replay};
use routebound::import::traffic::{self as import, Form, Hosts, Lines, Request};
use routebound::topology::{Topology, generate};
use routebound::traffic::{self, Demand};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{done, json};

/// A folder with files.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    }
}

/// A star of hosts with these names, as if it had been read.
fn named(names: &[&str]) -> Topology {
    let mut graph = generate(&format!("xgft(1;{};1)", names.len())).unwrap().graph().clone();
    for (node, name) in graph.node_weights_mut().zip(names) {
        node.name = (*name).to_string();
    }
    Topology::new("star".into(), graph).unwrap().recognised()
}

/// Demands and notes of a file, or the refusal.
fn read(text: &str, hosts: Hosts) -> Result<(Vec<Demand>, Vec<String>), String> {
    let (traffic, notes) = import::open_noted(text, hosts).map_err(|error| error.to_string())?;
    Ok((traffic.into_matrix().unwrap().into_demands(), notes))
}

/// Demands as `s>d:amount`.
fn shown(demands: &[Demand]) -> String {
    let one = |Demand { s, d, amount }: &Demand| format!("{s}>{d}:{amount}");
    demands.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn assert_refused(text: &str, hosts: Hosts, words: &[&str]) {
    let error = read(text, hosts).unwrap_err();
    for word in words {
        assert!(error.contains(word), "{text}: no `{word}` in: {error}");
    }
}

#[test]
fn every_format_is_read_by_the_extension_that_it_is_written_with() {
    let (files, tree) = (Files::new(), generate("ft(4,2)").unwrap());
    for kind in FORMATS {
        let matrix = traffic::generate(kind.examples[0], 8).unwrap();
        let mut bytes = Vec::new();
        (kind.build.write)(&Replay { topology: Some(&tree), ..Replay::of(&matrix) }, &mut bytes)
            .unwrap();
        let reader = import::FORMATS.iter().find(|reader| reader.name == kind.name).unwrap();
        for ending in [&[kind.name], reader.build.extensions].concat() {
            let path = files.write(&format!("x.{}", ending.to_uppercase()), &bytes);
            let (demands, notes) = read(&path, Hosts::Of(&tree)).unwrap();
            // Connections have a size in bytes, of which 2 MB stand for a demand of 1.
            let unit: u64 = if kind.name == "connections" { 2_000_000 } else { 1 };
            let scaled = matrix.clone().scaled(&unit.into());
            assert_eq!(demands, scaled.demands(), "{path}");
            // Columns that are not read are named.
            assert_eq!(notes.len(), 1 + usize::from(unit > 1), "{notes:?}");
            assert!(notes[0].contains(&format!("({})", kind.name)), "{path}: {notes:?}");
            assert!(notes[0].contains("0 to 7"), "{path}: {notes:?}");
        }
    }
    // No extension means two formats.
    let mut all: Vec<&str> =
        import::FORMATS.iter().flat_map(|kind| kind.build.extensions).copied().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn every_format_says_its_name_and_size() {
    let (files, tree) = (Files::new(), generate("kary(2,2)").unwrap());
    for kind in import::FORMATS {
        // The example of two formats is about other networks.
        for example in
            kind.examples.iter().filter(|_| kind.name != "orcs" && kind.name != "booksim")
        {
            let path = files.write("some", example);
            let spec = format!("file(format={}):{path}", kind.name);
            let (_, notes) = read(&spec, Hosts::Of(&tree)).unwrap();
            let says = |word: &str| notes[0].contains(word);
            assert!(says(&format!("({}): ", kind.name)), "{notes:?}");
            assert!(says(" hosts") && says("demand") || says("matrix of "), "{notes:?}");
        }
    }
}

/// Every text that a list and a matrix can be is refused with an option for each, and either is read.
#[test]
fn what_has_two_readings_is_refused() {
    let (files, tree) = (Files::new(), generate("ft(4,2)").unwrap());
    let hosts = Hosts::Of(&tree);
    for kind in import::FORMATS {
        for width in kind.build.bare {
            // As many rows as columns, no traffic of a host to itself in either reading.
            let text = match width {
                2 => "0 3\n5 0\n",
                3 => "0,1,2\n3,0,5\n1,4,0\n",
                // A matrix of four hosts would have traffic of hosts to themselves.
                4 => "0 1 2 0\n0 1 2 1\n1 3 0 2\n2 3 1 0\n",
                _ => unreachable!("{}: a case for {width} words", kind.name),
            };
            for (comment, ending) in [("", "txt"), ("# by hand\n", "csv"), ("\n", "dat")] {
                // A trace has no comments.
                if *width == 4 && comment.starts_with('#') {
                    continue;
                }
                let path = files.write(&format!("two.{ending}"), format!("{comment}{text}"));
                let options = ["rows", kind.name].map(|name| format!("file(format={name}):"));
                assert_refused(&path, hosts, &[&options[0], &options[1], "say which is meant"]);
                let read = options.map(|option| read(&format!("{option}{path}"), hosts).unwrap().0);
                assert_ne!(read[0], read[1], "{path}");
            }
            let path = files.write(&format!("two.{}", kind.name), text);
            assert!(read(&path, hosts).unwrap().1[0].contains(kind.name));
        }
    }
    // A matrix, even if four packets could look so.
    let path = files.write("four.txt", "0 1 2 0\n0 0 2 1\n1 3 0 2\n2 3 1 0\n");
    assert!(read(&path, hosts).unwrap().1[0].contains("(rows): matrix of 4 hosts"));
    // Four columns are packets only if that is said.
    let path = files.write("packets.txt", "0 1 2 -1\n1 2 3 0\n2 3 4 1\n");
    assert_refused(&path, hosts, &["file(format=booksim):", "say which is meant"]);
    // Matrices of two hosts, or packets.
    let path = files.write("many.txt", "0 1 2 0\n0 3 1 0\n0 2 3 0\n");
    assert_refused(&path, hosts, &["file(index=0):", "file(format=booksim):"]);
    assert_eq!(shown(&read(&format!("file(index=1):{path}"), hosts).unwrap().0), "0>1:3 1>0:1");
}

#[test]
fn what_has_one_reading_is_read() {
    let files = Files::new();
    for (text, says, demands) in [
        // A matrix would have traffic of hosts to themselves.
        ("0,1,10\n1,2,5\n2,0,7\n", "(pairs)", "0>1:10 1>2:5 2>0:7"),
        ("1 0\n0 1\n", "(pairs)", "0>1:1 1>0:1"),
        // It would not be square.
        ("0 1\n1 2\n2 0\n", "(pairs)", "0>1:1 1>2:1 2>0:1"),
        ("0;2;1/3\n", "(pairs)", "0>2:1/3"),
        // A list would have other hosts, or demands of hosts to themselves.
        ("0 9\n1 0\n", "(rows)", "0>1:9 1>0:1"),
        ("0 0.5\n1 0\n", "(rows)", "0>1:1/2 1>0:1"),
        ("0 0 5\n2 0 1\n0 1 0\n", "(rows)", "0>2:5 1>0:2 1>2:1 2>1:1"),
        ("0;1\n1.5;0\n", "(rows)", "0>1:1 1>0:3/2"),
        // Names and empty cells.
        (",2,0\n0,4,\n2,,1/2\n", "(labelled)", "0>2:4 2>0:1/2"),
        ("to\\from;2;0\n2;0;4\n0;3;0\n", "(labelled)", "0>2:3 2>0:4"),
        ("\t1\tx\n", "", ""),
    ] {
        let path = files.write("one.txt", text);
        let found = read(&path, Hosts::Numbered(4));
        if says.is_empty() {
            assert!(found.is_err(), "{text}");
            continue;
        }
        let (found, notes) = found.unwrap();
        assert_eq!(shown(&found), demands, "{text}");
        assert!(notes[0].contains(says), "{text}: {notes:?}");
    }
    // A file that was cut off is not a list.
    for cut in ["0 1 2\n1 0\n", "0,1,2\n3,0,1\n2\n"] {
        assert_refused(&files.write("cut.txt", cut), Hosts::Numbered(4), &["this row has"]);
    }
    // A list whose hosts do not exist is refused as one.
    let path = files.write("far.txt", "0 1\n1 2\n2 7\n");
    assert_refused(&path, Hosts::Numbered(4), &["line 3, column 3", "0 to 3"]);
    // A list without a header loses no line.
    let path = files.write("bare.csv", "0,1,10\n1,2,5\n2,0,7\n");
    assert_refused(&format!("file(format=csv):{path}"), Hosts::Numbered(4), &["format=pairs"]);
}

/// Rows of numbers in a file whose extension says another format are read if they cannot begin it.
#[test]
fn extensions_that_are_wrong_lose_nothing() {
    let (files, tree) = (Files::new(), generate("ft(4,2)").unwrap());
    let five = "# by hand\n0 1 0 0 0\n0 0 0 0 0\n0 0 0 0 3\n0 0 0 0 0\n2 0 0 0 0\n";
    for ending in import::FORMATS.iter().flat_map(|kind| kind.build.extensions) {
        let is_list = ["pairs", "booksim"].contains(ending);
        for text in [five, five.split_once('\n').unwrap().1] {
            let path = files.write(&format!("five.{ending}"), text);
            let found = read(&path, Hosts::Of(&tree));
            if is_list {
                let says =
                    format!("the format is {ending}: name another with file(format=NAME):PATH");
                assert!(found.unwrap_err().contains(&says), "{path}");
            } else if text.starts_with('0') {
                assert_eq!(shown(&found.unwrap().0), "0>1:1 2>4:3 4>0:2", "{path}");
            }
        }
    }
    // A file that is not XML holds no demands of SNDlib, either.
    for text in ["0,1\n", "a b 3\n", "<!-- no more -->\n"] {
        let path = files.write("some.xml", text);
        assert_refused(&path, Hosts::Of(&tree), &["the element network of SNDlib"]);
    }
}

/// Hosts whose names begin with digits are names, and the refusal is that of the list.
#[test]
fn addresses_are_names() {
    let (files, star) = (Files::new(), named(&["10.0.0.1", "10.0.0.2", "10.0.0.3"]));
    let path = files.write("a.txt", "10.0.0.1,10.0.0.3,10\n10.0.0.2,10.0.0.1,10\n");
    assert_eq!(shown(&read(&path, Hosts::Of(&star)).unwrap().0), "0>2:10 1>0:10");
    let path = files.write("b.txt", "10.0.0.1,10.0.0.3,10\n10.0.0.2,10.0.0.9,10\n");
    assert_refused(&path, Hosts::Of(&star), &["line 2", "no host `10.0.0.9`"]);
}

/// Readers of every format that holds a matrix without names: on a network with names, one that is
/// smaller is refused unless its place is given.
#[test]
fn small_matrices_need_a_place_where_hosts_have_names() {
    let files = Files::new();
    let star = named(&["Oslo", "Bonn", "Ulm", "Graz", "Bern"]);
    let mut seen = 0;
    for kind in import::FORMATS {
        for example in kind.examples {
            let request = Request { hosts: Hosts::Of(&star), index: None };
            let mut bytes = example.trim_start().as_bytes();
            let mut lines = Lines::new("example", &mut bytes);
            lines.advance().unwrap();
            let Ok(found) = (kind.build.read)(&mut lines, &request) else { continue };
            if found.form != Form::Tasks {
                continue;
            }
            seen += 1;
            let path = files.write("small", example);
            let spec = |place: &str| format!("file(format={}{place}):{path}", kind.name);
            let remedies = ["file(place=linear)", "file(place=random", "network has 5", "`Bern`"];
            assert_refused(&spec(""), Hosts::Of(&star), &remedies);
            let (_, notes) = read(&spec(",place=linear"), Hosts::Of(&star)).unwrap();
            assert!(notes[0].contains("placed on the first of 5 hosts, `Oslo` to"), "{notes:?}");
            let (_, notes) = read(&spec(",place=random"), Hosts::Of(&star)).unwrap();
            assert!(notes[0].ends_with("placed on random ones of 5 hosts"), "{notes:?}");
            // Numbers are not names.
            let tree = generate("ft(4,2)").unwrap();
            let (_, notes) = read(&spec(""), Hosts::Of(&tree)).unwrap();
            assert!(notes[0].contains("placed on the first of 8 hosts, 0 to"), "{notes:?}");
        }
    }
    assert!(seen >= 4, "{seen}");
    let five = "0 0 0 0 1\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n";
    let (_, notes) = read(&files.write("five.txt", five), Hosts::Of(&star)).unwrap();
    assert!(
        notes[0].ends_with("five.txt (rows): matrix of 5 hosts, `Oslo` to `Bern`"),
        "{notes:?}"
    );
}

#[test]
fn names_are_names_even_if_they_are_numbers() {
    let files = Files::new();
    let star = named(&["2", "3", "1"]);
    let header = "source,destination,demand\n";
    for (name, text) in [("a.csv", format!("{header}1,2,4\n")), ("a.pairs", "1 2 4\n".into())] {
        let path = files.write(name, text);
        assert_eq!(shown(&read(&path, Hosts::Of(&star)).unwrap().0), "2>0:4", "{path}");
        let counted = format!("file(hosts=index):{path}");
        assert_eq!(shown(&read(&counted, Hosts::Of(&star)).unwrap().0), "1>2:4", "{path}");
    }
    for (name, lines) in [
        ("b.csv", format!("{header}1,2,1\n0,1,1\n")),
        ("c.csv", format!("{header}1,2,1\n1,1,1\n")),
        ("b.pairs", "1 2\n2 0\n".into()),
        ("b.txt", "1 2 3\n0 1 5\n2 0 7\n".into()),
        ("c.txt", ",0,1\n0,0,1\n1,1,0\n".into()),
    ] {
        let path = files.write(name, lines);
        assert_refused(&path, Hosts::Of(&star), &["line ", "file(hosts=index):PATH"]);
        let format = if name == "b.txt" { ",format=pairs" } else { "" };
        assert!(
            read(&format!("file(hosts=index{format}):{path}"), Hosts::Of(&star)).is_ok(),
            "{name}"
        );
    }
    // Traffic of a host to itself is left out where it is said that numbers are names, or is none.
    for (name, text) in
        [("s.csv", format!("{header}1,1,4\n1,2,3\n")), ("s.pairs", "1 1 4\n1 2 3\n".into())]
    {
        let path = files.write(name, text);
        let remedies = ["file(hosts=names):PATH", "file(hosts=index):PATH"];
        assert_refused(&path, Hosts::Of(&star), &remedies);
        let (demands, notes) =
            read(&format!("file(hosts=names):{path}"), Hosts::Of(&star)).unwrap();
        assert_eq!(shown(&demands), "2>0:3");
        assert!(notes[0].ends_with("left out: 1 of a host to itself"), "{notes:?}");
    }
    let path = files.write("z.csv", format!("{header}1,1,0\n1,2,3\n"));
    assert_eq!(shown(&read(&path, Hosts::Of(&star)).unwrap().0), "2>0:3");
    // Every host called by its own number: both readings are the same.
    let own = named(&["0", "1", "2"]);
    let path = files.write("o.csv", format!("{header}1,1,4\n0,2,3\n"));
    assert_eq!(shown(&read(&path, Hosts::Of(&own)).unwrap().0), "0>2:3");
    // A list that says how many pairs it has calls names by quotes.
    let path = files.write("d.pairs", "# 1 pairs: source destination\n0 \"1\"\n");
    assert_eq!(shown(&read(&path, Hosts::Of(&star)).unwrap().0), "0>2:1");
    // Where no name is a number, numbers count the hosts.
    let star = named(&["a", "b", "c"]);
    let path = files.write("e.csv", format!("{header}0,c,1\n"));
    assert_eq!(shown(&read(&path, Hosts::Of(&star)).unwrap().0), "0>2:1");
    let path = files.write("e.xml", import::FORMATS[1].examples[0]);
    assert_refused(&path, Hosts::Of(&star), &["no host `A`", "file(hosts=index):PATH"]);
    assert!(read(&format!("file(hosts=index):{path}"), Hosts::Of(&star)).is_ok());
    assert_refused(
        &format!("file(hosts=both):{path}"),
        Hosts::Of(&star),
        &["is not one of names, index"],
    );
}

#[test]
fn tables_as_programs_write_them() {
    let files = Files::new();
    let star = named(&["Ulm, Mitte", "Bonn", "Trier"]);
    let expected = "0>1:10 1>2:5";
    for (name, text, unread) in [
        ("a.csv", "source,target,demand\n\"Ulm, Mitte\",Bonn,10\nBonn,Trier,5\n", ""),
        ("a.tsv", "src\tdst\tbytes\nUlm, Mitte\tBonn\t10\nBonn\tTrier\t5\n", ""),
        ("b.csv", "id;From;To;Volume\n1;Ulm, Mitte;Bonn;10\n2;Bonn;Trier;5\n", "column `id`"),
        (
            "c.csv",
            "to,from,amount,delay,\"at\"\nBonn,\"Ulm, Mitte\",10,1,2\nTrier,Bonn,5,,\n",
            "columns `delay`, `at`",
        ),
        ("d.txt", "\"Ulm, Mitte\",Bonn,10\nBonn,Trier,5\n", ""),
        ("e.txt", "\"Ulm, Mitte\" Bonn 10\nBonn Trier 5\n", ""),
        ("f.csv", ",\"Ulm, Mitte\",Bonn,Trier\n\"Ulm, Mitte\",0,10,0\nTrier,0,0,\nBonn,0,,5\n", ""),
        (
            "g.tsv",
            "\tBonn\tUlm, Mitte\tTrier\nUlm, Mitte\t10\t0\t0\nBonn\t0\t0\t5\nTrier\t0\t0\t0\n",
            "",
        ),
    ] {
        let path = files.write(name, text);
        let (demands, notes) = read(&path, Hosts::Of(&star)).unwrap();
        assert_eq!(shown(&demands), expected, "{text}");
        assert!(notes[0].contains("`Ulm, Mitte` to `Trier` of 3 hosts"), "{notes:?}");
        assert_eq!(
            notes.get(1).map_or("", |note| note.rsplit("not read: ").next().unwrap()),
            unread
        );
    }
    for (text, words) in [
        (",Bonn,Trier\nBonn,0,1\n", ["not square", "1 rows"]),
        (",Bonn,Trier\nBonn,0,1\nBonn,0,1\n", ["line 3", "twice"]),
        (",Bonn,Bonn\nBonn,0,1\nTrier,0,1\n", ["line 1", "twice"]),
        (",Bonn,Trier\nBonn,0,1\nUlm,0,1\n", ["line 3", "no host `Ulm`"]),
        (",Bonn,Trier\nBonn,0,1\n\"Ulm, Mitte\",0,1\n", ["line 3", "a name of the first row"]),
        (",Bonn,Trier\nBonn,0,\nTrier,0,1\n", ["line 2", "``"]),
        (",Bonn,Trier\nBonn,0\nTrier,0,1\n", ["line 2", "has 1 numbers"]),
    ] {
        assert_refused(&files.write("bad.csv", text), Hosts::Of(&star), &words);
    }
}

#[test]
fn every_verb_notes_how_it_was_read() {
    let files = Files::new();
    let path = files.write("some.pairs", "0 1\n2 3\n");
    let note = format!("traffic read from {path} (pairs): 2 demands, 0 to 3 of 8 hosts");
    for arguments in [
        &["load", "ft(4,2)", "dmodk", &path][..],
        &["load", "ft(4,2)", "coloured", &path],
        &["optu", "ft(4,2)", &path],
        &["traffic", "ft(4,2)", &path],
        &["sim", "ft(4,2)", "dmodk", &path, "--message", "64"],
        &["deliver", "ft(4,2)", "greedy", &path],
    ] {
        let text = done(arguments);
        let is_noted = |line: &str| line.starts_with("note ") && line.ends_with(&note);
        assert!(text.lines().any(is_noted), "{arguments:?}: {text}");
        let value = json(arguments);
        let notes = value["notes"].as_array().unwrap_or_else(|| unreachable!("{value}"));
        assert!(notes.contains(&Value::from(note.clone())), "{value}");
    }
}
