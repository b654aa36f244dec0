//! The constants of RANDOM.

use crate::rational::Rational;

/// The constants of RANDOM. Those for which \[GL\] 4 proves its bounds are k1 = 4r/q and k2 = 36r
/// with q = 1/(e^4 r ln r); "much smaller values" should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Cycles per λ, above 0.
    pub k1: Rational,
    /// Cycles per lg n.
    pub k2: Rational,
    /// The congestion parameter of the fat-tree or an upper bound on it, at least 1.
    pub r: Rational,
}

impl Constants {
    /// The constants of the proof of \[GL\] Lemma 7: k1 = 4r/q with q = 1/(e^4 r ln r), to the sixth decimal,
    /// and k2 = 36r.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::delivery::Constants;
    /// let constants = Constants::of_the_proof(10.into());
    /// assert_eq!(constants.k2, 360.into());
    /// // 400 e^4 ln 10.
    /// assert!((constants.k1.to_f64() - 50_286.7).abs() < 0.1);
    /// ```
    #[must_use]
    pub fn of_the_proof(r: Rational) -> Self {
        let float = r.to_f64();
        let k1 = 4.0 * float * libm::exp(4.0) * float * libm::log(float);
        let six = Rational::from_decimal(&format!("{k1:.6}")).ok().filter(|k1| !k1.is_zero());
        Self { k1: six.unwrap_or(Rational::ONE), k2: &r * &Rational::from(36), r }
    }
}
