//! Box plots: for each category one box for every sample, and marks for single values.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{Axis, Scale};
use super::{Area, Axes, COLOURS, PlotError, failed, figure, pixels};
use crate::sampling::Quartiles;

/// A sample for every category, drawn as boxes: the box from the lower to the upper quartile with a thick line at
/// the median, whiskers to the minimum and the maximum.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxes {
    /// Name in the legend.
    pub name: String,
    /// The five numbers in the order of the categories; `None` where there is no sample.
    pub boxes: Vec<Option<Quartiles>>,
}

/// A single value for every category, drawn as marks joined by a thin line.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// Name in the legend.
    pub name: String,
    /// Values in the order of the categories.
    pub values: Vec<f64>,
}

/// A chart of boxes and marks.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxChart {
    /// The title above it.
    pub title: String,
    /// Names of the categories, from left to right.
    pub categories: Vec<String>,
    /// Samples, at most three, in the order of the legend.
    pub boxes: Vec<Boxes>,
    /// Single values, at most three, in the order of the legend after the samples.
    pub marks: Vec<Marks>,
    /// The vertical scale.
    pub scale: Scale,
}

/// Width and height of a chart, and the height of its title with the legend below, in pixels.
const SIZE: (u32, u32) = (900, 420);
const HEAD: u32 = 52;

/// Colours of boxes and of marks; boxes differ by their place in the category as well, marks by their form.
const BOXES: [RGBColor; 3] = [COLOURS[1], COLOURS[2], COLOURS[3]];
const MARKS: [RGBColor; 3] = [COLOURS[0], COLOURS[4], RGBColor(105, 105, 105)];

/// Draws charts, one below the other. The same input gives the same text.
///
/// # Errors
/// [`PlotError`] when there is no chart, one has no value, more samples or marks than colours, a value that is
/// not above 0 on a logarithmic scale, or when plotters fails.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::report::plot::{Axes, BoxChart, Boxes, Marks, Scale, box_charts};
/// use routebound::sampling::Quartiles;
/// let boxes = Boxes { name: "random".into(), boxes: vec![Quartiles::of(&[2.0, 3.0, 5.0]), None] };
/// let marks = Marks { name: "dmodk".into(), values: vec![1.0, 2.0] };
/// let chart = BoxChart {
///     title: "wrf".into(),
///     categories: vec!["16".into(), "15".into()],
///     boxes: vec![boxes],
///     marks: vec![marks],
///     scale: Scale::Logarithmic,
/// };
/// let svg = box_charts(&[chart], Axes { x: "roots", y: "slowdown" })?;
/// assert!(svg.starts_with("<svg") && svg.contains("dmodk"));
/// # Ok::<(), routebound::report::plot::PlotError>(())
/// ```
pub fn box_charts(charts: &[BoxChart], axes: Axes) -> Result<String, PlotError> {
    figure(charts, 1, SIZE, |chart, area| {
        chart.check()?;
        chart.draw(area, axes)
    })
}

type Drawn<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

impl BoxChart {
    fn values(&self) -> impl Iterator<Item = f64> {
        let ends = |q: &Quartiles| [q.least, q.most];
        let boxes = self.boxes.iter().flat_map(|of| &of.boxes).flatten().flat_map(ends);
        boxes.chain(self.marks.iter().flat_map(|of| of.values.iter().copied()))
    }

    fn check(&self) -> Result<(), PlotError> {
        let error = |what: &str| Err(PlotError(format!("chart `{}` {what}", self.title)));
        if self.values().next().is_none() {
            return error("has no value");
        }
        if self.boxes.len() > BOXES.len() || self.marks.len() > MARKS.len() {
            return error("has more samples or marks than there are colours");
        }
        if self.values().all(|value| self.scale.shows(value)) {
            Ok(())
        } else {
            error("has a value that its scale does not show")
        }
    }

