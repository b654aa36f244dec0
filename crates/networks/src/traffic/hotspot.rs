//! The two things that the papers call hot-spot traffic.
//!
//! In \[OR\] VI a hot-spot is a group of hosts with all-to-all traffic while the others are idle;
//! in \[GO\] 5.2.1 it is one host that receives a percentage of all traffic.

use serde::Deserialize;

use super::clustered::all_to_all_in_groups;
use super::permutation::shuffled;
use super::{Product, ProductTraffic, TrafficError};
use crate::integer::as_size;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, host_number};

pub(super) const GROUPS: Kind<super::Pattern> = Kind {
    name: "hotspot",
    usage: "hotspot(spots=4,size=8,seed=1)",
    about: "random disjoint groups (spots) of equal size with all-to-all of 1 unit; the rest idle",
    reference: "[OR] VI",
    examples: &["hotspot", "hotspot(spots=2,size=3,seed=7)"],
    build: super::Pattern::symmetric(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

pub(super) const PERCENT: Kind<super::Pattern> = Kind {
    name: "hotspot-percent",
    usage: "hotspot-percent(percent=5,host=0)",
    about: "every host sends 1 unit: that percentage to one host, the rest evenly to all others; \
            the host itself sends evenly",
    reference: "[GO] 5.2.1",
    examples: &["hotspot-percent", "hotspot-percent(percent=20,host=3)"],
    build: super::Pattern::plain(|spec, hosts| build_percent(spec, hosts)?.to_matrix())
        .regular(build_percent),
};

#[derive(Deserialize)]
struct Groups {
    spots: u64,
    size: u64,
    seed: u64,
}

#[derive(Deserialize)]
struct Percent {
    percent: Percentage,
    host: u64,
}

/// From 0 to 100.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Percentage(Rational);

impl TryFrom<String> for Percentage {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = Rational::from_decimal(&text).ok().filter(|number| *number <= 100.into());
        number.map(Self).ok_or("is not a percentage: expected 0 to 100")
    }
}

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let Groups { spots, size, seed } = spec.read()?;
    if spots == 0 || size < 2 {
        return Err(spec.refused("at least 1 spot of size 2 is required").into());
    }
    let members = spots.checked_mul(size).filter(|members| *members <= hosts as u64);
    let members = members.ok_or_else(|| {
        let reason = format!("{spots} spots of {size} hosts need more; use fewer or smaller spots");
        TrafficError::does_not_fit(spec, hosts, reason)
    })?;
    let order = shuffled(hosts, seed, 0);
    Ok(all_to_all_in_groups(hosts, as_size(size), &order[..as_size(members)]))
}

fn build_percent(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let Percent { percent: Percentage(percent), host: hot } = spec.read()?;
    if hot >= hosts as u64 {
        let reason = format!("there is no host {hot}; hosts are numbered 0 to {}", hosts - 1);
        return Err(TrafficError::does_not_fit(spec, hosts, reason));
    }
    let hot = host_number(as_size(hot));
    let part = percent.checked_div(&Rational::from(100)).unwrap_or(Rational::ZERO);
    let rest = Rational::ONE.checked_sub(&part).unwrap_or(Rational::ZERO);
    let even = Rational::new(1, hosts as u64 - 1).unwrap_or(Rational::ONE);
    let cool = &rest * &even;
    let warm = &part + &cool;
    let others: Vec<Host> = (0..host_number(hosts)).filter(|host| *host != hot).collect();
    let product = |sources: &[Host], destinations: &[Host], amount| {
        let (sources, destinations) = (sources.to_vec(), destinations.to_vec());
        Product { sources, destinations, amount }
    };
    let hot = &[hot][..];
    let parts = [(hot, &others[..], even), (&others, hot, warm), (&others, &others, cool)];
    Ok(ProductTraffic::new(hosts, parts.map(|(from, to, amount)| product(from, to, amount))))
}
