//! Shares by layers against shares by listing all shortest paths.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::certificate::{EmbeddedNetwork, LinkRecord, NetworkForm};

fn network(nodes: usize, ends: &[(NodeId, NodeId)]) -> Network {
    let links = ends.iter().map(|(from, to)| LinkRecord::new(*from, *to, Rational::ONE)).collect();
    Network::open(&NetworkForm::Embedded(EmbeddedNetwork { hosts: 3, nodes, links })).unwrap()
}

/// All walks of a length from one node to another, by following every link.
fn walks(ends: &[(NodeId, NodeId)], (at, d): (NodeId, NodeId), length: usize) -> Vec<Vec<LinkId>> {
    if length == 0 {
        return if at == d { vec![Vec::new()] } else { Vec::new() };
    }
    let leaving = (0..).zip(ends).filter(|(_, (from, _))| *from == at);
    let further = leaving.flat_map(|(link, (_, to))| {
        let rest = walks(ends, (*to, d), length - 1).into_iter();
        rest.map(move |rest| [vec![link], rest].concat())
    });
    further.collect()
}

/// The share of every link, from the list of a pair's shortest paths.
fn by_listing(
    ends: &[(NodeId, NodeId)],
    split: Split,
    paths: &[Vec<LinkId>],
) -> BTreeMap<LinkId, Rational> {
    let mut choices: BTreeMap<NodeId, BTreeSet<LinkId>> = BTreeMap::new();
    for link in paths.concat() {
        choices.entry(ends[link as usize].0).or_default().insert(link);
    }
    let mut shares: BTreeMap<LinkId, Rational> = BTreeMap::new();
    for path in paths {
        let among = |link: &LinkId| choices[&ends[*link as usize].0].len() as u64;
        let all = match split {
            Split::Paths => paths.len() as u64,
            Split::Hops => path.iter().map(among).product(),
        };
        for link in path {
            *shares.entry(*link).or_default() += &Rational::new(1, all).unwrap();
        }
    }
    shares
}

fn found(
    search: &mut SplitSearch,
    network: &Network,
    pair: (Split, (Host, Host)),
) -> BTreeMap<LinkId, Rational> {
    let (mut parts, mut shares) = (Vec::new(), Numbered::default());
    search.forget_shares();
    search.take(network, pair, (&mut parts, &mut shares)).unwrap();
    let share = |(link, number): &(LinkId, u32)| (*link, shares.known()[*number as usize].clone());
    let found: BTreeMap<_, _> = parts.iter().map(share).collect();
    assert_eq!(found.len(), parts.len(), "a link comes once");
    found
}

proptest! {
    /// From either end, with pairs in any order; the paths themselves are those listed.
    #[test]
    fn shares_are_those_of_all_listed_paths(
        more in prop::collection::vec((0u32..7, 0u32..7), 0..20),
        pairs in prop::collection::vec((0u32..3, 0u32..3), 1..6),
    ) {
        // A cycle, so that every pair has a path.
        let mut ends: Vec<_> = (0..7).map(|node| (node, (node + 1) % 7)).collect();
        ends.extend(more);
        let network = network(7, &ends);
        let mut searches = [SplitSearch::default(), SplitSearch::default()];
        searches[1].by_destination = true;
        for (s, d) in pairs.into_iter().filter(|(s, d)| s != d) {
            let of_length = |length| walks(&ends, (s, d), length);
            let paths = (1..7).map(of_length).find(|paths| !paths.is_empty()).unwrap();
            for split in [Split::Paths, Split::Hops] {
                let listed = by_listing(&ends, split, &paths);
                for search in &mut searches {
                    prop_assert_eq!(&found(search, &network, (split, (s, d))), &listed);
                }
            }
            let seen = std::cell::RefCell::new(Vec::new());
            let see = |links: &[LinkId]| { seen.borrow_mut().push(links.to_vec()); true };
            prop_assert!(searches[0].all_paths(&network, (s, d), see).unwrap());
            let mut seen = seen.into_inner();
            seen.sort_unstable();
            prop_assert_eq!(seen, paths);
        }
    }
}

#[test]
fn a_whole_that_grew_is_reduced() {
    // A cable, then two, three and so on: the least common multiple is above 2^128.
    let steps: u32 = 130;
    let node = |step: u32| if step == 0 { 0 } else { step + 2 };
    let ends = (1..=steps).flat_map(|step| {
        let to = if step == steps { 1 } else { node(step) };
        vec![(node(step - 1), to); step as usize]
    });
    let ends: Vec<_> = ends.collect();
    let network = network(steps as usize + 2, &ends);
    let shares = found(&mut SplitSearch::default(), &network, (Split::Hops, (0, 1)));
    let wanted =
        (1..=steps).flat_map(|step| vec![Rational::new(1, step.into()).unwrap(); step as usize]);
    assert!(shares.into_values().eq(wanted));
}

#[test]
fn a_pair_without_a_path_is_refused() {
    let network = network(4, &[(0, 3), (1, 3)]);
    for by_destination in [false, true] {
        let mut search = SplitSearch { by_destination, ..SplitSearch::default() };
        let refused = search.walk(&network, (0, 1));
        assert_eq!(refused, Err(Refusal::MissingPair { s: 0, d: 1 }));
    }
}
