//! Open loop: every host generates packets at its own rate, delivered or not.

use super::destinations::Destinations;
use super::packets::Outgoing;
use super::source::{Offer, Source};
use super::{Model, SimulationError};
use crate::integer::whole;
use crate::prelude::*;
use crate::traffic::TrafficView;

/// Arrival process of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// A packet in every cycle with the same probability, independently of all others.
    Bernoulli,
    /// At equal distances, from a random cycle on.
    Periodic,
}

/// Lengths of the gaps between packets: geometric numbers from products of powers of 1 − p, which are the
/// same on every machine.
#[derive(Clone, Debug)]
struct Gaps {
    /// (1 − p)^(2^k), which falls to 0.
    powers: Vec<f64>,
}

impl Gaps {
    /// With probability `p` in a cycle, 0 < p ≤ 1.
    fn new(p: f64) -> Self {
        let mut powers = vec![1.0 - p];
        while let Some(last) = powers.last().copied().filter(|last| *last > 1e-18)
            && powers.len() < 48
        {
            powers.push(last * last);
        }
        Self { powers }
    }

    /// k with probability (1 − p)^k·p: the largest k with U < (1 − p)^k, U uniform in [0, 1).
    fn draw(&self, random: &mut Stream) -> u64 {
        let u = random.random::<f64>();
        let (mut product, mut gap) = (1.0, 0);
        for (k, power) in self.powers.iter().enumerate().rev() {
            if u < product * power {
                product *= power;
                gap += 1 << k;
            }
        }
        gap
    }
}

/// Rhythm of the packets of a host.
#[derive(Clone, Debug)]
enum Rhythm {
    /// It sends nothing.
    Silent,
    Bernoulli(Gaps),
    /// Packet number n at phase + n·interval.
    Periodic {
        interval: f64,
        phase: f64,
        number: u64,
    },
}

#[derive(Clone, Debug)]
struct Generator {
    rhythm: Rhythm,
    random: Stream,
    /// When its next packet is generated.
    next: u64,
    /// Packets generated since they are counted.
    counted: u64,
}

/// Hosts that send at a rate.
#[derive(Debug)]
pub(super) struct OpenLoop {
    destinations: Destinations,
    hosts: Vec<Generator>,
    flits: u32,
    /// From when on packets are counted.
    from: u64,
}

impl OpenLoop {
    /// `load` is that of the hosts that send the most, as a fraction of a link of capacity 1. Packets are counted
    /// from a cycle on.
    pub(super) fn new(
        traffic: TrafficView<'_>,
        hosts: usize,
        load: &Rational,
        arrivals: Arrivals,
        from: u64,
        model: &Model,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        if load.is_zero() || *load > Rational::ONE {
            return Err(SimulationError::Load { load: load.clone() });
        }
        let destinations = Destinations::of(traffic, hosts)?;
        let streams = Streams::new(seed);
        let flits = model.packet_flits();
        let generator = |host: Host| {
            let rate = load.to_f64() * destinations.share(host) / f64::from(flits);
            Generator::new(rate, arrivals, streams.at(host.into()))
        };
        let hosts = (0..hosts).map(|host| generator(host_number(host))).collect();
        Ok(Self { destinations, hosts, flits, from })
    }
}

impl OpenLoop {
    /// Flits that each host generates from when they are counted until cycle `until`, sent or not: at the end
    /// of a run.
    pub(super) fn generated(&mut self, until: u64) -> Vec<u64> {
        let (from, flits) = (self.from, u64::from(self.flits));
        let of = |generator: &mut Generator| {
            while generator.next < until {
                generator.count(from);
            }
            generator.counted * flits
        };
        self.hosts.iter_mut().map(of).collect()
    }

    /// The traffic of a host over that of the one that sends the most.
    pub(super) fn share(&self, host: Host) -> f64 {
        self.destinations.share(host)
    }
}

