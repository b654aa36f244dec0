//! Tables examined: what they do with the links, and the worst that traffic does with them.

use std::cmp::Reverse;

use crate::assessment::{Assess, Assessment, AssessmentError};
use crate::bounds::Bounds;
use crate::load::{CreditLoop, DependencyError, credit_loop};
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Direction, LinkId, Topology};
use crate::worst_case::{BadPermutationError, worst_links};

use super::bisection::Bisections;
use super::usage::Usage;

/// Questions about tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Questions {
    /// Random bisections to sample; 0 for none.
    pub bisections: u64,
    /// Seed of the bisections.
    pub seed: u64,
    /// Whether linear programs make the oblivious ratio exact where matchings only bound it.
    pub exact: bool,
}

/// Findings about tables. A part is `None` where the work was stopped before.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// Pairs and destinations by link, and detours.
    pub usage: Option<Usage>,
    /// A credit loop, if there is one.
    pub credit_loop: Option<Option<CreditLoop>>,
    /// The worst case.
    pub assessment: Option<Assessment>,
    /// Links with the most that a permutation puts on them, the worst first: those between switches, and
    /// host links that are slower than 1.
    pub worst_links: Option<Vec<(LinkId, Rational)>>,
    /// Bandwidth of random bisections.
    pub bisections: Option<Bisections>,
    /// Reasons why something could not be found.
    pub limits: Vec<String>,
}

impl Examined {
    /// Examines an instance; what is cheap comes first, and `keep` gets what is known in between.
    ///
    /// # Errors
    /// [`AssessmentError`] where the worst case cannot be found at all.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{fabric::{Examined, Questions}, progress::Progress, routing::Instance};
    /// let instance = Instance::named("ft(8,2)", "dmodk")?;
    /// let questions = Questions { bisections: 10, seed: 1, exact: false };
    /// let found = Examined::of(&instance, questions, &Progress::silent(), &mut |_| {})?;
    /// assert_eq!(found.credit_loop, Some(None));
    /// assert_eq!(found.worst_links.and_then(|links| links.first().cloned()), Some((64, 4.into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &Instance,
        questions: Questions,
        progress: &Progress,
        keep: &mut dyn FnMut(&Self),
    ) -> Result<Self, AssessmentError> {
        let mut found = Self::default();
        found.assess(instance, false, progress, keep)?;
        keep(&found);
        found.usage(instance, progress);
        keep(&found);
        found.credit_loop(instance, progress);
        keep(&found);
        if questions.exact && found.ratio().is_some_and(|ratio| ratio.exact().is_none()) {
            found.assess(instance, true, progress, keep)?;
            keep(&found);
        }
        found.worst_links(instance, progress);
        found.bisections(instance, questions, progress);
        Ok(found)
    }

    /// Whether nothing was stopped or too large.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let assessed = self.assessment.as_ref().is_some_and(|assessment| assessment.complete);
        assessed && self.usage.is_some() && self.worst_links.is_some() && self.limits.is_empty()
    }

    /// Finds the worst case, with linear programs if it must be `exact`. A second analysis that is stopped before it
    /// knows as much as the first one leaves that.
    fn assess(
        &mut self,
        instance: &Instance,
        exact: bool,
        progress: &Progress,
        keep: &mut dyn FnMut(&Self),
    ) -> Result<(), AssessmentError> {
        let known = self.clone();
        let is_closer = |assessment: &Assessment| {
            let found = &assessment.oblivious_ratio;
            known
                .ratio()
                .is_none_or(|known| found.upper <= known.upper && known.lower <= found.lower)
        };
        let mut keep_worst = |assessment: &Assessment| {
            if is_closer(assessment) {
                keep(&Self { assessment: Some(assessment.clone()), ..known.clone() });
            }
        };
        let assess = Assess::new().linear_programs(exact);
        let assessment = assess.progress(progress).keep(&mut keep_worst).run(instance)?;
        match &mut self.assessment {
            Some(known) if !is_closer(&assessment) => known.complete &= assessment.complete,
            known => *known = Some(assessment),
        }
        Ok(())
    }

    fn ratio(&self) -> Option<&Bounds> {
        self.assessment.as_ref().map(|assessment| &assessment.oblivious_ratio)
    }

    fn usage(&mut self, instance: &Instance, progress: &Progress) {
        match Usage::of(instance, progress) {
            Ok(usage) => self.usage = Some(usage),
            Err(Interrupted::Stopped(_)) => {}
            Err(Interrupted::TooLarge(limit)) => self.limits.push(limit.to_string()),
        }
    }

    fn credit_loop(&mut self, instance: &Instance, progress: &Progress) {
        match credit_loop(instance, progress) {
            Ok(found) => self.credit_loop = Some(found),
            Err(DependencyError::Stopped(_)) => {}
            Err(limit) => self.limits.push(limit.to_string()),
        }
    }

    fn worst_links(&mut self, instance: &Instance, progress: &Progress) {
        match worst_links(instance, progress) {
            Ok(mut links) => {
                links.extend(slow_host_links(&instance.topology));
                links.sort_by_key(|(link, load)| (Reverse(load.clone()), *link));
                self.worst_links = Some(links);
            }
            Err(BadPermutationError::Stopped(_)) => {}
            Err(BadPermutationError::WorstCase(limit)) => self.limits.push(limit.to_string()),
        }
    }

    fn bisections(&mut self, instance: &Instance, questions: Questions, progress: &Progress) {
        let Questions { bisections, seed, .. } = questions;
        match Bisections::sampled(instance, bisections, seed, progress) {
            Ok(found) => self.bisections = found,
            Err(Interrupted::Stopped(_)) => {}
            Err(Interrupted::TooLarge(limit)) => self.limits.push(limit.to_string()),
        }
    }
}

