//! Boundaries that other tests pass by at a distance.

use super::records::{CUT, LINE};
use super::{PARALLEL, judge};

#[test]
fn both_ends_of_a_link_are_nodes() {
    let links = "link 0 1 1\nlink 0 1 1";
    judge(
        PARALLEL,
        &[
            (&[(links, "link 0 1 1\nlink 2 1 1")], "link 1 has an end that is not a node"),
            (&[(links, "link 0 1 1\nlink 0 2 1")], "link 1 has an end that is not a node"),
        ],
    );
}

/// Long paths are searched for repeated links in another way.
#[test]
fn a_long_path_may_pass_a_link_often_and_then_counts_as_often() {
    let path = format!("path 0 1 1 0{}", " 2 0".repeat(40));
    let covers = [("cover 0 s 0", "cover 0 s 0:41"), ("cover 2 s 1", "cover 2 s 0:40 1")];
    let claim = ("2 2", "2 82");
    judge(
        PARALLEL,
        &[
            (&[("path 0 1 1 0", &path), claim, covers[0], covers[1]], ""),
            (&[("path 0 1 1 0", &path), claim, covers[1]], "carries 41 of pair (0,1)"),
        ],
    );
}

#[test]
fn a_demand_of_a_permutation_is_at_most_1() {
    let base = PARALLEL.replace("oblivious-ratio 2 2", "permutation-load 1 1");
    let base = base.replace("demand 0 1 2", "demand 0 1 1");
    judge(
        &base,
        &[
            (&[("1 1\nw", "1/2 1\nw"), ("demand 0 1 1", "demand 0 1 1/2")], ""),
            (&[("demand 0 1 1", "demand 0 1 2")], "is not a permutation: host 0"),
        ],
    );
}

/// What is split evenly loads every link of its paths, not only the last ones.
#[test]
fn an_even_split_loads_first_links_too() {
    let (wide, narrow) = ("link 0 1 1\n", "link 0 1 1/2\n");
    judge(LINE, &[(&[(wide, narrow)], "loads link 0 with 2, more than the stated 1")]);
}

/// A pair with both ends in a cut does not cross it, in either direction.
#[test]
fn pairs_within_a_cut_do_not_cross_it() {
    judge(
        CUT,
        &[
            (&[("cover 0 s 0", "cover 0 o 0")], "link 0 carries 1 of pair (0,1)"),
            (&[("cover 4 d 0", "cover 4 i 0")], "does not cover"),
        ],
    );
}
