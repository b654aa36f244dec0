//! Splits over shortest paths, and classes of hosts that are alike.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use routebound_proof::certificate;

use super::fate::second;
use super::{Fate, PARALLEL, changed, fate};

/// Three hosts with two cables each to switch 3. Half of a pair's traffic is on every link that it can
/// take: each host loads its links with 1/2 if it sends 1, and with 1 if it sends its capacity, 2.
pub const STAR: &str = "routebound-certificate 1
hosts 3
nodes 4
link 0 3 1
link 0 3 1
link 3 0 1
link 3 0 1
link 1 3 1
link 1 3 1
link 3 1 1
link 3 1 1
link 2 3 1
link 2 3 1
link 3 2 1
link 3 2 1
split paths
class 0-2
claim oblivious-ratio 1 1
claim permutation-load 1/2 1/2
witness 0 1/2
demand 0 1 1
route even
ends
end
";

/// Leaf 5 with hosts 0 and 1, leaf 6 with hosts 2, 3 and, by a faster cable, 4; spines 7 and 8. Of
/// the two cables between each leaf and each spine one is missing, between 6 and 8.
///
/// From leaf 5 to leaf 6 `hops` puts 1/4 on each of the four links up (10, 12, 14, 16). Half arrives at
/// either spine, so links 19 and 21 down carry 1/4, and link 23 carries 1/2. Two hosts send: it
/// carries 1 of a permutation, and 2 where hosts send their capacity, 2. `paths` finds
/// 2·2 + 2·1 = 6 paths: 1/3 on links 10, 12, 19, 21 and 23, and 1/6 on 14 and 16. The best flow of
/// the witness is this one, with load 2/3. From leaf 6 to leaf 5 both put 1/3 on links 18, 20, 22, 11 and 13
/// and 1/6 on 15 and 17: two hosts receive, and sources would allow 1.
pub const TREE: &str = "routebound-certificate 1
hosts 5
nodes 9
link 0 5 2
link 5 0 2
link 1 5 2
link 5 1 2
link 2 6 2
link 6 2 2
link 3 6 2
link 6 3 2
link 4 6 3
link 6 4 3
link 5 7 1
link 7 5 1
link 5 7 1
link 7 5 1
link 5 8 1
link 8 5 1
link 5 8 1
link 8 5 1
link 6 7 1
link 7 6 1
link 6 7 1
link 7 6 1
link 6 8 1
link 8 6 1
split hops
class 0-1
class 2-3
class 4
claim permutation-load 1 1
witness 23 2/3
demand 0 2 1
demand 1 4 1
route even
ends
cover 23 s 0:1/2
end
";

/// Leaves 9 and 11 with hosts 0 to 3 and 5 to 8, each leaf with one link to each of the spines 12, 13 and
/// 14; leaf 10 with host 4 under spines 12 and 13 alone. All capacities are 1: three links leave leaf 9, of
/// four hosts, and as many leaf 11.
///
/// Either split puts 1/2 of a pair with host 4 on the way to 12 and from there, and 1/3 of a pair of
/// leaves 9 and 11. At most 3 leaves leaf 9, and at most 1 of that goes to host 4: the load of links 18 and
/// 20 is at most 3·1/3 + 1·1/6 = 7/6, and that of 22, without host 4, at most 3·1/3. Those down, and those
/// of leaf 11 (28 to 33), are the same. Without the cut all four hosts would count: 4·1/3 + 1·1/6 = 3/2. Links of
/// leaf 10 have 1/2 by host 4, and those of hosts have 1. The first two demands of the witness take spines
/// 12 and 13 evenly, and the last one has spine 14 to itself: optu is 1, and link 18 has 1/2 + 2·1/3.
const TAPERED: &str = "routebound-certificate 1
hosts 9
nodes 15
link 0 9 1
link 9 0 1
link 1 9 1
link 9 1 1
link 2 9 1
link 9 2 1
link 3 9 1
link 9 3 1
link 4 10 1
link 10 4 1
link 5 11 1
link 11 5 1
link 6 11 1
link 11 6 1
link 7 11 1
link 11 7 1
link 8 11 1
link 11 8 1
link 9 12 1
link 12 9 1
link 9 13 1
link 13 9 1
link 9 14 1
link 14 9 1
link 10 12 1
link 12 10 1
link 10 13 1
link 13 10 1
link 11 12 1
link 12 11 1
link 11 13 1
link 13 11 1
link 11 14 1
link 14 11 1
split hops
class 0-3
class 4
class 5-8
cut 0-3 9
cut 5-8 11
claim oblivious-ratio 7/6 7/6
witness 18 1
demand 0 4 1
demand 1 5 1
demand 2 6 1
route paths
path 0 4 1/2 0 18 25 9
path 0 4 1/2 0 20 27 9
path 1 5 1/2 2 18 29 11
path 1 5 1/2 2 20 31 11
path 2 6 1 4 22 33 13
ends
cover 18 d 4:1/6 o 0:1/3
cover 19 s 4:1/6 i 0:1/3
cover 20 d 4:1/6 o 0:1/3
cover 21 s 4:1/6 i 0:1/3
cover 22 o 0:1/3
cover 23 i 0:1/3
cover 28 d 4:1/6 o 1:1/3
cover 29 s 4:1/6 i 1:1/3
cover 30 d 4:1/6 o 1:1/3
cover 31 s 4:1/6 i 1:1/3
cover 32 o 1:1/3
cover 33 i 1:1/3
end
";

