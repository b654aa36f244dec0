//! The best single-path routing of trees, from both sides.

mod measured;
mod searched;

use std::fmt::Write as _;

use super::proven::Proven;
use crate::integer::ceil_sqrt;
use crate::registry::Kind;
use crate::report::table::markdown;
use crate::routing::InstanceError;
use crate::study::engine::{Entry, Job, Page, Rows, Study, Table, Tier};
use crate::study::{MEASURED, StudyError, StudyFile};
use crate::synth::{Method, Options};
use crate::topology::generate;
use searched::{Searched, Searches};

pub(super) const KIND: Kind<Study> = Kind {
    name: "optimal-single-path",
    usage: "optimal-single-path",
    options: &[],
    about: "least oblivious ratio of single-path routing on FT(m,n), EFT2(m,k) and slimmed trees",
    reference: "[OR] Theorems 2 to 5",
    examples: &["optimal-single-path"],
    build: Study::of::<Trees>(),
};

/// The tree of a row.
#[derive(Clone, Copy)]
enum Tree {
    Ft(u32, u32),
    Eft2(u32, u32),
    Other(&'static str),
}

const OTHERS: [Tree; 14] = [
    Tree::Ft(4, 4),
    Tree::Ft(4, 5),
    Tree::Ft(6, 4),
    Tree::Eft2(4, 2),
    Tree::Eft2(8, 3),
    Tree::Eft2(8, 4),
    Tree::Eft2(8, 6),
    Tree::Eft2(18, 4),
    Tree::Eft2(18, 6),
    Tree::Eft2(18, 8),
    Tree::Other("xgft(2;4,8;1,2)"),
    Tree::Other("xgft(2;9,6;1,6)"),
    Tree::Other("xgft(2;16,16;1,10)"),
    Tree::Other("xgft(3;4,4,4;1,2,4)"),
];

/// Trees whose lower bound is also proven by a formula; the proof is kept.
const FORMULAS: [(&str, &str); 2] =
    [("ft(4,2)", "ft-4-2-formula"), ("eft2(8,3)", "eft2-8-3-formula")];

/// Trees on which local search finds a better routing: the ratio, and a seed that needs few restarts.
const SEARCHED: [(&str, u32, u64); 3] =
    [("ft(4,4)", 3, 7), ("ft(6,4)", 7, 0), ("xgft(2;9,6;1,6)", 4, 3)];

/// Largest number of hosts of a tree whose certificate is kept.
const KEPT_HOSTS: usize = 64;

/// A tree with what was found.
struct TreeRow<'f> {
    tree: Tree,
    spec: String,
    found: &'f Searched,
}

/// Trees, and then those whose bounds are proven by formulas too, with their searches.
struct Trees(Vec<Tree>, Searches);

/// The small tier has trees of up to 32 hosts or so.
fn trees(tier: Tier) -> Vec<Tree> {
    let is_small = tier == Tier::Small;
    let (two, three) = if is_small { (8, 4) } else { (32, 24) };
    let two = (4..=two).step_by(2).map(|m| Tree::Ft(m, 2));
    let three = (4..=three).step_by(2).map(|m| Tree::Ft(m, 3));
    let others = if is_small { &OTHERS[3..4] } else { &OTHERS[..] };
    two.chain(three).chain(others.iter().copied()).collect()
}

impl Trees {
    fn rows_of<'f>(&self, found: &'f [Searched]) -> Vec<TreeRow<'f>> {
        let row = |(tree, found): (&Tree, &'f Searched)| TreeRow {
            tree: *tree,
            spec: tree.spec(),
            found,
        };
        self.0.iter().zip(found).map(row).collect()
    }
}

impl Entry for Trees {
    type Row = Searched;

    fn of(tier: Tier) -> Result<Self, StudyError> {
        let trees = trees(tier);
        let formulas = FORMULAS.map(|(spec, stem)| {
            let (method, stem) = (Method::Formula, stem.to_string());
            (spec.to_string(), Options { method, stem, ..Options::default() })
        });
        let formulas = formulas.into_iter().take(if tier == Tier::Small { 0 } else { 2 });
        let searches = trees.iter().map(|tree| tree.search()).chain(formulas).collect();
        Ok(Self(trees, Searches(searches)))
    }

