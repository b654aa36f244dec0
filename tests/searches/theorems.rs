//! The theorem battery: verdicts are computed, errata are rediscovered, a broken routing is
//! noticed.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use routebound::certificate;
use routebound::generators::checker;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::routing::{self, Instance, Routing};
use routebound::theorem::{
    Basis, Bound, Counterexample, Finding, Findings, InstanceCheck, KINDS, RemarkKind, Scope,
    Statement, Subject, Verdict, Verified, Whose, is_bound, oblivious, planted, shape, verify,
};
use routebound::topology::{Host, LinkId, Topology, Xgft, generate, host_number};

fn run(line: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_routebound");
    Command::new(program).args(line.split(' ')).current_dir(folder.path()).output().unwrap()
}

fn verified(statement: &'static Statement, hosts: usize) -> Verified {
    verify(statement, &Scope::new(hosts, &Progress::silent())).unwrap()
}

/// Claims that D-mod-k is twice as good as it is.
fn half_of_dmodk(instance: &Instance, scope: &Scope) -> Findings {
    let (m, _) = shape::ft(instance.topology()).unwrap();
    Ok(vec![oblivious::equals(instance, scope, &Rational::new(m.into(), 4).unwrap())?])
}

const ABOUT_DMODK: Statement = Statement::new("planted", "nowhere")
    .about("PERF(D-mod-k) = m/4 on FT(m,2)")
    .hypothesis("dmodk on FT(m,2)")
    .ours()
    .quote("nothing of the kind");

const fn dmodk(check: InstanceCheck) -> Statement {
    ABOUT_DMODK.instances(
        |tree| matches!(shape::ft(tree), Some((4.., 2))),
        |routing| routing.spec() == "dmodk",
        check,
    )
}

static FALSE: Statement = dmodk(half_of_dmodk);
static KNOWN: Statement = dmodk(half_of_dmodk).remark(RemarkKind::Wrong, |_| true, "it is m/2");
static PARTLY_KNOWN: Statement = dmodk(half_of_dmodk).remark(
    RemarkKind::Wrong,
    |case| case.name.ends_with("(6,2)"),
    "it is m/2",
);

#[test]
fn a_false_statement_fails_with_a_certificate() {
    let found = verified(&FALSE, 32);
    assert_eq!(found.verdict, Verdict::Fails(3));
    assert_eq!(found.differences.len(), 3, "{:?}", found.differences);
    let (case, example) = found.counterexample().unwrap();
    assert_eq!(case, "dmodk on ft(4,2)");
    let Counterexample::Certificate(certificate) = example else { panic!("{example:?}") };
    let claims = checker::check(certificate).unwrap();
    assert_eq!((&claims[0].lower, &claims[0].upper), (&2.into(), &2.into()));
    let mut text = Vec::new();
    example.write(&mut text).unwrap();
    assert_eq!(certificate::read(text.as_slice()).unwrap(), **certificate);
}

#[test]
fn errata_are_exactly_what_is_listed() {
    assert!(verified(&KNOWN, 32).differences.is_empty());
    // ft(4,2) and ft(8,2) fail too.
    assert_eq!(verified(&PARTLY_KNOWN, 32).differences.len(), 2);
    // Nothing of that size: neither a failure nor an erratum.
    let none = verified(&KNOWN, 4);
    assert_eq!((none.verdict, none.differences.len()), (Verdict::NotApplicable, 0));
}

fn all_of_dmodk(instance: &Instance, scope: &Scope) -> Findings {
    let (m, _) = shape::ft(instance.topology()).unwrap();
    Ok(vec![oblivious::at_most(instance, scope, &u64::from(m / 2).into())?])
}

static HOLDS_NOW: Statement = dmodk(all_of_dmodk).remark(RemarkKind::Wrong, |_| true, "it is m/2");
static TIGHT_NOW: Statement =
    dmodk(all_of_dmodk).remark(RemarkKind::CanBeSharpened, |_| true, "it is m/2");

