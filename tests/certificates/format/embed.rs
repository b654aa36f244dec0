//! Named certificates, written out: the same claims without anything that knows names, except for the kinds that only
//! names state.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use routebound::assessment::assess;
use routebound::certificate::{Certificate, NetworkForm, RoutingForm, Split};
use routebound::embed::{WriteOutError, written_out};
use routebound::generators::checker::{self, BadTree, Check, NoNames, Refusal};
use routebound::progress::{Interrupted, Progress};
use routebound::routing::{self, Instance};

use super::committed::certificates;
use super::fate::{PARALLEL, SYMMETRIC, changed};
use super::jobs::{GROUPS, RINGS};
use super::judge_accepted;
use super::second::INSTANCES;

/// Two hosts, and an automorphism that exchanges them.
const MIRROR: &str = "routebound-certificate 1
topology xgft(1;2;1)
routing dmodk
cut 0
claim oblivious-ratio 1 1
claim permutation-load 1 1
witness 0 1
demand 0 1 1
route paths
path 0 1 1 0 3
automorphism n 0,1 l 0,1 2,3
cover 0 s 0
cover 2 d 0
end
";

/// With a bound on all routings, and a routing that is written out already.
const LEAST: &str = "routebound-certificate 1
topology xgft(1;2;1)
path 0 1 1 0 3
path 1 0 1 1 2
claim oblivious-ratio 1 1
witness 0 1
demand 0 1 1
route even
ends
least oblivious-ratio 1 listed
allowed 0 1 0 3
allowed 1 0 1 2
end
";

const OPTIMUM: &str = "routebound-certificate 1
topology ft(4,2)
claim optu 1 1
demand 0 7 1
route even
length 0 1
end
";

/// Two members whose pairs have two paths each.
const SEVERAL_PATHS: &str = "routebound-certificate 1
topology xgft(1;2;2)
routing omrmn
group 0 1
claim job-load 1/2 1/2
loaded 0
send 0 1
cover 0 s 0:1/2
cover 1 s 0:1/2
cover 2 s 1:1/2
cover 3 s 1:1/2
cover 4 d 0:1/2
cover 5 d 0:1/2
cover 6 d 1:1/2
cover 7 d 1:1/2
end
";

fn read(text: &str) -> Certificate {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn refusal(text: &str) -> WriteOutError {
    written_out(read(text), &Progress::silent()).map(|written| written.to_string()).unwrap_err()
}

/// The certificate with the network and the routing of another one.
fn about_the_same(mut certificate: Certificate, other: &Certificate) -> Certificate {
    match (&mut certificate, other) {
        (Certificate::WorstCase(one), Certificate::WorstCase(other)) => {
            (one.network, one.routing) = (other.network.clone(), other.routing.clone());
        }
        (Certificate::Optimum(one), Certificate::Optimum(other)) => {
            one.network = other.network.clone();
        }
        (Certificate::Jobs(one), Certificate::Jobs(other)) => {
            (one.network, one.routing) = (other.network.clone(), other.routing.clone());
        }
        (Certificate::Failures(one), Certificate::Failures(other)) => {
            (one.network, one.routing) = (other.network.clone(), other.routing.clone());
        }
        _ => panic!("another kind"),
    }
    certificate
}

/// The text without names, after its claims and its other records are found to be the same.
fn embedded(named: &str) -> String {
    let certificate = read(named);
    assert!(matches!(certificate.network(), NetworkForm::Named(_)), "{named}");
    let written = written_out(certificate.clone(), &Progress::silent()).unwrap();
    let text = written.to_string();
    let claims =
        Check::new(&NoNames).run_text(&text).unwrap_or_else(|error| panic!("{error}: {named}"));
    assert_eq!(Ok(claims), checker::check(&certificate), "{named}");
    assert_eq!(about_the_same(written.clone(), &certificate), certificate);
    assert_eq!(written_out(written.clone(), &Progress::silent()).unwrap(), written);
    text
}

#[test]
fn every_kind_about_links_is_written_out() {
    let texts = [MIRROR, LEAST, OPTIMUM, GROUPS, RINGS, SEVERAL_PATHS].map(embedded);
    assert!(texts[3].contains("\nnext 7 ") && texts[5].contains("\nsplit hops\n"), "{texts:?}");
    judge_accepted(texts);
}

/// Those of pages alone are of many shapes; the largest take too long, and some are written out already. By default
/// every second of the others, in the full tier each.
#[test]
fn what_is_committed_is_written_out_or_only_named() {
    let (mut small, mut only_named) = (Vec::new(), 0);
    for file in certificates() {
        let named = fs::read_to_string(&file).unwrap();
        if named.contains("\nsingle-path ") {
            assert!(matches!(refusal(&named), WriteOutError::SinglePath(_)), "{}", file.display());
            only_named += 1;
        } else if named.contains(" local-adaptive-switches ") {
            assert!(matches!(refusal(&named), WriteOutError::Local(_)), "{}", file.display());
            only_named += 1;
        } else if named.len() < 2_000 && matches!(read(&named).network(), NetworkForm::Named(_)) {
            small.push(named);
        }
    }
    assert!(small.len() > 30 && only_named > 15, "{} {only_named}", small.len());
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    let texts: Vec<String> = small.iter().step_by(step).map(|named| embedded(named)).collect();
    judge_accepted(texts);
}

/// Every routing that certificates may name, on every family of trees; a `universal` is never named.
#[test]
fn every_named_routing_is_written_out() {
    let (mut texts, mut tried) = (Vec::new(), BTreeSet::new());
    for (topology, routings) in INSTANCES {
        if topology.starts_with("universal") {
            continue;
        }
        for routing in *routings {
            let instance = Instance::named(topology, routing).unwrap();
            let found = assess(&instance).unwrap();
            texts.push(embedded(&found.certificate.unwrap().to_string()));
            tried.insert(routing.split('(').next().unwrap().to_lowercase());
        }
    }
    for kind in routing::KINDS.iter().filter(|kind| kind.build.defined) {
        assert!(tried.contains(kind.name), "{} is not tried", kind.name);
    }
    judge_accepted(texts);
}

/// One line says what millions of paths would say.
#[test]
fn even_splits_over_all_shortest_paths_are_not_listed() {
    let named = "routebound-certificate 1\ntopology xgft(2;64,40;1,4)\nrouting NAME\n\
        claim oblivious-ratio 1 1\nwitness 0 1\ndemand 0 1 1\nroute even\nend\n";
    for name in ["omrmn", "ecmp"] {
        let named = read(&named.replace("NAME", name));
        let written = written_out(named, &Progress::silent()).unwrap();
        let Certificate::WorstCase(written) = written else { panic!("{written:?}") };
        assert_eq!(written.routing, RoutingForm::Split(Split::Hops));
    }
    let several = read(&named.replace("NAME", "kpath(k=2)"));
    let refused = written_out(several, &Progress::silent());
    assert!(
        matches!(refused, Err(WriteOutError::Interrupted(Interrupted::TooLarge(_)))),
        "{refused:?}"
    );
}

#[test]
fn what_only_names_state_is_refused_with_the_remedy() {
    let product = "routebound-certificate 1\ntopology ft(6,3)\nrouting dmodk\nclaim oblivious-ratio 5 5\n\
        busiest oblivious-ratio up 0,0,0 0\nsent 3 5\nend\n";
    assert!(checker::check(&read(product)).is_ok());
    let said = refusal(product).to_string();
    assert!(said.contains("analyse the routing link by link"), "{said}");
    let committed = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name);
        fs::read_to_string(path).unwrap()
    };
    let said = refusal(&committed("local-adaptive/certificates/local-2-4.cert")).to_string();
    assert!(said.contains("there is nothing to write out"), "{said}");
    let single = committed("optimal-single-path/certificates/ft-4-2.cert");
    let said = refusal(&single).to_string();
    assert!(said.contains("certify this routing alone"), "{said}");
    // As FORMAT.md says, without the record it can be written out.
    let is_other = |line: &&str| !line.starts_with("single-path ");
    embedded(
        &single.lines().filter(is_other).map(|line| line.to_string() + "\n").collect::<String>(),
    );
}

