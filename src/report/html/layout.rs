//! Positions of the boxes and bundles of a drawing: levels as rows, the highest on top.

use std::collections::BTreeMap;

use super::drawn::DrawnNetwork;
use super::fold::Fold;
use crate::integer::{as_size, whole};
use crate::report::counted;

/// Width of a drawing.
const WIDTH: f64 = 1160.0;

/// Space for the names of the levels.
const LEFT: f64 = 92.0;

/// Space around.
const MARGIN: f64 = 10.0;

/// Between two rows.
const GAP: f64 = 112.0;

/// Boxes narrower than this have their text upright, if it does not fit.
const NARROW: f64 = 96.0;

/// Width of a character.
const CHARACTER: f64 = 7.0;

/// The most that text may be long in a box that is upright.
const TALLEST: f64 = 150.0;

/// The widest box.
const WIDEST: f64 = 460.0;

/// A box: the switches of a group.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// Nodes of the box.
    pub members: Vec<usize>,
    pub level: u8,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Name of the box and, if it has any, its hosts.
    pub lines: Vec<String>,
    /// Whether it is too narrow for its text, which then reads upwards.
    pub is_upright: bool,
}

/// The cables between two boxes, or within one.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    /// The lower box and the upper one.
    pub ends: (usize, usize),
    /// The cables.
    pub cables: Vec<usize>,
    /// Positions of its ends, at the lower and at the upper box.
    pub from: (f64, f64),
    pub to: (f64, f64),
    /// Depth of its bend: 0 for one between two levels.
    pub bend: f64,
    /// Share of the width of the narrower box.
    pub room: f64,
}

/// The switches of a level.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub level: u8,
    pub nodes: usize,
    /// The middle of its boxes.
    pub y: f64,
}

/// The geometry of a drawing.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub width: f64,
    pub height: f64,
    pub rows: Vec<Row>,
    pub boxes: Vec<Placed>,
    pub bundles: Vec<Bundle>,
}

impl Layout {
    /// O(nodes + cables · log(cables)).
    pub(super) fn of(network: &DrawnNetwork, fold: &Fold) -> Self {
        let mut boxes: Vec<Placed> =
            fold.members().into_iter().map(|members| placed(network, members)).collect();
        let mut levels: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
        for (at, found) in boxes.iter().enumerate() {
            levels.entry(found.level).or_default().push(at);
        }
        for row in levels.values() {
            name(network, row, &mut boxes);
            spread(row, &mut boxes);
        }
        let mut bundles = bundles(network, fold, &boxes);
        let (mut y, mut rows) = (MARGIN, Vec::new());
        for (level, row) in levels.iter().rev() {
            let height = row.first().map_or(0.0, |at| boxes[*at].height);
            for at in row {
                boxes[*at].y = y;
            }
            let nodes = row.iter().map(|at| boxes[*at].members.len()).sum();
            rows.push(Row { level: *level, nodes, y: y + height / 2.0 });
            let of_row = bundles.iter().filter(|bundle| boxes[bundle.ends.0].level == *level);
            let bend = of_row.map(|bundle| bundle.bend).fold(0.0, f64::max);
            let gap = if rows.len() < levels.len() { GAP } else { MARGIN };
            y += height + bend + gap;
        }
        attach(&boxes, &mut bundles);
        Self { width: WIDTH, height: y, rows, boxes, bundles }
    }
}

fn placed(network: &DrawnNetwork, members: Vec<usize>) -> Placed {
    let level = members.first().map_or(0, |node| network.nodes[*node].level);
    let (x, y, width, height, lines, is_upright) = (0.0, 0.0, 0.0, 0.0, Vec::new(), false);
    Placed { members, level, x, y, width, height, lines, is_upright }
}

/// Gives the boxes of a row their text.
fn name(network: &DrawnNetwork, row: &[usize], boxes: &mut [Placed]) {
    let first =
        |at: usize| boxes[at].members.first().map_or("", |node| &*network.nodes[*node].name);
    let names: Vec<&str> = row.iter().map(|at| first(*at)).collect();
    let width = box_width(row.len());
    let room = if width < NARROW { TALLEST } else { width };
    let names = short_names(&names, room);
    for (at, name) in row.iter().zip(names) {
        let members = &boxes[*at].members;
        let hosts: usize = members.iter().map(|node| network.nodes[*node].hosts).sum();
        let name = if members.len() == 1 { name } else { format!("×{}", members.len()) };
        let hosts = (hosts > 0).then(|| counted(hosts, "host"));
        boxes[*at].lines = [name].into_iter().chain(hosts).collect();
    }
}

