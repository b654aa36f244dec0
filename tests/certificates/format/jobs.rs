//! Claims on jobs: what groups, traffic and covers must be.

use std::path::Path;

use routebound::certificate::Certificate;
use routebound::jobs::{Exchange, Job, JobLinks, Node, RingBounds, orders::Order, worst_loads};
use routebound::progress::Progress;
use routebound::routing::Instance;

use super::fate::{Fate, agreed, changed, fate_in, mutations};

/// Two nodes of two adapters and one of one, beside a job of two nodes, over one switch; hosts 0 and 1,
/// 2 and 3 are the adapters of a node, host 4 has rail 0 only. Link 2h leads up from host h.
pub const GROUPS: &str = "routebound-certificate 1
topology xgft(1;7;1)
routing dmodk
group 0,1 2,3 4,-
group 5 6
used-by 0
claim job-load 1 1
loaded 0
send 0 2
send 3 4
cover 0 s 0
cover 1 s 0
cover 2 s 1
cover 3 s 1
cover 4 s 2
cover 7 d 0
cover 8 d 0
cover 9 d 1
cover 10 d 1
cover 11 d 2
end
";

/// A ring of the three nodes and one of the two.
pub const RINGS: &str = "routebound-certificate 1
topology xgft(1;7;1)
routing dmodk
group 0,1 2,3 4,-
group 5 6
claim least-ring-load 1 1
send 0 2
send 2 1
send 1 0
send 3 4
send 4 3
end
";

fn judge(text: &str, reason: &str) {
    match fate_in(text.as_bytes(), Path::new("")) {
        Fate::Accepted => assert_eq!(reason, "", "{text}"),
        Fate::Refused(found) | Fate::TooLarge(found) => {
            assert!(!reason.is_empty() && found.contains(reason), "{found}\n{text}");
        }
    }
}

/// A ring on all links: what the other job sends needs covers too.
fn greatest_ring() -> String {
    let covers = "\ncover 5 s 3\ncover 6 s 4\ncover 12 d 3\ncover 13 d 4\nend\n";
    let sends = &RINGS[RINGS.find("send").unwrap()..RINGS.len() - 4];
    let from = GROUPS.find("send").unwrap();
    let to = GROUPS.find("cover").unwrap();
    let text = format!("{}{sends}{}", &GROUPS[..from], &GROUPS[to..]);
    changed(&text, &[("used-by 0\n", ""), ("job-load", "ring-load"), ("\nend\n", covers)])
}

#[test]
fn groups_traffic_and_covers_are_verified() {
    judge(GROUPS, "");
    for (from, to, reason) in [
        ("load 1 1", "load 2 1", "lower bound above its upper bound"),
        ("load 1 1", "load 2 2", "loads its link with 1, the claim on job-load needs 2"),
        ("load 1 1", "load 0 1", ""),
        ("load 1 1", "load 0 1/2", "the cover of link 0 proves load ≤ 1 only"),
        ("group 5 6", "group 5", "group 1 has fewer than two members"),
        ("group 5 6", "group -,- 6", "one without an adapter"),
        ("group 5 6", "group 5 0", "names host 0 twice"),
        ("group 5 6", "group 5 7", "names host 7 twice, or there is no such host"),
        ("group 5 6", "group", "wrong number of words"),
        ("group 5 6", "group 5,,6", "not a non-negative integer"),
        ("used-by 0", "used-by 2", "`used-by` names group 2 twice, there is no such group"),
        ("used-by 0", "used-by 0,0", "`used-by` names group 0 twice"),
        ("used-by 0\n", "", "link 5 carries 1 of what member 3 sends to 4"),
        ("used-by 0", "used-by 1", "no pair of the groups of `used-by` uses it"),
        ("used-by 0", "used-by 0,1", "link 5 carries 1 of what member 3 sends to 4"),
        ("loaded 0\n", "", "a claim on job-load needs a `loaded` record"),
        ("loaded 0", "loaded 14", "the loaded link 14 does not exist"),
        ("loaded 0", "loaded 5", "no pair of the groups of `used-by` uses it"),
        ("loaded 0", "loaded 1", "loads its link with 0"),
        ("loaded 0", "loaded 11", ""),
        ("send 0 2", "send 0 3", "names members 0 and 3, which are not two members of one group"),
        ("send 0 2", "send 0 0", "names members 0 and 0"),
        ("send 0 2", "send 0 9", "names members 0 and 9"),
        ("send 0 2", "send 0 2\nsend 0 1", "member 0 sends twice"),
        ("send 0 2", "send 0 2\nsend 1 2", "member 2 sends twice, or receives twice"),
        ("send 0 2\n", "", "loads its link with 0"),
        ("cover 0 s 0\n", "", "link 0 carries 1 of what member 0 sends to 1"),
        ("cover 0 s 0", "cover 0 s 0:1/2", "link 0 carries 1 of what member 0 sends to 1"),
        ("cover 0 s 0", "cover 0 s 0:1/2 d 1:1/2 2:1/2", "the cover of link 0 proves load ≤ 3/2"),
        ("cover 0 s 0", "cover 0 s 0 5", "names a member that does not exist"),
        ("cover 0 s 0", "cover 0 s 0 0:0", "out of order"),
        ("cover 0 s 0", "cover 0 s 0 o 0", "has cuts or lengths"),
        ("cover 0 s 0", "cover 0 s 0 l 0", "has cuts or lengths"),
        ("cover 0 s 0", "cover 0 s 0\ncover 0 s 0", "the cover of link 0 is repeated"),
        ("cover 0 s 0", "cover 14 s 0\ncover 0 s 0", "the cover of link 14 is repeated"),
        ("job-load", "ring-load", "the claim is not on job-load"),
        ("job-load", "permutation-load", "expected job-load, ring-load or least-ring-load"),
        ("routing dmodk\n", "", "pair (0,4) has no path"),
    ] {
        judge(&changed(GROUPS, &[(from, to)]), reason);
    }
    // Rails in which no two members have an adapter carry nothing, and need no paths.
    let apart = "routebound-certificate 1\ntopology xgft(1;7;1)\ngroup 0,- -,1\nclaim job-load 0 0\nloaded 0\nend\n";
    judge(apart, "");
}

