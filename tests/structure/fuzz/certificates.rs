//! A changed certificate is refused, or claims nothing false of its instance.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use routebound::assessment::{Assess, assess, assess_by_digits, assess_optimum};
use routebound::bounds::Bounds;
use routebound::by_digits::ByDigits;
use routebound::certificate::{
    AdaptiveRates, Among, Certificate, FAILURE_LOAD, JobQuantity, LOCAL_SWITCHES, NetworkForm,
    Optimality, Quantity, RoutingForm, WorstCaseCertificate,
};
use routebound::failure_sets::{Element, Failures, Repair, Unit, prove_failure_sets};
use routebound::generators::checker::{self, Accepted, Refusal};
use routebound::import::{self, ImportOptions};
use routebound::jobs::orders::Order;
use routebound::jobs::{Exchange, Job, JobLinks, Node, RingBounds, worst_loads};
#[cfg(feature = "sat")]
use routebound::nonblocking::{LocalOptions, least_local_switches};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{self, Host, host_number};
use routebound::traffic::Demand;

use super::change::{any_changes, changed};
use super::lies::{any_lies, told};
use super::targets::TARGETS;
use super::{cases, command};

/// A certificate and what it proves.
struct Known {
    text: String,
    certificate: Certificate,
    proven: Vec<Accepted>,
}

impl Known {
    /// If it proves something that depends on nothing but its instance and traffic.
    fn of(text: String) -> Option<Self> {
        let certificate: Certificate = text.parse().unwrap();
        let proven = checker::check(&certificate).ok()?;
        proven.iter().all(is_known).then_some(Self { text, certificate, proven })
    }

    /// Whether a certificate claims things of the same instance or traffic.
    fn is_about_the_same(&self, found: &Certificate) -> bool {
        match (&self.certificate, found) {
            (Certificate::WorstCase(known), Certificate::WorstCase(found)) => {
                (&found.network, &found.routing, allowed(found))
                    == (&known.network, &known.routing, allowed(known))
            }
            (Certificate::Optimum(known), Certificate::Optimum(found)) => {
                (&found.network, &found.demands) == (&known.network, &known.demands)
            }
            (Certificate::Product(known), Certificate::Product(found)) => {
                (&found.network, &found.routing) == (&known.network, &known.routing)
            }
            (Certificate::Jobs(known), Certificate::Jobs(found)) => {
                (&found.network, &found.routing, &found.groups, &found.used_by, found.quantity)
                    == (
                        &known.network,
                        &known.routing,
                        &known.groups,
                        &known.used_by,
                        known.quantity,
                    )
            }
            (Certificate::Failures(known), Certificate::Failures(found)) => {
                (&found.network, &found.routing, found.repair, found.most, &found.elements)
                    == (&known.network, &known.routing, known.repair, known.most, &known.elements)
            }
            // The claim is on the least m, whatever m the network has.
            (Certificate::Local(known), Certificate::Local(found)) => {
                let same = |network: &NetworkForm| {
                    let NetworkForm::Named(spec) = network else { return None };
                    let shape = topology::TreeShape::named(spec).ok().flatten()?;
                    Some((shape.children(1), shape.children(2)))
                };
                same(&known.network) == same(&found.network)
            }
            _ => false,
        }
    }
}

/// The paths over which the sender divides its traffic, where a certificate is about that.
fn allowed(certificate: &WorstCaseCertificate) -> Option<(Quantity, &Among)> {
    match &certificate.optimality {
        Some(Optimality::AdaptiveRates(bound)) => Some((bound.quantity, &bound.among)),
        _ => None,
    }
}

/// The committed certificates of worst cases that need no other file, and some of traffic.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let target = TARGETS.iter().find(|target| target.verb == "check -").unwrap();
    let texts = (target.seeds)().into_iter().map(|text| String::from_utf8(text).unwrap());
    let others = of_traffic().into_iter().chain(of_products()).chain(of_symmetry());
    let others = others.chain(of_schemes()).chain(of_jobs()).chain(of_splits()).chain(of_cuts());
    let others = others.chain(of_rates()).chain(of_failures());
    texts.chain(others).filter_map(Known::of).collect()
});