/// Names without what all of them begin and end with, up to a mark, if there is no room for them.
pub(super) fn short_names(names: &[&str], room: f64) -> Vec<String> {
    let longest = names.iter().map(|name| length(name)).fold(0.0, f64::max);
    let whole = || names.iter().map(ToString::to_string).collect();
    let Some(first) = names.first().filter(|_| longest > room && names.len() > 1) else {
        return whole();
    };
    let marks = |(at, c): (usize, char)| (!c.is_alphanumeric()).then_some((at, at + c.len_utf8()));
    let mut cuts = first.char_indices().filter_map(marks).collect::<Vec<_>>();
    let begin = cuts
        .iter()
        .map(|cut| cut.1)
        .filter(|at| names.iter().all(|name| name.starts_with(&first[..*at])));
    let begin = begin.max().unwrap_or(0);
    cuts.retain(|cut| cut.0 >= begin);
    let end = cuts
        .iter()
        .map(|cut| &first[cut.0..])
        .find(|end| names.iter().all(|name| name[begin..].ends_with(*end)));
    let end = end.map_or(0, str::len);
    let short: Vec<String> =
        names.iter().map(|name| name[begin..name.len() - end].to_string()).collect();
    // Of equal names nothing may remain.
    if short.iter().any(String::is_empty) { whole() } else { short }
}

/// A name as far as there is room for it: its end, which tells names apart.
pub(super) fn cut(name: &str, room: f64) -> String {
    let (most, count) = (as_size(whole(room / CHARACTER)), name.chars().count());
    if count <= most {
        return name.to_string();
    }
    ['…'].into_iter().chain(name.chars().skip(count - most.saturating_sub(1).min(count))).collect()
}

/// The share of a box in the width of its row.
fn slot(boxes: usize) -> f64 {
    (WIDTH - LEFT - MARGIN) / boxes as f64
}

/// The width of a box in a row of `count` boxes.
fn box_width(boxes: usize) -> f64 {
    (slot(boxes) * 0.84).min(WIDEST)
}

/// The width of text, with some space around.
fn length(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER + 10.0
}

/// Spreads the boxes of a row evenly.
fn spread(row: &[usize], boxes: &mut [Placed]) {
    let slot = slot(row.len());
    let width = box_width(row.len());
    let lines = row.iter().flat_map(|at| &boxes[*at].lines);
    let longest = lines.map(|line| length(line)).fold(0.0, f64::max);
    let is_upright = width < NARROW && longest > width;
    let height = if is_upright { longest.clamp(42.0, TALLEST) } else { 42.0 };
    for (number, at) in row.iter().enumerate() {
        let found = &mut boxes[*at];
        found.width = width;
        found.x = LEFT + slot * (number as f64 + 0.5) - width / 2.0;
        (found.is_upright, found.height) = (is_upright, height);
    }
}

fn bundles(network: &DrawnNetwork, fold: &Fold, boxes: &[Placed]) -> Vec<Bundle> {
    let mut found: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, cable) in network.cables.iter().enumerate() {
        let (low, high) = (fold.group_of[cable.low], fold.group_of[cable.high]);
        let is_flat = boxes[low].level == boxes[high].level;
        let ends = if is_flat && high < low { (high, low) } else { (low, high) };
        found.entry(ends).or_default().push(at);
    }
    let middle = |at: usize| boxes[at].x + boxes[at].width / 2.0;
    let bundle = |(ends, cables): ((usize, usize), Vec<usize>)| {
        let (low, high) = ends;
        let is_flat = boxes[low].level == boxes[high].level;
        let bend = 18.0 + (middle(high) - middle(low)).abs() * 0.14;
        let bend = if is_flat { bend } else { 0.0 };
        Bundle { ends, cables, from: (0.0, 0.0), to: (0.0, 0.0), bend, room: 0.0 }
    };
    found.into_iter().map(bundle).collect()
}

/// Lets the bundles of a side of a box begin beside each other, in the order of their other ends.
fn attach(boxes: &[Placed], bundles: &mut [Bundle]) {
    // Sides: 0 is the top of a box, 1 its bottom.
    let mut sides: BTreeMap<(usize, u8), Vec<(usize, bool)>> = BTreeMap::new();
    for (at, bundle) in bundles.iter().enumerate() {
        let (low, high) = bundle.ends;
        let side = u8::from(bundle.bend > 0.0);
        sides.entry((low, side)).or_default().push((at, true));
        sides.entry((high, 1)).or_default().push((at, false));
    }
    let middle = |at: usize| boxes[at].x + boxes[at].width / 2.0;
    for ((of, side), mut ends) in sides {
        let other = |(at, is_low): &(usize, bool)| {
            let (low, high) = bundles[*at].ends;
            middle(if *is_low { high } else { low })
        };
        ends.sort_by(|a, b| other(a).total_cmp(&other(b)).then(a.cmp(b)));
        let Placed { x, y, width, height, .. } = boxes[of];
        let step = width / ends.len() as f64;
        for (number, (at, is_low)) in ends.into_iter().enumerate() {
            let point = (x + step * (number as f64 + 0.5), y + height * f64::from(side));
            let bundle = &mut bundles[at];
            bundle.room = if bundle.room > 0.0 { bundle.room.min(step) } else { step };
            if is_low { bundle.from = point } else { bundle.to = point }
        }
    }
}
