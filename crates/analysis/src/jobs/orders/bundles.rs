//! What a send between two nodes of a job puts on the links, in integers.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::error::OrderError;
use super::order::MAX_NODES;
use super::sends::{common_rails, no_common_rail};
use crate::integer::index32;
use crate::jobs::Job;
use crate::limit::within;
use crate::progress::Progress;
use crate::rational::{Rational, common_denominator};
use crate::routing::{Instance, UseScratch};
use crate::topology::{LinkId, link_number};

/// Maximum number of entries of the table, one for every pair of nodes and link that it loads, of 12 bytes each.
pub const MAX_ENTRIES: u64 = 1 << 25;

/// Maximum number of units that one send puts on a link, so that sums over all sends stay below 2^60.
const MAX_UNITS: u64 = 1 << 38;

/// The loads of all sends between nodes of a job. A send is a *bundle* of pairs: it goes over every rail that
/// both nodes have, with 1 unit on each.
pub struct Bundles<'a> {
    instance: &'a Instance,
    job: &'a Job,
    /// The links that some send loads, ascending; elsewhere they are numbered by their place here.
    links: Vec<LinkId>,
    /// Entries of the send from a to b are `first[a · nodes + b]..first[a · nodes + b + 1]`.
    first: Vec<u32>,
    places: Vec<u32>,
    units: Vec<u64>,
    /// Units of a load of 1.
    scale: u64,
}

/// The sends of one node.
struct Row {
    /// End of the entries of every destination.
    ends: Vec<u32>,
    /// Link and number of the share; a link may occur several times in a send.
    entries: Vec<(LinkId, u32)>,
    shares: Vec<Rational>,
}

impl<'a> Bundles<'a> {
    /// Tabulates the sends of a job. O(nodes² · rails · links of a pair · log), on all threads; `progress`
    /// advances by the number of nodes.
    ///
    /// # Errors
    /// [`OrderError`]: stopped, more than [`MAX_NODES`] nodes or [`MAX_ENTRIES`] entries, loads without a
    /// common unit, or nodes without a rail in common.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::{Job, Nodes, orders::Bundles};
    /// use routebound::{progress::Progress, rational::Rational, routing::Instance};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
    /// let bundles = Bundles::of(&instance, &job, &Progress::silent())?;
    /// assert_eq!((bundles.peak(0, 7), bundles.links().len()), (Rational::ONE, 32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        instance: &'a Instance,
        job: &'a Job,
        progress: &Progress,
    ) -> Result<Self, OrderError> {
        let nodes = job.nodes.len();
        within("number of nodes", Some(nodes as u128), MAX_NODES, REMEDY)?;
        let rows = (0..nodes).into_par_iter().map(|from| Row::of(instance, job, from, progress));
        let rows: Vec<Row> = rows.collect::<Result<_, OrderError>>()?;
        let entries = rows.iter().map(|row| row.entries.len() as u128).sum();
        within("number of loads", Some(entries), MAX_ENTRIES, REMEDY)?;
        let units = LinkUnits::of(instance, &rows)?;
        let mut table = Self {
            instance,
            job,
            links: Vec::new(),
            first: vec![0],
            places: Vec::new(),
            units: Vec::new(),
            scale: units.scale,
        };
        for row in rows {
            table.append(row, &units)?;
        }
        table.links = units.links;
        let fits = table.units.iter().all(|units| *units <= MAX_UNITS);
        if fits { Ok(table) } else { Err(OrderError::Denominators) }
    }

    /// Adds the sends of the next node.
    fn append(&mut self, row: Row, units: &LinkUnits) -> Result<(), OrderError> {
        let of_share: Vec<Vec<u64>> = row
            .shares
            .iter()
            .map(|share| units.of_share(share))
            .collect::<Option<_>>()
            .ok_or(OrderError::Denominators)?;
        let mut start = 0;
        for end in row.ends {
            let entries = &row.entries[start as usize..end as usize];
            let unit = |(link, share): &(LinkId, u32)| {
                let place = units.places[*link as usize];
                (place, of_share[*share as usize][units.classes[place as usize] as usize])
            };
            let mut send: Vec<(u32, u64)> = entries.iter().map(unit).collect();
            send.sort_unstable();
            for (place, units) in send {
                let is_new =
                    self.first.last().is_some_and(|first| *first as usize == self.places.len());
                match self.units.last_mut() {
                    Some(sum) if !is_new && self.places.last() == Some(&place) => *sum += units,
                    _ => {
                        self.places.push(place);
                        self.units.push(units);
                    }
                }
            }
            self.first.push(index32(self.places.len()));
            start = end;
        }
        Ok(())
    }

    /// The network and its routing.
    #[must_use]
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The job.
    #[must_use]
    pub fn job(&self) -> &'a Job {
        self.job
    }

    /// Number of nodes of the job.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.job.nodes.len()
    }

    /// The links that sends of the job may load, ascending.
    #[must_use]
    pub fn links(&self) -> &[LinkId] {
        &self.links
    }

    /// The maximum load that a send from node `a` to node `b` alone puts on a link; 0 for a node itself.
    ///
    /// # Panics
    /// As indexing does, when there is no such node.
    #[must_use]
    pub fn peak(&self, a: u32, b: u32) -> Rational {
        self.ratio(self.send(a, b).map(|(_, units)| units).max().unwrap_or(0).into())
    }

    /// Units of a load of 1.
    pub(super) fn scale(&self) -> u64 {
        self.scale
    }

    /// A load in units.
    pub(super) fn ratio(&self, units: u128) -> Rational {
        Rational::from_big(units.into(), self.scale.into()).expect("a common unit is not 0")
    }

    /// The places of the links that a send loads, ascending, with its load on each in units.
    #[inline]
    pub(super) fn send(&self, a: u32, b: u32) -> impl Iterator<Item = (u32, u64)> {
        let at = a as usize * self.nodes() + b as usize;
        let range = self.first[at] as usize..self.first[at + 1] as usize;
        let places = self.places[range.clone()].iter().copied();
        places.zip(self.units[range].iter().copied())
    }
}