/// Certificates of optimal loads, of trees by cuts and of another network.
fn of_traffic() -> Vec<String> {
    let ring = import::topology("instances/networks/examples/ring.csv", &ImportOptions::default());
    let trees = ["ft(4,2)", "xgft(2;4,3;1,2)"].map(|spec| topology::generate(spec).unwrap());
    let all = trees.into_iter().chain([ring.unwrap()]).map(|network| {
        let hosts = host_number(network.hosts());
        let demand =
            |s: Host| Demand { s, d: (s + hosts - 1) % hosts, amount: u64::from(s % 3 + 1).into() };
        let demands: Vec<Demand> = (0..hosts).map(demand).collect();
        let found = assess_optimum(&network, &demands).unwrap();
        found.certificate.unwrap().to_string()
    });
    all.collect()
}

/// Schemes of local adaptive routing with as many top switches as hosts, which needs no other file.
#[cfg(feature = "sat")]
fn of_schemes() -> impl Iterator<Item = String> {
    [(2, 2), (2, 3), (3, 3)].into_iter().map(|(n, r)| {
        let found = least_local_switches(n, r, &LocalOptions::default(), &Progress::silent());
        Certificate::Local(found.unwrap().certificate).to_string()
    })
}

#[cfg(not(feature = "sat"))]
fn of_schemes() -> impl Iterator<Item = String> {
    std::iter::empty()
}

/// Jobs of one adapter and of several, alone and beside each other, and their rings.
fn of_jobs() -> Vec<String> {
    let quiet = Progress::silent();
    let node = |adapters: &[Host]| Node {
        name: String::new(),
        adapters: adapters.iter().map(|host| Some(*host)).collect(),
    };
    let job = |nodes: &[&[Host]]| Job {
        name: String::new(),
        nodes: nodes.iter().map(|adapters| node(adapters)).collect(),
    };
    let jobs = [job(&[&[0, 2], &[4, 6], &[5]]), job(&[&[1, 3], &[7]])];
    let mut found = Vec::new();
    for (tree, routing) in
        [("ft(4,2)", "dmodk"), ("ft(4,2)", "random(seed=2)"), ("ft(4,2)", "omrmn")]
    {
        let instance = Instance::named(tree, routing).unwrap();
        for exchange in Exchange::ALL {
            let worst = worst_loads(&instance, &jobs, exchange, &quiet).unwrap();
            let loads =
                worst.into_iter().flat_map(|worst| worst.alone.into_iter().chain(worst.beside));
            found.extend(loads.filter_map(|load| load.certificate.ok()));
        }
        let links = JobLinks::of(&instance, &jobs[0], Exchange::Nodes, &quiet).unwrap();
        let order = Order::listed(3);
        let rings = RingBounds::of(&instance, &jobs[0], &links, [&order, &order], &quiet);
        let rings = rings.unwrap().unwrap();
        found.extend(
            [rings.greatest, rings.least].into_iter().filter_map(|ring| ring.certificate.ok()),
        );
    }
    found.into_iter().map(|found| Certificate::Jobs(found).to_string()).collect()
}

/// Sets of failures of cables and switches, with every repair that certificates state.
fn of_failures() -> impl Iterator<Item = String> {
    let instances = [
        ("ft(4,2)", "dmodk", Unit::Cable, Repair::Reroute),
        ("ft(4,2)", "smodk", Unit::Switch, Repair::Ecmp),
        ("torus(4,1)", "ecmp", Unit::Cable, Repair::Ecmp),
        ("xgft(2;2,2;1,3)", "omrmn", Unit::Cable, Repair::Reroute),
        ("ft(4,2)", "random(seed=2)", Unit::Cable, Repair::None),
    ];
    instances.into_iter().map(|(topology, routing, unit, repair)| {
        let instance = Instance::named(topology, routing).unwrap();
        let elements = Element::all(&instance.topology, unit);
        let failures = Failures { elements, most: 2, repair, ranked: 0 };
        let quiet = Progress::silent();
        let found = prove_failure_sets(&instance, &failures, false, &quiet, &mut |_| {});
        found.unwrap().certificate.unwrap().to_string()
    })
}

/// Product forms: up-digits by one digit or two, slimmed trees, several links per host.
fn of_products() -> impl Iterator<Item = String> {
    let instances = [
        ("ft(6,3)", "dmodk"),
        ("ft(4,4)", "smodk"),
        ("ft(6,3)", "osrm3"),
        ("ftree(7,5,3)", "grid"),
        ("xgft(3;3,4,3;2,2,3)", "dmodk"),
        ("xgft(3;3,4,3;1,2,2)", "omrmn"),
    ];
    instances.into_iter().map(|(tree, routing)| {
        let form = ByDigits::named(tree, routing).unwrap();
        let found = assess_by_digits(&form).unwrap();
        found.certificate.unwrap().to_string()
    })
}

