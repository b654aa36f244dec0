//! The checker with the generators of this crate: it knows all names that certificates may have.
//!
//! Everything else is that of [`routebound_proof::checker`], which says what must be trusted, and whose `check` and
//! `check_text` know no names. What differs from the usual is said to [`Check::new`] with [`Named`].
//!
//! ```
//! # use routebound_networks as routebound;
//! use routebound::generators::{Named, checker::{Check, Refusal}};
//! use routebound::{certificate::Certificate, progress::{Progress, Stop}};
//! let text = "routebound-certificate 1
//! topology ft(4,2)
//! claim optu 1 1
//! demand 0 7 1
//! route even
//! length 0 1
//! end
//! ";
//! let certificate: Certificate = text.parse()?;
//! let stop = Stop::default();
//! let progress = Progress::silent().stopped_by(stop.clone());
//! let check = Check::new(&Named).progress(&progress);
//! assert_eq!(check.run(&certificate)?[0].quantity, "optu");
//! stop.request();
//! assert!(matches!(check.run(&certificate), Err(Refusal::Stopped(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::checker::*;

use super::Named;
use crate::certificate::Certificate;

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
    Check::new(&Named).run(certificate)
}

/// Reads a certificate from its text and checks it, as [`check`].
///
/// # Errors
/// [`TextError`] when the text is not a certificate or the checker refuses it.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::generators::checker::{BadTree, Refusal, TextError, check_text};
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
/// assert!(matches!(refused, Err(TextError::Refused(Refusal::Tree(BadTree::Instance(_))))));
/// # Ok::<(), TextError>(())
/// ```
pub fn check_text(text: &str) -> Result<Vec<Accepted>, TextError> {
    Check::new(&Named).run_text(text)
}
