//! The formula against its description, with variables that have names.

use std::collections::HashMap;

use super::*;
use crate::checker::LratError;

#[test]
fn no_number_of_hosts_makes_the_size_wrap() {
    for (children, most) in [(vec![4], u32::MAX), (vec![65_536], u32::MAX - 1)] {
        let parents = vec![1; children.len()];
        let formula = CoverFormula { children, parents, most, first_step: 1, ordered: usize::MAX };
        let limit = formula.variables().unwrap_err();
        assert_eq!(limit.limit, MAX_SIZE, "{limit}");
    }
}

#[test]
fn the_size_is_that_of_the_description() {
    let (children, parents) = (vec![2, 3], vec![1, 2]);
    let formula = CoverFormula { children, parents, most: 2, first_step: 1, ordered: 0 };
    // 6² · (1 + 1 + 2) · (2 + 2) + 6 · 2².
    assert_eq!(formula.work(6, &[1, 1, 2]), Some(600));
}

/// A variable, named by its kind and numbers.
type Name = (char, Vec<u32>);

/// The description (`crates/search/src/sat/ENCODING.md`), sentence by sentence.
struct Described<'f> {
    formula: &'f CoverFormula,
    numbers: HashMap<Name, Literal>,
}

impl<'f> Described<'f> {
    fn new(formula: &'f CoverFormula) -> Self {
        let mut described = Self { formula, numbers: HashMap::new() };
        let names = described.names();
        described.numbers = names.into_iter().zip(1..).collect();
        described
    }

    fn height(&self) -> u32 {
        self.formula.children.len().try_into().unwrap()
    }

    fn first(&self) -> u32 {
        self.formula.first_step.try_into().unwrap()
    }

    /// Hosts of a subtree of height l.
    fn size(&self, l: u32) -> u32 {
        self.formula.children[..l as usize].iter().product()
    }

    fn hosts(&self) -> u32 {
        self.size(self.height())
    }

    /// P_l.
    fn ports(&self, l: u32) -> u32 {
        self.formula.parents[..l as usize].iter().product()
    }

    /// w_l.
    fn parents(&self, l: u32) -> u32 {
        self.formula.parents[l as usize - 1]
    }

    fn level(&self, (s, d): (u32, u32)) -> u32 {
        (0..=self.height()).find(|l| s / self.size(*l) == d / self.size(*l)).unwrap()
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        let all = (0..self.hosts()).flat_map(|s| (0..self.hosts()).map(move |d| (s, d)));
        all.filter(|pair| self.level(*pair) >= self.first()).collect()
    }

    /// Step, direction (1 is down), subtree and port of every link.
    fn links(&self) -> Vec<[u32; 4]> {
        let mut links = Vec::new();
        for l in self.first()..=self.height() {
            for down in 0..2 {
                for subtree in 0..self.hosts() / self.size(l - 1) {
                    links.extend((0..self.ports(l)).map(|p| [l, down, subtree, p]));
                }
            }
        }
        links
    }

    /// The hosts of a link in the order of its variables.
    fn covering(&self, [l, _, subtree, _]: [u32; 4]) -> Vec<u32> {
        let is_inside = |host: &u32| host / self.size(l - 1) == subtree;
        let (inside, outside): (Vec<u32>, Vec<u32>) = (0..self.hosts()).partition(is_inside);
        [inside, outside].concat()
    }

    fn names(&self) -> Vec<Name> {
        let mut names = Vec::new();
        for (s, d) in self.pairs() {
            for l in self.first()..=self.level((s, d)) {
                names.extend((0..self.ports(l)).map(|p| ('c', vec![s, d, l, p])));
            }
        }
        for link in self.links() {
            let with = |more: &[u32]| [&link[..], more].concat();
            names.extend(self.covering(link).iter().map(|host| ('y', with(&[*host]))));
            if self.hosts() > self.formula.most {
                for i in 0..self.hosts() - 1 {
                    names.extend((1..=self.formula.most).map(|j| ('r', with(&[i, j]))));
                }
            }
        }
        names
    }

    fn c(&self, (s, d): (u32, u32), l: u32, p: u32) -> Literal {
        self.numbers[&('c', vec![s, d, l, p])]
    }

    fn of_link(&self, kind: char, link: [u32; 4], more: &[u32]) -> Literal {
        self.numbers[&(kind, [&link[..], more].concat())]
    }

    fn clauses(&self) -> Vec<Vec<Literal>> {
        let mut clauses = Vec::new();
        self.choices(&mut clauses);
        self.port_order(&mut clauses);
        self.host_order(&mut clauses);
        for link in self.links() {
            if self.hosts() > self.formula.most {
                self.counter(link, &mut clauses);
            }
        }
        self.covers(&mut clauses);
        clauses
    }

