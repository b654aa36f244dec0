//! Static contention of random routings over many seeds.
//!
//! What the paper prints about them is based on simulated times. Here it is the contention of
//! IV, flows on a link that compete neither for a source nor for a destination, for WRF-256 and
//! the fifth phase of CG.D-128 on XGFT(2;16,16;1,w2).

use dashu_int::UBig;
use dashu_int::ops::DivRem;

use super::inverse_patterns::most;
use crate::sampling::Summary;
use crate::theorem::prelude::*;
use crate::traffic::{self, TrafficMatrix};

pub(super) const WRF: &str = "wrf(256)";
pub(super) const CG: &str = "cg(128,phase=5)";

/// Number of seeds of a random routing: a box of Fig. 5 has 40 to 60.
pub(super) fn seeds(scope: &Scope) -> u64 {
    match (scope.full, scope.hosts) {
        (true, _) => 200,
        (false, 0..=16) => 20,
        (false, _) => 50,
    }
}

/// The first of the seeds of a random routing. r-NCA-d with a seed routes a pair as r-NCA-u with it
/// routes the pair back, so that under a symmetric pattern, as all of these are, equal seeds would be the
/// same trials counted twice: r-NCA-d has seeds of its own.
pub(super) fn first_seed(scope: &Scope, routing: &str, seeds: u64) -> u64 {
    scope.seed.wrapping_add(if routing == "rnca-d" { seeds } else { 0 })
}

pub(super) fn tree(tops: u64) -> String {
    format!("xgft(2;16,16;1,{tops})")
}

/// The pattern on the hosts of the tree.
pub(super) fn pattern(spec: &str) -> Result<TrafficMatrix> {
    Ok(traffic::generate(spec, 256)?)
}

/// The contention of a pattern under a routing, a whole number as every pair has one path.
pub(super) fn contention(
    scope: &Scope,
    tops: u64,
    routing: &str,
    pattern: &TrafficMatrix,
) -> Result<u64> {
    contention_of(scope, &scope.instance(&tree(tops), routing)?, pattern)
}

/// The same of an instance.
pub(super) fn contention_of(
    scope: &Scope,
    instance: &Instance,
    pattern: &TrafficMatrix,
) -> Result<u64> {
    let most = most(instance, pattern.demands(), scope)?;
    let routing = instance.routing.spec();
    most.scaled(1).ok_or_else(|| defect(format!("{routing}: {most}")))
}

/// The contention for seeds s, s + 1, …, s being the [`first_seed`] of the routing.
pub(super) struct Drawn {
    sample: Summary,
    seed: u64,
}

impl Drawn {
    /// The contention of a pattern; `routing` comes without its seed.
    pub(super) fn new(
        scope: &Scope,
        tops: u64,
        routing: &str,
        pattern: &TrafficMatrix,
    ) -> Result<Self> {
        let first = first_seed(scope, routing, seeds(scope));
        Self::from_seed(scope, first, tops, routing, pattern)
    }

    fn from_seed(
        scope: &Scope,
        first: u64,
        tops: u64,
        routing: &str,
        pattern: &TrafficMatrix,
    ) -> Result<Self> {
        Self::by(scope, first, |seed| {
            contention(scope, tops, &format!("{routing}(seed={seed})"), pattern)
        })
    }

    /// What `of` finds with the seeds from `first` on.
    pub(super) fn by(
        scope: &Scope,
        first: u64,
        of: impl Fn(u64) -> Result<u64> + Sync,
    ) -> Result<Self> {
        let of_seed = |index: u64| {
            scope.progress.check()?;
            of(first.wrapping_add(index))
        };
        let values = (0..seeds(scope)).into_par_iter().map(of_seed);
        let values: Vec<u64> = values.collect::<Result<_>>()?;
        Ok(Self::of(values.into_iter().map(|value| (value, 1)), first))
    }

