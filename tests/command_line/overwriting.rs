//! Nothing of the user's is destroyed: outputs of all verbs against files that routebound did not write, in places
//! where nothing can be written, on full disks, and once more over what routebound wrote.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::program::{Run, done, program};

/// Verbs and what precedes the file or folder of an output, for every output. The inputs do not exist, or would
/// take hours: whatever is said of the output is said before the work.
const LINES: &[(&str, &[&str])] = &[
    ("fabric none", &["--save-html", "--save-jobs"]),
    ("topo none --format dot", &["--output"]),
    ("route none dmodk --paths", &["--output"]),
    ("route none dmodk", &["--save-opensm"]),
    ("embed none", &["--output"]),
    ("traffic none shift(1)", &["--output"]),
    ("load none dmodk shift(1) --links=csv", &["--output"]),
    ("optu none shift(1)", &["--certificate"]),
    ("ratio none dmodk", &["--certificate", "--save-traffic", "--part"]),
    ("ratio none dmodk --links=csv", &["--output"]),
    ("attack none dmodk", &["--save-traffic", "--part"]),
    #[cfg(feature = "highs")]
    ("optimal none", &["--output", "--certificate"]),
    ("synth none", &["--output", "--certificate"]),
    ("improve none minhop", &["--save-tables", "--certificate", "--certificate-before"]),
    #[cfg(feature = "sat")]
    ("nonblocking none --least-m --local-adaptive", &["--certificate"]),
    ("deliver none greedy shift(8)", &["--save-cycles", "--save-messages"]),
    ("deliver none greedy shift(8) --sweep n=16", &["--save-csv", "--save-svg", "--part"]),
    ("sim none dmodk uniform --load 0.5", &["--save-csv", "--save-svg", "--save-links", "--part"]),
    ("verify or-theorem-3", &["--save-markdown", "--save-counterexamples"]),
    ("verify", &["--save-items"]),
    ("study ro-figure-4", &["--output", "--part"]),
    ("merge none", &["--certificate", "--save-traffic", "--output"]),
    ("generate man", &["--output"]),
];

/// Runs a line that ends with a path.
fn run_to(line: &str, path: &Path) -> Run {
    Run::of(program(line).arg(path))
}

/// The outputs that the help of a verb has.
fn options_of(verb: &str) -> BTreeSet<String> {
    let help = done(format!("{verb} --help"));
    let words = help.lines().filter_map(|line| line.trim_start().split(' ').next());
    // Text that mentions an option may begin a line, too.
    let is_option = |word: &&str| word.chars().all(|c| c == '-' || c.is_ascii_lowercase());
    let is_output = |word: &&str| {
        ["--certificate", "--certificate-before", "--output", "--part"].contains(word)
            || word.starts_with("--save-")
    };
    words.filter(is_option).filter(is_output).map(String::from).collect()
}

