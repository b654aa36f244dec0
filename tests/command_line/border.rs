//! What is mistyped at the border: names in the place of others, files that are not there, brackets and blanks. Each
//! row stands for its kind, in every verb that takes such an argument.

use crate::eventually::eventually;
use crate::program::{Run, done, run, run_in};

/// A run that was stopped after its inputs were read, and has printed these words.
fn stopped(line: &str, words: &str) -> Run {
    let line = format!("{line} --time-limit 0");
    eventually(|| run(&line), |run| run.stdout.contains(words)).expects(3)
}

#[test]
fn what_is_mistyped_is_named() {
    let no_file = "no such file";
    for (line, words) in [
        // Files that are not there.
        (&["ratio", "nofile.gml", "ecmp"][..], "nofile.gml: no such file"),
        (&["topo", "nofile.xyz"], no_file),
        (&["synth", "nofile.gml"], no_file),
        (&["load", "ft(4,2)", "dmodk", "nofile.xyz"], no_file),
        (&["optu", "ft(4,2)", "nofile.xyz"], no_file),
        (&["sim", "ft(4,2)", "dmodk", "nofile.xyz", "--load", "0.1"], no_file),
        (&["deliver", "bft(16)", "random", "nofile.xyz"], no_file),
        (&["ratio", "ft(4,2)", "nofile.csv"], "no such file; forwarding tables are lft:FILE"),
        (&["verify", "or-theorem-6", "--on", "a.dump"], "looks like a file, but a name such as"),
        // Names in the place of others.
        (&["ratio", "dmodk", "ft(8,3)"], "write `routebound ratio TOPOLOGY ROUTING`"),
        (&["attack", "lft:a/b", "fabric"], "`lft` is a routing, not a topology"),
        (&["optu", "shift(1)", "ft(4,2)"], "write `routebound optu TOPOLOGY TRAFFIC`"),
        (
            &["load", "ft(4,2)", "shift(4)", "dmodk"],
            "`dmodk` is a routing, not traffic: write `routebound load TOPOLOGY ROUTING TRAFFIC`",
        ),
        (&["load", "ft(4,2)", "dmodk", "smodk"], "`smodk` is a routing, not traffic"),
        (&["ratio", "ft(4,2)", "ftree"], "an engine of OpenSM, not a routing: dump its tables"),
        (&["route", "ft(4,2)", "torus-2QoS"], "give `lft:FILE`"),
        // Brackets and blanks.
        (&["ratio", "ft(8,3", "dmodk"], "`)` is missing"),
        (&["topo", "ft(1 6,3)"], "at column 5: blanks may stand beside"),
        (&["topo", "planes(8,leafspine(2,2,4))"], "at column 9: expected planes(p,n,m,r)"),
        (&["load", "ft(4,2)", "dmodk", "random(see d=1)"], "at column 11: blanks"),
        // Of many names, the nearest.
        (&["load", "ft(4,2)", "dmodk", "shuffel"], "did you mean `shuffle`?); nearest: "),
        (&["verify", "theorem-4"], "nearest: or-theorem-4, "),
        (&["study", "nothing"], "; nearest: "),
        // Numbers.
        (
            &["list", "--seed", "abc"],
            "invalid value 'abc' for '--seed <NUMBER>': expected a whole number",
        ),
        (&["topo", "ft(4,2)", "--fail", "99999999999999999999999"], "the number is too large"),
    ] {
        let found = run(line).expects(2);
        assert!(found.stderr.contains(words), "{words}: {found:?}");
        assert!(found.stderr.len() < 400, "{found:?}");
    }
}

#[test]
fn other_spellings_mean_the_same() {
    for (one, other) in [
        ("topo ft:8,3", "topo ft(8,3)"),
        ("topo xgft:2;2,3;1,2", "topo xgft(2;2,3;1,2)"),
        ("topo ftree(r=3,n=2,m=2)", "topo ftree(2,2,3)"),
        ("ratio ft:4,2 random:seed=3", "ratio ft(4,2) random(seed=3)"),
        ("load ft:4,2 dmodk shift:3,tasks=4", "load ft(4,2) dmodk shift(3,tasks=4)"),
        ("load ft(4,2) dmodk shift(k=3)", "load ft(4,2) dmodk shift(3)"),
        ("load ft(4,2) dmodk alltoall", "load ft(4,2) dmodk uniform"),
        ("optu ft(4,2) all-to-all --seed 3", "optu ft(4,2) uniform --seed 3"),
        ("verify or-property --up-to 8 --json", "verify or-property-* --up-to 8 --json"),
    ] {
        let clean = |line: &str| {
            let text = done(line);
            let lines = text.lines().filter(|line| !line.contains("\"seconds\""));
            lines.map(String::from).collect::<Vec<_>>()
        };
        assert_eq!(clean(one), clean(other), "{one}");
    }
    let blanks = ["topo", " ft ( 8 , 3 ) "];
    assert_eq!(done(blanks), done("topo ft(8,3)"));
}

