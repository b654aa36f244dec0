//! Charts of curves, with the legend below.

use plotters::element::DynElement;
use plotters::prelude::*;

use super::axis::{Axis, Scale};
use super::{Area, Axes, COLOURS, PlotError, failed, figure, pixels};
use crate::integer::index32;

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points in the order in which they are joined.
    pub points: Vec<CurvePoint>,
    /// The form in which it is drawn.
    pub form: Form,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position along the horizontal axis.
    pub x: f64,
    /// Position along the vertical axis.
    pub y: f64,
    /// Half the width of an interval for y; 0 where y is exact.
    pub half_width: f64,
}

impl CurvePoint {
    /// A point without an interval.
    #[must_use]
    pub fn exact(x: f64, y: f64) -> Self {
        Self { x, y, half_width: 0.0 }
    }
}

/// The form in which a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Measured points, with marks and intervals.
    Measured,
    /// A line that keeps its height until the next point, and to the right edge after the last.
    Steps,
    /// A thin line without marks, as a guide for the eye.
    Guide,
}

/// A chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title above it.
    pub title: String,
    /// Curves in the order of the legend: 28 measured ones differ in colour or mark, seven of steps in colour.
    pub curves: Vec<Curve>,
}

/// Width of a chart in pixels, the height of the part with curves, and that of a line of its legend.
const WIDTH: u32 = 480;
const PLOT_HEIGHT: u32 = 340;
const LEGEND_LINE: u32 = 17;

/// Entries in a line of the legend, where all names have this number of letters at most; otherwise one.
const LEGEND_COLUMNS: usize = 2;
const SHORT_NAME: usize = 24;

/// Draws charts in two columns, with the scales of x and of y. The same input gives the same text.
///
/// # Errors
/// [`PlotError`] when there is no chart, one has no point or a value that its scale does not show, or plotters fails.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::report::plot::{Axes, Chart, Curve, CurvePoint, Form, Scale, curve_charts};
/// let points = vec![CurvePoint { x: 1.0, y: 2.0, half_width: 0.1 }, CurvePoint::exact(4.0, 7.0)];
/// let curve = Curve { name: "greedy".into(), points, form: Form::Measured };
/// let chart = Chart { title: "n = 64".into(), curves: vec![curve] };
/// let axes = Axes { x: "load factor", y: "cycles" };
/// let svg = curve_charts(&[chart], axes, [Scale::Doubling, Scale::FromZero])?;
/// assert!(svg.starts_with("<svg") && svg.contains("n = 64") && svg.contains("greedy"));
/// # Ok::<(), routebound::report::plot::PlotError>(())
/// ```
pub fn curve_charts(charts: &[Chart], axes: Axes, scales: [Scale; 2]) -> Result<String, PlotError> {
    charts.iter().try_for_each(|chart| chart.check(scales))?;
    let lines = |chart: &Chart| chart.curves.len().div_ceil(chart.legend_columns());
    let lines = index32(charts.iter().map(lines).max().unwrap_or(0));
    let height = PLOT_HEIGHT + lines * LEGEND_LINE + 8;
    figure(charts, 2, (WIDTH, height), |chart, area| {
        let (above, below) = area.split_vertically(PLOT_HEIGHT);
        chart.draw(&above, axes, scales)?;
        chart.draw_legend(&below)
    })
}

type Drawn<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

impl Chart {
    fn points(&self) -> impl Iterator<Item = &CurvePoint> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    fn check(&self, [x, y]: [Scale; 2]) -> Result<(), PlotError> {
        let error = |what: &str| Err(PlotError(format!("chart `{}` {what}", self.title)));
        if self.points().next().is_none() {
            return error("has no point");
        }
        if self.points().all(|point| x.shows(point.x) && y.shows(point.y)) {
            Ok(())
        } else {
            error("has a value that its scale does not show")
        }
    }

    fn draw(&self, area: &Area<'_>, axes: Axes, [x, y]: [Scale; 2]) -> Result<(), PlotError> {
        let range = |scale: Scale, of: fn(&CurvePoint) -> (f64, f64)| {
            let ends = || self.points().map(of);
            let least = ends().map(|end| end.0).fold(f64::MAX, f64::min);
            scale.range(least, ends().map(|end| end.1).fold(0.0, f64::max))
        };
        let across = range(x, |point| (point.x, point.x));
        let up = range(y, |point| (point.y, point.y + point.half_width));
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 16))
            .margin(8)
            .margin_right(16)
            .x_label_area_size(36)
            .y_label_area_size(72)
            .build_cartesian_2d(x.axis(&across), y.axis(&up))
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(axes.x)
            .y_desc(axes.y)
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|at| x.label(*at))
            .y_label_formatter(&|at| y.label(*at))
            .draw()
            .map_err(failed)?;
        for (curve, colour) in self.coloured() {
            let place = Placed { scales: [x, y], lowest: up.start, right: across.end };
            curve.draw(&mut chart, place, colour)?;
        }
        Ok(())
    }

    /// The curves with the numbers of their colours; guides have none.
    fn coloured(&self) -> impl Iterator<Item = (&Curve, Option<usize>)> {
        self.curves.iter().scan(0, |next, curve| {
            let own = *next;
            let is_guide = curve.form == Form::Guide;
            *next += usize::from(!is_guide);
            Some((curve, (!is_guide).then_some(own)))
        })
    }

    fn legend_columns(&self) -> usize {
        let is_short = |curve: &Curve| curve.name.chars().count() <= SHORT_NAME;
        if self.curves.iter().all(is_short) { LEGEND_COLUMNS } else { 1 }
    }

    /// Names of the curves with their lines and marks.
    fn draw_legend(&self, area: &Area<'_>) -> Result<(), PlotError> {
        let columns = self.legend_columns();
        for (index, (curve, number)) in self.coloured().enumerate() {
            let [column, line] = [index % columns, index / columns].map(index32);
            let left = pixels(72 + column * (WIDTH - 72) / index32(columns));
            let place = |x, y| (left + x, pixels(line * LEGEND_LINE) + y);
            let ends = [place(0, 8), place(24, 8)];
            area.draw(&PathElement::new(ends, stroke(number))).map_err(failed)?;
            if let Some(number) = number.filter(|_| curve.form == Form::Measured) {
                area.draw(&mark(place(12, 8), number)).map_err(failed)?;
            }
            let text = Text::new(curve.name.clone(), place(32, 2), ("sans-serif", 13));
            area.draw(&text).map_err(failed)?;
        }
        Ok(())
    }
}