/// Networks of which a few links have covers for all.
fn of_symmetry() -> impl Iterator<Item = String> {
    ["examples/arcs.txt", "examples/ring.csv", "b4/B4.json"].into_iter().map(|file| {
        let file = format!("instances/networks/{file}");
        let network = import::topology(&file, &ImportOptions::default()).unwrap();
        let routing = routing::build("ecmp", &network).unwrap();
        let instance = Instance::new(network, routing).unwrap();
        let found = Assess::new().embedded().run(&instance).unwrap();
        let text = found.certificate.unwrap().to_string();
        assert!(text.contains("\nautomorphism n "), "{text}");
        text
    })
}

/// Two leaves with two hosts each under two spines, with one cable missing of eight: by hops a share of
/// 1/2 is on the only cable down from node 7, and of 1/3 where all paths have the same.
const SPLIT: &str = "routebound-certificate 1
hosts 4
nodes 8
link 0 4 2
link 4 0 2
link 1 4 2
link 4 1 2
link 2 5 2
link 5 2 2
link 3 5 2
link 5 3 2
link 4 6 1
link 6 4 1
link 4 6 1
link 6 4 1
link 4 7 1
link 7 4 1
link 4 7 1
link 7 4 1
link 5 6 1
link 6 5 1
link 5 6 1
link 6 5 1
link 5 7 1
link 7 5 1
split SPLIT
class 0-1
class 2-3
claim permutation-load LOAD LOAD
witness 21 2/3
demand 0 2 1
demand 1 3 1
route even
ends
cover 21 s 0:SHARE
end
";

/// Both splits, with classes of hosts and without.
fn of_splits() -> impl Iterator<Item = String> {
    [("paths", "2/3", "1/3"), ("hops", "1", "1/2")].into_iter().flat_map(|(split, load, share)| {
        let text = SPLIT.replace("SPLIT", split).replace("LOAD", load);
        let hosts = text.replace("class 0-1\nclass 2-3\n", "").replace("SHARE", "SHARE 1:SHARE");
        [text, hosts].map(|text| text.replace("SHARE", share))
    })
}

/// The ratios, with classes of hosts and without: three links lead to leaf 5, with two hosts of capacity 2. By hops
/// half of what they carry is on link 21. Where all paths have the same share, a third is on each of these
/// links, on those back, and on those between leaf 4 and node 6.
fn of_cuts() -> impl Iterator<Item = String> {
    let cover = |side: &str, share: &str, links: &[u32]| -> String {
        let covers = links.iter().map(|link| format!("cover {link} {side} 0:{share}\n"));
        covers.collect::<Vec<_>>().concat()
    };
    let hops = cover("i", "1/2", &[21]);
    let [up, down] = [[8, 10, 17, 19, 21], [9, 11, 16, 18, 20]];
    let paths = cover("i", "1/3", &up) + &cover("o", "1/3", &down);
    [("hops", "3/2", hops), ("paths", "1", paths)].into_iter().flat_map(|(split, ratio, covers)| {
        let text = SPLIT.replace("SPLIT", split).replace("cover 21 s 0:SHARE\n", &covers);
        let claim = format!("cut 2-3 5\nclaim oblivious-ratio {ratio} {ratio}");
        let text = text.replace("claim permutation-load LOAD LOAD", &claim);
        [text.replace("class 0-1\nclass 2-3\n", ""), text]
    })
}

/// Senders who choose the rates of paths. The first may use one of two links only. The others are three hosts in a
/// triangle, with all paths, and a node beside host 0 from which no way leads on.
fn of_rates() -> [String; 2] {
    let one_of_two = include_str!("../../../crates/proof/tests/certificates/rates/one_of_two.txt");
    let triangle = include_str!("../../../crates/proof/tests/certificates/rates/triangle.txt");
    let lines = triangle.split_inclusive('\n').filter(|line| !line.starts_with("allowed "));
    [one_of_two.to_string(), lines.collect::<String>().replace(" listed\n", " all\n")]
}

/// Whether the claim is about the routing or the traffic alone: what is least also depends on what
/// is allowed.
fn is_known(claim: &Accepted) -> bool {
    let rates = AdaptiveRates::name(Quantity::ObliviousRatio);
    let known =
        ["oblivious-ratio", "permutation-load", "optu", LOCAL_SWITCHES, FAILURE_LOAD, rates];
    known.contains(&&*claim.quantity)
        || JobQuantity::NAMES.iter().any(|(name, _)| *name == claim.quantity)
}

