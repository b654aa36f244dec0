//! Table I of \[NB\]: what nonblocking networks of two levels cost, beside fat-trees of the same switches.

use crate::assessment::Assessment;
use crate::integer::{as_size, index32};
use crate::nb::statements::table_1::PRINTED;
use crate::nonblocking::counted_switches;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Networks>(
    &["nb-table-1"],
    "[NB] IV.A, Table I",
    "switches and ports of ftree(n,n^2,n+n^2) and FT(n+n^2,2), n = 2..8, beside the printed ones, with the \
            proven ratio of a routing of each and the least number of top switches",
);

/// Largest n; the paper has 4, 5 and 6.
const LAST: u64 = 8;

/// Largest n whose certificates are kept.
const KEPT: u64 = 3;

/// A two-level network of one size of switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Network {
    /// ftree(n,n²,n+n²) with the routing of Theorem 3.
    Nonblocking(u64),
    /// FT(n+n²,2) with the best single-path routing.
    FatTree(u64),
}

impl Network {
    fn n(self) -> u64 {
        match self {
            Self::Nonblocking(n) | Self::FatTree(n) => n,
        }
    }

    fn ports_of_a_switch(self) -> u64 {
        self.n() * (self.n() + 1)
    }

    /// Its spec, and that of its routing.
    fn specs(self) -> (String, &'static str) {
        let ports = self.ports_of_a_switch();
        match self {
            Self::Nonblocking(n) => (format!("ftree({n},{},{ports})", n * n), "yuan"),
            Self::FatTree(_) => (format!("ft({ports},2)"), "grid"),
        }
    }

    /// Printed switches and ports.
    fn printed(self) -> Option<[u64; 2]> {
        let (_, [switches, ports, tree_switches, tree_ports]) =
            PRINTED.into_iter().find(|(n, _)| *n == self.n())?;
        Some(match self {
            Self::Nonblocking(_) => [switches, ports],
            Self::FatTree(_) => [tree_switches, tree_ports],
        })
    }

    /// Fewest top switches with which a single-path routing may be nonblocking, by counting.
    fn least_top_switches(self) -> Result<Option<u64>> {
        match self {
            Self::Nonblocking(n) => {
                let [n, leaves] = [n, self.ports_of_a_switch()].map(|x| index32(as_size(x)));
                Ok(Some(counted_switches(n, leaves)?))
            }
            Self::FatTree(_) => Ok(None),
        }
    }
}

/// What was counted and proven.
struct Counted {
    network: Network,
    switches: u64,
    ports: u64,
    least_top_switches: Option<u64>,
    assessment: Assessment,
}

impl Counted {
    fn cells(&self) -> Vec<String> {
        let Self { network, switches, ports, least_top_switches, assessment } = self;
        let (spec, routing) = network.specs();
        let ratio = &assessment.oblivious_ratio;
        let printed = network
            .printed()
            .map_or([String::new(), String::new()], |both| both.map(|number| number.to_string()));
        let [printed_switches, printed_ports] = printed;
        let agrees = match network.printed() {
            None => "",
            Some(both) if both == [*switches, *ports] => "yes",
            Some(_) => "no",
        };
        vec![
            network.ports_of_a_switch().to_string(),
            spec,
            switches.to_string(),
            printed_switches,
            ports.to_string(),
            printed_ports,
            agrees.to_string(),
            routing.to_string(),
            ratio.exact().map_or_else(|| ratio.to_string(), ToString::to_string),
            ratio.evidence.to_string(),
            least_top_switches.map_or_else(String::new, |least| least.to_string()),
        ]
    }
}

const HEADS: [&str; 11] = [
    "switch ports",
    "network",
    "switches",
    "printed switches",
    "ports",
    "printed ports",
    "agrees",
    "routing",
    "ratio",
    "evidence",
    "least top switches",
];

/// Both networks for every n.
struct Networks(Vec<Network>);

impl Divided for Networks {
    type Key = Network;
    type Row = Counted;

    fn keys(&self) -> &[Network] {
        &self.0
    }

    fn find(&self, &network: &Network, units: &Units, progress: &Progress) -> Result<Counted> {
        let (spec, routing) = network.specs();
        let instance = Instance::named(&spec, routing)?;
        let name = format!("{routing} on {spec}");
        let assessment = assessed(&instance, &name, units, progress)?;
        let topology = instance.topology();
        let switches = (topology.nodes() - topology.hosts()) as u64;
        let ports = topology.hosts() as u64;
        let least_top_switches = network.least_top_switches()?;
        Ok(Counted { network, switches, ports, least_top_switches, assessment })
    }
}

impl Entry for Networks {
    type Row = Counted;

    /// The small tier has n = 2 and 3.
    fn of(tier: Tier) -> Result<Self> {
        let last = if tier == Tier::Small { KEPT } else { LAST };
        let both = |n| [Network::Nonblocking(n), Network::FatTree(n)];
        Ok(Self((2..=last).flat_map(both).collect()))
    }

    fn finder(&self) -> Finder<'_, Counted> {
        Finder::divided(self)
    }

    fn tables(&self, found: &[Counted]) -> Result<Vec<Table>> {
        Ok(vec![Table::new("table.csv", &HEADS, found.iter().map(Counted::cells))])
    }

    fn page(&self, found: &[Counted], _: &[Table]) -> Result<Page> {
        // Evidence is in the table; here it would make lines long.
        let short = |cells: Vec<String>| {
            let cells = cells.into_iter().enumerate();
            cells.filter(|(column, _)| *column != 9).map(|(_, cell)| cell).collect()
        };
        let heads: Vec<&str> = HEADS.into_iter().filter(|head| *head != "evidence").collect();
        let rows = found.iter().map(|row| short(row.cells()));
        let mut page = Page::new(HEADER).text(&markdown(&heads, rows)).text(FINDINGS);
        for row in found.iter().filter(|row| row.network.n() <= KEPT) {
            let stem = row.network.specs().0.replace(['(', ','], "-").replace(')', "");
            page = page.certificate(&stem, &row.assessment)?;
        }
        Ok(page)
    }
}

const HEADER: &str = include_str!("table_1.header.md");

const FINDINGS: &str = include_str!("table_1.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_and_what_is_not() {
        assert_eq!(Network::Nonblocking(6).printed(), Some([88, 252]));
        assert_eq!(Network::FatTree(6).printed(), Some([63, 884]));
        assert_eq!(Network::FatTree(7).printed(), None);
        assert_eq!(Network::Nonblocking(4).specs().0, "ftree(4,16,20)");
        let least = Network::Nonblocking(4).least_top_switches();
        assert_eq!(least.unwrap(), Some(16));
    }
}
