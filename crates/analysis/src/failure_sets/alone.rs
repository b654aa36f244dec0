//! The worst set as a network of its own.

use std::sync::Arc;

use super::elements::cables_of_set;
use super::{FailureSetError, Failures, Peak, Repair};
use crate::assessment::{Assess, Assessment, AssessmentError};
use crate::failure::remaining;
use crate::progress::Progress;
use crate::routing::{self, Instance};

/// The network that the worst set leaves, assessed alone, with a certificate that the checker accepted where that is
/// possible: its worst permutation load and its oblivious ratio; `None` where no instance is what is left, when it is too large to be
/// assessed, or when stopped.
///
/// # Errors
/// [`FailureSetError`], also when it is not what was found.
pub fn alone(
    instance: &Instance,
    failures: &Failures,
    peak: &Peak,
    progress: &Progress,
) -> Result<Option<Assessment>, FailureSetError> {
    let recomputed = match failures.repair {
        Repair::None | Repair::Tables(_) => false,
        Repair::Reroute => true,
        // Only then are all pairs split by the same rule.
        Repair::Ecmp => {
            let spec = routing::built_from(&*instance.routing);
            spec.is_some_and(|spec| spec.to_string() == "ecmp")
        }
    };
    if progress.cancelled() || !recomputed {
        return Ok(None);
    }
    let cables = cables_of_set(&failures.elements, &peak.set);
    let left = remaining(&instance.topology, Arc::clone(&instance.routing), &cables)?;
    let assess = Assess::new().embedded().linear_programs(false).progress(progress);
    let found = match assess.run(&left.instance) {
        Err(AssessmentError::Interrupted(_)) if progress.cancelled() => return Ok(None),
        Err(AssessmentError::WorstCase(_)) => return Ok(None),
        found => found?,
    };
    let known = &found.permutation_load;
    if known.lower > peak.most || known.upper < peak.load {
        let (load, alone) = (peak.load.to_string(), known.to_string());
        return Err(FailureSetError::Differs { load, alone });
    }
    Ok(Some(found))
}
