//! The best relabelling W of \[RO\] VIII on slimmed trees: what the paper leaves to future work.
//!
//! On XGFT(2;m,m;1,w) a relabelling is a map of the hosts of every leaf switch to the w roots; all traffic to a host
//! (D-mod-k on the new labels) leads through its root. How many hosts c(j,r) of leaf j have root r decides the
//! ratio: an up link of leaf i carries m sources to the Σ_{j≠i} c(j,r) hosts of root r elsewhere, a down link to
//! leaf j as many sources as there are elsewhere to c(j,r) hosts. Traffic that loads a link with k disjoint pairs and
//! leaves or enters one leaf has OPTU max(1, k/w), so the ratio is the most of min(w, m, Σ_{j≠i} c(j,r)) and
//! min(w, c(j,r)). Since Σ_r Σ_{j≠i} c(j,r) = m(m−1), it is at least min(w, m, ⌈m(m−1)/w⌉) whatever the map.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::assessment::Assess;
use crate::integer::as_size;
use crate::study::prelude::*;
use crate::synth::{Options, least_ratio};

pub(super) const KIND: Kind<Study> = Study::kind::<Trees>(
    &["ro-relabelling"],
    "[RO] VIII, X",
    "the exact ratios of all relabellings W on small XGFT(2;m,m;1,w), beside D-mod-k and the best single-path \
            routing",
);

/// m and w of trees on which all relabellings are examined.
const SMALL: [(u32, u32); 8] = [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)];

/// m of the trees of the paper, of which w is 16 and less.
const PRINTED: u32 = 16;

const HEADS: [&str; 8] = [
    "tree",
    "relabellings",
    "bound",
    "least ratio",
    "maximum ratio",
    "D-mod-k",
    "grid",
    "best single-path routing",
];

/// Hosts by leaf and root.
type Hosts = Vec<Vec<u32>>;

struct Trees(Vec<(u32, u32)>);

/// What was found for a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Found {
    dmodk: Rational,
    grid: Rational,
    /// On small trees.
    all: Option<All>,
}

/// What was found for all relabellings of a small tree, and all single-path routings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct All {
    /// Relabellings, up to names of leaves and roots.
    classes: u64,
    least: u32,
    greatest: u32,
    best: String,
}

impl All {
    fn of((m, w): (u32, u32), progress: &Progress) -> Result<Self> {
        let all = classes(m, w);
        let ratios = all.iter().map(|table| ratio(m, table)).minmax().into_option();
        let (least, greatest) = ratios.unwrap_or((0, 0));
        let best = least_ratio(&tree((m, w))?, &Options::default(), &progress.part(1.0))?;
        Ok(Self { classes: all.len() as u64, least, greatest, best: best.bounds.to_string() })
    }

    fn cells(&self, bound: u32) -> [String; 5] {
        let Self { classes, least, greatest, best } = self;
        let numbers = [*classes, bound.into(), (*least).into(), (*greatest).into()];
        let [classes, bound, least, greatest] = numbers.map(|number| number.to_string());
        [classes, bound, least, greatest, best.clone()]
    }
}

/// The least ratio that any relabelling can have.
fn bound(m: u32, w: u32) -> u32 {
    (m * (m - 1)).div_ceil(w).min(m).min(w)
}

/// The ratio of the relabellings with the given numbers of hosts by leaf and root.
fn ratio(m: u32, hosts: &Hosts) -> u32 {
    let roots = hosts.first().map_or(0, Vec::len);
    let all: Vec<u32> = (0..roots).map(|root| hosts.iter().map(|leaf| leaf[root]).sum()).collect();
    let of_leaf = |leaf: &Vec<u32>| {
        let links = leaf.iter().zip(&all).map(|(here, all)| (all - here).min(m).max(*here));
        links.max().unwrap_or(0)
    };
    let most = hosts.iter().map(of_leaf).max().unwrap_or(0);
    most.min(crate::integer::index32(roots))
}

/// All numbers of hosts by leaf and root, up to names of leaves and roots.
fn classes(m: u32, w: u32) -> BTreeSet<Hosts> {
    let mut leaves: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..w {
        let longer = |leaf: Vec<u32>| {
            let left = m - leaf.iter().sum::<u32>();
            (0..=left).map(move |here| [&leaf[..], &[here]].concat()).collect::<Vec<_>>()
        };
        leaves = leaves.into_iter().flat_map(longer).collect();
    }
    leaves.retain(|leaf| leaf.iter().sum::<u32>() == m);
    let tables = leaves.into_iter().combinations_with_replacement(as_size(m.into()));
    tables.map(|table| canonical(&table)).collect()
}

/// The first of all tables that differ in names only.
fn canonical(table: &Hosts) -> Hosts {
    let roots = table.first().map_or(0, Vec::len);
    let renamed = |order: Vec<usize>| {
        let leaf = |leaf: &Vec<u32>| order.iter().map(|root| leaf[*root]).collect::<Vec<_>>();
        let mut renamed: Hosts = table.iter().map(leaf).collect();
        renamed.sort_unstable();
        renamed
    };
    (0..roots).permutations(roots).map(renamed).min().unwrap_or_default()
}

