//! The record of the minimum number of top switches with local adaptive routing.

use super::prelude::*;
use crate::nonblocking::{LocalAnswer, LocalAttempt, LocalSwitches};

/// The minimum m with any local adaptive routing, as `nonblocking --least-m --local-adaptive --json`
/// prints it.
#[derive(Clone, Debug, Serialize)]
pub struct LocalSwitchesReport {
    /// n, number of hosts per bottom switch.
    pub n: u32,
    /// r, number of bottom switches.
    pub r: u32,
    /// Bounds of the minimum m.
    pub least_m: Bounds,
    /// 2n − 1, Clos' number for strictly nonblocking networks with a central controller.
    pub clos: u32,
    /// n², with which single-path routing is nonblocking for every r.
    pub square: u32,
    /// The questions to the solver.
    pub tried: Vec<LocalAttempt>,
    /// Whether the bounds meet.
    pub complete: bool,
}

impl LocalSwitchesReport {
    /// The record of a search.
    #[must_use]
    pub fn new(n: u32, r: u32, found: &LocalSwitches) -> Self {
        let (least_m, tried) = (found.bounds.clone(), found.attempts.clone());
        let (clos, square, complete) = (2 * n - 1, n * n, found.is_complete());
        Self { n, r, least_m, clos, square, tried, complete }
    }

    /// The record for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { n, r, least_m, clos, square, tried, .. } = self;
        let tried = tried.iter().map(|LocalAttempt { tops, switches, answer, clauses, .. }| {
            let name = format!("m = {tops}, r = {switches}");
            match answer {
                LocalAnswer::TooLarge => format!("{name:<18}the formula is too large\n"),
                _ => format!("{name:<18}{} ({clauses} clauses)\n", in_words(*answer)),
            }
        });
        format!(
            "least m of a nonblocking ftree({n},m,{r}) with local adaptive routing\n\
             least m           {least_m}\n\
             beside            2n - 1 = {clos} (Clos, central controller), n^2 = {square} (single \
             paths, any r)\n\
             tried\n{}",
            tried.collect::<String>()
        )
    }
}

fn in_words(answer: LocalAnswer) -> &'static str {
    match answer {
        LocalAnswer::Found => "a scheme was found",
        LocalAnswer::Refuted => "refuted",
        LocalAnswer::Stopped => "stopped",
        LocalAnswer::TooLarge => "too large",
    }
}
