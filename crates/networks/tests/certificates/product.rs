//! Product certificates: accepted as written, refused for every possible reason.
use routebound_networks::certificate::{
    Certificate, EmbeddedNetwork, NetworkForm, ProductCertificate, Quantity, ReadError,
    RoutingForm, Sent,
};
use routebound_networks::generators::checker::{BadTree, Refusal, check};
use routebound_networks::rational::Rational;

use super::example;

fn certify(topology: &str, routing: &str) -> ProductCertificate {
    match example(topology, routing) {
        Certificate::Product(certificate) => certificate,
        other => panic!("{other:?}"),
    }
}

fn refusal(
    (topology, routing): (&str, &str),
    change: impl FnOnce(&mut ProductCertificate),
) -> Refusal {
    let mut certificate = certify(topology, routing);
    change(&mut certificate);
    check(&Certificate::Product(certificate)).unwrap_err()
}

/// D-mod-k on FT(6,3): ratio m − 1 = 5. The worst link up of step 3 leaves a subtree of 9 hosts for
/// 5 others with the same two digits.
const DMODK: (&str, &str) = ("ft(6,3)", "dmodk");
/// Ports by both digits.
const GRID: (&str, &str) = ("ftree(5,3,2)", "grid");

/// A change of one field of the first witness.
fn witness(
    instance: (&str, &str),
    change: impl FnOnce(&mut routebound_networks::certificate::ProductWitness),
) -> Refusal {
    refusal(instance, |certificate| change(&mut certificate.witnesses[0]))
}

#[test]
fn a_good_one_survives_writing_and_is_accepted() {
    let text = Certificate::Product(certify(DMODK.0, DMODK.1)).to_string();
    assert_eq!(
        text,
        "routebound-certificate 1
topology ft(6,3)
routing dmodk
claim oblivious-ratio 5 5
claim permutation-load 5 5
busiest oblivious-ratio up 0,0,0 0
sent 3 5
busiest permutation-load up 0,0,0 0
sent 3 5
end
"
    );
    let read: Certificate = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
    assert_eq!(check(&read).unwrap().len(), 2);
    // Weaker claims are true, too, and so is traffic in parts.
    let weaker =
        text.replace("ratio 5 5", "ratio 1/2 6").replacen("sent 3 5", "sent 3 1\nsent 3 2", 1);
    assert!(check(&weaker.parse().unwrap()).is_ok());
}

#[test]
fn claims_are_in_order() {
    let quantity = "oblivious-ratio";
    assert_eq!(refusal(DMODK, |c| c.claims.clear()), Refusal::NoClaim);
    assert_eq!(refusal(DMODK, |c| c.claims[0].lower = 6.into()), Refusal::EmptyClaim { quantity });
    let twice = refusal(DMODK, |c| c.claims[1] = c.claims[0].clone());
    assert_eq!(twice, Refusal::RepeatedClaim { quantity });
    let of_nothing = |name| Refusal::Tree(BadTree::BusiestOfNothing(name));
    assert_eq!(refusal(DMODK, |c| drop(c.claims.pop())), of_nothing("permutation-load"));
    assert_eq!(refusal(DMODK, |c| drop(c.witnesses.pop())), of_nothing("permutation-load"));
    let twice = refusal(DMODK, |c| c.witnesses.push(c.witnesses[0].clone()));
    assert_eq!(twice, of_nothing(quantity));
    let hose = refusal(DMODK, |c| {
        c.claims[0].quantity = Quantity::HoseLoad;
        c.witnesses[0].quantity = Quantity::HoseLoad;
    });
    assert_eq!(hose, of_nothing("hose-load"));
}

