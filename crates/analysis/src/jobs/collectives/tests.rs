//! Collectives: whether everybody ends with what they should, and what is refused.

use super::*;

fn made(spec: &str, ranks: usize) -> Collective {
    generate(spec, ranks).unwrap()
}

/// By rank and part of a vector, a bit for every rank whose vector is in the sum that the rank holds.
type Held = Vec<Vec<u64>>;

fn own_vectors(ranks: usize, parts: usize) -> Held {
    (0..ranks).map(|rank| vec![1 << rank; parts]).collect()
}

/// Adds what is sent to what the receivers hold. Nothing is added twice.
fn reduce(held: &mut Held, phase: &Phase, sent: impl Fn(Rank, Rank) -> Vec<usize>) {
    let before = held.clone();
    for (s, d) in &phase.sends {
        for part in sent(*s, *d) {
            let (from, to) = (before[*s as usize][part], &mut held[*d as usize][part]);
            assert_eq!(from & *to, 0, "{} twice at {d} in {}", part, phase.name);
            *to |= from;
        }
    }
}

#[test]
fn doubling_reduces_to_everybody() {
    for ranks in 2..=40 {
        let (all, collective) = ((1_u64 << ranks) - 1, made("doubling", ranks));
        let mut held = own_vectors(ranks, 1);
        for phase in &collective.phases {
            assert_eq!(phase.size, Rational::ONE);
            if phase.name == "unfold" {
                for (s, d) in &phase.sends {
                    held[*d as usize] = held[*s as usize].clone();
                }
            } else {
                reduce(&mut held, phase, |_, _| vec![0]);
            }
        }
        assert_eq!(held, vec![vec![all]; ranks], "{ranks}");
        let folded = if ranks.is_power_of_two() { 0 } else { 2 };
        assert_eq!(collective.phases.len(), ranks.ilog2() as usize + folded);
    }
}

/// The vector is in 2·2^k parts. What a rank continues with is halved in every exchange, and in the end every
/// part is at one rank, summed over all.
#[test]
fn halving_leaves_every_part_at_one_rank() {
    for ranks in 2..=40_usize {
        let (all, collective) = ((1_u64 << ranks) - 1, made("halving", ranks));
        let parts = 2 << ranks.ilog2();
        let mut held = own_vectors(ranks, parts);
        let mut kept = vec![0..parts; ranks];
        for phase in &collective.phases {
            let before = kept.clone();
            let part = |count: usize| Rational::new(count as u64, parts as u64).unwrap();
            match phase.name.as_str() {
                "fold" => {
                    reduce(&mut held, phase, |_, _| (0..parts).collect());
                    phase.sends.iter().for_each(|(s, _)| kept[*s as usize] = 0..0);
                }
                "unfold" => {
                    for (s, d) in &phase.sends {
                        let range = before[*s as usize].clone();
                        assert_eq!(phase.size, part(range.len() / 2));
                        kept[*d as usize] = range.start..range.start + 1;
                        kept[*s as usize] = range.start + 1..range.end;
                        held[*d as usize] = held[*s as usize].clone();
                    }
                }
                _ => {
                    // The lower of two keeps the lower half.
                    let half = |r: Rank, other: Rank| {
                        let range = &before[r as usize];
                        let middle = range.start.midpoint(range.end);
                        if r < other { range.start..middle } else { middle..range.end }
                    };
                    for (s, d) in &phase.sends {
                        assert_eq!(before[*s as usize], before[*d as usize]);
                        assert_eq!(phase.size, part(half(*d, *s).len()));
                        kept[*s as usize] = half(*s, *d);
                    }
                    reduce(&mut held, phase, |s, d| half(d, s).collect());
                }
            }
        }
        let mut owned = vec![0; parts];
        for (rank, range) in kept.into_iter().enumerate() {
            assert!(!range.is_empty(), "{rank} of {ranks} has nothing");
            for part in range {
                owned[part] += 1;
                assert_eq!(held[rank][part], all, "{part} at {rank} of {ranks}");
            }
        }
        assert_eq!(owned, vec![1; parts]);
    }
}

