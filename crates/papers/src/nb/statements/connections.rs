//! \[NB\] II: Clos(n,m,r) as a telephone exchange, whose connections are set up and released one at a time and never
//! moved.
//!
//! Middle switch number i has one link to each of the r output switches and one from each of the r input switches, so
//! that its connections are a partial permutation of the switches. All states that an algorithm can come to from the
//! empty network are searched, with every order of set-ups and releases; a network blocks where an input switch and an
//! output switch both have an idle port and no middle switch is free on both sides. Where any choice is allowed, a state
//! that blocks still blocks without one of its middle switches and the connections of that one, which is a state too:
//! so the m that block are all below the least that does not.

use std::collections::BTreeSet;

use crate::theorem::prelude::*;

pub(super) const STRICTLY: Statement = Statement::new("nb-strictly", "[NB] II")
    .about("Clos(n,m,r) with m >= 2n-1 middle switches never blocks, whatever the connections and the middle switches that they were given")
    .hypothesis("n = 1..6 for r = 1, 2, n = 1, 2 for r = 3, in a full run also 3: the least m that never blocks, by a search of all states that any choices lead to")
    .quote("Clos showed [2] that $Clos(n, m, r)$ is strictly nonblocking if the number of middle stage switches $m \\geq 2n - 1$.")
    .cases(|scope| strictly(scope, |n| 2 * n - 1))
    .planted(Planted::Check(|scope| strictly(scope, |n| 2 * n - 2)));

pub(super) const WIDE_SENSE: Statement = Statement::new("nb-wide-sense", "[NB] II, with the numbers of two algorithms")
    .about("The least m with which Clos(n,m,2) is wide-sense nonblocking is floor(3n/2) where a connection takes the fullest middle switch that is free for it, and 2n-1 where it takes the first one")
    .hypothesis("n = 1..6 for the fullest, n = 1..3 for the first, in a full run also 4: a search of all states that the algorithm leads to; the numbers are not printed")
    .sharpened()
    .quote("The conditions for a network to be wide-sense nonblocking depend on the routing algorithm; some results are obtained by Benes [4] and Yang [16].")
    .cases(|scope| wide_sense(scope, |n| 3 * n / 2))
    .planted(Planted::Check(|scope| wide_sense(scope, |n| 2 * n - 1)));

/// The middle switch that a connection takes, of those that are free for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// Any.
    Any,
    /// One of those that have the most connections: packing.
    Fullest,
    /// The one of the lowest number.
    First,
}

/// The switch that each input switch is connected to by a middle switch.
type Middle = Vec<Option<u8>>;

/// The middle switches, in a fixed order where the choice does not see their numbers.
type State = Vec<Middle>;

#[derive(Clone, Copy)]
struct Clos {
    n: u64,
    m: u64,
    r: u8,
    choice: Choice,
}

impl Clos {
    /// Whether no state that can be reached blocks a connection.
    fn never_blocks(self, scope: &Scope) -> Result<bool> {
        let empty = vec![vec![None; self.r.into()]; as_size(self.m)];
        let (mut known, mut front) = (BTreeSet::from([empty.clone()]), vec![empty]);
        while let Some(state) = front.pop() {
            scope.progress.check()?;
            let Some(mut next) = self.set_up(&state) else { return Ok(false) };
            next.extend(self.release(&state));
            for state in next {
                if known.insert(state.clone()) {
                    front.push(state);
                }
            }
        }
        Ok(true)
    }

    /// The states after one more connection, or none where one is blocked.
    fn set_up(self, state: &State) -> Option<Vec<State>> {
        let outputs = || state.iter().flatten().flatten();
        let is_idle = |used: usize| (used as u64) < self.n;
        let from = |a: &u8| is_idle(state.iter().filter(|k| k[usize::from(*a)].is_some()).count());
        let to = |b: &u8| is_idle(outputs().filter(|output| *output == b).count());
        let mut next = Vec::new();
        for (a, b) in iproduct!((0..self.r).filter(from), (0..self.r).filter(to)) {
            let taken = self.taken(state, a, b);
            if taken.is_empty() {
                return None;
            }
            next.extend(taken.into_iter().map(|middle| self.changed(state, middle, a, Some(b))));
        }
        Some(next)
    }

    /// The middle switches that a connection from `a` to `b` may take.
    fn taken(self, state: &State, a: u8, b: u8) -> Vec<usize> {
        let is_free =
            |middle: &Middle| middle[usize::from(a)].is_none() && !middle.contains(&Some(b));
        let load = |at: &usize| state[*at].iter().flatten().count();
        let mut free: Vec<usize> = (0..state.len()).filter(|at| is_free(&state[*at])).collect();
        match self.choice {
            Choice::Any => {}
            Choice::First => free.truncate(1),
            Choice::Fullest => {
                let most = free.iter().map(load).max();
                free.retain(|at| Some(load(at)) == most);
            }
        }
        free
    }

