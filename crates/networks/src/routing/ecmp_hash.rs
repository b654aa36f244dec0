//! ECMP as switches do it: every node on the way hashes the fields of a flow, and the hash chooses among the next hops
//! of shortest paths: `ecmp-hash`.
//!
//! A pair has K flows, which differ by their source ports and have 1/K of its traffic each: so the worst case of a seed
//! is exact. What is hashed is defined in [`key`], the hash functions in [`function`], and which next hop a hash
//! chooses in [`buckets`]. All lists of next hops are in the order of link numbers; parallel cables are different next
//! hops, and a node with one next hop hashes nothing, which includes hosts with one link.
//!
//! Where all hash alike (`switch-seed=same`), a switch sees only flows that the switches below have chosen for it by
//! the very hash that it uses, and the choices of both depend on each other: the traffic is *polarised*. With
//! `switch-seed=each` the seed of node v is 32-bit word v of stream 2^32 of the seed; otherwise every seed is the
//! seed modulo 2^32. All these functions are linear: another seed changes the hashes of all flows by the same bits.
//! Where the number of buckets is a power of two, that renames next hops: the flows that one leaf switch sends to a
//! switch above still choose alike there, while those of different leaf switches may part. `switch-offset=each` rotates
//! the hash of node v right by word v of stream 2^32 + 1 modulo its bits, as the hash offsets of SAI do, so that
//! switches choose by other bits.
//!
//! What switches have answered themselves, a file of [`results`] says in place of the formula and of buckets. Weights of
//! next hops may come from a file, too ([`weights`]).
//!
//! Where one switch of every path chooses, the expected load of a link over drawn ports is that of `ecmp`: exactly so
//! where a CRC chooses among buckets whose number is a power of two up to 2^14, since its bits are linear in those of
//! the port.

mod buckets;
mod function;
mod key;
mod results;
mod rows;
mod sums;
mod weights;

use std::num::NonZeroU64;

use rand::Rng as _;
use rayon::prelude::*;
use serde::Deserialize;

use self::buckets::{Buckets, Split};
use self::function::Function;
use self::key::{Fields, MAX_FLOWS, MAX_HOSTS, Ports};
use self::results::{Answer, Flow, Results};
use self::sums::Sums;
use super::lengths::{Lengths, OPTION};
use super::next_hops::NextHops;
use super::{Routing, RoutingError, UseScratch, Visit};
use crate::limit::within;
use crate::quote::quote;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::sampling::Streams;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// Maximum number of flows for which a table of hash results is checked: some seconds.
const MAX_LOOKED_UP: u64 = 1 << 27;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "ecmp-hash",
    usage: "ecmp-hash(seed=1,hash=crc32|crc16|crc16cc|xor,fields=src+dst+sport+dport+proto,flows=1,ports=random|PORT,\
            switch-seed=same|each,switch-offset=same|each,buckets=N,split=equal|capacity|FILE,table=FILE,\
            weights=file|hops|inverse-capacity)",
    about: "K flows per SD pair, each on one shortest path, on any network: every node on the way chooses among the \
            next hops of ecmp by a hash of addresses and ports, as switches of RoCE fabrics do",
    reference: "RFC 2992; SAI; Dell EMC Networking OS9, Administrator Guide",
    // Trees have no weights: what theorems and studies could say of this is what they say of `random`.
    examples: &[
        "ecmp-hash(seed=7,weights=file)",
        "ecmp-hash(flows=4,hash=crc16,switch-seed=each,switch-offset=each,buckets=64,weights=file)",
    ],
    build: super::Family {
        build,
        digits: super::Digits::None("hashes choose its paths"),
        defined: false,
    },
};

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Options {
    seed: u64,
    hash: Function,
    fields: Fields,
    flows: NonZeroU64,
    ports: Ports,
    switch_seed: Scope,
    switch_offset: Scope,
    buckets: Option<NonZeroU64>,
    split: Split,
    table: Option<String>,
}

