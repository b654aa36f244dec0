//! The option `weights` of routings by shortest paths: what the links of a network count.
//!
//! `file` takes the weights that the file gives links, `hops` counts each link as 1, and
//! `inverse-capacity` as 1 by its capacity. Without the option, weights are taken where links have
//! them, and hops are counted elsewhere. Lengths are exact.

use dashu_int::UBig;
use serde::Deserialize;

use super::RoutingError;
use crate::integer::Gcd;
use crate::limit::within;
use crate::rational::{Rational, denominators_within};
use crate::spec::Spec;
use crate::topology::Topology;

/// The key of the option.
pub(super) const OPTION: &str = "weights";

/// Maximum number of bits of the common denominator of lengths.
const MAX_BITS: u64 = 4096;

#[derive(Deserialize)]
struct Options {
    weights: Option<Weights>,
}

/// The length of links.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Weights {
    File,
    Hops,
    InverseCapacity,
}

impl Weights {
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Hops => "hops",
            Self::InverseCapacity => "inverse-capacity",
        }
    }
}

/// The lengths of the links of a network.
pub(super) struct Lengths {
    /// The spec in canonical form. It has the option where that says anything: not where all links
    /// count the same, unless links have weights that are not taken.
    pub(super) spec: Spec,
    /// For every link an integer in proportion to its length; `None` where all are equal, so that
    /// shortest paths are those by hops.
    pub(super) by_link: Option<Vec<UBig>>,
}

impl Lengths {
    /// The lengths that the option of `spec` chooses for a network. O(links).
    ///
    /// # Errors
    /// [`RoutingError`] for another value, for weights that there are not, and for lengths without a
    /// common denominator of at most 4096 bits.
    pub(super) fn read(spec: &Spec, topology: &Topology) -> Result<Self, RoutingError> {
        let differ = topology.weights_differ();
        let Options { weights } = spec.read()?;
        let chosen = weights.unwrap_or(if differ { Weights::File } else { Weights::Hops });
        let lengths: Vec<Rational> = match chosen {
            Weights::Hops => Vec::new(),
            Weights::File if topology.weights().is_none() => {
                let reason = "not all its links have a positive weight; use weights=hops, \
                              weights=inverse-capacity, or a file that gives every link one \
                              (REPETITA `weight`, LGF `cost`, GraphML or JSON `weight`, DOT \
                              `link_weight`)";
                return Err(RoutingError::does_not_fit(spec, topology, reason));
            }
            Weights::File => {
                topology.link_numbers().filter_map(|l| topology.weight(l).cloned()).collect()
            }
            Weights::InverseCapacity => inverse_capacities(topology),
        };
        let equal = lengths.windows(2).all(|two| two[0] == two[1]);
        let shown = if equal { Weights::Hops } else { chosen };
        let mut spec = spec.clone().without(OPTION);
        if !equal || differ {
            spec.options.push((OPTION.into(), shown.name().into()));
        }
        let by_link = if equal { None } else { Some(integers(&lengths)?) };
        Ok(Self { spec, by_link })
    }

    /// The spec with all options, except this one where it says nothing.
    pub(super) fn shown(&self) -> Spec {
        let complete = self.spec.complete();
        if self.spec.option(OPTION).is_none() { complete.without(OPTION) } else { complete }
    }

    /// The lengths of all links, 1 each where hops decide.
    pub(super) fn all(&self, links: usize) -> Vec<UBig> {
        self.by_link.clone().unwrap_or_else(|| vec![UBig::ONE; links])
    }
}

fn inverse_capacities(topology: &Topology) -> Vec<Rational> {
    let capacities = topology.graph().edge_weights().map(|link| &link.capacity);
    capacities.filter_map(|capacity| Rational::ONE.checked_div(capacity)).collect()
}

/// Integers in the same proportions.
///
/// # Errors
/// [`RoutingError::TooLarge`] without a common denominator of at most 4096 bits.
pub(super) fn integers(lengths: &[Rational]) -> Result<Vec<UBig>, RoutingError> {
    let mut common = UBig::ONE;
    if !denominators_within(crate::integer::as_size(MAX_BITS), lengths) {
        let remedy = "round weights or capacities to fewer digits, or use weights=hops";
        within("bits of the common denominator of lengths", None, MAX_BITS, remedy)?;
    }
    for length in lengths {
        let denominator = length.denominator();
        common = (&common / (&common).gcd(denominator)) * denominator;
    }
    Ok(lengths.iter().map(|l| l.numerator() * (&common / l.denominator())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::NetworkBuilder;

    /// Routers in a line with these capacities and weights.
    fn line(links: &[(&str, Option<&str>)]) -> Topology {
        let mut network = NetworkBuilder::new();
        let routers: Vec<_> = (0..=links.len()).map(|at| network.host(format!("r{at}"))).collect();
        for (at, (capacity, weight)) in links.iter().enumerate() {
            network.cable(routers[at], routers[at + 1], capacity.parse().unwrap());
            if let Some(weight) = weight {
                network.weigh(weight.parse().unwrap());
            }
        }
        network.build("line").unwrap()
    }

    fn read(option: &str, topology: &Topology) -> Result<(String, Option<Vec<u64>>), String> {
        let usage = "r(weights=file|hops|inverse-capacity)";
        let spec = Spec::parse(option).unwrap().checked(usage).unwrap();
        let lengths = Lengths::read(&spec, topology).map_err(|error| error.to_string())?;
        let small = |length: &UBig| u64::try_from(length).unwrap();
        let by_link = lengths.by_link.map(|lengths| lengths.iter().map(small).collect());
        Ok((lengths.spec.to_string(), by_link))
    }

    #[test]
    fn the_option_says_what_links_count() {
        let weighed = line(&[("4", Some("1/2")), ("10", Some("2/3"))]);
        let by = |text: &str, lengths: &[u64]| Ok((text.to_string(), Some(lengths.to_vec())));
        assert_eq!(read("r", &weighed), by("r(weights=file)", &[3, 3, 4, 4]));
        assert_eq!(read("r(weights=file)", &weighed), by("r(weights=file)", &[3, 3, 4, 4]));
        assert_eq!(read("r(weights=hops)", &weighed), Ok(("r(weights=hops)".into(), None)));
        let inverse = "r(weights=inverse-capacity)";
        assert_eq!(read(inverse, &weighed), by(inverse, &[5, 5, 2, 2]));
        assert!(read("r(weights=delay)", &weighed).unwrap_err().contains("is not one of file,"));
    }

    #[test]
    fn where_all_count_the_same_hops_decide() {
        let even = line(&[("4", Some("7")), ("4", Some("7"))]);
        for option in ["r", "r(weights=file)", "r(weights=hops)", "r(weights=inverse-capacity)"] {
            assert_eq!(read(option, &even), Ok(("r".into(), None)), "{option}");
        }
        let bare = line(&[("4", None), ("5", None)]);
        assert_eq!(read("r", &bare), Ok(("r".into(), None)));
        assert!(
            read("r(weights=file)", &bare)
                .unwrap_err()
                .contains("not all its links have a positive weight")
        );
        let mixed = line(&[("4", Some("1")), ("4", Some("2"))]);
        let hops = read("r(weights=inverse-capacity)", &mixed);
        assert_eq!(hops, Ok(("r(weights=hops)".into(), None)));
    }
}