    fn choices(&self, clauses: &mut Vec<Vec<Literal>>) {
        let f = self.first();
        for pair in self.pairs() {
            clauses.push((0..self.ports(f)).map(|p| self.c(pair, f, p)).collect());
            for l in f + 1..=self.level(pair) {
                for p in 0..self.ports(l - 1) {
                    let above = (0..self.parents(l)).map(|w| p * self.parents(l) + w);
                    let mut clause = vec![-self.c(pair, l - 1, p)];
                    clause.extend(above.map(|p| self.c(pair, l, p)));
                    clauses.push(clause);
                }
            }
        }
    }

    fn port_order(&self, clauses: &mut Vec<Vec<Literal>>) {
        let list = self.pairs().into_iter().filter(|pair| self.level(*pair) == self.height());
        let list: Vec<(u32, u32)> = list.take(self.formula.ordered).collect();
        for (k, pair) in list.iter().enumerate() {
            for l in self.first()..=self.height() {
                let group = if l == self.first() { self.ports(l) } else { self.parents(l) };
                for p in (0..self.ports(l)).filter(|p| p % group != 0) {
                    let mut clause = vec![-self.c(*pair, l, p)];
                    clause.extend(list[..k].iter().map(|before| self.c(*before, l, p - 1)));
                    clauses.push(clause);
                }
            }
        }
    }

    fn host_order(&self, clauses: &mut Vec<Vec<Literal>>) {
        let (h, e) = (self.height(), self.size(self.height() - 1));
        if self.formula.ordered == 0 || self.hosts() == e {
            return;
        }
        for l in 1..=h {
            for subtree in 0..self.hosts() / self.size(l) {
                for child in 1..self.size(l) / self.size(l - 1) {
                    let b = subtree * self.size(l) + child * self.size(l - 1);
                    let a = b - self.size(l - 1);
                    if a == 0 && l == h {
                        continue;
                    }
                    let pair = |host| if b < e { (host, e) } else { (0, host) };
                    for p in 0..self.ports(h) {
                        let both = |q| vec![-self.c(pair(a), h, p), -self.c(pair(b), h, q)];
                        clauses.extend((0..p).map(both));
                    }
                }
            }
        }
    }

    fn counter(&self, link: [u32; 4], clauses: &mut Vec<Vec<Literal>>) {
        let (last, most) = (self.hosts() - 1, self.formula.most);
        let hosts = self.covering(link);
        let y = |i: u32| self.of_link('y', link, &[hosts[i as usize]]);
        let r = |i: u32, j: u32| self.of_link('r', link, &[i, j]);
        for i in 0..=last {
            if i < last {
                clauses.push(vec![-y(i), r(i, 1)]);
            }
            if i > 0 {
                if i < last {
                    clauses.extend((1..=most).map(|j| vec![-r(i - 1, j), r(i, j)]));
                    clauses.extend((1..most).map(|j| vec![-y(i), -r(i - 1, j), r(i, j + 1)]));
                }
                clauses.push(vec![-y(i), -r(i - 1, most)]);
            }
        }
    }

    fn covers(&self, clauses: &mut Vec<Vec<Literal>>) {
        for (s, d) in self.pairs() {
            for l in self.first()..=self.level((s, d)) {
                for p in 0..self.ports(l) {
                    for (down, near, far) in [(0, s, d), (1, d, s)] {
                        let link = [l, down, near / self.size(l - 1), p];
                        let covered = |host| self.of_link('y', link, &[host]);
                        clauses.push(vec![-self.c((s, d), l, p), covered(near), covered(far)]);
                    }
                }
            }
        }
    }
}

#[test]
fn variables_and_clauses_are_those_of_the_description() {
    let mut formulas = 0;
    for (children, parents) in [
        (vec![3], vec![2]),
        (vec![2, 3], vec![1, 2]),
        (vec![3, 2], vec![2, 3]),
        (vec![3, 1], vec![1, 2]),
        (vec![2, 2, 3], vec![1, 2, 3]),
        (vec![2, 1, 2], vec![2, 3, 1]),
    ] {
        for most in [1, 2, 3, 4, 6] {
            for first_step in 1..=children.len() {
                for ordered in [0, 1, 3, 100] {
                    let (children, parents) = (children.clone(), parents.clone());
                    let formula = CoverFormula { children, parents, most, first_step, ordered };
                    let described = Described::new(&formula);
                    let variables = u32::try_from(described.numbers.len()).unwrap();
                    assert_eq!(formula.variables(), Ok(variables), "{formula:?}");
                    let mut clauses = Vec::new();
                    let mut visit = |clause: &[Literal]| {
                        clauses.push(clause.to_vec());
                        Ok::<(), LratError>(())
                    };
                    formula.clauses(&mut visit).unwrap();
                    assert_eq!(clauses, described.clauses(), "{formula:?}");
                    formulas += 1;
                }
            }
        }
    }
    assert_eq!(formulas, 5 * 4 * (1 + 2 + 2 + 2 + 3 + 3));
}