/// What switches have in common.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scope {
    Same,
    Each,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let options: Options = spec.read()?;
    let flows = flows(spec, &options)?;
    let what = "number of hosts with an address in 10.0.0.0/8";
    within(what, Some(topology.hosts() as u128), MAX_HOSTS, "analyse a part of the network")?;
    let lengths = Lengths::read(spec, topology)?;
    let shown = shown(&lengths.spec, &options.fields);
    let hops = NextHops::of(&shown, topology, lengths.by_link.as_deref())?;
    let number = options.buckets.map(NonZeroU64::get);
    let results = options.table.as_deref().map(|path| Results::read(path, topology, &hops));
    let results = results.transpose()?;
    let among = (&hops, results.as_ref());
    let buckets = Buckets::new(&shown, topology, number, &options.split, among)?;
    let routing = EcmpHash {
        spec: shown.to_string(),
        hosts: topology.hosts(),
        single_path: flows == 1
            || hops.is_single_path()
            || (options.table.is_none() && !options.fields.tell_flows()),
        flows,
        streams: Streams::new(options.seed),
        sums: {
            let switches = switches(&options, topology.nodes());
            Sums::new(options.hash, &options.fields, topology.hosts(), &switches)
        },
        fields: options.fields,
        ports: options.ports,
        hops,
        buckets,
        results,
        shares: (0..=flows).filter_map(|some| Rational::new(some.into(), flows.into())).collect(),
    };
    routing.check_results(topology)?;
    Ok(Box::new(routing))
}

/// The number of flows of a pair.
fn flows(spec: &Spec, options: &Options) -> Result<u16, RoutingError> {
    let remedy = "use fewer flows, or ecmp, which is what many come to";
    let flows = within("flows of a pair", Some(options.flows.get().into()), MAX_FLOWS, remedy)?;
    let flows = u16::try_from(flows).map_err(|_| spec.refused("`flows` is too large"))?;
    match options.ports {
        Ports::From(port) if port.checked_add(flows - 1).is_none() => {
            let problem =
                format!("the ports of {flows} flows from {port} on exceed 65535: use a lower port");
            Err(spec.refused(problem).into())
        }
        _ => Ok(flows),
    }
}

/// The canonical spec: the seed, and whatever is not as it is without being said.
fn shown(spec: &Spec, fields: &Fields) -> Spec {
    let plain = Spec { options: Vec::new(), ..spec.clone() }.complete();
    let mut shown = spec.complete();
    for (key, value) in &mut shown.options {
        if key == "fields" {
            *value = fields.text();
        }
    }
    let weights = spec.option(OPTION).is_some();
    shown.options.retain(|(key, value)| match key.as_str() {
        "seed" => true,
        OPTION => weights,
        _ => plain.option(key) != Some(value),
    });
    shown
}

/// The seed and the offset of every node.
fn switches(options: &Options, nodes: usize) -> Vec<(u32, u32)> {
    let shared = u32::try_from(options.seed % (1 << 32)).expect("below 2^32");
    let streams = Streams::new(options.seed);
    let [mut seeds, mut offsets] = [0, 1].map(|number| streams.at((1 << 32) + number));
    let each = (0..nodes).map(|_| (seeds.next_u32(), offsets.next_u32()));
    let of = |(seed, offset)| {
        let seed = if options.switch_seed == Scope::Each { seed } else { shared };
        let is_rotated = options.switch_offset == Scope::Each;
        (seed, if is_rotated { offset % options.hash.bits() } else { 0 })
    };
    each.map(of).collect()
}

/// Paths that hashes choose.
struct EcmpHash {
    spec: String,
    hosts: usize,
    flows: u16,
    /// Of the traffic of a pair, by number of flows.
    shares: Vec<Rational>,
    single_path: bool,
    streams: Streams,
    sums: Sums,
    fields: Fields,
    ports: Ports,
    hops: NextHops,
    buckets: Buckets,
    results: Option<Results>,
}

