//! Destinations of hosts in open loop: every row of the traffic as a law of destinations.

use rand::Rng;

use crate::prelude::*;
use crate::traffic::{Demand, ProductTraffic, TrafficError, TrafficView};

/// Hosts of equal demand.
#[derive(Clone, Debug)]
struct Part {
    /// Number of 2^64 draws that fall in this part or one before it, less one.
    last: u64,
    /// Its hosts, as a range of all.
    hosts: (usize, usize),
    /// The place of the source itself in that range, which is none of them.
    own: Option<usize>,
}

/// The rows of some traffic.
#[derive(Clone, Debug)]
pub(super) struct Destinations {
    rows: Vec<Vec<Part>>,
    hosts: Vec<Host>,
    /// The traffic of each host over that of the one that sends the most.
    share: Vec<f64>,
}

impl Destinations {
    /// The rows of `traffic`, among `hosts` hosts. O(demands·log demands), or O(hosts in products).
    pub(super) fn of(traffic: TrafficView<'_>, hosts: usize) -> Result<Self, TrafficError> {
        let sent = match traffic {
            TrafficView::Listed(demands) => sums(demands, hosts),
            TrafficView::Products(products) => products.sent().all().collect(),
        };
        let most = sent.iter().max().filter(|most| !most.is_zero());
        let Some(most) = most else { return Err(TrafficError::NoPairs { hosts }) };
        let share = |sum: &Rational| sum.to_f64() / most.to_f64();
        let share = sent.iter().map(share).collect();
        let mut rows = Self { rows: vec![Vec::new(); hosts], hosts: Vec::new(), share };
        match traffic {
            TrafficView::Listed(demands) => rows.list(demands),
            TrafficView::Products(products) => rows.products(products),
        }
        rows.rows.iter_mut().zip(&sent).for_each(|(row, sum)| close(row, sum));
        Ok(rows)
    }

    /// Demands as parts of equal amounts.
    fn list(&mut self, demands: &[Demand]) {
        let mut order: Vec<&Demand> = demands.iter().filter(|d| !d.amount.is_zero()).collect();
        order.sort_by(|a, b| (a.s, &a.amount, a.d).cmp(&(b.s, &b.amount, b.d)));
        for part in order.chunk_by(|a, b| (a.s, &a.amount) == (b.s, &b.amount)) {
            let from = self.hosts.len();
            self.hosts.extend(part.iter().map(|demand| demand.d));
            self.push(part[0].s, (from, self.hosts.len()), None, &part[0].amount);
        }
    }

    fn products(&mut self, products: &ProductTraffic) {
        for product in products.products() {
            let from = self.hosts.len();
            self.hosts.extend(&product.destinations);
            for s in &product.sources {
                let own = product.destinations.binary_search(s).ok();
                self.push(*s, (from, self.hosts.len()), own, &product.amount);
            }
        }
    }

    /// A part of the row of `s`; its traffic is kept as the bits of a float until the row is closed.
    fn push(&mut self, s: Host, hosts: (usize, usize), own: Option<usize>, amount: &Rational) {
        let count = hosts.1 - hosts.0 - usize::from(own.is_some());
        if count > 0 {
            let traffic = amount.to_f64() * count as f64;
            self.rows[s as usize].push(Part { last: traffic.to_bits(), hosts, own });
        }
    }

    /// The traffic of a host over that of the one that sends the most, 0 to 1.
    pub(super) fn share(&self, s: Host) -> f64 {
        self.share[s as usize]
    }

    /// A destination of `s`, which sends.
    #[inline]
    pub(super) fn draw(&self, s: Host, random: &mut Stream) -> Host {
        let row = &self.rows[s as usize];
        let part = match row.as_slice() {
            [only] => only,
            parts => {
                let drawn = random.next_u64();
                &parts[parts.partition_point(|part| part.last < drawn)]
            }
        };
        let (from, to) = part.hosts;
        let count = to - from - usize::from(part.own.is_some());
        let place = if count == 1 { 0 } else { random.random_range(0..count) };
        let skipped = usize::from(part.own.is_some_and(|own| place >= own));
        self.hosts[from + place + skipped]
    }
}

/// What every host sends.
fn sums(demands: &[Demand], hosts: usize) -> Vec<Rational> {
    let mut sums = vec![Rational::ZERO; hosts];
    for demand in demands {
        sums[demand.s as usize] += &demand.amount;
    }
    sums
}

/// Turns the traffic of parts into thresholds.
fn close(row: &mut [Part], sum: &Rational) {
    let (mut before, sum) = (0.0, sum.to_f64());
    for part in row.iter_mut() {
        before += f64::from_bits(part.last);
        part.last = crate::integer::whole(before / sum * TWO_TO_64);
    }
    // Rounding leaves nothing over.
    if let Some(part) = row.last_mut() {
        part.last = u64::MAX;
    }
}

const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{self, Traffic};

    /// How often each destination is drawn, against its demand, within 5 standard deviations.
    fn compare(traffic: &Traffic, s: Host) {
        let rows = Destinations::of(traffic.view(), traffic.hosts()).unwrap();
        let mut random = Streams::new(4).at(0);
        let draws = 50_000_u32;
        let mut counts = vec![0_u32; traffic.hosts()];
        (0..draws).for_each(|_| counts[rows.draw(s, &mut random) as usize] += 1);
        let matrix = traffic.clone().into_matrix().unwrap();
        let sum = matrix.sent()[s as usize].to_f64();
        for (d, count) in (0..).zip(counts) {
            let p = matrix.amount(s, d).to_f64() / sum;
            let (wanted, draws) = (p * f64::from(draws), f64::from(draws));
            let deviation = (wanted * (1.0 - p)).sqrt();
            assert!(
                (f64::from(count) - wanted).abs() <= 5.0 * deviation,
                "{d}: {count} of {draws}"
            );
        }
    }

    #[test]
    fn destinations_are_as_frequent_as_their_demands() {
        for spec in ["uniform", "hotspot-percent(percent=20,host=3)", "random(p=0.5,seed=2)"] {
            let listed = Traffic::Listed(traffic::generate(spec, 16).unwrap());
            compare(&listed, 2);
            if let Some(products) = traffic::regular(spec, 16).unwrap() {
                compare(&Traffic::Products(products.clone()), 2);
                compare(&Traffic::Products(products), 3);
            }
        }
        let demand = |d, amount: u64| Demand { s: 1, d, amount: Rational::from(amount) };
        let matrix = traffic::TrafficMatrix::new(4, [demand(0, 1), demand(2, 7), demand(3, 2)]);
        compare(&Traffic::Listed(matrix.unwrap()), 1);
    }

    #[test]
    fn hosts_send_in_proportion() {
        let demand = |s, d, amount: u64| Demand { s, d, amount: Rational::from(amount) };
        let demands = [demand(0, 1, 1), demand(0, 2, 2), demand(3, 0, 6)];
        let rows = Destinations::of((&demands[..]).into(), 4).unwrap();
        let near = |(s, wanted): (Host, f64)| (rows.share(s) - wanted).abs() < 1e-12;
        assert!([(0, 0.5), (1, 0.0), (2, 0.0), (3, 1.0)].into_iter().all(near));
        assert!(Destinations::of((&demands[..0]).into(), 4).is_err());
    }
}