/// Bounds that are known of a named instance.
fn computed(certificate: &Certificate) -> Option<Vec<(&'static str, Bounds)>> {
    let routing = match certificate {
        Certificate::WorstCase(certificate) => &certificate.routing,
        Certificate::Product(certificate) => &certificate.routing,
        _ => return None,
    };
    let (NetworkForm::Named(network), RoutingForm::Named(routing)) =
        (certificate.network(), routing)
    else {
        return None;
    };
    let instance = Instance::named(network, routing).ok()?;
    if instance.topology().hosts() > 64 {
        return None;
    }
    let found = assess(&instance).ok()?;
    Some(vec![
        ("oblivious-ratio", found.oblivious_ratio),
        ("permutation-load", found.permutation_load),
    ])
}

/// What the checker accepts of `text`, against what is known: two true intervals meet. Whether
/// there was anything to compare.
fn judge(
    known: &Known,
    text: &str,
    check: impl FnOnce(&Certificate) -> Result<Vec<Accepted>, Refusal>,
) -> Result<bool, String> {
    let Ok(certificate) = text.parse::<Certificate>() else { return Ok(false) };
    let Ok(accepted) = check(&certificate) else { return Ok(false) };
    let bounds: Vec<_> = if known.is_about_the_same(&certificate) {
        let of = |claim: &Accepted| {
            (claim.quantity.to_string(), claim.lower.clone(), claim.upper.clone())
        };
        known.proven.iter().map(of).collect()
    } else if let Some(bounds) = computed(&certificate) {
        bounds
            .into_iter()
            .map(|(quantity, both)| (quantity.to_string(), both.lower, both.upper))
            .collect()
    } else {
        return Ok(false);
    };
    let mut compared = false;
    for claim in accepted.iter().filter(|claim| is_known(claim)) {
        for (_, lower, upper) in bounds.iter().filter(|(quantity, ..)| *quantity == claim.quantity)
        {
            compared = true;
            if claim.lower > *upper || claim.upper < *lower {
                return Err(format!(
                    "{} is {lower} to {upper}: {}",
                    claim.quantity,
                    command(text.as_bytes(), "check -")
                ));
            }
        }
    }
    Ok(compared)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn nothing_false_is_accepted(which in any::<prop::sample::Index>(), changes in any_changes()) {
        let known = &KNOWN[which.index(KNOWN.len())];
        let text = changed(known.text.as_bytes(), &changes);
        let judged = judge(known, &String::from_utf8_lossy(&text), checker::check);
        prop_assert!(judged.is_ok(), "{}", judged.unwrap_err());
    }

    /// Claims with other numbers, which is where a certificate would lie.
    #[test]
    fn no_false_number_is_accepted(
        which in any::<prop::sample::Index>(), lower in 0..9_u32, more in 0..4_u32, parts in 1..3_u32,
    ) {
        let known = &KNOWN[which.index(KNOWN.len())];
        let claims = known.text.lines().map(|line| match line.strip_prefix("claim ") {
            Some(rest) => {
                let quantity = rest.split(' ').next().unwrap_or_default();
                format!("claim {quantity} {} {}\n", fraction(lower, parts), fraction(lower + more, parts))
            }
            None => format!("{line}\n"),
        });
        let judged = judge(known, &claims.collect::<String>(), checker::check);
        prop_assert!(judged.is_ok(), "{}", judged.unwrap_err());
    }
}

/// The fraction in lowest terms.
fn fraction(numerator: u32, denominator: u32) -> String {
    Rational::new(u64::from(numerator), u64::from(denominator)).unwrap().to_string()
}

