//! Which of many are chosen, each with the same probability and independently of the others.

use rand::{Rng, RngExt};

use crate::integer::whole;
use crate::sampling::Stream;

/// Number of candidates that are passed over until the next is chosen: geometric numbers, by inversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jumps {
    /// 1/ln(1 − p).
    scale: f64,
}

impl Jumps {
    /// With probability `p`, 0 < p < 1.
    pub(super) fn new(p: f64) -> Self {
        Self { scale: libm::log1p(-p).recip() }
    }

    /// k with probability (1 − p)^k·p: ⌊ln U / ln(1 − p)⌋ with U uniform in (0, 1] is at least k exactly if
    /// U ≤ (1 − p)^k. A number too large to count is the maximum.
    #[inline]
    pub(super) fn next(self, random: &mut Stream) -> u64 {
        let u = 1.0 - random.random::<f64>();
        whole(libm::log(u) * self.scale)
    }
}

/// Coins thrown 64 at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coins {
    /// p·2^64, rounded down; exact for p ≥ 2^−11.
    threshold: u64,
}

impl Coins {
    /// With probability `p`, 0 < p < 1.
    pub(super) fn new(p: f64) -> Self {
        Self { threshold: whole(p * TWO_TO_64) }
    }

    /// The chosen ones of `candidates`. Every one of them draws a number of 64 bits, bit by bit
    /// from the highest on and all at the same time, until it differs from p·2^64: it is chosen if it is
    /// less. So few bits are drawn: ⌈lg candidates⌉ + 2 words of 64 bits suffice on average.
    #[inline]
    pub(super) fn choose(self, candidates: u64, random: &mut Stream) -> u64 {
        let (mut chosen, mut open, mut bits) = (0, candidates, self.threshold);
        // When all bits that are left are 0, no number is less.
        while open != 0 && bits != 0 {
            let drawn = random.next_u64();
            if bits >> 63 == 1 {
                chosen |= open & !drawn;
                open &= drawn;
            } else {
                open &= !drawn;
            }
            bits <<= 1;
        }
        chosen
    }
}

const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Streams;

    /// How often each number is drawn, against (1 − p)^k·p, within 5 standard deviations.
    #[test]
    fn jumps_are_geometric() {
        for p in [0.9, 0.5, 0.084, 0.01] {
            let (jumps, mut random) = (Jumps::new(p), Streams::new(7).at(0));
            let draws = 200_000_u32;
            let mut counts = [0_u32; 60];
            for _ in 0..draws {
                let jump = jumps.next(&mut random);
                if let Some(count) = usize::try_from(jump).ok().and_then(|at| counts.get_mut(at)) {
                    *count += 1;
                }
            }
            for (k, count) in (0..).zip(counts) {
                let of_k = (1.0 - p).powi(k) * p;
                let (wanted, draws) = (of_k * f64::from(draws), f64::from(draws));
                let deviation = (draws * of_k * (1.0 - of_k)).sqrt();
                assert!((f64::from(count) - wanted).abs() <= 5.0 * deviation + 1.0, "{p} {k}");
            }
        }
    }

    /// Means of 1/p − 1 however small p is, and the maximum number where none can be counted.
    #[test]
    fn small_probabilities_make_long_jumps() {
        let mut random = Streams::new(8).at(0);
        for p in [1e-3, 1e-9, 1e-15] {
            let jumps = Jumps::new(p);
            let mean = (0..10_000).map(|_| jumps.next(&mut random) as f64 * p).sum::<f64>() / 1e4;
            // The standard deviation of the mean is 0.01.
            assert!((mean - 1.0).abs() < 0.05, "{p}: {mean}");
        }
        assert!((0..100).all(|_| Jumps::new(1e-300).next(&mut random) == u64::MAX));
    }

    /// Every place and every pair of places, with a mask of which few or all are candidates.
    #[test]
    fn coins_are_independent_and_fall_as_often_as_they_should() {
        for (p, candidates) in
            [(0.5, u64::MAX), (0.084, u64::MAX), (0.084, 0x8000_0401_0000_0009), (0.95, u64::MAX)]
        {
            let (coins, mut random) = (Coins::new(p), Streams::new(9).at(0));
            let draws = 60_000_u32;
            let (mut single, mut pairs) = ([0_u32; 64], [0_u32; 64]);
            for _ in 0..draws {
                let chosen = coins.choose(candidates, &mut random);
                assert_eq!(chosen & !candidates, 0);
                let together = chosen & chosen.rotate_left(3);
                for at in 0..64 {
                    single[at] += u32::from(chosen >> at & 1 == 1);
                    pairs[at] += u32::from(together >> at & 1 == 1);
                }
            }
            let both = candidates & candidates.rotate_left(3);
            for at in 0..64 {
                for (count, mask, p) in [(single[at], candidates, p), (pairs[at], both, p * p)] {
                    let p = if mask >> at & 1 == 1 { p } else { 0.0 };
                    let (wanted, draws) = (p * f64::from(draws), f64::from(draws));
                    let deviation = (draws * p * (1.0 - p)).sqrt();
                    assert!((f64::from(count) - wanted).abs() <= 5.0 * deviation, "{at}: {count}");
                }
            }
        }
    }

    /// 1/4 is decided by two bits: chosen are those whose first two bits are 0.
    #[test]
    fn a_quarter_takes_two_words() {
        let (mut drawn, mut random) = (Streams::new(1).at(5), Streams::new(1).at(5));
        let words = [drawn.next_u64(), drawn.next_u64()];
        assert_eq!(Coins::new(0.25).choose(u64::MAX, &mut random), !words[0] & !words[1]);
        assert_eq!(random.next_u64(), drawn.next_u64());
    }
}