#[test]
fn a_remark_that_does_not_show_is_a_difference() {
    for kind in [&HOLDS_NOW, &TIGHT_NOW] {
        let found = verified(kind, 32);
        assert_eq!((found.verdict, found.differences.len()), (Verdict::Holds, 3));
    }
}

fn argued() -> Finding {
    Finding::argued("every n", "n < n + 1", "0 < 1", "the docs")
}

static ARGUED: Statement = ABOUT_DMODK.cases(|_| Ok(vec![argued()]));
static PARTLY_ARGUED: Statement = ABOUT_DMODK.cases(|_| {
    let computed = Finding::at_least("n = 1", 1, 2, Basis::Grid { points: 1 });
    Ok(vec![argued(), computed])
});

/// What no run can refute has a verdict of its own, and adds nothing to what was computed: neither a case
/// nor the tightness of a bound.
#[test]
fn an_argument_alone_supports_no_other_verdict() {
    let alone = verified(&ARGUED, 16);
    assert_eq!((alone.instances(), alone.argued(), alone.vacuous()), (0, 1, 0));
    assert_eq!(alone.verdict_text(), "argued, not computed: the docs");
    assert!(alone.differences.is_empty(), "{:?}", alone.differences);
    assert_eq!((alone.verdict.name(), alone.verdict), ("argued", Verdict::Argued));
    let partly = verified(&PARTLY_ARGUED, 16);
    assert_eq!((partly.instances(), partly.argued()), (1, 1));
    let evidence = "computed on a grid of 1 points; argued, not computed: the docs";
    assert_eq!(partly.evidence(), evidence);
    assert_eq!(partly.verdict, Verdict::Loose(1.into()));
}

#[test]
fn the_verb_counts_arguments_by_themselves() {
    let output = run("verify gl-wire --up-to 8 --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let record = &value["statements"][0];
    assert_eq!(record["verdict"], "holds");
    assert_eq!(record["argued"], 1);
    let cases = record["cases"].as_array().unwrap();
    let outcomes: Vec<&str> = cases.iter().filter_map(|case| case["outcome"].as_str()).collect();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == "argued, not computed").count(), 1);
    assert_eq!(record["instances"], cases.len() - 1);
    let text = String::from_utf8(run("verify gl-wire --up-to 8").stdout).unwrap();
    assert!(
        text.contains(
            "; argued, not computed: the docs of crates/papers/src/gl/statements/wire.rs)"
        ),
        "{text}"
    );
    assert!(text.contains(" 0 open, 0 argued, 0 not applicable; "), "{text}");
}

/// Statements that speak of larger networks only.
const LARGER: &[&str] = &[
    "or-theorem-5",
    "or-theorem-5-all",
    "or-theorem-6",
    "or-theorem-6-wide",
    "or-figure-9-square",
    "or-table-1-higher",
    "or-uniform-traffic",
    "or-hot-spots",
    "go-bit-reversal",
    "lit-dor",
    "lit-romm",
    "lit-valiant",
    "lit-ival",
    "lit-balance",
    "lit-locality",
    "lit-overestimated",
];

/// Statements that take a second or so each on networks of 16 hosts, two thirds of the time of all: the full tier
/// checks them.
const DEAR: &[&str] = &[
    "or-lemma-8",
    "or-lemma-8-below",
    "nb-lemma-1",
    "nb-least-m",
    "gl-lemma-1",
    "gl-lemma-5",
    "gl-lemma-6",
    "gl-lemma-7-inequality",
    "gl-lemma-7-mended",
    "gl-figure-4",
    "gl-one-cycle",
    "gl-random-interleaved",
    "gl-valiant",
    "gl-theorem-8",
    "gl-theorem-8-up-to-2",
    "gl-theorem-10-cycles",
    "gl-greedy-upward",
    "gl-greedy-upward-drop",
    "gl-greedy-worst",
    "ro-random-cg",
    "ro-random-wrf",
    "ro-rnca-unbalanced",
    "ro-heuristic",
    "ro-roots-random",
    "lit-throughput",
];

