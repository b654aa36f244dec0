//! Instructions of the kernels, counted by valgrind: unlike times, they hardly differ from run to run,
//! so a change that makes a kernel slower shows on a busy machine too.
//!
//! `make bench-instructions` counts them and fails where a kernel takes over 5 % more than
//! `benches/instructions.txt` says, or where the kernels are not those of that file;
//! `make bless-instructions` writes it. The dev profile is used on
//! purpose: its library is already built for the tests, and it is the change that counts. The loops of this file,
//! and generic code that is compiled for them, are not optimised.
//!
//! `memcpy` and the like of glibc exist once for every generation of processors, and the library chooses when a
//! program starts. [`TUNABLES`] has it choose those of the oldest everywhere, so that counts depend on the compiler
//! alone.

#![expect(clippy::unwrap_used, reason = "a bench may panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use routebound::adversary::{AttackContext, IncrementalLoads};
use routebound::assessment::assess;
use routebound::generators::checker::check;
use routebound::integer::index32;
use routebound::load::{LinkLoads, contention};
use routebound::matching::weighted::maximum_weight;
use routebound::matching::{Graph, Matching};
use routebound::progress::Progress;
use routebound::routing::{Instance, Paths};
use routebound::topology::{Host, host_number};
use routebound::traffic::regular;
use routebound::worst_case::analyse;

/// More than this share above the stored count is a failure, in percent.
const TOLERANCE: u64 = 5;

/// Whatever a processor may have beyond the baseline of x86-64: glibc does without it. Elsewhere, and in other C
/// libraries, these settings are ignored. The size is above all copies of the kernels: `rep movsb`, one
/// instruction for any length, is not used.
const TUNABLES: &str = "glibc.cpu.hwcaps=-SSSE3,-SSE4_1,-SSE4_2,-AVX,-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,\
                        -AVX512F,-AVX512VL,-AVX512BW,-EVEX,-ERMS,-FSRM,-Fast_Unaligned_Copy,-RTM,-BMI2,-LZCNT,-MOVBE:\
                        glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824:\
                        glibc.cpu.x86_non_temporal_threshold=1073741824";

/// Prepares a kernel, and returns what is counted.
type Kernel = fn() -> Box<dyn FnMut()>;

const KERNELS: &[(&str, Kernel)] = &[
    ("paths in bulk, dmodk on ft(8,3)", || paths("dmodk")),
    ("paths in bulk, random on ft(8,3)", || paths("random")),
    ("worst case of every link, dmodk on ft(8,3)", || worst_case("dmodk")),
    ("worst case of every link, random on ft(8,3)", || worst_case("random")),
    ("matching, 512 + 512 vertices of mean degree 4", matching),
    ("weighted matching, 128 x 128, weights 0 to 8", weighted_matching),
    ("check of a named certificate, dmodk on ft(8,3)", checker),
    ("1,000 swaps of incremental loads, dmodk on ft(8,3)", swaps),
    ("loads of uniform traffic, dmodk on ft(8,3)", uniform_loads),
    ("contention of uniform traffic, dmodk on ft(8,3)", uniform_contention),
];

fn on_ft(routing: &str) -> Instance {
    Instance::named("ft(8,3)", routing).unwrap()
}

fn paths(routing: &str) -> Box<dyn FnMut()> {
    let instance = on_ft(routing);
    let hosts: Vec<Host> = instance.topology().host_numbers().collect();
    Box::new(move || {
        let (mut paths, mut sum) = (Paths::default(), 0);
        for s in &hosts {
            instance.routing().paths_from(*s, &hosts, &mut paths);
            sum += paths.iter().flatten().map(|link| u64::from(*link)).sum::<u64>();
        }
        black_box(sum);
    })
}

fn worst_case(routing: &str) -> Box<dyn FnMut()> {
    let instance = on_ft(routing);
    Box::new(move || {
        let found = analyse(&instance);
        black_box(found.unwrap());
    })
}

fn matching() -> Box<dyn FnMut()> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right: 512 };
    for _ in 0..512 {
        graph.targets.extend((0..512).filter(|_| random.next_u32() % 128 == 0));
        graph.offsets.push(index32(graph.targets.len()));
    }
    Box::new(move || {
        let mut matching = Matching::default();
        matching.maximise(&graph);
        black_box(matching.size);
    })
}

fn weighted_matching() -> Box<dyn FnMut()> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let weights: Vec<u64> = (0..128 * 128).map(|_| random.next_u64() % 9).collect();
    Box::new(move || {
        let weight = |row: usize, column: usize| weights[128 * row + column];
        black_box(maximum_weight(128, 128, &weight, &Progress::silent()).unwrap());
    })
}

fn checker() -> Box<dyn FnMut()> {
    let assessed = assess(&on_ft("dmodk")).unwrap();
    let certificate = assessed.certificate.unwrap();
    Box::new(move || {
        black_box(check(&certificate).unwrap());
    })
}

