//! Automorphisms of an instance: permutations of the hosts that preserve loads and bounds, up to
//! the names of links.
//!
//! Conjugating a traffic permutation by an automorphism changes neither its max load nor its
//! optu, so an exhaustive search may skip all but one of each such class. Candidates grow host by
//! host and must preserve the *colour* of every pair (how much it loads links of which kind);
//! each full candidate is then verified: it must map the pairs of every link, with their loads, to
//! the pairs of some link. So nothing is assumed about the network or the routing, and missed
//! automorphisms only cost time.

use std::collections::{BTreeMap, HashMap};

use super::context::{AttackContext, Optu};
use crate::topology::{Host, host_number, sd_pairs};

/// Maximum number of automorphisms kept, and of steps of the search.
const MOST: usize = 4096;
const MAX_STEPS: usize = 1 << 20;

/// The pairs (s,d) of a link or cut with their loads in units, sorted.
type Row = Vec<(Host, Host, u64)>;

/// All rows with their multiplicities; rows of loads and of bounds on optu are kept apart.
type Rows = HashMap<(bool, Row), usize>;

/// The automorphisms found, the identity first.
pub(super) fn automorphisms(context: &AttackContext<'_>) -> Vec<Vec<Host>> {
    let rows = rows(context);
    let mut search = AutomorphismSearch {
        hosts: host_number(context.hosts()),
        colours: colours(context.hosts(), &rows),
        rows,
        image: Vec::new(),
        found: Vec::new(),
        steps: 0,
    };
    search.extend();
    search.found
}

fn rows(context: &AttackContext<'_>) -> Rows {
    let mut lists: BTreeMap<(bool, u32), Row> = BTreeMap::new();
    let mut scratch = Vec::new();
    for (s, d) in sd_pairs(context.hosts()) {
        let mut add = |bound, id, units| lists.entry((bound, id)).or_default().push((s, d, units));
        context.uses.each(s, d, &mut scratch, |link, units| add(false, link, units));
        match &context.optu {
            Optu::Constant(_) => {}
            Optu::Cuts(cuts) => cuts.each(s, d, |cut, units| add(true, cut, units)),
            Optu::Even(even) => even.each(s, d, |link, units| add(true, link, units)),
        }
    }
    let mut rows = Rows::new();
    for ((bound, _), mut row) in lists {
        row.sort_unstable();
        *rows.entry((bound, row)).or_default() += 1;
    }
    rows
}

/// How a pair loads a link: whether as a bound, size of the row, number of equal rows, units.
type Trace = (bool, usize, usize, u64);

/// A number for every pair, equal for pairs that have the same traces.
fn colours(hosts: usize, rows: &Rows) -> Vec<Vec<usize>> {
    let mut seen: Vec<Vec<Vec<Trace>>> = vec![vec![Vec::new(); hosts]; hosts];
    for ((bound, row), count) in rows {
        for (s, d, units) in row {
            seen[*s as usize][*d as usize].push((*bound, row.len(), *count, *units));
        }
    }
    let mut numbers = HashMap::new();
    let mut number = |mut seen: Vec<_>| {
        seen.sort_unstable();
        let next = numbers.len();
        *numbers.entry(seen).or_insert(next)
    };
    seen.into_iter().map(|row| row.into_iter().map(&mut number).collect()).collect()
}

struct AutomorphismSearch {
    hosts: Host,
    colours: Vec<Vec<usize>>,
    rows: Rows,
    image: Vec<Host>,
    found: Vec<Vec<Host>>,
    steps: usize,
}

impl AutomorphismSearch {
    fn extend(&mut self) {
        if self.image.len() == self.hosts as usize {
            if self.is_automorphism() {
                self.found.push(self.image.clone());
            }
            return;
        }
        for host in 0..self.hosts {
            self.steps += 1;
            if self.found.len() >= MOST || self.steps >= MAX_STEPS {
                return;
            }
            if self.fits(host) {
                self.image.push(host);
                self.extend();
                self.image.pop();
            }
        }
    }

    /// Whether the next host may be mapped to `host`.
    fn fits(&self, host: Host) -> bool {
        let (next, host_at) = (self.image.len(), host as usize);
        self.image.iter().enumerate().all(|(s, image)| {
            let image = *image as usize;
            image != host_at
                && self.colours[s][next] == self.colours[image][host_at]
                && self.colours[next][s] == self.colours[host_at][image]
        })
    }

    fn is_automorphism(&self) -> bool {
        let map = |host: Host| self.image[host as usize];
        self.rows.iter().all(|((bound, row), count)| {
            let mut mapped: Row =
                row.iter().map(|(s, d, units)| (map(*s), map(*d), *units)).collect();
            mapped.sort_unstable();
            self.rows.get(&(*bound, mapped)) == Some(count)
        })
    }
}

/// For each element of `0..hosts`, the least element of its orbit under `group`.
pub(super) fn orbits(hosts: Host, group: &[&Vec<Host>]) -> Vec<Host> {
    let mut least: Vec<Host> = (0..hosts).collect();
    loop {
        let mut changed = false;
        for automorphism in group {
            for (host, image) in automorphism.iter().enumerate() {
                let both = least[host].min(least[*image as usize]);
                changed |= least[host] != both || least[*image as usize] != both;
                (least[host], least[*image as usize]) = (both, both);
            }
        }
        if !changed {
            return least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing::Instance;

    fn count(topology: &str, routing: &str) -> usize {
        let instance = Instance::named(topology, routing).unwrap();
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let found = automorphisms(&context);
        assert_eq!(found[0], (0..host_number(context.hosts())).collect::<Vec<_>>());
        found.len()
    }

    #[test]
    fn known_groups() {
        // A star: any permutation of its hosts.
        assert_eq!(count("xgft(1;4;1)", "dmodk"), 24);
        // Even split over two roots: hosts within each leaf, and the leaves: 2!^4 · 4!.
        assert_eq!(count("ft(4,2)", "omrmn"), 384);
        // D-mod-k distinguishes the two hosts of a leaf, but they may trade places in all leaves
        // at once: 2 · 4!.
        assert_eq!(count("ft(4,2)", "dmodk"), 48);
        // Random routing has none as a rule.
        assert_eq!(count("ft(4,2)", "random(seed=1)"), 1);
    }

    #[test]
    fn orbits_are_closed() {
        let (turn, swap) = (vec![1, 2, 0, 3, 4], vec![0, 1, 2, 4, 3]);
        assert_eq!(orbits(5, &[&turn, &swap]), [0, 0, 0, 3, 3]);
        assert_eq!(orbits(3, &[]), [0, 1, 2]);
    }
}
