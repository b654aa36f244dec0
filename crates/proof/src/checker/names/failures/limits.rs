//! How much is looked at.

/// Maximum number of elements, of links in all of them, and of sets.
pub(super) const ELEMENTS: u64 = 1 << 16;
pub(super) const LINKS: u64 = 1 << 22;
pub(super) const SETS: u64 = 1 << 22;

/// Maximum of automorphisms times sets.
pub(super) const IMAGES: u64 = 1 << 28;

/// Maximum number of links of broken pairs, and of broken pairs, that are held, 16 bytes each.
pub(super) const USES: u64 = 1 << 27;

/// What to do about more.
pub(super) const REMEDY: &str = "let fewer fail, or among fewer";
