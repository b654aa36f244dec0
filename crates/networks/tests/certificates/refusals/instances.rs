//! Networks and routings, written out and named.
use routebound_networks::certificate::{
    Among, Certificate, Least, NetworkForm, NextLink, Optimality, PathRecord, Quantity,
    RoutingForm, WorstCaseCertificate,
};
use routebound_networks::generators::checker::{BadTree, Refusal, check};
use routebound_networks::integer::index32;
use routebound_networks::rational::Rational;

use super::{certify, embedded, network, next, paths, refusal};

#[test]
fn embedded_instances_are_refused_for_their_reason() {
    let refused =
        |routing, change: fn(&mut WorstCaseCertificate)| refusal(&embedded(routing, change));
    let sized = |hosts, nodes| Refusal::NodeCount { hosts, nodes };
    assert_eq!(refused("dmodk", |e| network(e).hosts = 0), sized(0, 14));
    assert_eq!(refused("dmodk", |e| network(e).nodes = 5), sized(8, 5));
    let many = refused("dmodk", |e| {
        (network(e).hosts, network(e).nodes) = (1 << 20, 1 << 20);
    });
    assert!(matches!(many, Refusal::TooLarge(_)));
    assert_eq!(refused("dmodk", |e| network(e).links[3].to = 14), Refusal::BadLink(3));
    assert_eq!(
        refused("dmodk", |e| network(e).links[3].capacity = Rational::ZERO),
        Refusal::BadLink(3)
    );
    assert_eq!(
        refused("dmodk", |e| next(e, 9)[0] = NextLink::NONE),
        Refusal::MissingPair { s: 2, d: 0 }
    );
    assert_eq!(refused("dmodk", |e| next(e, 9).truncate(7)), Refusal::BadNext(9));
    let beyond = refused("dmodk", |e| next(e, 9)[0] = Some(99).into());
    assert_eq!(beyond, Refusal::NextNoLink { node: 9, link: 99 });
    // No network has a last link of 32 bits, which is stored as the one before.
    let last = refused("dmodk", |e| next(e, 9)[0] = Some(u32::MAX).into());
    assert_eq!(last, Refusal::NextNoLink { node: 9, link: u32::MAX - 1 });
    let elsewhere = refused("dmodk", |e| next(e, 9)[0] = Some(0).into());
    assert_eq!(elsewhere, Refusal::BrokenPath { s: 2, d: 0, link: 0 });
    // Leaf 0 sends traffic for host 1 up and down again, forever: link 8 + 2 leads down.
    let cycle = refused("dmodk", |e| {
        let up = next(e, 8)[6];
        next(e, 8)[1] = up;
        let root = network(e).links[up.link().unwrap() as usize].to;
        let back = network(e).links.iter().position(|l| (l.from, l.to) == (root, 8)).unwrap();
        next(e, root)[1] = Some(index32(back)).into();
    });
    assert!(matches!(cycle, Refusal::Loop { d: 1, .. }), "{cycle}");
    let twice = |e: &mut WorstCaseCertificate| {
        let row = next(e, 9).clone();
        if let RoutingForm::Next(rows) = &mut e.routing {
            rows.push((9, row));
        }
    };
    assert_eq!(refusal(&embedded("dmodk", twice)), Refusal::BadNext(9));
}

#[test]
fn listed_paths_are_refused_for_their_reason() {
    let refused = |change: fn(&mut Vec<PathRecord>)| {
        refusal(&embedded("smodk", |certificate| change(paths(certificate))))
    };
    assert_eq!(refused(|p| drop(p.remove(0))), Refusal::MissingPair { s: 0, d: 1 });
    assert_eq!(refused(|p| p[0].links.clear()), Refusal::MissingPair { s: 0, d: 1 });
    assert_eq!(refused(|p| p[0].d = 0), Refusal::SelfPair(0));
    assert_eq!(refused(|p| p[0].d = 8), Refusal::RouteOfNobody(8));
    assert_eq!(refused(|p| p[0].links[0] = 99), Refusal::NoSuchLink { s: 0, d: 1, link: 99 });
    let short = refused(|p| p[0].links.truncate(1));
    assert_eq!(short, Refusal::BrokenPath { s: 0, d: 1, link: 0 });
    let swapped = refused(|p| p[0].links.reverse());
    assert!(matches!(swapped, Refusal::BrokenPath { s: 0, d: 1, .. }));
    let half = refused(|p| p[0].share = Rational::new(1, 2).unwrap());
    assert_eq!(half, Refusal::ShareSum { s: 0, d: 1, sum: Rational::new(1, 2).unwrap() });
    let double = refused(|p| p.push(p[0].clone()));
    assert_eq!(double, Refusal::ShareSum { s: 0, d: 1, sum: Rational::from(2) });
    let none = refused(|p| p[0].share = Rational::ZERO);
    assert!(matches!(none, Refusal::ShareSum { s: 0, d: 1, .. }));
}

#[test]
fn named_instances_are_refused_for_their_reason() {
    for (topology, routing) in [
        ("ft(3,2)", "dmodk"),
        ("ft(4,2)", "nothing"),
        ("ft(4,2)", "osrm3"),
        ("/etc/passwd", "dmodk"),
    ] {
        let mut certificate = certify("ft(4,2)", "dmodk", false);
        certificate.network = NetworkForm::Named(topology.to_string());
        certificate.routing = RoutingForm::Named(routing.to_string());
        assert!(matches!(refusal(&certificate), Refusal::Tree(BadTree::Instance(_))));
    }
    let mut other = certify("ft(4,2)", "dmodk", false);
    other.routing = RoutingForm::Named("smodk".into());
    assert!(check(&Certificate::WorstCase(other)).is_err());
    let mut filed = certify("ft(4,2)", "dmodk", false);
    filed.routing = RoutingForm::Named("table:paths.csv".into());
    assert_eq!(refusal(&filed), Refusal::Tree(BadTree::FileRouting));
    let mixed = embedded("dmodk", |c| c.routing = RoutingForm::Named("dmodk".into()));
    assert_eq!(refusal(&mixed), Refusal::NamedRouting);
}

/// All paths of a named routing are looked at, like those of a written one.
#[test]
fn named_routings_must_use_the_allowed_paths() {
    for routing in ["dmodk", "omrmn"] {
        let mut certificate = certify("ft(4,2)", routing, false);
        let over = |among| {
            let (quantity, lower) = (Quantity::ObliviousRatio, Rational::ONE);
            Optimality::OverPaths(Least { quantity, lower, among, dual_demands: Vec::new() })
        };
        certificate.optimality = Some(over(Among::Shortest));
        assert!(check(&Certificate::WorstCase(certificate.clone())).is_ok());
        certificate.optimality = Some(over(Among::Listed(Vec::new())));
        assert_eq!(refusal(&certificate), Refusal::NotAllowed { s: 0, d: 1 });
    }
}
