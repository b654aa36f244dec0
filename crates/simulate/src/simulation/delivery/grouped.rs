//! Flights on one level of a tree, by the node that they have reached.

use super::flight::Flight;

/// Flights side by side that have reached the same input of the same node.
#[derive(Clone, Copy, Debug)]
struct Group {
    at: u32,
    input: u32,
    /// Where the flights of the next group begin.
    end: usize,
}

/// Flights in groups, ascending by node, those of a node by input.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouped {
    /// From [`Self::begin`] on, those that are in no group yet.
    pub(super) flights: Vec<Flight>,
    groups: Vec<Group>,
    begin: usize,
}

impl Grouped {
    /// Forgets everything but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.flights.clear();
        self.groups.clear();
        self.begin = 0;
    }

    /// The position from which flights are in no group yet.
    pub(super) fn begin(&self) -> usize {
        self.begin
    }

    /// Makes a group of the flights that are in none, if there are any.
    #[inline]
    pub(super) fn close(&mut self, at: u32, input: u32) {
        let end = self.flights.len();
        if end > self.begin {
            self.groups.push(Group { at, input, end });
            self.begin = end;
        }
    }

    /// All groups in turn.
    pub(super) fn queue(&self) -> Queue<'_> {
        Queue { flights: &self.flights, groups: &self.groups, begin: 0 }
    }
}

/// Groups that are taken one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue<'g> {
    flights: &'g [Flight],
    groups: &'g [Group],
    begin: usize,
}

impl<'g> Queue<'g> {
    /// The node of the next group.
    #[inline]
    pub(super) fn at(&self) -> Option<u32> {
        self.groups.first().map(|group| group.at)
    }

    /// Takes the next group if it is at `at`: its input and its flights.
    #[inline]
    pub(super) fn take(&mut self, at: u32) -> Option<(u32, &'g [Flight])> {
        let (group, rest) = self.groups.split_first()?;
        if group.at != at {
            return None;
        }
        let flights = &self.flights[self.begin..group.end];
        (self.groups, self.begin) = (rest, group.end);
        Some((group.input, flights))
    }
}

/// The lesser of two nodes, where there are two.
#[inline]
pub(super) fn first(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
