//! Every way in which tables, or the spec that names them, may be wrong has its own refusal.

use std::fs;
use std::path::Path;

use routebound::import::{ImportError, ImportOptions, Problem, tables, topology};
use routebound::routing;
use routebound::topology::Topology;

use super::damaged::{TABLES, fabric};
use super::{import_with, route_text, temporary};

/// The problem, and its line, of the tables with `from` replaced by `to`.
fn damage_tables(text: &str, from: &str, to: &str) -> (Problem, u64) {
    assert!(text.contains(from), "{from}");
    let (_file, path) = temporary(text.replacen(from, to, 1));
    match tables(&path) {
        Err(ImportError::Content { problem, line, .. }) => (problem, line),
        other => panic!("{from}: {other:?}"),
    }
}

#[test]
fn damaged_tables() {
    let dump = |from, to| damage_tables(TABLES, from, to);
    refuses!(dump("0x0001 001 :", "0x0001 256 :"), 4, Problem::Syntax { .. });
    refuses!(dump("0x0001 001 :", "0x0001 -01 :"), 4, Problem::Syntax { .. });
    refuses!(dump("0x0001 001 :", "0xg001 001 :"), 4, Problem::Syntax { .. });
    refuses!(dump("0x0001 001 :", "0x0001"), 4, Problem::Syntax { .. });
    refuses!(
        dump("0x0001 001 :", "0x0003 001 :"),
        5,
        Problem::ConflictingEntries { lid: 3, port: 3, other: 1 }
    );
    refuses!(dump("[0x0-0x40]", "[0x0-0x3f]"), 7, Problem::LidOutOfRange { lid: 64, high: 63, .. });
    refuses!(dump("4 valid", "5 valid"), 8, Problem::EntryCount { announced: 5, found: 4 });
    refuses!(
        dump("guid 0x00000000000000a2", "guid 0x00000000000000a1"),
        9,
        Problem::DuplicateTable { .. }
    );
    refuses!(
        dump("4 valid lids dumped\nUnicast", "4 valid lids dumped\n0x0001 001\nUnicast"),
        9,
        Problem::Syntax { .. }
    );
    refuses!(dump("switch Lid 11 guid", "switch Lid 11"), 9, Problem::Syntax { .. });

    // Cut off before the last line of a table, behind its entries or another table.
    refuses!(dump("64 lids dumped\n", ""), 13, Problem::UnendedTable { guid: 0xa2 });
    refuses!(dump("4 valid lids dumped\n", ""), 8, Problem::UnendedTable { guid: 0xa1 });

    let text = "dump_ucast_routes: Switch 0x00000000000000a1\n\
        LID    : Port : Hops : Optimal\n\
        0x0001 : 001  : 01   : yes\n\
        0x0002 : UNREACHABLE\n\
        0x0003 : 003  : HOPS UNKNOWN\n\
        0x0040 : 002  : 03   : No 1 hop path possible via port 2!\n";
    let (_file, path) = temporary(text);
    let read = tables(&path).unwrap();
    assert!(read.switches[&0xa1].ports.iter().eq([(1, 1), (3, 3), (64, 2)]));
    let fdbs = |from, to| damage_tables(text, from, to);
    refuses!(fdbs("UNREACHABLE", "UNREACH"), 4, Problem::Syntax { .. });
    refuses!(fdbs("0x0003 : 003", "0x0001 : 003"), 5, Problem::ConflictingEntries { .. });
    refuses!(fdbs("0x0003 : 003", "0x0003 : 003 2"), 5, Problem::Syntax { .. });
    refuses!(fdbs("dump", "0x0001 : 001 : 01 : yes\ndump"), 1, Problem::Syntax { .. });
}

/// A program that fails says so in its output; what it dumped before is valid.
#[test]
fn dumps_that_end_in_an_error() {
    let fabric = fabric();
    let error = "ibroute: iberror: failed: dump tables: linear forwarding table get failed";
    let route = |from: &str, to: &str| {
        assert!(TABLES.contains(from), "{from}");
        route_text(&fabric, &TABLES.replacen(from, to, 1))
    };
    let last = "64 lids dumped\n";
    for (to, entries) in [
        (
            format!("{error}\n"),
            ": the table of switch 0x00000000000000a2 has 3 entries and may lack",
        ),
        (format!("{last}{error}\n"), "get failed`"),
        (format!("ibwarn: [4711] mad_rpc: timeout\n{last}"), "has 3 entries"),
        ("ERROR: dump tables: linear forwarding table get failed\n".into(), "has 3 entries"),
    ] {
        let notes = route(last, &to).unwrap().notes();
        assert_eq!(notes.len(), 3, "{notes:?}");
        assert!(notes[2].contains(", line 13") || notes[2].contains(", line 14"), "{notes:?}");
        assert!(notes[2].contains(entries), "{notes:?}");
    }
    // The message ends the table; a missing entry is noticed when it is needed.
    let refused = route("0x0040 001\n64 lids dumped\n", error).err().unwrap().to_string();
    assert!(refused.contains("1 without table entry"), "{refused}");
    assert!(route("0x0040 001\n", &format!("{error}\n0x0040 001\n")).is_err());
}

