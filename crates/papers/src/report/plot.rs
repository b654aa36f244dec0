//! Plots, as SVG. Only this file and those of its folder name plotters.
//!
//! Floats are only for the eye here: every number of a plot is also in a table. Plots have a white ground, so that
//! they read the same on light and on dark pages, colours that people with any colour vision distinguish, and
//! legends beside the curves, which hide nothing.

mod axis;
mod boxes;
mod curves;

pub use axis::Scale;
pub use boxes::{BoxChart, Boxes, Marks, box_charts};
pub use curves::{Chart, Curve, CurvePoint, Form, curve_charts};

use plotters::prelude::*;

use crate::integer::index32;

/// Names of the axes of all charts of a figure.
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

/// Colours that people with any colour vision distinguish on white (Okabe and Ito, 2008, without yellow), the
/// darkest first.
const COLOURS: [RGBColor; 7] = [
    BLACK,
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError(error.to_string())
}

fn pixels(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Draws charts of one size, in the given number of columns.
fn figure<C>(
    charts: &[C],
    columns: usize,
    (width, height): (u32, u32),
    draw: impl Fn(&C, &Area<'_>) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    if charts.is_empty() {
        return Err(PlotError("it has no chart".to_string()));
    }
    let columns = charts.len().min(columns);
    let rows = charts.len().div_ceil(columns);
    let mut svg = String::new();
    {
        let size = (width * index32(columns), height * index32(rows));
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        for (area, chart) in root.split_evenly((rows, columns)).iter().zip(charts) {
            draw(chart, area)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(svg)
}