/// Three hosts with links of capacity 5 and 1 to a switch, each of which carries half, and of capacity 1
/// from it. By its source the slower link may carry 6/2, by the two others of its class 2/2.
const UNEVEN: &str = "routebound-certificate 1
hosts 3
nodes 4
link 0 3 5
link 0 3 1
link 3 0 1
link 1 3 5
link 1 3 1
link 3 1 1
link 2 3 5
link 2 3 1
link 3 2 1
split hops
class 0-2
claim hose-load 1 1
witness 1 1
demand 0 1 1
demand 0 2 1
route even
ends
end
";

/// Hosts 0 and 1 hang from host 2.
const HOSTED: &str = "routebound-certificate 1
hosts 3
nodes 3
link 0 2 1
link 2 0 1
link 1 2 1
link 2 1 1
split hops
claim permutation-load 1 1
witness 0 1
demand 0 1 1
route even
ends
end
";

const CLASSES: &str = "class 0-1\nclass 2-3\nclass 4\n";
const COVER: &str = "cover 23 s 0:1/2\n";
const TAPERED_CLASSES: &str = "class 0-3\nclass 4\nclass 5-8\n";

/// A text, changes to it, and part of the reason to refuse it, empty where it is accepted.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const ACCEPTED: &[Case] = &[
    (STAR, &[], ""),
    (STAR, &[("class 0-2\n", "")], ""),
    (STAR, &[("split paths", "split hops")], ""),
    (STAR, &[("class 0-2", "class 0 2\nclass 1")], ""),
    (TREE, &[], ""),
    // Not all hosts that are alike need be in one class.
    (TREE, &[("class 0-1", "class 0\nclass 1"), ("s 0:1/2", "s 0:1/2 1:1/2")], ""),
    (TREE, &[(CLASSES, ""), ("s 0:1/2", "s 0:1/2 1:1/2")], ""),
    (TREE, &[(COVER, "")], ""),
    (TREE, &[("s 0:1/2", "d 2:1/2 4:1/2"), ("load 1 1", "load 1 3/2")], ""),
    (TREE, &[("load 1 1", "load 1 1\nclaim oblivious-ratio 3/2 2")], ""),
    (TREE, &[("hops", "paths"), ("load 1 1", "load 2/3 2/3"), ("s 0:1/2", "s 0:1/3")], ""),
    (
        TREE,
        &[
            ("hops", "paths"),
            ("load 1 1", "load 2/3 2/3"),
            (CLASSES, ""),
            ("s 0:1/2", "s 0:1/3 1:1/3"),
        ],
        "",
    ),
    (
        TREE,
        &[
            ("permutation-load 1 1", "hose-load 2 2"),
            ("witness 23 2/3", "witness 23 4/3"),
            ("0 2 1\n", "0 2 2\n"),
            ("1 4 1\n", "1 4 2\n"),
        ],
        "",
    ),
    (TAPERED, &[], ""),
    (TAPERED, &[("split hops", "split paths")], ""),
    (TAPERED, &[(TAPERED_CLASSES, "")], ""),
    // Cuts may divide hosts that are alike, but not a class; and have a class without its leaf.
    (TAPERED, &[("class 0-3", "class 0-1\nclass 2-3"), ("claim", "cut 0-1 9\nclaim")], ""),
    (TAPERED, &[("cut 0-3 9", "cut 0-3"), ("7/6 7/6", "7/6 3/2")], ""),
    // Two links lead to leaf 10: 3·1/3 + 2·1/6.
    (
        TAPERED,
        &[
            ("claim oblivious-ratio 7/6 7/6", "cut 4 10\nclaim oblivious-ratio 7/6 4/3"),
            ("d 4:1/6 o 0:1/3", "o 0:1/3 i 2:1/6"),
        ],
        "",
    ),
    (UNEVEN, &[], ""),
    (UNEVEN, &[("class 0-2\n", "")], ""),
    (HOSTED, &[], ""),
    (HOSTED, &[("split hops", "split hops\nclass 0\nclass 1\nclass 2")], ""),
    // All of a split's paths have the fewest links, and must be listed.
    (
        HOSTED,
        &[
            ("load 1 1", "load 1 1\nclaim hose-load 1 1"),
            ("ends\n", "ends\nleast hose-load 0 shortest\n"),
        ],
        "",
    ),
    (
        PARALLEL,
        &[
            ("path 0 1 1 0\npath 1 0 1 2", "split hops"),
            ("ratio 2 2", "ratio 1 1"),
            ("cover 0 s 0", "cover 0 s 0:1/2\ncover 1 s 0:1/2"),
            (
                "end\n",
                "least oblivious-ratio 1 listed\nallowed 0 1 0\nallowed 0 1 1\nallowed 1 0 2\nend\n",
            ),
        ],
        "",
    ),
];