fn in_this_tier() -> impl Iterator<Item = &'static Kind<&'static Statement>> {
    KINDS.iter().filter(|kind| cfg!(feature = "slow-tests") || !DEAR.contains(&kind.name))
}

#[test]
fn the_battery_is_as_expected_in_small_sizes() {
    let progress = Progress::silent();
    let scope = Scope::new(16, &progress);
    for kind in in_this_tier() {
        let found = verify(kind.build, &scope).unwrap();
        assert!(found.differences.is_empty(), "{}: {:?}", kind.name, found.differences);
        let speaks = found.verdict != Verdict::NotApplicable;
        assert_eq!(speaks, !LARGER.contains(&kind.name), "{}", kind.name);
        if kind.build.remark.is_some_and(|remark| remark.kind.expects_failure()) {
            // OSRM2 misses the bound from FT(6,2) on; the other is about 64 hosts.
            let shows = matches!(found.verdict, Verdict::Fails(_));
            let is_large = ["or-section-5a", "lit-locality"].contains(&kind.name);
            assert_eq!(shows, !is_large, "{}", kind.name);
        }
    }
}

/// A routing that is wrong about one SD pair: in the last up-digit of its first path.
struct OneWrongDigit {
    right: Arc<dyn Routing>,
    tree: Xgft,
    pair: (Host, Host),
}

impl OneWrongDigit {
    fn up_digits(&self, level: usize, mut number: u32) -> Vec<u32> {
        let mut up = vec![0; level];
        for (l, port) in up.iter_mut().enumerate().rev() {
            *port = number % self.tree.parents(l + 1);
            number /= self.tree.parents(l + 1);
        }
        up
    }

    /// The path that differs from `links` in the last digit, so in its nearest common ancestor.
    fn wrong(&self, s: Host, d: Host, links: &[LinkId]) -> Vec<LinkId> {
        let level = self.tree.nca_level(s, d);
        let path = |number: u32, turn: u32| {
            let mut up = self.up_digits(level, number);
            let ports = self.tree.parents(level);
            up[level - 1] = (up[level - 1] + turn) % ports;
            let mut links = Vec::new();
            self.tree.push_path(s, d, &up, &mut links);
            links
        };
        let number = (0..self.tree.shortest_paths(level)).find(|n| path(*n, 0) == links).unwrap();
        path(number, 1)
    }
}

impl Routing for OneWrongDigit {
    fn spec(&self) -> &str {
        self.right.spec()
    }

    fn is_single_path(&self) -> bool {
        self.right.is_single_path()
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        let mut first = (s, d) == self.pair;
        self.right.for_each_path(s, d, links, &mut |share, links| {
            let wrong = if first { self.wrong(s, d, links) } else { links.to_vec() };
            first = false;
            visit(share, &wrong);
        });
    }
}

/// Whether the battery notices that `routing` is wrong about one pair of `topology`.
fn notices(topology: &str, routing: &str, pair: (Host, Host)) -> bool {
    let hosts = generate(topology).unwrap().hosts();
    let broken = |instance: Instance| {
        let (network, right) = instance.into_parts();
        if network.spec() != topology || right.spec() != routing {
            return Instance::trusted(network, right);
        }
        let tree = network.tree().unwrap().clone();
        let routing: Box<dyn Routing> = Box::new(OneWrongDigit { right, tree, pair });
        Instance::trusted(network, routing)
    };
    let progress = Progress::silent();
    let scope = Scope::new(hosts, &progress).on(vec![topology.to_string()]).with_instances(&broken);
    let sees = |of: &&Statement| !matches!(of.subject, Subject::Cases { .. });
    let differs = |of: &'static Statement| !verify(of, &scope).unwrap().differences.is_empty();
    KINDS.iter().map(|entry| entry.build).filter(sees).any(differs)
}

/// A routing of which only the name is not known to any paper; nobody asks it for paths.
struct Nameless {
    is_single_path: bool,
}

