//! What limited multi-path routing achieves: the exact oblivious ratio against the number of
//! paths, the question that \[OR\] VI leaves open, and the least that any choice of paths has.

use std::fmt::Write as _;

use crate::assessment::Assessment;
use crate::integer::as_size;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::report::table::markdown;
use crate::routing::Instance;
use crate::shards::Units;
use crate::study::engine::{Divided, Entry, Job, Page, Study, Table, Tier};
use crate::study::{StudyError, assessed};
use crate::synth::SynthError;
use crate::synth::counting::least_with_paths;
use crate::synth::shares::{self, Design, Effort, LeastLoad};
use crate::topology::generate;

pub(super) const KIND: Kind<Study> = Kind {
    name: "limited-multipath",
    usage: "limited-multipath",
    options: &[],
    about: "exact oblivious ratio of kpath against k, and the least of all choices of k paths",
    reference: "[OR] VI",
    examples: &["limited-multipath"],
    build: Study::of::<Trees>(),
};

/// (m, n) of the trees on which all choices are compared.
const COMPARED: [(u32, u32); 3] = [(8, 2), (16, 2), (8, 3)];

const CHOICES: [&str; 7] =
    ["first", "shift", "disjoint", "random,seed=1", "random,seed=2", "random,seed=3", GRID];

/// The best choice that is known.
const GRID: &str = "grid";

/// (m, n) of the trees with every k for the best choice: all those compared, and others.
const EVERY_K: [(u32, u32); 9] =
    [(4, 2), (6, 2), (8, 2), (10, 2), (12, 2), (16, 2), (4, 3), (6, 3), (8, 3)];

/// What `synth --paths K` finds, of any shares, beside the choices of `kpath`.
const FREE: &str = "free shares";

/// m of the trees FT(m,2) with free shares, for every k but 1, where there is nothing to share, and m/2, where every
/// routing with equal shares is best; the first of them is in the small tier.
const FREE_M: [u32; 4] = [6, 8, 10, 12];

/// Trees of the small tier.
const SMALL: [(u32, u32); 2] = [(4, 2), (8, 2)];

/// Largest number of hosts of a tree whose certificates are kept.
const KEPT_HOSTS: usize = 32;

/// FT(m,n), and k shortest paths of each pair.
#[derive(Clone, Copy)]
struct Case {
    m: u32,
    n: u32,
    k: u32,
    choice: &'static str,
}

struct MultipathRow {
    case: Case,
    /// Shares that are better than equal ones, where they were searched for and found.
    design: Option<Design>,
    hosts: usize,
    /// No choice of k paths has less.
    lower: Option<Rational>,
    assessment: Assessment,
}

/// Trees, for powers of two of k up to all paths and every choice, and for every k and the best choice.
struct Trees(Vec<Case>);

impl Case {
    fn tree(&self) -> String {
        format!("ft({},{})", self.m, self.n)
    }

    fn is_free(&self) -> bool {
        self.choice == FREE
    }

    /// The routing, and the shares that it was made from. Where no free shares are found that are better, it has equal
    /// ones.
    fn instance(&self, progress: &Progress) -> Result<(Instance, Option<Design>), StudyError> {
        let choice = if self.is_free() { GRID } else { self.choice };
        let equal = Instance::named(&self.tree(), &format!("kpath(k={},choice={choice})", self.k))?;
        let free = equal.topology.tree().filter(|_| self.is_free());
        let Some(tree) = free else { return Ok((equal, None)) };
        let below = least_with_paths(tree, self.k).map_err(SynthError::from)?;
        let Some((least, below)) = LeastLoad::of(tree, self.k).zip(below) else {
            return Ok((equal, None));
        };
        let effort = Effort::default();
        let (design, _) = shares::find((&least, &below), self.k, effort, 0, progress);
        let Some(design) = design else { return Ok((equal, None)) };
        let stem = format!("ft-{}-{}-k{}", self.m, self.n, self.k);
        let free = design.instance(&equal.topology, tree, &stem).map_err(SynthError::from)?;
        Ok((free, Some(design)))
    }
}

