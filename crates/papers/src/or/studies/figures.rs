//! \[OR\] Figures 11 to 15 and the further workloads of VI: average ratios as traffic grows.

mod claims;

use super::average::{Averages, HEADS, Point, Sample, Wanted, lines};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Figures>(
    &["or-figures"],
    "[OR] VI, Figures 11 to 15",
    "average ratios under random, clustered and hot-spot traffic of growing size, and under jobs of random \
            sizes, with regular or with random traffic inside",
);

/// Instances of a point, as in the paper.
const SEEDS: u64 = 32;

/// Traffic of VI, on all trees of the paper.
#[derive(Clone, Copy, Debug)]
struct Workload {
    /// Its name, also that of its chart.
    name: &'static str,
    /// What is printed of it.
    figures: &'static str,
    /// What grows.
    x: &'static str,
    /// Its spec, where `X` stands for what grows and `SEED` for the seed.
    pattern: &'static str,
    /// Its values, of which sizes are doubled.
    values: Values,
}

/// Values of what grows.
#[derive(Clone, Copy, Debug)]
enum Values {
    /// Probabilities.
    Probabilities(&'static [&'static str]),
    /// Powers of 2 from 2^first on, to 128 or a part of the hosts.
    Sizes { first: u32, groups: u64 },
}

const WORKLOADS: [Workload; 6] = [
    Workload {
        name: "random",
        figures: "Figure 11 (FT(16,3))",
        x: "probability p",
        pattern: "random(p=X,seed=SEED)",
        values: Values::Probabilities(&[
            "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.75", "0.8", "0.9", "1",
        ]),
    },
    Workload {
        name: "clustered",
        figures: "Figures 12 (FT(32,2)) and 13 (FT(8,3))",
        x: "hosts of a group",
        pattern: "clustered(size=X,seed=SEED)",
        values: Values::Sizes { first: 1, groups: 1 },
    },
    Workload {
        name: "hot-spots",
        figures: "Figures 14 (FT(32,2)) and 15 (FT(16,3))",
        x: "hosts of a hot-spot, of which there are 4",
        pattern: "hotspot(spots=4,size=X,seed=SEED)",
        values: Values::Sizes { first: 1, groups: 4 },
    },
    Workload {
        name: "random-sizes",
        figures: "\"clustered traffic with random group sizes\"",
        x: "most hosts of a group",
        pattern: "jobs(size=2..X,seed=SEED)",
        values: Values::Sizes { first: 2, groups: 1 },
    },
    Workload {
        name: "regular-inside",
        figures: "\"clustered traffic with a random regular pattern in each group\"",
        x: "hosts of a group",
        pattern: "jobs(size=X,inside=regular,seed=SEED)",
        values: Values::Sizes { first: 2, groups: 1 },
    },
    Workload {
        name: "random-inside",
        figures: "\"clustered traffic with random traffic in each group\"",
        x: "hosts of a group",
        pattern: "jobs(size=X,inside=random,p=0.5,seed=SEED)",
        values: Values::Sizes { first: 2, groups: 1 },
    },
];

/// The trees of VI with their hosts.
const TREES: [(&str, u64); 3] = [("ft(32,2)", 512), ("ft(8,3)", 128), ("ft(16,3)", 1024)];

/// Curves of the charts, where they are defined.
const DRAWN: [(&str, &str); 7] = [
    ("mlid", "MLID"),
    ("wsr", "WSR"),
    ("osrm2", "OSRM2"),
    ("osrm3", "OSRM3"),
    ("grid", "grid"),
    ("random(seed=1)", "random paths"),
    ("kpath(k=2,choice=shift)", "2 paths (kpath, shift)"),
];

impl Workload {
    fn values(&self, hosts: u64) -> Vec<String> {
        match self.values {
            Values::Probabilities(all) => all.iter().map(ToString::to_string).collect(),
            Values::Sizes { first, groups } => {
                let sizes = (first..=8).map(|power| 1_u64 << power);
                // Figures 12 and 13 end with groups of 128.
                let most = if groups == 1 { hosts.min(128) } else { hosts / groups };
                sizes.take_while(|size| *size <= most).map(|size| size.to_string()).collect()
            }
        }
    }

