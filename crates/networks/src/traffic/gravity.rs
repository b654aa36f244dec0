//! Gravity traffic: what s sends to d is in proportion to the capacity of the links out of s times that
//! of the links into d.
//!
//! That is the usual estimate of the demands of a backbone that nobody has measured. It is scaled to a
//! baseload, the load of the most loaded host if its links share what it sends or receives, or to a
//! total. Everything is exact. Among numbered hosts, without a network, all hosts are alike.

use super::Demand;
use super::prelude::*;
use crate::rational::Rational;
use crate::spec::Positive;
use crate::topology::sd_pairs;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "gravity",
    usage: "gravity(baseload=1) or gravity(total=T)",
    about: "s sends d in proportion to the capacity of the links out of s times that of the links into \
            d, scaled to a baseload or a total; hosts without a network, as in `deliver`, are alike",
    reference: "Roughan et al., IMW 2002",
    examples: &["gravity"],
    build: super::Pattern::plain(|spec, hosts| {
        let alike = vec![Rational::ONE; hosts];
        build(spec, &alike, &alike)
    })
    .on_network(|spec, topology| {
        let capacities = |outgoing: bool| -> Vec<Rational> {
            topology.host_numbers().map(|host| topology.host_capacity(host, outgoing)).collect()
        };
        build(spec, &capacities(true), &capacities(false))
    }),
};

#[derive(Deserialize)]
struct Scale {
    baseload: Positive,
    total: Option<Positive>,
}

/// Gravity traffic of hosts with these capacities of links out and in.
fn build(spec: &Spec, out: &[Rational], into: &[Rational]) -> Result<TrafficMatrix, TrafficError> {
    let hosts = out.len();
    TrafficMatrix::check_entries(hosts as u128 * (hosts as u128 - 1))?;
    let factor = factor(spec, out, into)?.ok_or_else(|| {
        let reason = "no host can send to another: there is one, or none has links";
        TrafficError::does_not_fit(spec, hosts, reason)
    })?;
    let out: Vec<Rational> = out.iter().map(|capacity| capacity * &factor).collect();
    let demands = sd_pairs(hosts).filter_map(|(s, d)| {
        let amount = &out[s as usize] * &into[d as usize];
        (!amount.is_zero()).then_some(Demand { s, d, amount })
    });
    TrafficMatrix::new(hosts, demands)
}

/// The factor of capacity × capacity; `None` where all these products are 0.
fn factor(
    spec: &Spec,
    out: &[Rational],
    into: &[Rational],
) -> Result<Option<Rational>, TrafficError> {
    let (all_out, all_in): (Rational, Rational) = (out.iter().sum(), into.iter().sum());
    // What host s sends is its capacity out times that of the others in, which is then its load.
    let loads = |own: &[Rational], others: &[Rational], all: &Rational| -> Vec<Rational> {
        let rest = |other: &Rational| all.checked_sub(other).unwrap_or(Rational::ZERO);
        let load = |(own, other): (&Rational, &Rational)| (!own.is_zero()).then(|| rest(other));
        own.iter().zip(others).map(|pair| load(pair).unwrap_or(Rational::ZERO)).collect()
    };
    let sent = loads(out, into, &all_in);
    let Scale { baseload, total } = spec.read()?;
    if total.is_some() && spec.option("baseload").is_some() {
        return Err(spec.refused("`baseload` and `total` exclude each other").into());
    }
    let measured = if total.is_some() {
        let amounts = out.iter().zip(&sent).map(|(out, load)| out * load);
        amounts.fold(Rational::ZERO, |sum, amount| &sum + &amount)
    } else {
        sent.into_iter().chain(loads(into, out, &all_out)).max().unwrap_or(Rational::ZERO)
    };
    let Positive(wanted) = total.unwrap_or(baseload);
    Ok(wanted.checked_div(&measured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{NetworkBuilder, Topology};
    use crate::traffic::{generate, generate_on};

    /// A line of routers: a has capacity 2, b 5 and c 3.
    fn line() -> Topology {
        let mut network = NetworkBuilder::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| network.host(name));
        network.cable(a, b, Rational::from(2));
        network.cable(b, c, Rational::from(3));
        network.build("line").unwrap()
    }

    fn amounts(spec: &str) -> Vec<String> {
        let matrix = generate_on(spec, &line()).unwrap();
        matrix.demands().iter().map(|demand| demand.amount.to_string()).collect()
    }

    /// Products 10, 6, 10, 15, 6, 15: a sends 16 over capacity 2, the highest load.
    #[test]
    fn demands_are_products_of_capacities() {
        assert_eq!(amounts("gravity"), ["5/4", "3/4", "5/4", "15/8", "3/4", "15/8"]);
        assert_eq!(amounts("gravity(baseload=8)"), ["10", "6", "10", "15", "6", "15"]);
        assert_eq!(amounts("gravity(total=31)"), ["5", "3", "5", "15/2", "3", "15/2"]);
        let canonical = crate::traffic::canonical("gravity").unwrap();
        assert_eq!(canonical, "gravity(baseload=1)");
    }

    #[test]
    fn hosts_without_a_network_are_alike() {
        let matrix = generate("gravity", 4).unwrap();
        assert_eq!((matrix.len(), matrix.amount(2, 1).to_string().as_str()), (12, "1/3"));
    }

    #[test]
    fn what_it_is_scaled_to_is_one_positive_number() {
        for (spec, problem) in [
            ("gravity(total=0)", "`total=0` is not a positive number"),
            ("gravity(baseload=x)", "`baseload=x` is not a positive number"),
            ("gravity(baseload=1,total=1)", "exclude each other"),
        ] {
            assert!(
                generate_on(spec, &line()).unwrap_err().to_string().contains(problem),
                "{spec}"
            );
        }
    }
}
