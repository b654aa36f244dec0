//! Checking a certificate from its text.

use super::{Accepted, Check, NoNames, Refusal};
use crate::certificate::ReadError;

/// Why a text proves nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum TextError {
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Reads a certificate from its text and checks it, as [`check`](crate::checker::check).
///
/// # Errors
/// [`TextError`] when the text is not a certificate or the checker refuses it.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::checker::{Refusal, TextError, check_text};
/// // One unit of traffic over the two links between two hosts, of which either has capacity 1.
/// let text = "routebound-certificate 1
/// hosts 2
/// nodes 2
/// link 0 1 1
/// link 1 0 1
/// claim optu 1 1
/// demand 0 1 1
/// route even
/// length 0 1
/// end
/// ";
/// let accepted = check_text(text)?;
/// assert_eq!(accepted[0].to_string(), "optu = 1");
/// let refused = check_text(&text.replace("claim optu 1 1", "claim optu 2 2"));
/// assert!(matches!(refused, Err(TextError::Refused(Refusal::LengthsTooShort { .. }))));
/// assert!(matches!(check_text("anything"), Err(TextError::Unreadable(_))));
/// # Ok::<(), TextError>(())
/// ```
pub fn check_text(text: &str) -> Result<Vec<Accepted>, TextError> {
    Check::new(&NoNames).run_text(text)
}
