//! Changes to certificates of splits, accepted and refused.

use super::PARALLEL;
use super::networks::{HOSTED, STAR, TAPERED, TREE, UNEVEN};

const CLASSES: &str = "class 0-1\nclass 2-3\nclass 4\n";
const COVER: &str = "cover 23 s 0:1/2\n";
const TAPERED_CLASSES: &str = "class 0-3\nclass 4\nclass 5-8\n";

/// A text, changes to it, and part of the reason to refuse it, empty where it is accepted.
pub type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

pub const ACCEPTED: &[Case] = &[
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

pub const REFUSED: &[Case] = &[
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
        "no `least`, `single-path`, `few-paths` or `by-destination` record",
    ),
    (TREE, &[(COVER, "single-path permutation-load 0 trivial\n")], "no `least`, `single-path`,"),
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
