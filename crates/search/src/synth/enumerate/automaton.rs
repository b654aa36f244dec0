//! The state of a link, in an automaton that reads blocks.
//!
//! A block is a set of pairs between the n hosts of the link's leaf switch (rows) and the hosts of
//! another leaf switch (columns), as a bit set of n² cells, cell row·n + column. For every set R of
//! rows the state holds the number of columns, over all blocks read, with a pair outside R. The
//! link has mds ≤ X when |R| + that number ≤ X for some R; a number above X - |R| is stored as X -
//! |R| + 1, and a state in which all are above is dead. For down links rows are destinations.

use std::collections::HashMap;

/// Number of a state; 0 is the empty one.
pub(super) type State = u16;

/// The state that reads no further: mds is above X.
pub(super) const DEAD: State = State::MAX;

/// The automaton of links with mds ≤ X.
pub(super) struct Automaton {
    hosts: usize,
    /// The state after (state, block), block by block.
    next: Vec<Vec<State>>,
    /// Numbers of columns by set of rows, state by state.
    vectors: Vec<Vec<u8>>,
    ids: HashMap<Vec<u8>, State>,
}

impl Automaton {
    /// All states that blocks of n × n pairs lead to.
    pub(super) fn new(hosts: usize, most: usize) -> Self {
        let empty = vec![0; 1 << hosts];
        let mut automaton = Self {
            hosts,
            next: Vec::new(),
            vectors: vec![empty.clone()],
            ids: HashMap::from([(empty, 0)]),
        };
        let blocks: Vec<Vec<u8>> =
            (0..1_usize << (hosts * hosts)).map(|block| outside(hosts, block)).collect();
        while automaton.next.len() < automaton.vectors.len() {
            let from = automaton.vectors[automaton.next.len()].clone();
            let row = blocks.iter().map(|block| automaton.reach(&from, block, most)).collect();
            automaton.next.push(row);
        }
        automaton
    }

    fn reach(&mut self, from: &[u8], block: &[u8], most: usize) -> State {
        let mut alive = false;
        let mut sum = |(rows, (a, b)): (usize, (&u8, &u8))| {
            let total = usize::from(*a) + usize::from(*b);
            // A set of more than X rows never covers: what is stored for it means nothing.
            let Some(spare) = most.checked_sub(rows.count_ones() as usize) else { return 0 };
            alive |= total <= spare;
            column_count(total.min(spare + 1))
        };
        let vector: Vec<u8> = from.iter().zip(block).enumerate().map(&mut sum).collect();
        if !alive {
            return DEAD;
        }
        if let Some(id) = self.ids.get(&vector) {
            return *id;
        }
        let id = state(self.vectors.len());
        self.ids.insert(vector.clone(), id);
        self.vectors.push(vector);
        id
    }

    /// The state after a block.
    pub(super) fn after(&self, state: State, block: usize) -> State {
        if state == DEAD { DEAD } else { self.next[state as usize][block] }
    }

    /// The state with its rows relabelled: row i becomes `names[i]`.
    pub(super) fn renamed(&self, state: State, names: &[usize]) -> State {
        let old = &self.vectors[state as usize];
        let mut vector = vec![0; old.len()];
        for (rows, number) in old.iter().enumerate() {
            let members = (0..self.hosts).filter(|row| rows >> row & 1 == 1);
            let renamed: usize = members.map(|row| 1 << names[row]).sum();
            vector[renamed] = *number;
        }
        // Relabelling the blocks that lead here leads there.
        self.ids.get(&vector).copied().unwrap_or(DEAD)
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.vectors.len()
    }
}

/// The state at a position, or the end of a range of states.
pub(super) fn state(position: usize) -> State {
    State::try_from(position)
        .expect("leaf switches of at most 3 hosts have fewer than 5 · 4³ · 3³ states")
}

/// A number of columns as the states hold it.
fn column_count(columns: usize) -> u8 {
    u8::try_from(columns).expect("at most X + 1, and a link's X is at most that of a small tree")
}

/// For every set of rows, the number of columns of a block with a pair outside it.
fn outside(hosts: usize, block: usize) -> Vec<u8> {
    let cell = |row: usize, column: usize| block >> (row * hosts + column) & 1 == 1;
    let count = |rows: usize| {
        let has = |column: &usize| (0..hosts).any(|row| rows >> row & 1 == 0 && cell(row, *column));
        column_count((0..hosts).filter(has).count())
    };
    (0..1 << hosts).map(count).collect()
}

/// The block with rows and columns exchanged.
pub(super) fn transposed(hosts: usize, block: usize) -> usize {
    let cells = (0..hosts * hosts).filter(|cell| block >> cell & 1 == 1);
    cells.map(|cell| 1 << (cell % hosts * hosts + cell / hosts)).sum()
}
