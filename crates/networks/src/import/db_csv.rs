//! The file `ibdiagnet2.db_csv` of ibdiagnet, which is part of UFM and MLNX_OFED/DOCA: sections of
//! comma-separated values on everything that it found.
//!
//! ```text
//! START_NODES
//! NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,…
//! "leaf-1",65,2,1,1,0x2c5eab0300b87b40,0x2c5eab0300b87b40,0x2c5eab0300b87b40,…
//! END_NODES
//! START_LINKS
//! NodeGuid1,PortNum1,NodeGuid2,PortNum2
//! 0x2c5eab0300b87b40,35,0x2c5eab0300c26280,32
//! END_LINKS
//! ```
//!
//! The vendor documents the purpose of the file, not its columns: those that are read are the ones
//! that public programs around ibdiagnet 2.x read. Which sections and columns are of interest is
//! the same as for OpenSM's `opensm-smdb.dump`; all others are skipped.

use super::guid_tables::read;
use super::prelude::*;
use super::sections;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "ibdiagnet-db-csv",
    usage: "ibdiagnet2.db_csv",
    about: "InfiniBand fabric as ibdiagnet found it: sections NODES, PORTS and LINKS",
    reference: "ibdiagnet 2.x (MLNX_OFED, UFM)",
    examples: &["instances/fabrics/ft8x2/formats/ibdiagnet2.db_csv"],
    build: Importer { detect, read },
};

fn detect(head: &str) -> bool {
    head.lines().any(|line| sections::begins(line).is_some())
}
