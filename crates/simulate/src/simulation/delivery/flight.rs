//! Messages on their way in one delivery cycle, as networks carry them and loss rules choose among them.

/// Messages of one entry on their way through the switches in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Number of messages left, at least 1.
    pub count: u64,
    /// Destination, as the network numbers destinations.
    pub to: u32,
    /// Entry of the messages.
    pub entry: u32,
    /// The input of the switch that they have reached, in the order in which the switch has them.
    pub input: u32,
    /// Whether they are lost already, but still count where the analysis has them count.
    pub is_lost: bool,
}
