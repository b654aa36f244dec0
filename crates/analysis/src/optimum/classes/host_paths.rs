//! The paths of hosts that traffic between gates is made of.

use std::collections::BTreeMap;

use super::dag::Dag;
use super::network::Classes;
use super::rounding::{divide, max_load, send};
use crate::limit::within;
use crate::optimum::paths::MAX_PATHS;
use crate::optimum::problem::in_units;
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId, Topology};
use crate::traffic::{Demand, PathRecord};

/// All demands to the hosts of one gate: source, destination, units.
type ToGate = Vec<(Host, Host, u128)>;

/// A routing of listed demands that divides as `dags` say, and its exact max load. O(paths · path length).
///
/// # Errors
/// [`Interrupted`] when there would be more than [`MAX_PATHS`] paths, or `progress` is cancelled.
///
/// # Panics
/// If the traffic of `classes` is not that of `demands`.
pub fn host_paths(
    classes: &Classes<'_>,
    dags: &[Dag],
    demands: &[Demand],
    factor: u128,
    progress: &Progress,
) -> Result<(Rational, Vec<PathRecord>), Interrupted> {
    let (_, groups) = in_units(demands).expect("the classes were made of these demands");
    let mut to_gate = BTreeMap::<u32, ToGate>::new();
    for group in groups {
        for (d, units) in group.sinks {
            to_gate.entry(classes.gates().of(d)).or_default().push((group.source, d, units));
        }
    }
    let dag_of: BTreeMap<u32, &Dag> =
        dags.iter().map(|dag| (classes.demands()[dag.group].source, dag)).collect();
    let mut peeler = Peeler::new(classes, factor);
    let remedy = "use a smaller network or fewer demands";
    for (gate, demands) in to_gate {
        if let Some(dag) = dag_of.get(&gate) {
            peeler.load(dag);
        }
        for demand in demands {
            progress.check()?;
            peeler.peel(gate, demand);
            let paths = peeler.records.len() as u128;
            within("number of paths of the routing", Some(paths), MAX_PATHS, remedy)?;
        }
    }
    Ok((max_load(classes, &peeler.traffic, factor), peeler.records))
}

/// Peels paths off the flow to one gate after the other.
struct Peeler<'c, 't> {
    classes: &'c Classes<'t>,
    factor: u128,
    /// What is left of the flow on every cable.
    left: Vec<u128>,
    /// Per node, the cables of the flow.
    out: Vec<Vec<(LinkId, NodeId)>>,
    at: Vec<u128>,
    /// Traffic of the paths on every link.
    traffic: Vec<u128>,
    records: Vec<PathRecord>,
}

impl<'c, 't> Peeler<'c, 't> {
    fn new(classes: &'c Classes<'t>, factor: u128) -> Self {
        let (links, nodes) = (classes.topology().links(), classes.topology().nodes());
        Self {
            classes,
            factor,
            left: vec![0; links],
            out: vec![Vec::new(); nodes],
            at: vec![0; nodes],
            traffic: vec![0; links],
            records: Vec::new(),
        }
    }

    /// Takes the flow to a gate.
    fn load(&mut self, dag: &Dag) {
        self.out.iter_mut().for_each(Vec::clear);
        let Self { classes, factor, left, out, at, .. } = self;
        send(classes, dag, *factor, at, |link, amount| {
            if let Some((tail, head)) = classes.topology().ends(link) {
                left[link as usize] = amount;
                out[tail as usize].push((link, head));
            }
        });
    }

    /// Routes a demand to a host of `gate`.
    fn peel(&mut self, gate: u32, (s, d, units): (Host, Host, u128)) {
        let (classes, whole) = (self.classes, units * self.factor);
        let gates = classes.gates();
        let [first, last] = [gates.to_gate(s), gates.from_gate(d)]
            .map(|links| over(classes.topology(), links, whole));
        let (mut first, mut last) = (first.into_iter(), last.into_iter());
        let (mut entry, mut exit) = (first.next(), last.next());
        while let (Some((from, enters)), Some((to, leaves))) = (&mut entry, &mut exit) {
            let most = (*enters).min(*leaves);
            let mut links: Vec<LinkId> = from.iter().copied().collect();
            let amount = self.walk(gates.node(gates.of(s)), gates.node(gate), most, &mut links);
            links.extend(*to);
            for link in &links {
                self.traffic[*link as usize] += amount;
            }
            if let Some(share) = Rational::from_big(amount.into(), whole.into()) {
                self.records.push(PathRecord { s, d, share, links });
            }
            (*enters, *leaves) = (*enters - amount, *leaves - amount);
            if *enters == 0 {
                entry = first.next();
            }
            if exit.is_some_and(|(_, leaves)| leaves == 0) {
                exit = last.next();
            }
        }
    }

    /// Follows the widest cables to the gate, takes at most `most` from them and returns how much.
    fn walk(&mut self, from: NodeId, to: NodeId, most: u128, links: &mut Vec<LinkId>) -> u128 {
        let (mut node, mut amount, begun) = (from, most, links.len());
        while node != to {
            let left = &self.left;
            let widest =
                self.out[node as usize].iter().max_by_key(|(link, _)| left[*link as usize]);
            let (link, head) = *widest.expect("as much leaves a node as is demanded there");
            amount = amount.min(left[link as usize]);
            links.push(link);
            node = head;
        }
        for link in &links[begun..] {
            self.left[*link as usize] -= amount;
        }
        amount
    }
}

/// How an amount divides over the links between a host and its gate; a host that is its own gate has none.
fn over(topology: &Topology, links: &[LinkId], amount: u128) -> Vec<(Option<LinkId>, u128)> {
    if links.is_empty() {
        return vec![(None, amount)];
    }
    let capacity = |link: &LinkId| topology.link(*link).capacity.to_f64();
    let capacities: Vec<f64> = links.iter().map(capacity).collect();
    let parts = links.iter().map(|link| Some(*link)).zip(divide(amount, &capacities));
    parts.filter(|(_, amount)| *amount > 0).collect()
}