/// Host links of a capacity below 1, with the load that one message at full rate puts on them.
fn slow_host_links(topology: &Topology) -> impl Iterator<Item = (LinkId, Rational)> {
    topology.link_numbers().filter_map(|number| {
        let link = topology.link(number);
        let is_slow =
            link.level == 1 && link.direction != Direction::Flat && link.capacity < Rational::ONE;
        is_slow
            .then(|| Rational::ONE.checked_div(&link.capacity))
            .flatten()
            .map(|load| (number, load))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::{at_random, fail};
    use crate::progress::Stop;
    use crate::routing::build;
    use crate::topology::generate;

    const QUESTIONS: Questions =
        Questions { bisections: 10, seed: 1, exact: cfg!(feature = "highs") };

    /// A tree on which flows leave a gap that linear programs close.
    fn with_a_gap() -> Instance {
        let tree = generate("ft(4,3)").unwrap();
        let cables = at_random(&tree, 3, 2).unwrap();
        fail(&tree, build("ecmp", &tree).unwrap().into(), &cables).unwrap()
    }

    /// A stop leaves bounds, and they only get closer.
    #[test]
    fn the_worst_case_is_known_before_the_use_of_links() {
        let instance = with_a_gap();
        let mut kept: Vec<Examined> = Vec::new();
        let mut keep = |found: &Examined| kept.push(found.clone());
        Examined::of(&instance, QUESTIONS, &Progress::silent(), &mut keep).unwrap();
        let bounds = kept.iter().map(|found| found.ratio().unwrap());
        for (before, after) in bounds.clone().zip(bounds.skip(1)) {
            assert!(before.lower <= after.lower && after.upper <= before.upper, "{before} {after}");
        }
        let before_usage = kept.iter().rfind(|found| found.usage.is_none()).unwrap();
        assert!(before_usage.assessment.as_ref().unwrap().permutation_load.exact().is_some());
        assert!(kept.last().unwrap().credit_loop.is_some());
    }

    /// What the first analysis found stays where the exact one is stopped at its beginning.
    #[test]
    fn a_stop_before_the_exact_analysis_loses_nothing() {
        let instance = with_a_gap();
        let stop = Stop::at(None);
        let progress = Progress::silent().stopped_by(stop.clone());
        let mut first = None;
        let mut keep = |found: &Examined| {
            if found.credit_loop.is_some() && first.is_none() {
                first = found.ratio().cloned();
                stop.request();
            }
        };
        let found = Examined::of(&instance, QUESTIONS, &progress, &mut keep).unwrap();
        let first = first.unwrap();
        assert!(first.exact().is_none(), "{first}");
        assert_eq!(found.ratio(), Some(&first));
        assert!(!found.is_complete());
    }
}
