//! The constants of RANDOM: \[GL\] 7 calls finding good ones "a multidimensional search in a large space,
//! where each data point represents an expensive simulation".
//!
//! RANDOM may count on being done when it has tried its first guess of at least λ(M): that takes a
//! number of cycles that k1 and k2 alone determine ([`Guesses::cycles_for`]), and fails with some
//! probability, which r decides too. Pairs k1, k2 are tried in the order of these cycles, each with every
//! r, until one fails with probability below 1/n on every set of messages.

use crate::sampling::proportion;
use crate::simulation::delivery::algorithm::build;
use crate::simulation::delivery::{
    Constants, DeliveryError, Ground, Guesses, Messages, Settings, bottleneck, figure_4, loss,
};
use crate::study::deliveries::{Point, ground};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Search>(
    &["gl-constants"],
    "[GL] 4, 7",
    "the constants k1, k2 and r with which RANDOM needs fewest cycles and fails with probability \
            below 1/n",
);

const K1: [&str; 11] = ["0.125", "0.25", "0.5", "1", "1.5", "2", "3", "4", "6", "8", "12"];
const K2: [&str; 10] = ["0.125", "0.25", "0.5", "1", "1.5", "2", "3", "4", "6", "8"];
const R: [&str; 6] = ["1", "1.25", "1.5", "2", "3", "4"];

const SETS: [&str; 5] = ["messages", "local(span=8)", "hot(percent=20)", "bitrev", "leaving"];
/// Between two guesses the number of cycles is the same for all load factors: several, so that some are just
/// below a guess.
const LOAD_FACTORS: [u64; 9] = [2, 3, 4, 6, 8, 12, 16, 24, 32];

/// Numbers of processors, each with the loss rule of an admissible switch and with that of the analysis.
const CASES: [(u64, &str); 6] =
    [(16, "random"), (64, "random"), (256, "random"), (16, "all"), (64, "all"), (256, "all")];

/// Runs of the first test of a set; then twice as many, up to [`MOST`] for each processor.
const FIRST: u64 = 16;
const MOST: u64 = 16;

/// The error of each side of an interval.
const ALPHA: (u64, u64) = (1, 40);

/// The best constants for one number of processors and loss rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Best {
    k1: String,
    k2: String,
    r: String,
    /// Number of constants that were tried.
    tried: u64,
    /// For every set of messages late runs and runs.
    runs: Vec<[u64; 2]>,
    /// The set that most constants failed for last.
    hardest: String,
}

/// The rows of the table.
struct Search(&'static [(u64, &'static str)]);