    fn count(&self) -> u64 {
        self.1.count()
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<Searched>>, StudyError> {
        job.in_turn(&self.1)
    }

    fn tables(&self, found: &[Searched]) -> Result<Vec<Table>, StudyError> {
        let mut measured = Vec::new();
        for ((spec, _), found) in self.1.0.iter().zip(found) {
            let topology = generate(spec).map_err(InstanceError::from)?;
            measured.push(measured::cells(&topology, found));
        }
        let cells = self.rows_of(found);
        Ok(vec![
            Table::new("table.csv", &HEADS, cells.iter().map(TreeRow::cells)),
            Table::new(MEASURED, &measured::HEADS, measured),
        ])
    }

    fn page(&self, found: &[Searched], _: &[Table]) -> Result<Page, StudyError> {
        let mut page = Page::new(readme(&self.rows_of(found)));
        for (at, ((_, options), found)) in self.1.0.iter().zip(found).enumerate() {
            if at >= self.0.len() || found.hosts <= KEPT_HOSTS {
                page = page.with(certificate_files(found, &options.stem));
            }
        }
        Ok(page)
    }
}

/// The certificate, and the files it names.
fn certificate_files(found: &Searched, stem: &str) -> Vec<StudyFile> {
    let Some(proven) = &found.proven else { return Vec::new() };
    let certificate = (format!("{stem}.cert"), &proven.certificate);
    let files = Proven::file_names(stem).into_iter().zip(proven.files.iter().flatten());
    let file = |(name, text): (String, &String)| StudyFile {
        path: format!("certificates/{name}"),
        bytes: text.clone().into_bytes(),
    };
    std::iter::once(certificate).chain(files).map(file).collect()
}

impl Tree {
    /// What is searched for, and how.
    fn search(self) -> (String, Options) {
        let (spec, stem) = (self.spec(), self.stem());
        let options = match SEARCHED.iter().find(|(searched, ..)| *searched == spec) {
            Some((_, ratio, seed)) => {
                let (method, ratio, seed) = (Method::Local, Some(*ratio), *seed);
                Options { ratio, method, seed, stem, ..Options::default() }
            }
            None => Options { method: Method::Count, stem, ..Options::default() },
        };
        (spec, options)
    }

    fn spec(self) -> String {
        match self {
            Self::Ft(m, n) => format!("ft({m},{n})"),
            Self::Eft2(m, k) => format!("eft2({m},{k})"),
            Self::Other(spec) => spec.to_string(),
        }
    }

    fn stem(self) -> String {
        self.spec().replace(['(', ',', ';'], "-").trim_end_matches(')').to_string()
    }

    /// The bound that \[OR\] prints for single-path routing, rounded up, and its theorem.
    fn printed(self) -> Option<(u64, u32)> {
        match self {
            Self::Ft(m, 2) => Some((ceil_sqrt(u64::from(m / 2)), 3)),
            Self::Ft(m, 3) => Some((u64::from(m / 2), 4)),
            Self::Ft(m, n) => Some((u64::from(m / 2).pow((n - 1) / 3), 5)),
            Self::Eft2(m, k) => (k * k >= 2 * m).then(|| (ceil_sqrt(u64::from(m / 2)), 2)),
            Self::Other(_) => None,
        }
    }

    /// The bound of the proof of Theorem 4 at height ⌊2n/3⌋: (m/2)^{⌊2n/3⌋/2}, rounded up.
    fn strengthened(self) -> Option<u64> {
        match self {
            Self::Ft(m, n) => Some(ceil_sqrt(u64::from(m / 2).pow(2 * n / 3))),
            _ => None,
        }
    }
}

impl TreeRow<'_> {
    fn cells(&self) -> Vec<String> {
        let Self { tree, spec, found } = self;
        let number = |number: Option<u64>| number.map_or_else(|| "-".into(), |n| n.to_string());
        vec![
            spec.to_uppercase(),
            found.hosts.to_string(),
            tree.printed().map_or_else(|| "-".into(), |(bound, of)| format!("{bound} (Thm {of})")),
            number(tree.strengthened()),
            found.lower.to_string(),
            found.refuted.clone(),
            found.upper.to_string(),
            found.routing.clone(),
            found.optimum(),
            found.evidence.clone(),
        ]
    }
}

