//! Whether operations can be put in an order, or wait for each other in a cycle.
//!
//! An operation has two events, its start and its end. Its end waits for its start; its start for the
//! ends of the operations that it requires and for the starts of those that it starts after; and the
//! end of a receive for the end of its send. If messages need no time, the program ends exactly if no
//! event waits for itself: then events can happen in any order in which each comes after those that
//! it waits for. Computing takes time and changes nothing.

use super::operations::{Name, Numbering, Operation, Rank};

/// Maximum number of operations of a cycle that are named.
const NAMED: usize = 8;

/// Two per operation: 2·number for its start, 2·number + 1 for its end.
type Event = u32;

/// Progress of the search at an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    /// On the way from the event where the search began to the current one.
    OnTheWay,
    /// It waits for no cycle.
    Done,
}

struct Waits<'p> {
    ranks: &'p [Rank],
    numbering: &'p Numbering,
    /// The operation at the other end of a message, by number; empty where messages do not count.
    partners: &'p [u32],
}

impl Waits<'_> {
    /// What an event waits for, number `index` of it.
    fn wait(&self, event: Event, index: usize) -> Option<Event> {
        let number = event / 2;
        let place = self.numbering.place(number);
        let (rank, at) = (&self.ranks[place.rank as usize], place.operation as usize);
        let of = |operation: u32| number - place.operation + operation;
        if event.is_multiple_of(2) {
            let (ends, starts) = (&rank.requires[at], &rank.starts_after[at]);
            let end = ends.get(index).map(|on| 2 * of(*on) + 1);
            return end.or_else(|| Some(2 * of(*starts.get(index.checked_sub(ends.len())?)?)));
        }
        let is_receive = matches!(rank.operations[at], Operation::Receive { .. });
        match index {
            0 => Some(2 * number),
            1 if is_receive => self.partners.get(number as usize).map(|send| 2 * send + 1),
            _ => None,
        }
    }
}

/// Operations that wait for each other in a cycle, if there are such; with no `partners`, those of one
/// rank. By depth-first search, O((operations + dependencies)·log ranks).
pub(super) fn cycle(
    ranks: &[Rank],
    numbering: &Numbering,
    partners: &[u32],
    name: Name,
) -> Option<String> {
    let waits = Waits { ranks, numbering, partners };
    let mut seen = vec![Seen::Never; 2 * numbering.count as usize];
    // Ends wait for starts: every event is met from the ends.
    let mut ends = (0..numbering.count).map(|number| 2 * number + 1);
    let events = ends.find_map(|end| search(&waits, end, &mut seen))?;
    let mut numbers: Vec<u32> = events.into_iter().map(|event| event / 2).collect();
    numbers.dedup();
    if let [only] = numbers[..] {
        numbers.push(only);
    }
    Some(shown(&numbers, &|number| name(numbering.place(number))))
}

/// Searches everything that an event waits for. Returns the events of a cycle, each waiting for the
/// next, the last of them the first again.
fn search(waits: &Waits, first: Event, seen: &mut [Seen]) -> Option<Vec<Event>> {
    if seen[first as usize] != Seen::Never {
        return None;
    }
    seen[first as usize] = Seen::OnTheWay;
    let mut way = vec![(first, 0)];
    while let Some((event, index)) = way.last_mut() {
        let Some(next) = waits.wait(*event, *index) else {
            seen[*event as usize] = Seen::Done;
            way.pop();
            continue;
        };
        *index += 1;
        match seen[next as usize] {
            Seen::Never => {
                seen[next as usize] = Seen::OnTheWay;
                way.push((next, 0));
            }
            Seen::OnTheWay => {
                let events = way.iter().map(|(event, _)| *event);
                return Some(events.skip_while(|event| *event != next).chain([next]).collect());
            }
            Seen::Done => {}
        }
    }
    None
}

/// Some operations in words, each waiting for the next.
fn shown(numbers: &[u32], name: &dyn Fn(u32) -> String) -> String {
    let last = numbers.len().saturating_sub(1);
    let skipped = numbers.len().saturating_sub(NAMED + 1);
    let mut parts: Vec<String> = numbers[..last.min(NAMED)].iter().map(|n| name(*n)).collect();
    if skipped > 0 {
        parts.push(format!("{skipped} more"));
    }
    parts.extend(numbers.last().map(|number| name(*number)));
    parts.join(" waits for ")
}