#[test]
fn instances_have_names_and_a_product_form() {
    let named = |network: &str, routing: &str| {
        refusal(DMODK, |c| {
            c.network = NetworkForm::Named(network.into());
            c.routing = RoutingForm::Named(routing.into());
        })
    };
    assert_eq!(named("universal(8)", "omrmn"), Refusal::Tree(BadTree::NoProductForm));
    assert_eq!(named("ft(6,3)", "lft:x"), Refusal::Tree(BadTree::FileRouting));
    assert!(matches!(named("ft(5,3)", "dmodk"), Refusal::Tree(BadTree::Instance(_))));
    assert!(matches!(named("ft(6,3)", "osrm2"), Refusal::Tree(BadTree::Instance(_))));
    assert!(
        matches!(named("ft(6,3)", "wsr"), Refusal::Tree(BadTree::Instance(why)) if why.contains("pairs before"))
    );
    assert!(matches!(named("kary(15,16)", "dmodk"), Refusal::TooLarge(_)));
    assert!(matches!(named("ftree(9999,9,9)", "grid"), Refusal::TooLarge(_)));
    // Its cover alone would take minutes.
    let vast = "ftree(4294967295,4294967295,2)";
    assert!(matches!(named(vast, "grid"), Refusal::TooLarge(limit) if limit.limit == 1 << 22));
    let embedded = NetworkForm::Embedded(EmbeddedNetwork::default());
    assert_eq!(refusal(DMODK, |c| c.network = embedded), Refusal::Tree(BadTree::NoProductForm));
    let paths = RoutingForm::Paths(Vec::new());
    assert_eq!(refusal(DMODK, |c| c.routing = paths), Refusal::Tree(BadTree::NoProductForm));
}

#[test]
fn traffic_is_on_a_link_that_exists() {
    let none = Refusal::Tree(BadTree::NoLabelledLink("oblivious-ratio"));
    assert_eq!(witness(DMODK, |w| w.link.ports[1] = 3), none);
    assert_eq!(witness(DMODK, |w| w.link.digits[0] = 6), none);
    assert_eq!(witness(DMODK, |w| w.link.digits.clear()), none);
    assert_eq!(witness(DMODK, |w| w.link.ports.push(0)), none);
    assert_eq!(witness(DMODK, |w| w.link.ports.clear()), none);
}

#[test]
fn traffic_is_of_pairs_of_the_link() {
    for level in [0, 2, 4, usize::MAX] {
        assert_eq!(
            witness(DMODK, |w| w.sent[0].level = level),
            Refusal::Tree(BadTree::SentByNobody(level))
        );
    }
    assert_eq!(
        witness(DMODK, |w| w.sent[0].digits = Some((0, 0))),
        Refusal::Tree(BadTree::SentByNobody(3))
    );
    assert_eq!(witness(GRID, |w| w.sent[0].digits = None), Refusal::Tree(BadTree::SentByNobody(2)));
    assert_eq!(
        witness(GRID, |w| w.sent[0].digits = Some((5, 0))),
        Refusal::Tree(BadTree::SentByNobody(2))
    );
    assert_eq!(witness(GRID, |w| w.sent[0].level = 1), Refusal::Tree(BadTree::SentByNobody(1)));
    let other = witness(GRID, |w| {
        let (s, d) = w.sent[0].digits.unwrap();
        w.sent[0].digits = Some((s, (d + 3) % 5));
    });
    assert_eq!(other, Refusal::Tree(BadTree::SentByNobody(2)));
    // Two links per host, of which D-mod-k uses the first; one digit for two ports.
    let closed = witness(("xgft(2;3,4;2,2)", "dmodk"), |w| w.link.ports[0] = 1);
    assert_eq!(closed, Refusal::Tree(BadTree::SentByNobody(2)));
    let idle = witness(("xgft(3;2,2,2;1,3,1)", "smodk"), |w| {
        w.link.ports = vec![0, 2];
        w.link.digits = vec![0, 0];
        w.sent[0].level = 2;
    });
    assert_eq!(idle, Refusal::Tree(BadTree::SentByNobody(2)));
    // No other subtree.
    let alone = witness(("xgft(2;3,1;1,2)", "dmodk"), |w| w.sent[0].level = 2);
    assert_eq!(alone, Refusal::Tree(BadTree::SentByNobody(2)));
}

