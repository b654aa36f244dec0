//! Random routings of random small trees, written as tables of paths: what the analysis says of
//! them against definitions.

use proptest::prelude::*;
use routebound::assessment::{Assess, Assessment};
use routebound::load::LinkLoads;
use routebound::optimum::EvenSplit;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::table::write_table;
use routebound::routing::{self, Instance, Listed, Routing};
use routebound::topology::{self, Host, LinkId, Topology, host_number, link_number, sd_pairs};
use routebound::traffic::{Demand, PathRecord};

use super::cases;
use crate::trees::trees;

/// A tree of 2 to 8 hosts.
fn tree() -> impl Strategy<Value = String> {
    trees(1..=4, 1..=3, 1..=3, 2..=8)
}

/// Which of the shortest paths a pair takes, and what share of it the second one has, in quarters.
type Choice = (prop::sample::Index, prop::sample::Index, u64);

fn choices() -> impl Strategy<Value = (Vec<Choice>, bool)> {
    let choice = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..=3_u64);
    (prop::collection::vec(choice, 64), any::<bool>())
}

/// The shortest paths of a pair.
fn shortest(all: &dyn Routing, s: Host, d: Host) -> Vec<Vec<LinkId>> {
    let mut paths = Vec::new();
    all.for_each_path(s, d, &mut Vec::new(), &mut |_, links| paths.push(links.to_vec()));
    paths
}

/// The tree under the routing that these choices make, of one path per pair or of up to two.
fn instance(spec: &str, (choices, single): &(Vec<Choice>, bool)) -> Instance {
    let tree = topology::generate(spec).unwrap();
    let all = routing::build("omrmn", &tree).unwrap();
    let pairs = sd_pairs(tree.hosts());
    let mut records = Vec::new();
    for ((s, d), (one, other, quarters)) in pairs.zip(choices) {
        let paths = shortest(all.as_ref(), s, d);
        let (one, other) = (one.index(paths.len()), other.index(paths.len()));
        let second = if *single || one == other { 0 } else { *quarters };
        for (path, share) in [(one, 4 - second), (other, second)] {
            if share > 0 {
                let share = Rational::new(share, 4_u64).unwrap();
                records.push(PathRecord { s, d, share, links: paths[path].clone() });
            }
        }
    }
    let listed = Listed::new("own".into(), tree.hosts(), records).unwrap();
    Instance::new(tree, Box::new(listed) as Box<dyn Routing>).unwrap()
}

/// A command line that shows the instance.
fn shown(spec: &str, instance: &Instance) -> String {
    let mut table = Vec::new();
    write_table(instance.topology(), instance.routing(), &mut table).unwrap();
    super::command(&table, &format!("ratio '{spec}' table:-"))
}

fn assessed(instance: &Instance) -> Assessment {
    Assess::new().embedded().run(instance).unwrap()
}

/// Max load of the demands, by adding up shares.
fn max_load(instance: &Instance, demands: &[Demand]) -> Rational {
    let mut loads = vec![Rational::ZERO; instance.topology().links()];
    for demand in demands.iter().filter(|demand| demand.s != demand.d) {
        instance.routing().for_each_path(
            demand.s,
            demand.d,
            &mut Vec::new(),
            &mut |share, links| {
                for link in links {
                    let capacity = &instance.topology().link(*link).capacity;
                    let load = (share * &demand.amount).checked_div(capacity).unwrap();
                    loads[*link as usize] = &loads[*link as usize] + &load;
                }
            },
        );
    }
    loads.into_iter().max().unwrap()
}

/// The maximum load of a link over all permutations: link by link, the best assignment by trying
/// all, destination sets as bit masks.
fn permutation_load(instance: &Instance) -> Rational {
    let hosts = instance.topology().hosts();
    let links = instance.topology().links();
    let mut weight = vec![vec![Rational::ZERO; hosts * hosts]; links];
    for (s, d) in sd_pairs(hosts) {
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |share, path| {
            for link in path {
                let cell = &mut weight[*link as usize][s as usize * hosts + d as usize];
                *cell = &*cell + share;
            }
        });
    }
    let best = |link: usize| {
        let mut best = vec![Rational::ZERO; 1 << hosts];
        for set in 0..(1_usize << hosts) {
            let s = set.count_ones() as usize;
            for d in (0..hosts).filter(|d| s < hosts && set >> d & 1 == 0) {
                let sum = &best[set] + &weight[link][s * hosts + d];
                let next = set | 1 << d;
                if sum > best[next] {
                    best[next] = sum;
                }
            }
        }
        let capacity = &instance.topology().link(link_number(link)).capacity;
        best[(1 << hosts) - 1].checked_div(capacity).unwrap()
    };
    (0..links).map(best).max().unwrap()
}

