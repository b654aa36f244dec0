//! Packet traces of BookSim 2: four numbers per packet: cycles since the previous packet, source,
//! destination and type; a negative type means no packet.
//!
//! Nothing in the file identifies the format but the extension `.booksim`; other files need
//! `file(format=booksim):PATH`. A packet is a demand of 1, whatever its cycle and type.

use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "booksim",
    usage: "BookSim 2 trace, .booksim or file(format=booksim):PATH",
    about: "one packet per line: delay, source, destination, type; every packet is a demand of 1",
    reference: "https://github.com/booksim/booksim2, src/workload.cpp",
    examples: &["0 0 5 0\n0 5 0 0\n1 0 5 0"],
    // Rows of four numbers look the same.
    build: Format { detect: |_| false, extensions: &["booksim"], bare: &[4], read },
};

/// Largest number that the simulator reads.
const INT: u64 = i32::MAX as u64;

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let last = request.hosts.count().saturating_sub(1) as u64;
    let mut demands = Vec::new();
    let mut more = !lines.text().trim().is_empty();
    while more {
        let [delay, s, d, kind] = lines.exactly("delay, source, destination and type")?;
        lines.integer(delay, 0, INT, "a number of cycles")?;
        let host =
            |word| lines.integer(word, 0, last, "a node number").map(|n| host_number(as_size(n)));
        let (s, d) = (host(s)?, host(d)?);
        let real = kind.text.parse::<i32>();
        let real = real.map_err(|_| {
            lines.fail(kind.column, Problem::syntax(kind.text, "the type of the packet"))
        })?;
        if real >= 0 {
            demands.push(Demand { s, d, amount: Rational::ONE });
            TrafficMatrix::check_entries(demands.len() as u128)?;
        }
        more = false;
        while !more && lines.advance()? {
            more = !lines.text().trim().is_empty();
        }
    }
    Found::list(request.hosts.count(), demands)
}
