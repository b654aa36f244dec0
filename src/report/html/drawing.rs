//! The drawing of a network: boxes, and lines coloured by worst load, with the same facts as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use askama::Template;

use super::drawn::DrawnNetwork;
use super::fold::{Fold, Grain};
use super::layout::{Bundle, Layout, Placed, Row, cut};
use super::scale::{Scale, range};
use super::table::{Column, Table};
use crate::rational::Rational;
use crate::report::counted;
use crate::topology::Topology;

/// Maximum number of rows of the table beside a drawing.
const ROWS: usize = 200;

/// Names in the title of a box.
const NAMED: usize = 4;

/// A drawing with its legend and its table.
#[derive(Clone, Debug, Template)]
#[template(path = "drawing.html")]
pub(super) struct Drawing {
    id: String,
    title: String,
    /// Meaning of a box.
    grain: String,
    width: String,
    height: String,
    rows: Vec<RowText>,
    boxes: Vec<BoxText>,
    strands: Vec<Strand>,
    legend: Vec<LegendEntry>,
    table: Table,
}

#[derive(Clone, Debug)]
struct RowText {
    y: String,
    below: String,
    level: String,
    nodes: String,
}

#[derive(Clone, Debug)]
struct BoxText {
    x: String,
    y: String,
    width: String,
    height: String,
    is_upright: bool,
    is_group: bool,
    /// The middle.
    at: (String, String),
    /// Lines of text, with the distance of each below the middle.
    lines: Vec<(String, String)>,
    title: String,
}

/// The cables of a bundle with loads of one class.
#[derive(Clone, Debug)]
struct Strand {
    path: String,
    colour: &'static str,
    stroke: String,
    title: String,
}

/// A class of loads.
#[derive(Clone, Debug)]
struct LegendEntry {
    colour: &'static str,
    loads: String,
    cables: String,
}

/// The network and loads to draw.
#[derive(Clone, Copy)]
struct Picture<'a> {
    topology: &'a Topology,
    network: &'a DrawnNetwork,
    layout: &'a Layout,
    scale: &'a Scale,
}

impl Drawing {
    /// Draws a network in this fold. `id` is unique on the page.
    pub(super) fn of(
        id: String,
        title: &str,
        topology: &Topology,
        network: &DrawnNetwork,
        fold: &Fold,
    ) -> Self {
        let layout = Layout::of(network, fold);
        let scale = Scale::of(network.cables.iter().filter_map(|cable| cable.worst()));
        let picture = Picture { topology, network, layout: &layout, scale: &scale };
        let mut strands: Vec<(Option<usize>, Strand)> =
            layout.bundles.iter().flat_map(|bundle| picture.strands(bundle)).collect();
        // What is loaded most is drawn last, on top.
        strands.sort_by_key(|(class, _)| *class);
        Self {
            title: title.to_string(),
            grain: grain(fold.grain).to_string(),
            width: number(layout.width),
            height: number(layout.height),
            rows: layout.rows.iter().map(RowText::from).collect(),
            boxes: layout.boxes.iter().map(|found| picture.box_text(found)).collect(),
            strands: strands.into_iter().map(|(_, strand)| strand).collect(),
            legend: picture.legend(),
            table: picture.table(&id, title),
            id,
        }
    }
}

fn grain(grain: Grain) -> &'static str {
    match grain {
        Grain::Switch => "Every box is one switch, or a router in a network without switches.",
        Grain::Alike(_) => {
            "Switches of a subtree whose cables carry the same worst loads are one box: ×n stands for n of them."
        }
        Grain::AlikeInEqual(_) => {
            "Equal subtrees are drawn once, and so are switches of a subtree whose cables carry the same worst \
             loads: ×n stands for n of them."
        }
        Grain::Subtree(_) => {
            "The switches of a level in the same subtree are one box: ×n stands for n of them. Lines beside each \
             other are cables between the same boxes with different loads."
        }
        Grain::EqualSubtrees(_) => {
            "Equal subtrees are drawn once, and the switches of a level in them as one box: ×n stands for n of \
             them. Lines beside each other are cables between the same boxes with different loads."
        }
        Grain::Level => {
            "The network is too large and too irregular to draw its subtrees: every box is a level, ×n stands \
             for its n switches. Lines beside each other are cables with different loads."
        }
        Grain::Focus => {
            "The switches around the worst link are drawn one by one, the others of each level as one box."
        }
    }
}

