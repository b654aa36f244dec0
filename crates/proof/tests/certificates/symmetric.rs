//! Automorphisms: what they have to keep, and which links they spare a cover.

use super::fate::{SYMMETRIC, SYMMETRIC_LEAST};
use super::{Fate, changed, fate, judge};

const ROTATION: &str = "automorphism n 0,1,2 l 0,2,4 1,3,5\n";
const REFLECTION: &str = "automorphism n 0,1 l 0,1 2,5 3,4\n";
const COVER: &str = "cover 0 l 0 5\n";

/// The rotation, changed.
fn rotation(to: &str) -> (&str, &str) {
    ("n 0,1,2 l 0,2,4 1,3,5", to)
}

/// Links 0 and 1 are parallel, and carry half of the pairs from host 0 to host 1 each.
pub const TWINS: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 0 1 1
link 1 0 1
path 0 1 1/2 0
path 0 1 1/2 1
path 1 0 1 2
claim oblivious-ratio 1 1
claim permutation-load 1 1
witness 2 1
demand 1 0 1
route even
automorphism l 0,1
cover 0 s 0:1/2
cover 2 s 1
end
";

#[test]
fn links_of_a_class_need_one_cover() {
    judge(
        SYMMETRIC,
        &[
            // The cover of any link of the class will do, and several are checked.
            (&[(COVER, "cover 3 l 3 4\n")], ""),
            (&[(COVER, "cover 0 l 0 5\ncover 3 l 3 4\n")], ""),
            (&[(COVER, "cover 0 l 0 5\ncover 3 l 3\n")], "link 3 carries 1 of pair (2,1)"),
            (&[(COVER, "cover 0 l 0 5\ncover 3 l 3 4 5\n")], "cover of link 3 proves load ≤ 3"),
            (&[(COVER, "cover 0 l 0\n")], "link 0 carries 1 of pair (0,1)"),
            (&[("2 2\n", "2 2\nclaim hose-load 2 2\n")], "the cover of link 0 uses lengths"),
            // Classes without a cover: links 1, 3 and 5, or all but links 0 and 1.
            (&[(REFLECTION, "")], "link 5 carries 1 of pair (0,2), which its cover does not"),
            (&[(ROTATION, "")], "link 5 carries 1 of pair (0,2), which its cover does not"),
            (&[(COVER, "")], "link 0 carries 1 of pair (0,1), which its cover does not"),
            // A cover that is there but empty is the cover of its link.
            (&[(COVER, "cover 0 l 0 5\ncover 3\n")], "link 3 carries 1 of pair (2,1)"),
            // A class without a cover is covered by the ends of its links: 2 units here.
            (&[("automorphism n 0,1,2", "ends\nautomorphism n 0,1,2"), (COVER, "")], ""),
            (&[("automorphism n 0,1,2", "ends\nautomorphism n 0,1,2")], ""),
            (&[(ROTATION, "automorphism\n"), (REFLECTION, "ends\n")], "found `ends`"),
        ],
    );
}

#[test]
fn records_may_be_empty_repeated_and_in_any_order() {
    let swapped = format!("{REFLECTION}{ROTATION}");
    let covered_before = format!("{COVER}{ROTATION}");
    judge(
        SYMMETRIC,
        &[
            (&[(ROTATION, ""), (REFLECTION, &swapped)], ""),
            (&[(ROTATION, "automorphism\nautomorphism n 0,1,2 l 0,2,4 1,3,5\n")], ""),
            (&[(REFLECTION, &REFLECTION.repeat(2))], ""),
            (&[("n 0,1 l", "n 1,0 2 l"), ("l 0,1 2,5", "l 5,2 0,1")], ""),
            (&[(COVER, ""), (ROTATION, &covered_before)], "found `automorphism`"),
            (&[rotation("l 0,2,4 1,3,5 n 0,1,2")], "is not a non-negative integer"),
            (&[rotation("n l 0,2,4 1,3,5")], "wrong number of words"),
            (&[rotation("0,1,2 l 0,2,4 1,3,5")], "wrong number of words"),
            (&[("n 0,1,2", "n 0, 1, 2")], "is not a non-negative integer"),
        ],
    );
}

#[test]
fn what_is_no_automorphism_is_refused() {
    judge(
        SYMMETRIC,
        &[
            (&[("n 0,1,2", "n 0,1,1")], "automorphism 0 names node or link 1 twice"),
            (&[("n 0,1,2", "n 0,1 1")], "automorphism 0 names node or link 1 twice"),
            (
                &[("n 0,1,2", "n 0,1,3")],
                "automorphism 0 names node or link 3 twice, or there is none",
            ),
            (
                &[("2,5 3,4", "2,5 3,6")],
                "automorphism 1 names node or link 6 twice, or there is none",
            ),
            (&[("2,5 3,4", "2,5 3,5")], "automorphism 1 names node or link 5 twice"),
            (&[rotation("n 0,1,2")], "automorphism 0 takes link 0 to one between"),
            (&[rotation("n 0,1,2 l 0,2,4")], "automorphism 0 takes link 1 to one"),
            (&[rotation("l 0,2,4 1,3,5")], "automorphism 0 takes link 0 to one"),
            (&[("n 0,1,2", "n 2,1,0")], "automorphism 0 takes link 0 to one between other nodes"),
            (&[("link 0 2 1", "link 0 2 3/2")], "automorphism 0 takes link 3 to one between other"),
            (
                &[("nodes 3", "nodes 4"), ("n 0,1 l", "n 0,1 2,3 l")],
                "automorphism 1 takes node 2 out of",
            ),
            (&[("nodes 3", "nodes 5"), ("n 0,1 l", "n 0,1 3,4 l")], ""),
        ],
    );
}

