//! Options: what an entry lists is what its usage shows and what its builder takes, and nothing
//! else.

use std::collections::BTreeSet;

use routebound::registry::Kind;
use routebound::simulation::{adaptive, workload};
use routebound::spec::Spec;
use routebound::topology::{Family, Topology};
use routebound::{adversary, import, routing, topology, traffic};

use super::{Verdict, assert_found, ensure, networks, with_option};

/// The keys and values of `key=value` in a usage, in order; alternatives are several values.
fn shown(usage: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let parts: Vec<&str> = usage.split('=').collect();
    for two in parts.windows(2) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let key = two[0].rsplit(|c| !word(c)).next().unwrap_or_default().to_string();
        let end = two[1].find([',', ')']).unwrap_or(two[1].len());
        let values = two[1][..end].split('|').map(|value| value.trim_matches('"').to_string());
        if found.iter().all(|(known, _)| *known != key) {
            found.push((key, values.collect()));
        }
    }
    found
}

/// Checks an entry; `build` says what the builder says of a spec, in any of its contexts.
fn check<B>(kind: &Kind<B>, build: &dyn Fn(&B, &Spec) -> Verdict, foreign: &[&str]) -> Verdict {
    let in_usage = shown(kind.usage);
    let keys: Vec<&str> = in_usage.iter().map(|(key, _)| key.as_str()).collect();
    ensure(keys == kind.options, || {
        format!("{}: it lists {:?}, its usage shows {keys:?}", kind.name, kind.options)
    })?;
    for (key, values) in &in_usage {
        check_taken(kind, build, key, values)?;
    }
    for key in foreign.iter().filter(|key| !kind.takes(key)) {
        for example in kind.examples {
            let spec = with_option(example, key, "1");
            let problem = build(&kind.build, &spec).err();
            let refused = problem.as_ref().is_some_and(|text| text.contains(&unknown(key)));
            ensure(refused, || format!("`{spec}` is not refused: {problem:?}"))?;
        }
    }
    Ok(())
}

/// What the error for an unknown option says.
fn unknown(key: &str) -> String {
    format!("unknown option `{key}`")
}

/// Whether some example is built with the option, and one with each of the words that the usage
/// offers.
fn check_taken<B>(
    kind: &Kind<B>,
    build: &dyn Fn(&B, &Spec) -> Verdict,
    key: &str,
    values: &[String],
) -> Verdict {
    let is_word = |value: &&String| value.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    for word in values.iter().filter(|_| values.len() > 1).filter(is_word) {
        let is_built = |example| build(&kind.build, &with_option(example, key, word)).is_ok();
        let some = kind.examples.iter().any(|example| is_built(example));
        ensure(some, || format!("{}: no spec with `{key}={word}` is built", kind.name))?;
    }
    let mut problems = Vec::new();
    let known = kind.examples.iter().filter_map(|example| Spec::parse(example).ok());
    let known = known.filter_map(|spec| spec.option(key).map(str::to_string));
    let values: BTreeSet<String> =
        values.iter().cloned().chain(known).chain(["2".into()]).collect();
    for (example, value) in
        kind.examples.iter().flat_map(|example| values.iter().map(move |value| (example, value)))
    {
        match build(&kind.build, &with_option(example, key, value)) {
            Ok(()) => return Ok(()),
            Err(problem) => problems.push(problem),
        }
    }
    Err(format!("{}: no spec with `{key}` is built: {problems:?}", kind.name))
}

/// All keys of all kinds, and one that there is not.
fn all_keys() -> Vec<&'static str> {
    let of = [
        topology::KINDS.iter().flat_map(|kind| kind.options).collect::<Vec<_>>(),
        routing::KINDS.iter().flat_map(|kind| kind.options).collect(),
        traffic::KINDS.iter().flat_map(|kind| kind.options).collect(),
        adversary::KINDS.iter().flat_map(|kind| kind.options).collect(),
    ];
    let keys: BTreeSet<&str> = of.into_iter().flatten().copied().chain(["zzz"]).collect();
    keys.into_iter().collect()
}

fn topologies(family: &Family, spec: &Spec) -> Verdict {
    (family.build)(spec).map(|_| ()).map_err(|error| error.to_string())
}

/// On the first network where it is built, else what all of them say.
fn routings(build: routing::Build, spec: &Spec, networks: &[Topology]) -> Verdict {
    let mut problems = Vec::new();
    for network in networks {
        match build(spec, network) {
            Ok(_) => return Ok(()),
            Err(error) => problems.push(error.to_string()),
        }
    }
    Err(problems.into_iter().min().unwrap_or_default())
}

