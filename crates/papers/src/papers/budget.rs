//! How much work adversaries do against the published bounds: counts, so that no clock decides what
//! is found.

use crate::adversary::{self, Work};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::theorem::Scope;

/// The most that an adversary does on one instance.
pub(super) struct Budget {
    /// Samples of random traffic per pattern.
    samples: u64,
    /// Swaps of a search: less work than a sample.
    steps: u64,
    /// Integer programs.
    programs: u64,
    /// SD pairs of an integer program: one of this size is solved long before its time limit.
    pairs: u64,
    /// Permutations of an exhaustive search: all those of 10 hosts, or of 11 in a full run.
    permutations: u64,
}

impl Budget {
    const BRIEF: Self =
        Self { samples: 1000, steps: 10_000, programs: 8, pairs: 1 << 13, permutations: 1 << 22 };

    const FULL: Self =
        Self { samples: 4000, steps: 40_000, programs: 32, pairs: 1 << 13, permutations: 1 << 26 };

    pub(super) fn of(scope: &Scope) -> Self {
        if scope.full { Self::FULL } else { Self::BRIEF }
    }

    /// The `example` of a kind with these numbers as defaults where the kind takes them.
    pub(super) fn apply(
        &self,
        kind: &Kind<adversary::Method>,
        example: &str,
        seed: u64,
    ) -> Option<String> {
        let mut spec = Spec::parse(example).ok()?;
        let trials = if kind.build.work == Work::Samples { self.samples } else { self.steps };
        for (key, value) in [
            ("trials", trials),
            ("programs", self.programs),
            ("pairs", self.pairs),
            ("permutations", self.permutations),
            ("seed", seed),
        ] {
            if kind.takes(key) {
                spec.set_default(key, &value.to_string());
            }
        }
        Some(spec.to_string())
    }
}
