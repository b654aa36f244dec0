//! \[OR\] VI: how much better the averages of OSRM2 and OSRM3 are than those of MLID under regular patterns, on the
//! trees of Tables II and III and on others.

mod claims;

use super::average::{Averages, Point, Sample, Wanted};
use super::tables_2_3::{PRINTED_INSTANCES, SEEDS, printed};
use crate::sampling::Summary;
use crate::study::engine;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Gains>(
    &["or-averages"],
    "[OR] VI, Tables II and III",
    "how much better the average ratios of OSRM2 and OSRM3 are than those of MLID and WSR under regular patterns, on \
            seven FT(m,2) and four FT(m,3), and whether that is more than chance",
);

/// A tree, the side of the largest square of a power of 2 on its hosts, the tasks of the largest hypercube.
type OfTree = (&'static str, u64, u64);

const TREES: [OfTree; 11] = [
    ("ft(8,2)", 4, 32),
    ("ft(16,2)", 8, 128),
    ("ft(18,2)", 8, 128),
    ("ft(24,2)", 16, 256),
    ("ft(32,2)", 16, 512),
    ("ft(50,2)", 32, 1024),
    ("ft(64,2)", 32, 2048),
    ("ft(8,3)", 8, 128),
    ("ft(12,3)", 16, 256),
    ("ft(16,3)", 32, 1024),
    ("ft(20,3)", 32, 1024),
];

/// On each tree one of the latter two fits.
const ROUTINGS: Wanted = Wanted::Some(&["mlid", "osrm2", "osrm3"]);

const HEADS: [&str; 8] =
    ["tree", "pattern", "instances", "MLID", "OSRM", "better by %", "+- %", "+- % of 32"];

/// The 2-dimensional mesh of Tables II and III, which leaves hosts idle.
const SQUARE: &str = "2D Mesh";

struct Gains(Averages);

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Line {
    tree: String,
    pattern: String,
    /// Means of MLID and of OSRM2 or OSRM3.
    #[serde(rename = "MLID")]
    mlid: f64,
    #[serde(rename = "OSRM")]
    osrm: f64,
    /// The first over the second, less 1, in percent.
    #[serde(rename = "better by %")]
    gain: f64,
    /// Half the width of the 95 % interval of the difference, by the same instances for both.
    #[serde(rename = "+- %")]
    half: f64,
    /// The same of two means of 32 instances each, others for each of them.
    #[serde(rename = "+- % of 32")]
    printed_half: f64,
}

/// The points of a tree.
fn points((tree, side, tasks): OfTree) -> impl Iterator<Item = Point> {
    // On FT(16,3) the square has all hosts.
    let whole = (tree != "ft(16,3)").then(|| ("2D Mesh of all", "mesh2d(".to_string()));
    let patterns = [
        ("Ring", "ring(".to_string()),
        (SQUARE, format!("mesh2d({side},{side},")),
        ("3D Mesh", "torus3d(".to_string()),
        ("Hypercube", format!("hypercube(tasks={tasks},")),
        ("Binary Tree", "bintree(".to_string()),
    ];
    patterns.into_iter().chain(whole).map(move |(name, spec)| Point {
        tree,
        name: name.to_string(),
        pattern: format!("{spec}place=random,seed=SEED)"),
        seeds: SEEDS,
    })
}

/// The cells of a point, given the samples of MLID and of OSRM2 or OSRM3.
fn cells(point: &Point, found: &[Sample]) -> Option<Vec<String>> {
    let [mlid, osrm] = found else { return None };
    let [(own, _), (other, _)] = [mlid.mean()?, osrm.mean()?];
    // The same number is added to all differences, so that none is below 0: their spread stays what it is.
    let most = osrm.summary()?.most().clone();
    let pairs = mlid.ratios.iter().zip(&osrm.ratios);
    let differences = pairs.map(|(a, b)| Some(((a + &most).checked_sub(b)?, 1)));
    let differences = Summary::of(differences.collect::<Option<Vec<_>>>()?)?;
    let [first, second] = [mlid, osrm].map(|sample| sample.spread_of_means(PRINTED_INSTANCES));
    let percent = |number: f64| format!("{:.2}", 100.0 * number / other);
    let names = [point.tree, &point.name].map(String::from);
    let numbers = [point.seeds.to_string(), format!("{own:.4}"), format!("{other:.4}")];
    let halves = [own - other, differences.half_width(), first?.hypot(second?)].map(percent);
    Some(names.into_iter().chain(numbers).chain(halves).collect())
}

impl Entry for Gains {
    type Row = Vec<Sample>;

    /// The small tier has a tree of each height.
    fn of(tier: Tier) -> Result<Self> {
        let is_small = |tree: &str| ["ft(8,2)", "ft(8,3)"].contains(&tree);
        let trees = TREES.into_iter().filter(|(tree, ..)| tier == Tier::Full || is_small(tree));
        Ok(Self(Averages { points: trees.flat_map(points).collect(), wanted: ROUTINGS }))
    }

    fn finder(&self) -> Finder<'_, Vec<Sample>> {
        Finder::new(self.0.count(), move |job| self.0.found(job))
    }

    fn tables(&self, found: &[Vec<Sample>]) -> Result<Vec<Table>> {
        let points = self.0.points.iter().zip(found);
        Ok(vec![Table::new(
            "table.csv",
            &HEADS,
            points.filter_map(|(point, found)| cells(point, found)),
        )])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<Sample>], tables: &[Table]) -> Result<Page> {
        let lines: Vec<Line> = engine::lines(tables)?;
        let page = Page::new(HEADER).findings(&claims::all(&lines));
        Ok(page.text(&reading(&lines)).text(&overview(&lines)))
    }
}

