//! Proofs that no routing is better: accepted when they hold, refused for every possible reason.
use routebound_proof::certificate::{
    self, AllowedPath, Among, Certificate, Least, Optimality, WorstCaseCertificate,
};
use routebound_proof::checker::{Refusal, check};

use super::fate::LEAST;
use super::{PARALLEL, judge, proven};

/// The direct paths of a triangle have ratio 2, since another 1 could go around. No routing over shortest paths, or
/// over these paths only, is better; over all paths the best has 4/3.
const DIRECT: &str = triangle!(
    "cover 0 l 0 5
cover 1 l 1 4
cover 2 l 1 2
cover 3 l 0 3
cover 4 l 3 4
cover 5 l 2 5
least oblivious-ratio 2 shortest
against 0 1
demand 0 1 2
route paths
path 0 1 1/2 0
path 0 1 1/2 5 3
end
"
);

fn read(text: &str) -> Certificate {
    certificate::read(text.as_bytes()).unwrap()
}

fn refused(text: &str) -> Refusal {
    check(&read(text)).unwrap_err()
}

/// The certificate with its `least` record changed.
fn changed(change: impl FnOnce(&mut WorstCaseCertificate)) -> Refusal {
    let Certificate::WorstCase(mut certificate) = read(DIRECT) else { panic!("a worst case") };
    change(&mut certificate);
    check(&Certificate::WorstCase(certificate)).unwrap_err()
}

fn least(certificate: &mut WorstCaseCertificate) -> &mut Least {
    let Some(Optimality::OverPaths(least)) = &mut certificate.optimality else {
        panic!("no bound over paths")
    };
    least
}

#[test]
fn it_survives_writing_and_is_accepted() {
    let listed = "least oblivious-ratio 2 listed\nallowed 0 1 0\nallowed 1 0 1\nallowed 1 2 2
allowed 2 1 3\nallowed 2 0 4\nallowed 0 2 5";
    for among in ["least oblivious-ratio 2 shortest", listed] {
        let text = DIRECT.replace("least oblivious-ratio 2 shortest", among);
        assert_eq!(proven(&text), ["oblivious-ratio = 2", "least oblivious-ratio = 2"]);
    }
}

#[test]
fn other_paths_prove_less() {
    // Over all paths the same traffic may go around at no cost.
    let all = DIRECT.replace("2 shortest", "2 all");
    let text = "weighted traffic proves least oblivious-ratio ≥ 0 only, the certificate says 2";
    assert_eq!(refused(&all).to_string(), text);
    let high = changed(|c| least(c).lower = "3/1".parse().unwrap());
    assert!(matches!(high, Refusal::EmptyClaim { .. }), "{high}");
    // Without traffic, all that is known is that a max load is never below optu.
    let none = changed(|c| least(c).dual_demands.clear());
    assert!(matches!(none, Refusal::LeastTooLow { .. }), "{none}");
    let one = &DIRECT[..DIRECT.find("against").unwrap()];
    let one = one.replace("least oblivious-ratio 2 shortest", "least oblivious-ratio 1 all");
    assert!(check(&read(&(one + "end\n"))).is_ok());
}

#[test]
fn the_traffic_must_count() {
    let unrouted = changed(|c| least(c).dual_demands[0].1.flow = None);
    assert_eq!(unrouted, Refusal::AgainstUnrouted(0));
    let too_much = changed(|c| least(c).dual_demands[0].1.demands[0].amount = "3".parse().unwrap());
    assert!(matches!(too_much, Refusal::OptuExceeded { .. }), "{too_much}");
    let nowhere = changed(|c| least(c).dual_demands[0].1.link = 6);
    assert_eq!(nowhere, Refusal::AgainstNoLink(6));
}

#[test]
fn the_routing_must_use_the_allowed_paths() {
    let around = |c: &mut WorstCaseCertificate| {
        let links = vec![vec![5, 3], vec![1], vec![2], vec![3], vec![4], vec![5]];
        let ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)];
        let allowed = ends.iter().zip(links);
        let allowed = allowed.map(|((s, d), links)| AllowedPath { s: *s, d: *d, links });
        least(c).among = Among::Listed(allowed.collect());
    };
    assert_eq!(changed(around), Refusal::NotAllowed { s: 0, d: 1 });
    let longer = DIRECT.replacen("path 0 1 1 0", "path 0 1 1 5 3", 1);
    let longer = longer.replace("claim oblivious-ratio 2 2", "claim oblivious-ratio 0 9");
    let longer = longer.replace("cover 3 l 0 3", "cover 3 s 0 d 1");
    let longer = longer.replace("cover 5 l 2 5", "cover 5 s 0 d 1");
    assert_eq!(refused(&longer), Refusal::NotAllowed { s: 0, d: 1 });
    let broken = changed(|c| {
        let paths = vec![AllowedPath { s: 0, d: 1, links: vec![1] }];
        least(c).among = Among::Listed(paths);
    });
    assert!(matches!(broken, Refusal::BrokenPath { .. }), "{broken}");
    let nobody = changed(|c| {
        let paths = vec![AllowedPath { s: 0, d: 7, links: vec![1] }];
        least(c).among = Among::Listed(paths);
    });
    assert_eq!(nobody, Refusal::RouteOfNobody(7));
}

