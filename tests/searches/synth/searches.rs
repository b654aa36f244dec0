//! Searches for routings: rectangle covers and local search.

use routebound::certificate::Quantity;
use routebound::progress::{Progress, Stop};
use routebound::synth::rectangles::{Answer, Rectangle, cover};
use routebound::synth::{self, Method, OptimalAssessment, Options, least_ratio};
use routebound::topology::generate;

fn found(n: u32, w: u32, most: u32) -> Option<Vec<Rectangle>> {
    match cover(n, w, most, &Progress::silent()) {
        Answer::Cover(rectangles) => Some(rectangles),
        Answer::None => None,
        Answer::Open => panic!("{n} {w} {most} is left open"),
    }
}

fn assert_covers(rectangles: &[Rectangle], n: u32, w: u32, most: u32) {
    assert_eq!(rectangles.len(), w as usize);
    for (a, b) in rectangles {
        assert!(a.count_ones() <= most && b.count_ones() <= most);
        assert!((a | b) >> n == 0);
    }
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let has = |(a, b): &Rectangle| a >> row & 1 == 1 && b >> column & 1 == 1;
        assert!(rectangles.iter().any(has), "cell {row} {column}");
    }
}

#[test]
fn rectangles_reach_the_root_for_squares_or_not() {
    for (n, least) in [(2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (7, 3), (8, 3), (13, 4)] {
        assert_covers(&found(n, n, least).unwrap(), n, n, least);
        assert_eq!(found(n, n, least - 1), None, "{n}");
    }
}

/// All choices of w rectangles of exactly X × X, by brute force without pruning.
fn exists(n: u32, w: u32, most: u32) -> bool {
    let sets: Vec<u64> = (0..1_u64 << n).filter(|set| set.count_ones() == most.min(n)).collect();
    let cells = |a: u64, b: u64| {
        (0..n).filter(|row| a >> row & 1 == 1).map(|row| b << (row * n)).sum::<u64>()
    };
    let all = (1_u64 << (n * n)) - 1;
    let rectangles: Vec<u64> =
        sets.iter().flat_map(|a| sets.iter().map(|b| cells(*a, *b))).collect();
    let mut reached = vec![0_u64];
    for _ in 0..w {
        let mut next: Vec<u64> =
            reached.iter().flat_map(|had| rectangles.iter().map(move |r| had | r)).collect();
        next.sort_unstable();
        next.dedup();
        reached = next;
    }
    reached.contains(&all)
}

#[test]
fn the_search_is_exhaustive() {
    for n in 1..=3 {
        for (w, most) in (1..=4).flat_map(|w| (1..=n).map(move |most| (w, most))) {
            assert_eq!(found(n, w, most).is_some(), exists(n, w, most), "{n} {w} {most}");
        }
    }
    assert_eq!(found(4, 3, 3).is_some(), exists(4, 3, 3));
    assert_eq!(found(4, 2, 3).is_some(), exists(4, 2, 3));
}

#[test]
fn rectangles_are_no_worse_than_grid() {
    for (n, w) in (2..=5).flat_map(|n| (1..=6).map(move |w| (n, w))) {
        let tree = generate(&format!("ftree({n},{w},2)")).unwrap();
        let note = routebound::routing::build("grid", &tree).unwrap().notes()[0].clone();
        let grid: u32 = note.rsplit(' ').next().unwrap().parse().unwrap();
        assert_covers(&found(n, w, grid).unwrap(), n, w, grid);
        // By rows: n⌈n/X⌉ places are needed, at most wX are available.
        let counted = (1..=n).find(|most| n * n.div_ceil(*most) <= w * most).unwrap();
        if counted > 1 {
            assert_eq!(found(n, w, counted - 1), None, "{n} {w}");
        }
    }
}

fn search(spec: &str, options: &Options) -> OptimalAssessment {
    least_ratio(&generate(spec).unwrap(), options, &Progress::silent()).unwrap()
}

#[test]
fn rectangles_are_an_attempt_of_their_own() {
    assert_covers(&found(5, 8, 2).unwrap(), 5, 8, 2);
    // `grid` and `osrm2` reach 3.
    let found = search("ftree(5,8,4)", &Options { method: Method::Count, ..Options::default() });
    assert_eq!(found.bounds.to_string(), "2 (proven)");
    assert_eq!(found.attempts[0].method, "rectangle cover");
    assert_eq!(found.attempts[0].answer, synth::Answer::Found);
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "seven seconds")]
fn local_search_closes_ft_4_4_from_above() {
    let found =
        search("ft(4,4)", &Options { method: Method::Local, seed: 7, ..Options::default() });
    assert_eq!(found.bounds.to_string(), "3 (proven)");
    let last = found.attempts.last().unwrap();
    assert_eq!((last.method, last.answer), ("local search", synth::Answer::Found));
}

#[test]
fn local_search_depends_on_the_seed_alone() {
    let table = |seed, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let quantity = Quantity::PermutationLoad;
        let ratio = Some(1);
        let options =
            Options { quantity, ratio, method: Method::Local, seed, ..Options::default() };
        let found = pool.install(|| search("ftree(3,6,3)", &options));
        assert_eq!(found.bounds.to_string(), "1 (proven)");
        let mut text = Vec::new();
        let (topology, routing) = (found.best.topology(), found.best.routing());
        routebound::routing::table::write_table(topology, routing, &mut text).unwrap();
        text
    };
    assert!(table(1, 1) == table(1, 3));
    assert!(table(1, 2) != table(2, 2));
}

#[test]
fn a_stopped_search_finds_nothing() {
    let stop = Stop::at(None);
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    assert_eq!(cover(8, 8, 3, &stopped), Answer::Open);
    let options = Options { method: Method::Local, ..Options::default() };
    let found = least_ratio(&generate("ft(4,4)").unwrap(), &options, &stopped).unwrap();
    assert!(!found.complete);
    assert_eq!(found.bounds.to_string(), "between 3 and 4 (proven)");
}
