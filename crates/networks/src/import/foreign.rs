//! Files of other programs that are easily mistaken for a network, and what to give instead.

/// Recognises the start of a file.
type Detect = fn(&str) -> bool;

/// What is known to list no network, or in a way that is not read: how it is recognised, what it is, and what to do.
const FOREIGN: &[(Detect, &str)] = &[
    (super::far::detect, "it holds adaptive forwarding tables (ibdiagnet2.far): write far:FILE"),
    (
        super::lanes::detect,
        "it lists service levels or virtual lanes (opensm-path-records.dump, opensm-sl2vl.dump), which `route --loops` \
         takes: give the output of ibnetdiscover",
    ),
    (
        is_htsim_tree,
        "it gives htsim the sizes of a tree (`Nodes`, `Tiers`, …) and lists no links: write the \
         tree as a spec, such as ft(16,3) or xgft(3;6,6,12;1,6,6)",
    ),
    (
        |head| head.lines().any(|line| line.starts_with("Configuration")) && head.contains("XGFT"),
        "it is a configuration of CAMINOS, which lists no links: write its tree as a spec, where `down: [4, 8], \
         up: [4, 4], servers_per_leaf: 4` is xgft(3;4,4,8;1,4,4)",
    ),
    (
        |head| begins(head, &["Nodes ", "Connections "]),
        "it is an htsim connection matrix, which is traffic and lists no links: give it as traffic",
    ),
    (
        |head| head.lines().any(|line| line.starts_with("Ty") && line.contains(": #IB")),
        "it lists the ports of all nodes without their neighbours (ibdiagnet2.net_dump_ext), so it has no links: give \
         ibdiagnet2.net_dump",
    ),
    (
        is_ndt,
        "it is the NDT of UFM, a plan of cables that does not say which devices are hosts, which is not read: give \
         ibdiagnet2.net_dump or the output of ibnetdiscover",
    ),
    (
        |head| {
            has_member(head, "lldp")
                && ["peerHostname", "peer_hostname"].iter().any(|name| head.contains(name))
        },
        "it is JSON of NetQ, which is not read: collect `lldpctl -f keyvalue` of every device",
    ),
    (
        |head| has_member(head, "lldp") && head.contains("\"interface\""),
        "it is JSON of lldpctl, which is not read: write it by lldpctl -f keyvalue",
    ),
    (
        |head| has_member(head, "adjacency"),
        "it is networkx adjacency JSON, which is not read: write it by networkx.node_link_data",
    ),
    (
        |head| has_member(head, "elements") && !has_member(head, "links"),
        "it is Cytoscape JSON, which is not read: write it by networkx.node_link_data",
    ),
    (
        is_inet,
        "it is an Inet topology (coordinates of nodes, then links), which is not read: leave out the first line and \
         the nodes, so that each line is a link",
    ),
    (
        |head| head.starts_with("Topology: ("),
        "it is a BRITE topology, which is not read: write the edges as `from to capacity`",
    ),
    (
        |head| head.lines().any(|line| line.starts_with("SwitchName=")),
        "it is the topology.conf of Slurm, which has no capacities: it is read with jobs",
    ),
    (
        |head| head.lines().any(|line| line.starts_with("TOPSYSTEM ")),
        "it is an ibnl netlist of ibutils, which is not read: give the output of ibnetdiscover",
    ),
    (
        |head| head.starts_with("\u{fffd}NUMPY"),
        "it is an array of NumPy (.npy), which is not read: write it by numpy.savetxt",
    ),
];

/// The kind of a file and what to do instead, if it is known to list no links.
pub(super) fn recognise(head: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(detect, _)| detect(head)).map(|(_, what)| *what)
}

/// Whether the first lines that are not blank begin so.
fn begins(head: &str, starts: &[&str]) -> bool {
    let mut lines = head.lines().map(str::trim).filter(|line| !line.is_empty());
    starts.iter().all(|start| lines.next().is_some_and(|line| line.starts_with(start)))
}