#[test]
fn it_is_about_a_claim() {
    let other = refused(&DIRECT.replace("least oblivious-ratio 2", "least hose-load 2"));
    assert_eq!(other, Refusal::LeastOfNothing("hose-load"));
    let load = refused(&DIRECT.replace("least oblivious-ratio 2", "least permutation-load 2"));
    assert_eq!(load, Refusal::LeastOfNothing("permutation-load"));
}

/// Two hosts joined by one link each way: hose traffic is at most 1.
const HOSE: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 1 0 1
path 0 1 1 0
path 1 0 1 1
claim hose-load 1 1
witness 0 1
demand 0 1 1
route even
cover 0 s 0
cover 1 s 1
least hose-load 1 all
against 0 1
demand 0 1 1
end
";

#[test]
fn hose_loads_are_limited_by_hosts() {
    let accepted = check(&read(HOSE)).unwrap();
    let names: Vec<&str> = accepted.iter().map(|bounds| &*bounds.quantity).collect();
    assert_eq!(names, ["hose-load", "least hose-load"]);
    let text = HOSE.replace("against 0 1\ndemand 0 1 1", "against 0 1\ndemand 0 1 3/2");
    assert_eq!(refused(&text), Refusal::HoseExceeded(0));
    let text = HOSE.replace("witness 0 1\ndemand 0 1 1", "witness 0 2\ndemand 0 1 2");
    assert_eq!(refused(&text), Refusal::HoseExceeded(0));
    let text = HOSE.replace("cover 0 s 0", "cover 0 l 0");
    assert_eq!(refused(&text), Refusal::LengthOfHosts(0));
    let text = HOSE.replace("cover 0 s 0", "cover 0 s 0:2");
    assert!(matches!(refused(&text), Refusal::CoverTooHeavy { .. }));
    let text = HOSE.replace("claim hose-load 1 1", "claim hose-load 2 2");
    assert!(matches!(refused(&text), Refusal::WitnessTooLight { .. }));
}

#[test]
fn least_records() {
    let base = PARALLEL.replace("end\n", LEAST);
    let without = ("against 0 1\ndemand 0 1 2\nroute even\n", "");
    judge(
        &base,
        &[
            (&[("allowed 0 1 0", "allowed 0 1 0\nallowed 0 1 0")], ""),
            (&[("allowed 0 1 0", "allowed 0 1 0\nallowed 0 1 1")], "≥ 0 only"),
            (&[("allowed 0 1 0", "allowed 0 1")], "`allowed` has the wrong number of words"),
            (&[("allowed 0 1 0", "allowed 0 1 0\nallowed 0 0 0 2")], "from host 0 to itself"),
            (&[("allowed 0 1 0\nallowed 1 0 2\n", "")], "(0,1) is not among those"),
            (
                &[("ratio 2 listed", "ratio 2 all"), ("allowed 0 1 0\nallowed 1 0 2\n", "")],
                "≥ 0 only",
            ),
            // Weights of one link add up; traffic is needed besides the weight.
            (&[("against 0 1\n", "against 0 1/2\ndemand 0 1 2\nroute even\nagainst 0 1/2\n")], ""),
            (&[("against 0 1\ndemand 0 1 2\n", "against 0 1\n")], "has no demand"),
            (&[("demand 0 1 2\nroute even\nend", "demand 0 1 2\nend")], "needs a `route`"),
            (&[("against 0 1\n", "against 0 0\n")], "≥ 0 only"),
            // A claim that always holds needs no traffic, nor does one that claims nothing.
            (&[("ratio 2 listed", "ratio 1 listed"), without], ""),
            (&[("ratio 2 listed", "ratio 3/2 listed"), without], "≥ 0 only"),
            (&[("ratio 2 listed", "ratio 0 listed"), ("against 0 1\n", "against 0 0\n")], ""),
            (&[("ratio 2 listed", "ratio 3 listed")], "lower bound above"),
            // Weights and demands are multiplied: 1·2 proves 2, not 1 + 2.
            (&[("ratio 2 2", "ratio 2 3"), ("ratio 2 listed", "ratio 3 listed")], "≥ 2 only"),
        ],
    );
    let hose = base.replace("oblivious-ratio", "hose-load");
    let (routed, open) = ("demand 0 1 2\nroute even\nend", "demand 0 1 2\nend");
    let hose = hose.replace(routed, open);
    judge(
        &hose,
        &[
            (&[(open, routed)], "has a `route`, but hose loads count"),
            (&[("demand 0 1 2\nend", "demand 0 1 3\nend")], "host 0 sends or receives more"),
        ],
    );
}
