//! Selection functions (\[GO\] 5.1): which of the free links up a packet takes.
//!
//! A link is free when its output queue has a place and the crossbar does not fill it. Where no link is,
//! the packet waits for the first that becomes free. One file per function: to add one, add its file, its
//! `mod` line and its line in [`SELECTIONS`].

mod first_free;
mod least_loaded;
mod random;
mod sadp;

use crate::prelude::*;
use crate::registry::{self, UnknownName};

/// State of a switch when it chooses.
pub struct Choice<'a> {
    /// The links that are free, ascending by port, at least one.
    pub free: &'a [LinkId],
    /// The link that D-mod-k takes, on the way up.
    pub preferred: Option<LinkId>,
    /// Packets in the output queue of a link and, as far as credits tell, in the input queue beyond.
    pub load: &'a dyn Fn(LinkId) -> u32,
    /// Random numbers of the switch.
    pub random: &'a mut Stream,
}

/// A selection function.
pub trait Selection: Sync {
    /// Name of the selection function.
    fn name(&self) -> &'static str;

    /// The place of the link that is taken among those that are free.
    fn select(&self, choice: &mut Choice<'_>) -> usize;
}

/// Every selection function.
pub const SELECTIONS: &[Kind<&'static dyn Selection>] =
    &[first_free::KIND, sadp::KIND, random::KIND, least_loaded::KIND];

/// The selection function of a name.
///
/// # Errors
/// [`UnknownName`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::packet::select;
/// assert_eq!(select::find("SADP")?.reference, "[GO] 5.1");
/// # Ok::<(), routebound::registry::UnknownName>(())
/// ```
pub fn find(name: &str) -> Result<&'static Kind<&'static dyn Selection>, UnknownName> {
    let name = name.to_ascii_lowercase();
    registry::find(SELECTIONS, "adaptive routing", &name)
}

/// Whether `text` names a selection function.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::packet::select::is_named;
/// assert!(is_named("ff") && !is_named("dmodk"));
/// ```
#[must_use]
pub fn is_named(text: &str) -> bool {
    Spec::parse(text).is_ok_and(|spec| SELECTIONS.iter().any(|kind| kind.name == spec.name))
}
