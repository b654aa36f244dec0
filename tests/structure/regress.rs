//! The verb `regress` and the project's own cases.

#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use routebound::cases::{self, Case, CaseFile, Home};
use routebound::progress::Progress;
use routebound::spec::Spec;
use routebound::{routing, topology, traffic};

use crate::program::{done, run, run_in};

fn cases() -> Vec<CaseFile> {
    cases_in(Path::new("instances/regress"))
}

fn cases_in(folder: &Path) -> Vec<CaseFile> {
    let files = cases::case_files(folder).unwrap();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        cases::read(path.to_str().unwrap(), &text).unwrap()
    };
    files.into_iter().map(read).collect()
}

/// A network that is not a tree may need linear programs.
fn is_for_this_build(file: &CaseFile) -> bool {
    let written_out = topology::KINDS.iter().filter(|kind| !kind.build.is_defined());
    let mut names = written_out.map(|kind| kind.name).chain(["networks"]);
    cfg!(feature = "highs") || !names.any(|name| file.path.ends_with(&format!("/{name}.toml")))
}

/// The routing whose cases are taken out and added again; all others but [`DEAR`] are run where that is done.
const TAKEN_OUT: &str = "grid";

#[test]
fn all_cases_are_as_expected_and_proven() {
    let mut files = cases();
    let all = files.iter().flat_map(|file| &file.cases);
    assert!(all.clone().all(|case| !case.expected.is_empty()) && all.count() >= 60);
    let is_run_elsewhere =
        |case: &Case| cfg!(feature = "highs") && case.routing.as_deref() != Some(TAKEN_OUT);
    let mut count = 0;
    for file in files.iter_mut().filter(|file| is_for_this_build(file)) {
        file.cases.retain(|case| !is_run_elsewhere(case));
        for (case, result) in file.cases.iter().zip(cases::run(file, &Progress::silent())) {
            assert_eq!(result.unwrap(), [], "{}:{}", file.path, case.line);
            count += 1;
        }
    }
    assert!(count > 0);
}

/// A case that takes linear programs of all links, with several paths on an irregular fabric.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes")]
fn an_ai_cluster_is_as_expected_and_proven() {
    let case = "[[case]]\ntopology = \"instances/fabrics/ndr542/ibnetdiscover.out.gz\"\n\
                routing = \"ecmp\"\noblivious_ratio = \"52/21\"\nworst_permutation_load = \"59/21\"\n";
    let file = cases::read("ndr542.toml", case).unwrap();
    let result = cases::run(&file, &Progress::silent()).into_iter().next().unwrap();
    assert_eq!(result.unwrap(), []);
}

/// Every routing on every family of topologies that it fits, and every pattern.
#[test]
fn every_entry_has_a_case() {
    let missing: Vec<String> = cases::missing(&cases()).iter().map(Case::name).collect();
    assert_eq!(missing, [""; 0], "run `routebound regress instances/regress --add-missing`");
}

/// The names of what is missing when the cases that `drops` chooses are taken out.
fn missing_without(drops: impl Fn(&Case) -> bool) -> Vec<String> {
    let mut files = cases();
    for file in &mut files {
        file.cases.retain(|case| !drops(case));
    }
    cases::missing(&files).iter().map(Case::name).collect()
}

#[test]
fn a_missing_case_is_found() {
    let name = |spec: &str| Spec::parse(spec).map(|spec| spec.name).unwrap_or_default();
    let routing = |case: &Case| case.routing.as_deref().map(name).unwrap_or_default();
    let on = |case: &Case, family: &str| name(&case.topology) == family;
    // On the network of that family that has most cases already.
    let grid = missing_without(|case| routing(case) == "grid" && on(case, "ft"));
    assert_eq!(grid, ["grid on ft(4,2)"]);
    let everywhere = missing_without(|case| routing(case) == "random");
    assert_eq!(everywhere.len(), 8, "{everywhere:?}");
    assert!(everywhere.iter().all(|name| name.starts_with("random(seed=7) on ")));
    let family = missing_without(|case| on(case, "kary"));
    assert!(family.len() >= 10 && family.iter().all(|name| name.contains(" on kary(")));
    let traffic = |case: &Case| case.traffic.as_deref().map(name).unwrap_or_default();
    // On the first generated network that has traffic, in the order of the files, ...
    let bitrev = missing_without(|case| traffic(case) == "bitrev");
    assert_eq!(bitrev, ["dmodk on ft(8,3), bitrev"]);
    // ... and the first example that fits: wrf(256) has more tasks than there are hosts.
    let wrf = missing_without(|case| traffic(case) == "wrf");
    assert_eq!(wrf, ["dmodk on ft(8,3), wrf(40,columns=8)"]);
    // Only files have the tables.
    let tables = missing_without(|case| routing(case) == "lft");
    assert!(tables.len() == 1 && tables[0].starts_with("lft"), "{tables:?}");
}

