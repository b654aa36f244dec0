//! Exchanging switches, hosts and subtrees: one routing of each class is kept.

use routebound::progress::Progress;
use routebound::sat::cover::CoverProblem;
use routebound::sat::{Answer, Settings, backend};
use routebound::topology::{Xgft, host_number};

use super::tree;

/// Keeping one order neither adds nor takes away an answer.
#[test]
fn order_changes_no_answer() {
    for (spec, first_step) in [
        ("ft(4,2)", 2),
        ("ftree(2,3,3)", 2),
        ("ftree(2,4,3)", 2),
        ("ftree(3,5,3)", 2),
        ("xgft(2;1,4;1,2)", 2),
        ("xgft(3;2,2,2;1,2,2)", 2),
        ("xgft(3;2,2,3;1,2,2)", 2),
        ("xgft(3;2,2,1;1,2,2)", 2),
    ] {
        for most in [1, 2] {
            let satisfiable = |ordered| {
                let problem = CoverProblem { tree: tree(spec), most, first_step, ordered };
                let formula = problem.formula().unwrap();
                match backend::solve(&formula, Settings::default(), &Progress::silent()) {
                    Ok(Answer::Model(_)) => true,
                    Ok(Answer::Refuted) => false,
                    other => panic!("{other:?}"),
                }
            };
            let expected = satisfiable(0);
            for ordered in [1, 3, 6, 100] {
                assert_eq!(satisfiable(ordered), expected, "{spec} {most} {ordered}");
            }
        }
    }
}

/// A routing as the port at the last step of each pair of the formula, in its order.
type Routing = Vec<u32>;

/// Maps every routing to the one after the exchange.
type Exchange<'c> = Box<dyn Fn(&Routing) -> Routing + 'c>;

/// All routings of a small tree, those that the order keeps, and the results of exchanges on them.
struct Classes {
    tree: Xgft,
    pairs: Vec<(u32, u32)>,
}

