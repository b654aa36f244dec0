//! Families of messages: how many, between whom, and what is refused.

use super::*;
use crate::channel_tree::WireTree;
use crate::simulation::delivery::bottleneck;
use crate::topology::UniversalShape;

const ENDS: Ends = Ends { processors: 256, outside: Some(256) };

#[test]
fn every_example_has_as_many_messages_as_it_says() {
    for kind in SETS.iter().filter(|kind| kind.takes("count")) {
        for (spec, count) in kind.examples.iter().zip([256, 5000]) {
            let (messages, canonical) = draw(spec, ENDS).unwrap();
            assert_eq!(messages.total(), count, "{spec}");
            assert!(is_named(spec) && canonical.contains("seed="));
            assert_eq!(draw(&canonical, ENDS).unwrap().0, messages);
            let of_seed = |seed| draw(&format!("{}(count=99,seed={seed})", kind.name), ENDS);
            assert_ne!(of_seed(1).unwrap().0, of_seed(2).unwrap().0);
        }
    }
}

/// Two messages for every cable: 2·16·15 of them in a square of side 16.
#[test]
fn steps_have_a_message_for_every_wire() {
    let of = |spec: &str| draw(spec, ENDS).unwrap();
    let (mesh, spec) = of("step");
    assert_eq!((mesh.total(), spec.as_str()), (4 * 16 * 15, "step(seed=1)"));
    assert_eq!(of("step(wires=3)").0.total(), 3 * 4 * 16 * 15);
    assert!(mesh.iter().all(|(s, d, count)| s != d && count == 1));
    let [one, other] = [1, 2].map(|seed| of(&format!("step(network=geometric2,seed={seed})")).0);
    assert_ne!(one, other);
}

#[test]
fn ends_are_where_they_should_be() {
    let near = draw("local(span=16,count=4000)", ENDS).unwrap().0;
    assert!(near.iter().all(|(s, d, _)| s / 16 == d / 16 && s != d));
    let all: std::collections::HashSet<_> = near.iter().map(|(s, d, _)| (s % 16, d % 16)).collect();
    assert_eq!(all.len(), 16 * 15);
    let hot = draw("hot(percent=20,host=3,count=10000)", ENDS).unwrap().0;
    // 20 % of 9961 messages, and the 256th part of the others: 2023 with a standard deviation of 41.
    let count = hot.iter().filter(|(_, d, _)| *d == 3).count();
    assert!((1850..2200).contains(&count), "{count}");
    assert!(draw("leaving(count=50)", ENDS).unwrap().0.iter().all(|(_, d, _)| d == 256));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let closed = Ends { outside: None, ..ENDS };
    assert_eq!(draw("leaving", closed), Err(SetError::NoOutside));
    let one = Ends { processors: 1, outside: None };
    assert_eq!(draw("messages", one), Err(SetError::NoPairs { processors: 1 }));
    for (spec, says) in [
        ("local(span=3)", "must be at least 2 and divide the 256 processors"),
        ("local(span=1)", "must be at least 2"),
        ("hot(percent=101)", "percent is at most 100"),
        ("hot(host=256)", "host below 256"),
        ("messages(count=-1)", "not an integer"),
        ("messages(count=99999999999)", "number of messages is 99999999999"),
        ("nothing", "unknown message set"),
        (
            "step(network=mesh3)",
            "a number of processors that is a power of 8, from 8 on; found 256",
        ),
        ("step(network=ring)", "unknown network `ring`"),
        ("step(wires=0)", "a link has 1 to 1048576 wires, not 0"),
        ("step(count=3)", "unknown option `count`"),
    ] {
        let error = draw(spec, ENDS).unwrap_err().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
}

/// 100 messages on 256 processors have some load factor; twice that takes 200.
#[test]
fn families_are_scaled_by_their_count() {
    let shape = UniversalShape::named("universal(256)").unwrap().unwrap();
    let tree = WireTree::universal(&shape);
    let once = open("messages(count=100,seed=4)", ENDS).unwrap().0;
    let factor = bottleneck(&tree, &once).unwrap().unwrap().load_factor;
    let scaled =
        |spec: &str, factor: &Rational| with_load_factor(spec, &tree, ENDS, factor).unwrap();
    let (messages, spec) = scaled("messages(count=100,seed=4)", &(&factor * &Rational::from(2)));
    assert_eq!((messages.total(), spec.as_str()), (200, "messages(seed=4,count=200)"));
    assert_eq!(scaled("messages(count=100)", &Rational::ZERO).0.total(), 1);
    assert_eq!(scaled("shift(1)", &Rational::ZERO).1, "1 times shift(1)");
}