/// Shortest paths between hosts far apart.
fn paths(m: u32, n: u32) -> u32 {
    (m / 2).pow(n - 1)
}

impl Divided for Trees {
    type Row = MultipathRow;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn find(
        &self,
        row: u64,
        units: &Units,
        progress: &Progress,
    ) -> Result<MultipathRow, StudyError> {
        let case = self.0[as_size(row)];
        let (instance, design) = case.instance(progress)?;
        let routing = instance.routing().spec().to_string();
        let name = format!("{routing} on {}, k={}", case.tree(), case.k);
        let assessment = assessed(&instance, &name, units, progress)?;
        let (hosts, tree) = (instance.topology.hosts(), instance.topology.tree());
        let lower = tree.map(|tree| least_with_paths(tree, case.k)).transpose();
        let lower = lower.map_err(SynthError::from)?.flatten();
        Ok(MultipathRow { case, design, hosts, lower, assessment })
    }
}

impl Entry for Trees {
    type Row = MultipathRow;

    fn of(tier: Tier) -> Result<Self, StudyError> {
        let is_in_tier = |tree: &(u32, u32)| tier == Tier::Full || SMALL.contains(tree);
        let mut all = Vec::new();
        for (m, n) in COMPARED.into_iter().filter(is_in_tier) {
            let powers = (1..=paths(m, n)).filter(|k| k.is_power_of_two());
            let others = CHOICES.into_iter().filter(|choice| *choice != GRID);
            let cases = itertools::iproduct!(powers, others);
            all.extend(cases.map(|(k, choice)| Case { m, n, k, choice }));
        }
        for (m, n) in EVERY_K.into_iter().filter(is_in_tier) {
            all.extend((1..=paths(m, n)).map(|k| Case { m, n, k, choice: GRID }));
        }
        let is_in_tier = |m: &u32| tier == Tier::Full || *m == FREE_M[0];
        for m in FREE_M.into_iter().filter(is_in_tier) {
            all.extend((2..m / 2).map(|k| Case { m, n: 2, k, choice: FREE }));
        }
        Ok(Self(all))
    }

    fn count(&self) -> u64 {
        Divided::count(self)
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<MultipathRow>>, StudyError> {
        job.divided(self)
    }

    fn tables(&self, found: &[MultipathRow]) -> Result<Vec<Table>, StudyError> {
        let (free, equal): (Vec<_>, Vec<_>) = found.iter().partition(|row| row.case.is_free());
        Ok(vec![
            Table::new("table.csv", &HEADS, equal.into_iter().map(MultipathRow::cells)),
            Table::new(
                "free-shares.csv",
                &FREE_HEADS,
                free.into_iter().map(MultipathRow::free_cells),
            ),
        ])
    }

    fn page(&self, found: &[MultipathRow], _: &[Table]) -> Result<Page, StudyError> {
        let mut page = Page::new(readme(found));
        for row in found.iter().filter(|row| row.is_kept()) {
            let Case { m, n, k, choice } = row.case;
            let choice = choice.replace(",seed=", "").replace(' ', "-");
            page = page.certificate(&format!("ft-{m}-{n}-k{k}-{choice}"), &row.assessment)?;
        }
        Ok(page)
    }
}

impl MultipathRow {
    fn is_of(&self, tree: (u32, u32)) -> bool {
        (self.case.m, self.case.n) == tree
    }

    /// Whether its certificate is committed: once where free shares are not better than equal ones.
    fn is_kept(&self) -> bool {
        self.hosts <= KEPT_HOSTS && (!self.case.is_free() || self.design.is_some())
    }

    fn cells(&self) -> Vec<String> {
        vec![
            format!("FT({},{})", self.case.m, self.case.n),
            self.hosts.to_string(),
            paths(self.case.m, self.case.n).to_string(),
            self.case.k.to_string(),
            self.case.choice.to_string(),
            self.ratio(),
            self.assessment.oblivious_ratio.evidence.to_string(),
            self.lower(),
        ]
    }

