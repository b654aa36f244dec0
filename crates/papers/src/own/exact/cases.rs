//! What is asked of which network, and what is published about it.
//!
//! A value counts as printed only where its words can be read without access to the paper's full text. What is known
//! of values that cannot be read there is *as recalled*.

use std::fmt;

use super::networks::Network;
use crate::rational::Rational;

/// What every host sends and receives at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sends {
    /// As much as its links carry.
    Links,
    /// This much, on a network whose hosts have the same capacity.
    Each(u64),
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// The least oblivious ratio of all routings.
    Ratio,
    /// The least worst load of all routings under hose traffic.
    Hose(Sends),
    /// The highest load of a link by a permutation.
    Permutation(&'static str),
    /// That of the first routing over that of the second.
    Over([&'static str; 2]),
}

/// What is published of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Published {
    Nothing,
    /// In words that can be read.
    Printed(Rational, &'static str),
    /// In words that can be read and call it an approximation.
    About(Rational, &'static str),
    Recalled(Rational, &'static str),
}

/// All verdicts.
pub(super) const VERDICTS: [&str; 6] =
    ["same", "sharper", "wrong", "same as recalled", "not as recalled", "none published"];

impl Published {
    /// The value and its source.
    pub(super) fn cells(&self) -> [String; 2] {
        match self {
            Self::Nothing => ["none".into(), "-".into()],
            Self::Printed(value, source) => [value.to_string(), (*source).into()],
            Self::About(value, source) => [format!("about {value}"), (*source).into()],
            Self::Recalled(value, source) => [value.to_string(), format!("{source}, as recalled")],
        }
    }

    /// How what was found compares to it.
    pub(super) fn verdict(&self, found: &Rational) -> &'static str {
        match self {
            Self::Nothing => "none published",
            Self::Printed(value, _) | Self::About(value, _) if value == found => "same",
            Self::Printed(..) => "wrong",
            Self::About(..) => "sharper",
            Self::Recalled(value, _) if value == found => "same as recalled",
            Self::Recalled(..) => "not as recalled",
        }
    }
}

/// The maximum time of a linear program for a family that is printed, without naming the sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    None,
    AtMost(&'static str),
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("-"),
            Self::AtMost(time) => write!(f, "at most {time}"),
        }
    }
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) network: Network,
    pub(super) quantity: Quantity,
    pub(super) published: Published,
    pub(super) time: Time,
    /// Whether it belongs to the small tier.
    pub(super) is_small: bool,
}

impl Case {
    fn new(network: Network, quantity: Quantity) -> Self {
        let (published, time) = (Published::Nothing, Time::None);
        Self { network, quantity, published, time, is_small: false }
    }

    fn of(spec: impl Into<String>, quantity: Quantity) -> Self {
        Self::new(Network::Spec(spec.into()), quantity)
    }

    fn published(self, published: Published) -> Self {
        Self { published, ..self }
    }

    fn small(self) -> Self {
        Self { is_small: true, ..self }
    }

    /// Network, routing, quantity, and what each host sends.
    pub(super) fn names(&self) -> [String; 4] {
        let (routing, quantity) = match self.quantity {
            Quantity::Ratio => ("best", "oblivious ratio".to_string()),
            Quantity::Hose(_) => ("best", "hose load".to_string()),
            Quantity::Permutation(routing) => (routing, "permutation load".to_string()),
            Quantity::Over([routing, other]) => {
                (routing, format!("permutation load over {other}'s"))
            }
        };
        let sends = match self.quantity {
            Quantity::Ratio => "any".to_string(),
            Quantity::Hose(Sends::Links) => "its links".to_string(),
            Quantity::Hose(Sends::Each(units)) => units.to_string(),
            Quantity::Permutation(_) | Quantity::Over(_) => "1".to_string(),
        };
        [self.network.name(), routing.to_string(), quantity, sends]
    }

