//! Bounds by cuts: what they are on whole trees, and that their covers prove them on damaged ones.

use std::collections::BTreeMap;

use rand::RngExt as _;

use super::*;
use crate::certificate::Cover;
use crate::failure::{at_random, fail};
use crate::load::LinkLoads;
use crate::routing::{UseScratch, build};
use crate::sampling::Streams;
use crate::topology::{Host, NodeId, generate, sd_pairs};
use crate::worst_case::{analyse, prove};

/// The network of a tree without its labels and without some cables, under a split over all shortest paths; `None`
/// where a pair would have no path. In every other one that has lost cables some links are wider.
fn own(tree: &str, (lost, seed): (u64, u64), routing: &str) -> Option<Instance> {
    let tree = generate(tree).unwrap();
    let mut graph = tree.graph().clone();
    if lost > 0 {
        let cables = at_random(&tree, lost, seed).unwrap();
        let damaged = fail(&tree, build(routing, &tree).unwrap().into(), &cables).ok()?;
        graph = damaged.topology.graph().clone();
        let mut dice = Streams::new(seed).at(1);
        for link in graph.edge_weights_mut().filter(|_| seed % 2 == 1) {
            if dice.random_range(0..4) == 0 {
                link.capacity = Rational::new(dice.random_range(2..5), 2).unwrap();
            }
        }
    }
    let network = Topology::new("own".into(), graph).ok()?;
    let routing = build(routing, &network).unwrap();
    Instance::new(network, routing).ok()
}

/// The worst case by class, the proof of it, and the same under cuts.
fn bounded(instance: &Instance) -> (Proof, Option<(WorstCase, Proof)>) {
    let silent = Progress::silent();
    let mut worst = analyse(instance).unwrap();
    let before = prove(instance, &worst);
    let after = under_cuts(instance, &mut worst, &before, &silent);
    (before, after.map(|after| (worst, after)))
}

/// Pods are the subtrees of whole trees, whose cuts decide optu: the ratio is that of the flows under all of them.
#[test]
fn tapered_trees_are_solved() {
    for tree in [
        "xgft(2;4,3;1,2)",
        "xgft(2;5,2;1,3)",
        "xgft(2;6,4;1,4)",
        "xgft(3;3,2,2;1,2,1)",
        "xgft(3;4,3,3;1,2,2)",
        "xgft(3;4,2,3;1,3,2)",
    ] {
        let labelled = Instance::named(tree, "ecmp").unwrap();
        let exact = analyse(&labelled).unwrap();
        assert_eq!((exact.method, exact.upper().as_ref()), (Method::Laminar, Some(exact.lower())));
        let (before, after) = bounded(&own(tree, (0, 0), "ecmp").unwrap());
        let bounds = after.map_or(before.bounds, |(worst, proof)| {
            assert!(worst.is_complete() && worst.method == Method::Cuts);
            assert_eq!(proof.permutation_load, None);
            proof.bounds
        });
        assert_eq!((&bounds.lower, &bounds.upper), (exact.lower(), exact.lower()), "{tree}");
    }
}

/// Whatever cables are lost, covers prove the bounds and the witness attains what is claimed of it.
#[test]
fn covers_prove_the_bounds_of_damaged_trees() {
    let (mut better, mut several, mut exact) = (0, 0, 0);
    for seed in 0..40 {
        let trees = [
            "xgft(2;6,4;1,4)",
            "xgft(3;4,3,3;1,2,2)",
            "xgft(3;3,2,4;1,3,2)",
            "xgft(3;4,2,3;1,2,4)",
        ];
        let tree = trees[usize::try_from(seed % 4).unwrap()];
        let routing = if seed % 3 == 0 { "omrmn" } else { "ecmp" };
        let Some(instance) = own(tree, (1 + seed % 5, seed), routing) else { continue };
        let (before, after) = bounded(&instance);
        let Some((worst, after)) = after else { continue };
        better += usize::from(after.bounds.upper < before.bounds.upper);
        exact += usize::from(after.bounds.exact().is_some());
        assert!(
            after.bounds.upper <= before.bounds.upper && after.bounds.lower >= before.bounds.lower
        );
        assert!(after.bounds.lower <= after.bounds.upper && worst.is_complete());
        check_covers(&instance, &worst);
        check_witness(&instance, &after);
        let covers = worst.links.iter().flatten().map(|bound| &bound.cover);
        several += covers.filter(|cover| cover.out_cuts.len() + cover.in_cuts.len() > 1).count();
    }
    assert!(
        better > 10 && several > 0 && exact > 15,
        "{better} better bounds, {several} covers with several cuts, {exact} exact"
    );
}