    /// Of a tree with free shares: what is known without search, and what was found.
    fn free_cells(&self) -> Vec<String> {
        let Case { m, n, k, .. } = self.case;
        let bound = generate(&self.case.tree()).ok();
        let bound = bound.as_ref().and_then(|topology| LeastLoad::of(topology.tree()?, k));
        vec![
            format!("FT({m},{n})"),
            k.to_string(),
            self.lower(),
            self.ratio(),
            self.assessment.oblivious_ratio.evidence.to_string(),
            bound.map_or_else(|| "-".to_string(), |bound| bound.to_string()),
        ]
    }

    /// The exact ratio, or its bounds.
    fn ratio(&self) -> String {
        let ratio = &self.assessment.oblivious_ratio;
        ratio.exact().map_or_else(|| ratio.to_string(), ToString::to_string)
    }

    fn lower(&self) -> String {
        self.lower.as_ref().map_or_else(|| "-".to_string(), ToString::to_string)
    }

    /// The least ratio of all choices, or its bounds.
    fn least(&self) -> String {
        let (lower, upper) = (self.lower(), self.ratio());
        if lower == upper { lower } else { format!("{lower}..{upper}") }
    }
}

const HEADS: [&str; 8] =
    ["tree", "hosts", "paths", "k", "choice", "ratio", "evidence", "no choice below"];

const FREE_HEADS: [&str; 6] =
    ["tree", "k", "least of equal shares", "found with free shares", "evidence", "no shares below"];

fn readme(rows: &[MultipathRow]) -> String {
    let mut text = format!(
        "# What limited multi-path routing reaches\n\n\
         With all shortest paths of a pair in equal share, m-port n-trees have oblivious ratio 1 \
         (Theorem 1 of *Oblivious Routing in Fat-Tree Based System Area Networks with Uncertain \
         Traffic Demands*, [OR]). Its section VI asks what remains when a network supports a \
         limited number of paths per pair, as InfiniBand does: a port has at most 128 addresses \
         (LMC 7). These are the exact oblivious ratios of `kpath`: k shortest paths of each pair \
         in equal share, for each rule of choice (`routebound list routings`, \
         `crates/networks/src/routing/kpath.rs`).\n\n\
         Made by `routebound study {0} --output results/{0}`. Each ratio is proven by a \
         certificate that the checker accepted; those of trees of at most 32 hosts are kept in `certificates/` and \
         `routebound check results/{0}/certificates/*.cert` checks them again. For the others: \
         `routebound ratio 'ft(m,n)' 'kpath(k=K,choice=CHOICE)' --certificate FILE`.\n",
        KIND.name
    );
    for (m, n) in COMPARED {
        // A String takes every write.
        let _ =
            writeln!(text, "\n## FT({m},{n}): at most {} shortest paths per pair\n", paths(m, n));
        text.push_str(&compared(rows, m, n));
    }
    text.push_str(LEAST);
    for (m, n) in EVERY_K.into_iter().filter(|tree| rows.iter().any(|row| row.is_of(*tree))) {
        let _ = writeln!(text, "\n### FT({m},{n})\n");
        text.push_str(&least(rows, m, n));
    }
    let free: Vec<&MultipathRow> = rows.iter().filter(|row| row.case.is_free()).collect();
    text.push_str(&free_shares(&free));
    text.push_str(FINDINGS);
    text
}

/// What free shares reach, with the shares that are better than equal ones.
fn free_shares(rows: &[&MultipathRow]) -> String {
    let table = markdown(&FREE_HEADS, rows.iter().map(|row| row.free_cells()));
    let mut text = format!("{FREE_SHARES}\n{table}");
    for row in rows {
        let Some(design) = &row.design else { continue };
        let Case { m, n, k, .. } = row.case;
        // A String takes every write.
        let _ = writeln!(text, "\nFT({m},{n}), k = {k}:\n\n```text\n{design}```");
    }
    text
}

/// One row per k, one column per choice.
fn compared(rows: &[MultipathRow], m: u32, n: u32) -> String {
    let heads: Vec<&str> = std::iter::once("k").chain(CHOICES).collect();
    let powers = (1..=paths(m, n)).filter(|k| k.is_power_of_two());
    let lines = powers.map(|k| {
        let of_choice = |choice: &str| {
            let is_it = |row: &&MultipathRow| {
                row.is_of((m, n)) && row.case.k == k && row.case.choice == choice
            };
            rows.iter().find(is_it).map_or_else(|| "-".to_string(), MultipathRow::ratio)
        };
        let all = if k == paths(m, n) { " (all)" } else { "" };
        std::iter::once(format!("{k}{all}")).chain(CHOICES.map(of_choice)).collect()
    });
    markdown(&heads, lines)
}

/// One row per k: the bound, what `grid` has, and both together.
fn least(rows: &[MultipathRow], m: u32, n: u32) -> String {
    let of_grid = rows.iter().filter(|row| row.is_of((m, n)) && row.case.choice == GRID);
    let lines =
        of_grid.map(|row| vec![row.case.k.to_string(), row.lower(), row.ratio(), row.least()]);
    markdown(&["k", "no choice below", GRID, "least ratio"], lines)
}

/// How the least ratio of all choices is known.
const LEAST: &str = "
## The least ratio of all choices of k paths of equal share

A lower bound for every routing with k different shortest paths of equal share, whatever its choice, by counting what a
root can carry (`crates/proof/src/checker/COUNTING.md`, *Several paths*; `synth::counting::least_with_paths`), and the choice `grid`
of `kpath`, whose ratio is proven by a certificate. Where both are the same, no choice of k paths of equal
share is better. Unequal shares can be.
";

/// What is known of shares that need not be equal.
const FREE_SHARES: &str = "
## The least ratio of k paths of any shares

No routing of FT(m,2) with k paths per pair has less than sqrt(km/2)/k, whatever its paths and shares: a theorem
(`synth::shares::LeastLoad`, with its proof), for which certificates have no place. Where km/2 is a square, the equal
shares of `grid` reach it, so no shares are better; elsewhere the least ratio is open. What free shares reach is found
by local search over roots and shares by the places of both hosts below their leaf switches, and proven by a
certificate like the others: `routebound synth 'ft(m,2)' --paths K --output FILE --certificate FILE` makes both. Where
nothing better was found, the ratio is that of `grid`; that proves nothing about others. Below the table are the shares
that are better than equal ones: a line per source, a cell per destination, each by its place below its leaf switch,
and `root:share` for each root that the pair uses.
";

/// What the numbers show; the test of this study checks each sentence against them.
const FINDINGS: &str = "
## What this says

- With k paths of equal share the least ratio on FT(m,2) is ceil(sqrt(km/2))/k, for every m and every k up to m/2: \
`grid` reaches it, and counting shows that no choice of k paths has less. Twice the paths are worth about a factor of \
sqrt(2), not of 2.
- On FT(m,3) no choice of k paths of equal share has less than ceil((m/2)sqrt(k))/k. `grid` reaches that for all k on \
FT(4,3), for all but k = 7 on FT(6,3), and for all but k = 12, 13 and 14 on FT(8,3).
- One well-chosen path is better than several others: `grid` with k = 1 has ratio 3 on FT(16,2) and 4 on FT(8,3), where \
every other choice needs 3 and 4 paths to be as good.
- On FT(8,2) and FT(16,2) every other choice has ratio P/k for every k, P being the number of shortest paths: \
twice the paths, half the ratio, and ratio 1 takes all of them. That is what the hosts of a leaf allow at \
worst.
- On FT(8,3) the same holds from k = 3 on. With one or two paths `first` and `random` still have P/k; \
`shift` and `disjoint` have 7, the ratio of D-mod-k: a second path changes nothing.
- Random choice has the same ratio as the first k paths in every row: worst-case traffic picks \
the pairs whose paths meet.
- The 128 paths of InfiniBand are more than a pair has on these trees, so it reaches ratio 1 on \
them. FT(m,3) has more than 128 shortest paths from m = 24 on, FT(m,2) from m = 258 on.
";
