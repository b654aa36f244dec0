//! Readers take time in proportion to what they read, whatever it is: twice as many marks that open something must
//! not take four times as long.

use std::time::{Duration, Instant};

use routebound::import::traffic::{Hosts, flows_of};
use routebound::simulation::workload::{read_flows, read_program, read_trace};

use super::targets::TARGETS;

/// What opens, separates or repeats something in some format.
const MARKS: &[&str] = &[
    "/*", "//", "<", "<a>", "[", "{", "(", "\"", "\\", "# \n", "&lt;", "a,", "0 ", "\n", "x\n", "-",
];

/// A reader: what it reads, how files begin, and how it reads one.
struct Reader<'r> {
    name: &'r str,
    begins: Vec<Vec<u8>>,
    read: &'r dyn Fn(&[u8]),
}

/// The time that a text takes which consists of a beginning and marks.
fn time(reader: &Reader, begin: &[u8], mark: &str, bytes: usize) -> Duration {
    let text = [begin, mark.repeat(bytes / mark.len()).as_bytes()].concat();
    let start = Instant::now();
    (reader.read)(&text);
    start.elapsed()
}

/// Sixteen times the bytes may take sixteen times as long, not 256 times; what takes less than a second may be noise.
fn grows_too_fast(short: Duration, long: Duration) -> bool {
    long > Duration::from_secs(1) && long > 64 * short.max(Duration::from_millis(1))
}

fn check(reader: &Reader) {
    // By default every mark comes after one of two beginnings, in the full tier after all.
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    for (at, begin) in reader.begins.iter().enumerate() {
        for mark in MARKS.iter().skip(at % step).step_by(step) {
            let [short, long] = [1 << 13, 1 << 17].map(|bytes| time(reader, begin, mark, bytes));
            assert!(
                !grows_too_fast(short, long),
                "{}: {short:?}, then {long:?} for `{mark}` after `{}`",
                reader.name,
                String::from_utf8_lossy(begin)
            );
        }
    }
}

/// The first lines of texts, each once.
fn begins(texts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let first = |text: Vec<u8>| {
        let end = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
        text[..end.min(200)].to_vec()
    };
    let mut begins: Vec<Vec<u8>> = texts.into_iter().map(first).collect();
    begins.push(Vec::new());
    begins.sort();
    begins.dedup();
    begins.truncate(if cfg!(feature = "slow-tests") { usize::MAX } else { 2 });
    begins
}

#[test]
fn readers_take_linear_time() {
    for target in TARGETS {
        let read = |text: &[u8]| _ = (target.read)(text);
        check(&Reader { name: target.verb, begins: begins((target.seeds)()), read: &read });
    }
    let program = |text: &[u8]| _ = read_program("x", &mut &*text, 9);
    let trace = |text: &[u8]| _ = read_trace("x", &mut &*text, Hosts::Numbered(9));
    let of = |text: &str| {
        vec![text.as_bytes().to_vec(), b"num_ranks 1\nrank 0 {\n".to_vec(), Vec::new()]
    };
    check(&Reader { name: "goal", begins: of("num_ranks 1\n"), read: &program });
    let read = flows_of("x.cm", "").unwrap();
    let flows = |text: &[u8]| _ = read_flows("x", &mut &*text, Hosts::Numbered(9), read);
    check(&Reader { name: "flows", begins: of("Nodes 2\nConnections 1\n"), read: &flows });
    check(&Reader { name: "trace", begins: of("source,destination,bytes\n"), read: &trace });
}

/// A reader that begins anew at every mark is noticed.
#[test]
fn quadratic_time_is_noticed() {
    assert!(grows_too_fast(Duration::from_millis(20), Duration::from_secs(5)));
    assert!(!grows_too_fast(Duration::from_millis(90), Duration::from_millis(1500)));
}