impl Routing for Nameless {
    fn spec(&self) -> &'static str {
        "nameless"
    }

    fn is_single_path(&self) -> bool {
        self.is_single_path
    }

    fn for_each_path(
        &self,
        _: Host,
        _: Host,
        _: &mut Vec<LinkId>,
        _: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
    }
}

/// Whether some statement is about this routing in particular, not just about all of its sort.
fn is_spoken_of(routing: &dyn Routing, tree: &Topology) -> bool {
    let other = Nameless { is_single_path: routing.is_single_path() };
    KINDS.iter().any(|kind| match kind.build.subject {
        Subject::Instances { to, .. } => to(routing) && !to(&other),
        Subject::Ratio { bound: Bound { value, .. }, .. } => {
            value(tree, routing).is_some() && value(tree, &other).is_none()
        }
        _ => false,
    })
}

/// Trees on which a wrong digit is noticed: of three levels, of two, and one for routings without
/// contention.
const TREES: &[&str] = &["ft(4,3)", "ft(8,2)", "ftree(2,4,3)"];

/// A routing that no statement names may be wrong without any paper being wrong: random paths, k
/// shortest paths, what a file says. Their own tests know better.
#[test]
fn one_wrong_digit_of_any_routing_is_noticed() {
    assert!(!notices("ft(8,2)", "none", (0, 1)), "nothing is broken");
    let mut tried = Vec::new();
    for kind in routing::KINDS.iter().filter(|kind| !kind.takes_path()) {
        let spec = kind.examples.last().unwrap();
        let trees = TREES.iter().map(|tree| (*tree, generate(tree).unwrap()));
        let built =
            trees.filter_map(|(name, tree)| Some((name, routing::build(spec, &tree).ok()?, tree)));
        // What needs the link weights of a file, or coordinates, fits none of them.
        let Some((topology, routing, tree)) = built.into_iter().next() else {
            let has_coordinates = routing::build(spec, &generate("torus(3,2)").unwrap()).is_ok();
            assert!(has_coordinates || spec.contains("weights=file"), "{spec}");
            continue;
        };
        if !is_spoken_of(&*routing, &tree) {
            continue;
        }
        tried.push(kind.name);
        let last = host_number(tree.hosts()) - 1;
        let pairs = [(0, last), (1, last), (last, 0)];
        let some = if cfg!(feature = "slow-tests") { 3 } else { 1 };
        for pair in pairs.into_iter().take(some) {
            assert!(notices(topology, spec, pair), "{spec} on {topology}: {pair:?}");
        }
    }
    assert!(tried.len() >= 12 && tried.contains(&"yuan"), "{tried:?}");
    assert!(!tried.contains(&"random"), "any path of a pair is as right as any other");
}

#[test]
fn entries_are_complete() {
    for name in DEAR.iter().chain(LARGER) {
        assert!(KINDS.iter().any(|kind| kind.name == *name), "{name}");
    }
    for (at, kind) in KINDS.iter().enumerate() {
        assert!(KINDS[..at].iter().all(|other| other.name != kind.name), "{}", kind.name);
        assert!(kind.reference.starts_with('[') && !kind.build.hypothesis.is_empty());
        let is_recalled = kind.build.whose == Whose::Recalled;
        assert_eq!(kind.build.quote.is_empty(), is_recalled, "{}", kind.name);
    }
}

