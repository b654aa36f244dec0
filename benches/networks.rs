//! Optu on all networks of 50 to 200 nodes in `instances/networks` and the collection: column
//! generation beside the arc formulation handed to HiGHS in one piece, on the same data in the same
//! run. All end in exact bounds, whose computation is included in the time.
//!
//!     RAYON_NUM_THREADS=1 cargo bench --bench networks -- [SECONDS] [NAME…]
//!
//! A linear program that is not solved within SECONDS (60 unless given; 0: none is tried) is abandoned,
//! and its time is a lower bound, marked "over". Not a criterion bench: one linear program takes as long
//! as all samples of another.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use petgraph::algo::connected_components;
use routebound::import::{self, ImportOptions, traffic::Hosts};
use routebound::lp::{self, Method, Options, program::Solver};
use routebound::optimum::optu::OptuBounds;
use routebound::progress::{Progress, Stop};
use routebound::topology::Topology;
use routebound::traffic::Demand;

const FOLDERS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../instances/networks/topologyzoo"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/topologyzoo"),
];

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

/// How a method ended.
enum End {
    Solved(Box<OptuBounds>),
    Abandoned,
    Failed(String),
}

/// Processor time of this process so far, where the system tells it (Linux, to some milliseconds):
/// other work on the machine hardly changes it.
fn processor_time() -> Option<Duration> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let nanoseconds = |thread: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    let times = threads.map(nanoseconds).collect::<Option<Vec<u64>>>()?;
    Some(Duration::from_nanos(times.iter().sum()))
}

/// The result of one method, and processor seconds (wall clock where the system does not tell
/// them): the mean of as many runs as take half a second together.
fn solve(
    topology: &Topology,
    demands: &[Demand],
    (method, solver): (Method, Solver),
    limit: Duration,
) -> (End, f64) {
    let options = Options { method, solver, ..Options::default() };
    let (begun, processor) = (Instant::now(), processor_time());
    let spent = || match (processor, processor_time()) {
        (Some(before), Some(now)) => now.saturating_sub(before),
        _ => begun.elapsed(),
    };
    let mut runs = 0.0;
    let bounds = loop {
        let progress = Progress::silent().stopped_by(Stop::at(Some(Instant::now() + limit)));
        let bounds = lp::optu(topology, demands, &options, &progress);
        runs += 1.0;
        if bounds.is_err() || spent() >= Duration::from_millis(500) {
            break bounds;
        }
    };
    let seconds = spent().as_secs_f64() / runs;
    let end = match bounds {
        Err(error) => End::Failed(error.to_string()),
        Ok(bounds) if bounds.stats.stopped => End::Abandoned,
        Ok(bounds) if bounds.gap() < 1e-6 => End::Solved(Box::new(bounds)),
        Ok(bounds) => End::Failed(format!("gap {:.1e}", bounds.gap())),
    };
    (end, seconds)
}

/// The seconds for a linear program, and the names of networks.
fn arguments() -> Result<(Duration, Vec<String>), String> {
    // Cargo adds options such as `--bench`.
    let mut words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with('-')).collect();
    let seconds = words.first().and_then(|word| word.parse::<f64>().ok());
    let Some(seconds) = seconds else { return Ok((Duration::from_mins(1), words)) };
    let word = words.remove(0);
    let day = Duration::from_hours(24);
    let limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| *limit <= day);
    Ok((limit.ok_or(format!("{word}: give SECONDS from 0 to 86400"))?, words))
}

/// Seconds of column generation, printed with what it found.
fn columns(topology: &Topology, demands: &[Demand]) -> Result<(OptuBounds, f64), String> {
    let way = (Method::Columns, Solver::Choose);
    match solve(topology, demands, way, Duration::from_mins(10)) {
        (End::Solved(found), seconds) => {
            print!("| {seconds:.4} | {:.1e} | {} ", found.gap(), found.stats.rounds);
            Ok((*found, seconds))
        }
        (End::Abandoned, _) => Err("column generation: not solved within ten minutes".into()),
        (End::Failed(why), _) => Err(format!("column generation: {why}")),
    }
}

/// The times of the arc formulation, and how much faster column generation was than the best.
fn one_program(
    topology: &Topology,
    demands: &[Demand],
    (ours, seconds): &(OptuBounds, f64),
    limit: Duration,
) {
    let mut best: Option<(f64, &str)> = None;
    for solver in [Solver::Simplex, Solver::InteriorPoint] {
        let (end, time) = solve(topology, demands, (Method::ArcFlow, solver), limit);
        let over = match end {
            End::Solved(found) => {
                assert!(found.lower <= ours.upper && ours.lower <= found.upper);
                ""
            }
            End::Abandoned => "over ",
            End::Failed(why) => {
                print!("| failed: {why} ");
                continue;
            }
        };
        if best.is_none_or(|(least, _)| time < least) {
            best = Some((time, over));
        }
        print!("| {over}{time:.4} ");
    }
    match best {
        Some((time, over)) => println!("| {over}{:.1} |", time / seconds),
        None => println!("| |"),
    }
}

fn main() -> Result<(), String> {
    let (limit, names) = arguments()?;
    let networks = networks();
    if let Some(name) = names.iter().find(|name| networks.iter().all(|(known, _)| known != *name)) {
        let known = networks.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(format!("{name} is none of the networks: {known}"));
    }
    println!(
        "| network | nodes | links | traffic | columns, s | gap | rounds | simplex, s | interior point, s | times faster |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, topology) in networks {
        if !(names.is_empty() || names.contains(&name)) {
            continue;
        }
        for traffic in TRAFFIC {
            let demands = demands(&topology, traffic);
            print!("| {name} | {} | {} | {traffic} ", topology.nodes(), topology.links());
            let ours = columns(&topology, &demands)?;
            if limit.is_zero() {
                println!("| | | |");
            } else {
                one_program(&topology, &demands, &ours, limit);
            }
        }
    }
    Ok(())
}
