//! A certificate that nobody could read is not written, and nothing is proven by it.

use routebound::assessment::assess_optimum;
use routebound::bounds::Evidence;
use routebound::certificate::{self, Demand};
use routebound::generators::checker::check;

/// Sums of short numbers may be too long for a certificate: what cannot be read is not proven.
#[test]
fn what_cannot_be_read_again_is_not_proven() {
    let tree = routebound::topology::generate("ft(4,2)").unwrap();
    let optimum = |amounts: [&str; 2]| {
        let demand = |(d, amount): (u32, &str)| Demand { s: 0, d, amount: amount.parse().unwrap() };
        let demands: Vec<Demand> = (1..).zip(amounts).map(demand).collect();
        assess_optimum(&tree, &demands).unwrap()
    };
    let (long, part) = ("9".repeat(190), format!("1/1{}", "0".repeat(190)));
    let found = optimum([&long, "1/7"]);
    assert_eq!(found.optu.evidence, Evidence::Proven);
    let mut bytes = Vec::new();
    certificate::write(&found.certificate.unwrap(), &mut bytes).unwrap();
    assert!(check(&certificate::read(&bytes[..]).unwrap()).is_ok());
    // The sum has a numerator of 380 digits.
    let found = optimum([&long, &part]);
    assert_eq!(found.optu.exact().unwrap().to_string().len(), 380 + 1 + 191);
    let Evidence::Claimed(text) = &found.optu.evidence else { panic!("{}", found.optu) };
    assert!(text.contains("number of digits of a number in line 3"), "{text}");
    assert!(found.complete);
    let why = found.certificate.unwrap_err().to_string();
    assert!(why.contains("number of digits of a number in line 3"), "{why}");
}
