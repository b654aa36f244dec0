//! Settled links against contention by definition.

use super::*;
use crate::load::contention;
use crate::routing::{Listed, Routing};
use crate::topology::sd_pairs;
use crate::traffic::{PathRecord, regular};

fn uniform(instance: &Instance) -> (Rows, Vec<Rational>) {
    let uniform = regular("uniform", instance.topology.hosts()).unwrap().unwrap();
    let demands = uniform.to_matrix().unwrap().into_demands();
    let expected = contention(instance, &demands, &Progress::silent()).unwrap();
    (uniform.rows(), expected.all().collect())
}

/// The shape of D-mod-k's links is settled throughout; that of drawn routings here and there not.
#[test]
fn what_is_settled_is_right() {
    let mut open = 0;
    for (topology, routing) in [
        ("ft(4,3)", "dmodk"),
        ("xgft(2;2,3;2,2)", "smodk"),
        ("kary(4,3)", "omrmn"),
        ("xgft(1;4;2)", "dmodk"),
        ("kary(4,2)", "random(seed=1)"),
        ("ft(8,2)", "rnca-u(seed=8)"),
        ("ft(4,3)", "kpath(k=2,choice=random)"),
    ] {
        let instance = Instance::named(topology, routing).unwrap();
        let (rows, expected) = uniform(&instance);
        let known = settled(&instance, &rows, &Progress::silent()).unwrap();
        // Walks of one link each, and of three.
        let [walked, by_one, by_three] = [MAX_BYTES, 0, 48].map(|bytes| {
            settled_within(&instance, &rows, (Vec::new(), bytes), &Progress::silent()).unwrap()
        });
        assert!(walked == by_one && walked == by_three, "{routing} on {topology}");
        for (known, expected) in walked.iter().zip(&expected) {
            assert!(
                known.as_ref().is_none_or(|known| known == expected),
                "{routing} on {topology}"
            );
        }
        for (link, (known, expected)) in known.iter().zip(&expected).enumerate() {
            let place = format!("{routing} on {topology}, link {link}");
            assert!(known.as_ref().is_none_or(|known| known == expected), "{place}");
        }
        let unknown = known.iter().filter(|known| known.is_none()).count();
        assert!(unknown < known.len() / 2, "{routing} on {topology}: {unknown} open");
        assert!(unknown == 0 || !routing.ends_with("modk") && routing != "omrmn");
        open += unknown;
    }
    assert!(open > 0);
}

/// A path through another leaf, by the up link of that leaf: nothing is concluded.
#[test]
fn detours_are_noticed() {
    let (topology, dmodk) = Instance::named("xgft(2;2,3;1,2)", "dmodk").unwrap().into_parts();
    let tree = topology.tree().unwrap();
    let detour = vec![
        tree.link_id(0, 0, 0, 0).0,
        tree.link_id(1, 0, 0, 0).0,
        tree.link_id(1, 2, 0, 0).1,
        tree.link_id(1, 2, 0, 1).0,
        tree.link_id(1, 1, 0, 1).1,
        tree.link_id(0, 2, 0, 0).1,
    ];
    let paths = sd_pairs(6).map(|(s, d)| {
        let mut links = Vec::new();
        dmodk.for_each_path(s, d, &mut Vec::new(), &mut |_, path| links = path.to_vec());
        let links = if (s, d) == (0, 2) { detour.clone() } else { links };
        PathRecord { s, d, share: Rational::ONE, links }
    });
    let routing = Box::new(Listed::new("detour".into(), 6, paths.collect()).unwrap());
    let instance = Instance::new(topology, routing as Box<dyn Routing>).unwrap();
    let (rows, expected) = uniform(&instance);
    let known = settled(&instance, &rows, &Progress::silent()).unwrap();
    assert!(known.iter().all(Option::is_none));
    let uniform = regular("uniform", 6).unwrap().unwrap();
    assert_eq!(
        contention(&instance, &uniform, &Progress::silent()),
        Ok(expected.into_iter().collect())
    );
}