#[test]
fn rings_pass_all_members() {
    judge(RINGS, "");
    for (from, to, reason) in [
        ("load 1 1", "load 0 1/2", "the rings load link 0 with 1"),
        ("load 1 1", "load 3/2 2", "no member proves that every ring loads a link with 3/2"),
        ("load 1 1", "load 1 2", ""),
        ("claim", "used-by 0\nclaim", "the claim is not on job-load"),
        ("send 0 2\n", "", "the members of group 0 do not send in one ring"),
        ("send 4 3\n", "", "the members of group 1 do not send in one ring"),
        ("send 2 1\nsend 1 0\n", "send 2 0\n", "the members of group 0 do not send in one ring"),
        ("send 0 2", "loaded 0\nsend 0 2", "a claim on least-ring-load needs"),
        ("\nend\n", "\ncover 0 s 0\nend\n", "a claim on least-ring-load needs"),
    ] {
        judge(&changed(RINGS, &[(from, to)]), reason);
    }
    let greatest = greatest_ring();
    judge(&greatest, "");
    judge(&changed(&greatest, &[("claim", "used-by 0\nclaim")]), "the claim is not on job-load");
}

/// Jobs of a tree, with next links, listed paths and names, in all kinds of traffic.
pub fn written() -> Vec<String> {
    let quiet = Progress::silent();
    let mut texts = Vec::new();
    for (tree, routing) in [("ft(4,2)", "dmodk"), ("ft(4,2)", "ecmp"), ("xgft(2;3,3;1,2)", "smodk")]
    {
        let instance = Instance::named(tree, routing).unwrap();
        let node = |name: &str, adapters: [Option<u32>; 2]| Node {
            name: name.into(),
            adapters: adapters.to_vec(),
        };
        let job = |name: &str, nodes| Job { name: name.into(), nodes };
        let jobs = [
            job(
                "one",
                vec![
                    node("a", [Some(0), Some(2)]),
                    node("b", [Some(4), Some(7)]),
                    node("c", [None, Some(5)]),
                ],
            ),
            job("two", vec![node("d", [Some(1), None]), node("e", [Some(6), None])]),
        ];
        for exchange in Exchange::ALL {
            for worst in worst_loads(&instance, &jobs, exchange, &quiet).unwrap() {
                for found in worst.alone.into_iter().chain(worst.beside) {
                    texts.push(Certificate::Jobs(found.certificate.unwrap()).to_string());
                }
            }
        }
        let links = JobLinks::of(&instance, &jobs[0], Exchange::Nodes, &quiet).unwrap();
        let order = Order::listed(3);
        let rings = RingBounds::of(&instance, &jobs[0], &links, [&order, &order], &quiet);
        let rings = rings.unwrap().unwrap();
        for found in [rings.greatest, rings.least] {
            texts.push(Certificate::Jobs(found.certificate.unwrap()).to_string());
        }
    }
    texts
}

/// The second checker decides the same of every text with one word or line changed.
#[test]
fn a_second_checker_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let mut texts = written();
    assert!(texts.len() > 20, "{}", texts.len());
    for text in &texts {
        judge(text, "");
    }
    for text in [GROUPS, RINGS, &greatest_ring()] {
        texts.extend(mutations(text));
    }
    let accepted = agreed(&texts, folder.path());
    assert!(texts.len() > 1000 && accepted > 60, "{accepted} of {}", texts.len());
}
