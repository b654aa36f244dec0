//! Every reason to refuse a certificate about failures.

use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// Why a certificate about failures is refused. Elements are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadFailures {
    #[error("1 or 2 elements may fail together, not {0}")]
    Most(u32),
    #[error("there is no element that may fail")]
    NoElement,
    #[error("element {0} names a link that does not exist or is out of order")]
    Links(usize),
    #[error("element {0} has the links of an earlier one")]
    Repeated(usize),
    #[error(
        "the set {0:?} has too many elements, one that does not exist, or elements out of order"
    )]
    Set(Vec<u32>),
    #[error("the loaded link {0} does not exist, or is gone")]
    Loaded(LinkId),
    #[error("the traffic has a pair, ({s},{d}), that sends nothing where these elements fail")]
    Silent { s: Host, d: Host },
    #[error("`next` needs one path for every pair, without repeated links: ({s},{d}) has others")]
    ManyPaths { s: Host, d: Host },
    #[error("`next` is a rule by the numbers of links: there may be no `automorphism`")]
    Symmetry,
    #[error("automorphism {number} takes element {element} to no element")]
    Image { number: usize, element: usize },
    #[error(
        "the `failed` record of set {0:?} is out of order, of the empty set, or of one like an earlier one"
    )]
    Record(Vec<u32>),
    #[error("the cover of link {link} in set {set:?} is repeated, or of a link that is gone")]
    Cover { set: Vec<u32>, link: LinkId },
    #[error(
        "in set {set:?} link {link} carries {share} of pair ({s},{d}), which its cover does not cover",
        share = crate::quote::quote(.share)
    )]
    Uncovered { set: Vec<u32>, link: LinkId, s: Host, d: Host, share: Rational },
    #[error("no cover proves that link {link} is loaded no more than stated in set {set:?}")]
    Unbounded { set: Vec<u32>, link: LinkId },
}