const REFUSED: &[Case] = &[
    // Claims that are wrong, by covers and by ends.
    (
        TREE,
        &[("load 1 1", "load 1 1\nclaim oblivious-ratio 3/2 7/4")],
        "cover of link 23 proves load ≤ 2",
    ),
    (TREE, &[("load 1 1", "load 0 3/4")], "cover of link 23 proves load ≤ 1"),
    (TREE, &[("load 1 1", "load 0 3/4"), (COVER, "")], "the ends of link 23 prove load ≤ 1"),
    (TREE, &[("load 1 1", "load 5/4 5/4")], "the witness loads its link with 1"),
    (STAR, &[("load 1/2 1/2", "load 0 1/3")], "the ends of link 0 prove load ≤ 1/2"),
    (UNEVEN, &[("load 1 1", "load 0 1/2")], "the ends of link 1 prove load ≤ 1"),
    // Nothing spares links of first hosts their evidence.
    (TREE, &[("ends\n", "")], "link 0 carries 1 of pair (0,1)"),
    (TREE, &[("s 0:1/2", "s 0:1/3")], "link 23 carries 1/2 of pair (0,2)"),
    (TREE, &[("s 0:1/2", "s 0:1/4 d 2:1/4")], "link 23 carries 1/2 of pair (0,4)"),
    // Hosts that are not alike: another capacity, another switch, two neighbours either way, a host.
    (TREE, &[("class 2-3\nclass 4", "class 2\nclass 3-4")], "host 4 of class 2 has"),
    (TREE, &[("class 0-1\nclass 2-3", "class 0 2\nclass 1 3")], "host 2 of class 0 has"),
    (TREE, &[("link 6 3 2", "link 6 3 1")], "host 3 of class 1 has"),
    (TREE, &[("split", "link 1 7 1\nsplit")], "host 1 of class 0 has more than one neighbour"),
    (TREE, &[("split", "link 7 1 1\nsplit")], "host 1 of class 0 has more than one neighbour"),
    (TREE, &[("split", "link 1 5 2\nsplit")], "host 1 of class 0 has"),
    (HOSTED, &[("split hops", "split hops\nclass 0-1\nclass 2")], "a host as its neighbour"),
    // Classes that are none.
    (TREE, &[("class 4\n", "")], "host 4 is in no class"),
    (TREE, &[("class 0-1", "class 0")], "host 1 is in no class"),
    (TREE, &[("class 4", "class 3-4")], "class 2 names host 3, which does not exist, is in a"),
    (TREE, &[("class 4", "class 4-5")], "class 2 names host 5, which does not exist"),
    (TREE, &[("class 0-1", "class 0 0-1")], "class 0 names host 0, which does not exist, is in a"),
    (TREE, &[("class 2-3", "class 3 2")], "class 1 names host 2, which does not exist, is in a"),
    (TREE, &[("class 0-1\nclass 2-3", "class 2-3\nclass 0-1")], "class 1 is empty, or its first"),
    (TREE, &[("class 0-1", "class")], "`class` has the wrong number of words"),
    (TREE, &[("class 0-1", "class 1-0")], "it ends before it begins"),
    // Records that may not stand beside classes.
    (TREE, &[("ends\n", "ends\nautomorphism\n")], "no `automorphism` record"),
    (
        TREE,
        &[
            ("permutation-load 1 1", "hose-load 1 2"),
            (COVER, "cover 23 s 0:1/2\nleast hose-load 0 all\n"),
        ],
        "no `least` or `single-path` record",
    ),
    (TREE, &[(COVER, "single-path permutation-load 0 trivial\n")], "no `least` or `single-path`"),
    (TREE, &[("class 4\n", "class 4\ngroup 0 2\n")], "found `group`"),
    (PARALLEL, &[("path 1 0 1 2\n", "path 1 0 1 2\nclass 0\nclass 1\n")], "records need a `split`"),
    // Covers that are not about classes.
    (TREE, &[("s 0:1/2", "s 1:1/2")], "link 23 names host 1, which is not the first of its class"),
    (TREE, &[(COVER, "cover 0 s 0\ncover 23 s 0:1/2\n")], "link 0 has a cover, but is a link of"),
    (
        TREE,
        &[("permutation-load 1 1", "oblivious-ratio 3/2 2"), (COVER, "cover 23 s 0:1/2 l 23:0\n")],
        "the cover of link 23 uses lengths",
    ),
    // Cuts that divide a class, named by a cover or not, with its leaf or without.
    (
        TREE,
        &[("class 4\n", "class 4\ncut 1\n")],
        "cut 0 contains some but not all hosts of class 0",
    ),
    (TAPERED, &[("0-3 9", "0-2 9")], "cut 0 contains some but not all hosts of class 0"),
    (TAPERED, &[("claim", "cut 6-8\nclaim")], "cut 2 contains some but not all hosts of class 2"),
    (TAPERED, &[("0-3 9", "0-3 9 2")], "a cut names node 2 twice"),
    // Weights on cuts that are too small, none, or of the other direction.
    (TAPERED, &[("o 0:1/3", "o 0:1/4")], "link 18 carries 1/2 of pair (0,4)"),
    (TAPERED, &[("cover 22 o 0:1/3", "cover 22 o 0:1/4")], "link 22 carries 1/3 of pair (0,5)"),
    (TAPERED, &[("d 4:1/6 o 0:1/3", "o 0:1/3")], "link 18 carries 1/2 of pair (0,4)"),
    (TAPERED, &[("o 0:1/3", "i 0:1/3")], "link 18 carries 1/2 of pair (0,4)"),
    (TAPERED, &[("o 0:1/3", "o 2:1/3")], "link 18 names cut 2, which does not exist"),
    // Claims that are wrong, and cuts that let more through: wider links out and in, hosts alone, a leaf
    // alone, more nodes; and classes in place of cuts.
    (TAPERED, &[("7/6 7/6", "1 8/7")], "cover of link 18 proves load ≤ 7/6"),
    (TAPERED, &[("link 9 14 1", "link 9 14 2")], "cover of link 18 proves load ≤ 3/2"),
    (TAPERED, &[("link 14 9 1", "link 14 9 2")], "cover of link 19 proves load ≤ 3/2"),
    (TAPERED, &[("0-3 9", "0-3")], "cover of link 18 proves load ≤ 3/2"),
    (TAPERED, &[("0-3 9", "9")], "cover of link 18 proves load ≤ 5/2"),
    (TAPERED, &[("0-3 9", "0-3 9 12")], "cover of link 18 proves load ≤ 3/2"),
    (TAPERED, &[("d 4:1/6 o 0:1/3", "s 0:1/3 d 4:1/6")], "cover of link 18 proves load ≤ 3/2"),
    // Cuts bound no hosts, and no links of a class.
    (
        TAPERED,
        &[("oblivious-ratio", "hose-load")],
        "the cover of link 18 uses cuts, where only hosts",
    ),
    (
        TAPERED,
        &[("7/6 7/6", "7/6 7/6\nclaim permutation-load 1 2")],
        "the cover of link 18 uses cuts, where only hosts",
    ),
    (TAPERED, &[("cover 18", "cover 0 o 0\ncover 18")], "link 0 has a cover, but is a link of"),
    // Splits that are none.
    (TREE, &[("split hops", "split links")], "expected `paths` or `hops`"),
    (TREE, &[("link 6 4 3", "link 4 6 3"), ("1 4 1", "1 3 1")], "pair (0,4) has no path"),
    (
        PARALLEL,
        &[
            ("path 0 1 1 0\npath 1 0 1 2", "split hops"),
            ("ratio 2 2", "ratio 1 1"),
            ("cover 0 s 0", "cover 0 s 0:1/2\ncover 1 s 0:1/2"),
            ("end\n", "least oblivious-ratio 1 listed\nallowed 0 1 1\nallowed 1 0 2\nend\n"),
        ],
        "a path of (0,1) is not among those that routings may use",
    ),
];

