//! Bounds on all routings with few paths per pair: accepted when the theorem proves them, refused for every other reason.
use super::fate::judge_texts;
use super::{judge, proven};

/// Hosts 0 and 1 at leaf switch 4, hosts 2 and 3 at 5, root 6: no permutation load has a square below 2.
pub const ROOT: &str = one_root!(
    "claim oblivious-ratio 1 2
claim permutation-load 2 2
witness 8 2
demand 0 2 1
demand 1 3 1
route even
ends
few-paths permutation-load 7/5 1
end
"
);

const RECORD: &str = "few-paths permutation-load 7/5 1";

#[test]
fn it_survives_writing_and_is_accepted() {
    let least = "7/5 <= least permutation-load with 1 path per pair <= 2";
    assert_eq!(proven(ROOT), ["1 <= oblivious-ratio <= 2", "permutation-load = 2", least]);
}

#[test]
fn the_bound_is_that_of_the_theorem() {
    let of = |text: &'static str| (RECORD, text);
    // With one link up of twice the capacity, and claims that fit.
    let wide = [
        ("link 4 6 1", "link 4 6 2"),
        ("oblivious-ratio 1 2", "oblivious-ratio 1/2 2"),
        ("claim permutation-load 2 2", "claim permutation-load 1 2"),
    ];
    let with = |more| [wide[0], wide[1], wide[2], more];
    judge(
        ROOT,
        &[
            (&[of("few-paths permutation-load 0 1")], ""),
            (&[of("few-paths permutation-load 1414/1000 1")], ""),
            (&[of("few-paths permutation-load 1415/1000 1")], "proven to be 2 at least"),
            (&[of("few-paths permutation-load 3/2 1")], "proven to be 2 at least"),
            // There is one root, so nobody has two paths.
            (&[of("few-paths permutation-load 7/5 2")], ""),
            (&[of("few-paths permutation-load 7/5 0")], "more than 0 paths"),
            // The two hosts of a leaf switch need its only link up with any routing.
            (&[of("few-paths oblivious-ratio 1 1")], ""),
            (&[of("few-paths oblivious-ratio 5/4 1")], "proven to be 1/2 at least"),
            (&[of("few-paths oblivious-ratio 3 1")], "LOWER 3, but the claim has only 2"),
            (&[of("few-paths hose-load 1 1")], "hose-load, which is not claimed"),
            (&[("claim permutation-load 2 2\n", "")], "permutation-load, which is not claimed"),
            (&[of("few-paths permutation-load 7/5")], "wrong number of words"),
            (&[of("few-paths optu 7/5 1")], "expected oblivious-ratio or permutation-load"),
            (&[of("few-paths permutation-load 7/5 1/1")], "is not a non-negative integer"),
            (&wide, "proven to be 1/2 at least"),
            (&with(of("few-paths permutation-load 7/10 1")), ""),
        ],
    );
}

/// Hosts 0 and 1 at leaf switch 4, hosts 2 and 3 at 5, of which each pair has both roots, 6 and 7.
const SPLIT: &str = "routebound-certificate 1
hosts 4
nodes 8
link 0 4 1
link 1 4 1
link 2 5 1
link 3 5 1
link 4 0 1
link 4 1 1
link 5 2 1
link 5 3 1
link 4 6 1
link 5 6 1
link 6 4 1
link 6 5 1
link 4 7 1
link 5 7 1
link 7 4 1
link 7 5 1
split hops
claim oblivious-ratio 1 1
claim permutation-load 1 1
witness 0 1
demand 0 2 1
route even
ends
few-paths oblivious-ratio 1 2
end
";

#[test]
fn the_network_is_a_tree_of_two_levels() {
    let added = |link: &str| (ROOT.replace("next 0 0", &format!("{link}\nnext 0 0")), "refused");
    let more = |nodes: &str| (ROOT.replace("nodes 7", nodes), "refused");
    let links =
        ["link 6 5 1", "link 4 6 1", "link 4 5 1", "link 0 5 1", "link 6 6 1", "link 2 3 1"];
    let mut all: Vec<_> = links.into_iter().map(added).collect();
    all.extend([more("nodes 8"), (ROOT.to_string(), "accepted"), (SPLIT.to_string(), "accepted")]);
    let two = "few-paths oblivious-ratio 1 2";
    all.push((SPLIT.replace(two, "few-paths oblivious-ratio 1 3"), "accepted"));
    all.push((SPLIT.replace(two, "few-paths oblivious-ratio 1 1"), "refused"));
    // Both squares are 1/2 for two paths.
    all.push((SPLIT.replace(two, "few-paths permutation-load 7/10 2"), "accepted"));
    all.push((SPLIT.replace(two, "few-paths permutation-load 5/7 2"), "refused"));
    // Host 3 moves to the other leaf switch, or only one of its links does.
    let moved = [
        ("link 3 5 1", "link 3 4 1"),
        ("link 5 3 1", "link 4 3 1"),
        ("next 4 4 5 8 8", "next 4 4 5 8 7"),
        ("next 5 9 9 6 7", "next 5 9 9 6 9"),
        ("next 6 10 10 11 11", "next 6 10 10 11 10"),
        ("oblivious-ratio 1 2", "oblivious-ratio 1/2 9"),
        ("claim permutation-load 2 2", "claim permutation-load 1 9"),
    ];
    let change = |text: String, (old, new): &(&str, &str)| text.replace(old, new);
    let of_three = moved.iter().fold(ROOT.to_string(), change);
    all.push((of_three.replace(&format!("{RECORD}\n"), ""), "accepted"));
    all.push((of_three.replace(RECORD, "few-paths permutation-load 0 1"), "refused"));
    let half = [moved[0], moved[2], moved[5], moved[6]];
    all.push((half.iter().fold(ROOT.to_string(), change), "refused"));
    judge_texts(all);
}