    fn draw(&self, area: &Area<'_>, axes: Axes) -> Result<(), PlotError> {
        let (head, body) = area.split_vertically(HEAD);
        self.draw_head(&head)?;
        let values = || self.values();
        let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
        let up = self.scale.axis(&self.scale.range(least, most));
        let middles = (0..self.categories.len()).map(|at| at as f64).collect();
        let across = -0.5..self.categories.len() as f64 - 0.5;
        let mut chart = ChartBuilder::on(&body)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(Axis::new(across, middles), up)
            .map_err(failed)?;
        let name = |at: &f64| {
            let at = crate::integer::rounded(*at);
            self.categories.get(crate::integer::as_size(at)).cloned().unwrap_or_default()
        };
        chart
            .configure_mesh()
            .x_desc(axes.x)
            .y_desc(axes.y)
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&name)
            .y_label_formatter(&|at| self.scale.label(*at))
            .draw()
            .map_err(failed)?;
        for (index, boxes) in self.boxes.iter().enumerate() {
            self.draw_boxes(&mut chart, (index, boxes))?;
        }
        for (index, marks) in self.marks.iter().enumerate() {
            self.draw_marks(&mut chart, (index, marks))?;
        }
        Ok(())
    }

    /// The middle of the boxes of a sample, beside that of the category, and half their width. Marks have the
    /// place after the last sample.
    fn slot(&self, index: usize) -> (f64, f64) {
        let slots = self.boxes.len() + usize::from(!self.marks.is_empty());
        let width = 0.84 / slots.max(1) as f64;
        (width * (index as f64 + 0.5) - 0.42, (width * 0.4).min(0.15))
    }

    fn draw_boxes(
        &self,
        chart: &mut Drawn<'_, '_>,
        (index, Boxes { boxes, .. }): (usize, &Boxes),
    ) -> Result<(), PlotError> {
        let (shift, half) = self.slot(index);
        let colour = BOXES[index % BOXES.len()];
        let at = |value: f64| self.scale.place(value);
        let found = boxes.iter().enumerate().filter_map(|(x, of)| Some((x as f64 + shift, (*of)?)));
        for (x, q) in found {
            let [least, lower, median, upper, most] =
                [q.least, q.lower, q.median, q.upper, q.most].map(at);
            let across = |y: f64, half: f64| vec![(x - half, y), (x + half, y)];
            let thin = [
                vec![(x, least), (x, lower)],
                vec![(x, upper), (x, most)],
                across(least, half / 2.0),
                across(most, half / 2.0),
            ];
            let corners = [(x - half, lower), (x + half, upper)];
            let filled = Rectangle::new(corners, colour.mix(0.35).filled());
            let edge = Rectangle::new(corners, colour.stroke_width(1));
            let thick = PathElement::new(across(median, half), colour.stroke_width(3));
            let thin = thin.map(|line| PathElement::new(line, colour.stroke_width(1)));
            chart.draw_series([filled, edge]).map_err(failed)?;
            chart.draw_series(thin.into_iter().chain([thick])).map_err(failed)?;
        }
        Ok(())
    }

    fn draw_marks(
        &self,
        chart: &mut Drawn<'_, '_>,
        (index, Marks { values, .. }): (usize, &Marks),
    ) -> Result<(), PlotError> {
        let shift = self.slot(self.boxes.len()).0;
        let place = |(x, y): (usize, &f64)| (x as f64 + shift, self.scale.place(*y));
        let points = values.iter().enumerate().map(place);
        let points: Vec<(f64, f64)> = points.collect();
        let line = MARKS[index % MARKS.len()].mix(0.5);
        chart.draw_series(LineSeries::new(points.clone(), line)).map_err(failed)?;
        let area = chart.plotting_area();
        points.into_iter().try_for_each(|point| {
            area.draw(&(EmptyElement::at(point) + form(index))).map_err(failed)
        })
    }

    /// The title, and below it the legend from left to right.
    fn draw_head(&self, area: &Area<'_>) -> Result<(), PlotError> {
        let style = |size: u32| ("sans-serif", size).into_font().color(&BLACK);
        let middle = style(16).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw_text(&self.title, &middle, (pixels(SIZE.0 / 2), 8)).map_err(failed)?;
        let mut x = 64;
        for (index, Boxes { name, .. }) in self.boxes.iter().enumerate() {
            let (colour, corners) = (BOXES[index % BOXES.len()], [(x, 34), (x + 14, 46)]);
            area.draw(&Rectangle::new(corners, colour.mix(0.35).filled())).map_err(failed)?;
            area.draw(&Rectangle::new(corners, colour.stroke_width(1))).map_err(failed)?;
            let median = [(x, 40), (x + 14, 40)];
            area.draw(&PathElement::new(median, colour.stroke_width(3))).map_err(failed)?;
            x = entry(area, name, &style(13), x)?;
        }
        for (index, Marks { name, .. }) in self.marks.iter().enumerate() {
            area.draw(&(EmptyElement::at((x + 7, 40)) + form(index))).map_err(failed)?;
            x = entry(area, name, &style(13), x)?;
        }
        Ok(())
    }
}

/// Writes a name into the legend beside its sign at `x`, and gives the place of the next sign.
fn entry(area: &Area<'_>, name: &str, style: &TextStyle<'_>, x: i32) -> Result<i32, PlotError> {
    let style = style.pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text(name, &style, (x + 20, 40)).map_err(failed)?;
    let letters = i32::try_from(name.chars().count()).unwrap_or(i32::MAX / 16);
    Ok(x + 20 + letters * 7 + 24)
}

/// The mark of a series: a hollow square, a cross, a filled circle. All can be seen on top of each other.
fn form(index: usize) -> PathElement<(i32, i32)> {
    let colour = MARKS[index % MARKS.len()].stroke_width(2);
    match index % 3 {
        0 => PathElement::new(vec![(-6, -6), (6, -6), (6, 6), (-6, 6), (-6, -6)], colour),
        1 => PathElement::new(
            vec![(-5, -5), (5, 5), (0, 0), (-5, 5), (5, -5), (0, 0), (-5, -5)],
            colour,
        ),
        _ => PathElement::new(vec![(0, -4), (4, 0), (0, 4), (-4, 0), (0, -4)], colour),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64], scale: Scale) -> BoxChart {
        let marks = Marks { name: "m".into(), values: values.to_vec() };
        let categories = values.iter().map(ToString::to_string).collect();
        BoxChart { title: "t".into(), categories, boxes: Vec::new(), marks: vec![marks], scale }
    }

    #[test]
    fn values_are_on_the_scale() {
        let axes = Axes { x: "x", y: "y" };
        let draw = |values: &[f64], scale| box_charts(&[chart(values, scale)], axes);
        assert!(draw(&[1.0, 2.0], Scale::Logarithmic).is_ok());
        assert!(draw(&[0.0, 2.0], Scale::FromZero).is_ok());
        assert!(draw(&[0.0, 2.0], Scale::Logarithmic).is_err());
        assert!(draw(&[f64::NAN], Scale::FromZero).is_err());
        assert!(draw(&[], Scale::FromZero).is_err() && box_charts(&[], axes).is_err());
    }
}
