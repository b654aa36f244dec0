//! Plots, as SVG. Only this file and those of its folder name plotters.
//!
//! Floats are only for the eye here: every number of a plot is also in a table.

mod boxes;
mod linear;

pub use boxes::{BoxChart, Boxes, Marks, Scale, box_charts};
pub use linear::linear_charts;

use crate::integer::index32;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

/// A step line of a plot: it keeps its height until the next point.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// Its name in the legend.
    pub name: String,
    /// Points in the order of x, x ≥ 1; the line continues to the right edge.
    pub points: Vec<(f64, f64)>,
}

/// One plot of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title above it.
    pub title: String,
    /// Lines in the order of the legend.
    pub lines: Vec<Steps>,
    /// A height at which a horizontal line is drawn, with its name.
    pub level: (String, f64),
}

/// Names of the axes of all panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The horizontal axis.
    pub x: &'static str,
    /// The vertical axis.
    pub y: &'static str,
}

/// The figure could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot draw the plot: {0}")]
pub struct PlotError(String);

/// Width and height of a panel in pixels.
const SIZE: (u32, u32) = (480, 320);

/// Draws panels in two columns; x is logarithmic, y begins at 0. The same input gives the same text.
///
/// # Errors
/// [`PlotError`] when there is no panel, or plotters fails.
///
/// ```
/// use routebound::report::plot::{Axes, Panel, Steps, step_panels};
/// let line = Steps { name: "climb".into(), points: vec![(1.0, 2.0), (40.0, 7.0)] };
/// let panel = Panel { title: "dmodk".into(), lines: vec![line], level: ("exact".into(), 7.0) };
/// let svg = step_panels(&[panel], Axes { x: "evaluations", y: "load" })?;
/// assert!(svg.starts_with("<svg") && svg.contains("dmodk"));
/// # Ok::<(), routebound::report::plot::PlotError>(())
/// ```
pub fn step_panels(panels: &[Panel], axes: Axes) -> Result<String, PlotError> {
    if panels.is_empty() {
        return Err(PlotError("it has no panel".to_string()));
    }
    let rows = panels.len().div_ceil(2);
    let columns = panels.len().min(2);
    let mut svg = String::new();
    {
        let size = (SIZE.0 * index32(columns), SIZE.1 * index32(rows));
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        for (area, panel) in root.split_evenly((rows, columns)).iter().zip(panels) {
            panel.draw(area, axes)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(svg)
}

fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError(error.to_string())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

impl Panel {
    fn draw(&self, area: &Area<'_>, axes: Axes) -> Result<(), PlotError> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let right = points().map(|(x, _)| *x).fold(10.0, f64::max) * 1.5;
        let top = points().map(|(_, y)| *y).fold(self.level.1, f64::max) * 1.15;
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(44)
            .build_cartesian_2d((1.0..right).log_scale(), 0.0..top)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(axes.x)
            .y_desc(axes.y)
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .draw()
            .map_err(failed)?;
        let (name, height) = &self.level;
        let across = [(1.0, *height), (right, *height)];
        chart
            .draw_series(LineSeries::new(across, BLACK.mix(0.5)))
            .map_err(failed)?
            .label(name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], BLACK.mix(0.5)));
        for (index, line) in self.lines.iter().enumerate() {
            let colour = Palette99::pick(index).to_rgba();
            chart
                .draw_series(LineSeries::new(line.corners(right), colour.stroke_width(2)))
                .map_err(failed)?
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()
            .map_err(failed)
    }
}

impl Steps {
    /// The points with the corners between them, up to the right edge.
    fn corners(&self, right: f64) -> Vec<(f64, f64)> {
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for (x, y) in &self.points {
            corners.extend(corners.last().map(|(_, before)| (*x, *before)));
            corners.push((*x, *y));
        }
        corners.extend(corners.last().map(|(_, y)| (right, *y)));
        corners
    }
}

/// A curve of measured points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Points in the order of x, with half the width of an interval for y; on logarithmic axes all x and y
    /// above 0.
    pub points: Vec<(f64, f64, f64)>,
    /// Without marks, as a guide for the eye.
    pub is_guide: bool,
}

/// A chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title above it.
    pub title: String,
    /// Curves in the order of the legend.
    pub curves: Vec<Curve>,
}

/// Width and height of a chart in pixels, the height of the part with curves, and that of a line of its
/// legend.
const CHART_SIZE: (u32, u32) = (480, 420);
const PLOT_HEIGHT: f64 = 340.0;
const LEGEND_LINE: f64 = 17.0;

