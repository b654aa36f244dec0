//! The formats that a text resembles most, for messages about one that is in none of them.
//!
//! Texts resemble each other where the same kinds of characters follow each other.

use std::collections::HashSet;

use crate::registry::Kind;

/// Number of formats that a message names.
const NAMED: usize = 3;
/// Number of characters of a text that are looked at.
const LOOKED_AT: usize = 4096;

/// How files of the formats of networks look, by name.
const SAMPLES: &[(&str, &str)] = &[
    (
        "ibnetdiscover",
        "vendid=0x2c9\nSwitch\t36 \"S-0002\"\t\t# \"s\" base port 0 lid 9 lmc 0\n[1]\t\"H-0003\"[1](a1)\n",
    ),
    ("ibnetdiscover-p", "CA    7  1 0x0002c903 4x QDR - SW    9  2 0x0002c902 ( 'n1' - 's1' )\n"),
    (
        "iblinkinfo",
        "CA: n1:\n      0x0002c903      7    1[  ] ==( 4X 10.0 Gbps Active/  LinkUp)==>       9    2[  ] \"s1\" ( )\n",
    ),
    (
        "ibdiagnet-net-dump",
        "\"s1\", Mellanox, 0x0002c902, LID 9\n  #  : IB# : Sta : LWA\n  1/1 : 1 : ACT : LINK UP : 4x : 0x0003 : 1 : 7 : \"n1\"\n",
    ),
    (
        "opensm-subnet-lst",
        "{ CA Ports:01 NodeGUID:0002 {n1} LID:0007 PN:01 } { SW Ports:24 NodeGUID:0003 {s1} LID:0009 PN:1F } PHY=4x LOG=ACT SPD=10\n",
    ),
    ("lldp", "lldp.eth0.chassis.name=leaf\nlldp.eth0.port.ifname=swp1\n"),
    ("opensm-smdb", "START_NODES\nNodeDesc,NumPorts,NodeType\n\"n1\",1,1\nEND_NODES\n"),
    (
        "ibdiagnet-db-csv",
        "# a dump\nSTART_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x0002,1,0x0003,2\nEND_LINKS\n",
    ),
    (
        "graphml",
        "<graphml>\n<graph edgedefault=\"undirected\"><node id=\"0\"/><edge source=\"0\" target=\"1\"/></graph>\n",
    ),
    (
        "sndlib",
        "<?xml version=\"1.0\"?>\n<network><nodes><node id=\"A\"><x>1.0</x></node></nodes></network>\n",
    ),
    (
        "sndlib-native",
        "?SNDlib native format; type: network; version: 1.0\nNODES (\n  A ( 1.00 2.00 )\n)\n",
    ),
    (
        "repetita",
        "NODES 2\nlabel x y\na 0.0 0.0\n\nEDGES 1\nlabel src dest weight bw delay\ne_0 0 1 1 100 5\n",
    ),
    ("dot", "graph g {\n  a [type=host];\n  a -- b [capacity=\"1Gbps\"];\n}\n"),
    ("gml", "graph [\n  node [\n    id 0\n    label \"a\"\n  ]\n]\n"),
    ("anynet", "router 0 node 0 router 1 4\n"),
    ("ns3", "5 2 1\n3 4\n0 3 100Gbps 0.001ms 0\n"),
    ("node-link", "{\"nodes\": [{\"id\": 0}], \"links\": [{\"source\": 0, \"target\": 1}]}\n"),
    ("lgf", "@nodes\nlabel\na\n@arcs\n capacity\na b 3\n"),
    ("edge-list", "from,to,capacity\na,b,10\nb c 2.5\n"),
];

/// The kinds of characters that follow each other in a text: letters and digits are two kinds, every other
/// character is one of its own, and runs count once.
fn pairs(text: &str) -> HashSet<(char, char)> {
    let kind = |c: char| match c {
        _ if c.is_alphabetic() => 'a',
        _ if c.is_numeric() => '0',
        _ => c,
    };
    let mut kinds: Vec<char> = text.chars().take(LOOKED_AT).map(kind).collect();
    kinds.dedup();
    kinds.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The part of what two texts have that both have.
fn likeness(one: &HashSet<(char, char)>, other: &HashSet<(char, char)>) -> f64 {
    let both = one.intersection(other).count();
    let all = one.union(other).count();
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

/// The names of the formats whose `samples` resemble a text most, for errors.
fn nearest<B>(text: &str, kinds: &[Kind<B>], samples: &[(&str, &str)]) -> String {
    let own = pairs(text);
    let of = |name: &str| {
        let of_kind = samples.iter().filter(|(sample, _)| *sample == name);
        of_kind.map(|(_, sample)| likeness(&own, &pairs(sample))).fold(0.0, f64::max)
    };
    let mut all: Vec<(f64, &str)> = kinds.iter().map(|kind| (of(kind.name), kind.usage)).collect();
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    let names: Vec<&str> = all.into_iter().take(NAMED).map(|(_, name)| name).collect();
    format!("; the nearest of {} formats are {}", kinds.len(), names.join(", "))
}

/// The formats of networks that the start of a file resembles most.
pub(super) fn networks<B>(head: &str, kinds: &[Kind<B>]) -> String {
    nearest(head, kinds, SAMPLES)
}

/// The formats that a text resembles most, by the examples of each, which are texts.
pub(super) fn by_examples<B>(text: &str, kinds: &[Kind<B>]) -> String {
    let samples = kinds.iter().flat_map(|kind| kind.examples.iter().map(|text| (kind.name, *text)));
    nearest(text, kinds, &samples.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::super::{KINDS, traffic};
    use super::*;

    #[test]
    fn every_format_is_nearest_to_its_own() {
        for kind in KINDS {
            let sample = SAMPLES.iter().find(|(name, _)| *name == kind.name).unwrap().1;
            assert!(networks(sample, KINDS).contains(&format!("are {}", kind.usage)), "{sample}");
        }
        let found = by_examples("?SNDlib native formt; type: x\nNODES ( A )\n", traffic::FORMATS);
        assert!(found.contains("are SNDlib XML or native text"), "{found}");
    }
}
