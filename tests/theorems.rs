//! The theorem battery: verdicts are computed, errata are found again, a broken routing is
//! noticed.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::process::{Command, Output};

use routebound::progress::Progress;
use routebound::ratio::Ratio;
use routebound::registry::Kind;
use routebound::routing::Instance;
use routebound::theorem::{
    Counterexample, Erratum, Finding, Flaw, KINDS, Scope, Statement, Subject, TheoremError,
    Verdict, Verified, oblivious, shape, verify,
};
use routebound::{certificate, checker};

fn run(line: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    Command::new(program).args(line.split(' ')).current_dir(folder.path()).output().unwrap()
}

fn verified(kind: &'static Kind<Statement>, hosts: usize) -> Verified {
    verify(kind, &Scope::new(hosts, &Progress::silent())).unwrap()
}

/// D-mod-k is said to be twice as good as it is.
fn half_of_dmodk(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let (m, _) = shape::ft(&instance.topology).unwrap();
    Ok(vec![oblivious::equals(instance, scope, &Ratio::new(m.into(), 4).unwrap())?])
}

const fn planted(erratum: Option<Erratum>) -> Kind<Statement> {
    Kind {
        name: "planted",
        usage: "planted",
        about: "PERF(D-mod-k) = m/4 on FT(m,2)",
        reference: "nowhere",
        examples: &["planted"],
        build: Statement {
            hypothesis: "dmodk on FT(m,2)",
            subject: Subject::Instances {
                applies: |tree| matches!(shape::ft(tree), Some((4.., 2))),
                to: |routing| routing.spec() == "dmodk",
                check: half_of_dmodk,
            },
            erratum,
        },
    }
}

const fn erratum(flaw: Flaw, on: fn(&str) -> bool) -> Erratum {
    Erratum { flaw, says: "it is m/2", on }
}

const FALSE: Kind<Statement> = planted(None);
const KNOWN: Kind<Statement> = planted(Some(erratum(Flaw::Wrong, |_| true)));
const PARTLY_KNOWN: Kind<Statement> =
    planted(Some(erratum(Flaw::Wrong, |case| case.ends_with("(6,2)"))));

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

fn all_of_dmodk(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let (m, _) = shape::ft(&instance.topology).unwrap();
    Ok(vec![oblivious::at_most(instance, scope, &u64::from(m / 2).into())?])
}

const fn true_with(erratum: Option<Erratum>) -> Kind<Statement> {
    let Kind { name, usage, about, reference, examples, build } = planted(erratum);
    let Subject::Instances { applies, to, .. } = build.subject else { unreachable!() };
    let subject = Subject::Instances { applies, to, check: all_of_dmodk };
    Kind { name, usage, about, reference, examples, build: Statement { subject, ..build } }
}

const HOLDS_NOW: Kind<Statement> = true_with(Some(erratum(Flaw::Wrong, |_| true)));
const TIGHT_NOW: Kind<Statement> = true_with(Some(erratum(Flaw::Loose, |_| true)));

#[test]
fn an_erratum_that_holds_is_a_difference() {
    for kind in [&HOLDS_NOW, &TIGHT_NOW] {
        let found = verified(kind, 32);
        assert_eq!((found.verdict, found.differences.len()), (Verdict::Holds, 3));
    }
}

#[test]
fn the_battery_is_as_expected_in_small_sizes() {
    let progress = Progress::silent();
    let scope = Scope::new(16, &progress);
    for kind in KINDS {
        let found = verify(kind, &scope).unwrap();
        assert!(found.differences.is_empty(), "{}: {:?}", kind.name, found.differences);
        assert_ne!(found.verdict, Verdict::NotApplicable, "{}", kind.name);
    }
}

#[test]
fn entries_are_complete() {
    for (at, kind) in KINDS.iter().enumerate() {
        assert!(KINDS[..at].iter().all(|other| other.name != kind.name), "{}", kind.name);
        assert!(kind.usage == kind.name && !kind.examples.is_empty(), "{}", kind.name);
        assert!(kind.reference.starts_with('[') && !kind.build.hypothesis.is_empty());
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
    let output = |threads: &str| {
        let line = format!("verify or-theorem-3 or-lemma-2 --up-to 16 --cases --threads {threads}");
        run(&line).stdout
    };
    assert!(output("1") == output("4"));
}

#[test]
fn the_verb_has_its_exit_codes() {
    let unknown = run("verify or-lema-5");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("did you mean `or-lemma-5`"));
    assert_eq!(run("verify --up-to 1").status.code(), Some(2));
    assert_eq!(run("verify --time-limit 0").status.code(), Some(3));
}
