//! The loads of jobs by all of their permutations, and where they are placed.

use itertools::Itertools;

use super::*;
use crate::routing::UseScratch;
use crate::topology::Host;

/// What a job puts on every link in each of its permutations, times 4.
fn permutations(instance: &Instance, job: &[Host]) -> Vec<Vec<u64>> {
    let links = instance.topology.links();
    let all = job.iter().permutations(job.len()).map(|to| {
        let mut loads = vec![0; links];
        for (s, d) in job.iter().zip(to).filter(|(s, d)| s != d) {
            instance.routing.for_each_use(*s, *d, &mut UseScratch::default(), &mut |share, of| {
                let share = u64::try_from((&Rational::from(4) * share).floor()).unwrap();
                for link in of {
                    loads[*link as usize] += share;
                }
            });
        }
        loads
    });
    all.collect()
}

/// The loads of jobs by all of their permutations.
fn brute(instance: &Instance, jobs: &[Vec<Host>]) -> [Vec<u64>; 2] {
    let all: Vec<_> = jobs.iter().map(|job| permutations(instance, job)).collect();
    let most = |loads: &Vec<u64>| *loads.iter().max().unwrap();
    let alone: Vec<u64> = all.iter().map(|of| of.iter().map(most).max().unwrap()).collect();
    let uses = |of: &Vec<Vec<u64>>, link: usize| of.iter().any(|loads| loads[link] > 0);
    let mut beside = vec![0; jobs.len()];
    for at_once in all.iter().multi_cartesian_product() {
        for link in 0..instance.topology.links() {
            let load: u64 = at_once.iter().map(|loads| loads[link]).sum();
            for (beside, of) in beside.iter_mut().zip(&all) {
                if load > *beside && uses(of, link) {
                    *beside = load;
                }
            }
        }
    }
    [alone, beside]
}

#[test]
fn loads_are_those_of_all_permutations() {
    let trees = [
        ("ft(4,2)", &[4, 4][..], "omrmn"),
        ("ft(4,2)", &[4, 3][..], "dmodk"),
        ("ft(4,2)", &[3, 4][..], "random(seed=1)"),
        ("ft(4,3)", &[4, 4, 3][..], "omrmn"),
        ("ft(4,3)", &[4, 4, 3][..], "dmodk"),
        ("xgft(2;4,3;1,2)", &[4, 3, 3][..], "omrmn"),
        ("xgft(2;4,3;1,2)", &[3, 4, 3][..], "dmodk"),
    ];
    let mut gained = 0;
    for ((tree, sizes, routing), placement) in itertools::iproduct!(trees, Placement::ALL) {
        let instance = Instance::named(tree, routing).unwrap();
        let labels = instance.topology.tree().unwrap();
        for hosts in placement.draws(labels, sizes) {
            let apart = apart(labels, &hosts);
            let silent = Progress::silent();
            let found = of_traffic(&instance, &jobs(&hosts), apart, &silent).unwrap();
            if routing == CUTS {
                let by_cuts = by_cuts(labels, &hosts, apart);
                let evidence = found.evidence.clone();
                assert_eq!(Loads { evidence, ..by_cuts }, found, "{tree} {hosts:?}");
            }
            let [alone, beside] = brute(&instance, &hosts);
            let quarters = |load: &u64| Rational::new(*load, 4).unwrap();
            let pairs = || alone.iter().zip(&beside);
            let factor = pairs().map(|(a, b)| Rational::new(*b, *a).unwrap()).max().unwrap();
            let expected = Loads {
                apart,
                alone: quarters(alone.iter().max().unwrap()),
                together: quarters(beside.iter().max().unwrap()),
                gain: pairs().filter(|(alone, beside)| beside > alone).count(),
                factor,
                evidence: "proven".into(),
            };
            assert_eq!(found, expected, "{tree} {routing} {hosts:?}");
            assert!(found.is_possible() && found.gain + apart <= sizes.len(), "{hosts:?}");
            gained += found.gain;
        }
    }
    assert!(gained > 0);
}

#[test]
fn jobs_are_packed_by_best_fit_and_spread_in_turn() {
    let topology = generate("ft(4,3)").unwrap();
    let tree = topology.tree().unwrap();
    let hosts =
        |placement: Placement, sizes: &[usize]| placement.draws(tree, sizes).next().unwrap();
    // Leaf switches have 2 hosts, subtrees of the top 4. The third job has the leaf switch that the first has begun;
    // no subtree has 5 free hosts, so that the last one takes the leaf switches with most of them.
    assert_eq!(
        hosts(Placement::Packed, &[3, 4, 1, 3, 5]),
        [vec![0, 1, 2], vec![4, 5, 6, 7], vec![3], vec![8, 9, 10], vec![12, 13, 14, 15, 11]]
    );
    assert_eq!(apart(tree, &hosts(Placement::Packed, &[3, 4, 1, 3, 5])), 3);
    assert_eq!(hosts(Placement::Spread, &[3, 4]), [vec![0, 4, 8], vec![12, 2, 6, 10]]);
    assert_eq!(apart(tree, &hosts(Placement::Spread, &[3, 4])), 0);
    let draws: Vec<_> = Placement::Random.draws(tree, &[16]).collect();
    assert!(draws.len() == Placement::Random.count() && draws.iter().all_unique());
    let sorted = |mut job: Vec<Host>| {
        job.sort_unstable();
        job
    };
    assert!(draws.into_iter().all(|draw| sorted(draw.concat()) == tree.hosts_in_order()));
}
