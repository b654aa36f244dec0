//! REPETITA demand files, `.demands`.

use super::prelude::*;

pub(super) const KIND: Kind<Format> = Kind {
    name: "repetita",
    usage: "REPETITA (DEMANDS, then label src dest bw)",
    about: "one demand per line: label, source, destination, amount; nodes by number from 0",
    reference: "https://github.com/svissicchio/Repetita; Gay, Schaus and Vissicchio, 2017",
    examples: &["DEMANDS 2\nlabel src dest bw\ndemand_0 0 1 30036\ndemand_1 2 0 17\n"],
    build: Format {
        detect: |line| line.split_whitespace().next() == Some("DEMANDS"),
        extensions: &["repetita", "demands"],
        bare: &[],
        read,
    },
};

const COLUMNS: &str = "the line `label src dest bw`";

fn read(lines: &mut Lines, request: &Request) -> Result<Found> {
    request.check_only().map_err(|problem| lines.whole_fails(problem))?;
    let announced = match lines.words().nth(1) {
        Some(word) => Some(lines.integer(word, 0, u64::MAX, "a number of demands")?),
        None => None,
    };
    if !lines.advance_to_content('#')? {
        return Err(lines.fail(1, Problem::EndOfFile { expected: COLUMNS }));
    }
    if !lines.words().map(|word| word.text).eq(["label", "src", "dest", "bw"]) {
        return Err(lines.fail(1, Problem::syntax(lines.text(), COLUMNS)));
    }
    let last = request.hosts.count().saturating_sub(1) as u64;
    let mut demands = Vec::new();
    while lines.advance_to_content('#')? {
        let [_, s, d, amount] = lines.exactly("label, source, destination and amount")?;
        let host =
            |word| lines.integer(word, 0, last, "a node number").map(|n| host_number(as_size(n)));
        demands.push(Demand { s: host(s)?, d: host(d)?, amount: lines.amount(amount)? });
        TrafficMatrix::check_entries(demands.len() as u128)?;
    }
    match announced {
        Some(announced) if announced != demands.len() as u64 => {
            Err(lines.fail(1, Problem::Count { announced, found: demands.len() as u64 }))
        }
        _ => Found::list(request.hosts.count(), demands),
    }
}
