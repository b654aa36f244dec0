//! Assessing the optimal load of traffic: it is bounded and proved, and the proof is checked.
//!
//! Three ways lead to bounds: the closed form of trees, linear programming, and an
//! approximation scheme for networks too large for that. All end in the same evidence, link
//! lengths for the lower side and a routing for the upper, which the checker reads.

use std::path::Path;
use std::time::Instant;

use super::checked::PROVING;
use super::optimum_error::OptimumError;
use super::optimum_search::{FREE_CHECK, approximate, by_lp, even_load, is_too_large};
use crate::bounds::{Bounds, Evidence, Flow};
use crate::certificate::{Certificate, NetworkForm, OptimumCertificate};
use crate::checker::{self, Refusal};
use crate::limit::TooLarge;
use crate::optimum::optu::{OptuBounds, OptuStats};
use crate::optimum::{Cut, baseload, baseload_lengths, optimal_cut};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::{Direction, LinkId, Topology, Xgft, link_number};
use crate::traffic::{Demand, TrafficMatrix, TrafficView};

/// How to find the optimal load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptimumMethod {
    /// The closed form on trees, else linear programming where it is built in and the programme
    /// is small enough, else the approximation.
    #[default]
    Auto,
    /// Cuts of subtrees.
    ClosedForm,
    /// Linear programming.
    Lp,
    /// Multiplicative weights.
    Approximation,
}

/// What [`assess_optimum`] does: by default, exact bounds by the method that fits, proven.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptimumOptions {
    /// How to find the optimal load.
    pub method: OptimumMethod,
    /// Relative gap between the bounds at which a search may end; 0 for that of the method.
    pub gap: f64,
    /// Whether to have the evidence checked even where that is much work.
    pub prove: bool,
}

impl Default for OptimumOptions {
    fn default() -> Self {
        Self::by(OptimumMethod::default())
    }
}

impl OptimumOptions {
    /// The defaults, by one method.
    #[must_use]
    pub fn by(method: OptimumMethod) -> Self {
        Self { method, gap: 0.0, prove: true }
    }

    /// The same, up to a relative gap.
    #[must_use]
    pub fn up_to(self, gap: f64) -> Self {
        Self { gap, ..self }
    }

    /// The same, proven only if `prove`, or where that is little work.
    #[must_use]
    pub fn proven_if(self, prove: bool) -> Self {
        Self { prove, ..self }
    }
}

/// The optimal load of traffic, as far as it is known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OptimumAssessment {
    /// Bounds on optu.
    pub optu: Bounds,
    /// What the hosts' own links need.
    pub baseload: Ratio,
    /// How the bounds were found.
    pub method: &'static str,
    /// Size and time of the search, unless it was the closed form.
    pub stats: Option<OptuStats>,
    /// Evidence for both sides; `None` where it exceeds a limit of the checker or the format, and
    /// for products that were not listed.
    pub certificate: Option<Certificate>,
    /// Seconds in total, including the check.
    pub seconds: f64,
    /// Whether the work ran to completion.
    pub complete: bool,
}

/// Bounds the optimal load of traffic. With [`prove`](OptimumOptions::prove), or when that is little
/// work, the evidence is checked and the bounds are proven; otherwise they are claimed. Products are
/// listed where the evidence is checked or the network is no tree.
///
/// # Errors
/// [`OptimumError`] when there is no traffic, a demand has no path, the method does not apply or
/// fails, products have too many demands to be listed, or the checker refuses.
///
/// ```
/// use routebound::assessment::{OptimumOptions, assess_optimum};
/// use routebound::{progress::Progress, topology, traffic};
/// let tree = topology::generate("xgft(2;8,4;1,2)")?;
/// let shift = traffic::generate("shift(8)", 32)?;
/// let options = OptimumOptions::default();
/// let found = assess_optimum(&tree, shift.demands(), &options, &Progress::silent())?;
/// assert_eq!(found.optu.to_string(), "4 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_optimum<'a>(
    topology: &Topology,
    traffic: impl Into<TrafficView<'a>>,
    options: &OptimumOptions,
    progress: &Progress,
) -> Result<OptimumAssessment, OptimumError> {
    assess_optimum_keeping(topology, traffic, options, progress, &mut |_| {})
}