impl EcmpHash {
    /// Refuses a table that leaves open what one of its switches does with a flow.
    fn check_results(&self, topology: &Topology) -> Result<(), RoutingError> {
        let Some(results) = &self.results else { return Ok(()) };
        let flows = (self.hosts as u128).pow(2) * u128::from(self.flows);
        within(
            "flows to look up in a table",
            Some(flows),
            MAX_LOOKED_UP,
            "analyse a part of the network",
        )?;
        let missing = |(s, d): (Host, Host)| {
            self.ports.of(&self.streams, self.flows, s, d).find_map(|port| {
                let mut links = Vec::new();
                self.walk(s, d, port, &mut links);
                let tails = links.iter().filter_map(|link| Some(topology.ends(*link)?.0));
                let mut choosing = tails.filter(|node| self.hops.number(*node, d) > 1);
                let is_missing =
                    |node: &NodeId| matches!(results.of(*node, (s, d, port)), Answer::Missing);
                Some((choosing.find(is_missing)?, port))
            })
        };
        let of_source = |s: Host| {
            let others = topology.host_numbers().filter(|d| *d != s);
            others.map(|d| (s, d)).find_map(|pair| Some((pair, missing(pair)?)))
        };
        let sources: Vec<Host> = topology.host_numbers().collect();
        let found = sources.into_par_iter().find_map_first(of_source);
        let Some(((s, d), (node, port))) = found else { return Ok(()) };
        let [at, s, d] = [node, s, d].map(|node| quote(&topology.node(node).name));
        Err(RoutingError::Tables(format!(
            "the table has rows of switch `{at}`, but none for its flow from `{s}` to `{d}` with source port {port}"
        )))
    }

    /// The place of the next hop by which a node sends a flow, of `among`; `sum` is what the flow does to hashes.
    fn choose(&self, node: NodeId, flow: Flow, sum: u32, among: u32) -> u32 {
        match self.results.as_ref().map(|known| known.of(node, flow)) {
            Some(Answer::Place(place)) => place,
            _ => self.buckets.choose(&self.hops, (node, flow.1), among, self.sums.at(node, sum)),
        }
    }

    /// Appends the path of a flow.
    fn walk(&self, s: Host, d: Host, port: u16, links: &mut Vec<LinkId>) {
        let (sum, mut node) = (self.sums.of_flow(s, d, port), s);
        while node != d {
            let choose = |among| self.choose(node, (s, d, port), sum, among);
            let (link, head) = self.hops.chosen(node, d, choose);
            links.push(link);
            node = head;
        }
    }
}

impl Routing for EcmpHash {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.single_path
    }

    /// By the numbers of their links.
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        links.clear();
        let ports = self.ports.of(&self.streams, self.flows, s, d);
        if self.flows == 1 {
            ports.for_each(|port| self.walk(s, d, port, links));
            return visit(&Rational::ONE, links);
        }
        let mut ends = vec![0];
        for port in ports {
            self.walk(s, d, port, links);
            ends.push(links.len());
        }
        let mut paths: Vec<&[LinkId]> =
            ends.windows(2).map(|ends| &links[ends[0]..ends[1]]).collect();
        paths.sort_unstable();
        for alike in paths.chunk_by(|a, b| a == b) {
            visit(&self.shares[alike.len()], alike[0]);
        }
    }

    /// Flows are counted link by link.
    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        let links = &mut scratch.links;
        if self.single_path {
            return self.for_each_path(s, d, links, visit);
        }
        links.clear();
        self.ports
            .of(&self.streams, self.flows, s, d)
            .for_each(|port| self.walk(s, d, port, links));
        links.sort_unstable();
        for alike in links.chunk_by(|a, b| a == b) {
            visit(&self.shares[alike.len()], &alike[..1]);
        }
    }

    fn has_detours(&self) -> bool {
        self.hops.has_detours()
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts)
    }

    fn notes(&self) -> Vec<String> {
        let is_one = self.flows > 1 && self.results.is_none() && !self.fields.tell_flows();
        let note = "no hashed field tells the flows of a pair apart: all take one path";
        is_one.then(|| note.to_string()).into_iter().chain(self.buckets.note()).collect()
    }
}

#[cfg(test)]
mod tests;
