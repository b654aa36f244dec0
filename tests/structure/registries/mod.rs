//! Every entry of every registry keeps what its kind promises. An entry is tested because it is
//! registered, with no further line anywhere.
//!
//! A check takes one entry and says what is wrong with it. Beside the checks are entries with one
//! planted bug each, which the check has to find: a check that finds nothing is not a check.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod adversaries;
mod digits;
mod formats;
mod options;
mod patterns;
mod routings;
mod topologies;
mod traffic;

use std::collections::BTreeSet;
use std::fmt::Debug;

use routebound::import::{self, ImportOptions};
use routebound::registry::Kind;
use routebound::simulation::{delivery, packet, workload};
use routebound::spec::Spec;
use routebound::topology::{self, Topology};
use routebound::{adversary, export, routing, study, theorem};

/// What is wrong with an entry.
type Verdict = Result<(), String>;

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(problem()) }
}

/// Whether the check finds the bug, in these words.
fn assert_found(verdict: Verdict, words: &str) {
    let problem = verdict.expect_err(words);
    assert!(problem.contains(words), "wanted `{words}`, found: {problem}");
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// The example networks of all families.
fn generated() -> Vec<Topology> {
    let specs = topology::KINDS.iter().flat_map(|kind| kind.examples);
    specs.map(|spec| topology::generate(spec).unwrap()).collect()
}

/// The example networks of all families and file formats.
fn networks() -> Vec<Topology> {
    let paths = import::KINDS
        .iter()
        .flat_map(|kind| kind.examples)
        .copied()
        .chain([import::EXAMPLE_OF_PLANES]);
    let imported = paths.map(|path| import::topology(path, &ImportOptions::default()).unwrap());
    generated().into_iter().chain(imported).collect()
}

/// The spec with another value of the option, or with the option.
fn with_option(spec: &str, key: &str, value: &str) -> Spec {
    let mut spec = Spec::parse(spec).unwrap();
    spec.options.retain(|(known, _)| known != key);
    spec.options.push((key.to_string(), value.to_string()));
    spec
}

/// Whether what the seeds of one entry give differs.
fn differ<T: PartialEq>(values: &[T]) -> bool {
    values.iter().any(|value| *value != values[0])
}

/// Names are distinct and can be written in a spec, usages begin with them, nothing is empty.
fn check_descriptions<B>(kinds: &[Kind<B>]) -> Verdict {
    let mut names = BTreeSet::new();
    for kind in kinds {
        let name = kind.name;
        ensure(names.insert(name), || format!("{name}: another entry has that name"))?;
        let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        ensure(name.chars().all(word), || format!("{name}: not a lower-case name"))?;
        ensure(!kind.about.is_empty(), || format!("{name}: say in a line what it is"))?;
        ensure(!kind.reference.is_empty(), || format!("{name}: say where it is defined"))?;
        ensure(!kind.examples.is_empty(), || format!("{name}: there is no example"))?;
    }
    Ok(())
}

/// The same, and every example is a spec of that name.
fn check_specs<B>(kinds: &[Kind<B>]) -> Verdict {
    check_descriptions(kinds)?;
    for kind in kinds {
        let name = kind.name;
        ensure(kind.usage.starts_with(name), || format!("{name}: its usage is another's"))?;
        for example in kind.examples {
            let spec = Spec::parse(example).map_err(|error| error.to_string())?;
            ensure(spec.name == name, || format!("{name}: `{example}` is an example of another"))?;
        }
    }
    Ok(())
}

#[test]
fn entries_are_described() {
    let checks = [
        check_specs(topology::KINDS),
        check_specs(routing::KINDS),
        check_specs(routebound::traffic::KINDS),
        check_specs(adversary::KINDS),
        check_specs(adversary::pattern::KINDS),
        check_specs(adversary::delivery::KINDS),
        check_specs(routebound::simulation::adaptive::KINDS),
        check_specs(delivery::algorithm::ALGORITHMS),
        check_specs(delivery::loss::LOSSES),
        check_specs(delivery::sets::SETS),
        check_specs(packet::select::SELECTIONS),
        check_specs(workload::collectives::COLLECTIVES),
        check_specs(workload::traces::TRACES),
        check_specs(routebound::jobs::collectives::COLLECTIVES),
        check_specs(routebound::jobs::launch::FILES),
        check_descriptions(import::KINDS),
        check_descriptions(import::TABLE_KINDS),
        check_descriptions(import::traffic::FORMATS),
        check_descriptions(export::EXPORTS),
        check_descriptions(export::ROUTED_EXPORTS),
        check_descriptions(export::traffic::FORMATS),
        check_descriptions(theorem::KINDS),
        check_descriptions(study::KINDS),
    ];
    for verdict in checks {
        assert_eq!(verdict, Ok(()));
    }
}

#[test]
fn a_wrong_description_is_found() {
    let right = topology::KINDS[0];
    assert_found(check_specs(&[right, right]), "another entry has that name");
    assert_found(check_specs(&[Kind { examples: &[], ..right }]), "there is no example");
    let other = topology::KINDS[1];
    assert_found(check_specs(&[Kind { examples: other.examples, ..right }]), "of another");
    assert_found(check_specs(&[Kind { usage: other.usage, ..right }]), "usage is another's");
    assert_found(check_specs(&[Kind { name: "F T", ..right }]), "not a lower-case name");
}

/// Differences of what was found twice.
fn ensure_same<T: PartialEq + Debug>(found: &[T; 2], what: impl FnOnce() -> String) -> Verdict {
    let [one, other] = found;
    ensure(one == other, what)
}
