//! Report of a run on the schedule that it follows.

use serde::Serialize;

use super::Planned;

/// Method by which a schedule was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// One message after the other: the work was stopped before anything else was ready.
    OneByOne,
    /// Every message got its wires, then the first cycle in which they are free.
    Wires,
    /// Cycle by cycle, messages on the most loaded channels first.
    Load,
    /// A search for the fewest cycles.
    Search,
}

impl Method {
    /// Name of the method for people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::OneByOne => "one message after the other",
            Self::Wires => "by wires",
            Self::Load => "by load",
            Self::Search => "by a search",
        }
    }
}

/// A schedule in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Number of cycles of the schedule.
    pub length: u64,
    /// No schedule has fewer cycles.
    pub lower: u64,
    /// Method by which it was made.
    pub method: Method,
    /// Whether nothing was left to try; a stop keeps what is known by then.
    pub is_complete: bool,
}

impl Plan {
    /// The outcome of a plan.
    #[must_use]
    pub fn of(planned: &Planned) -> Self {
        let Planned { lower, method, is_complete, .. } = *planned;
        Self { length: planned.schedule.length(), lower, method, is_complete }
    }

    /// Whether no schedule is shorter.
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        self.length <= self.lower
    }
}