    /// The name of its certificate.
    pub(super) fn stem(&self) -> String {
        let [network, routing, quantity, _] = self.names();
        let joined = format!("{network}-{routing}-{quantity}").to_lowercase();
        let kept = joined.replace(['(', ')', ',', ';', '=', ' ', '\''], "-");
        let parts: Vec<&str> = kept.split('-').filter(|part| !part.is_empty()).collect();
        parts.join("-")
    }
}

const RINGS: &str = "Applegate and Cohen 2003";
const TORI: &str = "Towles, Dally and Boyd 2003";
const SPARSE: &str = "Ramakanth and Modiano 2026, abstract";
const BALANCE: &str = "Singh, Dally, Towles and Gupta 2002, abstract: 1.50 over 1.25";

/// The quotient of two numbers above 0.
fn over(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap_or(Rational::ZERO)
}

/// All rows.
pub(super) fn all() -> Vec<Case> {
    let mut all = ratios();
    all.extend(hoses());
    all.extend(permutations());
    all
}

/// Least oblivious ratios.
fn ratios() -> Vec<Case> {
    let known = |n: u64| Published::Recalled(over(2 * n - 2, n), RINGS);
    let ratio = |spec: &str| Case::of(spec, Quantity::Ratio);
    let rings = (3..=10).map(|n| ratio(&format!("torus({n})")).published(known(n)).small());
    let cliques = (3..=7).map(|n| ratio(&format!("hyperx({n},p=0)")).published(known(n)).small());
    let small =
        ["mesh(2;3)", "mesh(2;4)", "hypercube(3)", "torus(3,2)", "bcube(2,1)", "bcube(3,1)"];
    let others = [
        "mesh(2;5)",
        "mesh(2;6)",
        "mesh(3,2)",
        "mesh(3;4)",
        "mesh(4,2)",
        "hypercube(4)",
        "hypercube(5)",
        "torus(4,2)",
        "torus(5,2)",
        "torus(3,3)",
        "hyperx(3,3,p=0)",
        "hyperx(4,4,p=0)",
        "hyperx(5,5,p=0)",
        "fatclique(0,3,3,3)",
        "bcube(4,1)",
        "bcube(5,1)",
        "dring(5,2,p=0)",
        "dring(6,2,p=0)",
        "dring(8,2,p=0)",
        "dring(10,2,p=0)",
        "dragonfly(0,2,1)",
        "polarfly(3,p=0)",
        "slimfly(3,p=0)",
        "slimfly(5,p=0)",
    ];
    let bipartite = [(2, 3), (3, 3), (3, 4), (4, 4)].map(|(a, b)| Network::Bipartite(a, b));
    let named = [Network::Petersen, Network::Abilene];
    let unnamed = bipartite.into_iter().chain(named);
    let mut all: Vec<Case> = rings.chain(cliques).collect();
    all.extend(small.map(|spec| ratio(spec).small()));
    all.extend(others.map(ratio));
    all.extend(unnamed.map(|network| Case::new(network, Quantity::Ratio)));
    all
}

