//! Traces of disks: who talks to whom, how often, how large, how bursty, and what is refused.

use super::*;
use crate::topology::Host;

fn drawn(spec: &str) -> Trace {
    generate(spec, 128).unwrap().0
}

/// Requests and answers by disk, in the order in which they are sent.
fn by_disk(trace: &Trace, disks: &[Host]) -> Vec<[Vec<(u64, Host, u64)>; 2]> {
    let mut found = vec![[vec![], vec![]]; disks.len()];
    for (time, message) in trace.messages() {
        let place = |host| disks.iter().position(|disk| *disk == host);
        match (place(message.s), place(message.d)) {
            (None, Some(disk)) => found[disk][0].push((*time, message.s, message.bytes)),
            (Some(disk), None) => found[disk][1].push((*time, message.d, message.bytes)),
            other => panic!("{other:?}"),
        }
    }
    found
}

/// ⌊j·128/23⌋.
fn spread() -> Vec<Host> {
    (0..23).map(|disk| disk * 128 / 23).collect()
}

#[test]
fn every_request_is_answered_in_its_turn() {
    let trace = drawn("disks(requests=3000)");
    assert_eq!((trace.len(), trace.hosts()), (6000, 128));
    for [requests, answers] in by_disk(&trace, &spread()) {
        assert_eq!(requests.len(), answers.len());
        let mut free = 0;
        for ((asked, from, request), (answered, to, answer)) in requests.into_iter().zip(answers) {
            assert_eq!(from, to);
            // Served from when it is sent and the disk is free, in 5 to 15 ms.
            let service = answered - asked.max(free);
            assert!((5_000_000..15_000_000).contains(&service), "{service}");
            free = answered;
            assert!([(64, 8192), (8192, 64), (1024, 64)].contains(&(request, answer)));
        }
    }
}

/// How many requests an incoming request finds at its disk, on average.
fn queue(trace: &Trace) -> f64 {
    let (mut found, mut count) = (0, 0);
    for [requests, answers] in by_disk(trace, &spread()) {
        for (at, (asked, ..)) in requests.iter().enumerate() {
            // A disk answers in the order of the requests.
            found += at - answers.partition_point(|(answered, ..)| answered <= asked);
            count += 1;
        }
    }
    f64::from(u32::try_from(found).unwrap()) / f64::from(count)
}

/// As long as in the traces of 1992, "from 1.7 to 8.9"; hardly any without bursts.
#[test]
fn queues_are_as_long_as_in_measured_traces() {
    let bursts = queue(&drawn("disks(requests=40000)"));
    assert!((5.5..8.5).contains(&bursts), "{bursts}");
    let single = queue(&drawn("disks(requests=40000,burst=1)"));
    assert!(single < 0.5, "{single}");
    let long = queue(&drawn("disks(requests=40000,burst=20)"));
    assert!((14.5..15.5).contains(&long), "{long}");
}

/// Expected numbers of 40,000 requests, in some 5,000 bursts.
#[test]
fn shares_are_as_asked_for() {
    let trace = drawn("disks(requests=40000)");
    let by_disk = by_disk(&trace, &spread());
    let requests: Vec<_> = by_disk.iter().flat_map(|[requests, _]| requests).collect();
    let share = |bytes| requests.iter().filter(|(.., b)| *b == bytes).count() as f64 / 40_000.0;
    // Standard deviations are below 0.0025.
    assert!((share(64) - 0.43).abs() < 0.01);
    assert!((share(1024) - 0.57 * 0.7).abs() < 0.01);
    assert!((share(8192) - 0.57 * 0.3).abs() < 0.01);
    // Of 1 + 1/2 + … + 1/23 = 3.734, in bursts: a standard deviation of 0.01.
    let first = by_disk[0][0].len() as f64 / 40_000.0;
    assert!((first - 1.0 / 3.734).abs() < 0.05, "{first}");
    assert!(by_disk[0][0].len() > 4 * by_disk[22][0].len());
    // 200 a second, with a standard deviation of 4.
    let last = requests.iter().map(|(time, ..)| *time).max().unwrap();
    let rate = 40_000.0 / (last as f64 / 1e9);
    assert!((rate - 200.0).abs() < 20.0, "{rate}");
}