#[test]
fn every_output_of_every_verb_is_tried_here() {
    let verbs = done("list verbs --names");
    let mut count = 0;
    for verb in verbs.lines() {
        let lines = LINES.iter().filter(|(line, _)| line.split(' ').next() == Some(verb));
        let tried: BTreeSet<String> =
            lines.flat_map(|(_, options)| *options).map(ToString::to_string).collect();
        assert_eq!(options_of(verb), tried, "{verb}");
        count += tried.len();
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_foreign_file_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.mtx");
    let content = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n";
    fs::write(&path, content).unwrap();
    for (line, options) in LINES {
        for option in *options {
            let line = format!("{line} {option}");
            let run = run_to(&line, &path).expects(2);
            assert_eq!(run.stdout, "", "{line}");
            let said = run.stderr;
            assert!(said.contains("mine.mtx"), "{line}: {said}");
            // A part names the file and says what it is not; a folder cannot be a file at all.
            let folders = ["--part", "--save-opensm", "--save-jobs", "--save-counterexamples"];
            let is_file = !folders.contains(option);
            let is_folder = ["study", "generate"].iter().any(|verb| line.starts_with(verb))
                || line == "merge none --output";
            assert_eq!(said.contains("`--force`"), is_file && !is_folder, "{line}: {said}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content, "{line}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_place_that_cannot_be_written_is_said_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for (line, options) in LINES {
        for option in *options {
            let line = format!("{line} {option}");
            let said = run_to(&line, &file.join("in/it")).expects(2).stderr;
            assert!(said.contains("/file") && said.contains("cannot "), "{line}: {said}");
        }
    }
}

/// Files whose names follow from those that options give.
#[test]
fn what_would_stand_beside_an_output_is_looked_at_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("jobs")).unwrap();
    fs::create_dir(at("made")).unwrap();
    for name in [
        "a.cert.permutation",
        "b.csv.about",
        "c-2.mtx",
        "d-1.csv.about",
        "e.lrat",
        "jobs/x-ring-best.hosts",
        "or-theorem-3.txt",
        "made/README.md",
        "made/routebound-ratio.1",
        "made/guid2lid",
    ] {
        fs::write(at(name), "mine\n").unwrap();
    }
    let cases = [
        ("ratio none dmodk --certificate", "a.cert", "a.cert.permutation"),
        ("ratio none dmodk --save-traffic", "b.csv", "b.csv.about"),
        ("attack none dmodk --save-traffic", "b.csv", "b.csv.about"),
        ("ratio none dmodk --count 3 --save-traffic", "c.mtx", "c-2.mtx"),
        ("ratio none dmodk --worst-links all --save-traffic", "d.csv", "d-1.csv.about"),
        ("synth none --certificate", "e.cert", "e.lrat"),
        ("fabric none --collective ring --save-jobs", "jobs", "x-ring-best.hosts"),
        ("verify or-theorem-3 --save-counterexamples", "", "or-theorem-3.txt"),
        ("study ro-figure-4 --output", "made", "the folder"),
        ("generate man --output", "made", "routebound-ratio.1"),
        ("route none dmodk --save-opensm", "made", "guid2lid"),
    ];
    for (line, path, says) in cases {
        let said = run_to(line, &at(path)).expects(2).stderr;
        assert!(said.contains(says) && said.contains("`--force`"), "{line}: {said}");
        let forced = run_to(&format!("--force --time-limit 0 {line}"), &at(path)).stderr;
        assert!(!forced.contains("`--force`"), "{line}: {forced}");
    }
    assert_eq!(fs::read_to_string(at("e.lrat")).unwrap(), "mine\n");
}

/// What shows that routebound wrote it is written again, and only that.
#[test]
fn own_files_are_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let small = "deliver universal(16) greedy shift(8) --loss left";
    let sweep = "deliver universal({n}) greedy shift(8) --loss left --sweep n=16,32";
    let sim = "sim ft(4,2) dmodk uniform --load 0.5 --packets 20";
    for (line, name, is_known) in [
        ("ratio ft(4,2) dmodk --certificate", "a.cert", true),
        ("ratio ft(4,2) dmodk --save-traffic", "a.mtx", true),
        ("ratio ft(4,2) dmodk --save-traffic", "a.csv", true),
        ("attack ft(4,2) dmodk --save-traffic", "a.pairs", true),
        ("traffic ft(4,2) shift(1) --output", "b.mtx", true),
        ("traffic ft(4,2) shift(1) --output", "b.csv", false),
        ("optu ft(4,2) shift(1) --certificate", "b.cert", true),
        ("embed results/errata/kary-2-2-dmodk.cert --output", "b.cert", true),
        ("load ft(4,2) dmodk shift(1) --links=csv --output", "c.csv", true),
        ("topo ft(4,2) --format dot --output", "d.dot", false),
        ("route ft(4,2) dmodk --paths --output", "e.csv", false),
        ("route ft(4,2) dmodk --tables --output", "e.dump", false),
        ("route ft(4,2) smodk --save-opensm", "opensm", true),
        (&format!("{small} --save-cycles"), "f.csv", false),
        (&format!("{small} --save-messages"), "f.mtx", true),
        (&format!("{sweep} --save-csv"), "g.csv", true),
        (&format!("{sweep} --save-svg"), "g.svg", true),
        (&format!("{sim} --save-csv"), "h.csv", true),
        (&format!("{sim} --save-svg"), "h.svg", true),
        (&format!("{sim} --save-links"), "i.csv", false),
        ("fabric ft(4,2) --routing dmodk --bisections 0 --save-html", "j.html", true),
        ("verify or-lemma-5 --up-to 8 --save-markdown", "k.md", true),
        ("verify --save-items", "items.md", true),
        (
            "fabric ft(4,2) --routing dmodk --bisections 0 --collective ring --hosts host-[0-3] --save-jobs",
            "l",
            true,
        ),
        ("study all-routings --small --output", "m", true),
        ("verify go-worst or-spread --up-to 8 --save-counterexamples", "n", true),
        ("generate complete-zsh --output", "o", true),
        ("generate man --output", "o", true),
    ] {
        let line = format!("--quiet {line}");
        run_to(&line, &path(name)).expects(0);
        assert!(path(name).exists(), "{line}");
        run_to(&line, &path(name)).expects(if is_known { 0 } else { 2 });
        // What is written again anyhow needs no `--force`: the full tier has it there too.
        if !is_known || cfg!(feature = "slow-tests") {
            run_to(&format!("--force {line}"), &path(name)).expects(0);
        }
    }
}

/// A full disk takes the file, but not the result.
#[cfg(target_os = "linux")]
#[test]
fn the_result_is_printed_whatever_happens_to_a_file() {
    let full = Path::new("/dev/full");
    let cases = [
        ("ratio ft(4,2) dmodk --certificate", "oblivious ratio"),
        ("ratio ft(4,2) dmodk --format mtx --save-traffic", "oblivious ratio"),
        ("ratio ft(64,6) dmodk --certificate", "oblivious ratio"),
        ("attack ft(4,2) dmodk --format mtx --save-traffic", "climb"),
        ("optu ft(4,2) shift(1) --certificate", "optu"),
        ("load ft(4,2) dmodk shift(1) --links=csv --output", "max load"),
        ("synth ft(4,2) --method count --output", "best single-path"),
        ("deliver universal(16) greedy shift(8) --save-cycles", "cycles"),
        ("deliver universal({n}) greedy shift(8) --sweep n=16,32 --save-csv", "lambda"),
        ("sim ft(4,2) dmodk uniform --load 0.5 --packets 20 --save-links", "accepted"),
        ("fabric ft(4,2) --routing dmodk --bisections 0 --save-html", "ft(4,2)"),
        ("verify or-lemma-5 --up-to 8 --save-markdown", "or-lemma-5"),
        ("verify --save-items", "missing"),
    ];
    // Text and JSON by turns: the full tier has both of every line.
    for (number, (line, says)) in cases.into_iter().enumerate() {
        if number % 2 == 0 || cfg!(feature = "slow-tests") {
            let run = run_to(line, full).expects(2);
            assert!(run.stdout.contains(says), "{line}: {run:?}");
            assert!(run.stderr.contains("/dev/full"), "{line}: {run:?}");
        }
        if number % 2 == 1 || cfg!(feature = "slow-tests") {
            let object = run_to(&format!("--json {line}"), full).expects(2).json();
            assert!(object.get("error").is_none(), "{line}: {object}");
        }
    }
}

/// An old name that reads like an input is not taken for the new one.
#[test]
fn old_names_say_the_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.mtx");
    fs::write(&path, "mine\n").unwrap();
    for line in [
        "ratio ft(4,2) dmodk --traffic",
        "attack ft(4,2) dmodk --traffic",
        "--quiet ratio ft(4,2) dmodk --traffic",
        "merge none --traffic",
    ] {
        let said = run_to(line, &path).stderr;
        assert!(
            said.contains("--save-traffic") && said.contains("routebound load"),
            "{line}: {said}"
        );
    }
    let said = run_to("load ft(4,2) dmodk --traffic", &path).stderr;
    assert!(!said.contains("--save-traffic") && !said.contains("as a value"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
    for line in ["topo ft(4,2) --export dot", "route ft(4,2) dmodk --export lft"] {
        done(line);
    }
    run_to("synth ft(4,2) --method count --proof", &folder.path().join("a.cert")).expects(0);
}