fn check_covers(instance: &Instance, worst: &WorstCase) {
    let topology = &*instance.topology;
    let mut scratch = UseScratch::default();
    let mut shares = BTreeMap::<LinkId, Vec<(Host, Host, Rational)>>::new();
    for (s, d) in sd_pairs(topology.hosts()) {
        instance.routing.for_each_use(s, d, &mut scratch, &mut |share, links| {
            for link in links {
                shares.entry(*link).or_default().push((s, d, share.clone()));
            }
        });
    }
    let mut whole = worst.clone();
    whole.by_hosts();
    let upper = worst.upper().unwrap();
    for bound in whole.links.iter().flatten() {
        let cover = &bound.cover;
        if cover.is_empty() || worst.ends_allow(cover.link, &upper) {
            continue;
        }
        let paid = topology.load_of(cover.link, &cost(topology, &worst.cuts, cover));
        assert_eq!(paid, bound.load, "{cover:?}");
        for (s, d, share) in shares.get(&cover.link).into_iter().flatten() {
            assert!(weight(&worst.cuts, cover, *s, *d) >= *share, "{s} {d} {share}: {cover:?}");
        }
    }
}

/// What crosses the cuts of a cover and leaves or enters its hosts at optu 1, by weight.
fn cost(topology: &Topology, cuts: &[Vec<NodeId>], cover: &Cover) -> Rational {
    let capacity = |cut: &CutId, outwards: bool| {
        let is_in = |node: NodeId| cuts[*cut as usize].contains(&node);
        let crosses = |link: &LinkId| {
            let (tail, head) = topology.ends(*link).unwrap();
            is_in(tail) == outwards && is_in(head) != outwards
        };
        let crossing = topology.link_numbers().filter(crosses);
        crossing
            .map(|link| topology.link(link).capacity.clone())
            .fold(Rational::ZERO, |a, b| &a + &b)
    };
    let sources = cover.sources.iter().map(|(host, w)| w * &topology.host_capacity(*host, true));
    let sinks =
        cover.destinations.iter().map(|(host, w)| w * &topology.host_capacity(*host, false));
    let out = cover.out_cuts.iter().map(|(cut, w)| w * &capacity(cut, true));
    let into = cover.in_cuts.iter().map(|(cut, w)| w * &capacity(cut, false));
    sources.chain(sinks).chain(out).chain(into).fold(Rational::ZERO, |sum, part| &sum + &part)
}

/// The weights that a pair crosses.
fn weight(cuts: &[Vec<NodeId>], cover: &Cover, s: Host, d: Host) -> Rational {
    let is_in = |cut: &CutId, host: Host| cuts[*cut as usize].contains(&host);
    let sources = cover.sources.iter().filter(|(host, _)| *host == s).map(|(_, w)| w);
    let sinks = cover.destinations.iter().filter(|(host, _)| *host == d).map(|(_, w)| w);
    let out = cover.out_cuts.iter().filter(|(cut, _)| is_in(cut, s) && !is_in(cut, d));
    let into = cover.in_cuts.iter().filter(|(cut, _)| !is_in(cut, s) && is_in(cut, d));
    sources.chain(sinks).chain(out.chain(into).map(|(_, w)| w)).sum()
}

/// The traffic of the witness loads its link as much as is claimed, if its optu is what it says.
fn check_witness(instance: &Instance, proof: &Proof) {
    let Witness { link, demands, optu, flow } = &proof.witness;
    let silent = Progress::silent();
    let topology = &*instance.topology;
    let loads = LinkLoads::of(topology, &*instance.routing, demands, &silent).unwrap();
    assert!(loads.load(*link) >= &proof.attained * optu);
    let routed = match flow {
        RoutedTraffic::Even => {
            crate::optimum::even_load(topology, demands, &silent).unwrap().unwrap()
        }
        RoutedTraffic::Paths(paths) => {
            let mut traffic = BTreeMap::<LinkId, Rational>::new();
            for Demand { s, d, amount } in demands {
                let of_pair = paths.iter().filter(|path| (path.s, path.d) == (*s, *d));
                let all: Rational = of_pair.clone().map(|path| &path.share).sum();
                assert_eq!(all, Rational::ONE);
                for path in of_pair {
                    for link in &path.links {
                        *traffic.entry(*link).or_default() += &(&path.share * amount);
                    }
                }
            }
            let loads = traffic.iter().map(|(link, traffic)| topology.load_of(*link, traffic));
            loads.fold(Rational::ZERO, Rational::max)
        }
    };
    assert!(routed <= *optu, "{routed} {optu}");
}
