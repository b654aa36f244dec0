//! Processor time of CAMINOS and of routebound for the same simulated work:
//! `cargo run --release --example speed`.

use std::time::Instant;

use routebound::simulation::packet::Arrivals;
use routebound_caminos::{Arbiter, Case, Run, embedded};

const fn case(down: &'static [usize], up: &'static [usize]) -> Case {
    Case { down, up, flits: 16, input_queue: 4, output_queue: 4, switch: 1, link: 1 }
}

/// The trees, and the load in thousandths of a link.
const CASES: [(Case, u64, u64); 3] = [
    (case(&[4, 4, 4], &[4, 4]), 500, 4_000),
    (case(&[8, 8, 8], &[8, 8]), 500, 4_000),
    (case(&[8, 8, 16], &[8, 8]), 1000, 4_000),
];

/// Seconds that something takes on one thread.
fn seconds<T>(what: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let found = what();
    (found, begin.elapsed().as_secs_f64())
}

fn main() {
    println!(
        "tree | hosts | load | cycles | accepted, CAMINOS | here | seconds, CAMINOS | here | ratio"
    );
    for (case, load, cycles) in CASES {
        let hosts = case.hosts();
        // An odd factor permutes the hosts of a power of two.
        let map: Vec<usize> = (0..hosts).map(|host| (host * 5 + hosts / 2 + 1) % hosts).collect();
        let run = Run { load, cycles, seed: 1 };
        let (theirs, long) = seconds(|| case.theirs(&embedded(&map), run, Arbiter::RoundRobin));
        let (ours, short) = seconds(|| case.ours(&map, run, Arrivals::Bernoulli));
        println!(
            "{} | {hosts} | {load} | {cycles} | {:.3} | {:.3} | {long:.2} | {short:.4} | {:.0}",
            case.tree(),
            theirs.accepted,
            ours.accepted.mean,
            long / short
        );
    }
}