fn texts() -> impl Iterator<Item = (String, &'static str)> {
    let cases = ACCEPTED.iter().chain(REFUSED);
    cases.map(|(base, changes, reason)| (changed(base, changes), *reason))
}

#[test]
fn splits_and_classes_are_what_they_say() {
    for (text, reason) in texts() {
        match fate(text.as_bytes()) {
            Fate::Accepted => assert!(reason.is_empty(), "accepted, not {reason}:\n{text}"),
            Fate::Refused(why) => {
                assert!(!reason.is_empty() && why.contains(reason), "{why}, not {reason}:\n{text}");
            }
            Fate::TooLarge(why) => panic!("{why}:\n{text}"),
        }
    }
}

#[test]
fn the_second_checker_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let cases: Vec<_> = texts().collect();
    let files: Vec<_> = (0..cases.len()).map(|at| folder.path().join(at.to_string())).collect();
    for (file, (text, _)) in files.iter().zip(&cases) {
        fs::write(file, text).unwrap();
    }
    let Some(verdicts) = second(&files) else { return };
    for (verdict, (text, reason)) in verdicts.iter().zip(&cases) {
        assert_eq!(verdict == "accepted", reason.is_empty(), "{verdict}, {reason}\n{text}");
    }
}

#[test]
fn what_is_read_is_written_again() {
    for text in [STAR, TREE, TAPERED, UNEVEN, HOSTED] {
        assert_eq!(certificate::read(text.as_bytes()).unwrap().to_string(), text);
    }
}

