//! Networks, routings and traffic in the formats of other programs.
//!
//! There is one file per format. A format that needs only the network is an [`Export`], one that
//! also needs its routing a [`RoutedExport`]; to add one, add its file, its `mod` line and its
//! entry in [`EXPORTS`] or [`ROUTED_EXPORTS`]. A format that cannot represent a network refuses it:
//! a file that silently says less than the network would be a wrong answer. [`opensm`] writes a folder
//! of files. Traffic formats are in [`traffic`].

mod address;
mod anynet;
mod caminos;
mod compact;
mod dot;
mod graphml;
mod htsim;
mod ibsim;
mod json;
mod lft;
mod ns3;
pub mod opensm;
mod orcs;
mod paths;
mod slurm;
pub mod traffic;

pub use compact::{MAX_DIGITS, compact};
pub use paths::MAX_PAIRS;

use std::io::{self, Write};

use crate::advice::Advice;
use crate::limit::TooLarge;
use crate::progress::{Progress, Stopped};
use crate::registry::Kind;
use crate::routing::Routing;
use crate::routing::forwarding::ForwardingError;
use crate::routing::lid_tables::LidTablesError;
use crate::topology::{LinkId, Topology, Xgft};

/// Writes a network.
pub type Export = fn(&Topology, &mut dyn Write) -> Result<(), ExportError>;

/// Writes a network with its routing. The progress counts hosts.
pub type RoutedExport =
    fn(&Topology, &dyn Routing, &Progress, &mut dyn Write) -> Result<(), ExportError>;

/// Every network format. The examples are topologies.
pub const EXPORTS: &[Kind<Export>] = &[
    dot::KIND,
    graphml::KIND,
    json::KIND,
    ibsim::KIND,
    anynet::KIND,
    slurm::CONF,
    slurm::YAML,
    ns3::KIND,
    htsim::KIND,
    caminos::KIND,
];

/// Every format for routed networks. The examples are routings of `ft(4,2)`.
pub const ROUTED_EXPORTS: &[Kind<RoutedExport>] = &[lft::KIND, paths::KIND, orcs::KIND];

/// Why writing failed or stopped early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ExportError {
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Forwarding(#[from] ForwardingError),
    #[error(transparent)]
    LidTables(#[from] LidTablesError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("`{topology}` does not fit the format {format}: {problem}")]
    DoesNotFit {
        format: &'static str,
        topology: String,
        problem: String,
        #[source]
        advice: Option<Advice>,
    },
}

impl ExportError {
    fn does_not_fit(format: &'static str, topology: &Topology, problem: impl Into<String>) -> Self {
        let topology = topology.spec().to_string();
        Self::DoesNotFit { format, topology, problem: problem.into(), advice: None }
    }

    fn bad_link(format: &'static str, topology: &Topology, link: LinkId, problem: &str) -> Self {
        let problem = format!("the link {} {problem}", topology.link_name(link));
        Self::does_not_fit(format, topology, problem)
    }

    fn advising(mut self, remedy: Advice) -> Self {
        if let Self::DoesNotFit { problem, advice, .. } = &mut self {
            *problem = format!("{problem}: {remedy}");
            *advice = Some(remedy);
        }
        self
    }
}

/// The tree of a network for formats that state only the numbers of which a tree is made, or why it is none that they
/// can hold.
fn whole_tree(topology: &Topology) -> Result<&Xgft, &'static str> {
    let tree = topology.plain_tree();
    let tree = tree.ok_or("it is not a whole tree of single cables of capacity 1")?;
    if tree.parents(1) != 1 {
        return Err("its hosts have several cables, and those of the format one cable");
    }
    let leaf_hosts = tree.children(1);
    if topology.host_numbers().any(|host| tree.subtree(host, 1) != host / leaf_hosts) {
        return Err("its hosts are not in the order of the tree");
    }
    Ok(tree)
}

/// `name` without blanks around it, which readers leave out, and without control characters, which XML and line formats
/// cannot hold; truncated to the 64 characters of an InfiniBand node description.
fn printable(name: &str) -> String {
    let clean = |c: char| if c.is_control() || "\u{fffe}\u{ffff}".contains(c) { '?' } else { c };
    name.trim().chars().take(64).map(clean).collect()
}