/// Draws charts in two columns, both axes of each logarithmic. The same input gives the same text.
///
/// # Errors
/// [`PlotError`] when there is no chart, one has no point, or plotters fails.
///
/// ```
/// use routebound::report::plot::{Axes, Chart, Curve, curve_charts};
/// let points = vec![(1.0, 2.0, 0.1), (4.0, 7.0, 0.5)];
/// let curve = Curve { name: "greedy".into(), points, is_guide: false };
/// let chart = Chart { title: "n = 64".into(), curves: vec![curve] };
/// let svg = curve_charts(&[chart], Axes { x: "load factor", y: "cycles" })?;
/// assert!(svg.starts_with("<svg") && svg.contains("n = 64"));
/// # Ok::<(), routebound::report::plot::PlotError>(())
/// ```
pub fn curve_charts(charts: &[Chart], axes: Axes) -> Result<String, PlotError> {
    if charts.is_empty() || charts.iter().any(|chart| chart.points().next().is_none()) {
        return Err(PlotError("it has a chart without points, or no chart".to_string()));
    }
    let (rows, columns) = (charts.len().div_ceil(2), charts.len().min(2));
    let mut svg = String::new();
    {
        let size = (CHART_SIZE.0 * index32(columns), CHART_SIZE.1 * index32(rows));
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        for (area, chart) in root.split_evenly((rows, columns)).iter().zip(charts) {
            chart.draw(area, axes)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(svg)
}

impl Chart {
    fn points(&self) -> impl Iterator<Item = &(f64, f64, f64)> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    fn draw(&self, area: &Area<'_>, axes: Axes) -> Result<(), PlotError> {
        let range = |of: fn(&(f64, f64, f64)) -> f64| {
            let values = || self.points().map(of);
            let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
            low / 1.2..high * 1.4
        };
        let y = range(|p| p.1);
        // The curves stay below the legend.
        let legend = (self.curves.len() as f64 * LEGEND_LINE + 20.0) / PLOT_HEIGHT;
        let top = y.start * (y.end / y.start).powf(1.0 / (1.0 - legend.min(0.6)));
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(range(|p| p.0).log_scale(), (y.start..top).log_scale())
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(axes.x)
            .y_desc(axes.y)
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| short(*y))
            .draw()
            .map_err(failed)?;
        for (index, curve) in self.curves.iter().enumerate() {
            curve.draw(&mut chart, Palette99::pick(index).to_rgba())?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()
            .map_err(failed)
    }
}

/// A chart with two logarithmic axes.
type Logarithmic<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

impl Curve {
    fn draw(&self, chart: &mut Logarithmic<'_, '_>, colour: RGBAColor) -> Result<(), PlotError> {
        let colour = if self.is_guide { BLACK.mix(0.4) } else { colour };
        let line = self.points.iter().map(|(x, y, _)| (*x, *y));
        chart
            .draw_series(LineSeries::new(line, colour.stroke_width(2)))
            .map_err(failed)?
            .label(&self.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        let measured = if self.is_guide { &[][..] } else { &self.points };
        let bars = measured.iter().map(|(x, y, half)| {
            let ends = [(*x, (y - half).max(y / 10.0)), (*x, y + half)];
            PathElement::new(ends, colour)
        });
        chart.draw_series(bars).map_err(failed)?;
        let marks = measured.iter().map(|(x, y, _)| Circle::new((*x, *y), 3, colour.filled()));
        chart.draw_series(marks).map_err(failed)?;
        Ok(())
    }
}

/// A number on an axis.
fn short(value: f64) -> String {
    if value < 10.0 && value.fract() > 1e-9 { format!("{value:.1}") } else { format!("{value:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_corners() {
        let line = Steps { name: String::new(), points: vec![(1.0, 2.0), (5.0, 3.0)] };
        assert_eq!(line.corners(9.0), [(1.0, 2.0), (5.0, 2.0), (5.0, 3.0), (9.0, 3.0)]);
    }

    #[test]
    fn charts_need_points() {
        let axes = Axes { x: "x", y: "y" };
        let curve = Curve { name: "c".into(), points: Vec::new(), is_guide: false };
        assert!(curve_charts(&[Chart { title: "t".into(), curves: vec![curve] }], axes).is_err());
        assert!(curve_charts(&[], axes).is_err());
    }

    #[test]
    fn nothing_is_no_plot() {
        assert!(step_panels(&[], Axes { x: "x", y: "y" }).is_err());
    }
}
