//! Traces from the schedules of other simulators, which list flows with their starts: connection matrices of htsim and
//! flows for ns-3. Times are rounded down to nanoseconds, and flows sorted by them.

use std::io::BufRead;

use super::error::{Problem, WorkloadError};
use super::trace::{Message, Trace, check_count};
use crate::import::traffic::{
    Flow, Hosts, Lines, Problem as InTraffic, ReadFlows, Request, Start, TrafficFileError,
};

/// The trace in `reader`, which errors call `path`, in a format that says when flows start.
///
/// # Errors
/// [`WorkloadError`]: what cannot be read, or the line that cannot be simulated.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::import::traffic::{Hosts, flows_of};
/// use routebound::simulation::workload::read_flows;
/// let text = "Nodes 2\nConnections 1\n0->1 id 1 start 5000 size 64\n";
/// let read = flows_of("incast.cm", text).ok_or("no flows")?;
/// let trace = read_flows("incast.cm", &mut text.as_bytes(), Hosts::Numbered(2), read)?;
/// // Starts of htsim are in picoseconds.
/// assert_eq!((trace.len(), trace.bytes(), trace.end()), (1, 64, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_flows(
    path: &str,
    reader: &mut dyn BufRead,
    hosts: Hosts,
    read: ReadFlows,
) -> Result<Trace, WorkloadError> {
    let fail = |line, problem| WorkloadError::Content { path: path.into(), line, problem };
    let mut lines = Lines::new(path, reader);
    lines.advance_to_content('#')?;
    let found = read(&mut lines, &Request { hosts, index: None }).map_err(of_trace)?;
    if let Some(line) = found.failure {
        let (what, remedy) = ("a failure of a link", "remove its line, and fail the link itself");
        return Err(fail(line, Problem::Unsupported { what, remedy }));
    }
    check_count(found.flows.len() as u128)?;
    let messages = found.flows.iter().map(|flow| {
        let message = message(flow).map_err(|problem| fail(flow.line, problem))?;
        Ok((message, flow.line))
    });
    let mut messages = messages.collect::<Result<Vec<_>, WorkloadError>>()?;
    messages.sort_by_key(|((time, _), _)| *time);
    let mut trace = Trace::empty(hosts.count());
    for ((time, message), line) in messages {
        trace.push(time, message).map_err(|problem| fail(line, problem.into()))?;
    }
    Ok(trace)
}

/// The error of a reader of traffic about a file that is read as a trace: what hosts are called is said in another way.
fn of_trace(error: TrafficFileError) -> WorkloadError {
    let TrafficFileError::Content { path, line, problem, .. } = &error else { return error.into() };
    let problem = match problem {
        InTraffic::NotCalled { name, example, .. } => {
            Problem::NotCalled { name: name.clone(), example: example.clone() }
        }
        InTraffic::ToItself { name, .. } => Problem::ToItself { name: name.clone() },
        _ => return error.into(),
    };
    WorkloadError::Content { path: path.as_str().into(), line: *line, problem }
}

/// A flow as a message, and its time.
fn message(flow: &Flow) -> Result<(u64, Message), Problem> {
    let syntax = |found: String, expected| Problem::Syntax { found, expected };
    let start = match &flow.start {
        Start::At(start) => start,
        Start::Triggered => {
            let what = "a connection that waits for a trigger";
            let remedy = "give it a start, or write dependencies as a GOAL schedule";
            return Err(Problem::Unsupported { what, remedy });
        }
        Start::Unsaid => {
            let expected = "`start` and a time in picoseconds";
            return Err(syntax("no start".into(), expected));
        }
    };
    // A time that does not fit is refused as a late one.
    let time = u64::try_from(start.floor()).unwrap_or(u64::MAX);
    let Some(size) = &flow.bytes else {
        return Err(syntax("no size".into(), "`size` and a number of bytes"));
    };
    let bytes = size
        .scaled(1)
        .ok_or_else(|| syntax(size.to_string(), "a number of bytes, an integer of at least 1"))?;
    Ok((time, Message { s: flow.s, d: flow.d, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::traffic::flows_of;
    use crate::topology::{self, Topology};

    /// What to write instead is what a reader of traces takes.
    #[test]
    fn numbers_are_names_where_hosts_are_called_by_them() {
        let mut graph = topology::generate("xgft(1;3;1)").unwrap().graph().clone();
        for (node, name) in graph.node_weights_mut().zip(["2", "3", "1"]) {
            node.name = name.into();
        }
        let star = Topology::new("star".into(), graph).unwrap();
        let open = |line: &str, hosts| {
            let text = format!("1\n{line} 3 100 9 0\n");
            read_flows("x", &mut text.as_bytes(), hosts, flows_of("x", &text).unwrap())
        };
        assert_eq!(open("1 2", Hosts::Of(&star)).unwrap().messages()[0].1.s, 2);
        assert_eq!(open("0 1", Hosts::Counted(&star)).unwrap().messages()[0].1.s, 0);
        for (line, says) in [
            ("0 1", "x, line 2: no host is called `0`"),
            ("1 1", "x, line 2: host `1` sends to itself"),
        ] {
            let said = open(line, Hosts::Of(&star)).unwrap_err().to_string();
            assert!(said.starts_with(says), "{said}");
            assert!(said.ends_with("read it as trace(hosts=index):FILE"), "{said}");
        }
    }
}