/// The line of a curve of this colour, or of a guide.
fn stroke(number: Option<usize>) -> ShapeStyle {
    match number {
        Some(number) => COLOURS[number % COLOURS.len()].stroke_width(2),
        None => BLACK.mix(0.4).stroke_width(1),
    }
}

/// A mark whose shape distinguishes curves, one on top of another too: the earlier ones stand out.
fn mark<'b, C: Clone + 'static>(place: C, number: usize) -> DynElement<'static, SVGBackend<'b>, C> {
    let colour = COLOURS[number % COLOURS.len()];
    match number % 4 {
        0 => Circle::new(place, 6, colour.stroke_width(2)).into_dyn(),
        1 => TriangleMarker::new(place, 5, colour.filled()).into_dyn(),
        2 => Cross::new(place, 4, colour.stroke_width(2)).into_dyn(),
        _ => Circle::new(place, 3, colour.filled()).into_dyn(),
    }
}

/// Where values of a chart are.
#[derive(Clone, Copy)]
struct Placed {
    scales: [Scale; 2],
    /// The least y that is shown.
    lowest: f64,
    /// The largest x that is shown.
    right: f64,
}

impl Placed {
    fn of(self, x: f64, y: f64) -> (f64, f64) {
        let [across, up] = self.scales;
        (across.place(x), up.place(y.max(self.lowest)))
    }
}

impl Curve {
    fn draw(
        &self,
        chart: &mut Drawn<'_, '_>,
        placed: Placed,
        number: Option<usize>,
    ) -> Result<(), PlotError> {
        let line = self.line(placed.right).into_iter().map(|(x, y)| placed.of(x, y));
        chart.draw_series(LineSeries::new(line, stroke(number))).map_err(failed)?;
        let Some(number) = number.filter(|_| self.form == Form::Measured) else { return Ok(()) };
        let bars = self.points.iter().map(|CurvePoint { x, y, half_width }| {
            let ends = [placed.of(*x, y - half_width), placed.of(*x, y + half_width)];
            PathElement::new(ends, COLOURS[number % COLOURS.len()])
        });
        chart.draw_series(bars).map_err(failed)?;
        let marks = self.points.iter().map(|point| mark(placed.of(point.x, point.y), number));
        chart.draw_series(marks).map_err(failed)?;
        Ok(())
    }

    /// The points that are joined: for steps with the corners between them, up to the right edge.
    fn line(&self, right: f64) -> Vec<(f64, f64)> {
        let points = self.points.iter().map(|point| (point.x, point.y));
        if self.form != Form::Steps {
            return points.collect();
        }
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for (x, y) in points {
            corners.extend(corners.last().map(|(_, before)| (x, *before)));
            corners.push((x, y));
        }
        corners.extend(corners.last().map(|(_, y)| (right, *y)));
        corners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: Axes = Axes { x: "x", y: "y" };
    const LINEAR: [Scale; 2] = [Scale::FromZero; 2];

    fn chart(points: &[[f64; 3]]) -> Chart {
        let point =
            |[x, y, half_width]: &[f64; 3]| CurvePoint { x: *x, y: *y, half_width: *half_width };
        let points: Vec<CurvePoint> = points.iter().map(point).collect();
        let curve = |name: &str, form| Curve { name: name.into(), points: points.clone(), form };
        Chart {
            title: "t".into(),
            curves: vec![curve("guide", Form::Guide), curve("found", Form::Measured)],
        }
    }

    /// A guide has no marks; a point at the origin is drawn.
    #[test]
    fn curves_have_marks_and_names() {
        let svg = curve_charts(&[chart(&[[0.0, 0.0, 0.0], [0.02, 5.0, 1.0]])], AXES, LINEAR);
        let svg = svg.unwrap();
        assert_eq!(svg.matches("<circle").count(), 3, "two points and the legend");
        assert!(svg.contains("guide") && svg.contains("found") && svg.contains("#000000"));
    }

    #[test]
    fn steps_have_corners() {
        let points = vec![CurvePoint::exact(1.0, 2.0), CurvePoint::exact(5.0, 3.0)];
        let mut curve = Curve { name: String::new(), points, form: Form::Steps };
        assert_eq!(curve.line(9.0), [(1.0, 2.0), (5.0, 2.0), (5.0, 3.0), (9.0, 3.0)]);
        curve.form = Form::Measured;
        assert_eq!(curve.line(9.0), [(1.0, 2.0), (5.0, 3.0)]);
    }

    #[test]
    fn charts_need_points_on_their_scales() {
        let draw =
            |points: &[[f64; 3]], x| curve_charts(&[chart(points)], AXES, [x, Scale::FromZero]);
        assert!(draw(&[], Scale::FromZero).is_err() && curve_charts(&[], AXES, LINEAR).is_err());
        assert!(draw(&[[0.0, 1.0, 0.0]], Scale::FromZero).is_ok());
        assert!(draw(&[[0.0, 1.0, 0.0]], Scale::Doubling).is_err());
    }
}
