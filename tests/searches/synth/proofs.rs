//! Proofs of the least ratio: accepted as they are, refused when anything is changed.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use routebound::assessment::{Assess, assess};
use routebound::certificate::{
    self, Certificate, LratRefutation, Optimality, Quantity, Refutation, SinglePath,
    WorstCaseCertificate,
};
use routebound::generators::Named;
use routebound::generators::checker::{
    BadFile, BadTree, Check, Refusal, RefutationClaim, Tree, check_refutation,
};
use routebound::progress::Progress;
use routebound::synth::{Method, OptimalAssessment, Options, folder, least_ratio};
use routebound::topology::generate;

fn proven(spec: &str, method: Method) -> OptimalAssessment {
    let quantity = Quantity::PermutationLoad;
    let options = Options { quantity, method, stem: "p".into(), ..Options::default() };
    least_ratio(&generate(spec).unwrap(), &options, &Progress::silent()).unwrap()
}

fn parts(found: &OptimalAssessment) -> (WorstCaseCertificate, SinglePath) {
    let Some(Certificate::WorstCase(whole)) = &found.certificate else { panic!("no certificate") };
    let Some(Optimality::SinglePath(record)) = &whole.optimality else { panic!("no bound") };
    (whole.clone(), record.clone())
}

/// Why the certificate is refused with another record.
fn refusal(whole: &WorstCaseCertificate, record: SinglePath, folder: &Path) -> Refusal {
    let optimality = Some(Optimality::SinglePath(record));
    let changed = WorstCaseCertificate { optimality, ..whole.clone() };
    Check::new(&Named).folder(folder).run(&Certificate::WorstCase(changed)).unwrap_err()
}

/// The reason to refuse the formula or the proof after `change` of the file.
fn refused_file(
    found: &OptimalAssessment,
    name: &str,
    change: impl Fn(Vec<String>) -> Vec<String>,
) -> String {
    let copy = tempfile::tempdir().unwrap();
    for file in ["p.cnf", "p.lrat"] {
        fs::copy(folder(found).join(file), copy.path().join(file)).unwrap();
    }
    let path = copy.path().join(name);
    let text = fs::read_to_string(&path).unwrap();
    let lines = change(text.lines().map(str::to_string).collect());
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let check = Check::new(&Named).folder(copy.path());
    let refused = check.run(found.certificate.as_ref().unwrap()).unwrap_err();
    let of_file = match &refused {
        Refusal::File(BadFile::Formula { file, .. }) => name == "p.cnf" && file.as_str() == name,
        Refusal::File(BadFile::Proof { file, .. }) => name == "p.lrat" && file.as_str() == name,
        _ => false,
    };
    assert!(of_file, "{refused}");
    refused.to_string()
}

/// Place of the step with this number.
fn place(lines: &[String], number: &str) -> usize {
    let is_step = |line: &String| {
        let mut words = line.split(' ');
        words.next() == Some(number) && words.next() != Some("d")
    };
    lines.iter().position(is_step).unwrap()
}

/// A derived clause that the last step needs.
fn needed(lines: &[String], clauses: usize) -> usize {
    let last = lines.iter().rfind(|line| !line.contains(" d ")).unwrap();
    let mut hints = last.split(' ').skip(2).map(|word| word.parse::<usize>().unwrap());
    let hint = hints.find(|hint| *hint > clauses).unwrap();
    place(lines, &hint.to_string())
}

#[test]
fn a_proof_with_one_step_removed_or_changed_is_refused() {
    let found = proven("ftree(2,3,3)", Method::Formula);
    let formula = fs::read_to_string(folder(&found).join("p.cnf")).unwrap();
    let clauses = formula.lines().filter(|line| line.ends_with(" 0")).count();
    let removed = refused_file(&found, "p.lrat", |mut lines| {
        lines.remove(needed(&lines, clauses));
        lines
    });
    assert!(removed.contains("there is no clause"), "{removed}");
    let unfinished = refused_file(&found, "p.lrat", |mut lines| {
        lines.retain(|line| line.split(' ').nth(1) != Some("0"));
        lines
    });
    assert!(unfinished.contains("without the empty clause"), "{unfinished}");
    // The hints of a step in reverse.
    let reversed = refused_file(&found, "p.lrat", |mut lines| {
        let at = needed(&lines, clauses);
        let (head, hints) = lines[at].split_once(" 0 ").unwrap();
        let mut hints: Vec<&str> = hints.trim_end_matches(" 0").split(' ').collect();
        hints.pop();
        lines[at] = format!("{head} 0 {} 0", hints.join(" "));
        lines
    });
    assert!(reversed.contains("step"), "{reversed}");
    refused_file(&found, "p.lrat", |_| vec!["9999 0 1 0".into()]);
    refused_file(&found, "p.lrat", |_| Vec::new());
}

