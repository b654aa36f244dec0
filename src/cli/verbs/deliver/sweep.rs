//! `deliver --sweep`: many points, as a table and a figure.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, anyhow, bail};
use itertools::Itertools;

use crate::cli::overwriting::marked_svg;
use crate::cli::{Context, Outcome, OutputPath};
use crate::limit::within;
use crate::rational::Rational;
use crate::report::plot::{Axes, Chart, Curve, CurvePoint, Form, Scale, curve_charts};
use crate::report::table::{csv, table};
use crate::simulation::delivery::figure_4;
use crate::study::deliveries::{HEADS, Measured, Point, Points, cells};

/// Maximum number of points of a sweep.
const MAX_POINTS: u64 = 1 << 16;

/// The axis that chooses the number of messages.
const LOAD_FACTOR: &str = "load-factor";

/// The axis of loss rules.
const LOSS: &str = "loss";

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sweeps")]
pub(super) struct SweepOptions {
    /// Run once for each value of `{NAME}` in topology, algorithm and messages, such as k=64,256,1024 for
    /// 'universal({k})'. `load-factor=1,4,16` scales the number of messages, `loss=random,left` varies the
    /// loss rule. Repeat for all combinations
    #[arg(long, value_name = "NAME=VALUES")]
    sweep: Vec<String>,
    /// Write the results to FILE as CSV; `-` is stdout
    #[arg(long, alias = "csv", value_name = "FILE", requires = "sweep")]
    save_csv: Option<OutputPath>,
    /// Write a plot of cycles against load factor to FILE as SVG; `-` is stdout
    #[arg(long, alias = "svg", value_name = "FILE", requires = "sweep")]
    save_svg: Option<OutputPath>,
}

/// A point and its values of the axes.
type Row = (Vec<String>, Point);

/// A name and its values.
struct Axis {
    name: String,
    values: Vec<String>,
}

impl SweepOptions {
    pub(super) fn is_given(&self) -> bool {
        !self.sweep.is_empty()
    }

    fn axes(&self) -> Result<Vec<Axis>> {
        let axes = self.sweep.iter().map(|text| {
            let (name, values) = text.split_once('=').ok_or_else(|| {
                anyhow!("`--sweep {text}`: expected NAME=VALUES such as n=64,256")
            })?;
            let values = values.split(',').map(|value| value.trim().to_string()).collect_vec();
            if name.is_empty() || values.iter().any(String::is_empty) {
                bail!("`--sweep {text}`: expected a name and values separated by commas");
            }
            Ok(Axis { name: name.to_string(), values })
        });
        let axes = axes.collect::<Result<Vec<_>>>()?;
        if let Some(twice) = axes.iter().map(|axis| &axis.name).duplicates().next() {
            bail!("`--sweep {twice}=` is given twice: list all its values after one");
        }
        Ok(axes)
    }

    /// Every combination of values, the last axis first, as points made from `point`.
    fn points(&self, point: &Point) -> Result<(Vec<String>, Vec<Row>)> {
        let axes = self.axes()?;
        let count = axes.iter().map(|axis| axis.values.len() as u128).product();
        within("number of points of the sweep", Some(count), MAX_POINTS, "give fewer values")?;
        let names = axes.iter().map(|axis| axis.name.clone()).collect_vec();
        let all = axes.iter().map(|axis| axis.values.iter().cloned()).multi_cartesian_product();
        let points = all.map(|values| {
            let mut point = point.clone();
            for (name, value) in names.iter().zip(&values) {
                set(&mut point, name, value)?;
            }
            let open = [&point.topology, &point.algorithm, &point.messages];
            if let Some(text) = open.into_iter().find(|text| text.contains('{')) {
                bail!("`{text}` has a `{{NAME}}` without values: add `--sweep NAME=VALUES`");
            }
            Ok((values, point))
        });
        let points = points.collect::<Result<_>>()?;
        Ok((names, points))
    }
}

/// Puts a value in its place.
fn set(point: &mut Point, name: &str, value: &str) -> Result<()> {
    match name {
        LOSS => point.loss = value.to_string(),
        LOAD_FACTOR => {
            let factor = Rational::from_decimal(value).ok().filter(|factor| !factor.is_zero());
            let positive = || anyhow!("`{LOAD_FACTOR}={value}` is not a positive number");
            point.load_factor = Some(factor.ok_or_else(positive)?);
        }
        _ => {
            let place = format!("{{{name}}}");
            let texts = [&mut point.topology, &mut point.algorithm, &mut point.messages];
            let mut is_used = false;
            for text in texts {
                is_used |= text.contains(&place);
                *text = text.replace(&place, value);
            }
            if !is_used {
                bail!(
                    "`--sweep {name}=`: neither topology nor algorithm nor messages has a `{place}`"
                );
            }
        }
    }
    Ok(())
}

