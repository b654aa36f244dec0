//! Certificates of optimal loads: accepted when flow and lengths prove the claim, refused for
//! every possible reason.
use routebound_proof::certificate::{
    self, Certificate, Demand, EmbeddedNetwork, LinkRecord, NetworkForm, OptimumCertificate,
    PathRecord, RoutedTraffic,
};
use routebound_proof::checker::{Refusal, check};
use routebound_proof::rational::Rational;

use super::proven;

/// Two hosts, two parallel ways from 0 to 1: directly (link 0, capacity 1) and over node 2
/// (links 1 and 2, capacity 2). Traffic 3 has optu 1: the cut at host 0 has capacity 3.
fn network() -> NetworkForm {
    let link = |from, to, capacity: u64| LinkRecord::new(from, to, Rational::from(capacity));
    let links = vec![link(0, 1, 1), link(0, 2, 2), link(2, 1, 2)];
    NetworkForm::Embedded(EmbeddedNetwork { hosts: 2, nodes: 3, links })
}

fn good() -> OptimumCertificate {
    let path = |share: (u64, u64), links: &[u32]| PathRecord {
        s: 0,
        d: 1,
        share: Rational::new(share.0, share.1).unwrap(),
        links: links.to_vec(),
    };
    OptimumCertificate {
        network: network(),
        lower: Rational::ONE,
        upper: Rational::ONE,
        demands: vec![Demand { s: 0, d: 1, amount: Rational::from(3) }],
        flow: RoutedTraffic::Paths(vec![path((1, 3), &[0]), path((2, 3), &[1, 2])]),
        lengths: vec![(0, 1), (1, 1)],
    }
}

fn refusal(change: impl FnOnce(&mut OptimumCertificate)) -> Refusal {
    let mut certificate = good();
    change(&mut certificate);
    check(&Certificate::Optimum(certificate)).unwrap_err()
}

#[test]
fn a_good_one_survives_writing_and_is_accepted() {
    let certificate = Certificate::Optimum(good());
    let text = certificate.to_string();
    assert_eq!(certificate::read(text.as_bytes()).unwrap(), certificate);
    assert_eq!(proven(&text), ["optu = 1"]);
    // A weaker claim is true too.
    let mut weaker = good();
    weaker.lower = Rational::new(1, 2).unwrap();
    weaker.upper = Rational::from(2);
    assert!(check(&Certificate::Optimum(weaker)).is_ok());
}

#[test]
fn wrong_claims_are_refused() {
    let thirds = |n| Rational::new(n, 3).unwrap();
    let low = refusal(|c| (c.lower, c.upper) = (thirds(2), thirds(2)));
    assert!(matches!(low, Refusal::OptuExceeded { link: 0, .. }), "{low}");
    let high = refusal(|c| (c.lower, c.upper) = (thirds(4), thirds(4)));
    assert_eq!(high, Refusal::LengthsTooShort { proven: Rational::ONE, lower: thirds(4) });
    assert_eq!(refusal(|c| c.lower = thirds(4)), Refusal::EmptyClaim { quantity: "optu" });
}

#[test]
fn bad_evidence_is_refused() {
    assert_eq!(refusal(|c| c.demands.clear()), Refusal::NoDemand);
    assert_eq!(refusal(|c| c.demands[0].d = 0), Refusal::BadDemand { s: 0, d: 0 });
    assert_eq!(refusal(|c| c.demands[0].d = 2), Refusal::BadDemand { s: 0, d: 2 });
    // The even split takes the shortest path alone: load 3 on a link of capacity 1.
    let even = refusal(|c| c.flow = RoutedTraffic::Even);
    assert!(matches!(even, Refusal::OptuExceeded { link: 0, .. }));
    let none = refusal(|c| c.lengths.clear());
    assert_eq!(none, Refusal::LengthsTooShort { proven: Rational::ZERO, lower: Rational::ONE });
    // One long link can be avoided: distance 0.
    let avoided = refusal(|c| c.lengths = vec![(0, 7)]);
    assert!(matches!(avoided, Refusal::LengthsTooShort { .. }));
    assert_eq!(refusal(|c| c.lengths.push((0, 1))), Refusal::BadLength(0));
    assert_eq!(refusal(|c| c.lengths.push((9, 1))), Refusal::BadLength(9));
    assert_eq!(refusal(|c| c.lengths = vec![(0, 0), (0, 1)]), Refusal::BadLength(0));
    let long = refusal(|c| c.lengths[0].1 = u64::MAX);
    assert!(matches!(long, Refusal::TooLarge(_)), "{long}");
    let paths =
        |c: &mut OptimumCertificate, change: &dyn Fn(&mut Vec<PathRecord>)| match &mut c.flow {
            RoutedTraffic::Paths(paths) => change(paths),
            RoutedTraffic::Even => panic!("paths"),
        };
    let less = refusal(|c| paths(c, &|p| drop(p.pop())));
    assert!(matches!(less, Refusal::ShareSum { s: 0, d: 1, .. }));
    let broken = refusal(|c| paths(c, &|p| p[1].links.truncate(1)));
    assert!(matches!(broken, Refusal::BrokenPath { link: 1, .. }));
    let cut = refusal(|c| match &mut c.network {
        NetworkForm::Embedded(network) => {
            network.links.truncate(1);
            network.links[0].to = 2;
            c.flow = RoutedTraffic::Even;
        }
        NetworkForm::Named(_) => panic!("embedded"),
    });
    assert_eq!(cut, Refusal::Unroutable { s: 0, d: 1 });
}

#[test]
fn kinds_of_claims_do_not_mix() {
    let text = Certificate::Optimum(good()).to_string();
    for (from, to) in [
        ("claim optu 1 1\n", "claim optu 1 1\nclaim optu 1 1\n"),
        ("claim optu 1 1\n", "claim oblivious-ratio 1 1\n"),
        ("claim optu 1 1\n", "next 0 0\nclaim optu 1 1\n"),
        ("claim optu 1 1\n", "claim oblivious-ratio 1 1\nclaim optu 1 1\n"),
        ("claim optu 1 1\n", ""),
        ("route paths", "route odd"),
        ("length 0 1\n", "length 0\n"),
        ("length 0 1\n", "length 0 18446744073709551616\n"),
        ("length 0 1\n", "cover 0 s 0\n"),
    ] {
        assert!(text.contains(from));
        assert!(certificate::read(text.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
}
