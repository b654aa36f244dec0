//! Claims, witnesses, covers and cuts.
use routebound_networks::certificate::{
    self, Certificate, PathRecord, Quantity, RoutedTraffic, WorstCaseCertificate,
};
use routebound_networks::generators::checker::{Refusal, check};
use routebound_networks::rational::Rational;

use super::{certify, embedded, network, refusal, text};

#[test]
fn wrong_claims_are_refused() {
    for (topology, routing) in [("ft(8,2)", "dmodk"), ("ft(4,3)", "osrm3"), ("ft(6,2)", "grid")] {
        let good = certify(topology, routing, false);
        for index in 0..good.claims.len() {
            let quantity = good.claims[index].quantity;
            let mut high = good.clone();
            let claim = &mut high.claims[index];
            (claim.lower, claim.upper) =
                (&claim.lower + &Rational::ONE, &claim.upper + &Rational::ONE);
            match refusal(&high) {
                Refusal::WitnessTooLight { quantity: of, .. } => assert_eq!(of, quantity.name()),
                other => panic!("{other}"),
            }
            let mut low = good.clone();
            low.claims[index].upper = Rational::ONE;
            low.claims[index].lower = Rational::ONE;
            match refusal(&low) {
                Refusal::CoverTooHeavy { quantity: of, .. } => assert_eq!(of, quantity.name()),
                other => panic!("{other}"),
            }
            let mut empty = good.clone();
            empty.claims[index].lower = &empty.claims[index].upper + &Rational::ONE;
            assert_eq!(refusal(&empty), Refusal::EmptyClaim { quantity: quantity.name() });
        }
    }
}

#[test]
fn claims_and_witness_are_refused_for_their_reason() {
    let good = certify("ft(4,2)", "dmodk", false);
    let with = |change: &dyn Fn(&mut WorstCaseCertificate)| {
        let mut certificate = good.clone();
        change(&mut certificate);
        refusal(&certificate)
    };
    assert_eq!(with(&|c| c.claims.clear()), Refusal::NoClaim);
    assert_eq!(with(&|c| c.witness.demands.clear()), Refusal::NoDemand);
    assert_eq!(with(&|c| c.witness.link = 99), Refusal::NoWitnessLink(99));
    assert_eq!(with(&|c| c.witness.demands[0].d = 8), Refusal::BadDemand { s: 0, d: 8 });
    let own = with(&|c| c.witness.demands[0].d = c.witness.demands[0].s);
    assert!(matches!(own, Refusal::BadDemand { .. }));
    let nothing = with(&|c| c.witness.demands[0].amount = Rational::ZERO);
    assert!(matches!(nothing, Refusal::BadDemand { .. }));
    let optimistic = with(&|c| c.witness.optu = Rational::new(1, 2).unwrap());
    assert!(matches!(optimistic, Refusal::OptuExceeded { .. }), "{optimistic}");
    let light = with(&|c| c.witness.demands.truncate(1));
    assert!(matches!(light, Refusal::WitnessTooLight { .. }), "{light}");
}

#[test]
fn a_witness_that_is_no_permutation_is_refused_where_it_must_be_one() {
    let mut certificate = certify("ft(4,2)", "dmodk", false);
    let repeated = certificate.witness.demands[0].clone();
    let s = repeated.s;
    certificate.witness.demands.push(repeated);
    certificate.witness.optu = Rational::from(2);
    certificate.claims.retain(|claim| claim.quantity == Quantity::PermutationLoad);
    assert_eq!(refusal(&certificate), Refusal::NotNodeDisjoint(s));
}

#[test]
fn covers_are_refused_for_their_reason() {
    let good = certify("ft(4,2)", "dmodk", false);
    let inner = good.covers.iter().position(|c| c.sources.len() + c.destinations.len() == 2);
    let inner = inner.unwrap();
    let with = |change: &dyn Fn(&mut WorstCaseCertificate)| {
        let mut certificate = good.clone();
        change(&mut certificate);
        refusal(&certificate)
    };
    let link = good.covers[inner].link;
    let missing = with(&|c| drop(c.covers.remove(inner)));
    assert!(matches!(missing, Refusal::Uncovered { link: of, .. } if of == link), "{missing}");
    let thin = with(&|c| {
        let cover = &mut c.covers[inner];
        let side =
            if cover.sources.is_empty() { &mut cover.destinations } else { &mut cover.sources };
        side[0].1 = Rational::new(1, 2).unwrap();
    });
    assert!(matches!(thin, Refusal::Uncovered { link: of, .. } if of == link), "{thin}");
    assert_eq!(with(&|c| c.covers[1] = c.covers[0].clone()), Refusal::BadCover(0));
    assert_eq!(with(&|c| c.covers[0].link = 99), Refusal::BadCover(99));
    assert_eq!(
        with(&|c| c.covers[0].sources = vec![(8, Rational::ONE)]),
        Refusal::BadCoverHost { link: 0, host: 8 }
    );
    assert_eq!(
        with(&|c| c.covers[0].sources = vec![(3, Rational::ONE), (3, Rational::ONE)]),
        Refusal::BadCoverHost { link: 0, host: 3 }
    );
    let heavy = with(&|c| {
        let all = (0..8).map(|host| (host, Rational::ONE)).collect();
        c.covers[inner].sources = all;
    });
    assert!(matches!(heavy, Refusal::CoverTooHeavy { link: of, .. } if of == link), "{heavy}");
}