#[test]
fn a_routing_without_the_symmetry_is_refused() {
    let lost = "does not take the shares of pair";
    judge(
        SYMMETRIC,
        &[
            // The other way round, for one pair or with a part of its traffic.
            (
                &[("path 0 2 1 5", "path 0 2 1 0 2")],
                "automorphism 0 does not take the shares of pair (0,2)",
            ),
            (&[("path 0 2 1 5", "path 0 2 1/2 5\npath 0 2 1/2 0 2")], lost),
            // The shares of equal paths add up.
            (&[("path 0 2 1 5", "path 0 2 1/3 5\npath 0 2 2/3 5")], ""),
            // Every pair the long way: the rotation is kept, but then the claim is wrong.
            (
                &[
                    ("path 0 1 1 0", "path 0 1 1 5 3"),
                    ("path 1 2 1 2", "path 1 2 1 1 5"),
                    ("path 2 0 1 4", "path 2 0 1 3 1"),
                    ("witness 0 1", "witness 5 1"),
                ],
                "automorphism 1 does not take the shares of pair",
            ),
        ],
    );
}

/// Without a symmetry, or with other traffic, the bound on all routings does not follow.
#[test]
fn bounds_on_all_routings_are_about_means() {
    let listed = "least oblivious-ratio 4/3 listed
allowed 0 1 0\nallowed 0 1 5 3\nallowed 0 2 5\nallowed 0 2 0 2\nallowed 1 0 1\nallowed 1 0 2 4
allowed 1 2 2\nallowed 1 2 1 5\nallowed 2 0 4\nallowed 2 0 3 1\nallowed 2 1 3\nallowed 2 1 4 0";
    let all = "least oblivious-ratio 4/3 all";
    let reflection = "automorphism n 1,2 l 0,5 1,4 2,3\n";
    let proves = |value: &str| format!("proves least oblivious-ratio ≥ {value} only");
    let covers = "cover 0 s 0:1/3 d 1:1/3\n";
    let links: String =
        ["1 s 1:1/3 d 0:1/3", "2 s 1:1/3 d 2:1/3", "3 s 2:1/3 d 1:1/3", "4 s 2:1/3 d 0:1/3"]
            .map(|cover| format!("cover {cover}\n"))
            .concat();
    let links = format!("{covers}{links}cover 5 s 0:1/3 d 2:1/3\n");
    judge(
        SYMMETRIC_LEAST,
        &[
            (&[("least oblivious-ratio 4/3", "least oblivious-ratio 5/4")], ""),
            (&[("against 0 2", "against 0 1")], &proves("1")),
            (&[("least oblivious-ratio 4/3", "least oblivious-ratio 1001/750")], "above its upper"),
            // Without symmetries every link needs a cover, and traffic of its own.
            (&[(ROTATION, "")], "its cover does not"),
            (&[(ROTATION, ""), (reflection, ""), (covers, &links)], &proves("0")),
            (&[(all, listed)], ""),
            // A path that is not used may be missing, but not alone.
            (
                &[(all, listed), ("allowed 2 1 4 0", "allowed 2 1 3")],
                "is not among those that routings may",
            ),
            (
                &[(all, listed), ("allowed 2 1 4 0", "allowed 2 1 4 0\nallowed 2 1 4 0 1 0")],
                "automorphism 0 takes an allowed path of pair (2,1) to one that is not allowed",
            ),
        ],
    );
}

#[test]
fn parallel_links_are_equivalent_if_their_shares_are() {
    judge(
        TWINS,
        &[
            (&[("cover 0 s 0:1/2", "cover 1 d 1:1/2")], ""),
            (&[("automorphism l 0,1\n", "")], "link 1 carries 1/2 of pair (0,1)"),
            (&[("automorphism l 0,1", "automorphism l 0,2")], "automorphism 0 takes link 0 to one"),
            (
                &[
                    ("0 1 1/2 0\npath 0 1 1/2 1", "0 1 1/3 0\npath 0 1 2/3 1"),
                    ("s 0:1/2", "s 0"),
                    ("ratio 1 1", "ratio 1 2"),
                ],
                "does not take the shares of pair (0,1)",
            ),
        ],
    );
}

#[test]
fn numbers_of_automorphisms_are_limited() {
    let many = |count: usize, nodes: &str| {
        let all = "automorphism\n".repeat(count) + ROTATION;
        fate(changed(SYMMETRIC, &[(ROTATION, &all), ("nodes 3", nodes)]).as_bytes())
    };
    assert_eq!(many(100, "nodes 3"), Fate::Accepted);
    // 2^20 nodes and links each: 64 such records are within 2^26.
    let Fate::TooLarge(said) = many(63, "nodes 1048570") else { panic!("no limit") };
    assert!(said.contains("automorphisms times nodes and links is"), "{said}");
}
