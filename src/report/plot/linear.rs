//! Charts whose axes are linear and begin at 0, with the legend below the curves.

use plotters::element::DynElement;
use plotters::prelude::*;

use super::{Area, Axes, Chart, Curve, PlotError, failed};
use crate::integer::index32;

/// Colours that people with any colour vision tell apart (Okabe and Ito, 2008), the darkest first.
const COLOURS: [RGBColor; 7] = [
    BLACK,
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Width of a chart in pixels, the height of the part with curves, and that of a line of its legend.
const WIDTH: u32 = 480;
const PLOT_HEIGHT: u32 = 340;
const LEGEND_LINE: u32 = 17;

/// Entries in a line of the legend.
const LEGEND_COLUMNS: usize = 2;

/// Draws charts in two columns; both axes of each are linear and begin at 0. Points are joined in their order,
/// which need not be that of x. The same input gives the same text.
///
/// # Errors
/// [`PlotError`] when there is no chart, one has no point, or plotters fails.
///
/// ```
/// use routebound::report::plot::{Axes, Chart, Curve, linear_charts};
/// let points = vec![(0.1, 8300.0, 10.0), (0.7, 15000.0, 200.0)];
/// let curve = Curve { name: "dmodk".into(), points, is_guide: false };
/// let chart = Chart { title: "uniform".into(), curves: vec![curve] };
/// let svg = linear_charts(&[chart], Axes { x: "accepted", y: "latency" })?;
/// assert!(svg.starts_with("<svg") && svg.contains("dmodk"));
/// # Ok::<(), routebound::report::plot::PlotError>(())
/// ```
pub fn linear_charts(charts: &[Chart], axes: Axes) -> Result<String, PlotError> {
    if charts.is_empty() || charts.iter().any(|chart| chart.points().next().is_none()) {
        return Err(PlotError("it has a chart without points, or no chart".to_string()));
    }
    let (rows, columns) = (charts.len().div_ceil(2), charts.len().min(2));
    let lines = |chart: &Chart| chart.curves.len().div_ceil(LEGEND_COLUMNS);
    let lines = index32(charts.iter().map(lines).max().unwrap_or(0));
    let height = PLOT_HEIGHT + lines * LEGEND_LINE + 8;
    let mut svg = String::new();
    {
        let size = (WIDTH * index32(columns), height * index32(rows));
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        for (area, chart) in root.split_evenly((rows, columns)).iter().zip(charts) {
            let (above, below) = area.split_vertically(PLOT_HEIGHT);
            draw(chart, &above, axes)?;
            legend(chart, &below)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(svg)
}

fn colour(index: usize, curve: &Curve) -> RGBAColor {
    if curve.is_guide { BLACK.mix(0.4) } else { COLOURS[index % COLOURS.len()].to_rgba() }
}

fn draw(chart: &Chart, area: &Area<'_>, axes: Axes) -> Result<(), PlotError> {
    let range = |of: fn(&(f64, f64, f64)) -> f64| {
        let most = chart.points().map(of).fold(0.0, f64::max);
        0.0..if most > 0.0 { most * 1.06 } else { 1.0 }
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1 + point.2));
    let digits = [decimals(x.end), decimals(y.end)];
    let mut canvas = ChartBuilder::on(area)
        .caption(&chart.title, ("sans-serif", 16))
        .margin(8)
        .margin_right(16)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(x, y)
        .map_err(failed)?;
    canvas
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|x| format!("{x:.0$}", digits[0]))
        .y_label_formatter(&|y| format!("{y:.0$}", digits[1]))
        .draw()
        .map_err(failed)?;
    for (index, curve) in chart.curves.iter().enumerate() {
        let colour = colour(index, curve);
        let line = curve.points.iter().map(|(x, y, _)| (*x, *y));
        canvas.draw_series(LineSeries::new(line, colour.stroke_width(2))).map_err(failed)?;
        let measured = if curve.is_guide { &[][..] } else { &curve.points };
        let bars = measured.iter().map(|(x, y, half)| {
            PathElement::new([(*x, (y - half).max(0.0)), (*x, y + half)], colour)
        });
        canvas.draw_series(bars).map_err(failed)?;
        let marks = measured.iter().map(|(x, y, _)| mark((*x, *y), index, colour));
        canvas.draw_series(marks).map_err(failed)?;
    }
    Ok(())
}

/// A mark whose shape tells curves apart, one on top of another too: the earlier ones stand out.
fn mark<'b, C: Clone + 'static>(
    place: C,
    index: usize,
    colour: RGBAColor,
) -> DynElement<'static, SVGBackend<'b>, C> {
    match index % 4 {
        0 => Circle::new(place, 6, colour.stroke_width(2)).into_dyn(),
        1 => TriangleMarker::new(place, 5, colour.filled()).into_dyn(),
        2 => Cross::new(place, 4, colour.stroke_width(2)).into_dyn(),
        _ => Circle::new(place, 3, colour.filled()).into_dyn(),
    }
}

/// Names of the curves with their lines and marks.
fn legend(chart: &Chart, area: &Area<'_>) -> Result<(), PlotError> {
    for (index, curve) in chart.curves.iter().enumerate() {
        let [column, line] = [index % LEGEND_COLUMNS, index / LEGEND_COLUMNS].map(index32);
        let place = |x: u32, y: u32| {
            let at =
                (60 + column * (WIDTH - 60) / index32(LEGEND_COLUMNS) + x, line * LEGEND_LINE + y);
            (at.0.cast_signed(), at.1.cast_signed())
        };
        let colour = colour(index, curve);
        let ends = [place(0, 8), place(24, 8)];
        area.draw(&PathElement::new(ends, colour.stroke_width(2))).map_err(failed)?;
        if !curve.is_guide {
            area.draw(&mark(place(12, 8), index, colour)).map_err(failed)?;
        }
        let text = Text::new(curve.name.clone(), place(32, 2), ("sans-serif", 13));
        area.draw(&text).map_err(failed)?;
    }
    Ok(())
}

/// Digits after the point of the numbers on an axis that ends there.
fn decimals(end: f64) -> usize {
    match end {
        _ if end < 0.06 => 3,
        _ if end < 0.6 => 2,
        _ if end < 12.0 => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: Axes = Axes { x: "x", y: "y" };

    fn chart(points: &[(f64, f64, f64)]) -> Chart {
        let curve =
            |is_guide| Curve { name: format!("c{is_guide}"), points: points.to_vec(), is_guide };
        Chart { title: "t".into(), curves: vec![curve(false), curve(true)] }
    }

    /// A guide has no marks; a point at the origin is drawn.
    #[test]
    fn curves_have_marks_and_names() {
        let svg = linear_charts(&[chart(&[(0.0, 0.0, 0.0), (0.02, 5.0, 1.0)])], AXES).unwrap();
        assert_eq!(svg.matches("<circle").count(), 3, "two points and the legend");
        assert!(svg.contains("cfalse") && svg.contains("ctrue"));
    }

    #[test]
    fn charts_need_points() {
        assert!(linear_charts(&[chart(&[])], AXES).is_err());
        assert!(linear_charts(&[], AXES).is_err());
    }

    #[test]
    fn small_numbers_have_more_digits() {
        assert_eq!([0.02, 0.1, 0.9, 20_000.0].map(decimals), [3, 2, 1, 0]);
    }
}