impl From<&Row> for RowText {
    fn from(row: &Row) -> Self {
        let nodes = match (row.level, row.nodes) {
            (0, count) => counted(count, "router"),
            (_, count) => counted(count, "switch"),
        };
        let (y, below) = (number(row.y - 3.0), number(row.y + 12.0));
        Self { y, below, level: format!("level {}", row.level), nodes }
    }
}

impl Picture<'_> {
    fn box_text(&self, found: &Placed) -> BoxText {
        let Placed { x, y, width, height, is_upright, ref members, .. } = *found;
        let room = if is_upright { height } else { width } - 8.0;
        let hosts: usize = members.iter().map(|node| self.network.nodes[*node].hosts).sum();
        let lines: Vec<String> = found.lines.iter().map(|line| cut(line, room)).collect();
        let (across, along) = (x + width / 2.0, y + height / 2.0);
        let top = 4.5 - 7.0 * (lines.len() as f64 - 1.0);
        let lines =
            lines.into_iter().enumerate().map(|(at, line)| (number(top + 14.0 * at as f64), line));
        BoxText {
            x: number(x),
            y: number(y),
            width: number(width),
            height: number(height),
            is_upright,
            is_group: members.len() > 1,
            at: (number(across), number(along)),
            lines: lines.collect(),
            title: self.title(members, hosts),
        }
    }

    fn title(&self, members: &[usize], hosts: usize) -> String {
        let mut title = self.name(members);
        if members.len() > 2 {
            let names = members.iter().take(NAMED).map(|node| &*self.network.nodes[*node].name);
            let names: Vec<&str> = names.collect();
            let more = if members.len() > NAMED { ", …" } else { "" };
            title = format!("{} nodes: {}{more}", members.len(), names.join(", "));
        }
        if hosts > 0 {
            // A String takes every write.
            let _ = write!(title, "; {}", counted(hosts, "host"));
        }
        title
    }

    /// A box in words.
    fn name(&self, members: &[usize]) -> String {
        let name = |node: &usize| self.network.nodes[*node].name.clone();
        match members {
            [] => String::new(),
            [only] => name(only),
            [first, .., last] => format!("{} to {} (×{})", name(first), name(last), members.len()),
        }
    }

    fn ends(&self, bundle: &Bundle) -> [String; 2] {
        let (low, high) = bundle.ends;
        [low, high].map(|end| self.name(&self.layout.boxes[end].members))
    }

    /// The lines of a bundle, one for every class of loads.
    fn strands(&self, bundle: &Bundle) -> Vec<(Option<usize>, Strand)> {
        let mut classes: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for cable in &bundle.cables {
            let worst = self.network.cables[*cable].worst();
            let class = worst.and_then(|load| self.scale.class(load));
            classes.entry(class).or_default().push(*cable);
        }
        let stroke = |cables: &Vec<usize>| 1.4 + 0.8 * (cables.len() as f64).log2();
        let wanted: f64 = classes.values().map(stroke).sum::<f64>() + classes.len() as f64 - 1.0;
        let scale = (bundle.room * 0.9 / wanted).clamp(0.25, 1.0);
        let ends = self.ends(bundle).join(" – ");
        let mut at = -wanted * scale / 2.0;
        let mut strands = Vec::new();
        for (class, cables) in &classes {
            let width = stroke(cables) * scale;
            let path = path(bundle, at + width / 2.0);
            at += width + scale;
            let colour = class.map_or("unknown", |class| self.scale.colour(class));
            let title = format!("{ends}: {}", self.loads(cables));
            strands.push((*class, Strand { path, colour, stroke: number(width), title }));
        }
        strands
    }

    /// Cables and their loads in words.
    fn loads(&self, cables: &[usize]) -> String {
        let count = counted(cables.len(), "cable");
        if let [only] = cables {
            let cable = &self.network.cables[*only];
            let name = cable.cable.name(self.topology);
            let text = |load: &Option<Rational>| {
                load.as_ref().map_or_else(|| "not known".to_string(), ToString::to_string)
            };
            let [up, down] = [text(&cable.loads[0]), text(&cable.loads[1])];
            return format!("1 cable {name}, worst load {up} up, {down} down");
        }
        match self.range(cables) {
            Some(range) => format!("{count}, worst load {range}"),
            None => format!("{count}, loads not known"),
        }
    }

    fn range(&self, cables: &[usize]) -> Option<String> {
        let loads = || cables.iter().filter_map(|cable| self.network.cables[*cable].worst());
        Some(range(loads().min()?, loads().max()?))
    }

    fn legend(&self) -> Vec<LegendEntry> {
        let mut counts = vec![0; self.scale.len()];
        let mut unknown = 0;
        for cable in &self.network.cables {
            match cable.worst().and_then(|load| self.scale.class(load)) {
                Some(class) => counts[class] += 1,
                None => unknown += 1,
            }
        }
        let known = counts.iter().enumerate().map(|(class, cables)| LegendEntry {
            colour: self.scale.colour(class),
            loads: self.scale.text(class),
            cables: counted(*cables, "cable"),
        });
        let cables = counted(unknown, "cable");
        let rest = LegendEntry { colour: "unknown", loads: "not known".to_string(), cables };
        known.chain((unknown > 0).then_some(rest)).collect()
    }

    fn table(&self, id: &str, title: &str) -> Table {
        let columns = [
            Column::text("lower end"),
            Column::text("upper end"),
            Column::number("cables"),
            Column::number("min worst load"),
            Column::number("max worst load"),
        ];
        let greatest = |bundle: &Bundle| {
            bundle.cables.iter().filter_map(|cable| self.network.cables[*cable].worst()).max()
        };
        let mut bundles: Vec<&Bundle> = self.layout.bundles.iter().collect();
        bundles.sort_by(|a, b| greatest(b).cmp(&greatest(a)));
        let rows = bundles.into_iter().map(|bundle| {
            let loads = || bundle.cables.iter().filter_map(|c| self.network.cables[*c].worst());
            let text = |load: Option<&Rational>| load.map_or_else(String::new, ToString::to_string);
            let [low, high] = self.ends(bundle);
            let (least, most) = (text(loads().min()), text(loads().max()));
            vec![low, high, bundle.cables.len().to_string(), least, most]
        });
        Table::of(format!("{id}-table"), &format!("{title}, as a table"), &columns, rows, ROWS)
    }
}

/// A line between two boxes, moved aside.
fn path(bundle: &Bundle, aside: f64) -> String {
    let Bundle { from, to, bend, ends, .. } = bundle;
    if *bend == 0.0 {
        let [x, u] = [from.0, to.0].map(|x| number(x + aside));
        return format!("M{x} {}L{u} {}", number(from.1), number(to.1));
    }
    // A bundle within a box is a loop below it.
    let apart = if ends.0 == ends.1 { 9.0 } else { 0.0 };
    let [x, u] = [from.0 - apart, to.0 + apart].map(number);
    let [y, v, depth] = [from.1, to.1, from.1 + bend * 1.3 + aside].map(number);
    format!("M{x} {y}C{x} {depth} {u} {depth} {u} {v}")
}

/// A coordinate to a tenth of a pixel.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_string() } else { text.to_string() }
}
