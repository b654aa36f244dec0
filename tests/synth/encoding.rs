//! The cover encoding has a model for a routing exactly when its links allow it.

use routebound::certificate::Quantity;
use routebound::progress::Progress;
use routebound::routing::Instance;
use routebound::sat::cover::CoverProblem;
use routebound::sat::{Answer, Formula, Settings, backend};
use routebound::topology::generate;
use routebound::worst_case::analyse;

fn problem(spec: &str, most: u32) -> CoverProblem {
    let tree = generate(spec).unwrap().tree().unwrap().clone();
    CoverProblem { tree, most, first_step: 2, ordered: 0 }
}

fn is_satisfiable(formula: &Formula) -> bool {
    match backend::solve(formula, Settings::default(), None, &Progress::silent()).unwrap() {
        Answer::Model(_) => true,
        Answer::Refuted => false,
        Answer::Stopped => panic!("nothing stops it"),
    }
}

/// Fixes the top switch of every pair of different leaves: the choices are the first variables.
fn fix(formula: &mut Formula, ports: u32, choices: &[u32]) {
    let mut variable = 0;
    for choice in choices {
        for port in 0..ports {
            variable += 1;
            formula.add([if port == *choice { variable } else { -variable }]);
        }
    }
}

/// All 256 routings of two leaves with two hosts and two top switches: those of the links whose
/// pairs two hosts cannot be matched in are the models.
#[test]
fn every_routing_of_two_leaves_is_classified_both_ways() {
    let problem = problem("ftree(2,2,2)", 1);
    // Pairs by source, then destination: 0 and 1 send to 2 and 3, and back.
    let pairs = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 0), (2, 1), (3, 0), (3, 1)];
    let mut good = 0;
    for routing in 0..256_u32 {
        let choices: Vec<u32> = (0..8).map(|pair| routing >> pair & 1).collect();
        let mut formula = problem.formula().unwrap();
        fix(&mut formula, 2, &choices);
        // Two node-disjoint pairs from one leaf through one switch share its link up.
        let contends = (0..8).any(|a| {
            (0..8).any(|b| {
                let ((s, d), (t, e)) = (pairs[a], pairs[b]);
                s != t && d != e && s / 2 == t / 2 && choices[a] == choices[b]
            })
        });
        assert_eq!(is_satisfiable(&formula), !contends, "{choices:?}");
        good += u32::from(!contends);
    }
    assert_eq!(good, 16);
}

/// FT(4,2): given the paths, the links have no variable in common, so a routing is a model when
/// every link is. All 2^12 sets of pairs that the link up from leaf 0 to switch 0 can carry, against
/// the largest matching, by hand.
#[test]
fn every_set_of_pairs_of_a_link_is_classified_both_ways() {
    for most in [1, 2] {
        let link = Link::new(most);
        for set in 0..1_u32 << 12 {
            // Bit 6·s + d − 2: host s of leaf 0 sends to host d.
            let row = |s: u32| set >> (6 * s) & 0x3f;
            let two = row(0) != 0 && row(1) != 0 && (row(0) | row(1)).count_ones() > 1;
            let matching = if two { 2 } else { u32::from(set != 0) };
            assert_eq!(link.is_covered(set), matching <= most, "{set:b} {most}");
        }
    }
}

/// The clauses of the first link, and the numbers of its variables.
struct Link {
    most: u32,
    first: i32,
    clauses: Vec<Vec<i32>>,
}

impl Link {
    fn new(most: u32) -> Self {
        let formula = problem("ft(4,2)", most).formula().unwrap();
        // 48 pairs with two choices each, then 8 covers and 7·X counters of the first link.
        let (first, end) = (97, 97 + 8 + 7 * most.cast_signed());
        let own = |clause: &&[i32]| clause.iter().any(|l| (first..end).contains(&l.abs()));
        let clauses = formula.clauses().filter(own).map(<[i32]>::to_vec).collect();
        Self { most, first, clauses }
    }

    /// Whether some cover and the counters that follow from it satisfy all clauses.
    fn is_covered(&self, set: u32) -> bool {
        (0..256_u32).any(|cover| self.holds(set, cover))
    }

    fn holds(&self, set: u32, cover: u32) -> bool {
        let value = |variable: i32| {
            let place = (variable - self.first) as u32;
            if variable < self.first {
                // Choice of pair s, d at port 0 or 1; hosts 0 and 1 have the first pairs.
                let (pair, port) = ((variable as u32 - 1) / 2, (variable - 1) % 2);
                return pair < 12 && port == 0 && set >> pair & 1 == 1;
            }
            if place < 8 {
                return cover >> place & 1 == 1;
            }
            let (i, j) = ((place - 8) / self.most, (place - 8) % self.most + 1);
            (cover & ((2 << i) - 1)).count_ones() >= j
        };
        self.clauses.iter().all(|clause| clause.iter().any(|l| value(l.abs()) == (*l > 0)))
    }
}

/// Every routing with a formula, on some trees, against the exact analysis.
#[test]
fn routings_of_the_papers_are_classified_both_ways() {
    for (spec, routing) in [
        ("ft(4,2)", "dmodk"),
        ("ft(6,2)", "dmodk"),
        ("ft(6,2)", "grid"),
        ("ft(6,2)", "random(seed=1)"),
        ("ftree(2,4,3)", "yuan"),
        ("ftree(2,3,3)", "random(seed=2)"),
    ] {
        let instance = Instance::named(spec, routing).unwrap();
        let worst = analyse(&instance, Quantity::PermutationLoad, &Progress::silent()).unwrap();
        for most in 1..=3 {
            let problem = problem(spec, most);
            let (tree, ports) = (&problem.tree, problem.tree.shortest_paths(2));
            let hosts = tree.hosts() as u32;
            let mut choices = Vec::new();
            for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
                if tree.nca_level(s, d) == 2 {
                    instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                        let port = |p: &u32| tree.link_id(1, tree.subtree(s, 1), 0, *p).0;
                        choices.extend((0..ports).filter(|p| links.contains(&port(p))));
                    });
                }
            }
            let mut formula = problem.formula().unwrap();
            fix(&mut formula, ports, &choices);
            let expected = worst.upper() <= u64::from(most).into();
            assert_eq!(is_satisfiable(&formula), expected, "{routing} on {spec}, {most}");
        }
    }
}

/// Keeping the ports in order of first use neither adds nor takes away an answer.
#[test]
fn order_changes_no_answer() {
    for (spec, first_step) in
        [("ft(4,2)", 2), ("ftree(2,3,3)", 2), ("ftree(2,4,3)", 2), ("xgft(3;2,2,2;1,2,2)", 2)]
    {
        for most in [1, 2] {
            let plain = CoverProblem { first_step, ..problem(spec, most) };
            let expected = is_satisfiable(&plain.formula().unwrap());
            for ordered in [1, 3, 6, 100] {
                let problem = CoverProblem { ordered, ..plain.clone() };
                let formula = problem.formula().unwrap();
                assert_eq!(is_satisfiable(&formula), expected, "{spec} {most} {ordered}");
            }
        }
    }
}