/// The same; `keep` gets better and better bounds while a search goes on. They are claims: to prove them takes a while,
/// which a stop may not leave.
///
/// # Errors
/// As [`assess_optimum`].
pub fn assess_optimum_keeping<'a>(
    topology: &Topology,
    traffic: impl Into<TrafficView<'a>>,
    options: &OptimumOptions,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<OptimumAssessment, OptimumError> {
    let traffic = traffic.into();
    if traffic.is_empty() {
        return Err(OptimumError::NoTraffic);
    }
    let work = u128::from(traffic.len()) * topology.links() as u128;
    let is_asked = options.prove || work <= FREE_CHECK;
    let by_cuts = matches!(options.method, OptimumMethod::Auto | OptimumMethod::ClosedForm);
    match topology.tree().filter(|_| by_cuts && !is_asked) {
        Some(tree) => claim_cut(topology, tree, traffic),
        None => assess_listed(topology, &traffic.listed()?, (options, is_asked), progress, keep),
    }
}

/// The optimum by a cut, unchecked.
fn claim_cut(
    topology: &Topology,
    tree: &Xgft,
    traffic: TrafficView<'_>,
) -> Result<OptimumAssessment, OptimumError> {
    let begun = Instant::now();
    let cut = optimal_cut(topology, traffic).ok_or(OptimumError::NoTraffic)?;
    let found = Found::closed_form(tree, cut);
    let certificate = match traffic {
        TrafficView::Listed(demands) => Some(found.certificate(topology, demands)),
        TrafficView::Products(_) => None,
    };
    let evidence = match TrafficMatrix::check_entries(traffic.len().into()) {
        Ok(()) => found.unchecked(),
        Err(_) => Evidence::Claimed(format!("{}; too many demands for a proof", found.method)),
    };
    Ok(OptimumAssessment {
        optu: Bounds { evidence, lower: found.lower, upper: found.upper },
        baseload: baseload(topology, traffic),
        method: found.method,
        stats: None,
        certificate,
        seconds: begun.elapsed().as_secs_f64(),
        complete: true,
    })
}

