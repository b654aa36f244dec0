//! Rectangle covers of two-level trees, by exhaustive search.
//!
//! Let top switch t carry the SD pairs with source index in A_t and destination index in B_t, of at
//! most X indices each. When the w rectangles A_t × B_t cover the n × n grid of indices, every link
//! has a cover of X hosts, so the oblivious ratio is at most X. `grid` has a closed form that is
//! best where w = n; the search finds others, such as X = 3 for n = 4, w = 3, where `grid` has 4.
//!
//! The search branches on the cell with the fewest rectangles that can still be extended to contain
//! it. It prunes where rows (or columns) need more places in rectangles than are free: row i, with
//! u uncovered cells, of which its rectangles can take f more, must be in ⌈(u − f)/X⌉ others.

use crate::progress::Progress;

/// Maximum number of indices, the bits of a set.
pub const MAX_INDICES: u32 = 64;

/// Maximum steps of one search.
const MAX_STEPS: u32 = 1 << 14;

/// A × B, each a set of indices by bits.
pub type Rectangle = (u64, u64);

/// The result of a search for a cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A cover.
    Cover(Vec<Rectangle>),
    /// No such cover exists.
    None,
    /// Neither within the limits.
    Open,
}

/// Searches for a cover of the n × n grid by `rectangles` rectangles of at most `most` × `most`, in
/// at most 16,384 steps of O(n²·rectangles).
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{progress::Progress, synth::rectangles::{Answer, cover}};
/// let found = |most| cover(4, 3, most, &Progress::silent());
/// assert!(matches!(found(3), Answer::Cover(_)));
/// assert_eq!(found(2), Answer::None);
/// ```
#[must_use]
pub fn cover(n: u32, rectangles: u32, most: u32, progress: &Progress) -> Answer {
    if n > MAX_INDICES || most == 0 || progress.cancelled() {
        return Answer::Open;
    }
    let padded = |mut cover: Vec<Rectangle>| {
        cover.resize(rectangles as usize, (0, 0));
        Answer::Cover(cover)
    };
    if rectangles >= n && n.div_ceil(most) <= most {
        return padded(shifted(n, most));
    }
    // One for every cell is enough.
    let empty = vec![(0, 0); rectangles.min(n * n) as usize];
    let mut search = RectangleSearch { n, most, rectangles: empty, steps: 0, progress };
    match search.run() {
        Some(true) => padded(search.rectangles),
        Some(false) => Answer::None,
        None => Answer::Open,
    }
}

/// The cover of `grid` by the n shifts of one rectangle, {0..X−1} × {0, X, 2X, …}: the differences
/// bX − a of its cells are all residues modulo n.
fn shifted(n: u32, most: u32) -> Vec<Rectangle> {
    let set = |indices: &mut dyn Iterator<Item = u32>| {
        indices.fold(0_u64, |set, index| set | 1 << (index % n))
    };
    let rectangle = |t| {
        let rows = set(&mut (0..most.min(n)).map(|a| t + a));
        (rows, set(&mut (0..n.div_ceil(most)).map(|b| t + b * most)))
    };
    (0..n).map(rectangle).collect()
}

struct RectangleSearch<'p> {
    n: u32,
    most: u32,
    rectangles: Vec<Rectangle>,
    steps: u32,
    progress: &'p Progress,
}

/// An uncovered cell, and the rectangles that can take it.
struct Cell {
    row: u32,
    column: u32,
    choices: Vec<usize>,
}

impl RectangleSearch<'_> {
    /// Whether the rectangles so far can be extended to a cover; `None` at a limit.
    fn run(&mut self) -> Option<bool> {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.progress.cancelled() {
            return None;
        }
        let rows = self.wanted(|rectangle| rectangle);
        let columns = self.wanted(|(a, b)| (b, a));
        if rows.is_none() || columns.is_none() {
            return Some(false);
        }
        let Some(Cell { row, column, choices }) = self.tightest() else { return Some(true) };
        for place in choices {
            let before = self.rectangles[place];
            self.rectangles[place] = (before.0 | 1 << row, before.1 | 1 << column);
            let found = self.run();
            if found != Some(false) {
                return found;
            }
            self.rectangles[place] = before;
        }
        Some(false)
    }

    /// Places in rectangles that rows need in total, `None` if there are fewer; columns
    /// when `turned` exchanges the sides.
    fn wanted(&self, turned: impl Fn(Rectangle) -> Rectangle) -> Option<u32> {
        let turned: Vec<Rectangle> = self.rectangles.iter().map(|r| turned(*r)).collect();
        let free: u32 = turned.iter().map(|(a, _)| self.most - a.count_ones()).sum();
        let mut wanted = 0;
        for row in 0..self.n {
            let (mut covered, mut open) = (0_u64, 0);
            for (_, b) in turned.iter().filter(|(a, _)| a >> row & 1 == 1) {
                covered |= b;
                open += self.most - b.count_ones();
            }
            let missing = self.n - covered.count_ones();
            wanted += missing.saturating_sub(open).div_ceil(self.most);
        }
        (wanted <= free).then_some(wanted)
    }

    /// The uncovered cell with the fewest rectangles that can take it, the first on a tie. Empty
    /// rectangles are all alike: one is enough.
    fn tightest(&self) -> Option<Cell> {
        let mut best: Option<Cell> = None;
        for (row, column) in (0..self.n).flat_map(|row| (0..self.n).map(move |c| (row, c))) {
            let has = |(a, b): &Rectangle| a >> row & 1 == 1 && b >> column & 1 == 1;
            if self.rectangles.iter().any(has) {
                continue;
            }
            let choices = self.choices(row, column);
            if best.as_ref().is_none_or(|best| choices.len() < best.choices.len()) {
                best = Some(Cell { row, column, choices });
            }
        }
        best
    }

    /// Rectangles that can be extended to contain a cell, those that grow least first.
    fn choices(&self, row: u32, column: u32) -> Vec<usize> {
        let fits = |set: u64, index: u32| set >> index & 1 == 1 || set.count_ones() < self.most;
        let mut had_empty = false;
        let mut choices = Vec::new();
        for (place, (a, b)) in self.rectangles.iter().enumerate() {
            let is_empty = *a == 0;
            if fits(*a, row) && fits(*b, column) && !(is_empty && had_empty) {
                choices.push(place);
            }
            had_empty |= is_empty;
        }
        let growth = |place: &usize| {
            let (a, b) = self.rectangles[*place];
            (!a >> row & 1) + (!b >> column & 1)
        };
        choices.sort_by_key(growth);
        choices
    }
}
