//! Kinds of traffic files that people have beside matrices and lists, each with a small one made here.

use routebound::import::traffic::{Hosts, Request, open_noted, read_from};
use routebound::topology::generate;

/// Demands of a text among eight hosts as `s>d:amount`, or the refusal.
fn read(text: &str) -> Result<String, String> {
    let request = Request { hosts: Hosts::Numbered(8), index: None };
    let matrix =
        read_from("x", &mut text.as_bytes(), &request).map_err(|error| error.to_string())?;
    let shown = matrix.demands().iter().map(|d| format!("{}>{}:{}", d.s, d.d, d.amount));
    Ok(shown.collect::<Vec<_>>().join(" "))
}

#[test]
fn connections_of_htsim() {
    let head = "Nodes 4\nConnections 3\n";
    let sized = "3->0 id 1 start 5 size 100\n\n0->1 id 2 trigger 7 size 2\ntrigger id 7 oneshot\n3->0 size 1\n";
    assert_eq!(read(&format!("{head}{sized}")).unwrap(), "0>1:2 3>0:101");
    assert_eq!(read("Nodes 2\nConnections 1\n1->0 start 9\n").unwrap(), "1>0:1");
    for (text, says) in [
        ("Nodes 4\nConnections 2\n0->1\n", "line 2, column 1: 2 entries are announced, but 1"),
        ("Nodes 2\nConnections 1\n0->2\n", "line 3, column 4: index 2 is out of range"),
        ("Nodes 9\nConnections 1\n0->2\n", "among 9 hosts"),
        ("Nodes 2\nConnections 2\n0->1 size 3\n1->0\n", "line 4, column 1: "),
        ("Nodes 2\nConnections 1\n0 1\n", "expected a connection"),
        ("Nodes 2\n0->1\n", "expected `Connections M`"),
    ] {
        let refused = read(text).unwrap_err();
        assert!(refused.contains(says), "{refused}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{head}{sized}")).unwrap();
    let path = file.path().to_str().unwrap();
    let (_, notes) = open_noted(path, Hosts::Of(&generate("ft(4,2)").unwrap())).unwrap();
    assert!(notes[1].ends_with("not read: columns `id`, `start`, `trigger`"), "{notes:?}");
}

#[test]
fn flows_for_ns3() {
    let flows = "3\n0 1 3 100 2000 2.0\n7 1 3 100 50 2.5\n\n0 1 3 100 1 3\n";
    assert_eq!(read(flows).unwrap(), "0>1:2001 7>1:50");
    assert_eq!(read("2\n1 0 3 5 2.000000001\n1 2 3 7 3\n").unwrap(), "1>0:5 1>2:7");
    for (text, says) in [
        ("2\n0 1 3 100 2000 2.0\n", "line 1, column 1: 2 entries are announced, but 1"),
        ("1\n0 9 3 100 2000 2.0\n", "line 2, column 3: "),
        ("2\n0 1 3 100 2000 2.0\n0 1 3 100 2.0\n", "line 3, column 1: "),
        ("1\n0 1 3 100 x 2.0\n", "line 2, column 11: bad amount"),
    ] {
        let refused = read(text).unwrap_err();
        assert!(refused.contains(says), "{refused}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{flows}\nsrc dst group\nof the flows\n")).unwrap();
    let path = file.path().to_str().unwrap();
    let (_, notes) = open_noted(path, Hosts::Of(&generate("ft(4,2)").unwrap())).unwrap();
    assert!(notes[1].ends_with("not read: columns `priority group`, `port`, `start`"), "{notes:?}");
    assert!(notes[2].ends_with("2 lines after those that it announces"), "{notes:?}");
}

#[test]
fn demands_of_sndlib_in_its_own_text() {
    let text = "?SNDlib native format; type: network; version: 1.0\n\n# by hand\nNODES (\n\
                A(1.0 2 )\n  B ( -1 -2 )\nC )\nLINKS (\n L ( A B ) 1 0 0 0 ( ) )\n\
                DEMANDS (\n D1 (A C) 2 1.5 UNLIMITED\n\tD2 ( C B )  1 7 3\n)\n";
    assert_eq!(read(text).unwrap(), "0>2:3 2>1:7");
    let cut = |at: &str| read(&text[..text.find(at).unwrap()]).unwrap_err();
    assert!(
        cut("UNLIMITED").contains("expected the maximum number of links"),
        "{}",
        cut("UNLIMITED")
    );
    assert!(read(&text.replace("D2 ( C B", "D2 ( C X")).unwrap_err().contains("`X`"));
}

#[test]
fn other_kinds_are_named() {
    let refused = read("num_ranks 2\nrank 0 {\n}\n").unwrap_err();
    assert!(refused.contains("it is a GOAL schedule"), "{refused}");
}
