//! Rows of the tables, as pages and charts read them.

use crate::study::prelude::*;

/// A fraction or a decimal.
pub(super) fn number(cell: &str) -> Result<Rational> {
    let what = || StudyError::Table { line: 0, what: format!("`{cell}` is not a number") };
    Rational::from_decimal(cell).map_err(|_| what())
}

/// A row of `ranks.csv`.
pub(super) struct RankRow {
    pub(super) names: [String; 2],
    pub(super) cables: String,
    pub(super) whole: String,
    pub(super) worst: String,
    pub(super) top: f64,
    pub(super) dangerous: String,
    pub(super) sample: String,
    pub(super) found: f64,
    pub(super) by_chance: f64,
    pub(super) pairs: f64,
    pub(super) wrong: f64,
    pub(super) tied: f64,
    pub(super) named: [String; 2],
}

impl RankRow {
    /// The pairs that are wrong or tied, in percent; `None` where all cables are equal.
    fn misordered(&self) -> Option<f64> {
        (self.pairs > 0.0).then(|| 100.0 * (self.wrong + self.tied) / self.pairs)
    }

    /// What a page says of the sample.
    pub(super) fn cell(&self) -> String {
        let Some(misordered) = self.misordered() else { return "-".into() };
        let [least, most] = &self.named;
        let named = if least == most { least.clone() } else { format!("{least}..{most}") };
        format!("{} / {misordered:.0} % / {named}", short(self.found))
    }
}

/// With one decimal, unless it is whole.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), String::from)
}

/// The rows of `ranks.csv`.
pub(super) fn rank_rows(ranks: &Table) -> Result<Vec<RankRow>> {
    let row = |row: &Vec<String>| {
        let of = |at: usize| Ok::<_, StudyError>(number(&row[at])?.to_f64());
        let text = |at: usize| row[at].clone();
        Ok(RankRow {
            names: [text(0), text(1)],
            cables: text(3),
            whole: text(4),
            worst: text(5),
            top: of(7)?,
            dangerous: text(8),
            sample: text(9),
            found: of(10)?,
            by_chance: of(11)?,
            pairs: of(12)?,
            wrong: of(13)?,
            tied: of(14)?,
            named: [text(15), text(16)],
        })
    };
    ranks.rows().iter().map(row).collect()
}
