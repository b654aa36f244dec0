//! Charts, from the tables.

use crate::study::prelude::*;

use super::rows::number;
use super::samples::SAMPLES;

/// A network and routing that is plotted.
type Plotted = (&'static str, &'static str);

const CABLES: [Plotted; 4] =
    [("ft(8,3)", "dmodk"), ("ft8x3", "ftree"), ("ft8x3", "dfsssp"), ("ft8x3", "nue")];

const DEAD: [Plotted; 4] = [
    ("ft(8,3)", "dmodk"),
    ("ft8x3", "ftree"),
    ("ft8x3", "minhop"),
    ("xgft(3;4,4,8;1,4,2)", "random(seed=1)"),
];

/// The rows of a network and routing.
fn rows_of(table: &Table, (network, routing): Plotted) -> impl Iterator<Item = &Vec<String>> {
    table.rows().iter().filter(move |row| row[0] == network && row[1] == routing)
}

/// By how much cables raise the worst load, those first that a sample calls the most dangerous.
pub(super) fn raised(cables: &Table, ranks: &Table) -> Result<String> {
    let charts = CABLES.into_iter().map(|plotted| {
        let whole = rows_of(ranks, plotted).map(|row| number(&row[4])).next().transpose()?;
        let whole = whole.map_or(0.0, |whole| whole.to_f64());
        let loads: Vec<Vec<f64>> = rows_of(cables, plotted)
            .map(|row| row[3..].iter().map(|cell| Ok(number(cell)?.to_f64())).collect())
            .collect::<Result<_>>()?;
        let names = ["exact"].into_iter().chain(SAMPLES);
        let curves = names.enumerate().map(|(by, name)| Curve {
            name: name.to_string(),
            points: in_order(&loads, by, whole),
            form: Form::Steps,
        });
        let (network, routing) = plotted;
        Ok(Chart { title: format!("{routing} on {network}"), curves: curves.collect() })
    });
    let axes = Axes { x: "cables in the order of a ranking", y: "raise of the worst load" };
    Ok(curve_charts(&charts.collect::<Result<Vec<_>>>()?, axes, [Scale::FromZero; 2])?)
}

/// How far the exact loads of cables are above `whole`, in the order of a value; of those with the same value the mean.
fn in_order(loads: &[Vec<f64>], by: usize, whole: f64) -> Vec<CurvePoint> {
    let mut order: Vec<&Vec<f64>> = loads.iter().collect();
    order.sort_by(|a, b| b[by].total_cmp(&a[by]));
    let (mut points, mut count, mut last) = (Vec::new(), 0, 0.0);
    for equal in order.chunk_by(|a, b| a[by].total_cmp(&b[by]).is_eq()) {
        last = equal.iter().map(|loads| loads[0] - whole).sum::<f64>() / equal.len() as f64;
        points.push(CurvePoint::exact(count as f64, last));
        count += equal.len();
    }
    points.push(CurvePoint::exact(count as f64, last));
    points
}

/// The load with some percent of all cables dead.
pub(super) fn dead(dead: &Table) -> Result<String> {
    let charts = DEAD.into_iter().map(|plotted| {
        let names = ["exact"].into_iter().chain(SAMPLES);
        let curves = names.enumerate().map(|(at, name)| {
            let points = rows_of(dead, plotted).map(|row| {
                Ok(CurvePoint::exact(number(&row[3])?.to_f64(), number(&row[7 + at])?.to_f64()))
            });
            let points = points.collect::<Result<_>>()?;
            Ok(Curve { name: name.to_string(), points, form: Form::Measured })
        });
        let (network, routing) = plotted;
        let title = format!("{routing} on {network}");
        Ok(Chart { title, curves: curves.collect::<Result<_>>()? })
    });
    let axes = Axes { x: "dead cables in percent", y: "highest load" };
    Ok(curve_charts(&charts.collect::<Result<Vec<_>>>()?, axes, [Scale::FromZero; 2])?)
}
