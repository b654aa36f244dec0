//! Every reason to refuse a certificate about jobs.

use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// Why a certificate about jobs is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadJobs {
    #[error("group {0} has fewer than two members, or one without an adapter")]
    Group(usize),
    #[error("a group names host {0} twice, or there is no such host")]
    Adapter(Host),
    #[error(
        "`used-by` names group {0} twice, there is no such group, or the claim is not on job-load"
    )]
    UsedBy(u32),
    #[error(
        "a claim on {0} needs a `loaded` record and no other claim on jobs has one, nor covers"
    )]
    Records(&'static str),
    #[error("a `send` record names members {0} and {1}, which are not two members of one group")]
    Send(u32, u32),
    #[error("member {0} sends twice, or receives twice")]
    Twice(u32),
    #[error("the members of group {0} do not send in one ring")]
    NoRing(usize),
    #[error("the loaded link {0} does not exist, or no pair of the groups of `used-by` uses it")]
    Loaded(LinkId),
    #[error("the rings load link {link} with {load}, the claim says {upper}", load = quote(.load), upper = quote(.upper))]
    RingTooHeavy { link: LinkId, load: Rational, upper: Rational },
    #[error("no member proves that every ring loads a link with {lower}: at most {proven}", proven = quote(.proven), lower = quote(.lower))]
    RingTooLight { proven: Rational, lower: Rational },
    #[error(
        "the cover of link {0} names a member that does not exist or is out of order, or has cuts or lengths"
    )]
    Cover(LinkId),
    #[error("link {link} carries {load} of what member {from} sends to {to}, which its cover does not cover", load = quote(.load))]
    Uncovered { link: LinkId, from: u32, to: u32, load: Rational },
}
