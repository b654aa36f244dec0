//! Records: which may be repeated, empty or missing, and what they mean where that is not obvious.

use super::{PARALLEL, judge};

#[test]
fn there_is_traffic_and_it_counts() {
    judge(
        PARALLEL,
        &[
            // With OPTU 0 and no demand every LOWER would be proven.
            (&[("witness 0 1\ndemand 0 1 2\n", "witness 0 0\n"), ("2 2", "9 9")], "has no demand"),
            (&[("demand 0 1 2\n", "")], "has no demand"),
            (&[("witness 0 1", "witness 0 0")], "more than the stated 0"),
            (&[("demand 0 1 2", "demand 0 1 0")], "bad demand"),
            (&[("demand 0 1 2", "demand 0 0 2")], "bad demand"),
            (&[("demand 0 1 2", "demand 0 2 2")], "bad demand"),
            // Demands of one pair add up.
            (&[("demand 0 1 2", "demand 0 1 1\ndemand 0 1 1")], ""),
            // LOWER 0 still needs a witness.
            (&[("claim oblivious-ratio 2 2", "claim oblivious-ratio 0 2")], ""),
            (&[("witness 0 1\ndemand 0 1 2\nroute even\n", "")], "expected a `claim` or"),
        ],
    );
}

#[test]
fn parallel_links_are_different_paths() {
    judge(
        PARALLEL,
        &[
            // Half of 2 on each: a split by nodes alone would need OPTU 2.
            (&[("witness 0 1", "witness 0 9/10")], "with 1, more than the stated 9/10"),
            (&[("link 0 1 1\nlink 0 1 1", "link 0 1 1\nlink 1 0 1")], "more than the stated 1"),
            // Evenly by number, not by capacity.
            (&[("link 0 1 1\nlink 0 1 1", "link 0 1 1\nlink 0 1 3"), ("2 2", "2 4")], ""),
            (
                &[("link 0 1 1\nlink 0 1 1", "link 0 1 1/2\nlink 0 1 3"), ("2 2", "2 7")],
                "with 2, mo",
            ),
        ],
    );
}

#[test]
fn claims_are_one_of_each_quantity_and_not_empty() {
    judge(
        PARALLEL,
        &[
            (&[("claim oblivious-ratio 2 2", "claim oblivious-ratio 1 3")], ""),
            (&[("claim oblivious-ratio 2 2", "claim oblivious-ratio 2 1")], "lower bound above"),
            (&[("claim oblivious-ratio 2 2\n", "")], "expected a `claim` line"),
            (&[("2 2\n", "2 2\nclaim oblivious-ratio 2 2\n")], "two claims on oblivious-ratio"),
            (&[("2 2\n", "2 2\nclaim hose-load 2 2\n")], ""),
            (&[("2 2\n", "2 2\nclaim optu 2 2\n")], "expected a claim about the same routing"),
        ],
    );
}

#[test]
fn lists_have_members_and_are_not_repeated() {
    judge(
        PARALLEL,
        &[
            // A link that carries nothing needs no cover, and may have an empty one.
            (&[("cover 2", "cover 1\ncover 2")], ""),
            (&[("cover 0 s 0", "cover 0")], "does not cover"),
            (&[("cover 0 s 0", "cover 0 s")], "wrong number of words"),
            (&[("cover 0 s 0", "cover 0 s 0 d")], "wrong number of words"),
            (&[("cover 0 s 0", "cover 0 s 0 s 1")], "wrong number of words"),
            (&[("cover 0 s 0", "cover 0 d 1:0 s 0")], "wrong number of words"),
            (&[("cover 0 s 0", "cover 0 s 0 d 1:0")], ""),
            (&[("cover 0 s 0", "cover 0 s 0 0")], "out of order"),
            (&[("cover 0 s 0", "cover 0 s 0\ncover 0 s 0")], "cover of link 0 is repeated"),
            (&[("path 0 1 1 0", "path 0 1 1")], "`path` has the wrong number of words"),
            (&[("path 0 1 1 0\n", "")], "pair (0,1) has no path"),
            // The shares of equal paths add up.
            (&[("path 0 1 1 0", "path 0 1 1/2 0\npath 0 1 1/2 0")], ""),
            (&[("path 0 1 1 0", "path 0 1 1 0\npath 0 1 1 0")], "sum to 2"),
            (&[("path 0 1 1 0", "path 0 1 1 0\npath 0 1 0 0")], "one of them is 0"),
            // Records of one kind are grouped, in any order of their pairs.
            (&[("path 0 1 1 0\npath 1 0 1 2", "path 1 0 1 2\npath 0 1 1 0")], ""),
            (&[("cover 0 s 0\ncover 2 s 1", "cover 2 s 1\ncover 0 s 0")], ""),
            (&[("nodes 2\nlink 0 1 1", "link 0 1 1\nnodes 2")], "expected a `nodes` line"),
        ],
    );
}

/// Host 1 lies between the others, and its link 3 leads back to itself.
pub const LINE: &str = "routebound-certificate 1
hosts 3
nodes 3
link 0 1 1
link 1 2 1
link 2 1 1
link 1 1 1
link 1 0 1
next 0 0
next 1 4 - 1
next 2 2
claim oblivious-ratio 1 1
witness 0 1
demand 0 2 1
route even
cover 0 s 0
cover 1 d 2
cover 2 s 2
cover 4 d 0
end
";

