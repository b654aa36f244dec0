//! The guesses of RANDOM (\[GL\] 3, Figures 2 and 3), as printed: with which probability it sends
//! every undelivered message in which cycle, whether or not others arrive.
//!
//! Line 1 of Figure 2 sends everything. The guesses of λ(M) are 2, 4, 16, … , each the square of the
//! one before, while k1·λ < k2·lg n; then (k2/k1)·lg n·lg lg n, 2·(k2/k1)·lg n·lg lg n, and so on.
//! For each guess TRY-GUESS (Figure 3) takes λ, λ/2, λ/4, … while they are above 1, makes
//! max{k1·λ, k2·lg n} cycles with probability 1/(rλ), and sends everything once more in the end.
//! Only there, between two guesses, does RANDOM ask whether all messages are delivered.
//!
//! What the print leaves open:
//! - A number of cycles that is not whole is rounded down, as `for i ← 1 to x do` means. The proof
//!   of Lemma 7 takes it to be x: with k1 + 1 and k2 + 1 in place of k1 and k2 the loop makes at least
//!   x cycles, since λ > 1 and lg n ≥ 1.
//! - For n = 2, lg lg n = 0: the guess of line 8 is 0 and remains 0 however often it is doubled, so
//!   RANDOM sends everything forever, as GREEDY does. We leave it at that: under an admissible rule
//!   of loss every cycle delivers a message, so it ends.
//! - (k2/k1)·lg n·lg lg n may be 1 or less, as with the constants of the proof, r = 4e and n ≤ 2^31:
//!   TRY-GUESS then makes only its last cycle. For n = 3 it may be less than the squares before it.
//!
//! lg n and lg lg n are rounded down to multiples of 2^−60, by less than 2^−55; where they are
//! whole, they are exact. So very large numbers of cycles may be too small by a part of 2^−55.
//! Numbers are rational, so that every machine makes the same cycles.

use dashu_int::UBig;

use super::constants::Constants;
use crate::rational::Rational;

/// Cycles in which every undelivered message is sent with the same probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The guess that TRY-GUESS was called with; `None` in line 1 of Figure 2.
    pub guess: Option<Rational>,
    /// λ in the loop of TRY-GUESS; `None` where everything is sent, which ends a guess.
    pub lambda: Option<Rational>,
    /// 1/(rλ), or 1 where everything is sent.
    pub probability: Rational,
    /// Number of cycles, possibly 0; [`u64::MAX`] also stands for more.
    pub cycles: u64,
}

/// Why there are no guesses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum GuessesError {
    #[error("RANDOM on {hosts} hosts: it takes lg lg n, so use a tree of at least 2 hosts")]
    TooFewHosts { hosts: usize },
    #[error("k1 = 0: RANDOM divides by it, so choose a positive number")]
    NoCycles,
    #[error(
        "r = {r}: RANDOM sends with probability 1/(r lambda), so choose at least 1, such as the congestion parameter"
    )]
    SmallParameter { r: Rational },
}

/// The phases of RANDOM, without end: it is up to the caller to stop when all messages are
/// delivered.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::{Constants, Guesses};
/// let constants = Constants { k1: 1.into(), k2: 1.into(), r: 4.into() };
/// // lg n = 4 and lg lg n = 2: the guesses are 2, then 8, 16, 32, ...
/// let phases: Vec<_> = Guesses::new(16, &constants)?.take(12).collect();
/// let cycles: Vec<u64> = phases.iter().map(|phase| phase.cycles).collect();
/// assert_eq!(cycles, [1, 4, 1, 8, 4, 4, 1, 16, 8, 4, 4, 1]);
/// let third = &phases[3];
/// assert_eq!((third.guess.clone(), third.lambda.clone()), (Some(8.into()), Some(8.into())));
/// assert_eq!(third.probability.to_string(), "1/32");
/// # Ok::<(), routebound::simulation::delivery::GuessesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Guesses {
    constants: Constants,
    /// k2·lg n.
    least: Rational,
    /// The guess of line 8.
    eighth: Rational,
    state: State,
}

/// The guess after this one.
#[derive(Clone, Copy, Debug)]
enum Then {
    Squared,
    Doubled,
    Same,
}

/// Next step.
#[derive(Clone, Debug)]
enum State {
    Line1,
    Trying { guess: Rational, lambda: Rational, then: Then },
}

