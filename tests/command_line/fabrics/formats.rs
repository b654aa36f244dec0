//! One fabric in the formats of several programs: they give the same network, and damage is refused.

use std::collections::BTreeSet;

use routebound::import::{ImportError, ImportOptions, Problem};
use routebound::routing::{self, Routing};
use routebound::topology::Topology;

use super::{import, import_with, root, temporary};

const FABRIC: &str = "instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out";
const FORMATS: &str = "instances/fabrics/ft8x2/formats";

/// The links by the names of their ends, their ports and capacities.
fn links(network: &Topology) -> BTreeSet<(String, u32, String, u32, String)> {
    let name = |node| network.node(node).name.clone();
    let link = |link| {
        let (from, to) = network.ends(link).unwrap();
        let found = network.link(link);
        let capacity = found.capacity.to_string();
        (name(from), found.from_port, name(to), found.to_port, capacity)
    };
    network.link_numbers().map(link).collect()
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(FORMATS).join(file)).unwrap()
}

#[test]
fn formats_give_the_same_network() {
    let fabric = import(FABRIC);
    for file in [
        "ibdiagnet2.db_csv",
        "opensm-smdb.dump",
        "opensm-subnet.lst",
        "iblinkinfo.out",
        "iblinkinfo-line.out",
        "lldpctl.txt",
    ] {
        let other = import(&format!("{FORMATS}/{file}"));
        assert_eq!(other.hosts(), fabric.hosts(), "{file}");
        assert_eq!(links(&other), links(&fabric), "{file}");
        assert!(other.notes().is_empty(), "{file}: {:?}", other.notes());
        let lids = |network: &Topology| -> Vec<Option<u16>> {
            network.graph().node_weights().map(|node| node.address.map(|a| a.lid)).collect()
        };
        if file != "lldpctl.txt" {
            assert_eq!(lids(&other), lids(&fabric), "{file}");
        }
    }
}

/// `iblinkinfo --additional` writes more about a port.
#[test]
fn link_lists_with_settings_of_ports() {
    for file in ["iblinkinfo.out", "iblinkinfo-line.out"] {
        let more = text(file).replace("LinkUp)==>", "LinkUp) (HOQ:18 VL_Stall:7)==>");
        let network = import_with(more, &ImportOptions::default()).unwrap();
        assert_eq!(links(&network), links(&import(FABRIC)), "{file}");
    }
}

/// Tables of the subnet manager fit whatever the network was read from.
#[test]
fn tables_fit_every_format_with_lids() {
    for file in ["ibdiagnet2.db_csv", "opensm-smdb.dump"] {
        let network = import(&format!("{FORMATS}/{file}"));
        let tables = root().join("instances/fabrics/ft8x2/minhop_lmc2/opensm-lfts.dump.gz");
        let spec = format!("lft(lid=all):{}", tables.display());
        assert!(routing::build(&spec, &network).is_ok(), "{file}");
    }
}

/// The problem, and its line, of a file in which `from` is replaced by `to` once.
fn damage(file: &str, from: &str, to: &str) -> (Problem, u64) {
    let text = text(file);
    assert!(text.contains(from), "{from}");
    match import_with(text.replacen(from, to, 1), &ImportOptions::default()) {
        Err(ImportError::Content { problem, line, .. }) => (problem, line),
        Err(other) => panic!("{file}, {from}: {other}"),
        Ok(_) => panic!("{file}, {from}: it is read"),
    }
}

/// The line of the first occurrence.
fn line(file: &str, words: &str) -> u64 {
    let text = text(file);
    text[..text.find(words).unwrap()].lines().count() as u64 + 1
}

