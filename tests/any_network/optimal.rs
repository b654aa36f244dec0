//! Best oblivious routings whose ratio is known.

use crate::graphs::{complete, cube, cycle, grid, petersen};
use routebound::assessment::{Form, assess};
use routebound::lp::oblivious::{Options, optimal};
use routebound::progress::Progress;
use routebound::ratio::Ratio;
use routebound::routing::{Instance, Listed};
use routebound::topology::Topology;

/// The best routing is proven to have the ratio, and no routing has a smaller one.
fn expect(topology: Topology, ratio: &Ratio) {
    let begun = std::time::Instant::now();
    let best = optimal(&topology, Options::default(), &Progress::silent()).unwrap();
    eprintln!(
        "{} {:?} lower {} claimed {} {:?}",
        topology.spec(),
        begun.elapsed(),
        best.lower,
        best.claimed,
        best.stats
    );
    let routing = Listed::new("table:best".into(), topology.hosts(), best.paths.clone()).unwrap();
    let instance = Instance { topology, routing: Box::new(routing) };
    let assessment = assess(&instance, Form::Embedded, &Progress::silent()).unwrap();
    eprintln!("   {} {:?}", assessment.oblivious_ratio, begun.elapsed());
    assert_eq!(assessment.oblivious_ratio.to_string(), format!("{ratio} (proven)"));
    assert_eq!(best.lower, *ratio);
}

fn parse(text: &str) -> Ratio {
    text.parse().unwrap()
}

#[test]
fn cycles() {
    for k in 3..=10_u32 {
        expect(cycle(k), &Ratio::new(u64::from(2 * k - 2), k.into()).unwrap());
    }
}

#[test]
fn complete_graphs() {
    for n in 3..=7_u32 {
        expect(complete(n), &Ratio::new(u64::from(2 * n - 2), n.into()).unwrap());
    }
}

#[test]
fn small_grid() {
    expect(grid(2, 3), &parse("39/23"));
}

#[test]
fn square_grid() {
    expect(grid(3, 3), &parse("29/15"));
}

#[test]
fn three_cube() {
    expect(cube(), &parse("2"));
}

#[test]
fn petersen_graph() {
    expect(petersen(), &parse("11/5"));
}
