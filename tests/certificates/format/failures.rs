//! Claims on sets of failures: what elements, sets, covers and symmetry must be.

use std::path::Path;

use routebound::failure_sets::{Element, Failures, Repair, Unit, prove_failure_sets};
use routebound::progress::Progress;
use routebound::routing::Instance;

use super::fate::{Fate, agreed, changed, fate_in, mutations};

/// Four hosts in a ring, of which any cable may fail: the links 2h and 2h + 1 are those between host h and the next one.
/// Without a cable two of three hosts of a line send over its middle to the others: load 2. The set that has a cover of
/// its own would not need it.
const RING: &str = "routebound-certificate 1
hosts 4
nodes 4
link 0 1 1
link 1 0 1
link 1 2 1
link 2 1 1
link 2 3 1
link 3 2 1
link 3 0 1
link 0 3 1
split hops
repair hops 1
element 0,1
element 2,3
element 4,5
element 6,7
claim failure-load 2 2
loaded 4 0
demand 1 0 1
demand 2 3 1
automorphism n 0,1 2,3 l 0,1 2,7 3,6 4,5
automorphism n 0,1,2,3 l 0,2,4,6 1,3,5,7
cover 0 s 0:1/2 d 1:1/2
cover 1 s 1:1/2 d 0:1/2
cover 2 s 1:1/2 d 2:1/2
cover 3 s 2:1/2 d 1:1/2
cover 4 s 2:1/2 d 3:1/2
cover 4 s 1:1/2 2
cover 5 s 3:1/2 d 2:1/2
cover 5 s 0:1/2 3
cover 6 s 3:1/2 d 0:1/2
cover 7 s 0:1/2 d 3:1/2
failed 0
cover 4 s 1 2
end
";

/// Six hosts at one switch, 6. Host 0 also leads to 7, 7 to 8, 8 to host 5 and to 6, which leads to 7, one way only.
/// Without the link of host 0 to 6 its pairs take the link 13 from 7 to 8, without that from 6 to host 5 the pairs to
/// this host: one source, and one destination.
const ONE_WAY: &str = "routebound-certificate 1
hosts 6
nodes 9
link 0 6 1
link 6 0 1
link 1 6 1
link 6 1 1
link 2 6 1
link 6 2 1
link 3 6 1
link 6 3 1
link 4 6 1
link 6 4 1
link 5 6 1
link 6 5 1
link 0 7 1
link 7 8 1
link 8 6 1
link 6 7 1
link 8 5 1
split hops
repair hops 2
element 0
element 11
claim failure-load 2 3
loaded 13 0,1
demand 0 1 1
demand 2 5 1
cover 0 s 0
cover 1 d 0
cover 2 s 1
cover 3 d 1
cover 4 s 2
cover 5 d 2
cover 6 s 3
cover 7 d 3
cover 8 s 4
cover 9 d 4
cover 10 s 5
cover 11 d 5
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

/// The certificates of trees and a ring with all repairs that can be stated.
pub fn written() -> Vec<String> {
    let mut texts = Vec::new();
    for (topology, routing, unit, most, repair) in [
        ("ft(4,2)", "dmodk", Unit::Cable, 2, Repair::Reroute),
        ("ft(4,2)", "dmodk", Unit::Switch, 1, Repair::Ecmp),
        ("ft(4,2)", "ecmp", Unit::Cable, 2, Repair::Ecmp),
        ("ft(4,2)", "omrmn", Unit::Switch, 2, Repair::Reroute),
        ("xgft(2;2,3;1,3)", "random(seed=3)", Unit::Cable, 1, Repair::Reroute),
        ("xgft(2;2,3;1,3)", "kpath(k=2)", Unit::Cable, 1, Repair::Ecmp),
        ("ft(4,2)", "smodk", Unit::Cable, 1, Repair::None),
        ("torus(4,1)", "ecmp", Unit::Cable, 2, Repair::Reroute),
    ] {
        let instance = Instance::named(topology, routing).unwrap();
        for embedded in [false, true] {
            let elements = Element::all(&instance.topology, unit);
            let failures = Failures { elements, most, repair: repair.clone(), ranked: 0 };
            let quiet = Progress::silent();
            let found = prove_failure_sets(&instance, &failures, embedded, &quiet, &mut |_| {});
            texts.push(found.unwrap().certificate.unwrap().to_string());
        }
    }
    texts
}

/// What becomes of the ring where words are replaced.
fn judge_ring(from: &str, to: &str, reason: &str) {
    judge(&changed(RING, &[(from, to)]), reason);
}

#[test]
fn elements_sets_and_traffic_are_as_stated() {
    judge(RING, "");
    judge_ring("failed 0\ncover 4 s 1 2\n", "", "");
    for (from, to, reason) in [
        ("repair hops 1", "repair hops 3", "1 or 2 elements may fail together, not 3"),
        ("repair hops 1", "repair next 1", "`next` is a rule by the numbers of links"),
        ("element 0,1", "element 1,0", "element 0 names a link"),
        ("element 0,1", "element 0,8", "element 0 names a link"),
        ("element 2,3", "element 0,1", "element 1 has the links of an earlier one"),
        ("loaded 4 0", "loaded 4 4", "the set [4] has too many elements"),
        ("loaded 4 0", "loaded 4 0,1", "the set [0, 1] has too many elements"),
        ("loaded 4 0", "loaded 0 0", "the loaded link 0 does not exist, or is gone"),
        ("loaded 4 0", "loaded 4", "the witness loads its link with"),
        ("failure-load 2 2", "failure-load 3 3", "the witness loads its link with 2"),
        ("failure-load 2 2", "failure-load 3 2", "its lower bound above its upper"),
        ("failure-load 2 2", "permutation-load 2 2", "failure-load"),
        ("demand 1 0 1", "demand 1 0 2", "not a permutation"),
        ("demand 1 0 1", "demand 1 3 1", "not a permutation"),
        ("failed 0\ncover 4 s 1 2\n", "failed 0\n", "a `cover` line"),
        ("failed 0\n", "failed -\n", "-"),
    ] {
        judge_ring(from, to, reason);
    }
}