/// A slimmed tree: its covers use the cuts of the leaf subtrees.
#[test]
fn cuts_are_refused_for_their_reason() {
    let good = certify("xgft(2;3,3;1,2)", "dmodk", false);
    let again = certificate::read(text(&good).as_bytes()).unwrap();
    assert_eq!(again, Certificate::WorstCase(good.clone()));
    assert_eq!(check(&again).unwrap()[0].upper, Rational::from(2));
    let cut = good.covers.iter().position(|cover| !cover.out_cuts.is_empty()).unwrap();
    let link = good.covers[cut].link;
    let with = |change: &dyn Fn(&mut WorstCaseCertificate)| {
        let mut certificate = good.clone();
        change(&mut certificate);
        refusal(&certificate)
    };
    assert_eq!(with(&|c| c.cuts[0].push(99)), Refusal::BadCutNode(99));
    let first = good.cuts[0][0];
    assert_eq!(with(&|c| c.cuts[0].push(first)), Refusal::BadCutNode(first));
    assert_eq!(with(&|c| c.covers[cut].out_cuts[0].0 = 9), Refusal::BadCoverCut { link, cut: 9 });
    let missing = with(&|c| c.covers[cut].out_cuts.clear());
    assert!(matches!(missing, Refusal::Uncovered { link: of, .. } if of == link), "{missing}");
    let turned = with(&|c| {
        let cover = &mut c.covers[cut];
        std::mem::swap(&mut cover.out_cuts, &mut cover.in_cuts);
    });
    assert!(matches!(turned, Refusal::Uncovered { link: of, .. } if of == link), "{turned}");
    let heavy = with(&|c| c.covers[cut].out_cuts[0].1 = Rational::from(9));
    assert!(matches!(heavy, Refusal::CoverTooHeavy { link: of, .. } if of == link), "{heavy}");
    // Without its switch a leaf is a set of three hosts with three links out.
    let bare = with(&|c| c.cuts.iter_mut().for_each(|nodes| nodes.truncate(3)));
    assert!(matches!(bare, Refusal::CoverTooHeavy { .. }), "{bare}");
    let permutation = with(&|c| c.claims[0].quantity = Quantity::PermutationLoad);
    assert!(matches!(permutation, Refusal::CutOfHosts(_)), "{permutation}");
}

/// A witness may be routed over listed paths, which are verified like those of a routing.
#[test]
fn witness_flows_by_paths_are_verified() {
    let mut good = certify("ft(4,2)", "dmodk", false);
    let topology = routebound_networks::topology::generate("ft(4,2)").unwrap();
    let tree = topology.tree().unwrap();
    good.witness.demands.truncate(2);
    // Two pairs of one leaf, each over its own root.
    let demands = good.witness.demands.clone();
    let path = |root: u32| {
        let (s, d) = (demands[root as usize].s, demands[root as usize].d);
        let mut links = Vec::new();
        tree.push_path(s, d, &[0, root], &mut links);
        PathRecord { s, d, share: Rational::ONE, links }
    };
    let paths = vec![path(0), path(1)];
    good.witness.flow = RoutedTraffic::Paths(paths.clone());
    let again = certificate::read(text(&good).as_bytes()).unwrap();
    assert_eq!(again, Certificate::WorstCase(good.clone()));
    assert_eq!(check(&again).unwrap()[0].lower, Rational::from(2));
    let with = |change: &dyn Fn(&mut Vec<PathRecord>)| {
        let mut paths = paths.clone();
        change(&mut paths);
        let mut certificate = good.clone();
        certificate.witness.flow = RoutedTraffic::Paths(paths);
        refusal(&certificate)
    };
    assert!(matches!(with(&|p| p.truncate(1)), Refusal::ShareSum { .. }));
    assert!(matches!(with(&|p| p[0].links[0] = 99), Refusal::NoSuchLink { .. }));
    assert!(matches!(with(&|p| p[0].links.truncate(2)), Refusal::BrokenPath { .. }));
    assert!(matches!(with(&|p| p[0].links.clear()), Refusal::MissingPair { .. }));
}

#[test]
fn unroutable_witnesses_are_refused() {
    let certificate = embedded("dmodk", |certificate| {
        // Cut host 7's only link in: it now leads to host 6.
        let links = &mut network(certificate).links;
        links.iter_mut().find(|link| link.to == 7).unwrap().to = 6;
    });
    assert!(matches!(refusal(&certificate), Refusal::Unroutable { d: 7, .. }));
}
