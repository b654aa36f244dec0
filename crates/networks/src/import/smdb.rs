//! The file `opensm-smdb.dump`, in which the OpenSM of UFM and MLNX_OFED keeps what it knows of the
//! fabric: sections as in ibdiagnet's `db_csv`, values padded with spaces.
//!
//! ```text
//! START_NODES
//! NodeGUID,           NodeType, NodeDesc
//! 0x2c5eab0300b87b40, 2,        "leaf-1"
//! END_NODES
//! START_LINKS
//! NodeGUID1,          PortNum1, NodeGUID2,          PortNum2
//! 0x2c5eab0300b87b40, 35,       0x2c5eab0300c26280, 32
//! END_LINKS
//! ```
//!
//! The vendor does not document the columns: those that are read are the ones that public programs
//! read. Descriptions, LIDs and speeds may be absent; where speeds are, every link must be given
//! capacity 1.

use super::guid_tables::read;
use super::prelude::*;
use super::sections;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "opensm-smdb",
    usage: "opensm-smdb.dump",
    about: "InfiniBand fabric as the subnet manager knows it: sections NODES, PORTS and LINKS",
    reference: "OpenSM of MLNX_OFED and UFM",
    examples: &["instances/fabrics/ft8x2/formats/opensm-smdb.dump"],
    build: Importer { detect, read },
};

/// Sections on subnet managers, which ibdiagnet names otherwise.
const OWN: &[&str] = &["SM", "SMS", "SM_PORTS"];

fn detect(head: &str) -> bool {
    head.lines().filter_map(sections::begins).any(|name| OWN.contains(&name))
}
