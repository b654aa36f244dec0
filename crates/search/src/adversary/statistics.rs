//! Averages over a sample of traffic.

use serde::Serialize;

use crate::rational::Rational;
use crate::sampling::Summary;

/// Statistics of a sample of load ÷ optu. The mean is exact for the sample; how far it may be from
/// the mean over all such traffic is an estimate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Size of the sample.
    pub trials: u64,
    /// Mean of load ÷ optu.
    pub mean: Rational,
    /// Half the width of the 95 % confidence interval of the mean, from the normal distribution.
    pub half_width: f64,
    /// The maximum value of the sample.
    pub most: Rational,
    /// Effective bisection bandwidth, for bisections under single-path routing: the mean over
    /// pairs of 1 ÷ the load of the most loaded link on the pair's path (Hoefler, Schneider and
    /// Lumsdaine, Cluster 2008).
    pub effective_bisection_bandwidth: Option<Rational>,
}

impl From<Summary> for Statistics {
    fn from(sample: Summary) -> Self {
        Self {
            trials: sample.count(),
            mean: sample.mean(),
            half_width: sample.half_width(),
            most: sample.most().clone(),
            effective_bisection_bandwidth: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 1, 1, 2, 4: mean 2, variance (1 + 1 + 0 + 4) ÷ 3 = 2.
        let counts = [(1, 2), (2, 1), (4, 1)].map(|(value, count)| (Rational::from(value), count));
        let found = Statistics::from(Summary::of(counts).unwrap());
        assert_eq!(
            (found.trials, found.mean, found.most),
            (4, Rational::from(2), Rational::from(4))
        );
        assert!((found.half_width - 1.96 * 0.5_f64.sqrt()).abs() < 1e-12);
    }
}
