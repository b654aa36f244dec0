//! How given traffic is routed, and the resulting load on every link.

use crate::certificate::{Demand, PathRecord, RoutedTraffic};
use crate::rational::Rational;
use crate::topology::Host;

use super::even_split::even_split;
use super::network::Network;
use super::routes::{listed, of_pair};
use super::{Refusal, Result, sum};

/// Verifies demands and flow; returns the traffic on every link.
pub(super) fn traffic(
    network: &Network,
    demands: &[Demand],
    flow: &RoutedTraffic,
) -> Result<Vec<Rational>> {
    check_demands(network, demands)?;
    let demands = by_pair(network, demands)?;
    match flow {
        RoutedTraffic::Even => even_split(network, &demands),
        RoutedTraffic::Paths(records) => over_paths(network, &demands, records),
    }
}

/// The demands added up per pair, sorted by pair.
pub(super) fn by_pair(network: &Network, demands: &[Demand]) -> Result<Vec<Demand>> {
    let pair = |demand: &Demand| (demand.s, demand.d);
    let mut sorted: Vec<&Demand> = demands.iter().collect();
    sorted.sort_by_key(|demand| pair(demand));
    let one = |same: &[&Demand]| {
        network.go_on()?;
        let amount = sum::total(same.iter().map(|demand| &demand.amount))?;
        Ok(Demand { amount, ..*same[0] })
    };
    sorted.chunk_by(|a, b| pair(a) == pair(b)).map(one).collect()
}

/// Verifies that there are demands, all positive and between different hosts.
pub(super) fn check_demands(network: &Network, demands: &[Demand]) -> Result<()> {
    if demands.is_empty() {
        return Err(Refusal::NoDemand);
    }
    for demand in demands {
        let (s, d) = (demand.s, demand.d);
        let known = |host: Host| (host as usize) < network.hosts;
        if !known(s) || !known(d) || s == d || demand.amount.is_zero() {
            return Err(Refusal::BadDemand { s, d });
        }
    }
    Ok(())
}

/// Verifies that no link's load is above `most`.
pub(super) fn check_most(network: &Network, traffic: &[Rational], most: &Rational) -> Result<()> {
    for (link, traffic) in (0..).zip(traffic) {
        if *traffic > most * &network.links[link as usize].capacity {
            let load = network.load(link as usize, traffic);
            return Err(Refusal::OptuExceeded { link, load, optu: most.clone() });
        }
    }
    Ok(())
}

/// Traffic on every link when the demands, one per pair, take the listed paths.
fn over_paths(
    network: &Network,
    demands: &[Demand],
    records: &[PathRecord],
) -> Result<Vec<Rational>> {
    let records = listed(records, network.hosts)?;
    for record in &records {
        network.go_on()?;
        network.check_path(record.s, record.d, &record.links)?;
    }
    let mut total = vec![Rational::ZERO; network.links.len()];
    for demand in demands {
        let (s, d) = (demand.s, demand.d);
        let mut sum = Rational::ZERO;
        for record in of_pair(&records, (s, d)) {
            network.go_on()?;
            sum::add(&mut sum, &record.share)?;
            let part = &record.share * &demand.amount;
            for link in &record.links {
                sum::add(&mut total[*link as usize], &part)?;
            }
        }
        if sum != Rational::ONE {
            return Err(Refusal::ShareSum { s, d, sum });
        }
    }
    Ok(total)
}
