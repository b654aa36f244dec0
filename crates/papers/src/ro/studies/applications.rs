//! What the pages of Figures 2 and 5 share: charts and tables by application.

use super::TREES;
use super::points::Application;
use super::table::{Sample, View};
use crate::study::prelude::*;

/// The name of a scheme in the charts.
pub(super) fn label(scheme: &str) -> &str {
    match scheme {
        "random" => "Random",
        "rnca-u" => "r-NCA-u",
        "rnca-d" => "r-NCA-d",
        "smodk" => "S-mod-k",
        "dmodk" => "D-mod-k",
        "coloured" => "Colored",
        other => other,
    }
}

/// A chart for each application: boxes of the schemes that are drawn at random, marks of the others.
pub(super) fn chart(view: View<'_>, random: &[&str], fixed: &[&str]) -> Result<String> {
    let charts = Application::ALL.map(|application| BoxChart {
        title: format!("{} on XGFT(2;16,16;1,w2)", application.name()),
        categories: TREES.iter().map(ToString::to_string).collect(),
        boxes: random.iter().map(|scheme| boxes(view, application, scheme)).collect(),
        marks: fixed.iter().map(|scheme| marks(view, application, scheme)).collect(),
        scale: Scale::Logarithmic,
    });
    let axes = Axes {
        x: "w2, number of switches of the upper level",
        y: "slowdown against the full crossbar",
    };
    Ok(box_charts(&charts, axes)?)
}

fn boxes(view: View<'_>, application: Application, scheme: &str) -> Boxes {
    let of = |w2: &u64| view.get(application, *w2, scheme)?.quartiles();
    Boxes { name: label(scheme).to_string(), boxes: TREES.iter().map(of).collect() }
}

fn marks(view: View<'_>, application: Application, scheme: &str) -> Marks {
    let values = TREES.iter().map(|w2| view.median(application, *w2, scheme)).collect();
    Marks { name: label(scheme).to_string(), values }
}

/// Median slowdowns, with the medians of what the loads alone say.
pub(super) fn medians(view: View<'_>, application: Application, schemes: &[&str]) -> String {
    let heads: Vec<&str> = std::iter::once("w2").chain(schemes.iter().map(|s| label(s))).collect();
    let cell = |w2: u64, scheme: &str| {
        let sample = view.get(application, w2, scheme)?;
        let fluid = crate::sampling::Quartiles::of(&sample.fluid())?.median;
        Some(format!("{:.2} ({fluid:.2})", sample.quartiles()?.median))
    };
    let row = |w2: u64| {
        let cells = schemes.iter().map(move |scheme| cell(w2, scheme).unwrap_or_default());
        std::iter::once(w2.to_string()).chain(cells).collect()
    };
    markdown(&heads, TREES.into_iter().map(row))
}

/// The minimum and the maximum quotient of simulated and static slowdown, over all runs.
pub(super) fn above_fluid(view: View<'_>, application: Application) -> (f64, f64) {
    let quotients = |sample: &Sample| {
        let pairs = sample.slowdowns().into_iter().zip(sample.fluid());
        pairs.map(|(slowdown, fluid)| slowdown / fluid).collect::<Vec<_>>()
    };
    let all: Vec<f64> = view.of(application).flat_map(quotients).collect();
    let least = all.iter().copied().fold(f64::MAX, f64::min);
    (least, all.iter().copied().fold(0.0, f64::max))
}
