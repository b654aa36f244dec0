//! A pass of RANDOM′ (\[GL\] Figure 7): every message that waits is sent in one of z cycles.

use rand_distr::{Binomial, Distribution};

use super::DeliveryError;
use super::network::Part;
use super::outbox::Outbox;
use super::run::Run;
use crate::prelude::*;

/// Maximum number of parts of entries that are sent in different cycles of a pass: some 2 GB.
pub const MAX_PARTS: u64 = 1 << 26;

/// One pass of `cycles` cycles: every message chooses one of them at random. Ends early when nothing
/// waits.
pub(super) fn pass(run: &mut Run<'_>, number: u64, cycles: u64) -> Result<(), DeliveryError> {
    let mut random = run.stream(number);
    let sent = choices(run.outbox(), cycles, &mut random)?;
    let mut from = 0;
    for cycle in 0..cycles {
        let until = from + sent[from..].partition_point(|(of, _)| *of == cycle);
        let parts: Vec<Part> = sent[from..until].iter().map(|(_, part)| *part).collect();
        run.send(&parts)?;
        from = until;
    }
    Ok(())
}

/// The cycle of every message that waits, 0 to `cycles` − 1, ascending; in a cycle by entry.
fn choices(
    outbox: &Outbox,
    cycles: u64,
    random: &mut Stream,
) -> Result<Vec<(u64, Part)>, DeliveryError> {
    let mut waiting = Vec::new();
    outbox.all(&mut waiting);
    let parts = waiting.iter().map(|part| u128::from(part.count.min(cycles))).sum();
    let what = "number of messages that are sent in different cycles of a pass";
    let room =
        within(what, Some(parts), MAX_PARTS, "send fewer messages, or begin with fewer cycles")?;
    let mut sent = Vec::with_capacity(as_size(room));
    for Part { entry, count } in waiting {
        if count < cycles {
            let chosen = (0..count).map(|_| random.random_range(0..cycles));
            sent.extend(chosen.map(|cycle| (cycle, Part { entry, count: 1 })));
        } else {
            spread(Part { entry, count }, cycles, random, &mut sent);
        }
    }
    sent.sort_unstable_by_key(|(cycle, part)| (*cycle, part.entry));
    sent.dedup_by(|(cycle, part), (before, kept)| {
        let is_same = cycle == before && part.entry == kept.entry;
        kept.count += if is_same { part.count } else { 0 };
        is_same
    });
    Ok(sent)
}

/// How many of the messages choose each cycle: binomial numbers, each conditional on those before.
fn spread(part: Part, cycles: u64, random: &mut Stream, sent: &mut Vec<(u64, Part)>) {
    let mut left = part.count;
    for cycle in 0..cycles {
        let p = 1.0 / (cycles - cycle) as f64;
        // p is a probability: a binomial distribution exists.
        let count = Binomial::new(left, p).map_or(left, |number| number.sample(random));
        if count > 0 {
            sent.push((cycle, Part { count, ..part }));
        }
        left -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every message is sent once; of 30,000 in ten cycles each cycle has some 3000, with a standard
    /// deviation of 52.
    #[test]
    fn every_message_chooses_one_cycle() {
        let outbox = Outbox::new(vec![1, 3, 30_000, 0, 10, 9]);
        for seed in 0..20 {
            let sent = choices(&outbox, 10, &mut Streams::new(seed).at(0)).unwrap();
            assert!(sent.is_sorted_by_key(|(cycle, part)| (*cycle, part.entry)));
            for (entry, count) in [(0, 1), (1, 3), (2, 30_000), (4, 10), (5, 9)] {
                let of = || sent.iter().filter(move |(_, part)| part.entry == entry);
                assert_eq!(of().map(|(_, part)| part.count).sum::<u64>(), count);
                let even = |(_, part): &(u64, Part)| (2700..3300).contains(&part.count);
                assert!(entry != 2 || (of().count() == 10 && of().all(even)));
            }
        }
    }

    /// A single message takes each cycle equally often: 2500 of 10,000, standard deviation 43.
    #[test]
    fn cycles_are_equally_likely() {
        let outbox = Outbox::new(vec![1]);
        let mut taken = [0_u32; 4];
        for number in 0..10_000 {
            let sent = choices(&outbox, 4, &mut Streams::new(3).at(number)).unwrap();
            taken[as_size(sent[0].0)] += 1;
        }
        assert!(taken.iter().all(|count| (2320..2680).contains(count)), "{taken:?}");
    }

    #[test]
    fn too_many_parts_are_refused() {
        let outbox = Outbox::new(vec![1 << 40; 2]);
        let refused = choices(&outbox, 1 << 30, &mut Streams::new(1).at(0)).unwrap_err();
        assert!(matches!(refused, DeliveryError::TooLarge(_)));
    }
}
