//! Every reason to refuse a certificate about jobs.

use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// Why a certificate about jobs is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadJobs {
    /// A group that nothing can be sent in.
    #[error("group {0} has fewer than two members, or one without an adapter")]
    Group(usize),
    /// An adapter that is no host, or that two members have.
    #[error("a group names host {0} twice, or there is no such host")]
    Adapter(Host),
    /// Groups to look at that do not exist, or none that could be meant.
    #[error(
        "`used-by` names group {0} twice, there is no such group, or the claim is not on job-load"
    )]
    UsedBy(u32),
    /// A record that the claim needs, or one that means nothing for it.
    #[error(
        "a claim on {0} needs a `loaded` record and no other claim on jobs has one, nor covers"
    )]
    Records(&'static str),
    /// Traffic between members of different groups, or of a member with itself.
    #[error("a `send` record names members {0} and {1}, which are not two members of one group")]
    Send(u32, u32),
    /// A member that sends, or receives, twice.
    #[error("member {0} sends twice, or receives twice")]
    Twice(u32),
    /// Members that do not form a ring.
    #[error("the members of group {0} do not send in one ring")]
    NoRing(usize),
    /// A loaded link that does not exist, or that no pair of the groups in question uses.
    #[error("the loaded link {0} does not exist, or no pair of the groups of `used-by` uses it")]
    Loaded(LinkId),
    /// A link that the rings load more than the claim says.
    #[error("the rings load link {link} with {load}, the claim says {upper}", load = quote(.load), upper = quote(.upper))]
    RingTooHeavy {
        /// The link.
        link: LinkId,
        /// Its load.
        load: Rational,
        /// What the claim says.
        upper: Rational,
    },
    /// A lower bound on all rings that no member proves.
    #[error("no member proves that every ring loads a link with {lower}: at most {proven}", proven = quote(.proven), lower = quote(.lower))]
    RingTooLight {
        /// What members prove.
        proven: Rational,
        /// What the claim says.
        lower: Rational,
    },
    /// A cover with something else than members in ascending order.
    #[error(
        "the cover of link {0} names a member that does not exist or is out of order, or has cuts or lengths"
    )]
    Cover(LinkId),
    /// A cover that leaves out a pair of members.
    #[error("link {link} carries {load} of what member {from} sends to {to}, which its cover does not cover", load = quote(.load))]
    Uncovered {
        /// The link.
        link: LinkId,
        /// The member that sends.
        from: u32,
        /// The member that receives.
        to: u32,
        /// What the link carries of it.
        load: Rational,
    },
}
