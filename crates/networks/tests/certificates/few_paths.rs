//! Bounds on all routings with few paths per pair, of FT(4,2): √2 with one path, as its ratio counts too.

use routebound_networks::certificate::{
    Certificate, EmbeddedNetwork, FewPaths, NetworkForm, Optimality, Quantity, WorstCaseCertificate,
};
use routebound_networks::generators::checker::{BadFewPaths, Refusal, check};
use routebound_networks::rational::Rational;

use super::refusals::{certify, paths, refusal};

fn ratio(text: &str) -> Rational {
    text.parse().unwrap()
}

/// FT(4,2), where every claim has room for bounds below 8.
fn bounded(routing: &str, written_out: bool, (lower, paths): (&str, u32)) -> WorstCaseCertificate {
    let mut certificate = certify("ft(4,2)", routing, written_out);
    certificate.claims.iter_mut().for_each(|claim| claim.upper = Rational::from(8));
    // Covers of all hosts, so that any path and any capacity is covered.
    for cover in &mut certificate.covers {
        cover.sources = (0..8).map(|host| (host, Rational::ONE)).collect();
        cover.destinations.clear();
    }
    let quantity = certificate.claims[0].quantity;
    assert_eq!(quantity, Quantity::ObliviousRatio);
    let bound = FewPaths { quantity, lower: ratio(lower), paths };
    WorstCaseCertificate { optimality: Some(Optimality::FewPaths(bound)), ..certificate }
}

fn network(certificate: &mut WorstCaseCertificate) -> &mut EmbeddedNetwork {
    let NetworkForm::Embedded(network) = &mut certificate.network else { panic!("embedded") };
    network
}

#[test]
fn named_and_written_trees_prove_the_same() {
    for (routing, written_out) in [("dmodk", false), ("dmodk", true), ("smodk", true)] {
        let good = bounded(routing, written_out, ("1414/1000", 1));
        let accepted = check(&Certificate::WorstCase(good)).unwrap();
        let least = "707/500 <= least oblivious-ratio with 1 path per pair <= 8";
        assert_eq!(accepted.last().unwrap().to_string(), least);
        let low = refusal(&bounded(routing, written_out, ("1415/1000", 1)));
        let (proven, lower) = (Rational::from(2), ratio("283/200"));
        assert_eq!(low, BadFewPaths::TooLow { proven, lower }.into());
    }
    let both = |paths| refusal(&bounded("omrmn", false, ("1", paths)));
    assert!(matches!(both(1), Refusal::FewPaths(BadFewPaths::TooMany { s: 0, d: 2, paths: 1 })));
    let two = bounded("omrmn", false, ("1", 2));
    assert!(check(&Certificate::WorstCase(two)).is_ok());
}

#[test]
fn a_path_from_leaf_to_leaf_has_four_links() {
    let mut around = bounded("smodk", true, ("1414/1000", 1));
    // What passes a link twice counts twice.
    around.claims.iter_mut().for_each(|claim| claim.upper = Rational::from(16));
    let sources = around.covers.iter_mut().flat_map(|cover| &mut cover.sources);
    sources.for_each(|(_, weight)| *weight = Rational::from(2));
    // From host 0 to host 2, and on the way back to the first leaf switch and up again.
    let own = paths(&mut around).iter().position(|path| (path.s, path.d) == (0, 2)).unwrap();
    let links = paths(&mut around)[own].links.clone();
    let ends = |link: u32, network: &EmbeddedNetwork| {
        let link = &network.links[link as usize];
        (link.from, link.to)
    };
    let (leaf, root) = ends(links[1], network(&mut around));
    let is_back = |link: &u32, network: &EmbeddedNetwork| ends(*link, network) == (root, leaf);
    let back = (0..32).find(|link| is_back(link, network(&mut around))).unwrap();
    paths(&mut around)[own].links = vec![links[0], links[1], back, links[1], links[2], links[3]];
    let refused = BadFewPaths::TooMany { s: 0, d: 2, paths: 1 };
    assert_eq!(refusal(&around), refused.into());
    around.optimality = None;
    assert!(check(&Certificate::WorstCase(around)).is_ok());
}

/// What a capacity does to the square of the least ratio, which is 2 where all are 1.
#[test]
fn capacities_count() {
    let is_of_host = |(from, to): (u32, u32)| from < 8 || to < 8;
    for (of_hosts, capacity, square) in [
        // optu may be twice as high.
        (true, "1/2", "1/2"),
        (true, "2", "2"),
        (false, "1/2", "1/2"),
        (false, "2", "1/2"),
    ] {
        let mut changed = bounded("dmodk", true, ("100", 1));
        changed.claims.truncate(1);
        changed.claims[0].lower = Rational::ZERO;
        changed.claims[0].upper = Rational::from(100);
        changed.witness.optu = Rational::from(100);
        let link = network(&mut changed).links.iter_mut();
        let mut link = link.filter(|link| is_of_host((link.from, link.to)) == of_hosts);
        link.next().unwrap().capacity = ratio(capacity);
        let refused = BadFewPaths::TooLow { proven: ratio(square), lower: 100.into() };
        assert_eq!(refusal(&changed), refused.into(), "{of_hosts} {capacity}");
        let Some(Optimality::FewPaths(bound)) = &mut changed.optimality else { panic!() };
        bound.lower = Rational::ONE;
        assert!(check(&Certificate::WorstCase(changed)).is_ok());
    }
}
