//! Links covered by their ends, and weights of 1 beside shares that are larger.

use super::fate::agreed;
use super::{changed, decided};

/// Every path leads over link 1, that of (0,1) twice: its ends weigh 4.
pub const TWICE: &str = "routebound-certificate 1
hosts 3
nodes 5
link 0 3 1
link 3 4 1
link 4 3 1
link 4 1 1
link 4 2 1
link 1 3 1
link 2 3 1
link 4 0 1
path 0 1 1 0 1 2 1 3
path 0 2 1 0 1 4
path 1 0 1 5 1 7
path 1 2 1 5 1 4
path 2 0 1 6 1 7
path 2 1 1 6 1 3
claim permutation-load 4 4
witness 1 4
demand 0 1 1
demand 1 2 1
demand 2 0 1
route even
ends
end
";

/// Two of three hosts have two paths of different shares to host 0; link 2 carries 1/3 and 1 of them.
pub const PARTS: &str = "routebound-certificate 1
hosts 3
nodes 4
link 1 3 1
link 2 3 1
link 3 0 1
link 3 0 1
link 0 3 1
link 3 1 1
link 3 2 1
path 0 1 1 4 5
path 0 2 1 4 6
path 1 0 1/3 0 2
path 1 0 2/3 0 3
path 1 2 1 0 6
path 2 0 1 1 2
path 2 1 1 1 5
claim permutation-load 1 1
witness 2 1
demand 2 0 1
route even
ends
end
";

/// The path of (0,1) passes link 1 twice. A cut of weight 1 covers half of that.
pub const FULL_CUT: &str = "routebound-certificate 1
hosts 2
nodes 4
link 0 2 1
link 2 3 1
link 3 2 1
link 3 1 1
link 1 0 1
path 0 1 1 0 1 2 1 3
path 1 0 1 4
cut 0
claim oblivious-ratio 2 2
witness 1 1
demand 0 1 1
route even
cover 0 s 0
cover 1 o 0:2
cover 2 s 0
cover 3 d 1
cover 4 s 1
end
";

/// The texts, and what the refusal of each has to name; nothing where it is accepted.
fn cases() -> Vec<(String, &'static str)> {
    let three = [("4 4", "3 3"), ("witness 1 4", "witness 1 3")];
    let other_way =
        [("demand 0 1 1\ndemand 1 2 1\ndemand 2 0 1", "demand 0 2 1\ndemand 1 0 1\ndemand 2 1 1")];
    vec![
        (TWICE.into(), ""),
        (changed(TWICE, &[("4 4", "0 7/2")]), "the ends of link 1"),
        (changed(TWICE, &[three[0], three[1]]), "the ends of link 1"),
        (changed(&changed(TWICE, &three), &other_way), "the ends of link 1"),
        (PARTS.into(), ""),
        (changed(PARTS, &[("1 1\nw", "0 1/2\nw")]), "the ends of link 0"),
        (FULL_CUT.into(), ""),
        (changed(FULL_CUT, &[("2 2", "1 1"), ("0:2", "0")]), "link 1"),
    ]
}

#[test]
fn ends_weigh_the_largest_shares_of_their_pairs() {
    for (text, reason) in cases() {
        decided(&text, reason);
    }
}

#[test]
fn the_second_checker_agrees() {
    let texts: Vec<String> = cases().into_iter().map(|(text, _)| text).collect();
    agreed(&texts, tempfile::tempdir().unwrap().path());
}
