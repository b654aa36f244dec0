//! How a user of the command line applies what an error of the library advises.

use std::error::Error;

use itertools::Itertools;

use crate::advice::{Advice, Remedy};

/// The option or command for a remedy.
const fn option(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::UnitCapacities => "`--unit-capacity`",
        Remedy::MergeCables => "`--merge-cables`",
        Remedy::SeparateCables => "omit `--merge-cables`",
        Remedy::OwnCapacities => "omit `--undirected-shared`",
        Remedy::DirectedLinks => "`--directed`",
        Remedy::ExactAnalysis => "`routebound ratio`",
        Remedy::LinearProgramming => "`--method lp`",
        Remedy::Approximation => "`--method approx`",
        Remedy::CheckByName => "`routebound check`",
        Remedy::AnalyseByLink => "`routebound ratio --engine enumerate --embed`",
        Remedy::WriteOutRouting => "`routebound ratio --embed`",
        Remedy::WritePaths => "`--paths`",
        Remedy::OtherFormat => "`--format`",
        Remedy::GiveTopology => "in place of `--hosts`",
        Remedy::ListNodes => "see `routebound topo --format json`",
    }
}

/// The text of an error that ends with its advice, followed by the options that apply it.
///
/// ```
/// use routebound::advice::Advice;
/// use routebound::report::with_options;
/// let advice = Advice::IGNORE_CAPACITIES;
/// let text = format!("correct it, or {advice}");
/// assert_eq!(with_options(text.clone(), &advice), format!("{text} (`--unit-capacity`)"));
/// ```
#[must_use]
pub fn with_options(text: String, error: &(dyn Error + 'static)) -> String {
    match Advice::of(error).map_or(&[][..], Advice::remedies) {
        [] => text,
        remedies => format!("{text} ({})", remedies.iter().copied().map(option).join(", ")),
    }
}