impl Guesses {
    /// The guesses on a fat-tree of `hosts` hosts.
    ///
    /// # Errors
    /// [`GuessesError`] for fewer than 2 hosts and constants out of range.
    pub fn new(hosts: usize, constants: &Constants) -> Result<Self, GuessesError> {
        if hosts < 2 {
            return Err(GuessesError::TooFewHosts { hosts });
        }
        let once = lg((hosts as u128) << PLACES);
        Self::by_logarithms(&fraction(once), &fraction(lg(once)), constants)
    }

    /// The guesses for given values of lg n and lg lg n.
    ///
    /// # Errors
    /// [`GuessesError`] for constants out of range.
    pub fn by_logarithms(
        lg: &Rational,
        lglg: &Rational,
        constants: &Constants,
    ) -> Result<Self, GuessesError> {
        let Constants { k1, k2, r } = constants;
        if *r < Rational::ONE {
            return Err(GuessesError::SmallParameter { r: r.clone() });
        }
        let least = k2 * lg;
        let eighth = (&least * lglg).checked_div(k1).ok_or(GuessesError::NoCycles)?;
        Ok(Self { constants: constants.clone(), least, eighth, state: State::Line1 })
    }

    /// TRY-GUESS alone: with the same guess forever, and without line 1 of RANDOM.
    #[must_use]
    pub fn with_one_guess(mut self, guess: &Rational) -> Self {
        self.state = trying(guess.clone(), Then::Same);
        self
    }

    /// The guesses that are still to be tried, each with the number of cycles from here to the end
    /// of its TRY-GUESS; from a new iterator these are all cycles of RANDOM, line 1 included.
    pub fn tried(self) -> impl Iterator<Item = (Rational, u64)> {
        let mut cycles = 0_u64;
        self.filter_map(move |phase| {
            cycles = cycles.saturating_add(phase.cycles);
            phase.guess.filter(|_| phase.lambda.is_none()).map(|guess| (guess, cycles))
        })
    }

    /// Number of cycles until the first guess of at least λ(M) has been tried, as \[GL\] 4 counts
    /// them for Theorem 8: 1 for λ(M) ≤ 1, `None` where no guess is that large.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::delivery::{Constants, Guesses};
    /// let constants = Constants { k1: 1.into(), k2: 1.into(), r: 4.into() };
    /// let guesses = Guesses::new(16, &constants)?;
    /// // 1, then 4 + 1 for the guess 2, and 8 + 4 + 4 + 1 for the guess 8.
    /// assert_eq!(guesses.clone().cycles_for(&2.into()), Some(6));
    /// assert_eq!(guesses.cycles_for(&3.into()), Some(23));
    /// # Ok::<(), routebound::simulation::delivery::GuessesError>(())
    /// ```
    #[must_use]
    pub fn cycles_for(self, lambda: &Rational) -> Option<u64> {
        if *lambda <= Rational::ONE {
            return Some(1);
        }
        // A guess of 0 is doubled forever.
        let mut tried = self.tried().take_while(|(guess, _)| !guess.is_zero());
        tried.find(|(guess, _)| guess >= lambda).map(|(_, cycles)| cycles)
    }

    /// max{k1·λ, k2·lg n} cycles with probability 1/(rλ), for λ > 0.
    fn inner(&self, guess: &Rational, lambda: &Rational) -> Phase {
        let Constants { k1, r, .. } = &self.constants;
        let cycles = (k1 * lambda).max(self.least.clone()).floor();
        Phase {
            guess: Some(guess.clone()),
            lambda: Some(lambda.clone()),
            probability: Rational::ONE.checked_div(&(r * lambda)).unwrap_or(Rational::ONE),
            cycles: u64::try_from(&cycles).unwrap_or(u64::MAX),
        }
    }

    /// Lines 4 and 8: the square that comes next, if it is small enough.
    fn squared(&self, square: Rational) -> State {
        if &self.constants.k1 * &square < self.least {
            trying(square, Then::Squared)
        } else {
            trying(self.eighth.clone(), Then::Doubled)
        }
    }
}

fn trying(guess: Rational, then: Then) -> State {
    State::Trying { lambda: guess.clone(), guess, then }
}

/// One cycle with everything that is not delivered.
fn everything(guess: Option<Rational>) -> Phase {
    Phase { guess, lambda: None, probability: Rational::ONE, cycles: 1 }
}

impl Iterator for Guesses {
    type Item = Phase;

