//! All single-path routings of the smallest trees, counted by their ratio: the lower-bound
//! theorems of \[OR\] and \[NB\] from the other side.

use crate::progress::Interrupted;
use crate::study::prelude::*;
use crate::synth::enumerate::{RatioCount, Tree, count};

pub(super) const KIND: Kind<Study> = Study::kind::<Trees>(
    &["all-routings"],
    "[OR] Theorems 2 and 3, [NB] Theorems 1 and 2",
    "every single-path routing of FT(4,2), EFT2(4,3) and small ftree(n,m,r), counted by its \
            oblivious ratio",
);

/// (n, m, r) of ftree(n,m,r), and another name for it.
const TREES: [(usize, usize, usize, &str); 14] = [
    (2, 2, 2, ""),
    (2, 3, 2, ""),
    (2, 4, 2, ""),
    (2, 2, 3, "EFT2(4,3)"),
    (2, 3, 3, ""),
    (2, 4, 3, ""),
    (2, 2, 4, "FT(4,2)"),
    (2, 3, 4, ""),
    (2, 2, 5, "EFT2(4,5)"),
    (3, 2, 2, ""),
    (3, 3, 2, "EFT2(6,2)"),
    (3, 2, 3, ""),
    (1, 2, 3, ""),
    (1, 3, 4, ""),
];

struct RoutingsRow {
    tree: Tree,
    alias: &'static str,
    counts: Vec<RatioCount>,
}

impl Entry for Trees {
    type Row = RoutingsRow;

    /// The small tier has the first trees, which are counted within seconds.
    fn of(tier: Tier) -> Result<Self> {
        let sizes = if tier == Tier::Small { &TREES[..4] } else { &TREES[..] };
        Ok(Self(trees(sizes)?))
    }

    fn finder(&self) -> Finder<'_, RoutingsRow> {
        Finder::new(Rows::count(self), move |job| {
            let aliases = TREES.iter().map(|(.., alias)| *alias);
            let row = |((tree, alias), counts): ((&Tree, _), _)| RoutingsRow {
                tree: *tree,
                alias,
                counts,
            };
            let rows = |counts| self.0.iter().zip(aliases).zip(counts).map(row).collect();
            Ok(job.in_turn(self)?.map(|counts: Vec<_>| rows(counts)))
        })
    }

    fn tables(&self, found: &[RoutingsRow]) -> Result<Vec<Table>> {
        Ok(vec![Table::new("table.csv", &HEADS, found.iter().flat_map(RoutingsRow::lines))])
    }

    fn page(&self, found: &[RoutingsRow], _: &[Table]) -> Result<Page> {
        Ok(Page::new(readme(found)))
    }
}

fn trees(sizes: &[(usize, usize, usize, &str)]) -> Result<Vec<Tree>> {
    let tree = |(hosts, tops, leaves, _): &(usize, usize, usize, &str)| {
        Ok(Tree::new(*hosts, *tops, *leaves).map_err(Interrupted::from)?)
    };
    sizes.iter().map(tree).collect()
}

/// Trees, each with its counts, which are claims.
struct Trees(Vec<Tree>);

impl Rows for Trees {
    type Key = Tree;
    type Row = Vec<RatioCount>;

    fn keys(&self) -> &[Tree] {
        &self.0
    }

    fn find(&self, tree: &Tree, progress: &Progress) -> Result<Vec<RatioCount>> {
        Ok(count(tree, progress)?)
    }

    fn holds(&self, tree: &Tree, found: &Vec<RatioCount>) -> bool {
        let all = found.iter().try_fold(0_u128, |sum, count| sum.checked_add(count.routings));
        let is_possible = |count: &RatioCount| {
            let classes =
                count.classes.is_none_or(|classes| (1..=count.routings).contains(&classes));
            (1..=tree.hosts).contains(&count.ratio) && count.routings > 0 && classes
        };
        all == Some(tree.routings())
            && found.iter().all(is_possible)
            && found.windows(2).all(|two| two[0].ratio < two[1].ratio)
    }
}

impl RoutingsRow {
    fn name(&self) -> String {
        let Tree { hosts, tops, leaves } = self.tree;
        let alias =
            if self.alias.is_empty() { String::new() } else { format!(" = {}", self.alias) };
        format!("ftree({hosts},{tops},{leaves}){alias}")
    }

    /// The number of all routings up to symmetry; `None` unless it is known for every ratio.
    fn classes(&self) -> Option<u128> {
        self.counts.iter().map(|count| count.classes).sum()
    }

    /// The number of routings of a ratio, and in brackets that number up to symmetry.
    fn cell(&self, ratio: usize) -> String {
        let Some(found) = self.counts.iter().find(|count| count.ratio == ratio) else {
            return "0".to_string();
        };
        format!("{} ({})", grouped(found.routings), shown(found.classes))
    }
}

