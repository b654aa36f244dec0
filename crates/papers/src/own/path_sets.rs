//! How many paths a sender needs that chooses their rates for the traffic: sets of paths on small networks.

use crate::assessment::{Assess, assess_adaptive};
use crate::bounds::{Bounds, decimal};
use crate::certificate::Quantity;
use crate::import::{self, ImportOptions};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::routing::{Instance, InstanceError, build};
use crate::study::StudyError;
use crate::study::engine::{Entry, Finder, Page, Rows, Study, Table, Tier};
use crate::topology::{Topology, generate, sd_pairs};

pub(super) const KIND: Kind<Study> = Study::kind::<Sets>(
    &["path-sets"],
    "Kumar et al., NSDI 2018; Räcke, STOC 2008",
    "the worst case of shortest, disjoint and sampled paths with equal, fixed and adaptive rates",
);

/// Sets of paths by their number.
const SETS: [&str; 3] = ["ksp(k=K)", "disjoint(k=K)", "racke(trees=K)"];

/// A network: what rows call it, its spec or a file, whose capacities count as 1, and the numbers of each set.
type Network = (&'static str, &'static str, [&'static [u32]; 3]);

const NETWORKS: [Network; 4] = [
    (
        "Abilene",
        "instances/networks/topologyzoo/Abilene.graphml",
        [&[1, 2, 3, 4, 5, 6, 7, 8], &[2, 3, 4], &[2, 4, 8]],
    ),
    (
        "Sprint",
        "instances/networks/topologyzoo/Sprint.graphml",
        [&[1, 2, 3, 4, 5, 6, 7, 8], &[2, 3, 4], &[2, 4, 8]],
    ),
    ("FT(8,2)", "ft(8,2)", [&[1, 2, 3, 4], &[2, 3, 4], &[4]]),
    ("8 planes", "xgft(2;2,4;8,1)", [&[1, 2, 3, 4, 5, 6, 7, 8], &[2, 4, 8], &[2, 4]]),
];

/// Maximum number of paths in the small tier.
const FEW: u32 = 1;

/// Decimals of a bound whose fraction is long.
const PLACES: u32 = 4;

const HEADS: [&str; 9] = [
    "network",
    "paths",
    "K",
    "most of a pair",
    "equal rates",
    "best fixed rates",
    "adaptive rates at least",
    "at most",
    "evidence",
];

/// A set of paths on a network.
struct Case {
    name: &'static str,
    network: &'static str,
    set: &'static str,
    number: u32,
}

impl Case {
    fn instance(&self) -> Result<Instance, StudyError> {
        let topology = self.topology()?;
        let spec = self.set.replace('K', &self.number.to_string());
        let routing = build(&spec, &topology)?;
        Ok(Instance::new(topology, routing)?)
    }

    fn topology(&self) -> Result<Topology, StudyError> {
        if self.network.contains('(') {
            return Ok(generate(self.network).map_err(InstanceError::from)?);
        }
        let options = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
        Ok(import::topology(self.network, &options)?)
    }
}

/// The most paths of a pair.
fn most(instance: &Instance) -> usize {
    let of_pair = |(s, d)| {
        let mut paths = 0;
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, _| paths += 1);
        paths
    };
    sd_pairs(instance.topology().hosts()).map(of_pair).max().unwrap_or(0)
}

/// A bound, short, and rounded to the safe side.
fn shown(bound: &Rational, up: bool) -> String {
    decimal(bound, PLACES, up)
}

/// Both sides, or the value where they meet and it is short.
fn both(bounds: &Bounds) -> String {
    let (lower, upper) = (shown(&bounds.lower, false), shown(&bounds.upper, true));
    if lower == upper { lower } else { format!("{lower}..{upper}") }
}

/// The sets of a tier.
struct Sets(Vec<Case>);

impl Rows for Sets {
    type Key = Case;
    type Row = Vec<String>;

    fn keys(&self) -> &[Case] {
        &self.0
    }

    /// The searches have no limit of time, so that they end where they always do.
    fn find(&self, case: &Case, progress: &Progress) -> Result<Vec<String>, StudyError> {
        let instance = case.instance()?;
        let equal = Assess::new().progress(progress).run(&instance)?.oblivious_ratio;
        let found = assess_adaptive(
            &instance,
            Quantity::ObliviousRatio,
            &|_| progress.part(1.0),
            &mut |_| {},
        )?;
        progress.check()?;
        let paths = most(&instance).to_string();
        Ok(vec![
            case.name.to_string(),
            case.set.to_string(),
            case.number.to_string(),
            paths,
            both(&equal),
            both(&found.fixed),
            shown(&found.adaptive.lower, false),
            shown(&found.adaptive.upper, true),
            found.adaptive.evidence.to_string(),
        ])
    }

    fn holds(&self, _: &Case, _: &Vec<String>) -> bool {
        // A part could say anything: its rows are found again.
        false
    }

    fn is_shared(&self, _: &Case) -> bool {
        false
    }
}

impl Entry for Sets {
    type Row = Vec<String>;

    fn of(tier: Tier) -> Result<Self, StudyError> {
        let mut all = Vec::new();
        for (name, network, numbers) in NETWORKS {
            for (set, numbers) in SETS.into_iter().zip(numbers) {
                let numbers = numbers.iter().filter(|k| tier == Tier::Full || **k <= FEW);
                all.extend(numbers.map(|number| Case { name, network, set, number: *number }));
            }
        }
        Ok(Self(all))
    }

    fn finder(&self) -> Finder<'_, Vec<String>> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Vec<String>]) -> Result<Vec<Table>, StudyError> {
        Ok(vec![Table::new("table.csv", &HEADS, found.to_vec())])
    }

    fn page(&self, _: &[Vec<String>], tables: &[Table]) -> Result<Page, StudyError> {
        let [table] = tables else { return Ok(Page::default()) };
        Ok(Page::new(HEADER).table(table).text(FINDINGS))
    }
}

const HEADER: &str = include_str!("path_sets.header.md");

/// Conclusions from the numbers; `tests/structure/findings/path_sets.rs` checks them against the table.
const FINDINGS: &str = include_str!("path_sets.findings.md");
