//! Which meshes \[OR\] Tables II and III average over: the printed means against those of many definitions.

use super::average::{Averages, HEADS, Point, Sample, Wanted, lines};
use super::tables_2_3::{SEEDS, printed};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Definitions>(
    &["or-definitions"],
    "[OR] VI, Tables II and III",
    "definitions of a mesh on 128, 512 and 1,024 hosts, and which of them gives the means of Tables II and III",
);

/// A tree and its definitions: words, printed pattern, spec.
type OfTree = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

const DEFINITIONS: [OfTree; 3] = [
    (
        "ft(32,2)",
        &[
            ("as square as N allows, 16 x 32", "2D Mesh", "mesh2d(16,32"),
            ("the same with wrap-around", "2D Mesh", "torus2d(16,32"),
            ("floor(sqrt N) squared, 22 x 22", "2D Mesh", "mesh2d(22,22"),
            ("the same with wrap-around", "2D Mesh", "torus2d(22,22"),
            ("2 x N/2", "2D Mesh", "mesh2d(2,256"),
            ("4 x N/4", "2D Mesh", "mesh2d(4,128"),
            ("the largest square of a power of 2, 16 x 16", "2D Mesh", "mesh2d(16,16"),
            ("the same with wrap-around", "2D Mesh", "torus2d(16,16"),
            ("as cubic as N allows, 8 x 8 x 8", "3D Mesh", "mesh3d(8,8,8"),
            ("the same with wrap-around", "3D Mesh", "torus3d(8,8,8"),
            ("4 x 8 x 16", "3D Mesh", "mesh3d(4,8,16"),
            ("the same with wrap-around", "3D Mesh", "torus3d(4,8,16"),
            ("2 x 16 x 16", "3D Mesh", "mesh3d(2,16,16"),
        ],
    ),
    (
        "ft(8,3)",
        &[
            ("as square as N allows, 8 x 16", "2D Mesh", "mesh2d(8,16"),
            ("the same with wrap-around", "2D Mesh", "torus2d(8,16"),
            ("floor(sqrt N) squared, 11 x 11", "2D Mesh", "mesh2d(11,11"),
            ("the same with wrap-around", "2D Mesh", "torus2d(11,11"),
            ("2 x N/2", "2D Mesh", "mesh2d(2,64"),
            ("4 x N/4", "2D Mesh", "mesh2d(4,32"),
            ("the largest square of a power of 2, 8 x 8", "2D Mesh", "mesh2d(8,8"),
            ("the same with wrap-around", "2D Mesh", "torus2d(8,8"),
            ("as cubic as N allows, 4 x 4 x 8", "3D Mesh", "mesh3d(4,4,8"),
            ("the same with wrap-around", "3D Mesh", "torus3d(4,4,8"),
            ("floor(cbrt N) cubed, 5 x 5 x 5", "3D Mesh", "mesh3d(5,5,5"),
            ("the same with wrap-around", "3D Mesh", "torus3d(5,5,5"),
            ("the largest cube of a power of 2, 4 x 4 x 4", "3D Mesh", "mesh3d(4,4,4"),
            ("the same with wrap-around", "3D Mesh", "torus3d(4,4,4"),
            ("2 x 8 x 8", "3D Mesh", "mesh3d(2,8,8"),
        ],
    ),
    (
        "ft(16,3)",
        &[
            ("a square, 32 x 32", "2D Mesh", "mesh2d(32,32"),
            ("the same with wrap-around", "2D Mesh", "torus2d(32,32"),
            ("as cubic as N allows, 8 x 8 x 16", "3D Mesh", "mesh3d(8,8,16"),
            ("the same with wrap-around", "3D Mesh", "torus3d(8,8,16"),
            ("floor(cbrt N) cubed, 10 x 10 x 10", "3D Mesh", "mesh3d(10,10,10"),
            ("the same with wrap-around", "3D Mesh", "torus3d(10,10,10"),
            ("the largest cube of a power of 2, 8 x 8 x 8", "3D Mesh", "mesh3d(8,8,8"),
            ("the same with wrap-around", "3D Mesh", "torus3d(8,8,8"),
            ("4 x 16 x 16", "3D Mesh", "mesh3d(4,16,16"),
            ("the same with wrap-around", "3D Mesh", "torus3d(4,16,16"),
        ],
    ),
];

const ROUTINGS: Wanted = Wanted::Some(&["dmodk", "osrm2", "osrm3"]);

