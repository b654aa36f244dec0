//! Routings that see the pattern: every pair gets one path that joins it, the same every time, and a
//! local scheme's paths from a switch do not change with what others send.

use std::collections::BTreeMap;

use routebound::adversary::pattern::{self, Target};
use routebound::bounds::Bounds;
use routebound::progress::Progress;
use routebound::registry::Kind;
use routebound::simulation::adaptive::{
    self, Build, Guarantee, LinkCounts, PatternError, PatternRouting, Routed, Scope,
};
use routebound::topology::{self, Host, LinkId, Topology};
use routebound::traffic::{self, Permutation};

use super::{Verdict, assert_found, ensure, generated, on_threads};

/// Trees with enough top switches, beside those of all families.
const TREES: &[&str] =
    &["ftree(2,12,3)", "ftree(4,48,16)", "ftree(3,18,4)", "ftree(3,9,1)", "kary(2,3)"];

fn trees() -> Vec<Topology> {
    let more = TREES.iter().map(|spec| topology::generate(spec).unwrap());
    generated().into_iter().chain(more).collect()
}

type Paths = BTreeMap<(Host, Host), Vec<LinkId>>;

fn paths(
    routing: &dyn PatternRouting,
    pattern: &Permutation,
    routed: &mut Routed,
) -> Result<Paths, String> {
    routing
        .route(pattern, routed, &Progress::silent())
        .map_err(|error| format!("a permutation is refused: {error}"))?;
    let paths: Paths = routed.paths().map(|(pair, links)| (pair, links.to_vec())).collect();
    let pairs: Vec<(Host, Host)> = paths.keys().copied().collect();
    let asked: Vec<(Host, Host)> = pattern.pairs().collect();
    ensure(pairs == asked && routed.paths().count() == asked.len(), || {
        "not every pair gets one path".to_string()
    })?;
    Ok(paths)
}

fn joins(topology: &Topology, (s, d): (Host, Host), links: &[LinkId]) -> Verdict {
    let step = |at: Host, link: &LinkId| match topology.ends(*link) {
        Some((from, to)) if from == at => to,
        _ => Host::MAX,
    };
    ensure(links.iter().fold(s, step) == d, || format!("the path of {s} -> {d} does not join it"))
}

/// The pattern in which only the switch of host 0 sends as before; the others send to what is left.
fn with_other_senders(topology: &Topology, pattern: &Permutation) -> Permutation {
    let tree = topology.tree().unwrap();
    let is_own = |s: Host| tree.subtree(s, 1) == tree.subtree(0, 1);
    let own: Vec<(Host, Host)> = pattern.pairs().filter(|(s, _)| is_own(*s)).collect();
    let own = Permutation::new(topology.hosts(), own).unwrap();
    let whole = own.completed();
    let as_before = |(s, _): &(Host, Host)| own.image(*s).is_some() || !is_own(*s);
    Permutation::new(topology.hosts(), whole.pairs().filter(as_before)).unwrap()
}

fn check(topology: &Topology, routing: &dyn PatternRouting) -> Verdict {
    let (hosts, mut routed) = (topology.hosts(), Routed::default());
    let mut counts = LinkCounts::new(topology.links());
    for index in 0..10 {
        let whole = Permutation::random(hosts, 3, index);
        for pattern in [Permutation::random_bisection(hosts, 3, index), whole] {
            let found = paths(routing, &pattern, &mut routed)?;
            if counts.most(&routed).0 > 1 {
                let guarantee = routing.guarantee(1, &Progress::silent());
                let is_open = guarantee.is_ok_and(|found| found.nonblocking != Some(true));
                let is_open = is_open && routing.scope() == Scope::Global;
                ensure(is_open, || "two paths share a link".into())?;
            }
            for (pair, links) in &found {
                joins(topology, *pair, links)?;
            }
            let again = paths(routing, &pattern, &mut Routed::default())?;
            ensure(again == found, || "the paths of a permutation change".to_string())?;
            if routing.scope() == Scope::Local {
                let other = with_other_senders(topology, &pattern);
                let other = paths(routing, &other, &mut routed)?;
                let tree = topology.tree().unwrap();
                let own = |((s, _), _): &(&(Host, Host), &Vec<LinkId>)| {
                    tree.subtree(*s, 1) == tree.subtree(0, 1)
                };
                let is_same = found.iter().filter(own).all(|(pair, path)| other[pair] == *path);
                ensure(is_same, || "what others send changes the paths from a switch".into())?;
            }
        }
    }
    Ok(())
}

