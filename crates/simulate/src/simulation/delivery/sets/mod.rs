//! Families of message sets, most of them drawn by number of messages: what traffic patterns, which say
//! how much every pair has, do not describe.

mod hot;
mod leaving;
mod local;
mod scaled;
mod step;
mod uniform;

pub use scaled::with_load_factor;

use super::{DeliveryError, Messages};
use crate::prelude::*;
use crate::registry::{self, UnknownName};
use crate::spec::{Seeded, SpecError};
use crate::traffic::{self, TrafficError};

/// The hosts that messages are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Number of processors: hosts 0 to n − 1.
    pub processors: usize,
    /// The host that stands for the outside world, where there is one.
    pub outside: Option<Host>,
}

/// Why there is no such set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SetError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0}")]
    Unknown(#[from] UnknownName),
    #[error(transparent)]
    Traffic(#[from] TrafficError),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Messages(Box<DeliveryError>),
    #[error("messages that leave the tree need an outside world: use universal(n,root=open)")]
    NoOutside,
    #[error("there are no messages among {processors} processors: at least 2 are needed")]
    NoPairs { processors: usize },
}

impl From<DeliveryError> for SetError {
    fn from(error: DeliveryError) -> Self {
        Self::Messages(Box::new(error))
    }
}

/// Draws a set from its spec.
pub type Build = fn(&Spec, Ends) -> Result<Messages, SetError>;

/// Every family. All examples fit 256 processors.
pub const SETS: &[Kind<Build>] =
    &[uniform::KIND, local::KIND, hot::KIND, leaving::KIND, step::KIND];

/// Whether `spec` names a family.
#[must_use]
pub fn is_named(spec: &str) -> bool {
    Spec::parse(spec).is_ok_and(|spec| SETS.iter().any(|kind| kind.name == spec.name))
}

/// The set that `spec` describes, and its canonical spec.
///
/// # Errors
/// [`SetError`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::sets::{Ends, draw};
/// let ends = Ends { processors: 16, outside: None };
/// let (messages, spec) = draw("messages(count=1000)", ends)?;
/// assert_eq!((messages.total(), spec.as_str()), (1000, "messages(count=1000,seed=1)"));
/// # Ok::<(), routebound::simulation::delivery::sets::SetError>(())
/// ```
pub fn draw(spec: &str, ends: Ends) -> Result<(Messages, String), SetError> {
    let (mut spec, kind) = registry::parse::<_, SetError>(SETS, "message set", spec)?;
    let processors = ends.processors;
    if processors < 2 {
        return Err(SetError::NoPairs { processors });
    }
    let messages = (kind.build)(&spec, ends)?;
    spec.show("seed");
    Ok((messages, spec.to_string()))
}

/// The messages of a family or of a traffic pattern among the processors, and their canonical spec.
///
/// # Errors
/// [`SetError`].
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::sets::{Ends, open};
/// let ends = Ends { processors: 16, outside: None };
/// assert_eq!(open("shift(8)", ends)?.0.total(), 16);
/// assert_eq!(open("messages(count=9)", ends)?.0.total(), 9);
/// # Ok::<(), routebound::simulation::delivery::sets::SetError>(())
/// ```
pub fn open(spec: &str, ends: Ends) -> Result<(Messages, String), SetError> {
    if is_named(spec) {
        return draw(spec, ends);
    }
    let name = traffic::canonical(spec)?;
    let messages = match traffic::regular(spec, ends.processors)? {
        Some(products) => Messages::of(&products)?,
        None => Messages::of(traffic::generate(spec, ends.processors)?.demands())?,
    };
    Ok((messages, name))
}

#[derive(Deserialize)]
struct Counted {
    count: Option<u64>,
}

/// The option `count`, by default one message for every processor.
fn count(spec: &Spec, ends: Ends) -> Result<u64, SetError> {
    let Counted { count } = spec.read()?;
    let count = count.unwrap_or(ends.processors as u64);
    within("number of messages", Some(count.into()), super::MAX_PAIRS, "send fewer messages")?;
    Ok(count)
}

/// The random numbers of a set.
fn random(spec: &Spec) -> Result<Stream, SetError> {
    let Seeded { seed } = spec.read()?;
    Ok(Streams::new(seed).at(0))
}

/// A processor.
fn any(processors: usize, random: &mut Stream) -> Host {
    random.random_range(0..host_number(processors))
}

/// A processor from `first` on, among `among`, other than `s`, which is one of them.
fn other(s: Host, first: Host, among: usize, random: &mut Stream) -> Host {
    let d = first + random.random_range(0..host_number(among) - 1);
    if d < s { d } else { d + 1 }
}

#[cfg(test)]
mod tests;
