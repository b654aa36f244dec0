//! How much memory the engines take, counted by the allocator: budgets per link and host, beside
//! what a list of SD pairs would take. A binary of its own, because the allocator counts
//! everything in the process; one test, so that nothing else runs meanwhile. What the solvers
//! allocate, which are C++, is not counted.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use peak_alloc::PeakAlloc;
use routebound::adversary::{self, AttackContext};
use routebound::assessment::assess;
use routebound::generators::checker;
use routebound::load::{LinkLoads, contention};
use routebound::optimum::optimal_cut;
use routebound::progress::Progress;
use routebound::routing::Instance;
use routebound::synth;
use routebound::topology::Topology;
use routebound::traffic::{Demand, regular};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Both threads allocate their own buffers.
const THREADS: usize = 2;

/// The most bytes that `work` held at a time, besides what there was before, and its result.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (MEMORY.peak_usage().saturating_sub(before), result)
}

/// What an engine may take.
struct Budget {
    per_link: usize,
    per_host: usize,
    /// For tables: a random routing stores 4 bytes per pair.
    per_pair: usize,
    fixed: usize,
}

impl Budget {
    fn bytes(&self, topology: &Topology) -> usize {
        let (links, hosts) = (topology.links(), topology.hosts());
        let pairs = hosts * (hosts - 1);
        self.per_link * links + self.per_host * hosts + self.per_pair * pairs + self.fixed
    }
}

/// Fails where `found` is above the budget.
fn assert_within(name: &str, topology: &Topology, found: usize, budget: &Budget) {
    let (most, per_link) = (budget.bytes(topology), found / topology.links());
    println!("{name}: {} KiB of {} KiB, {per_link} bytes per link", found / 1024, most / 1024);
    assert!(found <= most, "{name}: {found} bytes are above the budget of {most}");
}

/// Fails where the budget would allow what it is there to notice.
fn assert_notices(topology: &Topology, budget: &Budget, list: usize) {
    let most = budget.bytes(topology);
    assert!(most < list / 2, "a budget of {most} bytes allows a list of {list}");
}

/// The pairs of all links at 8 bytes each, as the analysis once kept them.
fn pairs_of_links(instance: &Instance) -> usize {
    let hosts = instance.topology().hosts();
    let paths = (0_u32..).take(hosts).flat_map(|s| (0_u32..).take(hosts).map(move |d| (s, d)));
    let mut links = 0;
    for (s, d) in paths.filter(|(s, d)| s != d) {
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, path| links += path.len());
    }
    8 * links
}

fn analysis_and_check(spec: &str, routing: &str) {
    let instance = Instance::named(spec, routing).unwrap();
    let topology = instance.topology();
    // The checker builds the network and the routing again.
    let per_pair = if routing == "random" { 4 } else { 0 };
    let (bytes, assessed) = peak(|| assess(&instance).unwrap());
    let certificate = assessed.certificate.unwrap();
    let budget = Budget { per_link: 2048, per_host: 512, per_pair, fixed: 1 << 16 };
    assert_within(&format!("ratio {spec} {routing}"), topology, bytes, &budget);
    if topology.hosts() >= 1024 {
        assert_notices(topology, &budget, pairs_of_links(&instance));
    }
    let (bytes, checked) = peak(|| checker::check(&certificate));
    assert!(checked.is_ok());
    let budget = Budget { per_link: 1536, ..budget };
    assert_within(&format!("check {spec} {routing}"), topology, bytes, &budget);
}

fn loads(spec: &str, routing: &str, pattern: &str) {
    let (instance, quiet) = (Instance::named(spec, routing).unwrap(), Progress::silent());
    let (topology, routing_of) = (instance.topology(), instance.routing());
    let (bytes, demands) = peak(|| {
        let traffic = regular(pattern, topology.hosts()).unwrap().unwrap();
        LinkLoads::of(topology, routing_of, &traffic, &quiet).unwrap();
        contention(&instance, &traffic, &quiet).unwrap();
        assert!(optimal_cut(topology, &traffic).is_some());
        usize::try_from(traffic.len()).unwrap()
    });
    let budget = Budget { per_link: 256, per_host: 128, per_pair: 0, fixed: 1 << 16 };
    assert_within(&format!("load {spec} {routing} {pattern}"), topology, bytes, &budget);
    assert_notices(topology, &budget, demands * size_of::<Demand>());
}

fn attack(spec: &str, budget: &Budget) {
    let instance = Instance::named("ft(16,3)", "dmodk").unwrap();
    let (bytes, ()) = peak(|| {
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let adversary = adversary::build(spec).unwrap();
        adversary.attack(&context, &Progress::silent()).unwrap();
    });
    assert_within(&format!("attack ft(16,3) dmodk, {spec}"), instance.topology(), bytes, budget);
}

fn synthesis() {
    let tree = routebound::topology::generate("ft(4,2)").unwrap();
    let (bytes, _) = peak(|| {
        synth::least_ratio(&tree, &synth::Options::default(), &Progress::silent()).unwrap()
    });
    let budget = Budget { per_link: 2048, per_host: 1024, per_pair: 0, fixed: 1 << 16 };
    assert_within("synth ft(4,2)", &tree, bytes, &budget);
}

#[cfg(feature = "highs")]
fn optimum() {
    use routebound::assessment::{AssessOptimum, OptimumMethod};
    use routebound::{topology, traffic};
    let tree = topology::generate("ft(4,2)").unwrap();
    let shift = traffic::generate("shift(3)", 8).unwrap();
    let assess = AssessOptimum::new().by(OptimumMethod::Lp);
    let (bytes, _) = peak(|| assess.run(&tree, shift.demands()).unwrap());
    let budget = Budget { per_link: 1024, per_host: 1024, per_pair: 0, fixed: 1 << 14 };
    assert_within("optu ft(4,2) shift(3) by LP", &tree, bytes, &budget);
}

#[test]
fn engines_keep_their_budgets() {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global().unwrap();
    // The threads start, and everything that is set up once.
    let small = Instance::named("ft(4,2)", "random").unwrap();
    assess(&small).unwrap();
    for spec in ["ft(8,3)", "ft(16,3)"] {
        analysis_and_check(spec, "dmodk");
        analysis_and_check(spec, "random");
        loads(spec, "dmodk", "uniform");
    }
    // Two amounts, and shares.
    loads("kary(8,3)", "omrmn", "hotspot-percent(percent=50)");
    let few = Budget { per_link: 512, per_host: 512, per_pair: 0, fixed: 1 << 16 };
    attack("random(trials=64)", &few);
    // It keeps the pairs of the links that it aims at, up to 2^22 of them, at 16 bytes each in lists
    // that grow by doubling.
    attack("climb(trials=2)", &Budget { fixed: 2 << 26, ..few });
    synthesis();
    #[cfg(feature = "highs")]
    optimum();
}