const HEADS: [&str; 10] = [
    "tree",
    "hosts",
    "printed",
    "strengthened",
    "counting",
    "counted at",
    "routing reaches",
    "routing",
    "optimum",
    "evidence",
];

fn readme(rows: &[TreeRow<'_>]) -> String {
    let mut text = String::from(HEADER);
    text.push_str(&markdown(&HEADS, rows.iter().map(TreeRow::cells)));
    // A String takes every write.
    let _ = write!(text, "\n{FINDINGS}");
    text
}

const HEADER: &str = "\
# The best single-path routing of trees

The least oblivious ratio over all single-path routings whose paths lead up, then down: a lower
bound for every such routing, and the best routing known here. Made by
`routebound study optimal-single-path`; every row is proven on both sides by one certificate that
the checker accepted. Those for trees of at most 64 hosts are in `certificates/`, and
`routebound check results/optimal-single-path/certificates/*.cert` checks them again; for any
other tree `routebound synth TREE --method count --certificate FILE` writes it, for FT(6,4) the command
below.

*Printed* is the bound of [OR], rounded up; *strengthened* is (m/2)^(floor(2n/3)/2), which the
argument of Theorem 4 gives at height floor(2n/3). *Counting* is the bound of
`crates/proof/src/checker/COUNTING.md`, at one or two heights of subtrees. An optimum such as `5..7` is open.

";

/// What the numbers show; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = "\
## Findings

- FT(m,2): the optimum is ceil(sqrt(m/2)) for every m here; `grid` reaches it.
- FT(m,3): the optimum is m/2 for every m here; `osrm3` reaches it.
- No single-path routing of FT(4,4) has ratio 2, though Theorem 5 allows it: at height 3 the 8 ports would all have
  to carry the 96 pairs that they can, and full ports do not fit together
  (`crates/proof/src/checker/COUNTING.md`, *When all ports are full*). Local search finds a routing of ratio 3, so 3 is
  the optimum; D-mod-k has 4.
- No single-path routing of FT(4,5) has ratio 3. A port of height 3 would have to carry 384 of the pairs between
  the four subtrees below the roots; with three sources and three destinations in every cover it meets
  stars of height 4 that see 6 of 16 hosts, and any mixture with other covers stays below 379. A
  routing that follows digits of source and destination (`table:`, in the certificate) has ratio 4, the
  optimum; D-mod-k has 7.
- EFT2(18,4): with ratio 2 the 9 roots can carry 108 pairs each, exactly the 972 that there are, but a
  root that carries so many serves two hosts alone. Full again: 3 is the optimum, which D-mod-k has.
- FT(6,4): local search finds ratio 7, where D-mod-k has 9; 5 and 6 are open. XGFT(2;9,6;1,6): it
  finds 4, which is the optimum, where rectangle covers (`grid`) have 5.
- XGFT(3;4,4,4;1,2,4): the same argument refutes ratio 2, with covers by leaves, two links of which cover
  four hosts; 3 is open.
- FT(4,4), FT(4,5) and FT(6,4): the count is above the printed bound and above the strengthened one.

Local search is seeded; these commands reproduce the three routings:

    routebound synth 'ft(4,4)' --method local --ratio 3 --seed 7
    routebound synth 'ft(6,4)' --method local --ratio 7 --seed 0
    routebound synth 'xgft(2;9,6;1,6)' --method local --ratio 4 --seed 3

## Refuted formulas

`ft-4-2-formula` and `eft2-8-3-formula` prove their lower bounds a second time, by formulas (the
cover encoding, `crates/search/src/sat/ENCODING.md`) that a SAT solver refuted. The certificates name the formula
(`.cnf`, DIMACS) and the proof (`.lrat`). `routebound check` rebuilds the formula, compares it
clause by clause, and follows every step of the proof. The same proof is also there without hints
(`.drat`), for checkers that find them themselves. Two public checkers were run on both trees:
`rate` 0.3.0 (<https://crates.io/crates/rate>) on the DRAT proofs printed `s VERIFIED`, and
`lrat-check` of <https://github.com/marijnheule/drat-trim> on the LRAT proofs `c VERIFIED`:

    cargo install rate --version 0.3.0
    rate ft-4-2-formula.cnf ft-4-2-formula.drat
    rate eft2-8-3-formula.cnf eft2-8-3-formula.drat
    cc -O2 -o lrat-check lrat-check.c
    lrat-check ft-4-2-formula.cnf ft-4-2-formula.lrat
    lrat-check eft2-8-3-formula.cnf eft2-8-3-formula.lrat

Others that take the same files, not run here, are `drat-trim` from the same repository and
`cake_lpr` from <https://github.com/tanyongkiam/cake_lpr>:

    drat-trim ft-4-2-formula.cnf ft-4-2-formula.drat
    cake_lpr ft-4-2-formula.cnf ft-4-2-formula.lrat

That FT(4,4) has no routing of ratio 2 is also proven by a formula, of 11,712 variables and 23,816
clauses, for three of the four subtrees below the roots. The proof is not kept here, since the LRAT
file has 1.5 GB; `check` and `lrat-check` accept it in half a minute or less. This command produces
it in eight minutes:

    routebound synth 'ft(4,4)' --method formula --ratio 2 --certificate ft44.cert

## Open rows

Two rows are open, and these commands close neither; what a search does not find proves nothing:

    routebound synth 'ft(6,4)' --method local --ratio 6 --seed SEED                # seeds 0 to 63
    routebound synth 'ft(6,4)' --method formula --ratio 6 --time-limit 120         # 1,753,164 variables
    routebound synth 'xgft(3;4,4,4;1,2,4)' --method local --ratio 3 --seed SEED    # seeds 0 to 15

On FT(6,4) counting ends at 5: with five hosts in a cover, ports of heights 2 and 3 together may carry 30,375
pairs where 21,870 are needed, and a third height adds nothing, as the subtrees of height 1 have three
hosts. Rotation-invariant routings of ratio 8 are not found either, so symmetry of that kind does not lead to 6. On
XGFT(3;4,4,4;1,2,4) local search covers by single hosts, while ratio 3 needs covers by a leaf and a
host; formulas are about single hosts too.

`seconds.csv` has sizes and seconds of every row and of the two formulas; the seconds are those of
one run on a shared machine. `routebound synth TREE --json` prints those of every solver attempt.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::engine::tests::{compare, refuses};

    /// Without the seconds of searches.
    fn steady(text: &str) -> String {
        let mut rows: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
        for row in &mut rows {
            assert!(row.as_object_mut().unwrap().remove("seconds").is_some());
        }
        serde_json::to_string(&rows).unwrap()
    }

    /// A tree of each kind, one by local search and one by a formula.
    #[test]
    fn searches_are_shared() {
        let trees =
            [Tree::Ft(4, 2), Tree::Eft2(18, 4), Tree::Ft(4, 3), Tree::Other("xgft(2;9,6;1,6)")];
        let searches = trees.map(Tree::search).into_iter();
        let (method, stem) = (Method::Formula, "ft-4-2-formula".to_string());
        let formula = ("ft(4,2)".to_string(), Options { method, stem, ..Options::default() });
        compare(&Searches(searches.chain([formula.clone()]).collect()), steady);
        for (from, to) in [
            ("\"lower\":\"2\"", "\"lower\":\"1\""),
            ("\"upper\":\"2\"", "\"upper\":\"3\""),
            ("\"hosts\":8", "\"hosts\":9"),
            ("\"routing\":\"dmodk\"", "\"routing\":\"smodk\""),
            ("\"refuted\":\"formula\"", "\"refuted\":\"height 1\""),
            ("\"evidence\":\"proven\"", "\"evidence\":\"seen\""),
            ("ft-4-2-formula.lrat", "../ft-4-2-formula.lrat"),
        ] {
            refuses(&Searches(vec![formula.clone()]), from, to);
        }
    }
}