/// The DRAT proof is the LRAT proof without numbers and hints, step by step.
#[test]
fn the_proof_is_written_in_both_formats() {
    let found = proven("ftree(2,3,3)", Method::Formula);
    let read = |name| fs::read_to_string(folder(&found).join(name)).unwrap();
    let (lrat, drat, formula) = (read("p.lrat"), read("p.drat"), read("p.cnf"));
    let given = formula.lines().filter(|line| line.ends_with(" 0"));
    let mut clauses: HashMap<String, String> =
        given.enumerate().map(|(at, clause)| ((at + 1).to_string(), sorted(clause))).collect();
    assert_eq!(lrat.lines().count(), drat.lines().count());
    for (with_hints, step) in lrat.lines().zip(drat.lines()) {
        let (number, rest) = with_hints.split_once(' ').unwrap();
        if let Some(deleted) = rest.strip_prefix("d ") {
            let deleted = clauses.remove(deleted.trim_end_matches(" 0")).unwrap();
            assert_eq!(sorted(step.strip_prefix("d ").unwrap()), deleted);
        } else {
            let clause = rest.split(' ').take_while(|word| *word != "0").collect::<Vec<_>>();
            assert_eq!(sorted(&clause.join(" ")), sorted(step));
            clauses.insert(number.to_string(), sorted(step));
        }
    }
    assert!(drat.lines().any(|line| line == "0"), "the empty clause is derived");
}

fn sorted(clause: &str) -> String {
    let mut literals: Vec<&str> = clause.split(' ').filter(|word| *word != "0").collect();
    literals.sort_unstable();
    literals.join(" ")
}

#[test]
fn another_formula_is_refused() {
    let found = proven("ftree(2,3,3)", Method::Formula);
    let clause = |lines: &[String]| lines.iter().position(|line| line.starts_with('-')).unwrap();
    for change in [
        // One clause less, one more, one changed, another header, nothing.
        |mut lines: Vec<String>, at: usize| {
            lines.remove(at);
            lines
        },
        |mut lines: Vec<String>, _: usize| {
            lines.push("1 0".into());
            lines
        },
        |mut lines: Vec<String>, at: usize| {
            lines[at] = lines[at].replacen('-', "", 1);
            lines
        },
        |mut lines: Vec<String>, _: usize| {
            lines[1] = "p cnf 1 1".into();
            lines
        },
        |_: Vec<String>, _: usize| Vec::new(),
    ] {
        let refused = refused_file(&found, "p.cnf", |lines| {
            let at = clause(&lines);
            change(lines, at)
        });
        assert!(refused.contains("differs from the encoding"), "{refused}");
    }
}

#[test]
fn a_proof_proves_nothing_else() {
    let found = proven("ftree(2,3,3)", Method::Formula);
    let (whole, record) = parts(&found);
    let here = folder(&found);
    let Refutation::Lrat(good) = &record.refutation else { panic!("a formula") };
    let changed = |change: &dyn Fn(&mut LratRefutation)| {
        let mut refuted = good.clone();
        change(&mut refuted);
        let refutation = Refutation::Lrat(refuted);
        refusal(&whole, SinglePath { refutation, ..record.clone() }, here)
    };
    for refused in [
        changed(&|refuted| refuted.ordered = 0),
        changed(&|refuted| refuted.ordered = 3),
        changed(&|refuted| refuted.first_step = 1),
        changed(&|refuted| refuted.kept = vec![1, 3]),
        changed(&|refuted| refuted.formula = "none".into()),
        changed(&|refuted| refuted.formula = "../p.cnf".into()),
    ] {
        assert!(matches!(refused, Refusal::File(BadFile::Formula { .. })), "{refused}");
    }
    for refused in [
        changed(&|refuted| refuted.kept = vec![3, 3]),
        changed(&|refuted| refuted.kept = vec![0, 3]),
        changed(&|refuted| refuted.kept = vec![2]),
        changed(&|refuted| refuted.first_step = 0),
        changed(&|refuted| refuted.first_step = 3),
    ] {
        assert_eq!(refused, Refusal::Tree(BadTree::NoPart));
    }
    assert!(matches!(changed(&|r| r.proof = "none".into()), Refusal::File(BadFile::Proof { .. })));
    // A higher bound than the routing has, or than the formula is about.
    let higher = SinglePath { lower: 3, ..record.clone() };
    assert!(matches!(refusal(&whole, higher, here), Refusal::EmptyClaim { .. }));
    let trivial = SinglePath { refutation: Refutation::Trivial, ..record.clone() };
    assert_eq!(refusal(&whole, trivial, here), Refusal::Tree(BadTree::NotTrivial));
    let hose = SinglePath { quantity: Quantity::HoseLoad, ..record };
    assert!(matches!(refusal(&whole, hose, here), Refusal::Tree(BadTree::SinglePathOfNothing(_))));
}

