//! Effective bisection bandwidth: the state of the practice, which samples.
//!
//! Half of the hosts, drawn at random, each send to one of the other half, drawn at random too. A
//! pair gets, of the rate of a host link, the part that the most crowded link of its path leaves it when
//! all who cross that link share it evenly; of several paths, each its share. The mean over pairs and
//! bisections is the effective bisection bandwidth (Hoefler, Schneider, Lumsdaine, IEEE Cluster 2008). It says
//! what random traffic gets, and nothing of the worst.

use rand::seq::SliceRandom;

use crate::integer::as_size;
use crate::limit::within;
use crate::progress::{Interrupted, Progress};
use crate::routing::Instance;
use crate::sampling::Streams;
use crate::topology::{Host, LinkId};

/// Maximum number of pairs that are sampled.
const MAX_PAIRS: u64 = 1 << 32;

/// Bandwidth of sampled bisections. These are floats of a sample, not bounds.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Bisections {
    /// The seed.
    pub seed: u64,
    /// Number of bisections.
    pub samples: u64,
    /// Mean rate of a pair, in units of a host link.
    pub mean: f64,
    /// Least mean of a bisection.
    pub least: f64,
    /// Greatest mean of a bisection.
    pub most: f64,
    /// Greatest load of a link in any of them.
    pub max_load: f64,
}

impl Bisections {
    /// Draws bisections: that of number i comes from stream i of the seed. `None` for fewer than two
    /// hosts or no samples. O(samples · N · links of the paths of a pair).
    ///
    /// # Errors
    /// [`Interrupted`] when stopped, or above 2^32 pairs.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{fabric::Bisections, progress::Progress, routing::Instance};
    /// let star = Instance::named("ft(4,1)", "dmodk")?;
    /// let found = Bisections::sampled(&star, 10, 1, &Progress::silent())?.ok_or("too few hosts")?;
    /// assert_eq!((found.mean, found.max_load), (1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sampled(
        instance: &Instance,
        samples: u64,
        seed: u64,
        progress: &Progress,
    ) -> Result<Option<Self>, Interrupted> {
        let half = instance.topology.hosts() / 2;
        let pairs = u128::from(samples).checked_mul(half as u128);
        within("number of sampled pairs", pairs, MAX_PAIRS, "take fewer bisections")?;
        if half == 0 || samples == 0 {
            return Ok(None);
        }
        let (streams, mut draw) = (Streams::new(seed), Draw::new(instance));
        let (mut least, mut most, mut sum, mut max_load) = (f64::INFINITY, 0_f64, 0.0, 0_f64);
        for number in 0..samples {
            progress.check()?;
            draw.hosts.sort_unstable();
            draw.hosts.shuffle(&mut streams.at(number));
            let (mean, load) = draw.measure(half);
            (least, most, sum) = (least.min(mean), most.max(mean), sum + mean);
            max_load = max_load.max(load);
            progress.inc(1);
        }
        let mean = sum / as_f64(as_size(samples));
        Ok(Some(Self { seed, samples, mean, least, most, max_load }))
    }
}

/// Buffers of a sample.
struct Draw<'i> {
    instance: &'i Instance,
    hosts: Vec<Host>,
    capacities: Vec<f64>,
    loads: Vec<f64>,
    path: Vec<LinkId>,
}

impl<'i> Draw<'i> {
    fn new(instance: &'i Instance) -> Self {
        let topology = &instance.topology;
        let capacity = |link| topology.link(link).capacity.to_f64();
        Self {
            instance,
            hosts: topology.host_numbers().collect(),
            capacities: topology.link_numbers().map(capacity).collect(),
            loads: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The mean rate of the pairs of the first and second half of the hosts, and the max load.
    fn measure(&mut self, half: usize) -> (f64, f64) {
        let Self { instance, hosts, capacities, loads, path } = self;
        let pairs = || hosts.iter().zip(&hosts[half..]).take(half);
        loads.clear();
        loads.resize(capacities.len(), 0.0);
        for (s, d) in pairs() {
            instance.routing.for_each_path(*s, *d, path, &mut |share, links| {
                let share = share.to_f64();
                for link in links {
                    loads[*link as usize] += share;
                }
            });
        }
        loads.iter_mut().zip(capacities.iter()).for_each(|(load, capacity)| *load /= capacity);
        let mut rates = 0.0;
        for (s, d) in pairs() {
            instance.routing.for_each_path(*s, *d, path, &mut |share, links| {
                let crowded = links.iter().map(|link| loads[*link as usize]).fold(1.0, f64::max);
                rates += share.to_f64() / crowded;
            });
        }
        (rates / as_f64(half), loads.iter().copied().fold(0.0, f64::max))
    }
}

/// A count as a float: exact below 2^53, which limits guarantee.
#[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
fn as_f64(count: usize) -> f64 {
    count as f64
}