/// Host 0 reaches host 1 over `steps` nodes of which each sends half on to the next one, and half past
/// all of them: the shares are 1/2, 1/4 and so on.
fn halves(steps: usize) -> String {
    let mut text = format!("routebound-certificate 1\nhosts 2\nnodes {}\n", 2 + 2 * steps);
    // The node of a step, and the one past it.
    let (node, past) = (|step: usize| 2 * step, |step: usize| 2 * step + 1);
    for step in 1..=steps {
        let from = if step == 1 { 0 } else { node(step - 1) };
        write!(text, "link {from} {} 1\nlink {from} {} 1\n", node(step), past(step)).unwrap();
        if step > 1 {
            writeln!(text, "link {} {} 1", past(step - 1), past(step)).unwrap();
        }
    }
    write!(text, "link {} 1 1\nlink {} 1 1\nlink 1 0 1\n", node(steps), past(steps)).unwrap();
    text + "split hops\nclaim permutation-load 0 1\nwitness 0 1\ndemand 0 1 1\nroute even\nends\nend\n"
}

/// Host 0 reaches host 1 by 4 links from each of `steps` nodes to the next.
fn choices(steps: usize) -> String {
    let mut text = format!("routebound-certificate 1\nhosts 2\nnodes {}\n", 1 + steps);
    for step in 0..steps {
        let node = |step| match step {
            0 => 0,
            step if step == steps => 1,
            step => step + 1,
        };
        text += &format!("link {} {} 1\n", node(step), node(step + 1)).repeat(4);
    }
    text + "link 1 0 1\nsplit paths\nclaim permutation-load 0 1\nwitness 0 1\ndemand 1 0 1\nroute even\n\
            ends\nend\n"
}

