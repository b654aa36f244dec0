//! Limits of shares, paths and classes.

use std::fmt::Write as _;

use super::networks::TREE;
use super::{Fate, agreed, changed, fate};

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
    let texts = [halves(127), halves(128), choices(64), many];
    assert_eq!(agreed(&texts, tempfile::tempdir().unwrap().path()), 1);
}