/// Words of a definition, and the printed pattern that it may be.
type Meant = (&'static str, &'static str);

/// Definitions with their means.
struct Definitions {
    meant: Vec<Meant>,
    averages: Averages,
}

impl Entry for Definitions {
    type Row = Vec<Sample>;

    /// The small tier has the smallest tree.
    fn of(tier: Tier) -> Result<Self> {
        let (mut meant, mut points) = (Vec::new(), Vec::new());
        for (tree, definitions) in DEFINITIONS {
            if tier == Tier::Small && tree != "ft(8,3)" {
                continue;
            }
            for (words, printed, spec) in definitions {
                meant.push((*words, *printed));
                let pattern = format!("{spec},place=random,seed=SEED)");
                let name = format!("{spec})");
                points.push(Point { tree, name, pattern, seeds: SEEDS });
            }
        }
        Ok(Self { meant, averages: Averages { points, wanted: ROUTINGS } })
    }

    fn finder(&self) -> Finder<'_, Vec<Sample>> {
        Finder::new(self.averages.count(), move |job| self.averages.found(job))
    }

    fn tables(&self, found: &[Vec<Sample>]) -> Result<Vec<Table>> {
        let cells = self.averages.points.iter().zip(found);
        let cells = cells.flat_map(|(point, found)| lines(point, found));
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    fn page(&self, found: &[Vec<Sample>], _: &[Table]) -> Result<Page> {
        let mut page = Page::new(HEADER);
        for (tree, _) in DEFINITIONS {
            let rows = self.averages.points.iter().zip(&self.meant).zip(found);
            let rows = rows.filter(|((point, _), _)| point.tree == tree);
            let cells = rows.map(|((point, meant), found)| cells(point, *meant, found));
            let [first, second] = COLUMNS;
            let heads = ["mesh", "spec", first, "printed", second, "printed", "agrees"];
            let table = markdown(&heads, cells);
            page = page.text(&format!("\n## {}\n\n{table}", tree.to_uppercase()));
        }
        page = page.text(DIVIDED);
        for tree in ["ft(32,2)", "ft(8,3)"] {
            // The first definition of each tree.
            let first =
                self.averages.points.iter().zip(found).find(|(point, _)| point.tree == tree);
            page = page.text(&first.map_or_else(String::new, |(_, it)| divided_by_five(tree, it)));
        }
        Ok(page.text(FINDINGS))
    }
}

/// What is printed beside what was found.
fn cells(point: &Point, (words, name): Meant, found: &[Sample]) -> Vec<String> {
    let (mut all, mut agreeing) = (vec![words.to_string(), point.name.clone()], Vec::new());
    for ((column, printed), sample) in COLUMNS.iter().zip(printed(point.tree, name)).zip(found) {
        let (mean, half) = sample.mean().unwrap_or((f64::NAN, f64::NAN));
        all.push(format!("{mean:.3} +- {half:.3}"));
        all.push(printed.map_or_else(String::new, |printed| printed.to_string()));
        let difference = printed.and_then(|printed| printed.difference(sample));
        agreeing.extend(difference.filter(|difference| difference.agrees).map(|_| *column));
    }
    all.push(match agreeing[..] {
        [] => "no".to_string(),
        [one] => format!("{one} only"),
        _ => "**both**".to_string(),
    });
    all
}

/// The means of the mesh that is as square as N allows if OPTU were 5 in place of 4.
fn divided_by_five(tree: &str, found: &[Sample]) -> String {
    let means = found.iter().filter_map(Sample::mean).map(|(mean, _)| mean * 4.0 / 5.0);
    let means: Vec<String> = means.map(|mean| format!("{mean:.3}")).collect();
    format!("- {}: {}\n", tree.to_uppercase(), means.join(", "))
}

const COLUMNS: [&str; 2] = ["D-mod-k", "OSRM"];

const HEADER: &str = include_str!("definitions.header.md");

const DIVIDED: &str = include_str!("definitions.divided.md");

/// Conclusions from the numbers; `tests/structure/results/meshes.rs` checks it against them.
const FINDINGS: &str = include_str!("definitions.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_is_of_something_printed() {
        let all = Definitions::of(Tier::Full).unwrap();
        assert_eq!(all.meant.len(), all.averages.points.len());
        for (point, (_, name)) in all.averages.points.iter().zip(&all.meant) {
            assert!(printed(point.tree, name).iter().all(Option::is_some), "{point:?}");
        }
    }
}