/// The least ratio that the theorems allow: \[OR\] Lemma 8 and Theorem 2 with m top switches in
/// place of m/2, r leaf switches (r² ≥ 4m) of n hosts, whose ratio is at most m; \[NB\] Theorem 1
/// (its proof gives m ≥ (r-1)n/2 for ratio 1) and Theorem 2 (m ≥ n² for r ≥ 2n+1).
fn bound(tree: &Tree) -> usize {
    let Tree { hosts: n, tops: m, leaves: r } = *tree;
    // The least X with X²·m ≥ n².
    let root = (1..=n).find(|x| x * x * m >= n * n).unwrap_or(n).min(m);
    let disjoint = if r * r >= 4 * m { root } else { 1 };
    let may_be_nonblocking = if r > 2 * n { m >= n * n } else { 2 * m >= (r - 1) * n };
    let nonblocking = if may_be_nonblocking || n == 1 || m == 1 { 1 } else { 2 };
    disjoint.max(nonblocking)
}

/// With commas between groups of three digits.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

fn shown(number: Option<u128>) -> String {
    number.map_or_else(|| "not counted".to_string(), grouped)
}

const HEADS: [&str; 7] =
    ["hosts_per_leaf", "tops", "leaves", "ratio", "routings", "classes", "bound"];

impl RoutingsRow {
    /// One line per ratio.
    fn lines(&self) -> impl Iterator<Item = Vec<String>> {
        let Tree { hosts, tops, leaves } = self.tree;
        self.counts.iter().map(move |found| {
            let sizes = [hosts, tops, leaves, found.ratio].map(|number| number.to_string());
            let classes = found.classes.map_or_else(String::new, |number| number.to_string());
            let counts = [found.routings.to_string(), classes, bound(&self.tree).to_string()];
            sizes.into_iter().chain(counts).collect()
        })
    }
}

fn readme(rows: &[RoutingsRow]) -> String {
    let mut text = format!(
        "# All single-path routings of the smallest trees\n\n\
         A single-path routing of ftree(n,m,r) (r leaf switches of n hosts under m top switches) \
         chooses a top switch for every pair of hosts of different leaf switches. Here all of them \
         are counted by their exact oblivious ratio; in brackets, how many there are up to \
         automorphisms of the tree (names of hosts, leaf and top switches). *Bound* is the least \
         ratio that the theorems allow: Theorem 2 of *Oblivious Routing in Fat-Tree Based System \
         Area Networks* [OR], with m top switches in place of m/2, and for ratio 1, which is \
         nonblocking where m > 1, Theorems 1 and 2 of *On Nonblocking Folded-Clos Networks* \
         [NB].\n\n\
         Made by `routebound study {0} --output results/{0}`; `crates/search/src/synth/enumerate` documents \
         how. The numbers are `claimed`: they have no certificate. Plain enumeration of every \
         routing gives the same for trees of up to 2^24 routings \
         (`tests/analysis/all_routings.rs`).\n\n",
        KIND.name
    );
    let most = rows.iter().flat_map(|row| &row.counts).map(|count| count.ratio).max().unwrap_or(1);
    let ratios: Vec<String> = (1..=most).map(|ratio| format!("ratio {ratio}")).collect();
    let mut heads = vec!["tree", "routings"];
    heads.extend(ratios.iter().map(String::as_str));
    heads.extend(["minimum", "maximum", "bound"]);
    let lines = rows.iter().map(|row| {
        let mut cells = vec![row.name()];
        cells.push(format!("{} ({})", grouped(row.tree.routings()), shown(row.classes())));
        cells.extend((1..=most).map(|ratio| row.cell(ratio)));
        let ratios = || row.counts.iter().map(|count| count.ratio.to_string());
        cells.push(ratios().next().unwrap_or_default());
        cells.push(ratios().next_back().unwrap_or_default());
        cells.push(bound(&row.tree).to_string());
        cells
    });
    text.push_str(&markdown(&heads, lines));
    // A String takes every write.
    let _ = write!(text, "{FINDINGS}");
    text
}

/// Conclusions from the numbers; the test of this study checks each sentence against them.
const FINDINGS: &str = include_str!("all_routings.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_shared() {
        let all = trees(&TREES).unwrap();
        compare(&Trees([&all[..4], &all[12..]].concat()), str::to_string);
        // ftree(2,2,2): 16 routings of ratio 1, 4 up to symmetry, and 240 of ratio 2.
        for (from, to) in [
            ("\"routings\":16,", "\"routings\":17,"),
            ("\"classes\":4}", "\"classes\":17}"),
            ("\"ratio\":2,", "\"ratio\":1,"),
            ("\"ratio\":2,", "\"ratio\":9,"),
        ] {
            refuses(&Trees(all[..1].to_vec()), from, to);
        }
    }
}
