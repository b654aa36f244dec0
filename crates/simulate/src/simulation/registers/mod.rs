//! The registers with which a switch of a k-ary n-tree routes (\[GO\] 3.1 and 4.1): Interval
//! Routing (IR), adaptive on the way up, and Flexible Interval Routing (FIR), D-mod-k.
//!
//! # Words
//! Nodes are numbered by their components p_{n−1}…p_0, here their *address*: on a generated tree
//! the number of the host. A switch ⟨s,o⟩ of stage s has number s·k^{n−1} + o. Its descending links
//! are labelled 0 to k−1, its ascending links k to 2k−1. Ascending link k + c leads to the switch of
//! the next stage whose digit o_s is c, s being the lower stage; descending link c of that one leads
//! to the switch below whose digit o_s is c, and from stage 0 to the node with p_0 = c. Every output
//! port has an interval from FI to LI, which may be *cyclic*: with FI above LI it continues from 0 after
//! the last address.
//!
//! - IR: a port is eligible when the destination is in its interval.
//! - FIR: the bits of the destination that the mask register MR selects are compared with FI and LI.
//!   A port is not taken when another one that its restrictions register RRR names matches too. Bit
//!   j of the RRR of a port says that port j has preference.
//!
//! # What is printed, and what is reconstructed
//! The text prints the rules: which nodes are below a descending link and the interval of the
//! ascending links (3.1), their masks, intervals and RRR (4.1), and that descending links have the same
//! interval as with IR, MR all 1s and RRR all 0s. FI and LI of a descending link follow from its
//! nodes; their formula is in Figure 2.
//! Of the figures only captions and what the text says about them are known here: Figure 1 by the
//! walk from node 1 to node 4 over switches 0, 9, 17 and 11; Figure 3 by switch 0 with its masks 001
//! and 010 and its RRR 0011, by the destinations of switch 4 and by those of each ascending port of
//! stage 1. The tests check these numbers. The numbers of switches and of ascending ports are
//! reconstructed from them; all other registers of the two figures follow from the rules.
//!
//! # Other routings
//! [`fitted()`] decides whether registers of FIR can hold any routing by destination, and how many rows
//! of FI, LI and MR a switch would need if a port could have several.

mod cover;
mod fewest;
mod fir;
mod fitted;
mod interpret;
mod interval;
mod tree;

pub use fewest::{Masks, Rows};
pub use fir::deterministic;
pub use fitted::{Fitted, MAX_FITTED_HOSTS, fitted, registers_of};
pub use interpret::{Astray, Interpreter};
pub use interval::{Interval, adaptive};
pub use tree::{KaryTree, Switch};

use crate::prelude::*;
use crate::routing::forwarding::ForwardingError;

/// Maximum number of output ports of all switches together: some 100 MB.
pub const MAX_PORTS: u64 = 1 << 20;

/// Maximum k: the RRR of a port has 2k bits.
pub const MAX_ARITY: u64 = 64;

/// The registers that a switch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// FI and LI.
    Interval,
    /// FI, LI, MR and RRR.
    Flexible,
}

/// FI, LI and MR: which destinations match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// FI and LI.
    pub interval: Interval,
    /// MR: the bits of the address that are compared with FI and LI.
    pub mask: u32,
}

impl Row {
    /// Whether a destination, given by its address, matches.
    #[must_use]
    pub fn matches(&self, address: u32) -> bool {
        self.interval.contains(address & self.mask)
    }
}

/// The registers of an output port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortRegisters {
    /// The label of the link: 0 to k−1 down, k to 2k−1 up.
    pub label: u32,
    /// The link.
    pub link: LinkId,
    /// One row in the paper; the port matches where any row does.
    pub rows: Vec<Row>,
    /// RRR: bit j is set where port j has preference.
    pub restrictions: u128,
}

impl PortRegisters {
    /// Whether a destination, given by its address, matches a row.
    #[must_use]
    pub fn matches(&self, address: u32) -> bool {
        self.rows.iter().any(|row| row.matches(address))
    }
}

/// The registers of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchRegisters {
    /// Node of the switch.
    pub node: NodeId,
    /// ⟨s,o⟩.
    pub switch: Switch,
    /// Output ports of the switch that are in use, by ascending label.
    pub ports: Vec<PortRegisters>,
}

impl SwitchRegisters {
    /// The ports by which it forwards to an address: those that match, less those that have to yield
    /// to another one that matches.
    pub fn eligible(&self, address: u32) -> impl Iterator<Item = &PortRegisters> {
        let matching = self.ports.iter().filter(move |port| port.matches(address));
        let labels = matching.clone().fold(0, |labels: u128, port| labels | 1 << port.label);
        matching.filter(move |port| port.restrictions & labels == 0)
    }
}