#[test]
fn shares_and_classes_are_limited() {
    let beyond = |text: &str| match fate(text.as_bytes()) {
        Fate::TooLarge(why) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(fate(halves(127).as_bytes()), Fate::Accepted);
    let why = beyond(&halves(128));
    assert!(why.contains("a common denominator of shares from 0 to 1 is more than 128"), "{why}");
    assert_eq!(fate(choices(63).as_bytes()), Fate::Accepted);
    let why = beyond(&choices(64));
    assert!(why.contains("the number of shortest paths from 0 to 1 is more than 128"), "{why}");
    let many = changed(TREE, &[("class 4", "class 4-65536")]);
    let why = beyond(&many);
    assert!(why.contains("hosts in `class` records is 65537, above the limit of 65536"), "{why}");
    let folder = tempfile::tempdir().unwrap();
    let texts = [halves(127), halves(128), choices(64), many];
    let files: Vec<_> = (0..texts.len()).map(|at| folder.path().join(at.to_string())).collect();
    for (file, text) in files.iter().zip(&texts) {
        fs::write(file, text).unwrap();
    }
    let Some(verdicts) = second(&files) else { return };
    let verdicts: Vec<_> = verdicts.iter().map(|verdict| verdict.split(' ').next()).collect();
    assert_eq!(verdicts, [Some("accepted"), Some("beyond"), Some("beyond"), Some("beyond")]);
}

/// A tree of leaves with hosts of one or two cables under spines; leaf 0 has all spines.
#[derive(Clone, Debug)]
struct Tree {
    /// By leaf, the cables of every host, and those to every spine.
    leaves: Vec<(Vec<usize>, Vec<usize>)>,
    spines: usize,
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (vec(1..3_usize, 1..4), vec(0..4_usize, 3));
    (vec(leaf, 2..4), 1..4_usize).prop_map(|(mut leaves, spines)| {
        for (at, (_, cables)) in leaves.iter_mut().enumerate() {
            cables.truncate(spines);
            // Every leaf reaches the first spine.
            cables[0] += 1;
            if at == 0 {
                for cables in cables {
                    *cables += 1;
                }
            }
        }
        Tree { leaves, spines }
    })
}

impl Tree {
    /// The hosts by leaf and number of cables: those of each are alike.
    fn classes(&self) -> Vec<Vec<usize>> {
        let mut classes: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let hosts = self.leaves.iter().enumerate();
        let hosts = hosts.flat_map(|(leaf, of)| of.0.iter().map(move |cables| (leaf, *cables)));
        for (host, key) in hosts.enumerate() {
            classes.entry(key).or_default().push(host);
        }
        let mut classes: Vec<_> = classes.into_values().collect();
        classes.sort();
        classes
    }

    fn cables(&self) -> Vec<(usize, usize)> {
        let hosts: usize = self.leaves.iter().map(|(hosts, _)| hosts.len()).sum();
        let (mut cables, mut host) = (Vec::new(), 0);
        for (leaf, (own, up)) in self.leaves.iter().enumerate() {
            for count in own {
                cables.extend(std::iter::repeat_n((host, hosts + leaf), *count));
                host += 1;
            }
            for (spine, count) in up.iter().enumerate() {
                let spine = hosts + self.leaves.len() + spine;
                cables.extend(std::iter::repeat_n((hosts + leaf, spine), *count));
            }
        }
        cables
    }

    /// A record for every set of classes and switches; all have the last spine.
    fn cuts<'s>(&self, sets: impl Iterator<Item = &'s [bool]>) -> String {
        let classes = self.classes();
        let hosts: usize = classes.iter().map(Vec::len).sum();
        let switches: Vec<_> = (hosts..hosts + self.leaves.len() + self.spines).collect();
        let (last, others) = switches.split_last().unwrap();
        let parts = || classes.iter().map(Vec::as_slice).chain(others.chunks(1));
        let cut = |set: &[bool]| {
            let inside = parts().zip(set).filter(|(_, is_inside)| **is_inside);
            let nodes: Vec<usize> = inside.flat_map(|(part, _)| part).copied().collect();
            format!("cut {}\n", list(&[&nodes[..], &[*last]].concat()))
        };
        sets.map(cut).collect()
    }

    /// A certificate with classes, and one that says the same host by host; there may be two cuts.
    fn texts(
        &self,
        split: &str,
        claim: &str,
        weights: &[u8],
        cuts: Option<&[bool]>,
    ) -> [String; 2] {
        let classes = self.classes();
        let hosts: usize = classes.iter().map(Vec::len).sum();
        let nodes = hosts + self.leaves.len() + self.spines;
        let mut head = format!("routebound-certificate 1\nhosts {hosts}\nnodes {nodes}\n");
        let cables = self.cables();
        for (a, b) in &cables {
            write!(head, "link {a} {b} 1\nlink {b} {a} 1\n").unwrap();
        }
        writeln!(head, "split {split}").unwrap();
        let line = |class: &Vec<usize>| format!("class {}\n", list(class));
        let records = classes.iter().map(line).collect::<Vec<_>>().concat();
        let sets = cuts.map(|cuts| self.cuts(cuts.chunks(12))).unwrap_or_default();
        let [.., first_out, second_out, first_in, second_in] = weights else {
            panic!("too few weights")
        };
        let by_cuts = cuts
            .map(|_| {
                format!(" o 0:{first_out}/6 1:{second_out}/6 i 0:{first_in}/6 1:{second_in}/6")
            })
            .unwrap_or_default();
        let rest = format!("{sets}claim {claim}\nwitness 0 100\ndemand 0 1 1\nroute even\nends\n");
        // A cover for the last cable's link up, which is one between switches.
        let cover = |all: bool| {
            let side = |name: &str, weights: &[u8]| {
                let hosts = classes.iter().zip(weights).flat_map(|(class, weight)| {
                    let hosts = if all { &class[..] } else { &class[..1] };
                    hosts.iter().map(move |host| (*host, *weight))
                });
                let mut hosts: Vec<_> = hosts.collect();
                hosts.sort_unstable();
                let words = hosts.iter().map(|(host, weight)| format!(" {host}:{weight}/6"));
                format!(" {name}{}", words.collect::<Vec<_>>().concat())
            };
            let (s, d) = weights.split_at(classes.len());
            let hosts = format!("{}{}", side("s", s), side("d", d));
            format!("cover {}{hosts}{by_cuts}\nend\n", 2 * cables.len() - 2)
        };
        [format!("{head}{records}{rest}{}", cover(false)), format!("{head}{rest}{}", cover(true))]
    }
}

fn list(hosts: &[usize]) -> String {
    let words: Vec<String> = hosts.iter().map(ToString::to_string).collect();
    words.join(" ")
}

proptest! {
    /// With classes a certificate is judged as without, to the word.
    #[test]
    fn classes_change_no_verdict(
        tree in trees(),
        split in prop::sample::select(vec!["paths", "hops"]),
        quantity in prop::sample::select(vec!["permutation-load", "hose-load", "oblivious-ratio"]),
        upper in 1..24_u32,
        weights in vec(0..7_u8, 18),
        cuts in option::of(vec(any::<bool>(), 24)),
    ) {
        let claim = format!("{quantity} 0 {upper}/4");
        let [classes, hosts] = tree.texts(split, &claim, &weights, cuts.as_deref());
        prop_assert_eq!(fate(classes.as_bytes()), fate(hosts.as_bytes()), "{}", classes);
    }
}
