//! The best traffic of a search.

use serde::{Deserialize, Serialize};

/// The best of some evaluations: traffic and its value, the greater the worse for the target.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<V, T> {
    /// Value of the best traffic.
    pub value: V,
    /// The best traffic, the first of several.
    #[serde(rename = "pairs")]
    pub traffic: T,
    /// Number of evaluations.
    pub evaluations: u64,
    /// The evaluations at which the best value rose, each with the new value.
    pub curve: Vec<(u64, V)>,
}

impl<V: Clone + Ord, T> Record<V, T> {
    /// Counts one evaluation; `traffic` supplies its traffic if it is the best so far.
    #[inline]
    pub fn see(&mut self, value: V, traffic: impl FnOnce() -> T) {
        self.evaluations += 1;
        if value > self.value {
            self.curve.push((self.evaluations, value.clone()));
            self.value = value;
            self.traffic = traffic();
        }
    }

    /// Adds the evaluations that came after.
    pub fn append(&mut self, later: Self) {
        let rises = later.curve.into_iter().filter(|(_, value)| *value > self.value);
        self.curve.extend(rises.map(|(at, value)| (self.evaluations + at, value)));
        self.evaluations += later.evaluations;
        if later.value > self.value {
            self.value = later.value;
            self.traffic = later.traffic;
        }
    }
}
