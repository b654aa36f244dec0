//! Bounds on all forwarding tables: accepted when they hold, refused for every possible reason.
use routebound_proof::certificate;
use routebound_proof::checker::check;

use super::{judge, proven};

/// Hosts 0 and 1 at node 4, hosts 2 and 3 at node 5; links 8 and 9 lead from 4 to 5, link 10 back. By tables, host 2 is
/// reached over link 8 and host 3 over link 9. Over link 10 both hosts send to both.
pub const TWO: &str = "routebound-certificate 1
hosts 4
nodes 6
link 0 4 1
link 1 4 1
link 2 5 1
link 3 5 1
link 4 0 1
link 4 1 1
link 5 2 1
link 5 3 1
link 4 5 1
link 4 5 1
link 5 4 1
next 0 0
next 1 1
next 2 2
next 3 3
next 4 4 5 8 9
next 5 10 10 6 7
claim permutation-load 2 2
witness 10 2
demand 2 0 1
demand 3 1 1
route even
ends
by-destination 2 5
end
";

/// Host 0 is at node 4 and host 1 at node 5, which node 6 joins; hosts 2 and 3 are at node 7. Link 12 leads from 6 to
/// 7, link 13 back.
pub const POD: &str = "routebound-certificate 1
hosts 4
nodes 8
link 0 4 1
link 1 5 1
link 2 7 1
link 3 7 1
link 4 0 1
link 5 1 1
link 7 2 1
link 7 3 1
link 4 6 1
link 5 6 1
link 6 4 1
link 6 5 1
link 6 7 1
link 7 6 1
next 0 0
next 1 1
next 2 2
next 3 3
next 4 4 8 8 8
next 5 9 5 9 9
next 6 10 11 12 12
next 7 13 13 6 7
claim permutation-load 2 2
witness 12 2
demand 0 2 1
demand 1 3 1
route even
ends
by-destination 2 4,5,6
end
";

#[test]
fn it_survives_writing_and_is_accepted() {
    for text in [TWO, POD] {
        let both = ["permutation-load = 2", "least by-destination permutation-load = 2"];
        assert_eq!(proven(text), both);
    }
}

/// What several nodes prove together.
#[test]
fn what_pods_prove() {
    let of = |text: &'static str| ("by-destination 2 4,5,6", text);
    judge(
        POD,
        &[
            (&[of("by-destination 2 6,4,5")], ""),
            (&[of("by-destination 2 5,4,6,5")], ""),
            (&[of("by-destination 1 4")], ""),
            (&[of("by-destination 2 4")], "≥ 1 only"),
            // Of these, one has a host, and both have links to others.
            (&[of("by-destination 2 4,6")], "≥ 1 only"),
            // Nothing is outside, or nothing is inside.
            (&[of("by-destination 1 4,5,6,7")], "≥ 0 only"),
            (&[of("by-destination 1 6")], "≥ 0 only"),
            // A host among the nodes is neither source nor destination.
            (&[of("by-destination 2 0,4,5,6")], "≥ 1 only"),
            (&[of("by-destination 2 2,4,5,6")], "≥ 1 only"),
            // With another way out the hosts need not share one.
            (&[("link 7 6 1\n", "link 7 6 1\nlink 4 7 1\n")], "≥ 1 only"),
            (&[("link 7 6 1\n", "link 7 6 1\nlink 6 7 1\n")], "≥ 1 only"),
            // A host at two of the nodes is outside, and so are the links to it.
            (&[("link 7 6 1\n", "link 7 6 1\nlink 0 5 1\n")], "≥ 1 only"),
            (&[of("by-destination 2 4,5,8")], "names node 8, which does not exist"),
            (&[of("by-destination 2 4,5,")], "is not a non-negative integer"),
            (&[of("by-destination 2 4 5")], "wrong number of words"),
        ],
    );
}

#[test]
fn what_it_proves() {
    let of = |text: &'static str| ("by-destination 2 5", text);
    let half = ("link 4 5 1\nlink 4", "link 4 5 1/2\nlink 4");
    judge(
        TWO,
        &[
            // One of two links has one destination at least.
            (&[of("by-destination 1 4")], ""),
            (&[of("by-destination 0 4")], ""),
            (&[of("by-destination 2 4")], "prove least by-destination"),
            (&[of("by-destination 3/2 4")], "≥ 1 only, the certificate says 3/2"),
            // Nothing is behind a host.
            (&[of("by-destination 0 0")], ""),
            (&[of("by-destination 1 0")], "≥ 0 only"),
            // Of links that differ the widest counts.
            (
                &[("link 5 4 1", "link 5 4 2"), ("load 2 2", "load 1 1"), ("2 5\nend", "1 5\nend")],
                "",
            ),
            (&[half, of("by-destination 1 4")], ""),
            (&[half, of("by-destination 2 4")], "≥ 1 only"),
            (&[of("by-destination 3 5")], "has its lower bound above"),
            (&[of("by-destination 2 6")], "names node 6, which does not exist"),
            (&[of("by-destination 2")], "wrong number of words"),
            (&[("permutation-load 2 2", "hose-load 2 2")], "which is not claimed"),
        ],
    );
    // A host with another link may go around.
    let around = [("link 5 4 1\n", "link 5 4 1\nlink 2 4 1\n"), ("2 5\nend", "1 5\nend")];
    judge(TWO, &[(&around, ""), (&around[..1], "≥ 1 only")]);
}

#[test]
fn paths_are_no_tables() {
    let (before, rest) = TWO.split_once("next 0").unwrap();
    let (_, after) = rest.split_once("claim").unwrap();
    let pairs = (0..4_u32).flat_map(|s| (0..4).filter(move |d| *d != s).map(move |d| (s, d)));
    let path = |(s, d): (u32, u32)| {
        let middle = match (s / 2, d) {
            (0, 2) => " 8",
            (0, 3) => " 9",
            (1, 0 | 1) => " 10",
            _ => "",
        };
        format!("path {s} {d} 1 {s}{middle} {}\n", d + 4)
    };
    let text = format!("{before}{}claim{after}", pairs.map(path).collect::<String>());
    let read = certificate::read(text.as_bytes()).unwrap();
    let refusal = check(&read).unwrap_err().to_string();
    assert!(refusal.contains("needs `next` records"), "{refusal}");
}
