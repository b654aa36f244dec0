//! What an error advises, in words and as the remedies that they name.

#[cfg(feature = "analysis")]
mod remedy;

#[cfg(feature = "analysis")]
pub use remedy::Remedy;

/// Advice about an error, as the end of its message. It is the innermost cause of the error, where a program around
/// the library finds its remedies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct Advice {
    words: &'static str,
    #[cfg(feature = "analysis")]
    remedies: &'static [Remedy],
}

impl From<&'static str> for Advice {
    fn from(words: &'static str) -> Self {
        Self {
            words,
            #[cfg(feature = "analysis")]
            remedies: &[],
        }
    }
}
