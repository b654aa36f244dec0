//! Numbers of messages for a load factor, and rows that cannot be.

use super::*;

fn point(messages: &str, load_factor: Option<u64>) -> Point {
    Point {
        topology: "universal(64)".into(),
        algorithm: "greedy".into(),
        messages: messages.into(),
        loss: "random".into(),
        load_factor: load_factor.map(Rational::from),
        runs: 3,
        seed: 1,
    }
}

fn measured(point: Point) -> Measured {
    let found = Points(vec![point]).measure(&Units::default(), &Progress::silent());
    found.unwrap().unwrap().remove(0)
}

#[test]
fn numbers_of_messages_follow_the_load_factor() {
    for (messages, wanted) in [("messages(seed=3)", 20), ("shift(32)", 8), ("shift(32)", 6)] {
        let found = measured(point(messages, Some(wanted)));
        let factor = found.factor().to_f64();
        let wanted = Rational::from(wanted).to_f64();
        // Of shift(32) 32 messages pass 8 wires: 4 at a time.
        assert!((factor - wanted).abs() <= wanted / 3.0, "{messages}: {factor}, not {wanted}");
        assert_eq!((found.cycles.len(), found.processors), (3, 64));
        assert!(found.cycles.iter().all(|cycles| *cycles as f64 >= factor));
    }
    assert_eq!(measured(point("shift(32)", Some(8))).messages, "2 times shift(32)");
    assert_eq!(measured(point("shift(32)", None)).total, 64);
}

/// What a part says is not taken where it contradicts itself or the load factor.
#[test]
fn impossible_rows_are_refused() {
    let points = Points(vec![point("shift(32)", None)]);
    let found = measured(points.0[0].clone());
    assert!(points.holds(&points.0[0], &found));
    let fewer = Measured { cycles: vec![3, 4, 4], ..found.clone() };
    let missing = Measured { cycles: vec![4, 4], performed: vec![4, 4], ..found.clone() };
    let more = Measured { performed: vec![1, 1, 1], ..found };
    assert!([fewer, missing, more].iter().all(|wrong| !points.holds(&points.0[0], wrong)));
}
