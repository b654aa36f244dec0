//! Assessing an instance as usual, and with what differs.

use super::approach::{Approach, Form, scope, symmetry};
use super::programs::share_programs;
use super::{Assessment, AssessmentError, found, unexamined};
use crate::certificate::Quantity;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::shards::Units;
use crate::worst_case::Analyse;

/// Maximum number of hosts of a tree with one path per pair of which nothing is kept before its links are matched: with
/// four million pairs that takes a fraction of a second.
const QUICK_HOSTS: usize = 1 << 11;

/// Analyses an instance, proves the result and has the proof checked, however long that takes: [`Assess`] with nothing
/// that differs.
///
/// # Errors
/// [`AssessmentError`] when the case is not covered or the checker refuses.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::assess, routing::Instance};
/// let assessment = assess(&Instance::named("ft(16,2)", "grid")?)?;
/// assert_eq!(assessment.oblivious_ratio.to_string(), "3 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess(instance: &Instance) -> Result<Assessment, AssessmentError> {
    Assess::new().run(instance)
}

/// An assessment to be made, as [`assess`] makes it unless something is said to differ.
///
/// ```
/// # use routebound_analysis as routebound;
/// use std::time::{Duration, Instant};
/// use routebound::assessment::Assess;
/// use routebound::progress::{Progress, Stop};
/// use routebound::routing::Instance;
/// let instance = Instance::named("ft(16,2)", "grid")?;
/// let in_a_minute = Stop::at(Some(Instant::now() + Duration::from_secs(60)));
/// let progress = Progress::silent().stopped_by(in_a_minute);
/// let assessment = Assess::new().embedded().progress(&progress).run(&instance)?;
/// assert_eq!(assessment.oblivious_ratio.to_string(), "3 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
#[must_use = "nothing is assessed before `run`"]
pub struct Assess<'a> {
    approach: Approach,
    units: Option<&'a Units>,
    progress: Option<&'a Progress>,
    keep: Option<&'a mut dyn FnMut(&Assessment)>,
}

impl<'a> Assess<'a> {
    /// An assessment with default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Network and routing are written out in the certificate, even where their specs would suffice.
    pub fn embedded(mut self) -> Self {
        self.approach.form = Form::Embedded;
        self
    }

    /// Whether hosts that are alike are analysed as one, and links that are equivalent by symmetry once, where links
    /// are analysed one by one at all; they are unless it is `false`.
    pub fn by_class(mut self, by_class: bool) -> Self {
        self.approach.by_class = by_class;
        self
    }

    /// Whether linear programs close the gap between bounds, where there is one; they do unless it is `false`.
    pub fn linear_programs(mut self, programs: bool) -> Self {
        self.approach.programs = programs;
        self
    }

    /// Several processes share the analysis of links. The part of a shard gets its bounds of links, on networks that
    /// are not trees also those of linear programs; what the run returns is what was known before. Proof and check
    /// belong to the merge.
    pub fn units(self, units: &'a Units) -> Self {
        Self { units: Some(units), ..self }
    }

    /// Tells how far the work is, and stops it. After a stop, what was found until then is proven as far as a grace
    /// period allows.
    pub fn progress(self, progress: &'a Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// `keep` receives what is known before each part of the work that may take long.
    ///
    /// What takes polynomial time comes first: matchings bound the oblivious ratio of every network and settle the
    /// worst permutation load, and the checker sees both before a linear program begins.
    pub fn keep(self, keep: &'a mut dyn FnMut(&Assessment)) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Analyses an instance, proves the result and has the proof checked.
    ///
    /// # Errors
    /// As [`assess`].
    pub fn run(self, instance: &Instance) -> Result<Assessment, AssessmentError> {
        let (alone, silent) = (Units::default(), Progress::silent());
        let (units, progress) = (self.units.unwrap_or(&alone), self.progress.unwrap_or(&silent));
        if units.part().is_some() {
            return share(instance, self.approach, units, progress);
        }
        let found = match self.keep {
            None => found(instance, self.approach, units, progress, &mut |_| {}),
            Some(keep) => {
                if !is_quick(instance) {
                    keep(&unexamined(instance)?);
                }
                found(instance, self.approach, units, progress, keep)
            }
        };
        Ok(found?.unless_cut(progress))
    }
}

/// Whether the work ends so soon after a stop that nothing need be kept for that: matchings of a small tree.
fn is_quick(instance: &Instance) -> bool {
    let topology = &instance.topology;
    let is_small = topology.hosts() <= QUICK_HOSTS && topology.tree().is_some();
    is_small && instance.routing.is_single_path()
}

/// The work of a shard.
fn share(
    instance: &Instance,
    approach: Approach,
    units: &Units,
    progress: &Progress,
) -> Result<Assessment, AssessmentError> {
    let known = unexamined(instance)?;
    let symmetry = symmetry(instance, approach, progress);
    let scope = scope(approach, symmetry.as_ref());
    let analyse =
        |quantity| Analyse::of(quantity).scope(scope).units(units).progress(progress).run(instance);
    if !analyse(Quantity::ObliviousRatio)?.proves_permutation_load() {
        analyse(Quantity::PermutationLoad)?;
    }
    share_programs(instance, approach, units, progress)?;
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::super::checked::Checked;
    use super::*;
    use crate::bounds::Evidence;
    use crate::progress::Stop;
    use crate::worst_case::prove;

    /// All links are settled, and the time is up before the checker sees the result.
    #[test]
    fn what_a_stop_left_unproven_is_not_complete() {
        let instance = Instance::named("ft(4,2)", "random(seed=1)").unwrap();
        let worst = Analyse::of(Quantity::ObliviousRatio).run(&instance).unwrap();
        let checked = Checked::claimed(&prove(&instance, &worst));
        let load = checked.permutation_load().unwrap();
        let silent = Progress::silent();
        let found = Assessment::of(&instance, &worst, checked, load, &silent).unwrap();
        assert!(found.complete && matches!(found.oblivious_ratio.evidence, Evidence::Claimed(_)));
        let stop = Stop::default();
        stop.request();
        assert!(!found.unless_cut(&Progress::silent().stopped_by(stop)).complete);
    }
}