impl Line {
    /// The printed gain in percent, where the paper has the tree and the pattern.
    fn printed(&self) -> Option<f64> {
        let [mlid, osrm] = printed(&self.tree, &self.pattern);
        mlid.zip(osrm).map(|(mlid, osrm)| 100.0 * (mlid.value() / osrm.value() - 1.0))
    }

    /// Whether a mean is more than the 95 % interval below the other: of MLID, if `of_osrm`, that of OSRM.
    fn is_lower(&self, of_osrm: bool) -> bool {
        self.half < if of_osrm { self.gain } else { -self.gain }
    }
}

/// What the same placements for both show that 32 of their own do not.
fn reading(lines: &[Line]) -> String {
    let count = |levels: &str| {
        let of_levels: Vec<&Line> = lines.iter().filter(|l| l.tree.ends_with(levels)).collect();
        let [better, worse] =
            [true, false].map(|osrm| of_levels.iter().filter(|line| line.is_lower(osrm)).count());
        format!("better in {better} of {} rows and worse in {worse}", of_levels.len())
    };
    let worse = lines.iter().filter(|line| line.is_lower(false));
    let worse = worse.map(|line| {
        let (tree, pattern) = (line.tree.to_uppercase(), &line.pattern);
        format!("- {pattern} on {tree}: {:+.1} % +- {:.1}\n", line.gain, line.half)
    });
    format!(
        "
## More than chance

By more than the 95 % interval, with the same {SEEDS} placements for both routings, OSRM2 is
{} on FT(m,2),
OSRM3 {} on FT(m,3). Worse are

{}",
        count(",2)"),
        count(",3)"),
        worse.collect::<String>()
    )
}

/// A row for every point.
fn overview(lines: &[Line]) -> String {
    let heads = ["tree", "pattern", "MLID", "OSRM", "better by %", "+-", "+- of 32", "printed %"];
    let row = |line: &Line| {
        let printed = line.printed().map_or_else(String::new, |gain| format!("{gain:+.1}"));
        let names = [line.tree.to_uppercase(), line.pattern.clone()];
        let means = [line.mlid, line.osrm].map(|mean| format!("{mean:.3}"));
        let gain = [format!("{:+.1}", line.gain)];
        let halves = [line.half, line.printed_half].map(|half| format!("{half:.1}"));
        names.into_iter().chain(means).chain(gain).chain(halves).chain([printed]).collect()
    };
    format!("\n## Every mean\n\n{}", markdown(&heads, lines.iter().map(row)))
}

const HEADER: &str = include_str!("averages.header.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// MLID has 3 and 5, the other 2 and 4: always 1 more, so that the difference has no spread.
    #[test]
    fn instances_are_compared_one_by_one() {
        let sample = |ratios: [u64; 2]| Sample {
            routing: String::new(),
            ratios: ratios.map(Rational::from).to_vec(),
        };
        let Gains(Averages { points, .. }) = Gains::of(Tier::Small).unwrap();
        let mut found = cells(&points[0], &[sample([3, 5]), sample([2, 4])]).unwrap();
        // 1.96 times the square root of 2/32 for each, together 0.693: of 3.
        let expected = ["ft(8,2)", "Ring", "200", "4.0000", "3.0000", "33.33", "0.00", "23.10"];
        assert_eq!(found, expected);
        // Differences of 1 and -1 have variance 2; the mean of two is within 1.96.
        found = cells(&points[0], &[sample([3, 3]), sample([2, 4])]).unwrap();
        assert_eq!(found[5..7], ["0.00", "65.33"]);
        assert_eq!(found.len(), HEADS.len());
    }

    fn line(tree: &str, pattern: &str, gain: f64) -> Line {
        let (tree, pattern) = (tree.to_string(), pattern.to_string());
        Line { tree, pattern, mlid: 1.0, osrm: 1.0, gain, half: 1.0, printed_half: 1.0 }
    }

    #[test]
    fn printed_gains_are_those_of_the_text() {
        let gain = |tree: &str, pattern: &str| {
            line(tree, pattern, 0.0).printed().map(|gain| format!("{gain:.1}"))
        };
        assert_eq!(gain("ft(32,2)", "Hypercube").unwrap(), "6.8");
        assert_eq!(gain("ft(32,2)", "Ring").unwrap(), "16.8");
        assert_eq!(gain("ft(24,2)", "Ring"), None);
    }

    /// Worse by 2 and by 0.9, better by 1.1, where the interval is 1.
    #[test]
    fn what_is_more_than_chance_is_told() {
        let lines = [-2.0, -0.9, 1.1].map(|gain| line("ft(24,2)", "Ring", gain));
        let text = reading(&lines);
        assert!(text.contains("better in 1 of 3 rows and worse in 1 on FT(m,2)"), "{text}");
        assert!(text.contains("better in 0 of 0 rows and worse in 0 on FT(m,3)"), "{text}");
        assert!(text.ends_with("Worse are\n\n- Ring on FT(24,2): -2.0 % +- 1.0\n"), "{text}");
    }
}