fn assess_listed(
    topology: &Topology,
    demands: &[Demand],
    (options, is_asked): (&OptimumOptions, bool),
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<OptimumAssessment, OptimumError> {
    let begun = Instant::now();
    let found = find(topology, demands, options, progress, keep)?;
    let complete = found.stats.as_ref().is_none_or(|stats| !stats.stopped);
    let certificate = found.certificate(topology, demands);
    let checked = is_asked.then(|| check(&certificate, &progress.afterwards(PROVING)));
    let (evidence, certificate) = match checked.transpose()? {
        Some(Checked::Accepted) => (Evidence::Proven, Some(certificate)),
        Some(Checked::Beyond(limit)) => {
            (Evidence::Claimed(format!("{}; not checked: {limit}", found.method)), None)
        }
        Some(Checked::Stopped) | None => (found.unchecked(), Some(certificate)),
    };
    let Found { lower, upper, method, stats, .. } = found;
    Ok(OptimumAssessment {
        optu: Bounds { lower, upper, evidence },
        baseload: baseload(topology, demands),
        method,
        stats,
        certificate,
        seconds: begun.elapsed().as_secs_f64(),
        complete,
    })
}

/// What the checker says, where it does not refuse.
enum Checked {
    Accepted,
    /// It was stopped before it finished.
    Stopped,
    /// The certificate is beyond a limit of the checker or of the format.
    Beyond(TooLarge),
}

fn check(certificate: &Certificate, progress: &Progress) -> Result<Checked, Refusal> {
    match checker::check_until(certificate, Path::new(""), progress) {
        Err(Refusal::Stopped(_)) => Ok(Checked::Stopped),
        Err(Refusal::TooLarge(limit)) => Ok(Checked::Beyond(limit)),
        checked => checked.map(|_| Checked::Accepted),
    }
}

/// Bounds with their evidence.
struct Found {
    lower: Ratio,
    upper: Ratio,
    flow: Flow,
    lengths: Vec<(LinkId, u64)>,
    method: &'static str,
    stats: Option<OptuStats>,
}

fn find(
    topology: &Topology,
    demands: &[Demand],
    options: &OptimumOptions,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<Found, OptimumError> {
    let gap = options.gap;
    let bounds = match (options.method, topology.tree()) {
        (OptimumMethod::Auto | OptimumMethod::ClosedForm, Some(tree)) => {
            let cut = optimal_cut(topology, demands).ok_or(OptimumError::NoTraffic)?;
            return Ok(Found::closed_form(tree, cut));
        }
        (OptimumMethod::ClosedForm, None) => {
            return Err(OptimumError::NoClosedForm(topology.spec().to_string()));
        }
        (OptimumMethod::Auto, None) => match by_lp(topology, demands, gap, progress) {
            Err(error) if is_too_large(&error) => {
                approximate(topology, demands, gap, progress, keep)
            }
            bounds => bounds,
        },
        (OptimumMethod::Lp, _) => by_lp(topology, demands, gap, progress),
        (OptimumMethod::Approximation, _) => approximate(topology, demands, gap, progress, keep),
    };
    Ok(Found::of(topology, demands, bounds?))
}

impl Found {
    /// All links of the cut get length 1; the even split attains it.
    fn closed_form(tree: &Xgft, cut: Cut) -> Self {
        let mut lengths = Vec::new();
        for b in 0..tree.shortest_paths(cut.height) {
            for port in 0..tree.parents(cut.height + 1) {
                let (up, down) = tree.link_id(cut.height, cut.subtree, b, port);
                let link = if cut.direction == Direction::Up { up } else { down };
                lengths.push((link, 1));
            }
        }
        let (lower, upper) = (cut.load.clone(), cut.load);
        Self {
            lower,
            upper,
            flow: Flow::Even,
            lengths,
            method: "closed form on trees",
            stats: None,
        }
    }

    /// What the evidence is without a check.
    fn unchecked(&self) -> Evidence {
        Evidence::Claimed(format!("{}; request a proof to have it checked", self.method))
    }

    /// Bounds of a search; the even split replaces its routing where it is as good, because it
    /// needs no list of paths.
    fn of(topology: &Topology, demands: &[Demand], bounds: OptuBounds) -> Self {
        let OptuBounds { lower, upper, lengths, paths, stats } = bounds;
        let even = even_load(topology, demands);
        let (upper, flow) = match even {
            Some(even) if even <= upper => (even, Flow::Even),
            _ => (upper, Flow::Paths(paths)),
        };
        let lengths = lengths.into_iter().enumerate().filter(|(_, length)| *length > 0);
        let mut found =
            (lower, lengths.map(|(link, length)| (link_number(link), length)).collect());
        // A search that was stopped early may know less than the hosts' own links say.
        let of_hosts = baseload_lengths(topology, demands);
        if of_hosts.0 > found.0 {
            found = of_hosts;
        }
        let (lower, lengths) = found;
        Self { lower, upper, flow, lengths, method: stats.method, stats: Some(stats) }
    }

    fn certificate(&self, topology: &Topology, demands: &[Demand]) -> Certificate {
        let network = if topology.is_named_tree() {
            NetworkForm::Named(topology.spec().to_string())
        } else {
            NetworkForm::embed(topology)
        };
        Certificate::Optimum(OptimumCertificate {
            network,
            lower: self.lower.clone(),
            upper: self.upper.clone(),
            demands: demands.to_vec(),
            flow: self.flow.clone(),
            lengths: self.lengths.clone(),
        })
    }
}