/// The registers of all switches of a k-ary n-tree.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::registers::adaptive;
/// use routebound::topology::generate;
/// let registers = adaptive(&generate("kary(2,4)")?)?;
/// // [GO] Figure 1: switch 0 sends to node 4 over both of its ascending links, 2 and 3.
/// let labels: Vec<u32> = registers.switches[0].eligible(4).map(|port| port.label).collect();
/// assert_eq!(labels, [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The scheme of the registers.
    pub scheme: Scheme,
    /// k.
    pub arity: u32,
    /// n.
    pub stages: u32,
    /// The address of every host.
    pub addresses: Vec<u32>,
    /// All switches by ascending number.
    pub switches: Vec<SwitchRegisters>,
}

impl Registers {
    /// The registers that `ports` gives for every switch of the tree. O(ports).
    fn of(
        tree: KaryTree,
        scheme: Scheme,
        mut ports: impl FnMut(Switch) -> Result<Vec<PortRegisters>, RegistersError>,
    ) -> Result<Self, RegistersError> {
        tree.check_size()?;
        let registers = |switch| {
            let node = tree.node(switch).expect("every switch of the tree is a node");
            let ports = ports(switch)?;
            Ok(SwitchRegisters { node, switch, ports })
        };
        let switches: Result<Vec<_>, RegistersError> = tree.switches().map(registers).collect();
        Ok(Self {
            scheme,
            arity: tree.arity(),
            stages: tree.stages(),
            addresses: tree.hosts().map(|host| tree.address(host)).collect(),
            switches: switches?,
        })
    }

    /// Number of bits of an address, and of an MR: ⌈log2 k^n⌉.
    #[must_use]
    pub fn address_bits(&self) -> u32 {
        bits(index32(self.addresses.len()))
    }

    /// The number of a switch: its stage times k^{n−1} plus its place there.
    #[must_use]
    pub fn number(&self, switch: Switch) -> u32 {
        switch.stage * self.arity.pow(self.stages - 1) + switch.place
    }
}

/// Bits of the numbers below `hosts`, which is at least 2.
fn bits(hosts: u32) -> u32 {
    u32::BITS - (hosts - 1).leading_zeros()
}

/// The mask that selects all bits of the numbers below `hosts`.
fn all_bits(hosts: u32) -> u32 {
    u32::MAX >> (u32::BITS - bits(hosts))
}

/// Why there are no registers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum RegistersError {
    #[error(
        "`{topology}` is not a k-ary n-tree, on which these registers are defined: \
         {reason}; use kary(k,n)"
    )]
    NoKaryTree { topology: String, reason: String },
    #[error(
        "k = {k} of `{topology}` is not a power of 2: a mask register selects a component of the \
         destination by its bits, which a component has only then; use k = {below} or {above}, or \
         routing ecmp, whose intervals need no masks"
    )]
    NoBits { topology: String, k: u32, below: u32, above: u32 },
    #[error(
        "registers hold one path per pair, or with routing ecmp all shortest paths, and routing \
         `{0}` has several per pair"
    )]
    ManyPaths(String),
    #[error("registers know only the destination: {0}")]
    NotByDestination(#[source] Box<ForwardingError>),
    #[error(
        "routing `{routing}` needs more registers than FIR has: {node} would need {rows} rows of FI, \
         LI and MR for {ports} ports; use ecmp, or dmodk where k is a power of 2"
    )]
    TooFewRows {
        routing: String,
        /// The first switch where that is so.
        node: String,
        rows: Rows,
        ports: usize,
    },
    #[error(
        "it is unknown whether FIR has registers for routing `{routing}`: {node} needs \
         {rows} rows of FI, LI and MR for {ports} ports; use ecmp, or dmodk where k is a power of 2"
    )]
    Undecided {
        routing: String,
        /// The first switch where that is so.
        node: String,
        rows: Rows,
        ports: usize,
    },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

impl From<ForwardingError> for RegistersError {
    fn from(error: ForwardingError) -> Self {
        match error {
            ForwardingError::TooLarge(error) => error.into(),
            ForwardingError::Stopped(stopped) => stopped.into(),
            conflict @ ForwardingError::Conflict { .. } => {
                Self::NotByDestination(Box::new(conflict))
            }
        }
    }
}

/// Sizes of the registers of a tree, checked before anything is built.
fn check_size(arity: u32, switches: u64) -> Result<(), TooLarge> {
    let remedy = "choose a smaller tree";
    within("k of a tree with registers", Some(arity.into()), MAX_ARITY, remedy)?;
    let ports = u128::from(switches) * 2 * u128::from(arity);
    within("number of output ports with registers", Some(ports), MAX_PORTS, remedy)?;
    Ok(())
}
