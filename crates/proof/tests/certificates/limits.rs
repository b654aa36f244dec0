//! Sizes: what is within a limit is judged, what is beyond it is not.

use std::io::{BufReader, Read, repeat};

use routebound_proof::certificate::{self, ReadError};

use super::fate::OPTIMUM;
use super::{Fate, PARALLEL, changed, fate};

/// The message about the text beyond a limit; the same text within it is judged.
fn beyond(within: &[(&str, &str)], above: &[(&str, &str)]) -> String {
    let judged = fate(changed(PARALLEL, within).as_bytes());
    assert!(!matches!(judged, Fate::TooLarge(_)), "{within:?}: {judged:?}");
    match fate(changed(PARALLEL, above).as_bytes()) {
        Fate::TooLarge(text) => text,
        other => panic!("{above:?}: {other:?}"),
    }
}

#[test]
fn integers_and_digits() {
    let said = beyond(
        &[("path 0 1 1 0", "path 0 1 1 4294967295")],
        &[("path 0 1 1 0", "path 0 1 1 4294967296")],
    );
    assert!(
        said.contains("integer in line 7 is 4294967296, above the limit of 4294967295"),
        "{said}"
    );
    let upper = |digits: usize| format!("claim oblivious-ratio 2 {}", "9".repeat(digits));
    let claim = "claim oblivious-ratio 2 2";
    assert_eq!(fate(changed(PARALLEL, &[(claim, &upper(200))]).as_bytes()), Fate::Accepted);
    let said = beyond(&[(claim, &upper(200))], &[(claim, &upper(201))]);
    assert!(said.contains("digits of a number in line 9 is 201, above the limit of 200"), "{said}");
    let part = format!("claim oblivious-ratio 1/{} 2", "1".repeat(201));
    assert!(beyond(&[], &[(claim, &part)]).contains("201"));
    let endless = format!("path 0 1 1 {}", "9".repeat(5000));
    assert!(beyond(&[], &[("path 0 1 1 0", &endless)]).len() < 200);
}

#[test]
fn hosts_and_nodes() {
    let hosts = ("hosts 2\nnodes 2", "hosts 65536\nnodes 65536");
    let said = beyond(&[hosts], &[("hosts 2\nnodes 2", "hosts 65537\nnodes 65537")]);
    assert!(said.contains("number of hosts is 65537"), "{said}");
    let said = beyond(&[("nodes 2", "nodes 1000")], &[("nodes 2", "nodes 4194305")]);
    assert!(said.contains("number of nodes"), "{said}");
    for few in ["hosts 0", "hosts 1", "hosts 3"] {
        let refused = fate(changed(PARALLEL, &[("hosts 2", few)]).as_bytes());
        assert!(matches!(refused, Fate::Refused(text) if text.contains("and 2 nodes")));
    }
}

#[test]
fn lengths_of_covers() {
    let cover = |length: String| format!("cover 0 s 0 l 1:{length}");
    let (bits, more) = (1_u128 << 119, 1_u128 << 120);
    let (from, claim) = ("cover 0 s 0", ("2 2", "2 9999999999999999999999999999999999999999"));
    for (within, above) in [
        (cover(format!("1/{bits}")), cover(format!("1/{more}"))),
        (cover(format!("{}", more - 1)), cover(format!("{more}"))),
        // The sum of two.
        (cover(format!("{bits} 2:{}", bits - 1)), cover(format!("{bits} 2:{bits}"))),
    ] {
        let judged = changed(PARALLEL, &[(from, &within), claim]);
        assert_eq!(fate(judged.as_bytes()), Fate::Accepted);
        let said = beyond(&[(from, &within)], &[(from, &above), claim]);
        assert!(said.contains("in bits, is 121, above the limit of 120"), "{said}");
    }
}

/// Many paths of one pair, over links 0 and 1 in turn, whose shares 1/(10^199 + 10·i + 7) have
/// almost no common factors in their denominators: each makes the sum about 661 bits longer.
pub fn coprime_shares(count: usize) -> String {
    let path = |i: usize| format!("path 0 1 1/1{:0198}{} {}\n", i, 7, i % 2);
    let paths: String = (0..count).map(path).collect();
    changed(PARALLEL, &[("path 0 1 1 0\n", &paths)])
}

