//! What a certificate may name: only what `generate` and `build` made. Names alone prove nothing.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

use routebound::assessment::{Assessment, assess, assess_optimum};
use routebound::certificate::{Certificate, NetworkForm, RoutingForm};
use routebound::generators::checker;
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Routing};
use routebound::topology::{Host, LinkId, Topology, Xgft, generate};
use routebound::traffic::Demand;

/// All up-links but the first are idle, whatever this routing calls itself.
struct Pretender(&'static str, Xgft);

impl Routing for Pretender {
    fn spec(&self) -> &str {
        self.0
    }
    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        links.clear();
        self.1.push_path(s, d, &[0; 3][..self.1.nca_level(s, d)], links);
        visit(&Rational::ONE, links);
    }
}

fn assessed(instance: &Instance) -> Assessment {
    assess(instance).unwrap()
}

/// Whether the certificate, which the checker accepts, names its network, and its routing.
fn names(assessment: &Assessment) -> (bool, bool) {
    let certificate = assessment.certificate.as_ref().unwrap();
    assert!(checker::check(certificate).is_ok());
    let Certificate::WorstCase(certificate) = certificate else { panic!("another certificate") };
    (
        matches!(certificate.network, NetworkForm::Named(_)),
        matches!(certificate.routing, RoutingForm::Named(_)),
    )
}

/// The four hosts of a half share one link to the top, where D-mod-k has 3 on it (\[OR\] Table I).
#[test]
fn a_routing_is_not_named_by_what_it_calls_itself() {
    for name in ["dmodk", "my-hash(seed=1)"] {
        let topology = generate("ft(4,3)").unwrap();
        let tree = topology.tree().unwrap().clone();
        let routing: Box<dyn Routing> = Box::new(Pretender(name, tree));
        let found = assessed(&Instance::new(topology, routing).unwrap());
        assert_eq!(found.oblivious_ratio.to_string(), "4 (proven)");
        assert_eq!(names(&found), (true, false), "{name}");
    }
    let own = assessed(&Instance::named("ft(4,3)", "dmodk").unwrap());
    assert_eq!(own.oblivious_ratio.to_string(), "3 (proven)");
    assert_eq!(names(&own), (true, true));
}

/// `ft(4,2)` under the name of a larger tree.
fn misnamed() -> Topology {
    Topology::new("ft(8,3)".into(), generate("ft(4,2)").unwrap().graph().clone()).unwrap()
}

#[test]
fn a_network_is_not_named_by_what_it_is_called() {
    let plain = misnamed();
    let even = routing::build("ecmp", &plain).unwrap();
    assert_eq!(names(&assessed(&Instance::new(plain, even).unwrap())), (false, false));
    // With labels, but of a network that was not generated.
    let tree = misnamed().recognised();
    let routing = routing::build("dmodk", &tree).unwrap();
    assert_eq!(names(&assessed(&Instance::new(tree, routing).unwrap())), (false, false));
}

#[test]
fn nor_in_a_certificate_of_an_optimum() {
    let demands = [Demand { s: 0, d: 7, amount: Rational::ONE }];
    let optimum = |topology: &Topology| {
        let found = assess_optimum(topology, &demands).unwrap();
        let certificate = found.certificate.unwrap();
        assert!(checker::check(&certificate).is_ok());
        matches!(certificate.network(), NetworkForm::Named(_))
    };
    assert!(!optimum(&misnamed()) && !optimum(&misnamed().recognised()));
    assert!(optimum(&generate("ft(4,2)").unwrap()));
}
