//! What the page of exact values says in words, against its table.

use routebound::rational::Rational;
use routebound::topology::generate;

use super::{Row, rows, rows_of};

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

/// The exact value of a row, which is proven.
fn value(rows: &[Row], network: &str, routing: &str, quantity: &str) -> Rational {
    let names = [network, routing, quantity];
    let is = |row: &&Row| ["network", "routing", "quantity"].map(|head| &*row[head]) == names;
    let row = rows.iter().find(is).unwrap();
    assert_eq!(row["evidence"], "proven", "{names:?}");
    row["exact"].parse().unwrap()
}

#[test]
fn the_findings_of_exact_hold() {
    let rows = rows("exact");
    let ratio = |network: &str| value(&rows, network, "best", "oblivious ratio");
    let hose = |network: &str| value(&rows, network, "best", "hose load");
    for n in 3..=10 {
        assert_eq!(ratio(&format!("torus({n})")), fraction(2 * n - 2, n), "{n}");
    }
    for (network, n, dimensions) in [
        ("hyperx(3,p=0)", 3, 1),
        ("hyperx(7,p=0)", 7, 1),
        ("torus(4)", 2, 2),
        ("torus(3,2)", 3, 2),
        ("hyperx(3,3,p=0)", 3, 2),
        ("hyperx(4,4,p=0)", 4, 2),
        ("hyperx(5,5,p=0)", 5, 2),
        ("hypercube(3)", 2, 3),
        ("torus(3,3)", 3, 3),
        ("fatclique(0,3,3,3)", 3, 3),
    ] {
        assert_eq!(ratio(network), fraction((dimensions + 1) * (n - 1), n), "{network}");
    }
    assert_eq!(["hypercube(4)", "hypercube(5)"].map(ratio), [fraction(42, 17), fraction(68, 23)]);
    for n in 3..=6 {
        assert_eq!(ratio(&format!("mesh(2;{n})")), fraction(20 * n - 21, 10 * n - 7), "{n}");
    }
    for n in 2..=5 {
        assert_eq!(ratio(&format!("bcube({n},1)")), fraction(2 * n - 1, n), "{n}");
    }
    for n in [2, 3, 4, 6] {
        assert_eq!(hose(&format!("bcube({n},1)")), fraction(3 * n - 2, n), "{n}");
    }
}

#[test]
fn the_findings_about_minimal_routes_hold() {
    let rows = rows("exact");
    for (network, load) in [
        ("slimfly(5,p=0)", fraction(2, 1)),
        ("polarfly(5,p=0)", fraction(2, 1)),
        ("dragonfly(0,4,2)", fraction(4, 1)),
        ("jellyfish(20,4,p=0)", fraction(77, 18)),
    ] {
        assert_eq!(value(&rows, network, "ecmp", "permutation load"), load, "{network}");
    }
}

#[test]
fn the_findings_about_tori_hold() {
    let rows = rows("exact");
    for n in 3..=6 {
        let distance: u64 = (0..n).map(|node| node.min(n - node)).sum();
        let load = value(&rows, &format!("torus({n},2)"), "best", "hose load");
        assert_eq!(load, fraction(distance, n), "{n}");
        let formula = if n % 2 == 0 { (n, 4) } else { (n * n - 1, 4 * n) };
        assert_eq!(load, fraction(formula.0, formula.1), "{n}");
    }
    let load = |routing| value(&rows, "torus(8,2)", routing, "permutation load");
    let loads = ["dor", "dor(ties=split)", "romm", "valiant", "ival"].map(load);
    assert_eq!(loads.map(|load| load.to_string()), ["4", "7/2", "24/5", "2", "2"]);
    assert!(rows.iter().all(|row| !["wrong", "not as recalled"].contains(&&*row["verdict"])));
    // Nodes of K4,4,4 that are not joined have the same neighbours.
    let dring = generate("dring(6,2,p=0)").unwrap();
    for node in dring.node_numbers() {
        let mut next: Vec<_> =
            dring.links_from(node).map(|link| dring.ends(link).unwrap().1).collect();
        next.sort_unstable();
        let others: Vec<_> = dring
            .node_numbers()
            .filter(|other| {
                let mut same: Vec<_> =
                    dring.links_from(*other).map(|link| dring.ends(link).unwrap().1).collect();
                same.sort_unstable();
                same == next
            })
            .collect();
        assert_eq!((next.len(), others.len()), (8, 4));
    }
}

#[test]
fn the_findings_about_permutations_and_flows_hold() {
    let rows = rows_of("exact", "matchings.csv");
    let over = |row: &Row| row["bound over it"].parse::<Rational>().unwrap();
    let reached = |network: &str| {
        let cubes = ["hypercube", "torus(4", "torus(6", "torus(8", "bcube(2", "4 pods"];
        cubes.iter().any(|cube| network.starts_with(cube))
    };
    for row in &rows {
        assert!(over(row) >= Rational::ONE, "{row:?}");
        let is_cube = row["network"] == "fatclique(0,2,2,2)";
        assert_eq!(over(row) == Rational::ONE, is_cube || reached(&row["network"]), "{row:?}");
    }
    let furthest = rows.iter().max_by_key(|row| over(row)).unwrap();
    assert_eq!((&*furthest["network"], over(furthest)), ("slimfly(3,p=0)", fraction(35, 18)));
    let rows = rows_of("exact", "unsplittable.csv");
    let worst = |row: &Row| row["worst congestion"].parse::<Rational>().unwrap();
    let most = |middle: &str, r: &str| {
        let is = |row: &&Row| row["n"] == "2" && row["middle switches"] == middle && row["r"] == r;
        rows.iter().filter(is).map(worst).max().unwrap()
    };
    assert_eq!([most("2", "2"), most("2", "3")], [fraction(4, 3), fraction(3, 2)]);
    assert_eq!([most("3", "2"), most("3", "3")], [Rational::ONE, Rational::ONE]);
    let pods = value(&self::rows("exact"), "4 pods of radix 32", "best", "hose load");
    assert_eq!(pods, Rational::ONE);
}