/// Accepts every claim without looking at the evidence.
#[expect(clippy::unnecessary_wraps, reason = "it stands in for the checker")]
fn credulous(certificate: &Certificate) -> Result<Vec<Accepted>, Refusal> {
    let claim = |quantity: &'static str, lower: &Rational, upper: &Rational| Accepted {
        quantity: quantity.into(),
        lower: lower.clone(),
        upper: upper.clone(),
    };
    Ok(match certificate {
        Certificate::WorstCase(found) => {
            let rates = match &found.optimality {
                Some(Optimality::AdaptiveRates(bound)) => Some(bound),
                _ => None,
            };
            let of_rates = |AdaptiveRates { quantity, lower, .. }: &AdaptiveRates| {
                let own = found.claims.iter().find(|claim| claim.quantity == *quantity);
                own.map(|own| claim(AdaptiveRates::name(*quantity), lower, &own.upper))
            };
            let claims = found.claims.iter().map(|c| claim(c.quantity.name(), &c.lower, &c.upper));
            claims.chain(rates.and_then(of_rates)).collect()
        }
        Certificate::Optimum(found) => vec![claim("optu", &found.lower, &found.upper)],
        Certificate::Jobs(found) => vec![claim(found.quantity.name(), &found.lower, &found.upper)],
        Certificate::Failures(found) => vec![claim(FAILURE_LOAD, &found.lower, &found.upper)],
        Certificate::Product(found) => {
            found.claims.iter().map(|c| claim(c.quantity.name(), &c.lower, &c.upper)).collect()
        }
        Certificate::Local(found) => {
            let [lower, upper] = [found.lower, found.upper].map(|m| Rational::from(u64::from(m)));
            vec![claim(LOCAL_SWITCHES, &lower, &upper)]
        }
    })
}

/// Claims and evidence that are changed together. Many are still accepted, and none is false. Of
/// those that are refused, each reason is once all that stands between a false claim and its
/// acceptance: a checker without it would be found.
#[test]
fn no_lie_is_accepted() {
    let cases = cases(5000).cases.max(5000);
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(ProptestConfig { cases, ..Default::default() }, rng);
    let (mut judged, mut reasons) = (BTreeMap::new(), BTreeSet::new());
    for _ in 0..cases {
        let tree = (any::<prop::sample::Index>(), any_lies()).new_tree(&mut runner).unwrap();
        let (which, lies) = tree.current();
        let known = &KNOWN[which.index(KNOWN.len())];
        let text = told(&known.text, &lies);
        assert_eq!(text.lines().count(), known.text.lines().count());
        let mut refusal = None;
        let compared = judge(known, &text, |found| {
            checker::check(found).inspect_err(|reason| refusal = Some(reason.clone()))
        });
        assert!(compared.is_ok(), "{}", compared.unwrap_err());
        let kind = known.proven[0].quantity.clone();
        *judged.entry(kind).or_insert(0) += usize::from(compared == Ok(true));
        if let Some(refusal) = refusal.filter(|_| judge(known, &text, credulous).is_err()) {
            let reason = match refusal {
                Refusal::Tree(reason) => format!("{reason:?}"),
                reason => format!("{reason:?}"),
            };
            reasons.insert(reason.split([' ', '(']).next().unwrap_or_default().to_string());
        }
    }
    println!("{judged:?} of {cases}, {reasons:?}");
    assert!(judged["oblivious-ratio"] > 100 && judged["optu"] > 10, "{judged:?} of {cases}");
    assert!(judged[FAILURE_LOAD] > 5, "{judged:?} of {cases}");
    assert!(judged["job-load"] > 30 && judged["least-ring-load"] > 5, "{judged:?} of {cases}");
    for reason in [
        "OptuExceeded",
        "WitnessTooLight",
        "Uncovered",
        "CoverTooHeavy",
        "LengthsTooShort",
        "SentTooMuch",
        "SentTooLittle",
        "StepTooHeavy",
        "Jobs",
        "AdaptiveRates",
    ] {
        assert!(reasons.contains(reason), "{reason} is not among {reasons:?}");
    }
}

#[test]
fn a_checker_that_trusts_claims_is_found() {
    assert!(KNOWN.len() > 20, "{}", KNOWN.len());
    for text in of_rates() {
        assert!(KNOWN.iter().any(|known| known.text == text), "{text}");
    }
    let known =
        KNOWN.iter().find(|known| known.text.contains("claim oblivious-ratio 2 2")).unwrap();
    assert_eq!(judge(known, &known.text, checker::check), Ok(true));
    for claim in ["1 1", "3 4"] {
        let text = known.text.replace("oblivious-ratio 2 2", &format!("oblivious-ratio {claim}"));
        assert_eq!(judge(known, &text, checker::check), Ok(false));
        assert!(judge(known, &text, credulous).unwrap_err().contains("oblivious-ratio is 2 to 2"));
    }
    let weaker = known.text.replace("oblivious-ratio 2 2", "oblivious-ratio 1 3");
    assert_eq!(judge(known, &weaker, checker::check), Ok(true));
}