/// The instance with every capacity doubled.
fn doubled(instance: &Instance) -> Instance {
    let mut graph = instance.topology().graph().clone();
    for link in graph.edge_weights_mut() {
        link.capacity = &link.capacity + &link.capacity;
    }
    let topology = Topology::new("doubled".into(), graph).unwrap().recognised();
    let hosts = topology.hosts();
    let pairs = (0..host_number(hosts)).flat_map(|s| (0..host_number(hosts)).map(move |d| (s, d)));
    let mut records = Vec::new();
    for (s, d) in pairs.filter(|(s, d)| s != d) {
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
            records.push(PathRecord { s, d, share: share.clone(), links: links.to_vec() });
        });
    }
    let listed = Listed::new("own".into(), hosts, records).unwrap();
    Instance::new(topology, Box::new(listed) as Box<dyn Routing>).unwrap()
}

/// The lower side is reached by its witness, by the definition; where linear programs can close
/// every gap, the bounds meet, so that neither side can be loose.
fn check_exact(spec: &str, instance: &Instance, found: &Assessment) -> Result<(), TestCaseError> {
    let place = || shown(spec, instance);
    let bounds = &found.oblivious_ratio;
    let demands = &found.witness.demands;
    let optu = EvenSplit::route(instance.topology(), demands).unwrap().max_load();
    let reached = max_load(instance, demands).checked_div(&optu).unwrap();
    prop_assert!(reached >= bounds.lower, "{} of {}: {}", reached, bounds, place());
    if cfg!(feature = "highs") {
        prop_assert!(bounds.exact().is_some(), "{}: {}", bounds, place());
        prop_assert_eq!(&reached, &bounds.upper, "{}", place());
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(40))]

    /// Every traffic is at most as bad as the oblivious ratio says. On trees the even split is
    /// optimal.
    #[test]
    fn no_traffic_is_worse(
        spec in tree(),
        choices in choices(),
        demands in prop::collection::vec((0..8_u32, 0..8_u32, 1..5_u64), 1..12),
        image in Just((0..8_u32).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let instance = instance(&spec, &choices);
        let hosts = host_number(instance.topology().hosts());
        let found = assessed(&instance);
        let upper = &found.oblivious_ratio.upper;
        prop_assert!(found.oblivious_ratio.lower <= *upper);
        check_exact(&spec, &instance, &found)?;
        let demand = |s, d, amount| Demand { s, d, amount: Rational::from(amount) };
        let any = demands.iter().map(|(s, d, amount)| demand(s % hosts, d % hosts, *amount)).collect();
        let image: Vec<Host> = image.into_iter().filter(|d| *d < hosts).collect();
        let permutation = (0..hosts).zip(&image).map(|(s, d)| demand(s, *d, 1_u64)).collect();
        for demands in [any, permutation] {
            let demands: Vec<Demand> = demands;
            let demands: Vec<Demand> = demands.into_iter().filter(|demand| demand.s != demand.d).collect();
            if demands.is_empty() { continue }
            let load = max_load(&instance, &demands);
            let loads = LinkLoads::of(instance.topology(), instance.routing(), &demands, &Progress::silent());
            prop_assert_eq!(&loads.unwrap().max_load(), &load);
            let optu = EvenSplit::route(instance.topology(), &demands).unwrap().max_load();
            let ratio = load.checked_div(&optu).unwrap();
            prop_assert!(ratio <= *upper, "{:?} has {} > {}: {}", demands, ratio, upper, shown(&spec, &instance));
        }
    }

    #[test]
    fn permutation_loads_equal_trying_all(spec in tree(), choices in choices()) {
        let instance = instance(&spec, &choices);
        let found = assessed(&instance);
        let exact = permutation_load(&instance);
        prop_assert_eq!(found.permutation_load.exact(), Some(&exact), "{}", shown(&spec, &instance));
        let tree = instance.topology().tree().unwrap();
        if tree.full_bisection() {
            // Permutations have optu at most 1.
            prop_assert!(exact <= found.oblivious_ratio.upper, "{}", shown(&spec, &instance));
        }
    }

    /// With twice the capacity everywhere every load is half, and so is every optimum.
    #[test]
    fn capacities_scale(spec in tree(), choices in choices()) {
        let instance = instance(&spec, &choices);
        let (one, two) = (assessed(&instance), assessed(&doubled(&instance)));
        let place = || shown(&spec, &instance);
        prop_assert_eq!(&one.oblivious_ratio.lower, &two.oblivious_ratio.lower, "{}", place());
        check_exact(&spec, &instance, &one)?;
        check_exact(&spec, &doubled(&instance), &two)?;
        let (one, two) = (one.permutation_load.exact().unwrap(), two.permutation_load.exact().unwrap());
        prop_assert_eq!(one, &(two + two), "{}", place());
    }
}
