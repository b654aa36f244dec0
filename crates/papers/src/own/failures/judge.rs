//! How well samples rank cables.

use crate::study::prelude::*;

/// How many of the most dangerous cables are looked at.
const TOP: usize = 10;

/// What a ranking by samples is worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// Number of cables that raise the worst load, at most [`TOP`].
    pub(super) top: usize,
    /// Number of cables with at least the exact load of the last of these.
    pub(super) dangerous: usize,
    /// How many of the first `top` by the samples are dangerous. Of equal ones at the last place each has the same
    /// chance.
    pub(super) found: Rational,
    /// The same for a random order.
    pub(super) by_chance: Rational,
    /// Number of pairs of cables with different exact loads.
    pub(super) pairs: usize,
    /// Number of these that the samples order the other way, and that they do not order.
    pub(super) wrong: usize,
    pub(super) tied: usize,
    /// The least and the highest exact load of the cables that the samples call the most dangerous.
    pub(super) named: [Rational; 2],
}

/// The exact load of a cable, and what samples say of it.
type Loads = (Rational, Rational);

impl Judged {
    /// Judges the samples of cables by their exact loads, which are at least `whole`; `None` where there is no cable.
    pub(super) fn of(whole: &Rational, loads: &[Loads]) -> Option<Self> {
        let top = loads.iter().filter(|(exact, _)| exact > whole).count().min(TOP);
        let exact = descending(loads.iter().map(|(exact, _)| exact));
        let sampled = descending(loads.iter().map(|(_, sampled)| sampled));
        let least = *exact.get(top.saturating_sub(1))?;
        let dangerous = loads.iter().filter(|(exact, _)| exact >= least).count();
        let [pairs, wrong, tied] = ordered(loads);
        let named = loads.iter().filter(|(_, load)| load == sampled[0]).map(|(exact, _)| exact);
        Some(Self {
            top,
            dangerous,
            found: found(loads, top, least, sampled[top.saturating_sub(1)]),
            by_chance: Rational::new((top * dangerous) as u64, loads.len() as u64)?,
            pairs,
            wrong,
            tied,
            named: [named.clone().min()?.clone(), named.max()?.clone()],
        })
    }
}

fn descending<'l>(loads: impl Iterator<Item = &'l Rational>) -> Vec<&'l Rational> {
    let mut all: Vec<&Rational> = loads.collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    all
}

/// How many of the first `top` by samples, the last of which has the sampled load `cut`, have an exact load of at
/// least `least`, on average over the orders of equal ones.
fn found(loads: &[Loads], top: usize, least: &Rational, cut: &Rational) -> Rational {
    let [mut before, mut equal] = [[0_u64; 2]; 2];
    for (exact, sampled) in loads.iter().filter(|(_, sampled)| sampled >= cut) {
        let counts = if sampled > cut { &mut before } else { &mut equal };
        counts[0] += 1;
        counts[1] += u64::from(exact >= least);
    }
    // Without a cable that raises the load there is no first one.
    let places = (top as u64).saturating_sub(before[0]);
    let of_equal = Rational::new(places * equal[1], equal[0]).unwrap_or(Rational::ZERO);
    &Rational::from(before[1].min(top as u64)) + &of_equal
}

/// The pairs of cables with different exact loads, those that samples order the other way, and those that they do not
/// order.
fn ordered(loads: &[Loads]) -> [usize; 3] {
    let [mut pairs, mut wrong, mut tied] = [0; 3];
    for (at, (exact, sampled)) in loads.iter().enumerate() {
        for (other, of_other) in &loads[..at] {
            let order = exact.cmp(other);
            if order.is_ne() {
                let by_samples = sampled.cmp(of_other);
                pairs += 1;
                wrong += usize::from(by_samples == order.reverse());
                tied += usize::from(by_samples.is_eq());
            }
        }
    }
    [pairs, wrong, tied]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(loads: &[(u64, u64)]) -> Judged {
        let loads: Vec<_> =
            loads.iter().map(|(a, b)| (Rational::from(*a), Rational::from(*b))).collect();
        Judged::of(&Rational::ONE, &loads).unwrap()
    }

    #[test]
    fn a_right_order_is_found() {
        let right: Vec<(u64, u64)> = (1..=20).map(|load| (load, load)).collect();
        let found = judged(&right);
        let expected = Judged {
            top: 10,
            dangerous: 10,
            found: 10.into(),
            by_chance: 5.into(),
            pairs: 190,
            wrong: 0,
            tied: 0,
            named: [20.into(), 20.into()],
        };
        assert_eq!(found, expected);
        let reversed: Vec<(u64, u64)> = (1..=20).map(|load| (load, 21 - load)).collect();
        let expected = Judged {
            found: Rational::ZERO,
            wrong: 190,
            named: [Rational::ONE, Rational::ONE],
            ..expected
        };
        assert_eq!(judged(&reversed), expected);
    }

    #[test]
    fn equal_cables_count_by_chance() {
        // Two raise the load, to different heights, and samples tell nothing.
        let found = judged(&[(3, 1), (2, 1), (1, 1), (1, 1)]);
        assert_eq!((found.top, found.dangerous), (2, 2));
        assert_eq!((found.found, found.by_chance), (1.into(), 1.into()));
        assert_eq!((found.pairs, found.wrong, found.tied), (5, 0, 5));
        assert_eq!(found.named, [1.into(), 3.into()]);
        // Any two of three equally dangerous ones are right.
        let found = judged(&[(2, 5), (2, 4), (2, 3), (1, 6)]);
        assert_eq!((found.top, found.dangerous), (3, 3));
        assert_eq!((found.found, found.wrong, found.pairs), (2.into(), 3, 3));
        // None raises the load.
        let found = judged(&[(1, 1), (1, 2)]);
        assert_eq!((found.top, found.pairs), (0, 0));
    }
}