/// What to do about too much.
const REMEDY: &str = "choose fewer nodes, or a routing with fewer paths";

impl Row {
    fn of(
        instance: &Instance,
        job: &Job,
        from: usize,
        progress: &Progress,
    ) -> Result<Self, OrderError> {
        let (mut row, mut numbers) =
            (Self { ends: Vec::new(), entries: Vec::new(), shares: Vec::new() }, HashMap::new());
        let (mut scratch, node) = (UseScratch::default(), &job.nodes[from]);
        let most = MAX_ENTRIES / job.nodes.len() as u64;
        for (to, other) in job.nodes.iter().enumerate() {
            progress.check()?;
            if to != from && common_rails(node, other).next().is_none() {
                return Err(no_common_rail(node, other));
            }
            for (s, d) in common_rails(node, other).filter(|_| to != from) {
                instance.routing().for_each_use(s, d, &mut scratch, &mut |share, links| {
                    let number = row.number(&mut numbers, share);
                    row.entries.extend(links.iter().map(|link| (*link, number)));
                });
            }
            within(
                "number of loads of a node's sends",
                Some(row.entries.len() as u128),
                most,
                REMEDY,
            )?;
            row.ends.push(index32(row.entries.len()));
        }
        progress.inc(1);
        Ok(row)
    }

    fn number(&mut self, numbers: &mut HashMap<Rational, u32>, share: &Rational) -> u32 {
        if let Some(number) = numbers.get(share) {
            return *number;
        }
        let number = index32(self.shares.len());
        self.shares.push(share.clone());
        numbers.insert(share.clone(), number);
        number
    }
}

/// The links that are loaded, and a common unit of their loads.
struct LinkUnits {
    links: Vec<LinkId>,
    /// By link: its place in `links`.
    places: Vec<u32>,
    /// The different capacities, each as load of 1 unit of traffic.
    loads: Vec<Rational>,
    /// By place: which of them.
    classes: Vec<u32>,
    scale: u64,
}

impl LinkUnits {
    fn of(instance: &Instance, rows: &[Row]) -> Result<Self, OrderError> {
        let topology = instance.topology();
        let mut used = vec![false; topology.links()];
        rows.iter().flat_map(|row| &row.entries).for_each(|(link, _)| used[*link as usize] = true);
        let links: Vec<LinkId> =
            (0..link_number(used.len())).filter(|link| used[*link as usize]).collect();
        let mut places = vec![0; used.len()];
        for (place, link) in (0..).zip(&links) {
            places[*link as usize] = place;
        }
        let of_link = |link: &LinkId| topology.load_of(*link, &Rational::ONE);
        let loads: BTreeSet<Rational> = links.iter().map(of_link).collect();
        let loads: Vec<Rational> = loads.into_iter().collect();
        let classes =
            links.iter().map(|link| index32(loads.partition_point(|load| *load < of_link(link))));
        let classes = classes.collect();
        let shares: BTreeSet<&Rational> = rows.iter().flat_map(|row| &row.shares).collect();
        let products: Vec<Rational> =
            shares.iter().flat_map(|share| loads.iter().map(move |load| *share * load)).collect();
        let scale = common_denominator(&products).ok_or(OrderError::Denominators)?;
        Ok(Self { links, places, loads, classes, scale })
    }

    /// What a share puts on the links of every class; `None` where that is too much.
    fn of_share(&self, share: &Rational) -> Option<Vec<u64>> {
        let units = |load| (share * load).scaled(self.scale).filter(|units| *units <= MAX_UNITS);
        self.loads.iter().map(units).collect()
    }
}

/// A table is large: its size is all that is shown.
impl std::fmt::Debug for Bundles<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} loads of sends between {} nodes", self.places.len(), self.nodes())
    }
}