#[test]
fn the_index_leads_to_every_section() {
    let (index, all) = (done("list"), done("list all"));
    assert!(index.lines().count() < 50 && index.lines().all(|line| line.len() < 200), "{index}");
    for section in index.lines().take_while(|line| !line.is_empty()) {
        let name = section.split(' ').next().unwrap_or_default();
        assert!(all.contains(&done(["list", name])), "{name}");
    }
    for text in [index, all] {
        assert!(text.contains("\npapers\n  [OR] Yuan"), "{text}");
    }
}

#[test]
fn tables_end_with_a_newline() {
    let text = done("deliver bft(16) random messages(count=9) --sweep load-factor=1,2");
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text}");
}

#[test]
fn a_statement_that_says_nothing_says_why() {
    let text = done("verify or-theorem-6 --on ft(6,2)");
    assert!(text.contains("\n  not applicable: no case meets the hypothesis: "), "{text}");
}

#[test]
fn a_limit_decides_the_exit_code() {
    for (limit, code, says) in [
        ("7", 0, "at most 7               holds (proven)\n"),
        ("6.5", 1, "at most 13/2            exceeded (proven)\n"),
    ] {
        for engine in ["enumerate", "by-digits"] {
            let found = run(format!("ratio ft(8,3) dmodk --at-most {limit} --engine {engine}"));
            assert!(found.expects(code).stdout.contains(says), "{limit}");
        }
    }
    stopped("ratio ft(8,3) random(seed=1) --at-most 10", "at most 10              undecided\n");
    let record = run("ratio ft(8,3) dmodk --at-most 6 --json").expects(1).json();
    assert_eq!(
        (&record["at_most"]["limit"], &record["at_most"]["holds"]),
        (&"6".into(), &false.into())
    );
}

#[test]
fn a_stop_names_the_engine_that_answers() {
    stopped("ratio ft(8,3) dmodk --engine enumerate", "`--engine by-digits` answers this");
    let other = stopped("ratio ft(8,3) random(seed=1)", "oblivious ratio");
    assert!(!other.stdout.contains("--engine"), "{other:?}");
}

/// A certificate of a fabric is of this fabric and these tables, and says of which files.
#[test]
fn certificates_are_of_what_they_were_made_of() {
    let [fabric, tables] = ["ibnetdiscover.out.gz", "opensm-lfts.dump.gz"]
        .map(|name| format!("{}/instances/fabrics/ft8x3/ftree/{name}", env!("CARGO_MANIFEST_DIR")));
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| run_in(folder.path(), line);
    run(&format!("ratio {fabric} lft:{tables} --certificate a.cert")).expects(0);
    let certificate = std::fs::read_to_string(folder.path().join("a.cert")).unwrap();
    for file in [&fabric, &tables] {
        assert!(certificate.contains(&format!("\n# input {file}: sha256 ")), "{file}");
    }
    run("check a.cert").expects(0);
    let found = run(&format!("check a.cert --against {fabric} lft:{tables}")).expects(0);
    assert!(found.stdout.contains("; that of "), "{found:?}");
    run(&format!("check a.cert --against {fabric}")).expects(0);
    // Another routing of the same fabric, and another network.
    let found = run(&format!("check a.cert --against {fabric} minhop")).expects(1);
    assert!(found.stdout.contains("s NOT VERIFIED it is not about "), "{found:?}");
    assert!(found.stdout.contains(" in the certificate, by "), "{found:?}");
    let found = run("check a.cert --against ft(4,2) dmodk").expects(1);
    assert!(found.stdout.contains("the certificate has 128 hosts"), "{found:?}");
    // Named ones.
    run("ratio ft(4,2) dmodk --certificate b.cert").expects(0);
    run("check b.cert --against ft(4,2) dmodk").expects(0);
    run("check b.cert --against xgft(2;2,4;1,2) dmodk").expects(0);
    let found = run("check b.cert --against ft(4,2) smodk").expects(1);
    assert!(found.stdout.contains("it is not about ft(4,2) smodk: "), "{found:?}");
    run("check b.cert --lmc all").refuses(2, "add `--against TOPOLOGY ROUTING`");
}

/// Two cables that were swapped, by the names of their ends.
#[test]
fn swapped_cables_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| run_in(folder.path(), line);
    let write = |name: &str, links: &str| std::fs::write(folder.path().join(name), links).unwrap();
    write("a.csv", "s0,s1\nh0,s0\nh1,s0\nh2,s1\nh3,s1\n");
    write("b.csv", "s0,s1\nh0,s0\nh1,s1\nh2,s0\nh3,s1\n");
    run("ratio a.csv ecmp --certificate a.cert").expects(0);
    run("check a.cert --against a.csv ecmp").expects(0);
    let found = run("check a.cert --against b.csv ecmp").expects(1);
    for words in ["only the certificate has h1 -> s0", "only the network has h1 -> s1"] {
        assert!(found.stdout.contains(words), "{found:?}");
    }
}
