//! The optimal load of traffic on trees, in closed form.
//!
//! A subtree T of height k has w1⋯w_{k+1} up links and as many down links (k = 0 is a host with
//! its w1 links), all of the same capacity; either group has total capacity c_k ([`Xgft::cut`]).
//! What its hosts send to hosts outside, out(T), has to cross the up links, and what they receive
//! from there, in(T), the down links, whatever the routing. The even split over all shortest paths
//! puts the same traffic on each of the up links, so load out(T)/c_k, and load in(T)/c_k on each of
//! the down links, and no other traffic; every link of the tree is one of these. So
//!
//! optu(TM) = max over subtrees T of max(out(T), in(T)) ÷ c_k.
//!
//! This generalises \[OR\] Theorem 1 and Corollary 1 from full bisection, where the hosts
//! decide, to slimmed trees. The cut that attains the maximum proves the lower side, which
//! anyone can check by adding up the demands that cross it; the even split proves the upper.

use crate::rational::Rational;
use crate::sums::Sums;
use crate::topology::{Direction, Topology, Xgft};
use crate::traffic::{Demand, Product, ProductTraffic, TrafficView};

/// A subtree whose traffic with the outside loads its links this much, whatever the routing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Height k of the subtree; 0 is a host.
    pub height: usize,
    /// Number of the subtree among those of its height, see [`Xgft::subtree`].
    pub subtree: u32,
    /// Up for what the subtree sends, down for what it receives.
    pub direction: Direction,
    /// Traffic across ÷ c_k: no routing has a lower max load.
    pub load: Rational,
}

/// The optu of traffic on a tree, and a cut that attains it: among several the lowest, up before
/// down, then the first. `None` for networks without labels. O(demands·height + hosts);
/// products count with their hosts only.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{optimum::optimal_cut, rational::Rational, topology, traffic::Demand};
/// // Two leaves of four hosts under two roots: shifting by four sends all traffic across.
/// let tree = topology::generate("xgft(2;4,2;1,2)")?;
/// let shift: Vec<_> = (0..8).map(|s| Demand { s, d: (s + 4) % 8, amount: Rational::ONE }).collect();
/// let cut = optimal_cut(&tree, &shift).ok_or("no tree")?;
/// assert_eq!((cut.load, cut.height, cut.subtree), (Rational::from(2), 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn optimal_cut<'a>(topology: &Topology, traffic: impl Into<TrafficView<'a>>) -> Option<Cut> {
    let tree = topology.tree()?;
    let crossing: Vec<[Sums; 2]> = match traffic.into() {
        TrafficView::Listed(demands) => crossing(tree, demands),
        TrafficView::Products(traffic) => crossing_of_products(tree, traffic),
    };
    let cuts = crossing.iter().enumerate().flat_map(|(height, sums)| {
        let capacity = tree.cut(height);
        [Direction::Up, Direction::Down].into_iter().zip(sums).filter_map(
            move |(direction, sums)| {
                let (subtree, total) = sums.first_max()?;
                Some(Cut { height, subtree, direction, load: total.checked_div(&capacity)? })
            },
        )
    });
    cuts.reduce(|best, cut| if cut.load > best.load { cut } else { best })
}

/// Per height, sums for the traffic out of and into every subtree.
fn no_crossing(tree: &Xgft) -> Vec<[Sums; 2]> {
    let subtrees = |height| tree.hosts() / tree.subtree_hosts(height) as usize;
    let empty = |height| [Sums::new(subtrees(height)), Sums::new(subtrees(height))];
    (0..tree.height()).map(empty).collect()
}

/// Per height, the traffic out of and into every subtree.
fn crossing(tree: &Xgft, demands: &[Demand]) -> Vec<[Sums; 2]> {
    let mut crossing = no_crossing(tree);
    for Demand { s, d, amount } in demands {
        let crossed = crossing.iter_mut().take(tree.nca_level(*s, *d)).enumerate();
        for (height, [out, inward]) in crossed {
            out.add([tree.subtree(*s, height)], amount);
            inward.add([tree.subtree(*d, height)], amount);
        }
    }
    crossing
}

/// Per height, the traffic of products out of and into every subtree: out of a subtree leads what its sources send to
/// all destinations but its own, and likewise into it.
fn crossing_of_products(tree: &Xgft, traffic: &ProductTraffic) -> Vec<[Sums; 2]> {
    let mut crossing = no_crossing(tree);
    for (height, [out, inward]) in crossing.iter_mut().enumerate() {
        // Sources and destinations of a product by subtree, and the subtrees that have some.
        let mut inside = vec![[0_u64; 2]; tree.hosts() / tree.subtree_hosts(height) as usize];
        let mut subtrees = Vec::new();
        for Product { sources, destinations, amount } in traffic.products() {
            for (side, hosts) in [sources, destinations].into_iter().enumerate() {
                for host in hosts {
                    let subtree = tree.subtree(*host, height);
                    let own = &mut inside[subtree as usize];
                    if *own == [0; 2] {
                        subtrees.push(subtree);
                    }
                    own[side] += 1;
                }
            }
            let (all_sources, all_destinations) = (sources.len() as u64, destinations.len() as u64);
            for subtree in subtrees.drain(..) {
                let [own_sources, own_destinations] = std::mem::take(&mut inside[subtree as usize]);
                let leaving = own_sources * (all_destinations - own_destinations);
                let entering = (all_sources - own_sources) * own_destinations;
                out.add_times([subtree], amount, leaving);
                inward.add_times([subtree], amount, entering);
            }
        }
    }
    crossing
}
