//! Routings that see the pattern, through the verbs that take them.

use serde_json::Value;

use crate::program::{json, run};

fn text(line: &str, code: i32) -> String {
    run(line).expects(code).said()
}

#[test]
fn loads_of_a_permutation_come_with_the_top_switches_used() {
    let loads = json("load ftree(4,12,16) nonblocking-adaptive permutation(seed=3)");
    assert_eq!((&loads["max_load"], &loads["contention"]["value"]), (&"1".into(), &"1".into()));
    let used = &loads["switch_use"];
    assert_eq!((&used["configurations"], &used["top_switches"]), (&1.into(), &12.into()));
    assert_eq!((&used["square"], &used["fraction"]), (&16.into(), &"12".into()));
    // T(4) = 1 + T(2) = 2 by sixth roots, and by cube roots.
    assert_eq!((&used["printed"], &used["sharpened"]), (&24.into(), &24.into()));
    let shown = text("load ftree(4,12,16) nonblocking-adaptive permutation(seed=3)", 0);
    assert!(shown.contains("configurations     1 of 12 top switches, 12 together"), "{shown}");

    // A shift by two hosts on ftree(4,4,3): by colouring no link carries two messages.
    let coloured = json("load ftree(4,4,3) coloured shift(2)");
    assert_eq!((&coloured["max_load"], &coloured["switch_use"]), (&"1".into(), &Value::Null));
    let links = text("load ftree(2,2,2) coloured shift(2) --links=csv", 0);
    assert!(links.lines().count() == 1 + 16, "{links}");
}

/// The fifth phase of CG.D-128, where D-mod-k has contention 7, and 14 of 16 flows leave a switch.
#[test]
fn coloured_routes_any_traffic_on_any_tree() {
    for (tops, contention) in [(16, "1"), (8, "2"), (4, "4")] {
        let found = json(format!("load xgft(2;16,16;1,{tops}) coloured cg(128,phase=5)"));
        assert_eq!(found["contention"]["value"], contention);
        let notes = found["notes"].to_string();
        assert!(notes.contains(&format!("paths: {contention} (claimed")), "{notes}");
    }
    // Three hosts of a switch over two links: 2 at least. All-to-all has more: if each link up had two
    // sources at most and each link down two destinations, pairs of the wrong ones would have no path.
    let found = json("load ftree(3,2,7) coloured uniform");
    assert_eq!(found["contention"]["value"], "3");
    assert!(found["notes"].to_string().contains("between 2 and 3 (claimed"), "{found}");
    let found = run("nonblocking ftree(3,2,7) coloured --json").expects(1).json();
    assert_eq!(
        (&found["nonblocking"], &found["permutation_load"]["lower"]),
        (&false.into(), &"2".into())
    );
}

#[test]
fn nonblocking_says_for_which_m() {
    let found = json("nonblocking ftree(3,9,7) nonblocking-adaptive");
    assert_eq!((&found["nonblocking"], &found["scope"]), (&true.into(), &"local".into()));
    assert_eq!(found["top_switches"]["upper"], "9");
    // The square of coordinates needs two configurations of 8, n^2 in all.
    let found = run("nonblocking ftree(4,8,4) nonblocking-adaptive --json").expects(1).json();
    assert_eq!(
        (&found["nonblocking"], &found["top_switches"]["lower"]),
        (&false.into(), &"16".into())
    );
    assert_eq!(found["hardest"].as_array().unwrap().len(), 4);
    assert_eq!(json("nonblocking ftree(4,16,4) nonblocking-adaptive")["nonblocking"], true);
    let shown = text("nonblocking ftree(4,4,7) coloured", 0);
    assert!(
        shown.contains("(global)") && shown.contains("verdict           nonblocking"),
        "{shown}"
    );
}

#[test]
fn attacks_search_permutations() {
    let found = json("attack ftree(2,6,3) nonblocking-adaptive --all");
    let rows = found["adversaries"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert_eq!((&row["load"], &row["configurations"]), (&1.into(), &1.into()), "{row}");
    }
    // Eight top switches are too few for some permutations of ftree(4,8,4), which climbing finds.
    let found = json("attack ftree(4,8,4) nonblocking-adaptive --trials 20000");
    assert_eq!(found["adversaries"][0]["refused"], true);
    let refused = text("attack ftree(3,9,7) nonblocking-adaptive --adversary exhaustive", 3);
    assert!(refused.contains("number of hosts is 21, above the limit of 8"), "{refused}");
    let all = text("attack ftree(3,9,7) nonblocking-adaptive --all --trials 1000", 0);
    assert!(all.contains("above the limit of 8"), "{all}");
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    for (line, words) in [
        ("nonblocking ftree(3,8,7) nonblocking-adaptive", "(c+1)n = 9 top switches"),
        ("load ftree(3,8,7) nonblocking-adaptive shift(1)", "this tree has 8"),
        ("load ftree(1,8,7) nonblocking-adaptive shift(1)", "with n = 1 there is none for r = 7"),
        ("load ft(4,3) nonblocking-adaptive shift(1)", "ftree(n,m,r)"),
        (
            "load ftree(3,9,7) nonblocking-adaptive uniform",
            "traffic `uniform` is not a permutation",
        ),
        ("load ftree(3,2,7) coloured(steps=x) shift(1)", "is not an integer"),
        ("load ftree(3,9,7) nonblocking-adaptive(x=1) shift(1)", "unknown option `x`"),
        ("ratio ftree(3,9,7) nonblocking-adaptive", "is a pattern routing, not a routing: see"),
        ("attack ftree(3,9,7) coloured --save-traffic x.mtx", "do not see the traffic pattern"),
        ("attack ftree(3,9,7) coloured --adversary anneal", "unknown adversary"),
    ] {
        let shown = text(line, 2);
        assert!(shown.starts_with("error: ") && shown.contains(words), "{line}: {shown}");
    }
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part");
    let shard = format!("attack ftree(3,9,7) coloured --shard 1/2 --part {}", part.display());
    let shown = text(&shard, 2);
    assert!(shown.contains("sees the traffic pattern, so the work cannot be sharded"), "{shown}");
    assert!(!part.exists());
}

/// A network whose labels are recognised in a file is routed as the generated one.
#[test]
fn a_network_that_is_read_is_routed_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.json").to_str().unwrap().to_string();
    text(&format!("topo ftree(4,12,16) --format json --output {path}"), 0);
    for line in [
        "nonblocking NETWORK nonblocking-adaptive",
        "load NETWORK nonblocking-adaptive permutation(seed=3)",
        "load NETWORK coloured shift(5)",
        "attack NETWORK nonblocking-adaptive --trials 100",
    ] {
        let of = |network: &str| {
            let mut found = json(line.replace("NETWORK", network));
            let name = found.as_object_mut().unwrap().remove("topology");
            assert_eq!(name.unwrap(), network, "{line}");
            found
        };
        let (read, generated) = (of(&path), of("ftree(4,12,16)"));
        assert!(read == generated && !read.as_object().unwrap().is_empty(), "{line}");
    }
}
