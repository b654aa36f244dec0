//! Digit rules: what a routing declares of its up-digits is what its paths are, on every small
//! tree, and a routing that declares nothing has a reason.

use std::collections::{BTreeMap, BTreeSet};

use routebound::routing::{self, DigitRule, DigitRules, Instance, RoutingError, digit_rules};
use routebound::topology::{self, Host, TreeShape, Xgft, sd_pairs};

use super::{Verdict, assert_found, ensure};

/// The members of all families and the examples of labelled ones.
fn trees(hosts: usize) -> Vec<String> {
    let of = |kind: &routebound::registry::Kind<topology::Family>| {
        let examples = kind.examples.iter().map(ToString::to_string);
        let named =
            examples.filter(|_| matches!(kind.build.construction, topology::Construction::Tree(_)));
        named.chain((kind.build.members)(hosts)).collect::<Vec<_>>()
    };
    topology::KINDS.iter().flat_map(of).collect()
}

fn routings() -> Vec<&'static str> {
    let kinds = routing::KINDS.iter().filter(|kind| !kind.takes_path());
    kinds.flat_map(|kind| kind.examples.iter().copied()).collect()
}

/// The ports of a step that a rule allows a pair.
fn ports(rule: &DigitRule, tree: &Xgft, step: usize, (s, d): (Host, Host)) -> Vec<u32> {
    match rule {
        DigitRule::Zero => vec![0],
        DigitRule::Even => (0..tree.parents(step)).collect(),
        DigitRule::Source { digit, ports } => vec![ports[tree.digit(s, *digit) as usize]],
        DigitRule::Destination { digit, ports } => vec![ports[tree.digit(d, *digit) as usize]],
        DigitRule::Both { ports } => {
            let pair = tree.digit(s, 1) * tree.children(1) + tree.digit(d, 1);
            vec![ports[pair as usize]]
        }
    }
}

/// Whether the rules give exactly the paths, with equal shares.
fn conforms(rules: &DigitRules, instance: &Instance) -> Verdict {
    let tree = instance.topology().tree().unwrap();
    ensure(rules.steps().len() == tree.height(), || "there is not one rule per step".into())?;
    let mut seen = BTreeSet::new();
    for (step, rule) in (1..).zip(rules.steps()) {
        let digits = match rule {
            DigitRule::Source { digit, .. } => vec![(true, *digit)],
            DigitRule::Destination { digit, .. } => vec![(false, *digit)],
            DigitRule::Both { .. } => vec![(true, 1), (false, 1)],
            _ => Vec::new(),
        };
        for (is_source, digit) in digits {
            ensure((1..step).contains(&digit), || format!("step {step} looks at digit {digit}"))?;
            ensure(seen.insert((is_source, digit)), || format!("digit {digit} decides twice"))?;
        }
    }
    for (s, d) in sd_pairs(tree.hosts()) {
        let mut expected = vec![Vec::new()];
        for (step, rule) in (1..=tree.nca_level(s, d)).zip(rules.steps()) {
            let next = ports(rule, tree, step, (s, d));
            let with = |up: &Vec<u32>| {
                let up = up.clone();
                next.iter().map(move |port| [&up[..], &[*port]].concat()).collect::<Vec<_>>()
            };
            expected = expected.iter().flat_map(with).collect();
        }
        let links = |up: &Vec<u32>| {
            let mut links = Vec::new();
            tree.push_path(s, d, up, &mut links);
            links
        };
        let share = routebound::rational::Rational::new(1, expected.len() as u64).unwrap();
        let expected: BTreeMap<_, _> =
            expected.iter().map(|up| (links(up), share.clone())).collect();
        let mut found = BTreeMap::new();
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
            found.insert(links.to_vec(), share.clone());
        });
        ensure(found == expected, || format!("the paths of {s} -> {d} are others"))?;
    }
    Ok(())
}

#[test]
fn declared_rules_are_the_paths_on_every_small_tree() {
    let mut fits: BTreeMap<&str, usize> = BTreeMap::new();
    for tree in trees(32) {
        let shape = TreeShape::named(&tree).unwrap().unwrap();
        for routing in routings() {
            let rules = digit_rules(routing, &shape);
            let instance = Instance::named(&tree, routing);
            match (rules, instance) {
                (Ok(rules), Ok(instance)) => {
                    let verdict = conforms(&rules, &instance);
                    assert_eq!(verdict, Ok(()), "{routing} on {tree}");
                    let notes = instance.routing().notes();
                    assert_eq!(rules.notes(), notes, "{routing} on {tree}");
                    *fits.entry(routing).or_default() += 1;
                }
                (Err(RoutingError::NoDigitRules { reason, .. }), _) => assert!(!reason.is_empty()),
                (Err(unfit), Err(refused)) => {
                    // The same words, whether or not the tree is built.
                    assert_eq!(unfit.to_string(), refused.to_string(), "{routing} on {tree}");
                }
                (rules, instance) => panic!("{routing} on {tree}: {rules:?}, {instance:?}"),
            }
        }
    }
    let declared: Vec<&str> = fits.keys().copied().collect();
    let expected = ["dmodk", "ecmp", "grid", "mlid", "omrmn", "osrm2", "osrm3", "smodk", "yuan"];
    assert_eq!(declared, expected);
    assert!(fits.values().all(|count| *count > 2), "{fits:?}");
}