    /// The states after one connection less.
    fn release(self, state: &State) -> Vec<State> {
        let all = iproduct!(0..state.len(), 0..self.r);
        let busy = all.filter(|(middle, a)| state[*middle][usize::from(*a)].is_some());
        busy.map(|(middle, a)| self.changed(state, middle, a, None)).collect()
    }

    fn changed(self, state: &State, middle: usize, a: u8, to: Option<u8>) -> State {
        let mut state = state.clone();
        state[middle][usize::from(a)] = to;
        if self.choice != Choice::First {
            state.sort_unstable();
        }
        state
    }
}

/// The least m with which Clos(n,m,r) does not block. With fewer than n middle switches n connections of one input
/// switch do not fit.
fn least(n: u64, r: u8, choice: Choice, scope: &Scope) -> Result<u64> {
    let mut m = n;
    while !(Clos { n, m, r, choice }.never_blocks(scope)?) {
        m += 1;
    }
    Ok(m)
}

fn strictly(scope: &Scope, claimed: fn(u64) -> u64) -> Findings {
    let most = if scope.full { 3 } else { 2 };
    let few = iproduct!([1, 2], 1..=6);
    scope.each(few.chain((1..=most).map(|n| (3, n))), |(r, n)| {
        let least = least(n, r, Choice::Any, scope)?;
        let case = format!("n = {n}, r = {r}");
        Ok(Finding::at_most(case, claimed(n), least, Basis::Exhaustive))
    })
}

/// The least m of two choices, the former as claimed.
fn wide_sense(scope: &Scope, claimed: fn(u64) -> u64) -> Findings {
    let most = if scope.full { 4 } else { 3 };
    let fullest = (1..=6).map(|n| (n, "fullest", claimed(n), Choice::Fullest));
    let first = (1..=most).map(|n| (n, "first", 2 * n - 1, Choice::First));
    scope.each(fullest.chain(first), |(n, name, claimed, choice)| {
        let case = format!("n = {n}, {name} middle switch");
        let least = least(n, 2, choice, scope)?;
        Ok(Finding::equal(case, claimed, least, Basis::Exhaustive))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clos(2,2,2) with 0 to 1 on one middle switch and 1 to 0 on the other, where 0 to 0 finds both busy.
    #[test]
    fn a_blocked_connection_by_hand() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let clos = Clos { n: 2, m: 2, r: 2, choice: Choice::Any };
        let blocked = vec![vec![None, Some(0)], vec![Some(1), None]];
        assert_eq!(clos.set_up(&blocked), None);
        assert!(!clos.never_blocks(&scope).unwrap());
        // Packing puts the second connection on the first middle switch, but may be left with both by a release.
        let one = vec![vec![None, None], vec![Some(1), None]];
        let packed = Clos { choice: Choice::Fullest, ..clos };
        assert_eq!(packed.taken(&one, 1, 0), [1]);
        assert_eq!(packed.taken(&one, 0, 0), [0]);
        assert!(!packed.never_blocks(&scope).unwrap());
        assert!(Clos { m: 3, ..packed }.never_blocks(&scope).unwrap());
    }

    /// The states of any choice are all sets of m partial permutations with at most n of a switch.
    #[test]
    fn any_choices_lead_to_every_state() {
        let clos = Clos { n: 2, m: 3, r: 2, choice: Choice::Any };
        let middles = || iproduct!([None, Some(0), Some(1)], [None, Some(0), Some(1)]);
        let middles = middles().filter(|(a, b)| a.is_none() || a != b);
        let middles: Vec<Middle> = middles.map(|(a, b)| vec![a, b]).collect();
        assert_eq!(middles.len(), 7);
        let all = Itertools::combinations_with_replacement(middles.into_iter(), 3);
        let fits = |state: &State| {
            let row = |a: usize| state.iter().filter(|k| k[a].is_some()).count();
            let column = |b: u8| state.iter().filter(|k| k.contains(&Some(b))).count();
            row(0).max(row(1)).max(column(0)).max(column(1)) <= 2
        };
        let all: BTreeSet<State> = all
            .map(|mut state| {
                state.sort_unstable();
                state
            })
            .filter(fits)
            .collect();
        let (mut known, mut front) = (BTreeSet::new(), vec![vec![vec![None, None]; 3]]);
        while let Some(state) = front.pop() {
            if known.insert(state.clone()) {
                front.extend(clos.set_up(&state).unwrap());
            }
        }
        assert_eq!(known, all);
    }
}