/// The I/O error under an error of the `csv` crate, if there is one, so that a closed pipe stays
/// recognisable; otherwise an I/O error of no special kind with the same text.
#[must_use]
pub fn io_error(error: csv::Error) -> io::Error {
    if !error.is_io_error() {
        return io::Error::other(error);
    }
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::registry;
    use crate::routing::Instance;
    use crate::topology::{NetworkBuilder, generate};

    #[test]
    fn names_lose_what_formats_cannot_hold() {
        assert_eq!(printable("\r-18 \n"), "-18");
        assert_eq!(printable("a\rb\u{ffff}"), "a?b?");
        assert_eq!(printable(&"é".repeat(70)).chars().count(), 64);
    }

    /// What the format called `name` writes for a network.
    pub(super) fn exported(name: &str, topology: &Topology) -> Result<String, ExportError> {
        let mut bytes = Vec::new();
        (registry::find(EXPORTS, "export", name).unwrap().build)(topology, &mut bytes)?;
        Ok(String::from_utf8(bytes).unwrap())
    }

    /// Checks that the format called `name` refuses a network for a reason that contains `says`.
    pub(super) fn refused(name: &str, topology: &Topology, says: &str) {
        let error = exported(name, topology).unwrap_err().to_string();
        assert!(error.contains(says), "no `{says}` in: {error}");
    }

    /// What the format called `name` writes for an instance.
    pub(super) fn routed(name: &str, instance: &Instance) -> Result<String, ExportError> {
        let mut bytes = Vec::new();
        let kind = registry::find(ROUTED_EXPORTS, "export", name).unwrap();
        let Instance { topology, routing } = instance;
        (kind.build)(topology, &**routing, &Progress::silent(), &mut bytes)?;
        Ok(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn every_format_writes_its_examples() {
        for kind in EXPORTS {
            assert!(!kind.examples.is_empty(), "{}", kind.name);
            for example in kind.examples {
                assert!(!exported(kind.name, &generate(example).unwrap()).unwrap().is_empty());
            }
        }
        for kind in ROUTED_EXPORTS {
            assert!(!kind.examples.is_empty(), "{}", kind.name);
            for example in kind.examples {
                let instance = Instance::named("ft(4,2)", example).unwrap();
                assert!(!routed(kind.name, &instance).unwrap().is_empty(), "{}", kind.name);
            }
        }
    }

    /// A host on a spine makes no leaf switch of it.
    #[test]
    fn levels_of_networks_that_were_read_are_those_of_the_tree() {
        let mut network = NetworkBuilder::new();
        let [x, y, spine] = ["x", "y", "spine"].map(|name| network.switch(name));
        for (name, switch) in [("a", x), ("b", x), ("c", y), ("d", y), ("manager", spine)] {
            let host = network.host(name);
            network.cable(host, switch, Rational::ONE);
        }
        for leaf in [x, y] {
            network.cable(leaf, spine, Rational::ONE);
        }
        let network = network.build("managed").unwrap().recognised();
        for (format, level) in [
            ("dot", "level=2"),
            ("graphml", "<data key=\"level\">2</data>"),
            ("json", "\"level\":2"),
        ] {
            // The spine, and both directions of its cables to leaf switches.
            assert_eq!(exported(format, &network).unwrap().matches(level).count(), 5, "{format}");
        }
    }

    #[test]
    fn a_closed_pipe_stays_a_closed_pipe() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let Instance { topology, routing } = Instance::named("ft(8,3)", "dmodk").unwrap();
        let mut errors: Vec<ExportError> = Vec::new();
        for kind in EXPORTS {
            errors.push((kind.build)(&topology, &mut Closed).unwrap_err());
        }
        for kind in ROUTED_EXPORTS {
            let progress = Progress::silent();
            errors.push((kind.build)(&topology, &*routing, &progress, &mut Closed).unwrap_err());
        }
        for error in errors {
            let ExportError::Io(error) = error else { panic!("{error}") };
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        }
    }
}
