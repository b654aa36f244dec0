//! A collective prepared for searches: its sends in one list, sizes in integers.

use super::error::OrderError;
use super::loads::check_sizes;
use crate::integer::index32;
use crate::jobs::Job;
use crate::jobs::collectives::{Collective, MAX_SENDS, Rank};
use crate::limit::within;
use crate::rational::common_denominator;

/// Maximum number of units of a size, so that sums over all phases and links fit.
const MAX_SIZE: u64 = 1 << 25;

/// The sends of all phases.
pub(super) struct Pattern {
    /// Phase, source and destination of every send.
    pub(super) sends: Vec<(u32, Rank, Rank)>,
    /// The sends of rank r, from it and to it, are `of_rank[first[r]..first[r + 1]]`.
    first: Vec<u32>,
    of_rank: Vec<u32>,
    /// Size of every phase in units.
    pub(super) sizes: Vec<u64>,
    /// Units of a size of 1.
    pub(super) scale: u64,
}

impl Pattern {
    /// The pattern of a collective with one rank for every node of a job. O(sends).
    pub(super) fn of(collective: &Collective, job: &Job) -> Result<Self, OrderError> {
        check_sizes(job, collective)?;
        let nodes = job.nodes.len();
        if nodes < 2 {
            return Err(OrderError::NotAnOrder {
                nodes,
                problem: "at least 2 are needed to send".into(),
            });
        }
        let count = Some(collective.sends() as u128);
        within("number of sends", count, MAX_SENDS, "use fewer ranks")?;
        let sizes = collective.phases.iter().map(|phase| &phase.size);
        let scale = common_denominator(sizes.clone()).ok_or(OrderError::Denominators)?;
        let in_units = sizes.map(|size| size.scaled(scale).filter(|units| *units <= MAX_SIZE));
        let sizes = in_units.collect::<Option<_>>().ok_or(OrderError::Denominators)?;
        let ranks = collective.ranks as usize;
        let mut sends = Vec::new();
        let mut incident: Vec<Vec<u32>> = vec![Vec::new(); ranks];
        for (number, phase) in (0..).zip(&collective.phases) {
            for (s, d) in &phase.sends {
                if s == d || *s.max(d) as usize >= ranks {
                    return Err(OrderError::BadSend { s: *s, d: *d, nodes: ranks });
                }
                for rank in [s, d] {
                    incident[*rank as usize].push(index32(sends.len()));
                }
                sends.push((number, *s, *d));
            }
        }
        let mut first = vec![0];
        first.extend(incident.iter().scan(0, |end, of| {
            *end += index32(of.len());
            Some(*end)
        }));
        Ok(Self { sends, first, of_rank: incident.concat(), sizes, scale })
    }

    /// Numbers of the sends from and to a rank.
    pub(super) fn of_rank(&self, rank: Rank) -> &[u32] {
        let at = rank as usize;
        &self.of_rank[self.first[at] as usize..self.first[at + 1] as usize]
    }
}