#[test]
fn damaged_sections() {
    let file = "ibdiagnet2.db_csv";
    let (first, end, ports) = ("START_NODES", "END_NODES", "START_PORTS");
    let nodes = line(file, first) + 1;
    let (problem, _) = damage(file, "END_LINKS", "");
    assert!(matches!(problem, Problem::UnendedSection { .. }), "{problem:?}");
    let (problem, _) = damage(file, end, "");
    assert!(matches!(problem, Problem::UnendedSection { .. }), "{problem:?}");
    refuses!(damage(file, ",NodeGUID,", ",NodeId,"), nodes, Problem::MissingColumn { .. });
    refuses!(damage(file, "NodeDesc,", ""), nodes + 1, Problem::ColumnCount { .. });
    let (problem, _) = damage(file, "\"host-3\",1,", "\"host-3\",");
    assert!(matches!(problem, Problem::ColumnCount { .. }), "{problem:?}");
    let (problem, _) = damage(file, "\"host-3\",1,1,", "\"host-3\",1,7,");
    assert!(matches!(problem, Problem::Syntax { .. }), "{problem:?}");
    let (problem, _) = damage(file, "START_LINKS", "START_CABLES");
    assert!(matches!(problem, Problem::UnendedSection { .. }), "{problem:?}");
    // The index knows how many rows there are.
    let text = text(file);
    let row = text.lines().find(|line| line.starts_with("\"host-3\"")).unwrap();
    let (problem, _) = damage(file, &format!("{row}\n"), "");
    assert!(matches!(problem, Problem::RecordCount { .. }), "{problem:?}");
    // Without an index, a cable that is missing shows in the state of its ports.
    let at = text.find("START_INDEX").unwrap()..text.find(first).unwrap();
    let plain = text.replacen(&text[at], "", 1);
    assert!(import_with(&plain, &ImportOptions::default()).is_ok());
    let last = plain.lines().rev().find(|line| line.starts_with("0x")).unwrap();
    let cut = plain.replacen(&format!("{last}\n"), "", 1);
    let error = import_with(cut, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("has a link"), "{error}");
    let slow = plain.replacen(",2,4,", ",2,1,", 1);
    let error = import_with(slow, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("disagree about its speed"), "{error}");
    let unknown = plain.replacen(",2,4,", ",2,5,", 1);
    let error = import_with(unknown, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("is not a link speed"), "{error}");
    let without = plain.replace(ports, "START_OTHER").replace("END_PORTS", "END_OTHER");
    let error = import_with(&without, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("give every link capacity 1"), "{error}");
    let unit = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    assert_eq!(import_with(&without, &unit).unwrap().links(), 128);
}