const PLANTED: &str = "# head\n\n[[case]] # one\ntopology = \"ft(4,2)\" # small\n\
    routing = \"dmodk\"\noblivious_ratio = \"5/2\"   # wrong\nworst_permutation_load = '2'\n\n\
    # between\n[[case]]\nrouting = 'smodk'\ntopology = 'xgft(2;4,4;1,2)'\ntraffic = 'shift(4)'\n\
    max_load = \"2\"\noptu = '1'\n# end\n";

#[test]
fn a_planted_value_is_found_and_blessed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.toml");
    fs::write(&file, PLANTED).unwrap();
    let run = run_in(folder.path(), "regress a.toml").expects(1);
    let expected = "a.toml:6: dmodk on ft(4,2): oblivious_ratio expected 5/2, found 2 (proven)\n\
        a.toml:15: smodk on xgft(2;4,4;1,2), shift(4): optu expected 1, found 2 (proven)\n\
        1 file, 2 cases, 4 values: 2 not as expected\n";
    assert_eq!(run.stdout, expected);
    for threads in ["1", "3"] {
        let again = run_in(folder.path(), format!("regress . --threads {threads}"));
        assert_eq!(again.stdout, expected.replace("a.toml", "./a.toml"));
    }
    let run = run_in(folder.path(), "regress a.toml --json").expects(1);
    let value = run.json();
    assert_eq!((&value["cases"], &value["values"]), (&2.into(), &4.into()));
    assert_eq!(value["differences"][0]["expected"], "5/2");
    assert_eq!(value["differences"][0]["found"], "2");
    assert_eq!(value["differences"][0]["line"], 6);
    assert_eq!(fs::read_to_string(&file).unwrap(), PLANTED);
    run_in(folder.path(), "regress a.toml --bless").expects(0);
    let blessed = PLANTED.replace("\"5/2\"", "\"2\"").replace("optu = '1'", "optu = \"2\"");
    assert_eq!(fs::read_to_string(&file).unwrap(), blessed);
    run_in(folder.path(), "regress a.toml").expects(0);
}

/// A case of seconds, which the full tier runs.
const DEAR: &str =
    "topology = \"instances/fabrics/ndr542/ibnetdiscover.out.gz\"\nrouting = \"minhop\"\n";

/// What is there stays, to the byte, and is as expected; what is missing is added with its values, once.
#[test]
fn missing_cases_are_added() {
    let folder = tempfile::tempdir().unwrap();
    // Of a folder with a file for each sort, only those of what is missing change.
    for file in cases() {
        let path = Path::new(&file.path).file_name().unwrap();
        let cases = file.text.split("\n[[case]]");
        let routing = format!("routing = \"{TAKEN_OUT}\"");
        let is_left_out = |case: &str| {
            case.contains(&routing) || case.contains(DEAR) && !cfg!(feature = "slow-tests")
        };
        let kept: Vec<&str> = cases.filter(|case| !is_left_out(case)).collect();
        fs::write(folder.path().join(path), kept.join("\n[[case]]")).unwrap();
    }
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (before, other) = (text("ft.toml"), text("papers.toml"));
    assert!(!before.contains("grid"));
    let add = format!("regress {} --add-missing --quiet", folder.path().display());
    let said = done(&add);
    assert!(said.contains("ft.toml: grid on ft(4,2)\n"), "{said}");
    assert!(said.ends_with("all as expected\n"), "{said}");
    let added = text("ft.toml");
    let case = "\n[[case]]\ntopology = \"ft(4,2)\"\nrouting = \"grid\"\noblivious_ratio = \"2\"\n\
                permutation_ratio = \"2\"\nworst_permutation_load = \"2\"\n";
    assert_eq!(added, before + case);
    assert_eq!(text("papers.toml"), other);
    // Nothing is missing now.
    assert_eq!(cases::missing(&cases_in(folder.path())), []);
}