fn swaps() -> Box<dyn FnMut()> {
    let instance = on_ft("dmodk");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let hosts = host_number(instance.topology().hosts());
    let mut image: Vec<Host> = (0..hosts).collect();
    image.shuffle(&mut random);
    let mut draw = || (random.random_range(0..hosts), random.random_range(0..hosts));
    let swaps: Vec<(Host, Host)> = (0..1000).map(|_| draw()).collect();
    // What it borrows has to live as long as the process.
    let instance: &'static Instance = Box::leak(Box::new(instance));
    let context = AttackContext::new(instance, &Progress::silent()).unwrap();
    let context: &'static AttackContext<'_> = Box::leak(Box::new(context));
    let mut loads = IncrementalLoads::new(context);
    loads.set(&image);
    Box::new(move || {
        let most = swaps.iter().fold(0, |most, (a, b)| {
            loads.swap(*a, *b);
            loads.max_units().max(most)
        });
        black_box(most);
    })
}

fn uniform_loads() -> Box<dyn FnMut()> {
    let instance = on_ft("dmodk");
    let uniform = regular("uniform", 128).unwrap().unwrap();
    Box::new(move || {
        let (topology, routing) = (instance.topology(), instance.routing());
        black_box(LinkLoads::of(topology, routing, &uniform, &Progress::silent()).unwrap());
    })
}

fn uniform_contention() -> Box<dyn FnMut()> {
    let instance = on_ft("dmodk");
    let uniform = regular("uniform", 128).unwrap().unwrap();
    Box::new(move || {
        black_box(contention(&instance, &uniform, &Progress::silent()).unwrap());
    })
}

/// What valgrind counts: it is told to look at this function, with all that it calls.
#[inline(never)]
fn counted_kernel(kernel: &mut dyn FnMut()) {
    kernel();
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [word, name] = &arguments[..]
        && word == "--kernel"
    {
        let (_, prepare) = KERNELS.iter().find(|(known, _)| known == name).unwrap();
        // Parallel work stays on this thread, the one that is looked at.
        rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().unwrap();
        counted_kernel(&mut *prepare());
        return ExitCode::SUCCESS;
    }
    let Some(versions) = versions() else {
        println!("SKIPPED: valgrind is not installed, so no instructions were counted");
        return ExitCode::SUCCESS;
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt");
    let counted = || KERNELS.iter().map(|(name, _)| (*name, count(name))).collect::<Vec<_>>();
    if arguments.iter().any(|argument| argument == "--bless") {
        fs::write(&file, written(&versions, &counted())).unwrap();
        println!("wrote {}", file.display());
        return ExitCode::SUCCESS;
    }
    let stored = fs::read_to_string(file).unwrap();
    let (of, stored) = stored.split_once('\n').unwrap();
    if of != versions {
        println!(
            "SKIPPED: the stored counts are of another compiler or machine: `make bless-instructions`"
        );
        return ExitCode::SUCCESS;
    }
    compare(stored, &counted())
}

/// The compiler, whose code is what is counted; `None` where there is no valgrind.
fn versions() -> Option<String> {
    Command::new("valgrind").arg("--version").output().ok().filter(|run| run.status.success())?;
    let rustc = Command::new("rustc").arg("--version").output().ok()?;
    Some(format!("{}, {}", String::from_utf8(rustc.stdout).ok()?.trim(), env::consts::ARCH))
}

/// Instructions of a kernel, on one thread.
fn count(name: &str) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let out: PathBuf = folder.path().join("callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--toggle-collect=*counted_kernel*"]);
    valgrind.arg(format!("--callgrind-out-file={}", out.display()));
    valgrind
        .arg(env::current_exe().unwrap())
        .args(["--kernel", name])
        .env("GLIBC_TUNABLES", TUNABLES);
    let run = valgrind.output().unwrap();
    assert!(run.status.success(), "{name}: {run:?}");
    let text = fs::read_to_string(out).unwrap();
    // One line for every thread.
    let totals = text.lines().filter_map(|line| line.strip_prefix("totals: "));
    let total: u64 = totals.map(|total| total.trim().parse::<u64>().unwrap()).sum();
    assert!(total > 0, "{name}: nothing was counted");
    total
}

fn written(versions: &str, counted: &[(&str, u64)]) -> String {
    let mut text = format!("{versions}\n");
    for (name, count) in counted {
        writeln!(text, "{count:>12}  {name}").unwrap();
    }
    text
}

/// Prints what changed; fails where a kernel takes more, was never counted or is gone.
fn compare(stored: &str, counted: &[(&str, u64)]) -> ExitCode {
    let mut known: BTreeMap<&str, u64> = stored
        .lines()
        .filter_map(|line| line.trim().split_once("  "))
        .map(|(count, name)| (name, count.parse().unwrap()))
        .collect();
    let mut failed = false;
    for (name, count) in counted {
        let before = known.remove(name).unwrap_or(0);
        let verdict = if *count * 100 > before * (100 + TOLERANCE) {
            failed = true;
            "MORE"
        } else if *count * 100 < before * (100 - TOLERANCE) {
            "less: keep it with `make bless-instructions`"
        } else {
            "as before"
        };
        println!("{count:>12}  was {before:>12}  {name}: {verdict}");
    }
    for (name, before) in &known {
        println!("{:>12}  was {before:>12}  {name}: GONE: `make bless-instructions`", "");
    }
    if failed || !known.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