#[test]
fn names_that_no_certificate_may_have_are_refused() {
    let named = |name: &str| refusal(&changed(MIRROR, &[("routing dmodk", name)]));
    assert!(matches!(
        named("routing table:/dev/zero"),
        WriteOutError::Name(Refusal::Tree(BadTree::FileRouting))
    ));
    assert!(matches!(
        named("routing ksp"),
        WriteOutError::Name(Refusal::Tree(BadTree::DetourRouting))
    ));
    assert!(matches!(named("routing nonsense"), WriteOutError::Routing(_)));
    let on = |network: &str| refusal(&changed(MIRROR, &[("topology xgft(1;2;1)", network)]));
    assert!(matches!(on("topology ft(5,2)"), WriteOutError::Topology(_)));
    let large = "topology xgft(1;70000;1)";
    assert!(matches!(on(large), WriteOutError::Interrupted(Interrupted::TooLarge(_))));
    let nobody = refusal(&changed(GROUPS, &[("group 5 6", "group 5 7")]));
    assert!(matches!(nobody, WriteOutError::NoSuchHost(7)));
    let mixed = changed(PARALLEL, &[("path 0 1 1 0\npath 1 0 1 2", "routing dmodk")]);
    assert!(matches!(refusal(&mixed), WriteOutError::Name(Refusal::NamedRouting)));
}

/// What is written out already is returned as it is, and what proves nothing proves nothing afterwards.
#[test]
fn nothing_is_verified_and_nothing_else_changed() {
    for text in [PARALLEL, SYMMETRIC] {
        assert_eq!(written_out(read(text), &Progress::silent()).unwrap().to_string(), text);
    }
    let wrong = changed(MIRROR, &[("claim oblivious-ratio 1 1", "claim oblivious-ratio 2 2")]);
    let written = written_out(read(&wrong), &Progress::silent()).unwrap();
    let reasons = [checker::check(&read(&wrong)), Check::new(&NoNames).run(&written)];
    assert!(reasons[0].is_err() && reasons[0] == reasons[1], "{reasons:?}");
}

#[test]
fn a_stop_ends_it() {
    let progress = Progress::silent();
    progress.stop().request();
    for text in [MIRROR, OPTIMUM, GROUPS] {
        match written_out(read(text), &progress) {
            Err(WriteOutError::Interrupted(Interrupted::Stopped(_))) => {}
            other => panic!("{other:?}"),
        }
    }
}
