//! How the worst case of a link is found.

/// The method by which the worst case of a link was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Maximum-cardinality matching with its König cover.
    Cardinality,
    /// Maximum-weight matching with its potentials.
    Weight,
    /// Max flow, or min-cost flow for unequal shares, between hosts of different capacity.
    Transport,
    /// Max flow, or min-cost flow for unequal shares, under the cuts of all subtrees.
    Laminar,
    /// Flows between classes of hosts that are alike, with room for all of a class.
    HostClasses,
    /// Flows between classes under the cuts of pods and leaves, in prices.
    Cuts,
    /// A linear program over all traffic that some routing carries with max load 1.
    Program,
}

impl Method {
    /// A description for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cardinality => "maximum-cardinality matching per link, König cover",
            Self::Weight => "maximum-weight matching per link, dual potentials",
            Self::Transport => "maximum flow per link between unequal hosts, minimum cut",
            Self::Laminar => "maximum flow per link under the cuts of all subtrees, minimum cut",
            Self::HostClasses => {
                "maximum flow per link between classes of alike hosts, dual prices"
            }
            Self::Cuts => {
                "maximum flow per link between classes of alike hosts under cuts, dual prices"
            }
            Self::Program => "linear program per link over all routable traffic, link lengths",
        }
    }
}
