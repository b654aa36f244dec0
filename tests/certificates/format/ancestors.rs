//! On trees the checker looks at the numbers of ancestors, and decides the same as along the paths.

use routebound::assessment::assess;
use routebound::certificate::{self, Certificate, LinkRecord};
use routebound::generators::checker::{
    Accepted, Check, Decides, Generators, Levels, NamedNetwork, NamedRouting, PathList, Refusal,
    Scratch, Tree, Ungenerated,
};
use routebound::generators::{Made, Named};
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{Host, LinkId};

use super::fate::mutations;

/// What [`Named`] makes, with other numbers of ancestors.
struct Numbered(fn(u32) -> Option<u32>);

struct Network(Box<dyn NamedNetwork>, fn(u32) -> Option<u32>);

struct Routing(Box<dyn NamedRouting>, fn(u32) -> Option<u32>);

impl Generators for Numbered {
    fn network(&self, spec: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated> {
        Ok(Box::new(Network(Named.network(spec)?, self.0)))
    }

    fn levels(&self, topology: &str) -> Result<Option<Levels>, Ungenerated> {
        Named.levels(topology)
    }

    fn digits(&self, topology: &str, routing: &str) -> Result<Option<Vec<Decides>>, Ungenerated> {
        Named.digits(topology, routing)
    }
}

impl NamedNetwork for Network {
    fn hosts(&self) -> usize {
        self.0.hosts()
    }

    fn nodes(&self) -> usize {
        self.0.nodes()
    }

    fn links(&self) -> Vec<LinkRecord> {
        self.0.links()
    }

    fn tree(&self) -> Option<Tree> {
        self.0.tree()
    }

    fn routing(&self, spec: &str) -> Result<Box<dyn NamedRouting>, Ungenerated> {
        Ok(Box::new(Routing(self.0.routing(spec)?, self.1)))
    }
}

impl NamedRouting for Routing {
    fn is_single_path(&self) -> bool {
        self.0.is_single_path()
    }

    fn uses_in_order(&self) -> bool {
        self.0.uses_in_order()
    }

    fn has_detours(&self) -> bool {
        self.0.has_detours()
    }

    fn paths_from<'p>(
        &self,
        s: Host,
        destinations: &[Host],
        scratch: &'p mut Scratch,
    ) -> PathList<'p> {
        self.0.paths_from(s, destinations, scratch)
    }

    fn ancestors_from(&self, s: Host, destinations: &[Host], ancestors: &mut [u32]) -> bool {
        let has = self.0.ancestors_from(s, destinations, ancestors);
        let mut all = ancestors.iter_mut().filter(|_| has);
        has && all.all(|ancestor| (self.1)(*ancestor).map(|other| *ancestor = other).is_some())
    }

    fn for_each_use(
        &self,
        pair: (Host, Host),
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        self.0.for_each_use(pair, scratch, visit);
    }

    fn for_each_path(
        &self,
        pair: (Host, Host),
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        self.0.for_each_path(pair, links, visit);
    }
}

fn checked(
    generators: &dyn Generators,
    certificate: &Certificate,
) -> Result<Vec<Accepted>, Refusal> {
    Check::new(generators).run(certificate)
}

/// No numbers; one that no ancestor has; one ancestor for all pairs.
const OTHERS: [Numbered; 3] =
    [Numbered(|_| None), Numbered(|_| Some(u32::MAX)), Numbered(|_| Some(0))];

/// The certificate, and such with other claims, of instances on trees.
fn certificates() -> Vec<(Instance, String)> {
    let trees =
        ["ft(4,3)", "ft(8,2)", "eft2(6,3)", "kary(2,4)", "xgft(3;3,2,2;1,2,1)", "xgft(1;4;2)"];
    let routings = routing::KINDS.iter().flat_map(|kind| kind.examples);
    let both = routings.flat_map(|routing| trees.map(|tree| (tree, *routing)));
    let named = both.filter_map(|(tree, routing)| Instance::named(tree, routing).ok());
    let named = named.filter(|instance| instance.is_named() && instance.routing.is_single_path());
    let text = |instance: &Instance| assess(instance).unwrap().certificate.unwrap().to_string();
    named.map(|instance| (instance.clone(), text(&instance))).collect()
}

fn read(text: &str) -> Option<Certificate> {
    certificate::read(text.as_bytes()).ok()
}

/// The claims, lowered by one on both sides: what covers and ends allow is then too much.
fn lowered(text: &str) -> String {
    let lower = |line: &str| -> Option<String> {
        let words: Vec<&str> = line.split(' ').collect();
        let [claim @ "claim", quantity, _, upper] = words[..] else { return None };
        let less = upper.parse::<u64>().ok()?.checked_sub(1)?;
        Some(format!("{claim} {quantity} {less} {less}"))
    };
    text.lines().map(|line| lower(line).unwrap_or_else(|| line.into()) + "\n").collect()
}

#[test]
fn numbers_decide_what_paths_decide() {
    let (mut accepted, mut heavy) = (0, 0);
    for (instance, text) in certificates() {
        for (place, text) in [text.clone(), lowered(&text)].iter().enumerate() {
            let certificate = read(text).unwrap();
            let found = checked(&Named, &certificate);
            assert_eq!(found, checked(&Made::of(&instance), &certificate), "{instance:?}");
            for other in &OTHERS[..2] {
                assert_eq!(found, checked(other, &certificate), "{instance:?}");
            }
            // Numbers that describe other paths are not verified against these: a name means what it is said to mean.
            assert!(place == 1 || checked(&OTHERS[2], &certificate).is_ok(), "{instance:?}");
            accepted += usize::from(found.is_ok());
            heavy += usize::from(matches!(found, Err(Refusal::EndsTooHeavy { .. })));
        }
    }
    assert!(accepted >= 40 && heavy >= 30, "{accepted} {heavy}");
}

#[test]
fn numbers_decide_what_paths_decide_of_what_is_changed() {
    let instances =
        [("ft(4,2)", "dmodk"), ("xgft(2;3,2;1,2)", "random(seed=3)"), ("kary(2,3)", "rnca-d")];
    let mut changed = 0;
    for (tree, routing) in instances {
        let instance = Instance::named(tree, routing).unwrap();
        let text = assess(&instance).unwrap().certificate.unwrap().to_string();
        for certificate in mutations(&text).iter().filter_map(|text| read(text)) {
            assert_eq!(checked(&Named, &certificate), checked(&OTHERS[0], &certificate));
            changed += 1;
        }
    }
    assert!(changed > 300, "{changed}");
}
