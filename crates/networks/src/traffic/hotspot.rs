//! The two things that the papers call hot-spot traffic.
//!
//! In \[OR\] VI a hot-spot is a group of hosts with all-to-all traffic while the others are idle;
//! in \[GO\] 5.2.1 it is one host that receives a percentage of all traffic.

use super::clustered::all_to_all_in_groups;
use super::permutation::shuffled;
use super::{Product, ProductTraffic, TrafficError};
use crate::integer::as_size;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, host_number};

const USAGE: &str = "hotspot(spots=4,size=8,seed=1)";
const PERCENT_USAGE: &str = "hotspot-percent(percent=5,host=0)";

pub(super) const GROUPS: Kind<super::Pattern> = Kind {
    name: "hotspot",
    usage: USAGE,
    options: &["spots", "size", "seed"],
    about: "random disjoint groups (spots) of equal size with all-to-all of 1 unit; the rest idle",
    reference: "[OR] VI",
    examples: &["hotspot", "hotspot(spots=2,size=3,seed=7)"],
    build: super::Pattern::symmetric(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

pub(super) const PERCENT: Kind<super::Pattern> = Kind {
    name: "hotspot-percent",
    usage: PERCENT_USAGE,
    options: &["percent", "host"],
    about: "every host sends 1 unit: that percentage to one host, the rest evenly to all others; \
            the host itself sends evenly",
    reference: "[GO] 5.2.1",
    examples: &["hotspot-percent", "hotspot-percent(percent=20,host=3)"],
    build: super::Pattern::plain(|spec, hosts| build_percent(spec, hosts)?.to_matrix())
        .regular(build_percent),
};

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    spec.arguments(0, &["spots", "size", "seed"], USAGE)?;
    let spots = spec.integer_option("spots", 4, USAGE)?;
    let size = spec.integer_option("size", 8, USAGE)?;
    if spots == 0 || size < 2 {
        return Err(spec.bad(USAGE, "at least 1 spot of size 2 is required").into());
    }
    let members = spots.checked_mul(size).filter(|members| *members <= hosts as u64);
    let members = members.ok_or_else(|| {
        let reason = format!("{spots} spots of {size} hosts need more; use fewer or smaller spots");
        TrafficError::does_not_fit(spec, hosts, reason)
    })?;
    let order = shuffled(hosts, spec.seed(USAGE)?, 0);
    Ok(all_to_all_in_groups(hosts, as_size(size), &order[..as_size(members)]))
}

fn build_percent(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    spec.arguments(0, &["percent", "host"], PERCENT_USAGE)?;
    let hot = spec.integer_option("host", 0, PERCENT_USAGE)?;
    if hot >= hosts as u64 {
        let reason = format!("there is no host {hot}; hosts are numbered 0 to {}", hosts - 1);
        return Err(TrafficError::does_not_fit(spec, hosts, reason));
    }
    let hot = host_number(as_size(hot));
    let (part, rest) = parts(spec)?;
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

/// The hot part of a host's traffic, and the rest.
fn parts(spec: &Spec) -> Result<(Rational, Rational), TrafficError> {
    let text = spec.option("percent").unwrap_or("5");
    let hundred = Rational::from(100);
    let percent = Rational::from_decimal(text).ok().filter(|percent| *percent <= hundred);
    let parts = percent.and_then(|percent| {
        let rest = hundred.checked_sub(&percent)?;
        Some((percent.checked_div(&hundred)?, rest.checked_div(&hundred)?))
    });
    let problem = || format!("`percent={text}` is not a percentage: expected 0 to 100");
    parts.ok_or_else(|| spec.bad(PERCENT_USAGE, problem()).into())
}