/// Least worst loads under hose traffic.
fn hoses() -> Vec<Case> {
    let hose = |spec: &str, sends| Case::of(spec, Quantity::Hose(sends));
    let each = |spec: &str, units| hose(spec, Sends::Each(units));
    let torus =
        |n: u64| each(&format!("torus({n},2)"), 1).published(Published::About(over(n, 4), SPARSE));
    let timed = |case: Case, time| Case { time: Time::AtMost(time), ..case };
    let fatclique =
        |c: u64, units| timed(each(&format!("fatclique(0,{c},{c},{c})"), units), "0.008 s");
    let bcube = |n: u64, k: u64| timed(hose(&format!("bcube({n},{k})"), Sends::Links), "0.026 s");
    let slimfly = |q: u64, units| timed(each(&format!("slimfly({q},p=0)"), units), "2.97 min");
    let mut all = vec![fatclique(2, 2).small(), fatclique(3, 1), fatclique(4, 1)];
    all.extend([bcube(2, 1).small(), bcube(3, 1).small(), bcube(4, 1), bcube(6, 1)]);
    all.extend([
        bcube(2, 2),
        bcube(3, 2),
        bcube(4, 2),
        slimfly(3, 7),
        slimfly(4, 1),
        slimfly(5, 1),
    ]);
    all.extend(
        [("dring(6,2,p=0)", 10), ("dring(8,2,p=0)", 1), ("dring(10,2,p=0)", 1)]
            .map(|(spec, units)| each(spec, units)),
    );
    all.push(hose("xgft(2;3,4;1,2)", Sends::Links).small());
    all.extend([hose("polarfly(3,p=0)", Sends::Links), hose("polarfly(5,p=0)", Sends::Links)]);
    let small = ["hyperx(4,p=0)", "hyperx(7,p=0)", "torus(8)", "hypercube(3)"];
    all.extend(small.map(|spec| each(spec, 1).small()));
    all.extend(
        ["torus(9)", "hypercube(4)", "hypercube(5)", "torus(3,3)", "hyperx(5,5,p=0)"]
            .map(|spec| each(spec, 1)),
    );
    all.extend((3..=6).map(torus));
    all.push(Case::new(Network::Pods(4, 32), Quantity::Hose(Sends::Links)));
    all
}

/// Worst permutations.
fn permutations() -> Vec<Case> {
    let of = |spec: &str, routing| Case::of(spec, Quantity::Permutation(routing));
    let recalled = |load: u64, part: u64| Published::Recalled(over(load, part), TORI);
    let eight = "torus(8,2)";
    let mut all = vec![
        of(eight, "dor").published(recalled(4, 1)),
        of(eight, "dor(ties=split)"),
        of(eight, "romm").published(recalled(24, 5)),
        Case::of(eight, Quantity::Over(["romm", "dor"]))
            .published(Published::Printed(over(6, 5), BALANCE)),
        of(eight, "valiant").published(Published::About(over(2, 1), SPARSE)),
        of(eight, "ival").published(recalled(2, 1)),
    ];
    all.extend(["dor", "dor(ties=split)"].map(|routing| of("torus(4,2)", routing).small()));
    all.extend(["romm", "valiant", "ival"].map(|routing| of("torus(4,2)", routing)));
    let low = ["jellyfish(20,4,p=0)", "slimfly(5,p=0)", "dragonfly(0,4,2)", "polarfly(5,p=0)"];
    all.extend(low.map(|network| of(network, "ecmp")));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Loads are scaled by the capacity of the first host: all have the same.
    #[test]
    fn hosts_that_send_a_number_are_alike() {
        let each = |case: &Case| matches!(case.quantity, Quantity::Hose(Sends::Each(_)));
        for case in all().into_iter().filter(each) {
            let topology = case.network.topology().unwrap();
            let mut hosts = topology.host_numbers();
            let first = topology.host_capacity(0, true);
            assert!(hosts.all(|host| topology.host_capacity(host, true) == first), "{case:?}");
        }
    }

    #[test]
    fn rows_are_many_and_have_names_of_their_own() {
        let all = all();
        let stems: HashSet<String> = all.iter().map(Case::stem).collect();
        assert_eq!(stems.len(), all.len());
        assert!(all.len() >= 60, "{}", all.len());
        assert!(stems.contains("torus-8-2-dor-ties-split-permutation-load"), "{stems:?}");
    }

    #[test]
    fn verdicts_compare() {
        let two = || over(2, 1);
        let verdicts = |found| {
            [
                Published::Printed(two(), ""),
                Published::About(two(), ""),
                Published::Recalled(two(), ""),
            ]
            .map(|published| published.verdict(&found))
        };
        assert_eq!(verdicts(two()), ["same", "same", "same as recalled"]);
        assert_eq!(verdicts(over(3, 2)), ["wrong", "sharper", "not as recalled"]);
        assert_eq!(Published::Nothing.verdict(&two()), "none published");
    }
}