#[test]
fn the_verb_prints_one_record_a_statement() {
    let output = run("verify or-theorem-3 or-lemma-5 --up-to 8 --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let records = value["statements"].as_array().unwrap();
    assert_eq!(records.len(), 2);
    for record in records {
        assert_eq!(record["verdict"], "holds");
        assert!(record["instances"].as_u64().unwrap() > 0);
        assert!(record["evidence"].as_str().unwrap().starts_with("proven on "));
        assert!(record["source"].as_str().unwrap().starts_with("[OR]"));
    }
}

#[test]
fn the_verb_does_not_depend_on_threads() {
    for line in [
        "verify or-theorem-3 or-lemma-2 --up-to 16 --cases",
        "verify or-theorem-4 or-table-1-mod-k --on ft(4,2) --adversaries",
    ] {
        let output = |threads: &str| run(&format!("{line} --threads {threads}")).stdout;
        assert!(output("1") == output("4"), "{line}");
    }
}

/// `--adversaries` adds what searches found next to the exact verdict: a record, a line of text, a line of the page.
#[test]
fn adversaries_stand_beside_the_exact_verdict() {
    let line = "verify or-theorem-7 or-lemma-5 --on ft(4,3) --adversaries";
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.md");
    let output = run(&format!("{line} --json --save-markdown {}", page.display()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let (theorem, lemma) = (&value["statements"][0], &value["statements"][1]);
    assert_eq!(theorem["empirically"]["reached"], 1);
    assert_eq!(theorem["empirically"]["broken"], serde_json::json!([]));
    assert_eq!(theorem["empirically"]["seed"], 1);
    assert!(theorem["empirically"]["evaluations"].as_u64() > Some(1000));
    assert!(lemma.get("empirically").is_none(), "the lemma bounds no ratio");
    assert_eq!(value["attacks"]["left_out"], "matching");
    assert_eq!(value["attacks"]["evaluations"], theorem["empirically"]["evaluations"]);
    let text = String::from_utf8(run(line).stdout).unwrap();
    assert!(text.contains("  empirically: reached on 1 of 1, broken on none; "), "{text}");
    assert!(text.contains("\n1 instances attacked once each, "), "{text}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("\n  Empirically reached on 1 of 1, "), "{page}");
    assert!(
        page.contains("\n*Empirically*: ") && page.contains("matching is left out, "),
        "{page}"
    );
}

#[test]
fn the_verb_has_its_exit_codes() {
    let unknown = run("verify or-lema-5");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("did you mean `or-lemma-5`"));
    assert_eq!(run("verify --up-to 1").status.code(), Some(2));
    assert_eq!(run("verify --time-limit 0").status.code(), Some(3));
}

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name);
    fs::read_to_string(path).unwrap()
}

/// Every command in `results/errata.md` runs. Statements are stopped at once, which shows that they are there;
/// `the_battery_is_as_expected_in_small_sizes` judges them. The full tier judges them here, too, in sizes so small that
/// they take no time.
#[test]
fn the_commands_of_the_errata_run() {
    let errata = page("errata.md");
    let lines: Vec<&str> =
        errata.lines().filter_map(|line| line.strip_prefix("    routebound ")).collect();
    assert!(lines.len() >= 14, "{}", lines.len());
    let folder = tempfile::tempdir().unwrap();
    for shown in ["results", "instances"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        std::os::unix::fs::symlink(root.join(shown), folder.path().join(shown)).unwrap();
    }
    for line in lines {
        // Seconds of a search that `synth::searches` and a page run.
        if line == "synth 'ft(4,4)' --method local --ratio 3 --seed 7" {
            continue;
        }
        let mut words: Vec<&str> = line.split(' ').map(|word| word.trim_matches('\'')).collect();
        let mut codes = &[0][..];
        if words[0] == "verify" && cfg!(feature = "slow-tests") {
            words.extend(["--up-to", "8"]);
        } else if words[0] == "verify" {
            words.extend(["--time-limit", "0"]);
            codes = &[0, 3];
        }
        let program = env!("CARGO_BIN_EXE_routebound");
        let output =
            Command::new(program).args(&words).current_dir(folder.path()).output().unwrap();
        let is_expected = output.status.code().is_some_and(|code| codes.contains(&code));
        assert!(is_expected, "{line}: {output:?}");
    }
    for kind in KINDS.iter().filter(|kind| kind.build.remark.is_some()) {
        assert!(errata.contains(kind.name), "{} is not explained", kind.name);
    }
}

/// `results/theorems.md` has every statement, in order, with what is expected of it.
#[test]
fn the_table_of_statements_is_complete() {
    let page = page("theorems.md");
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<Vec<&str>> = rows
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>())
        .filter(|row| row[0] != "name")
        .collect();
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>());
    for (row, kind) in rows.iter().zip(KINDS) {
        let (Statement { whose, remark, .. }, verdict) = (kind.build, row[1]);
        assert_eq!(row[2], remark.map_or("", |remark| remark.kind.name()), "{}", kind.name);
        let expected = match remark.map(|remark| remark.kind) {
            None => verdict == "holds",
            Some(RemarkKind::CanBeSharpened) => ["holds", "loose"].contains(&verdict),
            Some(_) => verdict == "fails",
        };
        assert!(expected, "{}: {verdict}", kind.name);
        let head =
            format!("- `{}` ({}; {}): {}.", kind.name, kind.reference, whose.name(), kind.about);
        let (_, details) = page.split_once(&head).unwrap_or_else(|| panic!("no {head}"));
        let mut details = details.lines().skip(1).take_while(|line| line.starts_with("  "));
        let tried = details.find(|line| line.starts_with("  Empirically reached on "));
        // A ratio of 1 is not searched for, as any traffic has it.
        let is_searched = is_bound(kind.name) && kind.name != "or-perf";
        assert_eq!(tried.is_some(), is_searched, "{}: {tried:?}", kind.name);
        let broken = tried.is_some_and(|tried| !tried.contains(", broken on none; "));
        assert!(!broken || verdict == "fails", "{}: {tried:?}", kind.name);
    }
}

