//! Covers of link lengths: accepted where they cover, refused for every possible reason.
use routebound_proof::certificate::{
    self, Certificate, Cover, EmbeddedNetwork, LinkRecord, NetworkForm, ReadError, RoutingForm,
    WorstCaseCertificate,
};
use routebound_proof::checker::{Refusal, check};
use routebound_proof::rational::Rational;

use super::proven;

/// A link u→v of a triangle is covered by lengths 1 on both links out of u: any way out of u is then at least 1 long.
const TRIANGLE: &str = triangle!(
    "cover 0 l 0 5
cover 1 l 1 2
cover 2 l 1 2
cover 3 l 3 4
cover 4 l 3 4
cover 5 l 0 5
end
"
);

fn changed(from: &str, to: &str) -> Certificate {
    assert!(TRIANGLE.contains(from));
    certificate::read(TRIANGLE.replacen(from, to, 1).as_bytes()).unwrap()
}

fn refusal(from: &str, to: &str) -> Refusal {
    check(&changed(from, to)).unwrap_err()
}

#[test]
fn lengths_cover_and_survive_writing() {
    assert_eq!(proven(TRIANGLE), ["oblivious-ratio = 2"]);
}

#[test]
fn lengths_and_hosts_add_up() {
    // The source lets 2 units out: half of that, and half of the lengths.
    assert!(check(&changed("0 l 0 5", "0 s 0:1/2 l 0:1/2 5:1/2")).is_ok());
    assert!(check(&changed("0 l 0 5", "0 s 0:1/2 l 0:1/3 5:1/2")).is_err());
}

#[test]
fn lengths_of_different_denominators_are_compared() {
    // The link is 3/2 long and the way around 4/3: with a link of 5/6 there it is too short.
    let text = TRIANGLE.replace("oblivious-ratio 2 2", "oblivious-ratio 2 3");
    let read = |lengths| certificate::read(text.replace("0 l 0 5", lengths).as_bytes()).unwrap();
    assert!(check(&read("0 l 0:3/2 5:4/3")).is_ok());
    assert!(check(&read("0 l 0:3/2 5:5/6")).is_err());
}

#[test]
fn too_short_or_too_long_lengths_are_refused() {
    // The way over 2 costs nothing.
    let uncovered = Refusal::Uncovered { link: 0, s: 0, d: 1, share: Rational::ONE };
    assert_eq!(refusal("0 l 0 5", "0 l 0"), uncovered);
    let heavy = refusal("0 l 0 5", "0 l 0:3/2 5:3/2");
    assert!(
        matches!(heavy, Refusal::CoverTooHeavy { link: 0, ref weight, .. } if *weight == Rational::from(3))
    );
}

#[test]
fn lengths_of_no_link_are_refused() {
    let bad = |other| Refusal::BadCoverLength { link: 0, other };
    assert_eq!(refusal("0 l 0 5", "0 l 0 6"), bad(6));
    assert_eq!(refusal("0 l 0 5", "0 l 5 0"), bad(0));
    assert_eq!(refusal("0 l 0 5", "0 l 0 0"), bad(0));
}

#[test]
fn lengths_that_need_too_many_bits_are_refused() {
    let long = "1".to_string() + &"0".repeat(40);
    for lengths in [format!("0:1/{long}"), format!("0:{long}")] {
        let refused = refusal("0 l 0 5", &format!("0 l {lengths} 5"));
        assert!(matches!(refused, Refusal::TooLarge(_)), "{refused}");
    }
}

#[test]
fn lengths_bound_no_permutation() {
    let text = TRIANGLE.replace("oblivious-ratio 2 2", "permutation-load 1 1");
    let text = text.replace("demand 0 1 2", "demand 0 1 1");
    let certificate = certificate::read(text.as_bytes()).unwrap();
    assert_eq!(check(&certificate).unwrap_err(), Refusal::LengthOfHosts(0));
}

#[test]
fn malformed_lengths_are_not_read() {
    for bad in ["0 l", "0 l 0 5 s 0", "0 l 0 5 l 0"] {
        let read = certificate::read(TRIANGLE.replacen("0 l 0 5", bad, 1).as_bytes());
        assert!(matches!(read, Err(ReadError::WordCount { .. })), "{bad}");
    }
    let read = certificate::read(TRIANGLE.replacen("0 l 0 5", "0 l 0:-1", 1).as_bytes());
    assert!(matches!(read, Err(ReadError::Rational { .. })));
}

/// Hosts around one switch; the first `covers` links have covers with a length.
fn star(hosts: u32, covers: u32) -> Refusal {
    let Certificate::WorstCase(mut certificate) = changed("", "") else {
        panic!("about a routing")
    };
    let link = |i: u32| {
        let (host, up) = (i / 2, i.is_multiple_of(2));
        let (from, to) = if up { (host, hosts) } else { (hosts, host) };
        LinkRecord::new(from, to, Rational::ONE)
    };
    let links = (0..2 * hosts).map(link).collect();
    let (count, nodes) = (hosts as usize, hosts as usize + 1);
    let network = EmbeddedNetwork { hosts: count, nodes, links };
    let mut next: Vec<_> = (0..hosts).map(|host| (host, vec![Some(2 * host).into()])).collect();
    next.push((hosts, (0..hosts).map(|host| Some(2 * host + 1).into()).collect()));
    let cover = |link| Cover { link, lengths: vec![(link, Rational::ONE)], ..Cover::default() };
    certificate.claims[0].lower = Rational::ONE;
    certificate.witness.demands[0].amount = Rational::ONE;
    certificate.witness.flow = certificate::RoutedTraffic::Even;
    check(&Certificate::WorstCase(WorstCaseCertificate {
        network: NetworkForm::Embedded(network),
        routing: RoutingForm::Next(next),
        covers: (0..covers).map(cover).collect(),
        ..certificate
    }))
    .unwrap_err()
}

#[test]
fn sizes_are_checked_first() {
    for (hosts, covers, what) in [(4500, 9000, "covers times links"), (4000, 1000, "times hosts")] {
        match star(hosts, covers) {
            Refusal::TooLarge(limit) => assert!(limit.what.ends_with(what), "{}", limit.what),
            other => panic!("{other}"),
        }
    }
}
