//! Optu on all networks of 50 to 200 nodes in `instances/networks` and the collection: column
//! generation beside the arc formulation handed to HiGHS in one piece, on the same data in the same
//! run. All end in exact bounds, whose computation is included in the time.
//!
//!     RAYON_NUM_THREADS=1 cargo bench --bench networks -- [SECONDS [NAME…]]
//!
//! A programme that is not solved within SECONDS (60 unless given) is abandoned, and its time is a
//! lower bound. Not a criterion bench: one programme takes as long as all samples of another.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use petgraph::algo::connected_components;
use routebound::import::{self, ImportOptions, traffic::Hosts};
use routebound::lp::{self, Method, Options, programme::Solver};
use routebound::optimum::optu::OptuBounds;
use routebound::progress::{Progress, Stop};
use routebound::topology::Topology;
use routebound::traffic::Demand;

const FOLDERS: [&str; 2] = ["instances/networks/topologyzoo", "../shared/data/topologyzoo"];

/// All pairs alike, a tenth of the pairs, and a few heavy destinations.
const TRAFFIC: [&str; 3] = ["uniform", "random(p=0.1,seed=1)", "gravity"];

/// The connected networks of the folders with 50 to 200 nodes, each once.
fn networks() -> Vec<(String, Topology)> {
    let files = FOLDERS.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten());
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "graphml"));
    files.sort_by_key(|file| file.file_name().unwrap().to_owned());
    files.dedup_by_key(|file| file.file_name().unwrap().to_owned());
    let open = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let topology = import::topology(file.to_str().unwrap(), &ImportOptions::default()).ok()?;
        let connected = connected_components(topology.graph()) == 1;
        ((50..=200).contains(&topology.nodes()) && connected).then_some((name, topology))
    };
    files.into_iter().filter_map(open).collect()
}

/// Every host has a weight, small integers that repeat with different periods; a pair exchanges the
/// product of the weights.
fn gravity(topology: &Topology) -> Vec<Demand> {
    let weight = |host: u32| u64::from(1 + host * 7 % 5 + host * host % 11 + host % 3 * (host % 7));
    let hosts = || topology.host_numbers();
    let pairs = hosts().flat_map(|s| hosts().map(move |d| (s, d))).filter(|(s, d)| s != d);
    pairs.map(|(s, d)| Demand { s, d, amount: (weight(s) * weight(d)).into() }).collect()
}

fn demands(topology: &Topology, traffic: &str) -> Vec<Demand> {
    if traffic == "gravity" {
        return gravity(topology);
    }
    let matrix = import::traffic::open(traffic, Hosts::Of(topology)).unwrap();
    matrix.demands().to_vec()
}

/// Bounds by one method, and seconds; no bounds when the time was up.
fn solve(
    topology: &Topology,
    demands: &[Demand],
    (method, solver): (Method, Solver),
    limit: Duration,
) -> (Option<OptuBounds>, f64) {
    let options = Options { method, solver, ..Options::default() };
    let begun = Instant::now();
    let progress = Progress::silent().stopped_by(Stop::at(Some(begun + limit)));
    let bounds = lp::optu(topology, demands, &options, &progress);
    let seconds = begun.elapsed().as_secs_f64();
    (bounds.ok().filter(|bounds| !bounds.stats.stopped && bounds.gap() < 1e-6), seconds)
}

fn main() {
    // Cargo adds options such as `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with('-')).collect();
    let limit = words.first().and_then(|word| word.parse().ok()).unwrap_or(60.0);
    let names = words.get(1..).unwrap_or_default();
    let limit = Duration::from_secs_f64(limit);
    println!(
        "| network | nodes | links | traffic | columns, s | gap | rounds | simplex, s | interior point, s | times faster |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, topology) in networks() {
        if !(names.is_empty() || names.contains(&name)) {
            continue;
        }
        for traffic in TRAFFIC {
            let demands = demands(&topology, traffic);
            let way = (Method::Columns, Solver::Choose);
            let mut times: Vec<_> =
                (0..3).map(|_| solve(&topology, &demands, way, Duration::from_mins(10))).collect();
            times.sort_by(|a, b| a.1.total_cmp(&b.1));
            let (ours, seconds) = times.swap_remove(1);
            let ours = ours.unwrap();
            print!("| {name} | {} | {} ", topology.nodes(), topology.links());
            print!("| {traffic} | {seconds:.4} | {:.1e} | {} ", ours.gap(), ours.stats.rounds);
            if limit.is_zero() {
                println!("| | | |");
                continue;
            }
            let mut best = f64::INFINITY;
            for solver in [Solver::Simplex, Solver::InteriorPoint] {
                let (found, time) = solve(&topology, &demands, (Method::ArcFlow, solver), limit);
                if let Some(found) = &found {
                    assert!(found.lower <= ours.upper && ours.lower <= found.upper, "{name}");
                }
                best = best.min(time);
                print!("| {}{time:.2} ", if found.is_some() { "" } else { "> " });
            }
            println!("| {:.1} |", best / seconds);
        }
    }
}
