//! Which send is for which receive.

use itertools::EitherOrBoth::{Both, Left, Right};
use itertools::Itertools as _;

use super::operations::{ALONE, Name, Numbering, Operation, Rank, numbered};
use super::program_error::ProgramError;
use crate::topology::Host;

/// A send or a receive. Sorted, the k-th send of two ranks and a tag stands where their k-th receive does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    from: Host,
    to: Host,
    tag: u32,
    /// Number of the operation.
    number: u32,
    bytes: u64,
}

impl End {
    fn message(self) -> (Host, Host, u32) {
        (self.from, self.to, self.tag)
    }
}

/// The operation at the other end of the message of each, by number, or [`ALONE`].
pub(super) fn partners(
    ranks: &[Rank],
    numbering: &Numbering,
    name: Name,
) -> Result<Vec<u32>, ProgramError> {
    let named = |end: End| name(numbering.place(end.number));
    let mut partners = vec![ALONE; numbering.count as usize];
    let [outgoing, awaited] = ends(ranks, numbering);
    for pair in outgoing.into_iter().zip_longest(awaited) {
        match pair {
            Both(send, receive) if send.message() == receive.message() => {
                if send.bytes != receive.bytes {
                    return Err(ProgramError::Sizes {
                        send: named(send),
                        sent: send.bytes,
                        receive: named(receive),
                        received: receive.bytes,
                    });
                }
                partners[send.number as usize] = receive.number;
                partners[receive.number as usize] = send.number;
            }
            Both(send, receive) if send.message() < receive.message() => {
                return Err(unreceived(send, named(send)));
            }
            Left(send) => return Err(unreceived(send, named(send))),
            Both(_, receive) | Right(receive) => {
                let End { from, to, tag, .. } = receive;
                return Err(ProgramError::NoSend { receive: named(receive), from, to, tag });
            }
        }
    }
    Ok(partners)
}

fn unreceived(End { from, to, tag, .. }: End, send: String) -> ProgramError {
    ProgramError::NoReceive { send, from, to, tag }
}

/// All sends and all receives, sorted.
fn ends(ranks: &[Rank], numbering: &Numbering) -> [Vec<End>; 2] {
    let (mut outgoing, mut awaited) = (Vec::new(), Vec::new());
    for (place, operation) in numbered(ranks) {
        let (rank, number) = (place.rank, numbering.number(place));
        match operation {
            Operation::Send { to, bytes, tag } => {
                outgoing.push(End { from: rank, to, tag, number, bytes });
            }
            Operation::Receive { from, bytes, tag } => {
                awaited.push(End { from, to: rank, tag, number, bytes });
            }
            Operation::Compute { .. } => {}
        }
    }
    outgoing.sort_unstable();
    awaited.sort_unstable();
    [outgoing, awaited]
}