#[test]
fn damaged_link_lists() {
    let file = "iblinkinfo.out";
    let (problem, _) = damage(file, "CA: host-31:\n", "");
    assert!(matches!(problem, Problem::Syntax { .. }), "{problem:?}");
    let (problem, _) = damage(file, "10.0 Gbps", "5.0 Gbps");
    assert!(matches!(problem, Problem::SpeedsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, "10.0 Gbps", "11.0 Gbps");
    assert!(matches!(problem, Problem::UnknownSpeed { .. }), "{problem:?}");
    let (problem, _) = damage(file, "    139    4[  ] \"sw-1-7\"", "    139    3[  ] \"sw-1-7\"");
    assert!(matches!(problem, Problem::EndsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, "    139    4[  ] \"sw-1-7\"", "      0    4[  ] \"sw-1-7\"");
    assert!(matches!(problem, Problem::NoLid), "{problem:?}");
    let (problem, _) = damage(file, "==(", "==");
    assert!(matches!(problem, Problem::Syntax { .. }), "{problem:?}");
    let silent = "139    9[  ] ==( 4X 10.0 Gbps   Init/  LinkUp)==>      \"Port not available\"\n";
    let cut = format!("{}{silent}", text(file));
    let error = import_with(cut, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("part of the fabric may be missing"), "{error}");
    for file in [file, "iblinkinfo-line.out"] {
        // Cut off anywhere but in the last switch, a cable has no other end.
        let text = text(file);
        let cut = text.lines().take(40).collect::<Vec<_>>().join("\n");
        assert!(import_with(cut, &ImportOptions::default()).is_err(), "{file}");
    }
}

/// With `--switches-only`, hosts are known from their switches.
#[test]
fn hosts_behind_switches() {
    let fabric = import(FABRIC);
    let text = text("iblinkinfo.out");
    let switches = &text[text.find("Switch: ").unwrap()..];
    let network = import_with(switches, &ImportOptions::default()).unwrap();
    assert_eq!(links(&network), links(&fabric));
    assert!(network.notes()[0].starts_with("32 hosts are known from the lines of switches"));
    // A switch whose lines are missing is not taken for a host.
    let cut = &switches[switches[1..].find("Switch: ").unwrap() + 1..];
    assert!(import_with(cut, &ImportOptions::default()).is_err());
}

#[test]
fn cables_by_the_subnet_manager() {
    let file = "opensm-subnet.lst";
    // Listed from one end only, it is the same fabric.
    let whole = text(file);
    let is_upward = |line: &&str| {
        line.starts_with("{ CA")
            || line.find("{sw-1-") < line.find("{sw-2-") && line.contains("{sw-1-")
    };
    let once: String = whole.lines().filter(is_upward).flat_map(|line| [line, "\n"]).collect();
    let network = import_with(&once, &ImportOptions::default()).unwrap();
    assert_eq!((once.lines().count(), links(&network)), (64, links(&import(FABRIC))));
    let (problem, _) = damage(file, "SPD=10", "SPD=5");
    assert!(matches!(problem, Problem::SpeedsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, "SPD=10", "SPD=??");
    assert!(matches!(problem, Problem::NoSpeed { .. }), "{problem:?}");
    let (problem, _) = damage(file, "PN:02 } PHY", "PN:03 } PHY");
    assert!(matches!(problem, Problem::DuplicatePort { .. }), "{problem:?}");
    let (problem, _) = damage(file, "LID:008B", "LID:008C");
    assert!(matches!(problem, Problem::EndsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, " PHY=4x", "");
    assert!(matches!(problem, Problem::Syntax { .. }), "{problem:?}");
}

/// ibdiagnet lists the ports of switches, with the labels printed at both ends of a cable.
#[test]
fn neighbours_by_label() {
    let network = import(&format!("{FORMATS}/ibdiagnet2.net_dump"));
    assert_eq!(links(&network), links(&import(FABRIC)));
    assert_eq!(network.notes(), ["32 hosts are known from the lines of switches only"]);
    let columns = "# : IB# : Sta : LWA : LSA : Neighbor Guid : N# : NLID : Neighbor Description\n";
    let dump = format!(
        "\"leaf: a\", Mellanox, 0xe1, LID 1\n  {columns}\
         1/1 : 3 : ACT : 4x : 100 : 0xa : 1 : 7 : \"n1: mlx5_0\"\n\
         1/2 : 4 : ACT : 4x : 100 : 0xb : HCA/2 : 8 : \"n2 mlx5_0\"\n\
         1/3 : 5 : ACT : 4x : 50 : 0xe2 : 9/1 : 2 : \"spine\"\n\
         1/4 : 6 : DOWN : N/A : N/A :  :  :  : \n\
         \"spine\", Mellanox, 0xe2, LID 2\n  {columns}\
         9/1 : 33 : ACT : 4x : 50 : 0xe1 : 1/3 : 1 : \"leaf: a\"\n"
    );
    let read = |text: &str| import_with(text, &ImportOptions::default());
    let network = read(&dump).unwrap();
    assert_eq!((network.hosts(), network.nodes()), (2, 4));
    let names: Vec<String> = network.link_numbers().map(|link| network.link_name(link)).collect();
    assert!(names.contains(&"leaf: a[5] -> spine[33]".to_string()), "{names:?}");
    assert!(names.contains(&"leaf: a[3] -> n1: mlx5_0[1]".to_string()), "{names:?}");
    for (from, to, says) in [
        ("6 : DOWN", "6 : INI", "line 6: a port with a link and without its neighbour"),
        (": NLID", ": LID", "line 2: the list of ports has no column NLID"),
        ("9/1 : 33", "9/2 : 33", "`S-00000000000000e1[5] to port 9/1 of S-00000000000000e2` here"),
        ("1/2 : 4", "1/1 : 4", "line 4: found `1/1`, expected each port of a switch once"),
        (
            "1/2 : 4",
            "1/2 : 3",
            "line 4: port 3 of `S-00000000000000e1` is already listed at line 3",
        ),
        ("4x : 50 : 0xe2", "4x : 25 : 0xe2", "the ends of a cable disagree about its speed"),
        ("4x : 100 : 0xa", "4x : 80 : 0xa", "`4x80` is not a link speed"),
        (" : HCA/2", "", "line 4: 8 values where the section has 9 columns"),
        ("\"spine\", Mellanox", "spine, Mellanox", "expected a switch such as"),
        ("0xe1 : 1/3 : 1 ", "0xe1 : 1/3 : 5 ", "the ends of a cable disagree"),
    ] {
        assert!(dump.contains(from), "{from}");
        let error = read(&dump.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(says), "no `{says}` in: {error}");
    }
}

#[test]
fn neighbours_by_lldp() {
    let fabric = import(FABRIC);
    let file = "lldpctl.txt";
    let text = text(file);
    let of = |start: &str| -> String {
        let lines = text.lines().filter(|line| line.starts_with(start));
        lines.collect::<Vec<_>>().join("\n")
    };
    let network = import_with(of("sw-"), &ImportOptions::default()).unwrap();
    assert_eq!(network.hosts(), 32);
    assert_eq!(network.notes()[0], "32 hosts are known from the listings of switches only");
    assert_eq!(links(&network), links(&fabric));
    // With a header before the listing of each device.
    let mut device = String::new();
    let mut headed = String::new();
    for (name, rest) in text.lines().filter_map(|line| line.split_once(": ")) {
        if name != device {
            headed.extend(["\n==> dumps/", name, ".lldp <==\n"]);
            device = name.into();
        }
        headed.extend([rest, "\n"]);
    }
    let network = import_with(&headed, &ImportOptions::default()).unwrap();
    assert_eq!(links(&network), links(&fabric));
    let error = import_with(of("sw-1"), &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("is a bridge or router but has no listing"), "{error}");
    let plain = text.replace("sw-1-7: ", "");
    let error = import_with(plain, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("does not name its device"), "{error}");
    let (problem, _) = damage(file, "port.ifname=swp4", "port.ifname=swp9");
    assert!(matches!(problem, Problem::EndsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, "port.ifname=swp4", "port.ifname=swp3");
    assert!(matches!(problem, Problem::EndsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, "=40GigBase", "=10GigBase");
    assert!(matches!(problem, Problem::SpeedsDisagree { .. }), "{problem:?}");
    let (problem, _) = damage(file, ": lldp.", ": lldq.");
    assert!(matches!(problem, Problem::Syntax { .. }), "{problem:?}");
    let twice = of("sw-").replacen("rid=1", "rid=1\nsw-1-7: lldp.swp1.rid=2", 1);
    let error = import_with(twice, &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("interface swp1 has a neighbour at line"), "{error}");
}

fn far(network: &Topology, spec: &str, text: &str) -> Result<Box<dyn Routing>, String> {
    let (_file, path) = temporary(text);
    routing::build(&format!("{spec}:{path}"), network).map_err(|error| error.to_string())
}

#[test]
fn adaptive_tables() {
    let fabric = import(FABRIC);
    let tables = text("ibdiagnet2.far");
    let even = far(&fabric, "far", &tables).unwrap();
    let omrmn = routing::build("omrmn", &fabric).unwrap();
    for (s, d) in [(0, 1), (0, 31), (17, 4)] {
        let paths = |routing: &dyn Routing| {
            let mut paths = BTreeSet::new();
            routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
                paths.insert((share.to_string(), links.to_vec()));
            });
            paths
        };
        assert_eq!(paths(even.as_ref()), paths(omrmn.as_ref()), "{s} {d}");
    }
    // A leaf has four hosts: at worst all of them send by one of its ports.
    let worst = far(&fabric, "far(choice=worst)", &tables).unwrap();
    assert!(worst.is_single_path());
    let note = worst.notes().join("\n");
    assert!(note.contains("4 pairs over") && note.contains("load 4;"), "{note}");
    let refused = |from: &str, to: &str, words: &str| {
        assert!(tables.contains(from), "{from}");
        let error = far(&fabric, "far", &tables.replacen(from, to, 1)).err().unwrap();
        assert!(error.contains(words), "{error}");
    };
    refused("5,6,7,8,", "5,6,7,9,", "no cable there");
    refused("5,6,7,8,", "4,5,6,7,8,", "leads to another host");
    refused("5,6,7,8,", "", "which has no ports here");
    refused("5,6,7,8,", "x", "expected");
    refused(" HBF  ", " Fast ", "expected");
    refused("LFT Definition:\nPLFT_NUM: 0, top: 0x8f\n", "", "expected");
    refused("Groups Definition:", "PLFT_NUM: 1, top: 0x8f\nGroups Definition:", "several tables");
    refused("Switch 0x", "Switch 1x", "expected");
    let cut = &tables[..tables.rfind("LFT Definition:").unwrap()];
    let error = far(&fabric, "far", cut).err().unwrap();
    assert!(error.contains("has no `LFT Definition:`"), "{error}");
    let cut = &tables[..tables.rfind("Switch 0x").unwrap()];
    let error = far(&fabric, "far", cut).err().unwrap();
    assert!(error.contains("switches without table"), "{error}");
}

/// Adaptive tables are not a network, though their lines begin like those of one.
#[test]
fn adaptive_tables_are_no_network() {
    let error = import_with(text("ibdiagnet2.far"), &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("write far:FILE"), "{error}");
}

/// Two switches that may send a LID to each other.
#[test]
fn loops_of_some_choice_are_refused() {
    let fabric = import(FABRIC);
    let tables = text("ibdiagnet2.far");
    // A spine that may send the LID of host 0 down to a leaf that is not its own.
    let lid = fabric.node(0).address.unwrap().lid;
    let spine = tables.rfind("Switch 0x").unwrap();
    let (before, own) = tables.split_at(spine);
    let entry = format!("0x{lid:04x}   ");
    let at = own.find(&entry).unwrap();
    let row = own[at..].lines().next().unwrap();
    let port: u32 = row.split_whitespace().nth(1).unwrap().parse().unwrap();
    let other = if port == 1 { 2 } else { 1 };
    let changed = own.replacen(row, &row.replace("Static", "Free  "), 1).replacen(
        "0       0           0      ",
        &format!("0 0 0 {port},{other},"),
        1,
    );
    let error = far(&fabric, "far", &format!("{before}{changed}")).err().unwrap();
    assert!(error.contains("in a loop") && error.contains("comes back here"), "{error}");
}
