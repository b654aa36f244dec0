//! The cover encoding has a model for a routing exactly when its links allow it.

use routebound::certificate::Quantity;
use routebound::progress::Progress;
use routebound::routing::Instance;
use routebound::sat::cover::CoverProblem;
use routebound::sat::{Answer, Formula, Settings, backend};
use routebound::topology::{generate, host_number};
use routebound::worst_case::Analyse;

fn problem(spec: &str, most: u32) -> CoverProblem {
    let tree = generate(spec).unwrap().tree().unwrap().clone();
    CoverProblem { tree, most, first_step: 2, ordered: 0 }
}

fn is_satisfiable(formula: &Formula) -> bool {
    match backend::solve(formula, Settings::default(), &Progress::silent()).unwrap() {
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

/// All 256 routings of two leaves with two hosts and two top switches: the models are those without
/// two node-disjoint pairs on one link.
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

/// All 2^48 routings of FT(4,2): given the paths, the links have no variable in common, so a routing
/// is a model exactly when each of the 16 links has a cover of the pairs that the routing sends
/// there. These are a subset of 12 pairs, and on every link all 2^12 subsets are compared with the
/// largest matching, by hand.
#[test]
fn every_routing_of_ft_4_2_is_classified_both_ways() {
    for most in [1, 2] {
        let formula = problem("ft(4,2)", most).formula().unwrap();
        let links: Vec<Link> = (0..16).map(|link| Link::new(&formula, most, link)).collect();
        for link in &links {
            for set in 0..1_u32 << 12 {
                assert_eq!(link.is_covered(set), matching(set) <= most, "{} {set:b}", link.name());
            }
        }
        // The rest of the formula says that every pair has a choice, as it has in every routing.
        let others: Vec<&[i32]> =
            formula.clauses().filter(|clause| clause.iter().all(|l| l.abs() <= 96)).collect();
        let choices: Vec<[i32; 2]> = (0..48).map(|pair| [2 * pair + 1, 2 * pair + 2]).collect();
        assert_eq!(others, choices);
        let of_links: usize = links.iter().map(|link| link.clauses.len()).sum();
        assert_eq!(of_links + others.len(), formula.len(), "no clause is about two links");
    }
}

/// The largest number of node-disjoint pairs in a set; bit 6·i + j is the i-th host of a leaf and
/// the j-th outside.
fn matching(set: u32) -> u32 {
    let row = |i: u32| set >> (6 * i) & 0x3f;
    let two = row(0) != 0 && row(1) != 0 && (row(0) | row(1)).count_ones() > 1;
    if two { 2 } else { u32::from(set != 0) }
}

/// A link of FT(4,2): its clauses, and the numbers of its variables.
struct Link {
    down: bool,
    leaf: i32,
    port: i32,
    most: u32,
    first: i32,
    clauses: Vec<Vec<i32>>,
    /// The covers that the counter allows, one bit per host, those of the leaf first.
    covers: Vec<u32>,
}

impl Link {
    /// The link at a place of the formula: 4 leaves with two ports each, up, then down.
    fn new(formula: &Formula, most: u32, place: i32) -> Self {
        // 48 pairs with two choices each, then 8 covers and 7·X counters of every link.
        let size = 8 + 7 * most.cast_signed();
        let first = 97 + place * size;
        let (down, leaf, port) = (place >= 8, place / 2 % 4, place % 2);
        let own = |clause: &&[i32]| clause.iter().any(|l| (first..first + size).contains(&l.abs()));
        let clauses: Vec<Vec<i32>> = formula.clauses().filter(own).map(<[i32]>::to_vec).collect();
        let strangers = clauses.iter().flatten().map(|l| l.abs());
        let mut strangers = strangers.filter(|l| !(first..first + size).contains(l));
        assert!(strangers.all(|l| l <= 96), "no clause is about two links");
        let mut link = Self { down, leaf, port, most, first, clauses, covers: Vec::new() };
        let holds = |cover: &u32| {
            let mut counter =
                link.clauses.iter().filter(|clause| clause.iter().all(|l| l.abs() > 96));
            counter.all(|clause| link.holds(clause, 0, *cover))
        };
        link.covers = (0..256).filter(holds).collect();
        link
    }

    fn name(&self) -> String {
        let Self { down, leaf, port, most, .. } = self;
        format!("down {down}, leaf {leaf}, port {port}, {most} hosts")
    }

    /// Whether some cover and the counters that follow from it satisfy all clauses.
    fn is_covered(&self, set: u32) -> bool {
        let holds = |cover: &u32| self.clauses.iter().all(|clause| self.holds(clause, set, *cover));
        self.covers.iter().any(holds)
    }

    fn holds(&self, clause: &[i32], set: u32, cover: u32) -> bool {
        clause.iter().any(|literal| self.value(literal.abs(), set, cover) == (*literal > 0))
    }

    fn value(&self, variable: i32, set: u32, cover: u32) -> bool {
        if variable <= 96 {
            return self.carries((variable - 1) / 2, (variable - 1) % 2, set);
        }
        let place = u32::try_from(variable - self.first).unwrap();
        if place < 8 {
            return cover >> place & 1 == 1;
        }
        let (i, j) = ((place - 8) / self.most, (place - 8) % self.most + 1);
        (cover & ((2 << i) - 1)).count_ones() >= j
    }

    /// Whether the link carries the pair at a place, by source, then destination, through a port.
    fn carries(&self, pair: i32, port: i32, set: u32) -> bool {
        let s = pair / 6;
        let d = if pair % 6 < s / 2 * 2 { pair % 6 } else { pair % 6 + 2 };
        let (near, far) = if self.down { (d, s) } else { (s, d) };
        let outside = if far / 2 < self.leaf { far } else { far - 2 };
        port == self.port && near / 2 == self.leaf && set >> (6 * (near % 2) + outside) & 1 == 1
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
        let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
        for most in 1..=3 {
            let problem = problem(spec, most);
            let (tree, ports) = (&problem.tree, problem.tree.shortest_paths(2));
            let hosts = host_number(tree.hosts());
            let mut choices = Vec::new();
            for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
                if tree.nca_level(s, d) == 2 {
                    instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                        let port = |p: &u32| tree.link_id(1, tree.subtree(s, 1), 0, *p).0;
                        choices.extend((0..ports).filter(|p| links.contains(&port(p))));
                    });
                }
            }
            let mut formula = problem.formula().unwrap();
            fix(&mut formula, ports, &choices);
            let expected = worst.upper().unwrap() <= u64::from(most).into();
            assert_eq!(is_satisfiable(&formula), expected, "{routing} on {spec}, {most}");
        }
    }
}
