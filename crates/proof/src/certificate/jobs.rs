//! Certificates about jobs: traffic inside groups of nodes, each with an adapter on some rails.

use std::io::BufRead;

use super::budget::Listed;
use super::lines::{Lines, ReadError};
use super::{Cover, NetworkForm, RoutingForm};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// A certificate of the loads that traffic inside groups can cause, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobsCertificate {
    /// The network.
    pub network: NetworkForm,
    /// Routing of the fabric; only the pairs that may send need paths.
    pub routing: RoutingForm,
    /// The groups, at least one; members are numbered through all of them.
    pub groups: Vec<JobGroup>,
    /// The groups whose links are looked at; empty where all links are.
    pub used_by: Vec<u32>,
    /// The bounded quantity.
    pub quantity: JobQuantity,
    /// The quantity is at least this.
    pub lower: Rational,
    /// The quantity is at most this.
    pub upper: Rational,
    /// The link on which the traffic below attains `lower`; `None` for
    /// [`JobQuantity::LeastRing`].
    pub loaded: Option<LinkId>,
    /// Traffic: a member sends 1 to another one, on every rail that both have.
    pub sends: Vec<(u32, u32)>,
    /// Evidence for the upper side, at most one a link: weights of members that send (`sources`)
    /// and of members that receive (`destinations`); the other sides are empty.
    pub covers: Vec<Cover>,
}

/// Members that send to each other: the nodes of a job, or its adapters one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobGroup {
    /// By member, its adapter on every rail.
    pub members: Vec<Vec<Option<Host>>>,
}

/// The quantity that is bounded for jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobQuantity {
    /// The maximum max load of traffic in which every member sends to at most one other of its
    /// group, and receives from at most one.
    Permutation,
    /// The maximum max load where the members of every group form a ring.
    Ring,
    /// The least max load of such rings.
    LeastRing,
}

impl JobQuantity {
    /// Every quantity with its name in certificates, in the order of their declaration.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("job-load", Self::Permutation),
        ("ring-load", Self::Ring),
        ("least-ring-load", Self::LeastRing),
    ];

    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

impl<R: BufRead> Lines<R> {
    /// The groups of a certificate about jobs; none where the next record is another.
    pub(super) fn groups(&mut self) -> Result<Option<Vec<JobGroup>>, ReadError> {
        let mut groups = Vec::new();
        while let Some(words) = self.words("group")? {
            groups.push(self.group(&words)?);
        }
        Ok((!groups.is_empty()).then_some(groups))
    }

    fn group(&mut self, words: &[String]) -> Result<JobGroup, ReadError> {
        if words.is_empty() {
            return Err(self.word_count("group"));
        }
        let mut members = Vec::with_capacity(words.len());
        for word in words {
            let rails = word.bytes().filter(|byte| *byte == b',').count() + 1;
            self.budget.take(Listed::Amounts, 1 + rails)?;
            let rail =
                |host: &str| if host == "-" { Ok(None) } else { self.integer(host).map(Some) };
            members.push(word.split(',').map(rail).collect::<Result<_, _>>()?);
        }
        Ok(JobGroup { members })
    }

    /// Everything behind the groups.
    pub(super) fn jobs(
        &mut self,
        (network, routing): (NetworkForm, RoutingForm),
        groups: Vec<JobGroup>,
    ) -> Result<JobsCertificate, ReadError> {
        let used_by = match self.record("used-by")? {
            None => Vec::new(),
            Some([list]) => {
                let count = list.bytes().filter(|byte| *byte == b',').count() + 1;
                self.budget.take(Listed::Amounts, count)?;
                self.numbers(&list)?
            }
        };
        let [name, lower, upper] =
            self.wanted("claim", "a `group`, the `used-by` or the `claim` line")?;
        let expected = "job-load, ring-load or least-ring-load";
        let quantity = self.named(&name, &JobQuantity::NAMES, expected)?;
        let (lower, upper) = (self.rational(&lower)?, self.rational(&upper)?);
        let loaded = match self.record("loaded")? {
            None => None,
            Some([link]) => Some(self.integer(&link)?),
        };
        let mut sends = Vec::new();
        while let Some([from, to]) = self.record("send")? {
            self.budget.take(Listed::Amounts, 1)?;
            sends.push((self.integer(&from)?, self.integer(&to)?));
        }
        let covers = self.covers()?;
        self.end("a `send`, a `cover` or the `end` line")?;
        Ok(JobsCertificate {
            network,
            routing,
            groups,
            used_by,
            quantity,
            lower,
            upper,
            loaded,
            sends,
            covers,
        })
    }
}