impl Generator {
    /// Arrivals of the given number of packets per cycle.
    fn new(rate: f64, arrivals: Arrivals, mut random: Stream) -> Self {
        let rhythm = match arrivals {
            _ if rate <= 0.0 => Rhythm::Silent,
            Arrivals::Bernoulli => Rhythm::Bernoulli(Gaps::new(rate)),
            Arrivals::Periodic => {
                let interval = 1.0 / rate;
                let phase = random.random::<f64>() * interval;
                Rhythm::Periodic { interval, phase, number: 0 }
            }
        };
        let mut generator = Self { rhythm, random, next: 0, counted: 0 };
        generator.next = generator.following(0);
        generator
    }

    /// Continues with the next packet; this one is counted unless it was generated before `from`.
    fn count(&mut self, from: u64) {
        self.counted += u64::from(self.next >= from);
        self.next = self.following(self.next + 1);
    }

    /// The cycle of the next packet, `from` or later.
    fn following(&mut self, from: u64) -> u64 {
        match &mut self.rhythm {
            Rhythm::Silent => u64::MAX,
            Rhythm::Bernoulli(gaps) => from.saturating_add(gaps.draw(&mut self.random)),
            Rhythm::Periodic { interval, phase, number } => {
                *number += 1;
                whole(*phase + (*number - 1) as f64 * *interval)
            }
        }
    }
}

impl Source for OpenLoop {
    fn offer(&mut self, host: Host, now: u64) -> Offer {
        let generator = &mut self.hosts[host as usize];
        if matches!(generator.rhythm, Rhythm::Silent) {
            return Offer::Nothing;
        }
        let generated = generator.next;
        if generated > now {
            return Offer::From(generated);
        }
        generator.count(self.from);
        let destination = self.destinations.draw(host, &mut generator.random);
        Offer::Packet(Outgoing { destination, flits: self.flits, generated, tag: 0 })
    }

    fn delivered(&mut self, _: Host, _: &Outgoing, _: u64, _: &mut Vec<Host>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaps of every length are as frequent as (1 − p)^k·p, within 5 standard deviations.
    #[test]
    fn gaps_are_geometric() {
        for p in [1.0, 0.9, 0.5, 0.03] {
            let (gaps, mut random) = (Gaps::new(p), Streams::new(7).at(0));
            let draws = 100_000_u32;
            let mut counts = [0_u32; 80];
            for _ in 0..draws {
                let gap = usize::try_from(gaps.draw(&mut random)).unwrap();
                if let Some(count) = counts.get_mut(gap) {
                    *count += 1;
                }
            }
            for (k, count) in (0..).zip(counts) {
                let of_k = (1.0_f64 - p).powi(k) * p;
                let wanted = of_k * f64::from(draws);
                let deviation = (wanted * (1.0 - of_k)).sqrt();
                assert!((f64::from(count) - wanted).abs() <= 5.0 * deviation + 1.0, "{p} {k}");
            }
        }
        let mut random = Streams::new(8).at(0);
        let gaps = Gaps::new(1e-6);
        let mean = (0..10_000).map(|_| gaps.draw(&mut random) as f64 * 1e-6).sum::<f64>() / 1e4;
        assert!((mean - 1.0).abs() < 0.05, "{mean}");
    }

    /// At load 1 a periodic host sends a packet in every packet time.
    #[test]
    fn periodic_packets_have_equal_distances() {
        let traffic = crate::traffic::generate("shift(1)", 2).unwrap();
        let model = Model { packet_bytes: 10, ..Model::go() };
        let arrivals = Arrivals::Periodic;
        let view = traffic.demands().into();
        let mut source = OpenLoop::new(view, 2, &Rational::ONE, arrivals, 0, &model, 1).unwrap();
        let mut times = Vec::new();
        for _ in 0..50 {
            match source.offer(1, u64::MAX - 1) {
                Offer::Packet(packet) => times.push(packet.generated),
                other => panic!("{other:?}"),
            }
        }
        assert!(times[0] < 10 && times.windows(2).all(|pair| pair[1] - pair[0] == 10), "{times:?}");
        for load in ["0", "1.01"] {
            let load = Rational::from_decimal(load).unwrap();
            let refused = OpenLoop::new(view, 2, &load, arrivals, 0, &model, 1);
            assert!(matches!(refused, Err(SimulationError::Load { .. })));
        }
    }
}