    fn next(&mut self) -> Option<Phase> {
        let two = Rational::from(2);
        let (phase, state) = match &self.state {
            State::Line1 => (everything(None), self.squared(two)),
            State::Trying { guess, lambda, then } if *lambda > Rational::ONE => {
                let (guess, then) = (guess.clone(), *then);
                let phase = self.inner(&guess, lambda);
                (phase, State::Trying { guess, lambda: lambda.checked_div(&two)?, then })
            }
            State::Trying { guess, then, .. } => {
                let state = match then {
                    Then::Squared => self.squared(guess * guess),
                    Then::Doubled => trying(guess * &two, *then),
                    Then::Same => trying(guess.clone(), *then),
                };
                (everything(Some(guess.clone())), state)
            }
        };
        self.state = state;
        Some(phase)
    }
}

/// Fractional bits of logarithms.
const PLACES: u32 = 60;

/// lg x for x ≥ 1, both in units of 2^−60, rounded down: the mantissa is squared for bit after bit.
/// A rounding of one of them, by 2^−60 of it at most, counts half as much as the one before.
fn lg(x: u128) -> u128 {
    let exponent = x.ilog2();
    let mut mantissa = x << (127 - exponent) >> (127 - PLACES);
    let mut result = u128::from(exponent - PLACES) << PLACES;
    for place in (0..PLACES).rev() {
        mantissa = (mantissa * mantissa) >> PLACES;
        if mantissa >> PLACES > 1 {
            mantissa >>= 1;
            result |= 1 << place;
        }
    }
    result
}

