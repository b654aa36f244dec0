//! The best single-path routing of trees, from both sides.

mod measured;
mod searched;

use super::proven::Proven;
use crate::integer::ceil_sqrt;
use crate::study::prelude::*;
use crate::study::{MEASURED, StudyFile};
use crate::synth::{Method, Options};
use searched::{Searched, Searches};

pub(super) const KIND: Kind<Study> = Study::kind::<Trees>(
    &["optimal-single-path"],
    "[OR] Theorems 2 to 5",
    "least oblivious ratio of single-path routing on FT(m,n), EFT2(m,k) and slimmed trees",
);

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

/// Maximum number of hosts of a tree whose certificate is kept.
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

    fn of(tier: Tier) -> Result<Self> {
        let trees = trees(tier);
        let formulas = FORMULAS.map(|(spec, stem)| {
            let (method, stem) = (Method::Formula, stem.to_string());
            (spec.to_string(), Options { method, stem, ..Options::default() })
        });
        let formulas = formulas.into_iter().take(if tier == Tier::Small { 0 } else { 2 });
        let searches = trees.iter().map(|tree| tree.search()).chain(formulas).collect();
        Ok(Self(trees, Searches(searches)))
    }

    fn finder(&self) -> Finder<'_, Searched> {
        Finder::in_turn(&self.1)
    }

    fn tables(&self, found: &[Searched]) -> Result<Vec<Table>> {
        let mut measured = Vec::new();
        for ((spec, _), found) in self.1.0.iter().zip(found) {
            let topology = generate(spec)?;
            measured.push(measured::cells(&topology, found));
        }
        let cells = self.rows_of(found);
        Ok(vec![
            Table::new("table.csv", &HEADS, cells.iter().map(TreeRow::cells)),
            Table::new(MEASURED, &measured::HEADS, measured),
        ])
    }

    fn page(&self, found: &[Searched], _: &[Table]) -> Result<Page> {
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

const HEADER: &str = include_str!("optimal_single_path.header.md");

/// Conclusions from the numbers; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = include_str!("optimal_single_path.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

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
