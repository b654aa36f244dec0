//! Kinds of files that people have, each with a small one made here: read as it is meant, or refused by the name of
//! its kind.
#![expect(clippy::panic, reason = "helpers of tests, like tests, may panic")]

use routebound::import::{ImportError, Problem};
use routebound::topology::Topology;

use super::{import_text, links, names, switches};

fn read(text: &str) -> Topology {
    import_text(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn has_note(network: &Topology, words: &str) {
    assert!(network.notes().iter().any(|note| note.contains(words)), "{:?}", network.notes());
}

fn refused(text: impl AsRef<[u8]>, words: &str) {
    let error = import_text(text.as_ref()).unwrap_err().to_string();
    assert!(error.contains(words), "no `{words}` in: {error}");
    let is_shown = |c: char| !c.is_control() && c != char::REPLACEMENT_CHARACTER;
    assert!(error.chars().all(is_shown), "{error:?}");
    assert!(!error.contains("damaged or truncated"), "{error}");
}

/// A capacity by another name is one, with its unit; what only looks like one is named.
#[test]
fn capacities_have_other_names() {
    let expected = ["u v 10000000000", "v u 10000000000", "v w 40000000000", "w v 40000000000"];
    for (name, [slow, fast]) in [
        ("bandwidth", ["10Gbps", "40 Gbps"]),
        ("bw", ["10Gbit/s", "40Gbit/s"]),
        ("Speed", ["10G", "40G"]),
        ("linkspeed", ["10000Mb/s", "40Gb/s"]),
        ("cap", ["1e10bps", "4e10bps"]),
    ] {
        let dot = format!("graph {{ u -- v [{name}=\"{slow}\"]; v -- w [{name}=\"{fast}\"] }}");
        assert_eq!(links(&read(&dot)), expected, "{dot}");
        let link = |ends: [&str; 2], rate| {
            format!(r#"{{"source": "{}", "target": "{}", "{name}": "{rate}"}}"#, ends[0], ends[1])
        };
        let two = [link(["u", "v"], slow), link(["v", "w"], fast)].join(", ");
        let nodes = r#"{"id": "u"}, {"id": "v"}, {"id": "w"}"#;
        let json = format!(r#"{{"nodes": [{nodes}], "links": [{two}]}}"#);
        assert_eq!(links(&read(&json)), expected, "{json}");
        let gml = format!(
            "graph [ node [ id 0 label \"u\" ] node [ id 1 label \"v\" ] node [ id 2 label \"w\" ]\n\
             edge [ source 0 target 1 {name} \"{slow}\" ] edge [ source 1 target 2 {name} \"{fast}\" ] ]"
        );
        assert_eq!(links(&read(&gml)), expected, "{gml}");
        let list = format!("source,target,{name}\nu,v,{slow}\nv,w,{fast}\n");
        assert_eq!(links(&read(&list)), expected, "{list}");
    }
    let lgf = "@nodes\nlabel\nu\nv\n@edges\n bandwidth\nu v 3\n";
    assert_eq!(links(&read(lgf)), ["u v 3", "v u 3"]);
    has_note(&read("graph { u -- v [max_rate=7] }"), "links have `max_rate`, which looks like");
    // The first name that means it alone counts.
    let both = read("graph { u -- v [speed=9 capacity=5] }");
    assert_eq!(links(&both), ["u v 5", "v u 5"]);
    refused("graph { u -- v [bandwidth=\"fast\"] }", "bad capacity");
}

/// The numbers of nodes and links are not a link; where they may be one, neither is chosen.
#[test]
fn a_first_line_may_count() {
    let counted = read("3 3\n0 1\n1 2\n0 2\n");
    assert_eq!((counted.hosts(), counted.links()), (3, 6));
    has_note(&counted, "line 1 is read as the numbers of nodes and links: 3 and 3");
    let named = read("# net\n2 1\nu v 9\n");
    assert_eq!(links(&named), ["u v 9", "v u 9"]);
    has_note(&named, "line 2 is read");
    // A path 3-2-1-0 of three links, or two links among three nodes.
    refused("3 2\n0 1\n1 2\n", "may be a link, or give the numbers of nodes and links");
    assert_eq!(read("from to\n3 2\n0 1\n1 2\n").links(), 6);
    assert_eq!(read("0 1\n1 2\n2 0\n").links(), 6);
}

#[test]
fn lists_have_headers_and_quoted_names() {
    let list = read("id;to;delay;capacity;from\n1;v;3;7;u\n2;w;4;9;v\n");
    assert_eq!(links(&list), ["u v 7", "v u 7", "v w 9", "w v 9"]);
    has_note(&list, "not read: columns `id`, `delay`");
    let weighted = read("source,target,weight\nu,v,2\nv,w,5\n");
    has_note(&weighted, "links have weights, from 2 to 5");
    let quoted = read("\"Köln, Süd\",Bonn,3\nBonn,\"Ulm #2\",4\n");
    assert_eq!(names(&quoted), ["Köln, Süd", "Bonn", "Ulm #2"]);
    refused("Köln,+NW Bonn,+NW 3\n", "quote the names and separate the columns by commas");
}

#[test]
fn json_of_python() {
    let json = |more: &str| {
        format!(
            "{{\"nodes\": [{{\"id\": 0, \"name\": \"NaN\"}}, {{\"id\": 1}}],\n\
             \"links\": [{{\"source\": 0, \"target\": 1, {more}}}]}}"
        )
    };
    assert_eq!(links(&read(&json("\"capacity\": 3, \"km\": NaN"))), ["NaN 1 3", "1 NaN 3"]);
    assert_eq!(links(&read(&json("\"capacity\": null, \"x\": -Infinity"))), ["NaN 1 1", "1 NaN 1"]);
    refused(json("\"capacity\": NaN"), "bad capacity: `NaN`");
    let adjacency = "{\"nodes\": [{\"id\": 0}], \"adjacency\": [[{\"id\": 0}]]}";
    refused(adjacency, "networkx adjacency JSON, which is not read");
    refused("{\"version\": 3}", "is not node-link data: missing field `nodes`");
}

#[test]
fn drawings_have_subgraphs_and_html() {
    let dot = "graph {\n u [label=<<table><tr><td>U</td></tr></table>>];\n\
               subgraph cluster_1 { edge [capacity=4]; node [type=x]; }\n\
               { rank=same; v; w }\n u -- { v w } [capacity=3]; {v} -- w -- u [capacity=2] }";
    let drawn = read(dot);
    assert_eq!(
        links(&drawn),
        ["u v 3", "v u 3", "u w 3", "w u 3", "v w 2", "w v 2", "w u 2", "u w 2"]
    );
    // A subgraph stands for all its nodes, also those of its edges.
    assert_eq!(links(&read("digraph { { a -> b } -> c }")), ["a b 1", "a c 1", "b c 1"]);
    refused(format!("graph {{ {} }}", "{".repeat(99)), "a subgraph nested so deeply");
}

#[test]
fn gml_is_the_other_format_of_the_zoo() {
    let gml = "# by hand\nCreator \"x [ 1\"\ngraph [\n directed 1 comment \"a ] b\"\n\
               node [ id 5 label \"A &amp; B\" graphics [ x 1 [ ] ]\n";
    refused(gml, "expected a key");
    let gml = "# by hand\nCreator \"x [ 1\"\ngraph [\n directed 1 comment \"a ] b\"\n\
               edge [ source 5 target 7 capacity 1.5 ]\n\
               node [ id 5 label \"A &amp; B\" graphics [ x 1 fill [ y 2 ] ] ]\n node [ id 7 ] ]";
    let network = read(gml);
    assert_eq!(links(&network), ["A & B 7 3/2"]);
    for bad in ["graph [ node [ id 0 ] edge [ source 0 ] ]", "graph [ edge [ source 0 target 1 ] ]"]
    {
        assert!(matches!(import_text(bad), Err(ImportError::Place { .. })), "{bad}");
    }
}

#[test]
fn networks_of_booksim() {
    let network = read(
        "router 0 node 0 node 1 3 router 1 router 2 9\nrouter 1 router 0 node 2\nrouter 2 node 3\n",
    );
    assert_eq!((network.hosts(), switches(&network), network.links()), (4, 3, 12));
    has_note(&network, "latencies");
    let unordered = read("router 7 node 10 node 1\nrouter 2 node 9 router 7\n");
    assert_eq!(names(&unordered), ["node 1", "node 9", "node 10", "router 2", "router 7"]);
    refused("router 0 node 0 router 1\nrouter 1 node 1\nrouter 0 router 1\n", "listed twice");
    let damaged = import_text("router 0 node 0 router 1\nnode 1 router 1\n").unwrap_err();
    assert!(matches!(damaged, ImportError::Place { problem: Problem::Syntax { .. }, .. }));
}

#[test]
fn networks_for_ns3() {
    let text = "5 2 4\n3 4\n0 3 100Gbps 1us 0\n1 3 100Gbps 0.001ms 0\n2 4 100Gbps 1us 0\n3 4 1Tbps 5ns 0\n";
    let network = read(text);
    assert_eq!((network.hosts(), switches(&network), network.links()), (3, 2, 8));
    assert_eq!(names(&network), ["0", "1", "2", "3", "4"]);
    assert!(links(&network).contains(&"3 4 1000000000000".to_string()), "{:?}", links(&network));
    has_note(&network, "delays and error rates are not read");
    // The simulators read what is announced, and nothing after it.
    let more = read(&format!("{text}4 0 1Gbps 1us 0\n\nsrc0 dst0 rate\n"));
    assert_eq!(links(&more), links(&network));
    has_note(&more, "is not read, from line 7 on");
    let direct = read("2 0 1\n\n0 1 25Gbps 1us 0\n");
    assert_eq!((direct.hosts(), switches(&direct), direct.links()), (2, 0, 2));
    // SimAI: GPUs per server, NVSwitches and the type of GPUs in the first line.
    let servers =
        "4 2 1 1 3 H100\n2 3\n0 2 2400Gbps 25ns 0\n1 2 2400Gbps 25ns 0\n2 3 100Gbps 500ns 0\n";
    assert_eq!((read(servers).hosts(), switches(&read(servers))), (2, 2));
    for (bad, says) in [
        (&text[..text.len() - 3], "line 1, column 1: 4 links are announced but 3 are listed"),
        (
            "3 1 1\n3\n0 1 1Gbps 1us 0\n",
            "line 2, column 1: found `3`, expected the number of a node",
        ),
        ("3 1 1\n2\n0 7 1Gbps 1us 0\n", "line 3, column 3: found `7`"),
        ("3 1 1\n2\n0 2 0Gbps 1us 0\n", "line 3, column 5: capacity `0Gbps` is zero"),
    ] {
        refused(bad, says);
    }
}

/// Two hosts at a switch, as `ibnetdiscover` lists them, with `tab` between words.
fn dump(tab: &str, lid: u32) -> String {
    let ca = |n: u32, lid: u32| {
        format!(
            "Ca{tab}1 \"H-000000000000000{n}\"{tab}# \"n{n}\"\n\
             [1](a{n}){tab}\"S-0000000000000009\"[{n}]{tab}# lid {lid} lmc 0 \"s\" lid 9 4xHDR\n\n"
        )
    };
    let port = |n: u32, lid: u32| {
        format!("[{n}]{tab}\"H-000000000000000{n}\"[1](a{n}){tab}# \"n{n}\" lid {lid} 4xHDR\n")
    };
    let switch =
        format!("Switch{tab}36 \"S-0000000000000009\"{tab}# \"s\" enhanced port 0 lid 9 lmc 0\n");
    format!("vendid=0x2c9\n{switch}{}{}\n{}{}", port(1, 1), port(2, lid), ca(1, 1), ca(2, lid))
}

#[test]
fn dumps_come_through_web_pages_and_with_progress() {
    let whole = read(&dump("\t", 2));
    assert_eq!((whole.hosts(), switches(&whole)), (2, 1));
    assert_eq!(links(&read(&dump("", 2))), links(&whole));
    let lines = "DR path slid 0; dlid 0; 0 -> new Channel Adapter\n";
    let progress = read(&format!("{lines}{lines}{}", dump("\t", 2)));
    assert_eq!(links(&progress), links(&whole));
    has_note(&progress, "left out 2 lines about the progress of the discovery");
    let unset = read(&dump("\t", 65535));
    assert_eq!(links(&unset), links(&whole));
    has_note(&unset, "read as ports without LID: 2 lines with LID 65535");
}

/// Whatever else comes is named.
#[test]
fn other_kinds_are_named() {
    for (text, words) in [
        ("Nodes 2\nConnections 1\n0->1 id 1 start 0 size 9\n", "htsim connection matrix"),
        ("StartDevice,StartPort,EndDevice,EndPort,State,Domain\n", "NDT of UFM"),
        ("{\"lldp\": [{\"hostname\": \"a\", \"peerHostname\": \"b\"}]}", "JSON of NetQ"),
        ("2 1\n0 5 5\n1 7 7\n0 1 4\n", "Inet topology"),
        ("SwitchName=s Nodes=n[1-4]\n", "topology.conf of Slurm"),
    ] {
        refused(text, words);
    }
    refused(b"\xfd7zXZ\0\0\x04\x01", "compressed by xz: unpack it first");
    refused(b"\x28\xb5\x2f\xfd\x04", "compressed by zstd");
    refused(b"BZh91AY&SY\x01", "compressed by bzip2");
    refused(b"\xff\xfea\0 \0b\0", "UTF-16: save it as UTF-8");
    refused(b"\x7fELF\x02\x01\0\x90", "binary data");
}