fn fraction(fixed: u128) -> Rational {
    Rational::from_big(fixed.into(), UBig::ONE << PLACES as usize).unwrap_or(Rational::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants([k1, k2, r]: [&str; 3]) -> Constants {
        let [k1, k2, r] = [k1, k2, r].map(|text| text.parse().unwrap());
        Constants { k1, k2, r }
    }

    /// The figures line by line in floats, with line numbers, up to `most` phases: guess (0 in
    /// line 1), probability and cycles.
    fn printed(n: f64, k1: f64, k2: f64, r: f64, most: usize) -> Vec<(f64, f64, f64)> {
        let mut phases = vec![(0.0, 1.0, 1.0)];
        let try_guess = |guess: f64, phases: &mut Vec<(f64, f64, f64)>| {
            let mut lambda = guess;
            while lambda > 1.0 {
                let cycles = (k1 * lambda).max(k2 * n.log2()).floor();
                phases.push((guess, 1.0 / (r * lambda), cycles));
                lambda /= 2.0;
            }
            phases.push((guess, 1.0, 1.0));
        };
        let mut guess = 2.0;
        while k1 * guess < k2 * n.log2() {
            try_guess(guess, &mut phases);
            guess *= guess;
        }
        guess = (k2 / k1) * n.log2() * n.log2().log2();
        while phases.len() < most {
            try_guess(guess, &mut phases);
            guess *= 2.0;
        }
        phases.truncate(most);
        phases
    }

    #[test]
    fn the_figures_in_floats_agree() {
        for hosts in [2_u32, 3, 4, 5, 8, 12, 16, 100, 1024, 1 << 20, u32::MAX] {
            for text in
                [["1", "1", "4"], ["1/2", "7", "87/8"], ["9/2", "1/3", "1"], ["3", "0", "6"]]
            {
                let known = constants(text);
                let [k1, k2, r] = [&known.k1, &known.k2, &known.r].map(Rational::to_f64);
                let expected = printed(hosts.into(), k1, k2, r, 60);
                let found = Guesses::new(hosts as usize, &known).unwrap().take(60);
                for (phase, (guess, probability, cycles)) in found.zip(&expected) {
                    let found = phase.guess.map_or(0.0, |guess| guess.to_f64());
                    assert!((found - guess).abs() <= 1e-12 * guess, "{hosts} {text:?}: {guess}");
                    assert!((phase.probability.to_f64() - probability).abs() < 1e-12);
                    let whole = crate::integer::rounded(*cycles);
                    assert_eq!(phase.cycles, whole, "{hosts} {text:?} {guess} {probability}");
                }
            }
        }
    }

    /// lg 2 = 1 and lg lg 2 = 0: one guess of 2 where k1·2 < k2, then the guess stays 0.
    #[test]
    fn two_hosts_send_everything_for_ever() {
        let sent = |text| {
            let phases = Guesses::new(2, &constants(text)).unwrap().take(100);
            phases.map(|phase| (phase.guess.unwrap_or_default(), phase.cycles)).collect::<Vec<_>>()
        };
        assert!(sent(["1", "1", "4"]).iter().all(|phase| *phase == (Rational::ZERO, 1)));
        let found = sent(["1", "9/2", "4"]);
        let two = |cycles| (Rational::from(2), cycles);
        assert_eq!(found[1..4], [two(4), two(1), (Rational::from(4), 4)]);
        assert!(found[7..].iter().all(|phase| *phase == (Rational::ZERO, 1)));
    }

    /// k1 = 4r/q and k2 = 36r with r = 4e: some 61,600 and 391. The squares begin above n = 2^314,
    /// and for 2^20 hosts the guess of line 8 is 0.55.
    #[test]
    fn constants_of_the_proof_begin_below_1() {
        let mut phases = Guesses::new(1 << 20, &constants(["61600", "391", "87/8"])).unwrap();
        assert_eq!(phases.next().unwrap().guess, None);
        let next = phases.next().unwrap();
        assert!((next.guess.unwrap().to_f64() - 0.5487).abs() < 1e-3);
        assert_eq!((next.lambda, next.cycles), (None, 1));
        // 2 · 391 · 20 · lg 20 = 67,594.955, above 391 · 20.
        let next = phases.next().unwrap();
        assert!((next.lambda.unwrap().to_f64() - 1.0973).abs() < 1e-3);
        assert_eq!(next.cycles, 67_594);
    }

    /// Guesses 2 and 4 with k2·lg n = 10 and k1 = 2, then 10/2 · lg lg 16 = 10.
    #[test]
    fn cycles_by_hand() {
        let guesses = Guesses::new(16, &constants(["2", "5/2", "4"])).unwrap();
        let cycles = |lambda: u64| guesses.clone().cycles_for(&lambda.into());
        // 1; 10 + 1; 10 + 10 + 1; and for the guess 10 its λ are 10, 5, 2.5, 1.25.
        assert_eq!([1, 2, 4, 5].map(cycles), [1, 12, 33, 33 + 20 + 3 * 10 + 1].map(Some));
        let two = Guesses::new(2, &constants(["1", "9/2", "4"])).unwrap();
        assert_eq!(two.clone().cycles_for(&4.into()), Some(1 + 5 + 4 + 4 + 1));
        assert_eq!(two.cycles_for(&5.into()), None);
    }

    #[test]
    fn logarithms_are_rounded_down() {
        let at = |hosts: u128| fraction(lg(hosts << PLACES));
        let by = |hosts: u128| fraction(lg(lg(hosts << PLACES)));
        for power in [0, 1, 2, 16, 31, 63] {
            assert_eq!(at(1 << power), Rational::from(power), "{power}");
        }
        assert_eq!([4, 16, 1 << 32].map(by), [1, 2, 5].map(Rational::from));
        // lg 3 and lg lg 3 to 18 places.
        let known =
            ["1584962500721156181/1000000000000000000", "664448707453889383/1000000000000000000"];
        let close = Rational::new(1, 1_000_000_000_000_000).unwrap();
        for (found, known) in [at(3), by(3)].iter().zip(known) {
            let known: Rational = known.parse().unwrap();
            assert!(*found <= &known + &close && known <= found + &close, "{found}");
        }
    }

    #[test]
    fn one_guess_is_tried_again_and_again() {
        let guesses = Guesses::new(16, &constants(["1", "1", "4"])).unwrap();
        let phases = guesses.with_one_guess(&Rational::from(8)).take(8);
        let cycles: Vec<u64> = phases.map(|phase| phase.cycles).collect();
        assert_eq!(cycles, [8, 4, 4, 1, 8, 4, 4, 1]);
    }

    #[test]
    fn what_has_no_guesses_is_refused() {
        let refused = |hosts, text| Guesses::new(hosts, &constants(text)).unwrap_err();
        assert_eq!(refused(1, ["1", "1", "1"]), GuessesError::TooFewHosts { hosts: 1 });
        assert_eq!(refused(4, ["0", "1", "1"]), GuessesError::NoCycles);
        let r = Rational::new(1, 2).unwrap();
        assert_eq!(refused(4, ["1", "1", "1/2"]), GuessesError::SmallParameter { r });
    }
}
