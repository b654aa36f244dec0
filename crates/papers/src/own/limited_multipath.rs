//! What limited multi-path routing achieves: the exact oblivious ratio against the number of
//! paths, the question that \[OR\] VI leaves open, and the least that any choice of paths has.

use crate::assessment::Assessment;
use crate::bounds::Bounds;
use crate::certificate::{FewPaths, Quantity};
use crate::study::prelude::*;
use crate::synth::SynthError;
use crate::synth::counting::least_with_paths;
use crate::synth::shares::{self, Design, Effort, LeastLoad};

pub(super) const KIND: Kind<Study> = Study::kind::<Trees>(
    &["limited-multipath"],
    "[OR] VI",
    "exact oblivious ratio of kpath against k, and the least of all choices of k paths",
);

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

/// Maximum number of hosts of a tree whose certificates are kept.
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
    /// Of free shares: the bounds of the least ratio, where one certificate proves both sides.
    both: Option<Bounds>,
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
    fn instance(&self, progress: &Progress) -> Result<(Instance, Option<Design>)> {
        let choice = if self.is_free() { GRID } else { self.choice };
        let equal = Instance::named(&self.tree(), &format!("kpath(k={},choice={choice})", self.k))?;
        let free = equal.topology.tree().filter(|_| self.is_free());
        let Some(tree) = free else { return Ok((equal, None)) };
        let below = least_with_paths(tree, self.k).map_err(SynthError::from)?;
        let Some((least, below)) = LeastLoad::of(tree, self.k).zip(below) else {
            return Ok((equal, None));
        };
        let effort = Effort::default();
        let (design, _) = shares::find(&least, &below, self.k, effort, 0, progress);
        let Some(design) = design else { return Ok((equal, None)) };
        let stem = format!("ft-{}-{}-k{}", self.m, self.n, self.k);
        let free = design.instance(&equal.topology, tree, &stem).map_err(SynthError::from)?;
        Ok((free, Some(design)))
    }

    /// Adds the bound on all routings with k paths to the certificate of one with free shares.
    fn prove_both(
        &self,
        instance: &Instance,
        found: &mut Assessment,
        progress: &Progress,
    ) -> Result<Option<Bounds>> {
        let tree = instance.topology.tree().filter(|_| self.is_free());
        let Some(least) = tree.and_then(|tree| LeastLoad::of(tree, self.k)) else {
            return Ok(None);
        };
        let (quantity, lower) = (Quantity::ObliviousRatio, least.rounded_down());
        let bound = FewPaths { quantity, lower, paths: self.k };
        let own = found.certificate.as_ref().ok();
        let Some((both, whole)) = shares::certify(own, bound, progress)? else { return Ok(None) };
        found.certificate = Ok(whole);
        Ok(Some(both))
    }
}

/// Shortest paths between hosts far apart.
fn paths(m: u32, n: u32) -> u32 {
    (m / 2).pow(n - 1)
}

impl Divided for Trees {
    type Key = Case;
    type Row = MultipathRow;

    fn keys(&self) -> &[Case] {
        &self.0
    }

    fn find(&self, &case: &Case, units: &Units, progress: &Progress) -> Result<MultipathRow> {
        let (instance, design) = case.instance(progress)?;
        let routing = instance.routing().spec().to_string();
        let name = format!("{routing} on {}, k={}", case.tree(), case.k);
        let mut assessment = assessed(&instance, &name, units, progress)?;
        let both = case.prove_both(&instance, &mut assessment, progress)?;
        let (hosts, tree) = (instance.topology.hosts(), instance.topology.tree());
        let lower = tree.map(|tree| least_with_paths(tree, case.k)).transpose();
        let lower = lower.map_err(SynthError::from)?.flatten();
        Ok(MultipathRow { case, design, hosts, lower, both, assessment })
    }
}

impl Entry for Trees {
    type Row = MultipathRow;

    fn of(tier: Tier) -> Result<Self> {
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

    fn finder(&self) -> Finder<'_, MultipathRow> {
        Finder::divided(self)
    }

    fn tables(&self, found: &[MultipathRow]) -> Result<Vec<Table>> {
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

    fn page(&self, found: &[MultipathRow], _: &[Table]) -> Result<Page> {
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

    /// Whether its certificate is committed.
    fn is_kept(&self) -> bool {
        self.hosts <= KEPT_HOSTS
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
            bound.map_or_else(|| "-".to_string(), |bound| bound.to_string()),
            self.both
                .as_ref()
                .map_or_else(|| "claimed".to_string(), |both| both.evidence.to_string()),
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
    ["tree", "k", "least of equal shares", "found with free shares", "no shares below", "evidence"];

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
const LEAST: &str = include_str!("limited_multipath.least.md");

/// What is known of shares that need not be equal.
const FREE_SHARES: &str = include_str!("limited_multipath.free_shares.md");

/// Conclusions from the numbers; the test of this study checks each sentence against them.
const FINDINGS: &str = include_str!("limited_multipath.findings.md");