#[test]
fn hosts_forward_and_next_links_are_looked_up() {
    judge(
        LINE,
        &[
            (&[("next 1 4 - 1", "next 1 4 0 1")], ""),
            // Host 1 looks up nothing for itself, and a node off all paths nothing at all.
            (
                &[("next 1 4 - 1", "next 1 4 99 1")],
                "record of node 1 names link 99, which does not",
            ),
            (&[("nodes 3", "nodes 4"), ("next 2 2", "next 2 2\nnext 3 -")], ""),
            (
                &[("nodes 3", "nodes 4"), ("next 2 2", "next 2 2\nnext 3 4000000000")],
                "record of node 3 names link 4000000000, which does not exist",
            ),
            (&[("next 1 4 - 1", "next 1")], "`next` has the wrong number of words"),
            (&[("next 1 4 - 1", "next 1 4 1")], "repeated or has the wrong number of entries"),
            (&[("next 1 4 - 1", "next 1 4 - -")], "pair (0,2) has no path"),
            (&[("next 1 4 - 1", "next 1 4 - 3")], "form a loop"),
            (&[("next 2 2", "next 2 2\nnext 2 2")], "repeated or has the wrong number"),
            (&[("next 2 2", "next 2 2\nnext 3 2")], "names host or node 3"),
            (&[("cover 1 d 2", "cover 1 l 1:1")], ""),
        ],
    );
}

/// The path from 0 to 1 goes back and forth; its first link carries it twice.
const TWICE: [(&str, &str); 4] = [
    ("path 0 1 1 0", "path 0 1 1 0 2 0"),
    ("2 2", "4 4"),
    ("cover 0 s 0", "cover 0 s 0:2"),
    ("cover 2 s 1", "cover 2 s 0 1"),
];

#[test]
fn a_path_may_pass_a_link_twice_and_then_counts_twice() {
    let routed = ("route even", "route paths\npath 0 1 1 0 2 0");
    judge(
        PARALLEL,
        &[
            (&TWICE, ""),
            (&[TWICE[0], ("2 2", "5 5"), TWICE[2], TWICE[3]], "with 4, the claim"),
            (&[TWICE[0], TWICE[1], TWICE[3]], "carries 2 of pair (0,1)"),
            // So may a path of a flow.
            (&[routed, ("0 1\nd", "0 4\nd"), ("2 2", "0 2")], ""),
            (&[routed, ("0 1\nd", "0 2\nd"), ("2 2", "0 2")], "with 4"),
            (&[("path 0 1 1 0", "path 0 1 1 0 0")], "breaks at link 0"),
        ],
    );
}

#[test]
fn flows_split_all_that_is_demanded() {
    let paths = |records: &'static str| ("route even", records);
    judge(
        PARALLEL,
        &[
            (&[paths("route paths\npath 0 1 1/2 0\npath 0 1 1/2 1")], ""),
            // A share may be 0, and a path may be unused.
            (
                &[paths(
                    "route paths\npath 0 1 1/2 0\npath 0 1 1/2 1\npath 0 1 0 0\npath 1 0 1/3 2",
                )],
                "",
            ),
            (
                &[paths("route paths\npath 0 1 1/2 0\npath 0 1 1/2 1\npath 1 0 1 0")],
                "breaks at link 0",
            ),
            (&[paths("route paths\npath 0 1 1/2 0\npath 0 1 1/3 1")], "sum to 5/6"),
            (&[paths("route paths")], "sum to 0"),
            (&[paths("route odd")], "expected `even` or `paths`"),
        ],
    );
}

/// The two hosts of a leaf send over one link; the cut is the leaf.
pub const CUT: &str = one_root!(
    "cut 0-1 4
cut 2 3 5
claim oblivious-ratio 1 1
witness 8 1
demand 0 2 1
route even
cover 0 s 0
cover 1 s 1
cover 2 s 2
cover 3 s 3
cover 4 d 0
cover 5 d 1
cover 6 d 2
cover 7 d 3
cover 8 o 0
cover 9 o 1
cover 10 i 0
cover 11 i 1
end
"
);

#[test]
fn cuts_are_sets_of_nodes() {
    judge(
        CUT,
        &[
            (&[("cut 0-1 4", "cut 4 1 0-0")], ""),
            (&[("cut 0-1 4", "cut 4-4 1 0")], ""),
            (&[("cut 0-1 4", "cut 1-0 4")], "ends before it begins"),
            (&[("cut 0-1 4", "cut 0-1 1 4")], "names node 1 twice"),
            (&[("cut 0-1 4", "cut 0-1 0-1 4")], "names node 0 twice"),
            (&[("cut 0-1 4", "cut 0-1 7")], "names node 7 twice, or there is no such node"),
            (&[("cut 0-1 4", "cut")], "`cut` has the wrong number of words"),
            (&[("cut 0-1 4", "cut 0-")], "is not a non-negative integer"),
            (&[("cut 0-1 4", "cut -1")], "is not a non-negative integer"),
            (&[("cut 0-1 4", "cut 0-1-4")], "is not a non-negative integer"),
            // Two equal cuts are two cuts; all nodes are a cut that nothing crosses.
            (
                &[("cut 2 3 5", "cut 0-1 4\ncut 2 3 5"), ("9 o 1", "9 o 2"), ("11 i 1", "11 i 2")],
                "",
            ),
            (&[("cut 2 3 5", "cut 2 3 5\ncut 0-6"), ("8 o 0", "8 o 0 2")], ""),
            (&[("8 o 0", "8 o 2")], "names cut 2"),
        ],
    );
}
