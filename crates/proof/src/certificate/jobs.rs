//! Certificates about jobs: traffic inside groups of nodes, each with an adapter on some rails.

use std::io::{self, BufRead, Write};

use super::budget::{Budget, Listed};
use super::commas::Commas;
use super::lines::{Lines, ReadError};
use super::write::write_cover;
use super::{Cover, NetworkForm, RoutingForm};
use crate::limit::TooLarge;
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId};

/// What traffic inside groups can do to links, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobsCertificate {
    /// The network.
    pub network: NetworkForm,
    /// Its routing; only the pairs that may send need paths.
    pub routing: RoutingForm,
    /// The groups, at least one; members are numbered through all of them.
    pub groups: Vec<JobGroup>,
    /// The groups whose links are looked at; empty where all links are.
    pub used_by: Vec<u32>,
    /// What is bounded.
    pub quantity: JobQuantity,
    /// It is at least this.
    pub lower: Ratio,
    /// It is at most this.
    pub upper: Ratio,
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

/// What is bounded for jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobQuantity {
    /// The greatest max load of traffic in which every member sends to at most one other of its
    /// group, and receives from at most one.
    Permutation,
    /// The greatest max load where the members of every group form a ring.
    Ring,
    /// The least max load of such rings.
    LeastRing,
}

impl JobQuantity {
    /// Every quantity with its name in certificates.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("job-load", Self::Permutation),
        ("ring-load", Self::Ring),
        ("least-ring-load", Self::LeastRing),
    ];

    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permutation => "job-load",
            Self::Ring => "ring-load",
            Self::LeastRing => "least-ring-load",
        }
    }
}

impl JobGroup {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "group")?;
        for member in &self.members {
            let rail =
                |host: &Option<Host>| host.map_or_else(|| "-".into(), |host| host.to_string());
            write!(out, " {}", Commas(&member.iter().map(rail).collect::<Vec<_>>()))?;
        }
        writeln!(out)
    }
}

impl JobsCertificate {
    /// Everything behind network and routing.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.groups.iter().try_for_each(|group| group.write(out))?;
        if !self.used_by.is_empty() {
            writeln!(out, "used-by {}", Commas(&self.used_by))?;
        }
        writeln!(out, "claim {} {} {}", self.quantity.name(), self.lower, self.upper)?;
        if let Some(link) = self.loaded {
            writeln!(out, "loaded {link}")?;
        }
        for (from, to) in &self.sends {
            writeln!(out, "send {from} {to}")?;
        }
        self.covers.iter().try_for_each(|cover| write_cover(cover, out))
    }

    /// Counts what a reader counts before holding it in memory.
    pub(super) fn count(&self, budget: &mut Budget) -> Result<(), TooLarge> {
        let members = self.groups.iter().flat_map(|group| &group.members);
        budget.take(Listed::Amounts, members.map(|member| 1 + member.len()).sum())?;
        budget.take(Listed::Amounts, self.used_by.len() + self.sends.len())
    }
}

impl<R: BufRead> Lines<R> {
    /// The groups of a certificate about jobs; none where the next record is another.
    pub(super) fn groups(&mut self) -> Result<Vec<JobGroup>, ReadError> {
        let mut groups = Vec::new();
        while let Some(words) = self.words("group")? {
            groups.push(self.group(&words)?);
        }
        Ok(groups)
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
        let known = JobQuantity::NAMES.iter().find(|(known, _)| *known == name);
        let (_, quantity) = known
            .ok_or_else(|| self.not_expected(&name, "job-load, ring-load or least-ring-load"))?;
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
        let mut covers = Vec::new();
        while let Some(words) = self.words("cover")? {
            covers.push(self.cover(&words)?);
        }
        let quantity = *quantity;
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