    fn points(&self, (tree, hosts): (&'static str, u64)) -> impl Iterator<Item = Point> {
        self.values(hosts).into_iter().map(move |value| Point {
            tree,
            name: format!("{} {value}", self.name),
            pattern: self.pattern.replace('X', &value),
            // Everybody sends to everybody: all instances are the same.
            seeds: if value == "1" { 1 } else { SEEDS },
        })
    }
}

/// All workloads on all trees.
struct Figures(Averages);

impl Entry for Figures {
    type Row = Vec<Sample>;

    /// The small tier has the smallest tree, all but random traffic, and one point in eight of what remains.
    fn of(tier: Tier) -> Result<Self> {
        let is_wanted = |workload: &&Workload, hosts| {
            tier == Tier::Full || hosts == 128 && workload.name != "random"
        };
        let every = if tier == Tier::Full { 1 } else { 8 };
        let mut points = Vec::new();
        for (tree, hosts) in TREES {
            let workloads = WORKLOADS.iter().filter(|workload| is_wanted(workload, hosts));
            let all = workloads.flat_map(|workload| workload.points((tree, hosts)).step_by(every));
            points.extend(all);
        }
        Ok(Self(Averages { points, wanted: Wanted::All }))
    }

    fn finder(&self) -> Finder<'_, Vec<Sample>> {
        Finder::new(self.0.count(), move |job| self.0.found(job))
    }

    fn tables(&self, found: &[Vec<Sample>]) -> Result<Vec<Table>> {
        let cells = self.0.points.iter().zip(found).flat_map(|(point, found)| lines(point, found));
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    fn page(&self, found: &[Vec<Sample>], _: &[Table]) -> Result<Page> {
        let measured = Measured { points: &self.0.points, found };
        let mut page = Page::new(HEADER);
        for workload in &WORKLOADS {
            let charts = TREES.map(|tree| measured.chart(workload, tree));
            let axes = Axes { x: workload.x, y: "max load / OPTU, mean" };
            let across = match workload.values {
                Values::Probabilities(_) => Scale::FromZero,
                Values::Sizes { .. } => Scale::Doubling,
            };
            let svg = curve_charts(&charts, axes, [across, Scale::FromZero])?;
            let Workload { name, figures, .. } = workload;
            let text =
                format!("\n## {figures}\n\n`{}`\n\n![{name}]({name}.svg)\n", workload.pattern);
            page = page.text(&text).beside(&format!("{name}.svg"), svg);
        }
        Ok(page.text(CLAIMS).findings(&claims::all(&measured)).text(FINDINGS))
    }
}

/// What was found, by workload, tree and routing.
struct Measured<'m> {
    points: &'m [Point],
    found: &'m [Vec<Sample>],
}

impl Measured<'_> {
    /// The means of a routing as a workload grows, with half the widths of their intervals.
    fn curve(&self, workload: &str, tree: &str, routing: &str) -> Vec<CurvePoint> {
        let points = self.points.iter().zip(self.found).filter(|(point, _)| point.tree == tree);
        let point = |(point, samples): (&Point, &Vec<Sample>)| {
            let (name, value) = point.name.split_once(' ')?;
            let sample = samples.iter().find(|sample| sample.routing == routing)?;
            let (y, half_width) = sample.mean()?;
            let x = value.parse().ok()?;
            (name == workload).then_some(CurvePoint { x, y, half_width })
        };
        points.filter_map(point).collect()
    }

    fn chart(&self, workload: &Workload, (tree, _): (&str, u64)) -> Chart {
        let curves = DRAWN.iter().map(|(routing, name)| Curve {
            name: (*name).to_string(),
            points: self.curve(workload.name, tree, routing),
            form: Form::Measured,
        });
        let curves = curves.filter(|curve| !curve.points.is_empty()).collect();
        Chart { title: tree.to_uppercase(), curves }
    }
}

const HEADER: &str = include_str!("figures.header.md");

const CLAIMS: &str = "\n## What VI says of them\n\n";

const FINDINGS: &str = include_str!("figures.findings.md");