fn patterns(pattern: &traffic::Pattern, spec: &Spec) -> Verdict {
    (pattern.build)(spec, 256).map(|_| ()).map_err(|error| error.to_string())
}

fn adversaries(method: &adversary::Method, spec: &Spec) -> Verdict {
    (method.build)(spec).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn options_are_those_that_are_taken() {
    let (keys, networks) = (all_keys(), networks());
    assert!(keys.len() > 15, "{keys:?}");
    for kind in topology::KINDS {
        assert_eq!(check(kind, &topologies, &keys), Ok(()));
    }
    for kind in routing::KINDS {
        let build = |family: &routing::Family, spec: &Spec| routings(family.build, spec, &networks);
        assert_eq!(check(kind, &build, &keys), Ok(()));
    }
    for kind in traffic::KINDS {
        assert_eq!(check(kind, &patterns, &keys), Ok(()));
    }
    for kind in adversary::KINDS {
        assert_eq!(check(kind, &adversaries, &keys), Ok(()));
    }
    for kind in adversary::pattern::KINDS {
        let build = |build: &adversary::pattern::Build, spec: &Spec| {
            build(spec).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(check(kind, &build, &keys), Ok(()));
    }
    for kind in adversary::delivery::KINDS {
        let build = |build: &adversary::delivery::Build, spec: &Spec| {
            build(spec).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(check(kind, &build, &keys), Ok(()));
    }
    for kind in adaptive::KINDS {
        let build = |build: &adaptive::Build, spec: &Spec| {
            let trees = ["ftree(2,6,3)", "kary(2,2)"].map(|tree| topology::generate(tree).unwrap());
            let built = trees.iter().map(|tree| build(spec, tree).map(|_| ()));
            let built = built.reduce(Result::or).unwrap();
            built.map_err(|error| error.to_string())
        };
        assert_eq!(check(kind, &build, &keys), Ok(()));
    }
    for kind in workload::collectives::COLLECTIVES {
        let build = |build: &workload::collectives::Build, spec: &Spec| {
            build(spec, 8).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(check(kind, &build, &keys), Ok(()));
    }
    for kind in workload::traces::TRACES {
        let build = |build: &workload::traces::Build, spec: &Spec| {
            build(spec, 128).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(check(kind, &build, &keys), Ok(()));
    }
    // Built only where there is such a file: tests/command_line/traffic_files.rs opens them.
    for kind in import::traffic::SPECS {
        let keys: Vec<String> = shown(kind.usage).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, kind.options, "{}", kind.name);
    }
}

#[test]
fn planted_bugs_are_found() {
    let keys = ["seed", "tasks", "zzz"];
    let right = *traffic::KINDS.iter().find(|kind| kind.name == "permutation").unwrap();
    assert_eq!(check(&right, &patterns, &keys), Ok(()));
    let untold = Kind { options: &[], ..right };
    assert_found(check(&untold, &patterns, &keys), "it lists [], its usage shows [\"seed\"]");
    let promised =
        Kind { options: &["seed", "tasks"], usage: "permutation(seed=1,tasks=K)", ..right };
    assert_found(check(&promised, &patterns, &keys), "no spec with `tasks` is built");
    let offered = Kind { usage: "permutation(seed=1|none)", ..right };
    assert_found(check(&offered, &patterns, &keys), "no spec with `seed=none` is built");
    let mut lax = right;
    lax.build.build = |_, hosts| traffic::generate("permutation", hosts);
    assert_found(check(&lax, &patterns, &keys), "is not refused");
    let hidden = Kind { options: &[], usage: "permutation", ..right };
    assert_found(check(&hidden, &patterns, &keys), "`permutation(seed=1)` is not refused");
}

#[test]
fn usages_are_read() {
    let keys = |usage| shown(usage).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
    assert_eq!(keys("lft:FILE, lft(lid=base|K|all|\"FILE\"):FILE"), ["lid"]);
    assert_eq!(keys("mesh2d(tasks=K,place=linear|random) or mesh2d(a,b)"), ["tasks", "place"]);
    assert_eq!(keys("ft(m,n)"), [""; 0]);
    assert_eq!(shown("a(b=c|d,e=1)")[0].1, ["c", "d"]);
}