/// So that nothing can be forgotten by having no example that fits.
#[test]
fn where_there_is_no_case_all_are_missing() {
    let missing = cases::missing(&[]);
    let name = |spec: Option<&String>| spec.and_then(|spec| Spec::parse(spec).ok()).map(|s| s.name);
    let routings = routing::KINDS.iter().map(|kind| kind.name);
    let unknown = routings.filter(|kind| {
        !missing.iter().any(|case| name(case.routing.as_ref()).is_some_and(|n| n == *kind))
    });
    assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
    let patterns = traffic::KINDS.iter().map(|kind| kind.name);
    let unknown = patterns.filter(|kind| {
        !missing.iter().any(|case| name(case.traffic.as_ref()).is_some_and(|n| n == *kind))
    });
    assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn an_added_case_is_read_back_as_it_was() {
    let file = cases::read("a.toml", PLANTED).unwrap();
    for case in &file.cases {
        let case = Case { unit_capacity: true, topology: "a \"b\\ c'".into(), ..case.clone() };
        let mut read = cases::with_case(&file, &case).unwrap().cases.pop().unwrap();
        assert!(read.line > case.line);
        read.line = case.line;
        for (read, written) in read.expected.iter_mut().zip(&case.expected) {
            read.line = written.line;
        }
        assert_eq!(read, case);
    }
    let inline = "\ncase = [{ topology = 'ft(4,2)', routing = 'dmodk' }]\n";
    let inline = cases::read("a.toml", inline).unwrap();
    let refused = cases::with_case(&inline, &file.cases[0]).unwrap_err().to_string();
    assert!(refused.starts_with("a.toml, line 2: ") && refused.contains("[[case]]"), "{refused}");
}

/// The name of a new file may be taken.
#[test]
fn a_file_that_is_there_is_no_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let file = |name: &str| cases::read(&path(name), PLANTED).unwrap();
    let kary = Case { topology: "kary(2,2)".into(), ..file("a.toml").cases[0].clone() };
    let files = [file("a.toml"), file("b.toml")];
    assert_eq!(cases::home_of(&kary, &files), Home::New(path("kary.toml")));
    fs::write(path("kary.toml"), PLANTED).unwrap();
    assert_eq!(cases::home_of(&kary, &files), Home::Unread(path("kary.toml")));
    let files = [file("a.toml"), file("kary.toml")];
    assert_eq!(cases::home_of(&kary, &files), Home::File(1));
}

#[test]
#[cfg_attr(
    not(feature = "slow-tests"),
    ignore = "all routings of all families are missing: seconds"
)]
fn a_family_without_a_file_gets_one() {
    let folder = tempfile::tempdir().unwrap();
    // The last one is there, but not given.
    for name in ["a.toml", "b.toml", "kary.toml", "universal.toml"] {
        fs::write(
            folder.path().join(name),
            "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n\
            oblivious_ratio = '2' # the end",
        )
        .unwrap();
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let given = ["a.toml", "b.toml", "kary.toml"].map(path).join(" ");
    let value = run(format!("regress {given} --add-missing --json")).expects(2).json();
    assert!(value["added"].as_array().unwrap().len() > 80, "{value}");
    let failures = value["failures"].as_array().unwrap();
    let refusal = format!("it belongs in {}: name that file too", path("universal.toml"));
    assert!(!failures.is_empty(), "{value}");
    assert!(failures.iter().all(|text| text.as_str().unwrap().ends_with(&refusal)), "{value}");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(text("universal.toml").ends_with("# the end"));
    for name in ["kary.toml", "xgft.toml", "traffic.toml", "networks.toml", "a.toml"] {
        let text = text(name);
        assert!(cases::read(name, &text).unwrap().cases.len() > 1 || name == "networks.toml");
        let was_there = ["a.toml", "kary.toml"].contains(&name);
        assert_eq!(text.contains("# the end\n\n[[case]]\n"), was_there, "{text}");
    }
    for (line, words) in [
        ("regress - --add-missing", "`--add-missing` rewrites case files"),
        ("regress a.toml --add-missing --bless", "cannot be used with"),
    ] {
        let run = run_in(folder.path(), line).expects(2);
        assert!(run.stderr.contains(words), "{run:?}");
    }
}

#[test]
fn a_case_without_values_gets_what_is_proven() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new.toml");
    // The permutation ratio of hosts with two links has no certificate yet.
    let text = "[[case]]\ntopology = \"xgft(2;2,2;2,2)\"\nrouting = \"random\"\n";
    fs::write(&file, text).unwrap();
    let run = run_in(folder.path(), "regress new.toml").expects(1);
    let says = "new.toml:1: random on xgft(2;2,2;2,2): oblivious_ratio expected nothing";
    assert!(run.stdout.contains(says), "{run:?}");
    run_in(folder.path(), "regress new.toml --bless --quiet").expects(0);
    let blessed = fs::read_to_string(&file).unwrap();
    assert!(blessed.starts_with(text) && blessed.contains("\noblivious_ratio = \""), "{blessed}");
    run_in(folder.path(), "regress new.toml").expects(0);
    // An unproven value is not as expected, and cannot be blessed.
    if !blessed.contains("permutation_ratio") {
        fs::write(&file, format!("{blessed}permutation_ratio = \"2\"\n")).unwrap();
        let run = run_in(folder.path(), "regress new.toml --bless").expects(2);
        let error = run.stderr;
        assert!(error.contains("new.toml, line 6: permutation_ratio is"), "{error}");
        assert!(error.contains("leave this key out"), "{error}");
    }
}