#[test]
fn counts_that_do_not_suffice_are_refused() {
    let found = proven("ft(6,2)", Method::Count);
    let (whole, record) = parts(&found);
    let here = Path::new("");
    let with = |refutation| refusal(&whole, SinglePath { refutation, ..record.clone() }, here);
    assert_eq!(with(Refutation::Count { height: 0 }), Refusal::Tree(BadTree::BadHeight(0)));
    assert_eq!(with(Refutation::Count { height: 2 }), Refusal::Tree(BadTree::BadHeight(2)));
    assert_eq!(with(Refutation::Nested { low: 1, high: 1 }), Refusal::Tree(BadTree::BadHeight(1)));
    let found = proven("ftree(2,4,4)", Method::Count);
    let (whole, record) = parts(&found);
    assert_eq!(record.lower, 1);
    let high = SinglePath { lower: 2, refutation: Refutation::Count { height: 1 }, ..record };
    let mut claims = whole;
    claims.claims.iter_mut().for_each(|claim| claim.upper = 2_u64.into());
    let refused = refusal(&claims, high, here);
    assert_eq!(refused, Refusal::Tree(BadTree::CountTooHigh { carried: 48, wanted: 48 }));
}

#[test]
fn routings_of_several_paths_and_networks_without_labels_are_refused() {
    let found = proven("ftree(2,3,3)", Method::Count);
    let (whole, record) = parts(&found);
    let instance = routebound::routing::Instance::named("ftree(2,3,3)", "omrmn").unwrap();
    let many = assess(&instance).unwrap();
    let Ok(Certificate::WorstCase(many)) = many.certificate else { panic!("no certificate") };
    let trivial = SinglePath { lower: 1, refutation: Refutation::Trivial, ..record.clone() };
    let here = Path::new("");
    let refused = refusal(&many, trivial, here);
    assert!(matches!(refused, Refusal::Tree(BadTree::NotSinglePath { .. })), "{refused}");
    let instance = routebound::routing::Instance::named("ftree(2,3,3)", "dmodk").unwrap();
    let plain = Assess::new().embedded().run(&instance).unwrap();
    let Ok(Certificate::WorstCase(plain)) = plain.certificate else { panic!("no certificate") };
    assert_eq!(refusal(&plain, record, here), Refusal::Tree(BadTree::NoTree));
    drop(whole);
}

/// Counts know what subtrees cover, formulas do not.
#[test]
fn slimmed_trees_are_refuted_by_formulas_only_where_hosts_alone_cover() {
    let topology = generate("xgft(3;4,4,4;1,2,4)").unwrap();
    let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
    let check = |quantity, ratio, refutation: &Refutation| {
        let claim = RefutationClaim { tree, quantity, ratio, refutation, folder: "".as_ref() };
        check_refutation(claim, &Progress::silent())
    };
    let (one, two) = (Refutation::Count { height: 1 }, Refutation::Count { height: 2 });
    assert!(check(Quantity::ObliviousRatio, 1, &one).is_ok());
    let all = Refusal::Tree(BadTree::CountTooHigh { carried: 7680, wanted: 3840 });
    assert_eq!(check(Quantity::ObliviousRatio, 2, &one), Err(all));
    assert!(check(Quantity::ObliviousRatio, 2, &two).is_ok());
    assert!(check(Quantity::PermutationLoad, 2, &one).is_ok());
    let formula = Refutation::Lrat(Box::new(LratRefutation {
        kept: vec![4, 4, 4],
        first_step: 1,
        ordered: 0,
        formula: "none.cnf".to_string(),
        proof: "none.lrat".to_string(),
    }));
    let covered = Refusal::Tree(BadTree::CoveredBySubtrees { height: 1, ratio: 2 });
    assert_eq!(check(Quantity::ObliviousRatio, 2, &formula), Err(covered));
}

#[test]
fn records_are_read_as_they_are_written() {
    for method in [Method::Count, Method::Formula] {
        let found = proven("ftree(2,3,3)", method);
        let whole = found.certificate.unwrap();
        let mut text = Vec::new();
        certificate::write(&whole, &mut text).unwrap();
        assert_eq!(certificate::read(text.as_slice()).unwrap(), whole);
    }
    let text = |record: &str| {
        format!(
            "routebound-certificate 1\ntopology ft(4,2)\nrouting dmodk\n\
        claim oblivious-ratio 2 2\nwitness 0 1\nroute even\n{record}\nend\n"
        )
    };
    for (record, reason) in [
        ("single-path oblivious-ratio", "wrong number of words"),
        ("single-path optu 1 trivial", "expected oblivious-ratio or permutation-load"),
        ("single-path oblivious-ratio x trivial", "not a non-negative integer"),
        ("single-path oblivious-ratio 2 count", "wrong number of words"),
        ("single-path oblivious-ratio 2 lrat 2,x 1 1 a b", "not a non-negative integer"),
        ("single-path oblivious-ratio 2 guess", "wrong number of words"),
    ] {
        let refused = certificate::read(text(record).as_bytes()).unwrap_err().to_string();
        assert!(refused.contains(reason), "{record}: {refused}");
    }
}