/// Traffic that is not a permutation, for schemes that take it.
fn check_traffic(topology: &Topology, routing: &dyn PatternRouting) -> Verdict {
    let Some(scheme) = routing.traffic_routing() else { return Ok(()) };
    let matrix = traffic::generate("random(p=0.2,seed=3)", topology.hosts());
    let matrix = matrix.map_err(|error| error.to_string())?;
    if matrix.len() > 4000 {
        return Ok(());
    }
    let route = || {
        let routed = scheme.route_traffic(&matrix, &Progress::silent());
        routed.map_err(|error| format!("traffic is refused: {error}"))
    };
    let routed = route()?;
    ensure(routed == route()?, || "the paths of traffic change".to_string())?;
    let pairs = matrix.demands().iter().map(|demand| (demand.s, demand.d));
    let paths = routed.paths.iter().map(|path| (path.s, path.d));
    ensure(pairs.eq(paths), || "not every demand gets one path".to_string())?;
    for path in &routed.paths {
        joins(topology, (path.s, path.d), &path.links)?;
    }
    let bounds = &routed.contention;
    ensure(bounds.lower <= bounds.upper, || format!("contention is {bounds}"))
}

fn conforms(kind: &Kind<Build>, trees: &[Topology]) -> Verdict {
    let mut fits = 0;
    for (example, tree) in
        kind.examples.iter().flat_map(|spec| trees.iter().map(move |t| (spec, t)))
    {
        match adaptive::build(example, tree) {
            Ok(routing) => {
                ensure(adaptive::is_named(routing.spec()), || "its spec is not a spec".into())?;
                check(tree, &*routing)
                    .and_then(|()| check_traffic(tree, &*routing))
                    .map_err(|error| format!("{example} on {}: {error}", tree.spec()))?;
                fits += 1;
            }
            Err(PatternError::DoesNotFit { reason, .. }) => {
                ensure(!reason.is_empty(), || "refused without a reason".to_string())?;
            }
            Err(error) => return Err(error.to_string()),
        }
    }
    ensure(fits > 2, || format!("{} fits {fits} of the trees", kind.name))
}

#[test]
fn schemes_route_every_pair_and_local_ones_are_local() {
    let trees = trees();
    for kind in adaptive::KINDS {
        assert_eq!(conforms(kind, &trees), Ok(()));
    }
}

/// Calls itself local, and sends everything through a top switch that depends on the whole pattern.
struct Planted(Box<dyn PatternRouting>, fn(&Permutation) -> Permutation);

impl PatternRouting for Planted {
    fn spec(&self) -> &str {
        self.0.spec()
    }

    fn scope(&self) -> Scope {
        Scope::Local
    }

    fn route(
        &self,
        pattern: &Permutation,
        routed: &mut Routed,
        progress: &Progress,
    ) -> Result<(), PatternError> {
        self.0.route(&(self.1)(pattern), routed, progress)
    }

    fn guarantee(&self, seed: u64, progress: &Progress) -> Result<Guarantee, PatternError> {
        self.0.guarantee(seed, progress)
    }
}

#[test]
fn planted_bugs_are_found() {
    let tree = topology::generate("ftree(4,48,16)").unwrap();
    let built = |name| adaptive::build(name, &tree).unwrap();
    let global = Planted(built("coloured"), Permutation::clone);
    assert_found(check(&tree, &global), "what others send changes");
    let other = Planted(built("nonblocking-adaptive"), Permutation::inverse);
    assert_found(check(&tree, &other), "not every pair gets one path");
    let links = |links: &[LinkId]| joins(&tree, (0, 63), links);
    assert_found(links(&[0, 1]), "does not join");
}

#[test]
fn adversaries_find_the_same_on_any_number_of_threads() {
    let tree = topology::generate("ftree(3,27,5)").unwrap();
    let routing = adaptive::build("nonblocking-adaptive", &tree).unwrap();
    for kind in pattern::KINDS.iter().filter(|kind| kind.takes("trials")) {
        let spec = format!("{}(trials=2100,seed=5)", kind.name);
        let found = [1, 3].map(|threads| {
            on_threads(threads, || {
                let target = Target { topology: &tree, routing: &*routing };
                pattern::build(&spec).unwrap().attack(&target, &Progress::silent()).unwrap()
            })
        });
        assert_eq!(found[0], found[1], "{spec}");
        assert_eq!((found[0].evaluations, found[0].stopped), (2100, false), "{spec}");
        let (measure, permutation) = found[0].worst.clone().unwrap();
        assert!(measure.load == 1 && permutation.len() > 1, "{spec}: {measure:?}");
    }
}

#[test]
fn worst_patterns_do_not_depend_on_threads() {
    for (spec, exact) in [("ftree(4,48,16)", true), ("ftree(6,84,36)", false)] {
        let tree = topology::generate(spec).unwrap();
        let routing = adaptive::build("nonblocking-adaptive", &tree).unwrap();
        let found = [1, 3].map(|threads| {
            on_threads(threads, || routing.guarantee(1, &Progress::silent()).unwrap())
        });
        assert_eq!(found[0], found[1]);
        let (configurations, _) = found[0].needs.clone().unwrap();
        assert!(configurations.exact().is_some() || !exact, "{configurations}");
        // The hardest permutation needs what is said.
        let mut routed = Routed::default();
        let hardest = found[0].hardest.clone().unwrap();
        routing.route(&hardest, &mut routed, &Progress::silent()).unwrap();
        let Bounds { lower, .. } = configurations;
        assert_eq!(lower, routed.configurations.into());
    }
}