/// Verdicts, counts and evidence of `results/theorems.md` are what `verify` finds; what adversaries found is not
/// looked for again.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes")]
fn the_page_of_statements_is_what_is_found() {
    let sections = |text: &str| {
        let lines = text.lines().skip_while(|line| !line.starts_with("## "));
        lines
            .filter(|line| !line.starts_with("  Empirically "))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let found = run("verify --save-markdown - --quiet");
    assert_eq!(found.status.code(), Some(0), "{found:?}");
    let found = sections(&String::from_utf8(found.stdout).unwrap());
    assert!(found.len() > 2 * KINDS.len());
    for (found, committed) in found.iter().zip(sections(&page("theorems.md"))) {
        assert_eq!(*found, committed);
    }
    assert_eq!(found.len(), sections(&page("theorems.md")).len());
}

/// A check that cannot fail proves nothing. By default this is every third of the statements above, in the full tier
/// each.
#[test]
fn every_planted_falsehood_is_noticed() {
    let progress = Progress::silent();
    // Most show on networks of eight hosts.
    let scopes = [8, 16].map(|hosts| Scope::new(hosts, &progress));
    let is_missed =
        |scope: &Scope<'_>, statement| planted::notice(statement, scope).unwrap().is_none();
    let step = if cfg!(feature = "slow-tests") { 1 } else { 3 };
    let missed: Vec<&str> = in_this_tier()
        .step_by(step)
        .filter(|kind| scopes.iter().all(|scope| is_missed(scope, kind.build)))
        .map(|kind| kind.name)
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// Quotes are genuine: the words are in the transcript of the paper, up to white space.
#[test]
fn every_quote_is_printed() {
    const PAPERS: [(&str, &str); 5] =
        [("[OR]", "000_"), ("[GL]", "001_"), ("[GO]", "002_"), ("[NB]", "003_"), ("[RO]", "004_")];
    let Some(folder) = super::collection::collection("papers") else { return };
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (paper, prefix) in PAPERS {
        let starts = |path: &&std::path::PathBuf| {
            path.file_name().unwrap().to_str().unwrap().starts_with(prefix)
        };
        let text = words(&fs::read_to_string(files.iter().find(starts).unwrap()).unwrap());
        for kind in KINDS.iter().filter(|kind| kind.reference.starts_with(paper)) {
            // Omitted words are shown as three dots.
            for part in kind.build.quote.split(" ... ") {
                assert!(text.contains(&words(part)), "{}: {part}", kind.name);
            }
            assert!(kind.build.quote.len() >= 10, "{}", kind.name);
        }
    }
}
