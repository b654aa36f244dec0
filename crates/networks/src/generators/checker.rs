//! The checker with the generators of this crate: it knows all names that certificates may have.
//!
//! Everything is that of [`crate::checker`], whose `check` and the like take the generators as an
//! argument.

use std::path::Path;

pub use crate::checker::*;

use super::Named;
use crate::certificate::Certificate;
use crate::progress::Progress;

/// Checks a certificate and returns the claims that it proves.
///
/// # Errors
/// [`Refusal`], the first reason found not to trust it.
///
/// O(N²·path length + size of the certificate).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::certificate;
/// use routebound::generators::checker;
/// let named = "routebound-certificate 1
/// topology ft(4,2)
/// claim optu 1 1
/// demand 0 7 1
/// route even
/// length 0 1
/// end
/// ";
/// let accepted = checker::check(&certificate::read(named.as_bytes())?)?;
/// assert_eq!(accepted[0].upper.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(certificate: &Certificate) -> Result<Vec<Accepted>, Refusal> {
    crate::checker::check(certificate, &Named)
}

/// The same; files that the certificate names are in `folder`.
///
/// # Errors
/// As [`check`].
pub fn check_in(certificate: &Certificate, folder: &Path) -> Result<Vec<Accepted>, Refusal> {
    crate::checker::check_in(certificate, &Named, folder)
}

/// The same, as long as `progress` allows.
///
/// # Errors
/// As [`check`]; [`Refusal::Stopped`] says nothing about the certificate.
pub fn check_until(
    certificate: &Certificate,
    folder: &Path,
    progress: &Progress,
) -> Result<Vec<Accepted>, Refusal> {
    crate::checker::check_until(certificate, &Named, folder, progress)
}

/// The same where a refutation is known to be accepted: it is not checked again when the
/// certificate contains it, word for word, in the same folder.
///
/// # Errors
/// As [`check_until`].
pub fn check_knowing(
    certificate: &Certificate,
    folder: &Path,
    known: Option<&Refuted>,
    progress: &Progress,
) -> Result<Vec<Accepted>, Refusal> {
    crate::checker::check_knowing(certificate, &Named, folder, known, progress)
}

/// Reads a certificate from its text and checks it, as [`check`].
///
/// # Errors
/// [`TextError`] when the text is not a certificate or the checker refuses it.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::generators::checker::{Refusal, TextError, check_text};
/// let text = "routebound-certificate 1
/// topology ft(4,2)
/// claim optu 1 1
/// demand 0 7 1
/// route even
/// length 0 1
/// end
/// ";
/// assert_eq!(check_text(text)?[0].quantity, "optu");
/// let refused = check_text(&text.replace("ft(4,2)", "ft(5,2)"));
/// assert!(matches!(refused, Err(TextError::Refused(Refusal::Instance(_)))));
/// # Ok::<(), TextError>(())
/// ```
pub fn check_text(text: &str) -> Result<Vec<Accepted>, TextError> {
    crate::checker::check_text(text, &Named)
}