#[test]
fn wrong_rules_are_found() {
    let shape = TreeShape::named("xgft(3;3,2,4;1,2,2)").unwrap().unwrap();
    let named = |routing: &str| Instance::named("xgft(3;3,2,4;1,2,2)", routing).unwrap();
    let (dmodk, smodk) = (named("dmodk"), named("smodk"));
    let steps = |routing: &str| digit_rules(routing, &shape).unwrap().steps().to_vec();
    let right = steps("dmodk");
    let verdict = |steps: Vec<DigitRule>| conforms(&DigitRules::new(steps), &dmodk);
    assert_eq!(verdict(right.clone()), Ok(()));
    assert_found(verdict(steps("smodk")), "are others");
    assert_found(verdict(steps("omrmn")), "are others");
    assert_found(conforms(&DigitRules::new(right.clone()), &smodk), "are others");
    assert_found(verdict(right[..2].to_vec()), "not one rule per step");
    let with = |at: usize, rule: DigitRule| {
        let mut steps = right.clone();
        steps[at] = rule;
        verdict(steps)
    };
    let by = |digit, ports: &[u32]| DigitRule::Destination { digit, ports: ports.to_vec() };
    assert_eq!(with(1, by(1, &[0, 1, 0])), Ok(()));
    assert_found(with(1, by(1, &[0, 1, 1])), "are others");
    assert_found(with(1, by(2, &[0, 1])), "looks at digit 2");
    assert_found(with(2, by(1, &[0, 1, 0])), "decides twice");
    assert_found(with(2, DigitRule::Zero), "are others");
    assert_eq!(with(0, DigitRule::Even), Ok(()));
}

/// Whether each up-digit follows from some digit of the source and some digit of the destination.
fn follows_from_digits(instance: &Instance) -> bool {
    let tree = instance.topology().tree().unwrap();
    let digits = |host: Host| (1..=tree.height()).map(move |i| tree.digit(host, i));
    (0..tree.height()).all(|step| {
        let choices = (0..tree.height()).flat_map(|a| (0..tree.height()).map(move |b| (a, b)));
        choices.into_iter().any(|(a, b)| {
            let mut table = BTreeMap::new();
            sd_pairs(tree.hosts()).filter(|(s, d)| tree.nca_level(*s, *d) > step).all(|(s, d)| {
                let mut path = Vec::new();
                instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                    path = links.to_vec();
                });
                let subtree = tree.place_of_link(path[step]).subtree;
                let first = tree.link_id(step, subtree, 0, 0).0;
                let port = (path[step] - first) % tree.parents(step + 1);
                let key = (digits(s).nth(a), digits(d).nth(b));
                *table.entry(key).or_insert(port) == port
            })
        })
    })
}

/// The reasons of the routings that declare nothing: on some small tree an up-digit is not a function
/// of one digit of either host. Those of D-mod-k always are.
#[test]
fn routings_without_rules_have_none() {
    for routing in ["wsr", "random", "rnca-u", "rnca-d", "kpath(k=1,choice=random)"] {
        let follows = |tree: &String| {
            let instance = Instance::named(tree, routing).ok();
            instance.is_none_or(|instance| follows_from_digits(&instance))
        };
        let without = trees(16).into_iter().find(|tree| !follows(tree));
        assert!(without.is_some(), "{routing} could declare rules");
    }
    // One file has all choices, and some of them are D-mod-k.
    let shape = TreeShape::named("ft(4,2)").unwrap().unwrap();
    let error = |routing: &str| digit_rules(routing, &shape).unwrap_err().to_string();
    assert!(error("kpath(k=1,choice=shift)").ends_with("not by digits for every k and choice"));
    // What is misspelt is said first.
    assert!(error("kpath(zzz=1)").contains("unknown option `zzz`"));
    assert!(error("random(seed=1,seed=2)").contains("given twice"));
    let all =
        trees(16).iter().all(|tree| follows_from_digits(&Instance::named(tree, "dmodk").unwrap()));
    assert!(all);
}