/// Whether JSON has a member of this name.
fn has_member(head: &str, name: &str) -> bool {
    head.trim_start().starts_with('{') && head.contains(&format!("\"{name}\":"))
}

/// A table of planned cables, by the names of its columns.
fn is_ndt(head: &str) -> bool {
    let first = head.lines().next().unwrap_or("");
    ["StartDevice", "StartPort", "EndDevice", "EndPort"].iter().all(|name| first.contains(name))
}

/// A `.topo` file of htsim: `Nodes 432`, `Tiers 3` and more sizes, one per line. Two words per
/// line could also be links.
fn is_htsim_tree(head: &str) -> bool {
    let says = |wanted: &str| {
        head.lines().any(|line| {
            let mut words = line.split_whitespace();
            let name = words.next().is_some_and(|word| word.eq_ignore_ascii_case(wanted));
            let size = words.next().is_some_and(|word| word.parse::<u64>().is_ok());
            name && size && words.next().is_none()
        })
    };
    says("Nodes") && says("Tiers")
}

/// The numbers in the lines of a file, as far as they are numbers; the last line may be truncated.
fn numbers(head: &str) -> impl Iterator<Item = Vec<u64>> {
    let lines = head.lines().filter(|line| !line.trim().is_empty());
    let number = |word: &str| word.split('.').next().and_then(|whole| whole.parse().ok());
    lines.map(move |line| line.split_whitespace().map_while(number).collect())
}

/// `N M`, then N lines of a node and its coordinates, then M links: the first two nodes are 0 and 1, and the lines
/// are too many for M links.
fn is_inet(head: &str) -> bool {
    let mut lines = numbers(head);
    let Some([count, cables]) =
        lines.next().as_deref().and_then(|first| first.first_chunk().copied())
    else {
        return false;
    };
    let is_node = |(at, line): (u64, Vec<u64>)| line.len() == 3 && line[0] == at;
    let is_short = head.len() < 1 << 15;
    let rest: Vec<Vec<u64>> = lines.collect();
    let seen = u64::try_from(rest.len()).unwrap_or(u64::MAX);
    let announced = count.checked_add(cables);
    let first = usize::try_from(count.min(64)).unwrap_or(64);
    (!is_short || announced == Some(seen))
        && count > 1
        && cables > 0
        && rest.len() >= first
        && (0..).zip(rest.into_iter().take(first)).all(is_node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_named() {
        for (head, says) in [
            ("Nodes 432\nTiers 3\n", "sizes of a tree"),
            ("Nodes 4\nConnections 1\n0->1 id 1 start 0\n", "htsim connection matrix"),
            ("{\"directed\": false, \"adjacency\": [[]]}", "adjacency JSON"),
            ("{\"data\": [], \"elements\": {}}", "Cytoscape"),
            ("Ty : # : #IB : GUID : LID : Sta\n", "net_dump_ext"),
            ("StartDevice,StartPort,EndDevice,EndPort,State,Domain\n", "NDT of UFM"),
            ("{\"lldp\":[{\"hostname\":\"a\",\"peerHostname\":\"b\"}]}", "NetQ"),
            ("{\"lldp\": {\"interface\": [{\"eth0\": {}}]}}", "lldpctl -f keyvalue"),
            ("2 1\n0 5 5\n1 7.5 7\n0 1 4\n", "Inet"),
            ("Topology: ( 3 Nodes, 3 Edges )\n", "BRITE"),
            ("# x\nSwitchName=s1 Nodes=n[1-4]\n", "topology.conf"),
            ("TOPSYSTEM MSX6036\n", "ibnl"),
            ("// x\nConfiguration {\n\ttopology: XGFT { height: 1 },\n", "CAMINOS"),
        ] {
            assert!(recognise(head).is_some_and(|what| what.contains(says)), "{head}");
        }
        for own in
            ["0 1\n1 2\n", "2 2\n0 1\n1 0\n", "{\"nodes\": [], \"links\": []}", "a b 1\n", ""]
        {
            assert_eq!(recognise(own), None, "{own}");
        }
    }
}