/// Blocks are source and destination.
#[test]
fn bruck_takes_every_block_to_its_destination() {
    for ranks in 2..=33_u32 {
        let blocks = |rank| (0..ranks).map(move |to| (rank, to)).collect::<Vec<_>>();
        let mut held: Vec<Vec<(Rank, Rank)>> = (0..ranks).map(blocks).collect();
        let collective = made("bruck", ranks as usize);
        for (bit, phase) in collective.phases.iter().enumerate() {
            let before = std::mem::replace(&mut held, vec![Vec::new(); ranks as usize]);
            for (s, d) in &phase.sends {
                // Bits below this one have been travelled.
                let is_sent =
                    |(from, to): &(Rank, Rank)| ((to + ranks - from) % ranks) >> bit & 1 == 1;
                let blocks = before[*s as usize].iter().copied();
                let (sent, stays): (Vec<_>, Vec<_>) = blocks.partition(is_sent);
                assert_eq!(phase.size, part(u32::try_from(sent.len()).unwrap(), ranks));
                held[*d as usize].extend(sent);
                held[*s as usize].extend(stays);
            }
        }
        for (rank, mut blocks) in (0..).zip(held) {
            blocks.sort_unstable();
            assert_eq!(blocks, (0..ranks).map(|from| (from, rank)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn all_to_all_has_every_pair_once() {
    for ranks in [2, 3, 8, 12] {
        let mut sends: Vec<_> =
            made("alltoall", ranks).phases.into_iter().flat_map(|p| p.sends).collect();
        sends.sort_unstable();
        let all = Rank::try_from(ranks).unwrap();
        let pairs = (0..all).flat_map(|s| (0..all).map(move |d| (s, d))).filter(|(s, d)| s != d);
        assert_eq!(sends, pairs.collect::<Vec<_>>());
    }
}

/// A rank sends as much as the closed forms of the algorithms say: those of the reductions end when N grows.
#[test]
fn ranks_send_as_much_as_the_algorithms_say() {
    for (spec, ranks, expected) in [
        ("ring", 5, "8/5"),
        ("doubling", 8, "3"),
        ("halving", 8, "7/8"),
        ("bruck", 8, "3/2"),
        ("bruck", 5, "1"),
        ("alltoall", 5, "4/5"),
        ("alltoall", 8, "7/8"),
    ] {
        let phases = made(spec, ranks).phases;
        let of_rank = phases.iter().filter(|phase| phase.sends.iter().any(|(s, _)| *s == 1));
        let sent: Rational = of_rank.map(|phase| &phase.size).sum();
        assert_eq!(sent.to_string(), expected, "{spec} of {ranks}");
    }
}

#[test]
fn nobody_sends_to_itself_and_ranks_exist() {
    for kind in COLLECTIVES {
        for example in kind.examples {
            for ranks in 2..=20 {
                let made = made(example, ranks);
                assert_eq!(made.ranks as usize, ranks);
                for phase in &made.phases {
                    assert!(!phase.sends.is_empty() && !phase.size.is_zero());
                    assert!(phase.sends.iter().all(|(s, d)| s != d && s.max(d) < &made.ranks));
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    for (spec, ranks, says) in [
        ("ring", 1, "a collective of 1 ranks sends nothing: at least 2 are needed"),
        ("ring(3)", 4, "takes no numbers, 1 given; usage: ring"),
        ("ring:file", 4, "it does not take `:` and a path"),
        ("tree(k=3)", 4, "unknown option `k`"),
        ("doublin", 4, "did you mean `doubling`?"),
        ("ring", 65_537, "number of ranks is 65537, above the limit of 65536"),
        ("alltoall", 2_049, "number of sends is 4196352, above the limit of 4194304"),
    ] {
        let error = generate(spec, ranks).unwrap_err().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
    assert_eq!(made("alltoall", 2_048).sends(), 2_048 * 2_047);
}