impl Classes {
    fn new(spec: &str) -> Self {
        let tree = tree(spec);
        let hosts = host_number(tree.hosts());
        let all = (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d)));
        let pairs = all.filter(|(s, d)| tree.nca_level(*s, *d) >= 2).collect();
        Self { tree, pairs }
    }

    fn ports(&self, (s, d): (u32, u32)) -> u32 {
        self.tree.shortest_paths(self.tree.nca_level(s, d))
    }

    fn routings(&self) -> Vec<Routing> {
        let mut all = vec![Routing::new()];
        for pair in &self.pairs {
            let longer = |head: &Routing| {
                let head = head.clone();
                (0..self.ports(*pair)).map(move |port| [head.as_slice(), &[port]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// Number of a routing among all.
    fn number(&self, routing: &Routing) -> usize {
        let digits = self.pairs.iter().zip(routing);
        digits.fold(0, |number, (pair, port)| number * self.ports(*pair) as usize + *port as usize)
    }

    /// What is kept, by the clauses that concern choices alone.
    fn kept(&self, ordered: usize) -> impl Fn(&Routing) -> bool {
        let (tree, height) = (self.tree.clone(), self.tree.height());
        let problem = CoverProblem { tree, most: 1, first_step: 2, ordered };
        let formula = problem.formula().unwrap();
        let choices = |pair: &(u32, u32)| {
            (2..=self.tree.nca_level(pair.0, pair.1)).map(|step| self.tree.shortest_paths(step))
        };
        let count: u32 = self.pairs.iter().flat_map(choices).sum();
        let own = |clause: &&[i32]| clause.iter().all(|l| l.unsigned_abs() <= count);
        let clauses: Vec<Vec<i32>> = formula.clauses().filter(own).map(<[i32]>::to_vec).collect();
        // The choice variables of a pair, step by step: whether its path goes through the port.
        let steps: Vec<usize> =
            self.pairs.iter().map(|(s, d)| self.tree.nca_level(*s, *d)).collect();
        let width: Vec<u32> = (0..=height).map(|step| self.tree.shortest_paths(step)).collect();
        move |routing| {
            let mut values = Vec::new();
            for (level, port) in steps.iter().zip(routing) {
                for step in 2..=*level {
                    let here = port / (width[*level] / width[step]);
                    values.extend((0..width[step]).map(|port| port == here));
                }
            }
            let holds =
                |literal: &i32| values[literal.unsigned_abs() as usize - 1] == (*literal > 0);
            clauses.iter().all(|clause| clause.iter().any(holds))
        }
    }

    /// Exchanges of two neighbours.
    fn exchanges(&self) -> Vec<Exchange<'_>> {
        let mut all: Vec<Exchange> = Vec::new();
        let (height, hosts) = (self.tree.height(), host_number(self.tree.hosts()));
        for level in 1..=height {
            let child = self.tree.subtree_hosts(level - 1);
            for a in (0..hosts - child).step_by(child as usize) {
                if a / self.tree.subtree_hosts(level)
                    == (a + child) / self.tree.subtree_hosts(level)
                {
                    all.push(Box::new(move |routing| self.with_hosts(routing, a, child)));
                }
            }
        }
        for step in 2..=height {
            for port in 1..self.tree.shortest_paths(step) {
                if step == 2 || port % self.tree.parents(step) != 0 {
                    all.push(Box::new(move |routing| self.with_ports(routing, step, port)));
                }
            }
        }
        all
    }

    /// Hosts a.. and a + count.. exchanged, `count` of each.
    fn with_hosts(&self, routing: &Routing, a: u32, count: u32) -> Routing {
        let image = |host: u32| match host {
            _ if (a..a + count).contains(&host) => host + count,
            _ if (a + count..a + 2 * count).contains(&host) => host - count,
            _ => host,
        };
        let of = |(s, d): &(u32, u32)| {
            let from = (image(*s), image(*d));
            routing[self.pairs.iter().position(|pair| *pair == from).unwrap()]
        };
        self.pairs.iter().map(of).collect()
    }

    /// Ports `port` − 1 and `port` of a step exchanged, with all above them.
    fn with_ports(&self, routing: &Routing, step: usize, port: u32) -> Routing {
        let of = |((s, d), used): (&(u32, u32), &u32)| {
            let level = self.tree.nca_level(*s, *d);
            if level < step {
                return *used;
            }
            let above = self.tree.shortest_paths(level) / self.tree.shortest_paths(step);
            match used / above {
                here if here == port => used - above,
                here if here + 1 == port => used + above,
                _ => *used,
            }
        };
        self.pairs.iter().zip(routing).map(of).collect()
    }
}

/// From any routing, exchanges lead to one that is kept: equivalently, from those that are kept,
/// exchanges lead to all. Many are not kept.
#[test]
fn exchanges_lead_from_every_routing_to_one_that_is_kept() {
    for spec in [
        "xgft(2;2,2;1,2)",
        "xgft(2;1,3;1,3)",
        "xgft(2;1,4;1,2)",
        "xgft(3;1,2,2;1,2,1)",
        "xgft(3;1,2,2;1,1,2)",
    ] {
        let classes = Classes::new(spec);
        let (all, exchanges) = (classes.routings(), classes.exchanges());
        for ordered in [1, 2, 4, 100] {
            let kept = classes.kept(ordered);
            let mut reached = vec![false; all.len()];
            let mut open: Vec<&Routing> = all.iter().filter(|routing| kept(routing)).collect();
            assert!(2 * open.len() <= all.len(), "{spec} {ordered}: {} kept", open.len());
            for routing in &open {
                reached[classes.number(routing)] = true;
            }
            while let Some(routing) = open.pop() {
                for exchange in &exchanges {
                    let number = classes.number(&exchange(routing));
                    if !std::mem::replace(&mut reached[number], true) {
                        open.push(&all[number]);
                    }
                }
            }
            assert!(reached.iter().all(|reached| *reached), "{spec} {ordered}");
        }
    }
}
