//! The exchanges of the conjugate gradient kernel CG of the NAS parallel benchmarks
//! (\[RO\] VI, VII, Fig. 3).
//!
//! The tasks, 2^b of them, form a grid of 2^⌊b/2⌋ rows and 2^⌈b/2⌉ columns, row by row. Row
//! sums take one exchange per bit of the column number: in phase i the XOR distance is 2^(i−1).
//! The program begins with the largest distance; the phases are numbered from the smallest, as
//! the paper lists them. The last phase transposes. With as many rows r as columns, task s sends
//! to (s mod r)·r + ⌊s/r⌋; with twice as many columns, pairs of tasks move together: q = ⌊s/2⌋
//! goes to q' = (q mod r)·r + ⌊q/r⌋, and s to 2q' + s mod 2. For 128 tasks r = 8, and the first
//! 16 tasks follow \[RO\] equation (2).

use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "cg",
    usage: "cg(tasks,phase=all,place=linear|random,seed=1)",
    about: "exchanges of NAS CG, 1 unit each: phases 1, 2, .. at XOR distance 1, 2, .. within a \
            row of the task grid, the last one transposes; tasks a power of 2",
    reference: "[RO] VI, VII; NAS Parallel Benchmarks, CG",
    examples: &["cg(128,phase=5)", "cg(128)", "cg(64,phase=4)", "cg(16,phase=1)"],
    build: super::Pattern::symmetric(build),
};

#[derive(Deserialize)]
struct Options<'s> {
    phase: &'s str,
}

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let count = tasks.count();
    if !count.is_power_of_two() {
        let near = 1_u32 << count.ilog2();
        return Err(tasks.bad(format!("{count} is not a power of two, such as {near}")).into());
    }
    let grid = Grid::of(count);
    let Options { phase } = spec.read()?;
    let phases = match phase {
        "all" => 1..=grid.phases(),
        text => {
            let phase = text.parse().ok().filter(|phase| (1..=grid.phases()).contains(phase));
            let phase = phase.ok_or_else(|| {
                let last = grid.phases();
                tasks.bad(format!("`phase={text}`: expected 1 to {last}, or all"))
            })?;
            phase..=phase
        }
    };
    let most = u64::from(count) * u64::from(grid.phases());
    tasks.traffic(most, phases.flat_map(|i| (0..count).map(move |s| (s, grid.partner(i, s)))))
}

/// The task grid.
#[derive(Clone, Copy)]
struct Grid {
    rows: u32,
    columns: u32,
}

impl Grid {
    fn of(tasks: u32) -> Self {
        let rows = 1 << (tasks.ilog2() / 2);
        Self { rows, columns: tasks / rows }
    }

    /// Number of phases, including the transposition.
    fn phases(self) -> u32 {
        self.columns.ilog2() + 1
    }

    /// The task that task s exchanges with in a phase.
    fn partner(self, phase: u32, s: u32) -> u32 {
        let Self { rows, columns } = self;
        let transposed = |q: u32| q % rows * rows + q / rows;
        if phase < self.phases() {
            s ^ (1 << (phase - 1))
        } else if rows == columns {
            transposed(s)
        } else {
            2 * transposed(s / 2) + s % 2
        }
    }
}