/// Squared coefficient of variation of the times between requests of a host: 1 for a Poisson process.
fn variation(trace: &Trace, host: Host) -> f64 {
    let times = trace.messages().iter().filter(|(_, m)| m.s == host).map(|(time, _)| *time as f64);
    let times: Vec<f64> = times.collect();
    let gaps: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let square = gaps.iter().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>();
    square / gaps.len() as f64 / (mean * mean)
}

#[test]
fn bursts_are_bursty_and_single_requests_are_not() {
    // Of the pause P and gap g, with probabilities 1/20 and 19/20: about 2·20 − 1 where g is short.
    let spec = "disks(requests=20000,hosts=1,rate=2,disks=1,burst=20";
    let bursty = variation(&drawn(&format!("{spec})")), 1);
    assert!((25.0..50.0).contains(&bursty), "{bursty}");
    let poisson = variation(&drawn("disks(requests=20000,hosts=1,rate=2,disks=1,burst=1)"), 1);
    assert!((0.9..1.1).contains(&poisson), "{poisson}");
}

#[test]
fn hosts_are_where_they_should_be() {
    let used = |spec: &str| {
        let trace = drawn(spec);
        let all: std::collections::BTreeSet<Host> =
            trace.messages().iter().map(|(_, message)| message.s).collect();
        all.into_iter().collect::<Vec<_>>()
    };
    let first = "disks(requests=4000,disks=3,hosts=4,place=first)";
    assert_eq!(used(first), [0, 1, 2, 3, 4, 5, 6]);
    // Disks at 0, 42 and 85.
    let spread = "disks(requests=4000,disks=3,hosts=4)";
    assert_eq!(used(spread), [0, 1, 2, 3, 4, 42, 85]);
    assert_eq!(used("disks(requests=40000,skew=0)").len(), 128);
}

/// Traces are equal on every platform: numbers come from a seed, logarithms from `libm`.
#[test]
fn a_seed_gives_the_same_trace() {
    for kind in TRACES {
        for example in kind.examples {
            let (trace, spec) = generate(example, 128).unwrap();
            assert_eq!(generate(&spec, 128).unwrap(), (trace.clone(), spec.clone()));
            let other = generate(&spec.replace("seed=", "seed=9"), 128).unwrap().0;
            assert_ne!(other, trace);
        }
    }
    let trace = drawn("disks(requests=5,burst=20)");
    let first: Vec<_> = trace.messages().iter().take(3).collect();
    assert_eq!(format!("{first:?}"), GOLDEN);
}

const GOLDEN: &str = "[(585776788, Message { s: 67, d: 0, bytes: 8192 }), \
                      (594801644, Message { s: 0, d: 67, bytes: 64 }), \
                      (597319993, Message { s: 67, d: 0, bytes: 8192 })]";

#[test]
fn what_cannot_be_is_refused() {
    for (spec, says) in [
        ("disks(disks=0)", "`disks=0` must be at least 1"),
        ("disks(disks=128)", "128 disks and 1 other hosts need a host each"),
        ("disks(hosts=106)", "does not fit 128 hosts: 23 disks and 106 other hosts"),
        ("disks(disks=18446744073709551615)", "need a host each"),
        ("disks(place=last)", "`place=last` is not one of spread, first"),
        ("disks(rate=0)", "rate is 0.000000001 to 1000000000, found 0"),
        ("disks(rate=fast)", "`rate=fast` is not a number such as 0.25"),
        ("disks(rate=30000)", "bursts last longer than the time until the next"),
        ("disks(rate=0.00001)", "time of a message in ns is"),
        ("disks(burst=0)", "burst is 1 to 1048576, found 0"),
        ("disks(reads=101)", "reads is 0 to 100, found 101"),
        ("disks(size=0)", "size is 1 to 68719476736, found 0"),
        ("disks(requests=8388609)", "number of messages of a trace is 16777218, above"),
        ("disks(count=3)", "unknown option `count`"),
        ("disk", "did you mean `disks`?"),
    ] {
        let error = generate(spec, 128).unwrap_err().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
    assert!(generate("disks(disks=1)", 0).is_err());
}
