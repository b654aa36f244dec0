//! Every study can be shared.

use std::sync::Arc;

use super::STUDIES;
use crate::progress::{Progress, Stop};
use crate::shards::{Command, Part, Shard, Units};
use crate::study::{Job, StudyError, Tier};

/// A shard that is stopped at once fails for that reason alone.
#[test]
fn every_study_can_be_shared() {
    let stop = Stop::default();
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    for kind in STUDIES {
        let part = Part::in_memory(Command(Vec::new()), Shard::new(1, 2).unwrap());
        let units = Units::from(Arc::new(part));
        let job = Job { tier: Tier::Full, units: &units, progress: &progress };
        let found = kind.build.make(&job);
        assert!(matches!(found, Err(StudyError::Stopped(_))), "{}: {found:?}", kind.name);
    }
}
