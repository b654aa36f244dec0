//! Options: the usage of an entry defines them, and its builder reads every one. That no spec has others, and that the
//! words of a usage are those of the type that is read, holds for all: see `Spec::checked` and `Spec::read`.

use routebound::adversary;
use routebound::registry::Kind;
use routebound::simulation::{adaptive, delivery, workload};
use routebound::spec::Spec;
use routebound::topology::{self, Topology};
use routebound::{routing, traffic};

use super::{Verdict, assert_found, ensure, networks, with_option};

/// Checks that an option whose value nobody can mean is refused where the example is built.
fn check<B>(kind: &Kind<B>, build: &dyn Fn(&B, &Spec) -> Verdict) -> Verdict {
    let verdict = |spec: Spec| {
        let spec = spec.checked(kind.usage).map_err(|error| error.to_string())?;
        build(&kind.build, &spec)
    };
    for key in kind.keys() {
        let mut examples = kind.examples.iter().filter(|example| {
            verdict(Spec::parse(example).unwrap()).is_ok()
                && verdict(with_option(example, key, "?")).is_err()
        });
        ensure(examples.next().is_some(), || format!("{}: `{key}` is not read", kind.name))?;
    }
    Ok(())
}

/// Whether all entries pass; `build` tells whether a spec is built.
fn check_all<B, T, E: ToString>(kinds: &[Kind<B>], build: impl Fn(&B, &Spec) -> Result<T, E>) {
    for kind in kinds {
        let build = |entry: &B, spec: &Spec| {
            build(entry, spec).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(check(kind, &build), Ok(()));
    }
}

/// On the first network where it is built.
fn on_any<T, E>(
    networks: &[Topology],
    build: impl Fn(&Topology) -> Result<T, E>,
) -> Result<T, &'static str> {
    networks.iter().find_map(|network| build(network).ok()).ok_or("it fits no network")
}

#[test]
fn options_are_read() {
    let networks = networks();
    check_all(topology::KINDS, topology::Family::build);
    check_all(routing::KINDS, |family, spec| {
        on_any(&networks, |network| (family.build)(spec, network))
    });
    check_all(traffic::KINDS, |pattern, spec| (pattern.build)(spec, 256));
    check_all(adversary::KINDS, |method, spec| (method.build)(spec));
    check_all(adversary::pattern::KINDS, |method, spec| (method.build)(spec));
    check_all(adversary::delivery::KINDS, |method, spec| (method.build)(spec));
    check_all(adaptive::KINDS, |build, spec| {
        let trees = ["ftree(2,6,3)", "kary(2,2)"].map(|tree| topology::generate(tree).unwrap());
        on_any(&trees, |tree| build(spec, tree))
    });
    let congestion = Some(2.into());
    let facts = delivery::algorithm::Facts { processors: 16, messages: 256, congestion };
    check_all(delivery::algorithm::ALGORITHMS, |build, spec| build(spec, &facts));
    let ends = delivery::sets::Ends { processors: 256, outside: Some(256) };
    check_all(delivery::sets::SETS, |build, spec| build(spec, ends));
    check_all(workload::collectives::COLLECTIVES, |build, spec| build(spec, 8));
    check_all(workload::traces::TRACES, |build, spec| build(spec, 128));
}

#[test]
fn planted_bugs_are_found() {
    let right = *traffic::KINDS.iter().find(|kind| kind.name == "permutation").unwrap();
    let build = |pattern: &traffic::Pattern, spec: &Spec| {
        (pattern.build)(spec, 8).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(check(&right, &build), Ok(()));
    let promised = Kind { usage: "permutation(seed=1,tasks=K)", ..right };
    assert_found(check(&promised, &build), "`tasks` is not read");
    let mut lax = right;
    lax.build.build = |_, hosts| traffic::generate("permutation", hosts);
    assert_found(check(&lax, &build), "`seed` is not read");
}