/// What the routing says about damaged tables that can be read.
#[test]
fn tables_that_do_not_deliver() {
    let fabric = fabric();
    for (from, to, expected) in [
        // LIDs: one 1, three 3, two 64. Only `three` sends over `other`.
        ("0x0001 001 #", "# ", "do not deliver 1 of 6 routes"),
        (
            "0x0001 001 #",
            "# ",
            "1 without table entry; the first places: LID 1 at `other`: no entry",
        ),
        (
            "0x0003 002",
            "0x0003 001",
            "2 in a loop; the first places: LID 3 at `leaf`: comes back here",
        ),
        (
            "0x0003 002",
            "0x0003 003",
            "2 into a port without cable; the first places: LID 3 at `other` port 3",
        ),
        ("0x0003 002", "0x0003 200", "LID 3 at `other` port 200: no cable there"),
        (
            "0x0003 003",
            "0x0003 001",
            "2 to the wrong host; the first places: LID 3 at `leaf` port 1",
        ),
        ("0x0003 003", "0x0003 000", "2 addressed to a switch itself"),
        ("0x0003 003", "0x0003 255", "2 without table entry"),
        (
            "0x0003 002",
            "0x0003 002\n0x0005 001",
            "1 LIDs that no port of the network has, the first: 5",
        ),
        (
            "guid 0x00000000000000a2",
            "guid 0x00000000000000a3",
            "switches without table, the first: `other`",
        ),
    ] {
        let text = TABLES.replacen("4 valid lids", "64 lids", 1);
        assert!(text.contains(from), "{from}");
        let error = route_text(&fabric, &text.replacen(from, to, 1)).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let more =
        TABLES.to_string() + "Unicast lids [0-9] of switch Lid 9 guid 0x99 ('x'):\n9 lids dumped\n";
    let error = route_text(&fabric, &more).err().unwrap().to_string();
    assert!(error.contains("1 tables of switches that the network does not have"), "{error}");
}

/// A network may have hosts without links, for which tables mean nothing.
#[test]
fn hosts_without_a_link_out() {
    for both in [true, false] {
        for host in [0, 1, 2] {
            let mut graph = fabric().graph().clone();
            let node = petgraph::graph::NodeIndex::new(host);
            graph.retain_edges(|graph, link| {
                let (from, to) = graph.edge_endpoints(link).unwrap();
                from != node && (to != node || !both)
            });
            // Without its host the switch is a step further from one.
            let Ok(lonely) = Topology::new("lonely".into(), graph) else {
                assert!(both && host == 1);
                continue;
            };
            let error = route_text(&lonely, TABLES).err().unwrap().to_string();
            let name = lonely.graph()[node].name.clone();
            assert!(error.contains(&format!("host `{name}` has no link")), "{error}");
        }
    }
}

/// The last LID, 64, is in no table: `dump_fts` may have dropped it.
#[test]
fn a_lost_last_lid_is_unknown() {
    let text = TABLES.replacen("4 valid", "3 valid", 1);
    let kept = |line: &&str| !line.starts_with("0x0040");
    let text: Vec<&str> = text.lines().filter(kept).collect();
    let error = route_text(&fabric(), &text.join("\n")).err().unwrap().to_string();
    assert!(error.contains("2 of 6 routes"), "{error}");
    assert!(
        error.contains(
            "LID 64 is unknown: absent from every table (dump_fts/ibroute of infiniband-diags 44 drop a last LID that is a multiple of 64; use opensm-lfts.dump)"
        ),
        "{error}"
    );
    // LID 3 is not a multiple of 64, so no known tool drops it.
    let kept = |line: &&str| !line.starts_with("0x0003");
    let text = TABLES.replacen("4 valid", "3 valid", 1);
    let text: Vec<&str> = text.lines().filter(kept).collect();
    let error = route_text(&fabric(), &text.join("\n")).err().unwrap().to_string();
    assert!(error.ends_with("LID 3 is unknown: absent from every table"), "{error}");
}

#[test]
fn specs_and_paths() {
    let fabric = fabric();
    let options = ImportOptions::default();
    let error = |spec: &str| routing::build(spec, &fabric).err().unwrap().to_string();
    let (_file, path) = temporary(TABLES);
    for (spec, expected) in [
        ("lft", "a file or folder is missing"),
        ("lft:no/such/file", "no/such/file: no such file"),
        ("lft:src", "src: not a known format: src/"),
        ("lft:Cargo.toml", "Cargo.toml starts with `[package]`"),
        ("lft(1):x", "takes no numbers, 1 given"),
        ("lft(lmc=1):x", "unknown option `lmc`"),
        (&format!("lft(lid=1):{path}"), "host `one` has LMC 0: its LIDs end at base LID + 0"),
        (&format!("lft(lid=128):{path}"), "LMC is at most 7"),
        (&format!("lft(lid=no/file):{path}"), "no/file: no such file"),
    ] {
        assert!(error(spec).contains(expected), "{}\n{expected}", error(spec));
    }
    let tree = topology("ft(4,2)", &options).unwrap();
    let no_lids = routing::build(&format!("lft:{path}"), &tree).err().unwrap().to_string();
    assert!(no_lids.contains("it has no LIDs"), "{no_lids}");

    let error = |text: &str| topology(text, &options).unwrap_err().to_string();
    assert_eq!(error("foo/bar"), "foo/bar: no such file");
    assert_eq!(error("bar.gz"), "bar.gz: no such file");
    assert!(error("ft(7,3)").contains("must be even"));
    assert!(error("tf(8,3)").contains("did you mean `ft`?"));
    assert!(error("src").contains("it is a folder"));
    assert!(error("Cargo.toml").contains("it starts with `[package]`"));
    assert!(error(&path).contains("it is a forwarding table"));
    assert!(import_with("", &options).unwrap_err().to_string().contains("it is empty"));
    assert!(
        import_with("# Topology file:\n", &options).unwrap_err().to_string().contains("no host")
    );
}

#[test]
fn files_of_a_lid_per_source() {
    let fabric = fabric();
    let (_tables, path) = temporary(TABLES);
    let build = |choice: &str| {
        let (_file, choice) = temporary(choice);
        routing::build(&format!("lft(lid=\"{choice}\"):{path}"), &fabric).map(|_| ())
    };
    assert!(build("# hosts\none 0\n\ntwo 0\nthree\t0\n").is_ok());
    for (choice, expected) in [
        ("one 0\ntwo 0\n", "no line for host `three`"),
        ("one 0\none 0\n", "line 2: host `one` is listed twice"),
        ("one 0\nfour 0\n", "line 2: no host is called `four`"),
        ("one\n", "line 1: found `one`, expected a host and a number"),
        ("one 128\n", "line 1: found `one 128`"),
        ("one 1\ntwo 0\nthree 0\n", "base LID + 1 is requested, but host `one` has LMC 0"),
    ] {
        let error = build(choice).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

#[test]
fn files_of_a_lid_per_pair() {
    let fabric = fabric();
    let (_tables, path) = temporary(TABLES);
    let build = |lines: &str| {
        let (_file, choice) = temporary(format!("# pairs\nsource,destination,offset\n{lines}"));
        routing::build(&format!("lft(lid=\"{choice}\"):{path}"), &fabric).map(|_| ())
    };
    let all = "one,two,0\none,three,0\n1,0,0\n\nthree, two, 0\ntwo,one,0\ntwo,three,0\n";
    assert!(build(all).is_ok());
    for (lines, expected) in [
        ("one,two,0\n", "no line for the pair one,three"),
        (
            &all.replace("three, two, 0", "one,two,0"),
            "line 7: the pair of `one,two,0` is listed twice",
        ),
        ("one,four,0\n", "line 3: there is no host `four`"),
        ("one,one,0\n", "line 3: found `one,one,0`, but no host sends to itself"),
        ("one,two\n", "line 3: found `one,two`, expected two hosts and a number"),
        ("one,two,128\n", "line 3: found `one,two,128`"),
        (
            &all.replace("one,two,0", "one,two,1"),
            "base LID + 1 is requested, but host `one` has LMC 0",
        ),
    ] {
        let error = build(lines).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

/// When decompression fails, that is reported, and not that the content has an unknown format.
#[test]
fn what_cannot_be_decompressed_is_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut broken = fs::read("instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz").unwrap();
    broken.truncate(40);
    fs::write(folder.path().join("b.gz"), &broken).unwrap();
    fs::copy("instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz", folder.path().join("a")).unwrap();
    fs::write(folder.path().join("c"), "no tables\n").unwrap();
    let of = |path: &Path| tables(path.to_str().unwrap());
    for path in [folder.path().join("b.gz"), folder.path().to_path_buf()] {
        let error = of(&path).unwrap_err().to_string();
        assert!(error.contains("b.gz: cannot be read"), "{error}");
    }
    let error = topology(folder.path().join("b.gz").to_str().unwrap(), &ImportOptions::default());
    assert!(error.unwrap_err().to_string().contains("cannot be read"));
    fs::remove_file(folder.path().join("b.gz")).unwrap();
    let read = of(folder.path()).unwrap();
    assert_eq!(read.switches.len(), 80);
    assert!(read.notes[0].first.starts_with("skipped ") && read.notes[0].first.contains("/c: "));
}
