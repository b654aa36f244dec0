//! Hosts and disks as a model: when hosts send requests, and when disks answer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::integer::whole;
use crate::prelude::*;
use crate::simulation::workload::error::WorkloadError;
use crate::simulation::workload::trace::{Message, Trace};

/// Bytes of a request to read and of the answer to a write.
pub const COMMAND_BYTES: u64 = 64;

const NS: f64 = 1e9;

/// Hosts that read from disks and write to them. A host sends a burst of requests to one disk, pauses, and
/// continues. A request to read and the answer to a write are small; the answer to the one and the other
/// itself have the data. A disk serves requests in the order in which they are sent, one at a time: the
/// network's time is not counted, since a trace has its times before it meets a network. Numbers are
/// not checked.
#[derive(Clone, Debug, PartialEq)]
pub struct DiskArray {
    /// The hosts that are disks, distinct, the most popular first.
    pub disks: Vec<Host>,
    /// The hosts that send requests, none of them a disk.
    pub clients: Vec<Host>,
    /// Mean number of requests of a burst, at least 1.
    pub burst: f64,
    /// Mean time between requests of a burst, in seconds.
    pub gap: f64,
    /// Mean time from the last request of a burst to the first of the next, in seconds.
    pub pause: f64,
    /// Disk j is chosen with a probability proportional to (j + 1)^−skew.
    pub skew: f64,
    /// Probability that a request reads.
    pub reads: f64,
    /// Probability that a request that writes is small.
    pub metadata: f64,
    /// Bytes of an access.
    pub size: u64,
    /// Bytes of a small one.
    pub small: u64,
    /// Mean time in which a disk serves a request, in seconds.
    pub service: f64,
}

/// A host that sends requests.
struct Client {
    host: Host,
    random: Stream,
    /// Time of its next request, in ns.
    time: f64,
    /// The disk of its current burst.
    disk: usize,
    /// Requests of the burst that follow the next one.
    left: u64,
}

/// A disk with its queue.
struct Disk {
    host: Host,
    random: Stream,
    /// When it will have served all requests so far, in ns.
    free: u64,
}

impl DiskArray {
    /// The first `requests` requests and their answers, among `hosts` hosts. Every host and every disk
    /// draws from its own stream of the seed. O(requests·log requests).
    ///
    /// # Errors
    /// [`WorkloadError::Trace`] for times beyond the limit, or hosts that there are not.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::workload::traces::DiskArray;
    /// let array = DiskArray {
    ///     disks: vec![0], clients: vec![1, 2], burst: 2.0, gap: 0.001, pause: 0.1, skew: 0.0,
    ///     reads: 1.0, metadata: 0.0, size: 8192, small: 1024, service: 0.01,
    /// };
    /// assert_eq!(array.draw(3, 5, 1)?.bytes(), 5 * (8192 + 64));
    /// # Ok::<(), routebound::simulation::workload::WorkloadError>(())
    /// ```
    pub fn draw(&self, hosts: usize, requests: usize, seed: u64) -> Result<Trace, WorkloadError> {
        let streams = Streams::new(seed);
        let popularity = self.popularity();
        let client = |host: &Host| {
            let random = streams.at((*host).into());
            let mut client = Client { host: *host, random, time: 0.0, disk: 0, left: 0 };
            self.advance(&mut client, &popularity);
            client
        };
        let mut clients: Vec<Client> = self.clients.iter().map(client).collect();
        let disk = |host: &Host| Disk { host: *host, random: streams.at((*host).into()), free: 0 };
        let mut disks: Vec<Disk> = self.disks.iter().map(disk).collect();
        let next = |at: usize, client: &Client| Reverse((whole(client.time), at));
        let mut queue: BinaryHeap<_> =
            clients.iter().enumerate().map(|(at, client)| next(at, client)).collect();
        let mut messages = Vec::with_capacity(2 * requests);
        while messages.len() < 2 * requests {
            let Some(Reverse((time, at))) = queue.pop() else { break };
            let client = &mut clients[at];
            messages.extend(self.serve(time, client, &mut disks[client.disk]));
            self.advance(client, &popularity);
            queue.push(next(at, client));
        }
        // A stable sort: among messages of one time, requests stay in the order of their hosts.
        messages.sort_by_key(|(time, _)| *time);
        Ok(Trace::new(hosts, messages)?)
    }

    /// By disk: the sum of the weights up to it.
    fn popularity(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let weights = (0..self.disks.len()).map(|disk| {
            sum += libm::pow((disk + 1) as f64, -self.skew);
            sum
        });
        weights.collect()
    }

    /// Sets the time of a host's next request, and the disk where a new burst begins.
    fn advance(&self, client: &mut Client, popularity: &[f64]) {
        let random = &mut client.random;
        if client.left > 0 {
            client.left -= 1;
            client.time += NS * exponential(self.gap, random);
            return;
        }
        client.time += NS * exponential(self.pause, random);
        // Geometric: with probability 1/burst a request is the last.
        let log = libm::log(uniform(random));
        client.left = whole(log / libm::log1p(-1.0 / self.burst));
        let drawn = random.random::<f64>() * popularity.last().copied().unwrap_or_default();
        let disk = popularity.partition_point(|sum| *sum <= drawn);
        client.disk = disk.min(popularity.len().saturating_sub(1));
    }

    /// A request and its answer.
    fn serve(&self, time: u64, client: &mut Client, disk: &mut Disk) -> [(u64, Message); 2] {
        let random = &mut client.random;
        let is_read = random.random::<f64>() < self.reads;
        let is_small = random.random::<f64>() < self.metadata;
        let (request, answer) = match (is_read, is_small) {
            (true, _) => (COMMAND_BYTES, self.size),
            (false, true) => (self.small, COMMAND_BYTES),
            (false, false) => (self.size, COMMAND_BYTES),
        };
        let service = whole(NS * self.service * (0.5 + disk.random.random::<f64>()));
        disk.free = disk.free.max(time).saturating_add(service);
        let (host, disk, end) = (client.host, disk.host, disk.free);
        let there = Message { s: host, d: disk, bytes: request };
        [(time, there), (end, Message { s: disk, d: host, bytes: answer })]
    }
}

/// Uniform in (0, 1].
fn uniform(random: &mut Stream) -> f64 {
    1.0 - random.random::<f64>()
}

fn exponential(mean: f64, random: &mut Stream) -> f64 {
    -mean * libm::log(uniform(random))
}
