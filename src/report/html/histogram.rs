//! Histograms of links, one for every level and direction: by worst load, and by pairs. They are not made
//! with plotters: its plots have a white ground and fixed colours, while these follow the theme of the page and
//! name every bar.

use std::collections::BTreeMap;

use askama::Template;

use super::drawing::number;
use super::picture::TablesPicture;
use super::scale::{Bins, range};
use crate::rational::Rational;
use crate::report::counted;
use crate::topology::Direction;

/// Maximum number of bars.
const BARS: usize = 24;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 120.0;

/// Histograms side by side.
#[derive(Clone, Debug, Template)]
#[template(path = "histogram.html")]
pub(super) struct Histograms {
    /// The quantity that is counted.
    title: String,
    /// Label of the horizontal axis.
    axis: &'static str,
    charts: Vec<Chart>,
}

#[derive(Clone, Debug)]
struct Chart {
    title: String,
    /// The whole histogram in words.
    text: String,
    bars: Vec<Bar>,
    /// Minimum and maximum of the horizontal axis, and the maximum number of links of a bar.
    least: String,
    greatest: String,
    most: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bar {
    x: String,
    y: String,
    width: String,
    height: String,
    title: String,
}

type Place = (u8, Direction);

impl Histograms {
    /// Links by worst load; `None` where that is not known.
    pub(super) fn of_loads(picture: &TablesPicture) -> Option<Self> {
        let mut counts: BTreeMap<Place, BTreeMap<Rational, usize>> = BTreeMap::new();
        for bin in &picture.histogram {
            if let Some(load) = &bin.load {
                let place = counts.entry((bin.level, bin.direction)).or_default();
                *place.entry(load.clone()).or_default() += bin.links;
            }
        }
        Self::of("Links by worst load", "worst load", counts)
    }

    /// Links by the number of SD pairs that use them.
    pub(super) fn of_pairs(picture: &TablesPicture) -> Option<Self> {
        let mut counts: BTreeMap<Place, BTreeMap<Rational, usize>> = BTreeMap::new();
        let topology = &picture.topology;
        for (link, pairs) in topology.link_numbers().zip(picture.pairs.iter().flatten()) {
            let place = counts.entry(topology.shown_place(link)).or_default();
            *place.entry(Rational::from(*pairs)).or_default() += 1;
        }
        Self::of("Links by number of pairs", "pairs", counts)
    }

    fn of(
        title: &str,
        axis: &'static str,
        counts: BTreeMap<Place, BTreeMap<Rational, usize>>,
    ) -> Option<Self> {
        let charts = counts.into_iter().map(|((level, direction), counts)| {
            let place = match direction {
                Direction::Up => format!("level {level}, up"),
                Direction::Down => format!("level {level}, down"),
                Direction::Flat => format!("level {level}, flat"),
            };
            Chart::of(place, axis, &counts)
        });
        let charts: Vec<Chart> = charts.collect();
        (!charts.is_empty()).then(|| Self { title: title.to_string(), axis, charts })
    }
}

/// The numbers of a bar: the minimum, the maximum, and the number of links with one of them.
type Counted = (Rational, Rational, usize);

fn binned(counts: &BTreeMap<Rational, usize>) -> (Bins, BTreeMap<usize, Counted>) {
    let bins = Bins::of(counts.keys(), BARS);
    let mut found: BTreeMap<usize, Counted> = BTreeMap::new();
    for (value, links) in counts {
        let of = || (value.clone(), value.clone(), 0);
        let bar = found.entry(bins.at(value.to_f64())).or_insert_with(of);
        bar.1 = value.clone();
        bar.2 += links;
    }
    (bins, found)
}

impl Chart {
    fn of(title: String, axis: &str, counts: &BTreeMap<Rational, usize>) -> Self {
        let (bins, found) = binned(counts);
        let most = found.values().map(|bar| bar.2).max().unwrap_or(1);
        let slot = WIDTH / bins.count.max(1) as f64;
        let bars = found.iter().map(|(at, (least, greatest, links))| {
            let height = (HEIGHT * *links as f64 / most as f64).max(1.5);
            let width = (slot * 0.86).min(48.0);
            Bar {
                x: number(slot * (*at as f64 + 0.5) - width / 2.0),
                y: number(HEIGHT - height),
                width: number(width),
                height: number(height),
                title: format!("{axis} {}: {}", range(least, greatest), counted(*links, "link")),
            }
        });
        let bars: Vec<Bar> = bars.collect();
        let words: Vec<&str> = bars.iter().map(|bar| bar.title.as_str()).collect();
        let text = format!("{title}. {}", words.join("; "));
        let end = |value: Option<&Rational>| value.map_or_else(String::new, ToString::to_string);
        let (least, greatest) = (end(counts.keys().next()), end(counts.keys().next_back()));
        Self { title, text, bars, least, greatest, most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_is_in_one_bar() {
        for counts in
            [vec![(1, 3), (2, 5), (64, 1)], vec![(7, 4)], (0..300).map(|n| (n, 2)).collect()]
        {
            let total: usize = counts.iter().map(|(_, links)| links).sum();
            let counts: BTreeMap<Rational, usize> =
                counts.into_iter().map(|(value, links)| (Rational::from(value), links)).collect();
            let (bins, found) = binned(&counts);
            assert_eq!(found.values().map(|bar| bar.2).sum::<usize>(), total);
            assert!(bins.count <= BARS && found.keys().all(|at| *at < bins.count));
            let ends = (found[&0].0.clone(), found.values().next_back().unwrap().1.clone());
            assert_eq!(
                Some(ends),
                counts.keys().next().cloned().zip(counts.keys().next_back().cloned())
            );
        }
    }

    #[test]
    fn bars_say_what_they_are() {
        let counts = [(1, 3), (2, 1)].map(|(value, links)| (Rational::from(value), links)).into();
        let chart = Chart::of("level 2, up".into(), "worst load", &counts);
        assert_eq!(chart.bars[1].title, "worst load 2: 1 link");
        assert_eq!((chart.least.as_str(), chart.greatest.as_str(), chart.most), ("1", "2", 3));
    }
}