    /// One value for as many seeds.
    pub(super) fn constant(value: u64, like: &Self) -> Self {
        Self::of([(value, like.sample.count())], like.seed)
    }

    fn of(values: impl IntoIterator<Item = (u64, u64)>, seed: u64) -> Self {
        let values = values.into_iter().map(|(value, times)| (Rational::from(value), times));
        Self { sample: Summary::of(values).expect("at least one seed is drawn"), seed }
    }

    pub(super) fn basis(&self) -> Basis {
        Basis::sampled(self.sample.count(), self.seed)
    }

    pub(super) fn least(&self) -> &Rational {
        self.sample.least()
    }

    pub(super) fn most(&self) -> &Rational {
        self.sample.most()
    }

    /// Mean, rounded down, least and most.
    pub(super) fn text(&self) -> String {
        let hundredths = (&self.sample.mean() * &Rational::from(100)).floor();
        let (whole, part) = hundredths.div_rem(UBig::from(100_u8));
        format!("{whole}.{part:02} ({} to {})", self.least(), self.most())
    }

    /// The claim that the mean is below that of the other.
    pub(super) fn below(&self, case: impl Into<Case>, other: &Self) -> Finding {
        let claimed = format!("mean below {}", other.text());
        if let Some(order) = self.sample.compare(&other.sample) {
            return Finding::holds(case, claimed, self.text(), order.is_lt(), self.basis());
        }
        let open = Outcome::Open("within two standard errors".to_string());
        Finding::new(case, claimed, self.text(), open, self.basis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Drawn {
        Drawn::of(values.iter().map(|value| (*value, 1)), 1)
    }

    #[test]
    fn texts_and_claims() {
        let (low, high) = (of(&[1, 2, 1, 2, 1, 2]), of(&[5, 6, 5, 6, 5, 6]));
        assert_eq!(of(&[1, 2, 2]).text(), "1.66 (1 to 2)");
        assert_eq!(of(&[7, 7]).text(), "7.00 (7 to 7)");
        assert!(low.below("x", &high).outcome == Outcome::Holds && high.below("x", &low).fails());
        assert!(matches!(low.below("x", &low).outcome, Outcome::Open(_)));
        assert!(Drawn::constant(7, &low).below("x", &Drawn::constant(7, &low)).fails());
    }

    /// With the same seed r-NCA-u and r-NCA-d are one trial, and they do not get the same seeds.
    #[test]
    fn mirrored_routings_have_other_seeds() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let pattern = pattern(CG).unwrap();
        for seed in 1..=5 {
            let of = |routing: &str| {
                contention(&scope, 8, &format!("{routing}(seed={seed})"), &pattern).unwrap()
            };
            assert_eq!(of("rnca-u"), of("rnca-d"), "seed {seed}");
        }
        let first = |routing: &str| first_seed(&scope, routing, 20);
        assert_eq!([first("random"), first("rnca-u"), first("rnca-d")], [1, 1, 21]);
        assert_eq!(Drawn::new(&scope, 8, "rnca-d", &pattern).unwrap().seed, 21);
    }

    /// Sums over seeds 1 to 20 that were computed independently of this crate.
    #[test]
    fn known_contention() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let (cg, wrf) = (pattern(CG).unwrap(), pattern(WRF).unwrap());
        let sum = |tops, routing, pattern: &TrafficMatrix| {
            let drawn = Drawn::from_seed(&scope, 1, tops, routing, pattern).unwrap();
            drawn.sample.sum().scaled(1).unwrap()
        };
        for (tops, random, relabelled) in [(16, 86, 77), (4, 144, 135)] {
            assert_eq!(sum(tops, "random", &cg), random);
            assert_eq!(sum(tops, "rnca-u", &cg), relabelled);
        }
        assert_eq!((sum(16, "random", &wrf), sum(8, "random", &wrf)), (140, 188));
        assert_eq!((sum(16, "rnca-d", &wrf), sum(12, "rnca-d", &wrf)), (40, 80));
    }
}