/// Measures all points and writes the table and the figure.
pub(super) fn run(options: &SweepOptions, point: &Point, context: &Context) -> Result<Outcome> {
    let (names, points) = options.points(point)?;
    let (values, points): (Vec<_>, Vec<_>) = points.into_iter().unzip();
    context.inputs_are_read()?;
    let progress = context.progress(points.len() as u64, "points");
    let points = Points(points);
    let found = points.measure(context.units(), &progress);
    drop(progress);
    if let Some(part) = context.units().part()
        && (found.is_ok() || context.is_stopped())
    {
        return context.end_part(part);
    }
    context.units().check()?;
    let found = found?.unwrap_or_default();
    let heads = heads(&names);
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows = || values.iter().zip(&found).zip(&points.0).map(|((v, m), p)| row(&names, v, m, p));
    for (file, is_table) in [(&options.save_csv, true), (&options.save_svg, false)] {
        let Some(file) = file else { continue };
        context.write_beside(file, |out| {
            let bytes = if is_table {
                csv(&heads, rows())?
            } else {
                marked_svg(&figure(&names, &values, &found)?)
            };
            out.write_all(&bytes).context("cannot write")
        });
    }
    let object = |row: Vec<String>| heads.iter().map(|head| key(head)).zip(row).collect();
    let objects: Vec<BTreeMap<String, String>> = rows().map(object).collect();
    context
        .show(&serde_json::json!({ "points": objects }), || text(&heads, &rows().collect_vec()))?;
    Ok(Outcome::Done)
}

/// The points as text. What is the same at all of them stands above the table.
fn text(heads: &[&str], rows: &[Vec<String>]) -> String {
    let differs = |column: &usize| !rows.iter().map(|row| &row[*column]).all_equal();
    let columns = (0..heads.len()).filter(differs).collect_vec();
    if columns.is_empty() {
        return table(heads, rows.iter().cloned());
    }
    let same = (0..heads.len()).filter(|column| !columns.contains(column));
    let same = same.map(|column| format!("{:<16}{}\n", heads[column], rows[0][column]));
    let heads = columns.iter().map(|column| heads[*column]).collect_vec();
    let rows = rows.iter().map(|row| columns.iter().map(|column| row[*column].clone()).collect());
    format!("{}\n{}", same.collect::<String>(), table(&heads, rows))
}

/// The key of a column in JSON.
fn key(head: &str) -> String {
    head.to_lowercase().replace([' ', '-'], "_")
}

/// The columns of the table: the axes, except for the one that the others show, and what was measured.
fn heads(names: &[String]) -> Vec<String> {
    let names = names.iter().filter(|name| *name != LOSS);
    names.cloned().chain(HEADS.map(String::from)).collect()
}

fn row(names: &[String], values: &[String], found: &Measured, point: &Point) -> Vec<String> {
    let own = names.iter().zip(values).filter(|(name, _)| *name != LOSS);
    own.map(|(_, value)| value.clone()).chain(cells(point, found)).collect()
}

/// Cycles against load factors: a curve for every combination of the other axes, and λ itself.
fn figure(names: &[String], values: &[Vec<String>], found: &[Measured]) -> Result<Vec<u8>> {
    let mut curves: Vec<Curve> = Vec::new();
    for (values, measured) in values.iter().zip(found) {
        let Some(sample) = measured.sample() else { continue };
        let others = names.iter().zip(values).filter(|(name, _)| *name != LOAD_FACTOR);
        let name = others.map(|(name, value)| format!("{name} = {value}")).join(", ");
        let point = CurvePoint {
            x: measured.factor().to_f64(),
            y: sample.mean().to_f64(),
            half_width: sample.half_width(),
        };
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name, points: vec![point], form: Form::Measured }),
        }
    }
    for curve in &mut curves {
        curve.points.retain(|point| point.x > 0.0 && point.y > 0.0);
        curve.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let ends = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.x);
    let guide = [ends().fold(f64::MAX, f64::min), ends().fold(0.0, f64::max)];
    let lower = guide.map(|x| CurvePoint::exact(x, x.max(1.0))).to_vec();
    curves.push(Curve { name: "load factor".into(), points: lower, form: Form::Guide });
    let processors = found.iter().map(|measured| measured.processors).max().unwrap_or(2);
    let steps = (0..=40).map(|step| guide[0] * (guide[1] / guide[0]).powf(f64::from(step) / 40.0));
    let bound = steps.map(|x| CurvePoint::exact(x, figure_4(processors, x))).collect();
    let name = format!("growth of Figure 4, n = {processors}");
    curves.push(Curve { name, points: bound, form: Form::Guide });
    let title = format!("{} points", found.len());
    let axes = Axes { x: "load factor", y: "delivery cycles" };
    Ok(curve_charts(&[Chart { title, curves }], axes, [Scale::Logarithmic; 2])?.into_bytes())
}