/// No set without a bound is overlooked, and none that another one does not stand for.
#[test]
fn a_missing_set_or_orbit_is_refused() {
    let symmetry = RING.lines().filter(|line| line.starts_with("automorphism"));
    let without =
        symmetry.fold(RING.to_string(), |text, line| text.replace(&format!("{line}\n"), ""));
    judge(&without, "no cover proves that link 6 is loaded no more than stated in set [1]");
    // Covers of links of a class stand for no other link.
    judge_ring("cover 6 s 3:1/2 d 0:1/2\n", "", "link 6 carries");
}

#[test]
fn a_bound_that_is_too_low_is_refused() {
    judge_ring(
        "failure-load 2 2",
        "failure-load 1 1",
        "the cover of link 4 proves load ≤ 3/2 only",
    );
    judge_ring(
        "failure-load 2 2",
        "failure-load 1 3/2",
        "the cover of link 4 proves load ≤ 2 only",
    );
    judge_ring("cover 4 s 1 2", "cover 4 s 1 2:1/2", "in set [0] link 4 carries 1 of pair (2,3)");
    judge_ring("cover 4 s 1 2", "cover 0 s 1 2", "repeated, or of a link that is gone");
    judge_ring("cover 7 s 0:1/2 d", "cover 7 s 0:1/3 d", "link 7 carries 1/2 of pair (0,2)");
}

#[test]
fn a_wrong_representative_is_refused() {
    judge_ring("failed 0\n", "failed 1\n", "the `failed` record of set [1]");
    judge_ring("element 6,7", "element 6", "automorphism 0 takes element 1 to no element");
    judge_ring("n 0,1,2,3 l 0,2,4,6", "n 0,1,2,3 l 0,2,6,4", "automorphism 1 takes link");
}

/// The pairs that one failure breaks may raise a cover by their sources, and those that the other breaks by their
/// destinations: pair (0,5) by itself, as both break it. All six together raise it by 5.
#[test]
fn what_each_failure_breaks_raises_a_cover_by_itself() {
    let unbounded = "no cover proves that link 13 is loaded no more than stated in set [0, 1]";
    let lower = changed(ONE_WAY, &[("failure-load 2 3", "failure-load 2 2")]);
    let own = "failed 0,1\ncover 13 s 0 d 5\nend\n";
    // As if one element broke what both break.
    let joined =
        changed(ONE_WAY, &[("element 11", "element 0,11"), ("loaded 13 0,1", "loaded 13 1")]);
    let texts = [ONE_WAY.into(), lower.clone(), changed(&lower, &[("end\n", own)]), joined];
    let unbounded_alone = "no cover proves that link 13 is loaded no more than stated in set [1]";
    for (text, reason) in texts.iter().zip(["", unbounded, "", unbounded_alone]) {
        judge(text, reason);
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(agreed(&texts, folder.path()), 2);
}

/// A pair of hosts on a cable of its own, which pairs with one path have in two ways.
#[test]
fn one_path_may_be_stated_in_several_ways() {
    let text = "routebound-certificate 1\nhosts 2\nnodes 2\nlink 0 1 1\nlink 1 0 1\nlink 0 1 1\nlink 1 0 1\n\
        PATHS\nrepair next 1\nelement 0,1\nclaim failure-load 1 1\nloaded 2 0\ndemand 0 1 1\ncover 0 s 0\n\
        cover 1 s 1\ncover 2 s 0\ncover 3 s 1\nend\n";
    let one = "path 0 1 1 0\npath 1 0 1 1";
    let halves = "path 0 1 1/2 0\npath 0 1 1/2 0\npath 1 0 1 1";
    let two = "path 0 1 1/2 0\npath 0 1 1/2 2\npath 1 0 1 1";
    let all = [one, halves, "next 0 0\nnext 1 1", two, "split hops"];
    let texts = all.map(|paths| text.replace("PATHS", paths));
    for (text, reason) in texts.iter().zip(["", "", "", "needs one path", "needs one path"]) {
        judge(text, reason);
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(agreed(&texts, folder.path()), 3);
}

/// The second checker decides the same of every text with one word or line changed.
#[test]
fn a_second_checker_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let mut texts = written();
    for text in &texts {
        judge(text, "");
    }
    texts.extend(mutations(RING));
    texts.extend(mutations(&changed(RING, &[("failure-load 2 2", "failure-load 1 3")])));
    texts.extend(mutations(ONE_WAY));
    let shortest = texts.iter().min_by_key(|text| text.len()).unwrap().clone();
    texts.extend(mutations(&shortest));
    let accepted = agreed(&texts, folder.path());
    assert!(texts.len() > 1000 && accepted > 60, "{accepted} of {}", texts.len());
}