#[test]
fn denominators_of_sums() {
    // 90 · 661 bits are within 2^16, 105 · 661 are not.
    let judged = fate(coprime_shares(90).as_bytes());
    assert!(matches!(&judged, Fate::Refused(text) if text.contains("the shares of (0,1)")));
    let Fate::TooLarge(said) = fate(coprime_shares(105).as_bytes()) else { panic!("no limit") };
    assert!(said.contains("denominator of a sum, in bits,"), "{said}");
    assert!(said.contains("above the limit of 65536"), "{said}");
}

#[test]
fn lengths_of_links() {
    let with = |a: &str, b: &str| {
        fate(changed(OPTIMUM, &[("length 0 1", a), ("length 1 1", b)]).as_bytes())
    };
    assert_eq!(with("length 0 1", "length 1 1"), Fate::Accepted);
    assert_eq!(with("length 0 2199023255552", "length 1 2199023255552"), Fate::Accepted);
    assert!(matches!(with("length 0 2199023255553", "length 1 1"), Fate::TooLarge(_)));
    assert!(matches!(with("length 0 18446744073709551616", "length 1 1"), Fate::TooLarge(_)));
    for (a, b, reason) in [
        ("length 0 0", "length 1 0", "prove optu ≥ 0 only"),
        ("length 0 1\nlength 0 1", "length 1 1", "length of link 0 is repeated"),
        ("length 0 0\nlength 0 1", "length 1 1", "length of link 0 is repeated"),
        ("length 0 1", "length 2 1", "length of link 2 is repeated, or there is no such link"),
    ] {
        let found = with(a, b);
        assert!(matches!(&found, Fate::Refused(text) if text.contains(reason)), "{a}: {found:?}");
    }
    let lower = |lower: &str| fate(OPTIMUM.replace("optu 1 1", lower).as_bytes());
    assert_eq!(lower("optu 0 3/2"), Fate::Accepted);
    assert!(matches!(lower("optu 2 1"), Fate::Refused(text) if text.contains("lower bound above")));
    // No traffic proves nothing, whatever the lengths.
    let empty = fate(changed(OPTIMUM, &[("demand 0 1 2\n", "")]).as_bytes());
    assert!(matches!(empty, Fate::Refused(text) if text.contains("no demand")));
}

/// A chain of `hops` hops of two parallel links has 2^hops shortest paths.
#[test]
fn shortest_paths_are_counted_within_128_bits() {
    let chain = |hops: u32| {
        let node = |at: u32| {
            if at == 0 {
                0
            } else if at == hops {
                1
            } else {
                at + 1
            }
        };
        let links =
            (0..hops).map(|at| format!("link {0} {1} 1\nlink {0} {1} 1\n", node(at), node(at + 1)));
        let lengths = "length 0 1\nlength 1 1\n";
        format!(
            "routebound-certificate 1\nhosts 2\nnodes {}\n{}claim optu 1 1\ndemand 0 1 2\nroute even\n\
             {lengths}end\n",
            hops + 1,
            links.collect::<String>()
        )
    };
    assert_eq!(fate(chain(127).as_bytes()), Fate::Accepted);
    assert!(matches!(fate(chain(128).as_bytes()), Fate::TooLarge(_)));
}

#[test]
fn lines_and_the_whole_text() {
    // With its newline a line is shorter than 2^24 bytes.
    let comment = |length: usize| format!("#{}\n{PARALLEL}", " ".repeat(length - 2));
    assert_eq!(fate(comment((1 << 24) - 1).as_bytes()), Fate::Accepted);
    assert!(matches!(fate(comment(1 << 24).as_bytes()), Fate::TooLarge(_)));
    // The text is shorter than 2^30 bytes.
    let whole = |length: u64| {
        let line = format!("{}\n", "#".repeat((1 << 20) - 1));
        let rest = std::iter::repeat_n(line, 1 << 10).collect::<Vec<_>>();
        let comments =
            rest.iter().fold(Box::new(std::io::empty()) as Box<dyn Read>, |all, line| {
                Box::new(all.chain(line.as_bytes()))
            });
        let text = PARALLEL.as_bytes().chain(comments).take(length);
        // Every read goes through all of the lines: few are enough.
        certificate::read(BufReader::with_capacity(1 << 20, text))
    };
    assert!(whole((1 << 30) - 1).is_ok());
    assert!(matches!(whole(1 << 30), Err(ReadError::TooLarge(_))));
    let endless = BufReader::new(repeat(b'7'));
    assert!(matches!(certificate::read(endless), Err(ReadError::TooLarge(_))));
}