#[test]
fn bad_case_files_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let case = |rest: &str| format!("[[case]]\ntopology = 'ft(4,2)'\n{rest}");
    for (text, line, words) in [
        ("[[case]\n".to_string(), 1, ""),
        (String::new(), 1, "there is no case"),
        ("[[cases]]\n".into(), 1, "unknown field `cases`, expected `case`"),
        (case("routing = 'dmodk'\nratio = '2'\n"), 4, "unknown field `ratio`, expected one of"),
        (case("routing = 'dmodk'\noblivious_ratio = 2\n"), 4, "expected a string"),
        (case("routing = 'dmodk'\noblivious_ratio = 'two'\n"), 4, "write an exact value"),
        (case("routing = 'dmodk'\noblivious_ratio = '1/0'\n"), 4, "oblivious_ratio"),
        (case("routing = 'dmodk'\nrouting = 'smodk'\n"), 4, "duplicate key"),
        (case("routing = 'dmodk'\nmax_load = '1'\n"), 4, "add `traffic"),
        (case("traffic = 'ring'\nmax_load = '1'\n"), 4, "add `routing"),
        (case(""), 1, "neither routing nor traffic"),
        ("[[case]]\nrouting = 'dmodk'\n".into(), 1, "missing field `topology`"),
        (case("routing = 'dmod'\n"), 1, "did you mean `dmodk`"),
        (case("routing = 'dmodk'\ntraffic = 'none.mtx'\n"), 1, "none.mtx: no such file"),
        (case("routing = 'osrm3'\n"), 1, "does not fit"),
    ] {
        fs::write(folder.path().join("bad.toml"), &text).unwrap();
        let error = run_in(folder.path(), "regress bad.toml").refuses(2, words).stderr;
        let place = format!("error: bad.toml, line {line}: ");
        assert!(error.starts_with(&place), "{text}: {error}");
    }
    for (line, code, words) in [
        ("regress none.toml", 2, "none.toml"),
        ("regress empty", 2, "no file that ends in .toml"),
        ("regress", 2, "PATH"),
        ("regress bytes.toml", 2, "bytes.toml: cannot be read"),
        ("regress inline.toml --bless", 2, "begin each with `[[case]]`"),
        ("regress large.toml", 3, "above the limit"),
    ] {
        fs::create_dir_all(folder.path().join("empty")).unwrap();
        fs::write(folder.path().join("bytes.toml"), [0xff, 0xfe]).unwrap();
        let inline =
            "case = [{ topology = 'ft(4,2)', routing = 'dmodk', oblivious_ratio = '9' }]\n";
        fs::write(folder.path().join("inline.toml"), inline).unwrap();
        let large = "[[case]]\ntopology = 'kary(16,8)'\nrouting = 'dmodk'\n";
        fs::write(folder.path().join("large.toml"), large).unwrap();
        let run = run_in(folder.path(), line).expects(code);
        assert!(run.stderr.contains(words), "{run:?}");
    }
}

#[test]
fn a_failing_case_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{PLANTED}\n[[case]]\ntopology = 'ft(4,2)'\nrouting = 'osrm3'\n");
    fs::write(folder.path().join("a.toml"), &text).unwrap();
    let run = run_in(folder.path(), "regress a.toml --bless").expects(2);
    let out = run.stdout;
    assert!(out.contains("a.toml:6: dmodk on ft(4,2): oblivious_ratio expected 5/2"), "{out}");
    assert!(out.contains("2 not as expected; 1 case not computed"), "{out}");
    // Nothing is rewritten while a case of the file fails.
    assert_eq!(fs::read_to_string(folder.path().join("a.toml")).unwrap(), text);
    run_in(folder.path(), "regress a.toml --time-limit 0").expects(3);
}
