//! What \[RO\] VII.D and VIII say of Figure 4, beside what was counted.

use super::{MODULO, ROOTS, SCHEMES, View};
use crate::ro::statements::roots::first_above_mean;
use crate::ro::studies::points::Application;
use crate::study::prelude::*;

/// What VII says of the balance of Random, which has two readings.
const BALANCED: &str = "We studied the distribution of assigned paths per root node of Random routing for those patterns and we found that they are better balanced than for S-mod-k and D-mod-k (Sec. VII-D)";

/// All of them.
pub(super) fn all(view: View<'_>) -> Vec<Finding> {
    let applications = vec![balanced_by_application(view), evenly_taken(view)];
    [over_all_pairs(view), applications, on_slimmed(view)].concat()
}

/// Over all pairs of hosts.
fn over_all_pairs(view: View<'_>) -> Vec<Finding> {
    let [full, slimmed] = ROOTS;
    let even = ROOTS.map(|w2| view.deviation(w2, "random"));
    let spread = |w2: u64, schemes: &[&str]| {
        schemes.iter().map(|scheme| view.spread(w2, scheme)).max().unwrap_or(u64::MAX)
    };
    let [random, modulo] =
        [&SCHEMES[..1], &MODULO[..]].map(|schemes| ROOTS.map(|w2| spread(w2, schemes)));
    vec![
        Finding::measured(
            Case::quote(
                "VII.D",
                "Random assigns roots evenly to NCAs for the whole set of (source,destination) pairs",
            ),
            "no root differs from the mean by more than a fraction of 0.1, any seed, both trees",
            format!("{:.3} and {:.3}", even[0], even[1]),
            even.iter().all(|deviation| *deviation <= 0.1),
        ),
        Finding::measured(
            Case::quote(
                "VII.D",
                "we see a perfect distribution of routes to NCAs by S-mod-k and D-mod-k",
            ),
            format!("most - fewest routes of a root is 0, w2 = {full}"),
            modulo[0].to_string(),
            modulo[0] == 0,
        ),
        Finding::measured(
            Case::quote("VII.D", "the uneven distribution of routes to NCAs"),
            format!("S-mod-k, D-mod-k: most - fewest is above 0, w2 = {slimmed}"),
            modulo[1].to_string(),
            modulo[1] > 0,
        ),
        Finding::measured(
            Case::quote("VII", BALANCED),
            "over all pairs, as in VII.D: Random's most - fewest is below that of S-mod-k and D-mod-k, any seed, both trees",
            format!("{} against {}, {} against {}", random[0], modulo[0], random[1], modulo[1]),
            random[0] < modulo[0] && random[1] < modulo[1],
        ),
    ]
}

/// The balance by application, of the routes that its messages take: medians over the seeds.
fn balanced_by_application(view: View<'_>) -> Finding {
    let median = |application: Application, w2: u64, scheme: &str| {
        view.taken(application, w2, scheme).map_or(f64::NAN, |found| found.median)
    };
    let both = |application: Application, w2: u64| {
        let modulo = MODULO.iter().map(|scheme| median(application, w2, scheme));
        (median(application, w2, SCHEMES[0]), modulo.fold(f64::INFINITY, f64::min))
    };
    let found = Application::ALL.map(|application| ROOTS.map(|w2| both(application, w2)));
    let told = Application::ALL.iter().zip(&found).map(|(application, [full, slimmed])| {
        let name = application.name();
        format!("{name}: {} against {}, {} against {}", full.0, full.1, slimmed.0, slimmed.1)
    });
    Finding::measured(
        Case::quote("VII", BALANCED),
        "by application, of the routes that its messages take: the median over the seeds of Random's most - fewest is \
         below that of S-mod-k and D-mod-k, both applications, both trees",
        told.collect::<Vec<_>>().join("; "),
        found.iter().flatten().all(|(random, modulo)| random < modulo),
    )
}

/// Whether the routes that CG.D-128 takes are uneven where its performance is the worst.
fn evenly_taken(view: View<'_>) -> Finding {
    let full = ROOTS[0];
    let of = |scheme: &&str| view.taken(Application::Cg, full, scheme).map(|found| found.least);
    let least = MODULO.iter().filter_map(of).fold(f64::INFINITY, f64::min);
    Finding::measured(
        Case::quote(
            "VII.D",
            "we are looking at the total number of routes assigned to the NCAs and not the ones effectively used by the communication pattern",
        ),
        format!(
            "taken as: of the routes that CG.D-128 takes, most - fewest is above 0 with S-mod-k and D-mod-k, w2 = {full}"
        ),
        least.to_string(),
        least > 0.0,
    )
}

/// What is said about the slimmed tree.
fn on_slimmed(view: View<'_>) -> Vec<Finding> {
    let slimmed = ROOTS[1];
    let spread = |schemes: &[&str]| {
        schemes.iter().map(|scheme| view.spread(slimmed, scheme)).max().unwrap_or(u64::MAX)
    };
    let (proposed, modulo) = (spread(&SCHEMES[1..3]), spread(&MODULO));
    vec![
        Finding::measured(
            Case::quote(
                "VIII",
                "This leads to repeated labels, but to a better distribution to the NCAs",
            ),
            format!(
                "r-NCA-u/d: most - fewest is below that of S-mod-k and D-mod-k, any seed, w2 = {slimmed}"
            ),
            format!("{proposed} against {modulo}"),
            proposed < modulo,
        ),
        Finding::measured(
            Case::quote("VII.D", "we have 9 roots"),
            "roots of the slimmed tree",
            slimmed.to_string(),
            slimmed == 9,
        ),
        first_roots(view),
    ]
}

/// The number of roots to which S-mod-k and D-mod-k give more routes than the mean.
fn first_roots(view: View<'_>) -> Finding {
    let above = |scheme: &str| {
        let routes = view.of(ROOTS[1], scheme).into_iter().next()?;
        first_above_mean(&routes.all)
    };
    let found = MODULO.map(above);
    Finding::measured(
        Case::quote(
            "VII.D",
            "Routes for nodes with M1 = [10 − 15] are assigned to the first five roots",
        ),
        "roots, from the first one on, that S-mod-k and D-mod-k give more routes than the mean",
        found.into_iter().flatten().max().unwrap_or(0).to_string(),
        found == [Some(5); 2],
    )
}