/// A star of `hosts` hosts, each with a link to the node after them and one from there, among
/// `nodes` nodes; its ratio is 1, and the covers by `cover` prove it.
pub fn star(hosts: u32, nodes: u32, cover: impl Fn(u32, bool) -> String, rest: &str) -> String {
    let each = |line: &dyn Fn(u32) -> String| (0..hosts).map(line).collect::<String>();
    let links = each(&|host| format!("link {host} {hosts} 1\nlink {hosts} {host} 1\n"));
    let next = each(&|host| format!("next {host} {}\n", 2 * host));
    let down = each(&|host| format!(" {}", 2 * host + 1));
    let covers = each(&|host| {
        let (up, down) = (2 * host, 2 * host + 1);
        format!("cover {up} {}\ncover {down} {}\n", cover(host, true), cover(host, false))
    });
    format!(
        "routebound-certificate 1\nhosts {hosts}\nnodes {nodes}\n{links}{next}next {hosts}{down}\n\
         claim oblivious-ratio 1 1\nwitness 0 1\ndemand 0 1 1\nroute even\n{covers}{rest}end\n"
    )
}

/// The cover of a link of a star by the host that it belongs to.
pub fn by_host(host: u32, up: bool) -> String {
    format!("{} {host}", if up { "s" } else { "d" })
}

/// Memory grows with the text and with the network, not with nodes times nodes.
#[test]
fn nodes_that_no_link_joins() {
    let least = |hosts, nodes, lower| {
        let against = format!("least oblivious-ratio {lower} shortest\nagainst 0 1\n");
        let rest = against + "demand 0 1 1\nroute even\n";
        fate(star(hosts, nodes, by_host, &rest).as_bytes())
    };
    assert_eq!(least(2, 60_000, "1"), Fate::Accepted);
    assert_eq!(least(16, 1 << 22, "1"), Fate::Accepted);
    // 23² pairs times 2^22 nodes are more than 2^31.
    let said = least(23, 1 << 22, "1");
    assert!(matches!(&said, Fate::TooLarge(text) if text.contains("links or nodes")), "{said:?}");
    // Distances of 120 covers at once would be 120·2^22 numbers.
    let by_length = |host: u32, up: bool| format!("l {}", 2 * host + u32::from(!up));
    assert_eq!(fate(star(60, 1 << 22, by_length, "").as_bytes()), Fate::Accepted);
}

#[test]
fn hosts_times_cuts() {
    // 2^11 hosts, 2^17 cuts and one more.
    let cuts = "cut 0\n".repeat((1 << 17) + 1) + "claim";
    let text = star(1 << 11, (1 << 11) + 1, by_host, "").replacen("claim", &cuts, 1);
    let said = fate(text.as_bytes());
    assert!(matches!(&said, Fate::TooLarge(text) if text.contains("hosts times cuts")), "{said:?}");
}

#[test]
fn links_at_cuts() {
    // Node 0 has 2^10 links, and is a cut by itself 2^22 times.
    let links = "link 0 1 1\nlink 1 0 1\n".repeat(1 << 9);
    let text = |cuts: usize| {
        let cuts = "cut 0\n".repeat(cuts);
        format!(
            "routebound-certificate 1\nhosts 2\nnodes 2\n{links}next 0 0\nnext 1 1\n{cuts}\
             claim oblivious-ratio 1 512\nwitness 0 1\ndemand 0 1 1\nroute even\ncover 0 s 0\n\
             cover 1 s 1\nend\n"
        )
    };
    assert_eq!(fate(text(1).as_bytes()), Fate::Accepted);
    let said = fate(text((1 << 22) + 1).as_bytes());
    assert!(matches!(&said, Fate::TooLarge(text) if text.contains("nodes of cuts")), "{said:?}");
}
