//! Sizes are checked before work begins; this is the error for one that is too large.
//!
//! A limit loses no bounds: where a link is too large to search, or a certificate too large to write or check, what is
//! known is kept as a claim, and a note names the limit.

use crate::advice::Advice;

/// A request larger than a stated limit. The command line ends with exit code 3 on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {size}, above the limit of {limit}: {remedy}")]
pub struct TooLarge {
    /// The measured quantity, with its unit.
    pub what: String,
    /// Size of that quantity, as text: it may not fit an integer.
    pub size: String,
    /// The limit.
    pub limit: u64,
    /// Advice to the user.
    #[source]
    pub remedy: Advice,
}

/// `size` when it is known and within `limit`, otherwise the error.
///
/// # Errors
/// [`TooLarge`] when `size` is `None` (it overflowed) or above `limit`.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::limit::within;
/// assert_eq!(within("number of hosts", Some(8), 10, "use a smaller tree"), Ok(8));
/// assert!(within("number of hosts", None, 10, "use a smaller tree").is_err());
/// ```
pub fn within(
    what: &str,
    size: Option<u128>,
    limit: u64,
    remedy: impl Into<Advice>,
) -> Result<u64, TooLarge> {
    let fits = size.and_then(|size| u64::try_from(size).ok()).filter(|size| *size <= limit);
    fits.ok_or_else(|| TooLarge {
        what: what.to_string(),
        size: size.map_or_else(|| "more than 2^128".to_string(), |size| size.to_string()),
        limit,
        remedy: remedy.into(),
    })
}