/// The exact ratio of an instance, proven.
fn exact(instance: &Instance, progress: &Progress) -> Result<Rational> {
    let found = Assess::new().progress(&progress.part(1.0)).run(instance)?.oblivious_ratio;
    progress.check()?;
    Ok(found.lower)
}

fn tree((m, w): (u32, u32)) -> Result<Topology> {
    Ok(generate(&spec(m, w))?)
}

fn spec(m: u32, w: u32) -> String {
    format!("xgft(2;{m},{m};1,{w})")
}

impl Rows for Trees {
    type Key = (u32, u32);
    type Row = Found;

    fn keys(&self) -> &[(u32, u32)] {
        &self.0
    }

    fn find(&self, &(m, w): &(u32, u32), progress: &Progress) -> Result<Found> {
        let exact = |routing| exact(&Instance::named(&spec(m, w), routing)?, progress);
        let (dmodk, grid) = (exact("dmodk")?, exact("grid")?);
        let all = (m < PRINTED).then(|| All::of((m, w), progress)).transpose()?;
        Ok(Found { dmodk, grid, all })
    }

    fn holds(&self, &(m, w): &(u32, u32), found: &Found) -> bool {
        let holds =
            |all: &All| bound(m, w) <= all.least && all.least <= all.greatest && all.greatest <= w;
        found.dmodk >= Rational::from(u64::from(bound(m, w)))
            && found.all.as_ref().is_none_or(holds)
    }
}

impl Entry for Trees {
    type Row = Found;

    /// The small tier has trees of up to 9 hosts.
    fn of(tier: Tier) -> Result<Self> {
        let is_wanted = |(m, _): &(u32, u32)| tier == Tier::Full || *m < 4;
        let printed = (1..=PRINTED).rev().map(|w| (PRINTED, w));
        Ok(Self(SMALL.into_iter().chain(printed).filter(is_wanted).collect()))
    }

    fn finder(&self) -> Finder<'_, Found> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Found]) -> Result<Vec<Table>> {
        let cells = self.0.iter().zip(found).map(|((m, w), found)| {
            let Found { dmodk, grid, all } = found;
            let bound = bound(*m, *w);
            let none =
                || [String::new(), bound.to_string(), String::new(), String::new(), String::new()];
            let [classes, bound, least, greatest, best] =
                all.as_ref().map_or_else(none, |all| all.cells(bound));
            let (dmodk, grid) = (dmodk.to_string(), grid.to_string());
            vec![spec(*m, *w), classes, bound, least, greatest, dmodk, grid, best]
        });
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Found], tables: &[Table]) -> Result<Page> {
        Ok(Page::new(HEADER).tables(tables).text(FINDINGS))
    }
}

const HEADER: &str = include_str!("relabelling.header.md");

const FINDINGS: &str = include_str!("relabelling.findings.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Routing;
    use crate::routing::tree::{HostDigits, TreeRouting};
    use crate::topology::{Host, Xgft};

    #[test]
    fn tables_by_hand() {
        // One leaf of 2 hosts over 2 roots has (0,2), (1,1), (2,0); pairs of leaves up to names:
        // both (0,2); (0,2) and (1,1); (0,2) and (2,0); both (1,1).
        assert_eq!(classes(2, 2).len(), 4);
        assert_eq!(ratio(2, &vec![vec![1, 1], vec![1, 1]]), 1);
        assert_eq!(ratio(2, &vec![vec![2, 0], vec![0, 2]]), 2);
        assert_eq!((bound(2, 2), bound(4, 3), bound(16, 16), bound(16, 10)), (1, 3, 15, 10));
    }

    /// A routing with the given numbers of hosts by leaf and root.
    fn routing(tree: &Xgft, m: u32, hosts: &Hosts) -> Box<dyn Routing> {
        let map = |leaf: &Vec<u32>| {
            let roots =
                leaf.iter().zip(0..).flat_map(|(hosts, root)| (0..*hosts).map(move |_| root));
            roots.collect::<Vec<u32>>()
        };
        let maps: Vec<u32> = hosts.iter().flat_map(map).collect();
        assert_eq!(maps.len(), as_size((m * m).into()));
        let rule =
            HostDigits::tabulate(
                tree,
                false,
                |host: Host, level| {
                    if level == 0 { 0 } else { maps[host as usize] }
                },
            );
        Box::new(TreeRouting::new("relabelled", tree, rule))
    }

    /// The closed form is the exact analysis, for every class on XGFT(2;3,3;1,2) and XGFT(2;3,3;1,3).
    #[test]
    fn ratios_are_exact() {
        let quiet = Progress::silent();
        for (m, w) in [(2, 2), (3, 2), (3, 3)] {
            let topology = tree((m, w)).unwrap();
            let labels = topology.tree().unwrap().clone();
            for table in classes(m, w) {
                let routing = routing(&labels, m, &table);
                let instance = Instance::new(tree((m, w)).unwrap(), routing).unwrap();
                let found = exact(&instance, &quiet).unwrap();
                assert_eq!(found, Rational::from(u64::from(ratio(m, &table))), "{table:?}");
            }
        }
    }
}
