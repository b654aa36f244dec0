//! On slimmed trees the general linear program agrees with flows under the cuts of subtrees,
//! which `tests/analysis/slimmed.rs` compares with a search over all extreme traffic.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routebound::lp::worst_demand::refine;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::topology::{Topology, generate};
use routebound::worst_case::{Method, analyse, prove};

/// A tree of up to three levels and 16 hosts, without full bisection.
fn random_tree(random: &mut ChaCha8Rng) -> String {
    loop {
        let height = random.random_range(2..=3);
        let m: Vec<u32> = (0..height).map(|_| random.random_range(1..=4)).collect();
        let w: Vec<u32> = (0..height).map(|_| random.random_range(1..=3)).collect();
        let hosts: u32 = m.iter().product();
        let join = |list: &[u32]| list.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let spec = format!("xgft({height};{};{})", join(&m), join(&w));
        if (2..=16).contains(&hosts) && !generate(&spec).unwrap().tree().unwrap().full_bisection() {
            return spec;
        }
    }
}

/// The same network without labels: nothing is known about its cuts.
fn without_labels(instance: Instance) -> Instance {
    let (topology, routing) = instance.into_parts();
    let topology = Topology::new(topology.spec().into(), topology.graph().clone()).unwrap();
    Instance::trusted(topology, routing)
}

fn by_program(instance: &Instance) -> (Rational, Rational) {
    let quiet = Progress::silent();
    let mut worst = analyse(instance).unwrap();
    let proof = prove(instance, &worst);
    let (proof, _) = refine(instance, &mut worst, &proof, &quiet).unwrap();
    (proof.bounds.lower, proof.bounds.upper)
}

#[test]
fn program_equals_flows_on_random_trees() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut compared, mut slimmed) = (0, 0);
    let routings =
        ["dmodk", "smodk", "random(seed=3)", "rnca-u(seed=4)", "rnca-d(seed=5)", "omrmn"];
    let all = if cfg!(feature = "slow-tests") { 240 } else { 96 };
    while compared < all {
        let tree = random_tree(&mut random);
        for routing in routings {
            let instance = Instance::named(&tree, routing).unwrap();
            let worst = analyse(&instance).unwrap();
            assert!(worst.is_complete());
            let exact = worst.lower().clone();
            assert_eq!(worst.upper().as_ref(), Some(&exact));
            slimmed += usize::from(worst.method == Method::Laminar);
            let (lower, upper) = by_program(&without_labels(instance));
            assert_eq!((&lower, &upper), (&exact, &exact), "{tree} {routing}");
            compared += 1;
        }
    }
    assert_eq!(slimmed, compared);
}