#[test]
fn no_subtree_sends_more_than_it_can() {
    let too_much =
        |height| Refusal::Tree(BadTree::SentTooMuch { quantity: "oblivious-ratio", height });
    let with = |instance, amounts: &[(usize, u64)]| {
        witness(instance, |w| {
            let sent = |(level, amount): &(usize, u64)| Sent {
                level: *level,
                amount: (*amount).into(),
                digits: None,
            };
            w.sent = amounts.iter().map(sent).collect();
        })
    };
    // One host in each of 5 subtrees.
    assert_eq!(with(DMODK, &[(3, 6)]), too_much(0));
    // Both amounts count.
    assert_eq!(with(DMODK, &[(3, 3), (3, 3)]), too_much(0));
    // The leaf's two links, though its four hosts and the hosts elsewhere could do more.
    let slim = ("xgft(2;4,4;1,2)", "omrmn");
    let of_leaf = witness(slim, |w| {
        w.link.ports = vec![0, 0];
        w.link.digits = vec![0];
        w.sent = vec![Sent { level: 2, amount: 3.into(), digits: None }];
    });
    assert_eq!(of_leaf, too_much(1));
    let grid = |change: fn(&mut Vec<Sent>)| witness(GRID, |w| change(&mut w.sent));
    assert_eq!(grid(|sent| sent[0].amount = 2.into()), too_much(0));
    let all = grid(|sent| sent.push(sent[0].clone()));
    assert_eq!(all, too_much(0));
}

#[test]
fn traffic_loads_its_link_and_cuts_bound_all() {
    let light = witness(DMODK, |w| w.sent[0].amount = 4.into());
    let Refusal::Tree(BadTree::SentTooLittle { load, .. }) = light else { panic!("{light}") };
    assert_eq!(load, Rational::from(4));
    let heavy = refusal(DMODK, |c| {
        c.claims[0].lower = 4.into();
        c.claims[0].upper = 4.into();
    });
    let Refusal::Tree(BadTree::StepTooHeavy { step, up, load, .. }) = heavy else {
        panic!("{heavy}")
    };
    assert_eq!((step, up, load), (3, true, Rational::from(5)));
    let grid = refusal(GRID, |c| {
        let half = Rational::new(1, 2).unwrap();
        (c.claims[0].lower, c.claims[0].upper) = (Rational::ZERO, half);
    });
    assert!(
        matches!(grid, Refusal::Tree(BadTree::StepTooHeavy { step: 1, up: true, .. })),
        "{grid}"
    );
}

#[test]
fn records_have_their_form() {
    let dmodk = &Certificate::Product(certify(DMODK.0, DMODK.1)).to_string();
    let read = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1).parse::<Certificate>()
    };
    for (from, to) in [
        ("sent 3 5\n", ""),
        ("sent 3 5", "sent 3"),
        ("sent 3 5", "sent 3 5 0"),
        ("sent 3 5", "sent x 5"),
        ("up 0,0,0 0", "over 0,0,0 0"),
        ("up 0,0,0 0", "up 0,,0 0"),
        ("up 0,0,0 0", "up 0,0,0"),
        ("busiest oblivious-ratio", "busiest optu"),
        ("claim oblivious", "cut 0\nclaim oblivious"),
        ("\nend", "\nwitness 0 1\nend"),
        ("\nend", "\ncover 0 s 0\nend"),
    ] {
        assert!(read(dmodk, from, to).is_err(), "{to}");
    }
    let cover = read(dmodk, "\nend", "\ncover 0 s 0\nend").unwrap_err().to_string();
    assert!(cover.ends_with("expected a `sent`, a `busiest` or the `end` line"), "{cover}");
    let long = read(dmodk, "sent 3 5", &format!("sent 3 {}", "9".repeat(201)));
    assert!(matches!(long, Err(ReadError::TooLarge(_))));
}
