//! Certificates: accepted as written, refused for every possible reason, and never accepted when
//! they claim something wrong.
use routebound_networks::certificate::{
    self, Among, Certificate, EmbeddedNetwork, Least, NetworkForm, NextLink, Optimality,
    PathRecord, Quantity, ReadError, RoutedTraffic, RoutingForm, WorstCaseCertificate,
};
use routebound_networks::embed;
use routebound_networks::generators::checker::{Accepted, BadTree, Refusal, check};
use routebound_networks::integer::index32;
use routebound_networks::progress::Progress;
use routebound_networks::rational::Rational;
use routebound_networks::routing::Instance;

use super::example;

/// The worst case of the instance in `examples.txt`, with a cover for every link.
pub fn certify(topology: &str, routing: &str, written_out: bool) -> WorstCaseCertificate {
    let Certificate::WorstCase(mut certificate) = example(topology, routing) else {
        panic!("a worst case")
    };
    if written_out {
        let instance = Instance::named(topology, routing).unwrap();
        certificate.network = embed::network(instance.topology());
        certificate.routing = embed::routing(&instance, &Progress::silent()).unwrap();
    }
    certificate
}

fn text(certificate: &WorstCaseCertificate) -> String {
    let mut bytes = Vec::new();
    certificate::write(&Certificate::WorstCase(certificate.clone()), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

pub fn refusal(certificate: &WorstCaseCertificate) -> Refusal {
    check(&Certificate::WorstCase(certificate.clone())).unwrap_err()
}

/// `ft(4,2)` under dmodk (next links) or smodk (listed paths), changed by `change`.
fn embedded(routing: &str, change: impl FnOnce(&mut WorstCaseCertificate)) -> WorstCaseCertificate {
    let mut certificate = certify("ft(4,2)", routing, true);
    change(&mut certificate);
    certificate
}

fn network(certificate: &mut WorstCaseCertificate) -> &mut EmbeddedNetwork {
    match &mut certificate.network {
        NetworkForm::Embedded(network) => network,
        NetworkForm::Named(_) => panic!("embedded"),
    }
}

pub fn paths(certificate: &mut WorstCaseCertificate) -> &mut Vec<PathRecord> {
    match &mut certificate.routing {
        RoutingForm::Paths(paths) => paths,
        _ => panic!("S-mod-k has no next links"),
    }
}

fn next(certificate: &mut WorstCaseCertificate, node: u32) -> &mut Vec<NextLink> {
    match &mut certificate.routing {
        RoutingForm::Next(rows) => &mut rows.iter_mut().find(|row| row.0 == node).unwrap().1,
        _ => panic!("D-mod-k has next links"),
    }
}

#[test]
fn both_forms_survive_writing_and_are_accepted() {
    for (topology, routing) in [
        ("ft(4,2)", "dmodk"),
        ("ft(4,3)", "smodk"),
        ("ft(8,2)", "grid"),
        ("xgft(2;4,3;1,2)", "rnca-d(seed=5)"),
        ("xgft(2;2,3;2,2)", "random(seed=2)"),
    ] {
        for embed in [false, true] {
            let certificate = certify(topology, routing, embed);
            let again = certificate::read(text(&certificate).as_bytes()).unwrap();
            assert_eq!(again, Certificate::WorstCase(certificate));
            let claims = if topology.starts_with("xgft") { 1 } else { 2 };
            assert_eq!(check(&again).unwrap().len(), claims);
        }
    }
}

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

/// Change any one number by one: the checker refuses, or what it accepts is still true. A
/// changed instance is another instance, so instance lines are left alone here.
#[test]
fn no_changed_number_makes_it_accept_something_wrong() {
    let truth = Rational::from(2);
    let good = text(&certify("ft(4,2)", "dmodk", false));
    let lines: Vec<&str> = good.lines().collect();
    let mut refused = 0;
    for (at, line) in lines.iter().enumerate().skip(3) {
        let words: Vec<&str> = line.split(' ').collect();
        for (index, word) in words.iter().enumerate() {
            let Ok(number) = word.parse::<u32>() else { continue };
            for other in [number.wrapping_sub(1), number + 1, 0, 4_294_967_295] {
                let mut changed = words.clone();
                let other = other.to_string();
                changed[index] = &other;
                let mut all = lines.clone();
                let changed = changed.join(" ");
                all[at] = &changed;
                match certificate::read(all.join("\n").as_bytes()) {
                    Err(_) => refused += 1,
                    Ok(certificate) => match check(&certificate) {
                        Err(_) => refused += 1,
                        Ok(claims) => {
                            let holds =
                                |claim: &Accepted| claim.lower <= truth && truth <= claim.upper;
                            assert!(claims.iter().all(holds), "{line} -> {changed}");
                        }
                    },
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
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

#[test]
fn damaged_texts_are_refused_for_their_reason() {
    let good = text(&certify("ft(4,2)", "smodk", true));
    let read = |text: &str| certificate::read(text.as_bytes()).unwrap_err();
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        read(&good.replacen(from, to, 1))
    };
    assert!(matches!(read(""), ReadError::NotACertificate(_)));
    assert!(matches!(read("\u{0}\u{1}"), ReadError::NotACertificate(_)));
    assert!(matches!(with("certificate 1", "certificate 2"), ReadError::Version(_)));
    assert!(matches!(with("hosts", "guests"), ReadError::Unexpected { line: 2, .. }));
    assert!(matches!(with("hosts 8", "hosts 8 9"), ReadError::WordCount { line: 2, .. }));
    assert!(matches!(with("hosts 8", "hosts 99999999999"), ReadError::TooLarge(_)));
    assert!(matches!(with("hosts 8", "hosts -8"), ReadError::Integer { line: 2, .. }));
    let long = format!("claim oblivious-ratio {}", "9".repeat(300));
    assert!(matches!(with("claim oblivious-ratio 2", &long), ReadError::TooLarge(_)));
    assert!(matches!(with("ratio 2", "ratio 2/0"), ReadError::Rational { .. }));
    assert!(matches!(with("ratio 2", "ratio nan"), ReadError::Rational { .. }));
    assert!(matches!(with("oblivious", "obvious"), ReadError::Unexpected { .. }));
    assert!(matches!(with("route even", "route odd"), ReadError::Unexpected { .. }));
    assert!(matches!(with("cover 0 s", "cover 0 x"), ReadError::WordCount { .. }));
    assert!(matches!(with("claim", "cut 3-\nclaim"), ReadError::Integer { .. }));
    assert!(matches!(with("claim", "cut 0-4000000000\nclaim"), ReadError::TooLarge(_)));
    assert!(matches!(with("cover 0 s 0", "cover 0 s"), ReadError::WordCount { .. }));
    assert!(matches!(read(&format!("{good}more\n")), ReadError::TrailingText(_)));
}

#[test]
fn every_truncation_is_noticed() {
    let good = text(&certify("ft(4,2)", "dmodk", true));
    let lines: Vec<&str> = good.lines().collect();
    for count in 0..lines.len() {
        let cut = lines[..count].join("\n");
        let refused = certificate::read(cut.as_bytes()).is_err();
        assert!(refused, "accepted {count} of {} lines", lines.len());
    }
}

/// A line without end is refused after 16 MiB, not read to its end.
#[test]
fn endless_lines_are_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(b'7'));
    assert!(matches!(certificate::read(endless), Err(ReadError::TooLarge(_))));
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
