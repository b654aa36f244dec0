//! RANDOM and its subroutine TRY-GUESS (\[GL\] Figures 2 and 3), and RANDOM interleaved with cycles that send one
//! message.

use super::{Algorithm, AlgorithmError, Build, Facts};
use crate::prelude::*;
use crate::simulation::delivery::run::Run;
use crate::simulation::delivery::{Constants, DeliveryError, Guesses, Part, Phase};
use crate::spec::Positive;

pub(super) const RANDOM: Kind<Build> = Kind {
    name: "random",
    usage: "random(k1=4r/q,k2=36r,r=r)",
    about: "RANDOM: guesses of the load factor, for each of which random subsets are sent; by default \
            the constants of the proof of Lemma 7, q = 1/(e^4 r ln r), and the congestion parameter r",
    reference: "[GL] 3, Figure 2",
    examples: &["random", "random(k1=1,k2=1,r=2)"],
    build,
};

pub(super) const TRY_GUESS: Kind<Build> = Kind {
    name: "try-guess",
    usage: "try-guess(guess=2,k1=4r/q,k2=36r,r=r)",
    about: "TRY-GUESS with one guess of the load factor, again and again until all messages have arrived",
    reference: "[GL] 3, Figure 3",
    examples: &["try-guess", "try-guess(guess=8,k1=1,k2=1,r=2)"],
    build,
};

pub(super) const INTERLEAVED: Kind<Build> = Kind {
    name: "interleaved",
    usage: "interleaved(k1=4r/q,k2=36r,r=r)",
    about: "RANDOM, and after every cycle of it one in which a single message is sent, so that all have arrived \
            after two cycles for each message at the latest, under every rule of loss",
    reference: "[GL] 4, after Theorem 8",
    examples: &["interleaved", "interleaved(k1=1,k2=1,r=2)"],
    build,
};

struct Random {
    spec: String,
    guesses: Guesses,
    is_interleaved: bool,
}

#[derive(Deserialize)]
struct Options {
    k1: Option<Positive>,
    k2: Option<Positive>,
    r: Option<Positive>,
}

#[derive(Deserialize)]
struct Guess {
    guess: Positive,
}

fn build(spec: &Spec, facts: &Facts) -> Result<Box<dyn Algorithm>, AlgorithmError> {
    let Options { k1, k2, r } = spec.read()?;
    let [given_k1, given_k2, r] = [k1, k2, r].map(|number| number.map(|Positive(number)| number));
    let r = r.or_else(|| facts.congestion.clone()).ok_or_else(|| no_congestion(spec))?;
    let Constants { k1, k2, r } = Constants::of_the_proof(r);
    let (k1, k2) = (given_k1.unwrap_or(k1), given_k2.unwrap_or(k2));
    let is_try = spec.name == TRY_GUESS.name;
    let guess = is_try.then(|| spec.read().map(|Guess { guess: Positive(guess) }| guess));
    let guess = guess.transpose()?;
    let constants = Constants { k1, k2, r };
    let guesses = Guesses::new(facts.processors, &constants)?;
    let guesses = guess.iter().fold(guesses, Guesses::with_one_guess);
    let name = &spec.name;
    let text = canonical(name, guess.as_ref(), &constants);
    let is_interleaved = name == INTERLEAVED.name;
    Ok(Box::new(Random { spec: text, guesses, is_interleaved }))
}

/// The spec with all options.
fn canonical(name: &str, guess: Option<&Rational>, Constants { k1, k2, r }: &Constants) -> String {
    let guess = guess.map(|guess| format!("guess={},", decimal_text(guess))).unwrap_or_default();
    let [k1, k2, r] = [k1, k2, r].map(decimal_text);
    format!("{name}({guess}k1={k1},k2={k2},r={r})")
}

fn no_congestion(spec: &Spec) -> AlgorithmError {
    AlgorithmError::NoCongestion { spec: spec.to_string() }
}

impl Algorithm for Random {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn deliver(&self, run: &mut Run<'_>) -> Result<(), DeliveryError> {
        if self.is_interleaved {
            return interleave(self.guesses.clone(), run);
        }
        for Phase { lambda, probability, cycles, .. } in self.guesses.clone() {
            // Whether anything is left is asked between guesses only; the rest of a guess is counted.
            match lambda {
                Some(_) => run.send_each(probability.to_f64(), cycles)?,
                None if run.is_done() => run.count(cycles),
                None => run.send_all()?,
            }
            if run.is_done() && lambda.is_none() {
                break;
            }
        }
        Ok(())
    }
}

/// Every cycle of RANDOM, each followed by one with a single message, the first that waits.
fn interleave(guesses: Guesses, run: &mut Run<'_>) -> Result<(), DeliveryError> {
    let mut entry = 0;
    for Phase { lambda, probability, cycles, .. } in guesses {
        for _ in 0..cycles {
            match lambda {
                Some(_) => run.send_each(probability.to_f64(), 1)?,
                None => run.send_all()?,
            }
            if run.is_done() {
                return Ok(());
            }
            // Messages wait, so there is such an entry.
            while run.outbox().left(entry) == 0 {
                entry += 1;
            }
            run.send(&[Part { entry, count: 1 }])?;
            if run.is_done() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A number as a spec has it.
fn decimal_text(number: &Rational) -> String {
    number.to_decimal().unwrap_or_else(|| number.to_string())
}
