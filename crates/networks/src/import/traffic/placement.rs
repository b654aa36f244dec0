//! Rank orders from files: in `shift(1,place="ranks.txt")` rank i is on the host of line i.
//!
//! A file has a host per line, by number or by its name in the network; blank lines and comments, which begin with
//! `#`, do not count. A pattern has as many tasks as the file has lines. Several ranks may be on one host.

use super::hosts::HostFinder;
use super::{Hosts, Lines, Result, listed};
use crate::input::{Input, MAX_BYTES};
use crate::quote::quote;
use crate::spec::Spec;
use crate::topology::Host;
use crate::traffic::{Demand, TrafficMatrix};

/// Traffic among ranks, and the file with their hosts.
pub(super) struct Placement {
    /// The traffic, with task i on host i.
    ranks: Spec,
    /// The file.
    path: String,
}

impl Placement {
    /// The placement by a file that a spec names, if it does.
    pub(super) fn of(text: &str) -> Option<Self> {
        let spec = Spec::parse(text).ok()?;
        let path = spec.option("place").filter(|path| path.contains(['/', '.']))?.to_string();
        let mut ranks = spec.without("place");
        ranks.set_default("place", "linear");
        Some(Self { ranks, path })
    }

    /// The traffic among ranks.
    pub(super) fn ranks(&self) -> String {
        self.ranks.to_string()
    }

    /// The spec with its placement, from the canonical spec of the traffic among ranks.
    pub(super) fn canonical(&self, ranks: &str) -> String {
        let Ok(spec) = Spec::parse(ranks) else { return ranks.to_string() };
        let mut spec = spec.without("place");
        spec.set_default("place", &self.path);
        spec.to_string()
    }

    /// The traffic on the hosts of the file, with notes on how it was read.
    pub(super) fn open(&self, hosts: Hosts) -> Result<(TrafficMatrix, Vec<String>)> {
        let order = self.order(hosts)?;
        let (matrix, mut notes) = listed(&self.ranks(), Hosts::Numbered(order.len()))?;
        let host = |rank: Host| order[rank as usize];
        let demands = matrix.demands().iter().map(|demand| {
            let Demand { s, d, amount } = demand;
            Demand { s: host(*s), d: host(*d), amount: amount.clone() }
        });
        let placed = TrafficMatrix::new(hosts.count(), demands)?;
        notes.push(format!("{} ranks on the hosts of {}", order.len(), quote(&self.path)));
        Ok((placed, notes))
    }

    /// The hosts of the ranks.
    fn order(&self, hosts: Hosts) -> Result<Vec<Host>> {
        let mut reader = Input::open(&self.path, MAX_BYTES)?;
        let mut lines = Lines::new(&self.path, &mut reader);
        let finder = HostFinder::new(hosts);
        let mut order = Vec::new();
        while lines.advance_to_content('#')? {
            let host = finder.find_word(lines.text().trim());
            order.push(host.map_err(|problem| lines.fail(1, problem))?);
        }
        Ok(order)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::super::{Hosts, canonical, open, open_noted};

    #[test]
    fn ranks_are_on_the_hosts_of_the_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"# three ranks\nhost-5\n\n2\nhost-7\n").unwrap();
        let tree = crate::topology::generate("ft(4,2)").unwrap();
        let path = file.path().display();
        let spec = format!("shift(1,place=\"{path}\")");
        let matrix = open(&spec, Hosts::Of(&tree)).unwrap();
        let pairs: Vec<_> = matrix.demands().iter().map(|demand| (demand.s, demand.d)).collect();
        assert_eq!((matrix.hosts(), pairs), (8, vec![(2, 7), (5, 2), (7, 5)]));
        assert_eq!(canonical(&spec).unwrap(), spec);
        let (_, notes) = open_noted(&spec, Hosts::Of(&tree)).unwrap();
        assert_eq!(notes, [format!("3 ranks on the hosts of {path}")]);
        file.write_all(b"host-8\n").unwrap();
        let error = open(&spec, Hosts::Of(&tree)).unwrap_err().to_string();
        assert!(error.contains("line 6, column 1: there is no host `host-8`"), "{error}");
    }
}