impl Rows for Search {
    /// `None` where no constants of the grid are good enough.
    type Key = (u64, &'static str);
    type Row = Option<Best>;

    fn keys(&self) -> &[(u64, &'static str)] {
        self.0
    }

    fn find(
        &self,
        &(processors, loss): &(u64, &'static str),
        progress: &Progress,
    ) -> Result<Option<Best>> {
        search(
            processors,
            loss,
            &candidates(processors)?,
            &sets(processors, &LOAD_FACTORS)?,
            progress,
        )
    }

    fn holds(&self, &(processors, _): &(u64, &'static str), found: &Option<Best>) -> bool {
        let is_good = |[late, runs]: &[u64; 2]| {
            late <= runs
                && *runs <= MOST * processors
                && judge(*late, *runs, processors) == Some(true)
        };
        found.as_ref().is_none_or(|best| {
            let is_known =
                K1.contains(&&*best.k1) && K2.contains(&&*best.k2) && R.contains(&&*best.r);
            is_known && best.runs.iter().all(is_good)
        })
    }
}

/// A pair k1, k2.
struct Candidate {
    k1: &'static str,
    k2: &'static str,
    /// The most that its cycles exceed the growth of Figure 4 by.
    cost: f64,
}

/// A set of messages on its network.
struct Set {
    ground: Ground,
    messages: Messages,
    name: String,
    load_factor: Rational,
}

fn number(text: &str) -> Rational {
    Rational::from_decimal(text).unwrap_or(Rational::ONE)
}

fn constants(k1: &str, k2: &str, r: &str) -> Constants {
    Constants { k1: number(k1), k2: number(k2), r: number(r) }
}

/// The guesses for constants, which are in range.
fn guesses(processors: u64, constants: &Constants) -> Result<Guesses> {
    let guesses = Guesses::new(crate::integer::as_size(processors), constants);
    guesses.map_err(|error| StudyError::Algorithm(error.into()))
}

/// All pairs by cost, the least first.
fn candidates(processors: u64) -> Result<Vec<Candidate>> {
    let mut all = Vec::new();
    for (k1, k2) in itertools::iproduct!(K1, K2) {
        let mut cost = 0.0_f64;
        for load_factor in LOAD_FACTORS {
            let guesses = guesses(processors, &constants(k1, k2, "1"))?;
            let cycles = guesses.cycles_for(&load_factor.into()).unwrap_or(u64::MAX) as f64;
            cost = cost
                .max(cycles / figure_4(crate::integer::as_size(processors), load_factor as f64));
        }
        all.push(Candidate { k1, k2, cost });
    }
    all.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Ok(all)
}

/// The sets of messages, on trees with a root channel.
fn sets(processors: u64, load_factors: &[u64]) -> Result<Vec<Set>> {
    let topology = format!("universal({processors},root=open)");
    let mut sets = Vec::new();
    for (messages, load_factor) in itertools::iproduct!(SETS, load_factors) {
        let point = Point {
            topology: topology.clone(),
            algorithm: String::new(),
            messages: messages.to_string(),
            loss: "random".to_string(),
            load_factor: Some((*load_factor).into()),
            runs: 1,
            seed: 1,
        };
        let ground = ground(&topology)?;
        let (messages, name) = point.messages(&ground, &Progress::silent())?;
        let found = bottleneck(ground.tree(), &messages)?.ok_or(DeliveryError::NoneSent)?;
        sets.push(Set { ground, messages, name, load_factor: found.load_factor });
    }
    Ok(sets)
}

/// The first candidate, with the least r, that is good enough for every set.
fn search(
    processors: u64,
    loss: &str,
    candidates: &[Candidate],
    sets: &[Set],
    progress: &Progress,
) -> Result<Option<Best>> {
    // Sets that failed others come first.
    let mut order: Vec<usize> = (0..sets.len()).collect();
    for (tried, (Candidate { k1, k2, .. }, r)) in (1..).zip(itertools::iproduct!(candidates, R)) {
        let constants = constants(k1, k2, r);
        let (runs, failed) = test_all(processors, &constants, loss, sets, &order, progress)?;
        if let Some(place) = failed {
            order[..=place].rotate_right(1);
            continue;
        }
        let [k1, k2, r] = [*k1, *k2, r].map(String::from);
        return Ok(Some(Best { k1, k2, r, tried, runs, hardest: sets[order[0]].name.clone() }));
    }
    Ok(None)
}

/// Late runs and runs of every set, and the place of the first in the order that is not good enough.
fn test_all(
    processors: u64,
    constants: &Constants,
    loss: &str,
    sets: &[Set],
    order: &[usize],
    progress: &Progress,
) -> Result<(Vec<[u64; 2]>, Option<usize>)> {
    let mut runs = vec![[0; 2]; sets.len()];
    for (place, set) in order.iter().enumerate() {
        let (is_good, counted) = test(processors, constants, loss, &sets[*set], progress)?;
        runs[*set] = counted;
        if !is_good {
            return Ok((runs, Some(place)));
        }
    }
    Ok((runs, None))
}

/// Whether runs on a set are late with probability below 1/n, as far as the runs tell; and the late
/// runs, and all.
fn test(
    processors: u64,
    constants: &Constants,
    loss: &str,
    Set { ground, messages, load_factor, .. }: &Set,
    progress: &Progress,
) -> Result<(bool, [u64; 2])> {
    let Constants { k1, k2, r } = constants;
    let [k1, k2, r] = [k1, k2, r].map(|number| number.to_decimal().unwrap_or_default());
    let algorithm = build(&format!("random(k1={k1},k2={k2},r={r})"), &ground.facts(messages))?;
    let in_time = guesses(processors, constants)?.cycles_for(load_factor).unwrap_or(u64::MAX);
    let quiet = progress.part(1.0);
    let [mut late, mut runs] = [0, 0];
    loop {
        let more = if runs == 0 { FIRST } else { runs };
        let settings = Settings { loss: loss::find(loss)?, seed: 1 + runs };
        let found = ground.deliver_often(&*algorithm, messages, settings, more, &quiet)?;
        progress.check()?;
        late += found.iter().filter(|run| run.cycles > in_time).count() as u64;
        runs += more;
        match judge(late, runs, processors) {
            Some(is_good) => return Ok((is_good, [late, runs])),
            None if runs >= MOST * processors => return Ok((false, [late, runs])),
            None => {}
        }
    }
}

/// Whether the probability is below 1/n, or above; `None` where neither is certain enough.
fn judge(late: u64, runs: u64, processors: u64) -> Option<bool> {
    let (alpha, wanted) = (Rational::new(ALPHA.0, ALPHA.1)?, Rational::new(1, processors)?);
    let [low, high] = proportion::interval(late, runs, &alpha);
    if high < wanted { Some(true) } else { (low > wanted).then_some(false) }
}

impl Entry for Search {
    type Row = Option<Best>;

    /// The small tier has the fewest processors, with one rule.
    fn of(tier: Tier) -> Result<Self> {
        Ok(Self(if tier == Tier::Small { &CASES[..1] } else { &CASES }))
    }

    fn finder(&self) -> Finder<'_, Option<Best>> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Option<Best>]) -> Result<Vec<Table>> {
        let cases = self.0.iter().zip(found);
        let lines = cases.map(|((processors, loss), best)| line(*processors, loss, best.as_ref()));
        let lines: Vec<Vec<String>> = lines.collect::<Result<_, _>>()?;
        Ok(vec![Table::new("table.csv", &HEADS, lines)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Option<Best>], tables: &[Table]) -> Result<Page> {
        Ok(Page::new(HEADER).tables(tables))
    }
}

const HEADS: [&str; 10] =
    ["n", "loss", "k1", "k2", "r", "cycles / growth", "tried", "late runs", "runs", "hardest set"];

fn line(processors: u64, loss: &str, best: Option<&Best>) -> Result<Vec<String>> {
    let head = [processors.to_string(), loss.to_string()];
    let Some(best) = best else {
        let none = std::iter::repeat_n("-".to_string(), HEADS.len() - head.len());
        return Ok(head.into_iter().chain(none).collect());
    };
    let Best { k1, k2, r, tried, runs, hardest } = best;
    let all = candidates(processors)?;
    let of = all.iter().find(|of| of.k1 == k1 && of.k2 == k2);
    let cost = of.map_or(0.0, |of| of.cost);
    let sum = |at: usize| runs.iter().map(|run| run[at]).sum::<u64>().to_string();
    let cells = [k1.clone(), k2.clone(), r.clone(), format!("{cost:.2}"), tried.to_string()];
    let counts = [sum(0), sum(1), hardest.clone()];
    Ok(head.into_iter().chain(cells).chain(counts).collect())
}

const HEADER: &str = include_str!("constants.header.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// No late run of 64, 1/16: (1 − p)^64 = 1/40 at p = 0.056 < 1/16. Half of them are late: above.
    #[test]
    fn probabilities_are_judged_by_their_intervals() {
        assert_eq!(judge(0, 64, 16), Some(true));
        assert_eq!(judge(0, 16, 16), None);
        assert_eq!(judge(32, 64, 16), Some(false));
    }

    /// Candidates are by cost; a single set of one message a processor takes the first that is enough.
    #[test]
    fn the_cheapest_constants_are_found() {
        let all = candidates(16).unwrap();
        assert_eq!(all.len(), K1.len() * K2.len());
        assert!(all.is_sorted_by(|a, b| a.cost <= b.cost));
        let sets = sets(16, &[4]).unwrap();
        let best = search(16, "random", &all, &sets, &Progress::silent()).unwrap().unwrap();
        let one = Search(&CASES[..1]);
        assert!(one.holds(&one.0[0], &Some(best.clone())));
        assert!(!one.holds(&one.0[0], &Some(Best { k1: "7".into(), ..best.clone() })));
        assert!(!one.holds(&one.0[0], &Some(Best { runs: vec![[9, 16]], ..best.clone() })));
        let cells = line(16, "random", Some(&best)).unwrap();
        assert_eq!(cells.len(), HEADS.len());
    }
}
