//! Formats: what is written can be read again where a reader of that format exists.

use std::collections::BTreeSet;
use std::io::Write as _;

use routebound::export::{EXPORTS, Export};
use routebound::import::{self, ImportOptions};
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::topology::{self, NodeId, Topology};

use super::{Verdict, assert_found, ensure, generated};

/// Formats that hold less than a network, or only the numbers of which a tree is made: the tests beside them say what is
/// read again, and by whom.
const OF_OTHER_READERS: &[&str] = &["slurm-conf", "slurm-yaml", "htsim", "caminos"];

/// The cables by the names of their ends, with the capacity: what every format keeps, and ports if they count. Files of
/// some formats call nodes by their numbers.
fn cables(
    network: &Topology,
    format: &str,
    ports: bool,
) -> Result<BTreeSet<(String, String, u32, Rational)>, String> {
    let name = |node: NodeId| match (format, (node as usize).checked_sub(network.hosts())) {
        ("anynet", None) => format!("node {node}"),
        ("anynet", Some(router)) => format!("router {router}"),
        ("ns3", _) => node.to_string(),
        _ => network.node(node).name.clone(),
    };
    let cable = |link| {
        let (from, to) = network.ends(link).ok_or("a link without ends")?;
        let found = network.link(link);
        let port = if ports { found.from_port } else { 0 };
        Ok((name(from), name(to), port, found.capacity.clone()))
    };
    network.link_numbers().map(cable).collect()
}

/// Checks the format on these networks: what is read again has the same hosts, cables and labels.
fn check(kind: &Kind<Export>, networks: &[Topology]) -> Verdict {
    let mut read = 0;
    for network in networks {
        let place = |problem: String| format!("{} as {}: {problem}", network.spec(), kind.name);
        let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        if let Err(error) = (kind.build)(network, &mut file) {
            ensure(!error.to_string().is_empty(), || place("refused without a reason".into()))?;
            continue;
        }
        file.flush().map_err(|error| error.to_string())?;
        let path = file.path().to_string_lossy();
        let unit_capacity = !holds_capacities(kind);
        let again = import::topology(&path, &ImportOptions { unit_capacity, ..Default::default() })
            .map_err(|error| place(error.to_string()))?;
        ensure(again.hosts() == network.hosts(), || place("the number of hosts differs".into()))?;
        // An anynet file has no ports: they follow the order of its lines, which is that of trees.
        let ports = kind.name != "anynet" || network.tree().is_some();
        let same = cables(&again, "as it is", ports)? == cables(network, kind.name, ports)?;
        ensure(same, || place("cables differ".into()))?;
        let same = network.plain_tree().is_none() || again.tree() == network.tree();
        ensure(same, || place("the labels differ".into()))?;
        read += 1;
    }
    ensure(read > 0, || format!("{}: no network can be written", kind.name))
}

/// A net file of ibsim has no speeds, and one for ns-3 has rates.
fn holds_capacities(kind: &Kind<Export>) -> bool {
    !["ibsim", "ns3"].contains(&kind.name)
}

/// Hosts with several links are several hosts in a net file of ibsim, whose links are of one width.
fn one_port(network: &Topology) -> bool {
    let is_plain = network.plain_tree().is_some();
    is_plain && network.tree().is_some_and(|tree| tree.parents(1) == 1)
}

#[test]
fn formats_are_read_again() {
    let all = generated();
    let plain: Vec<Topology> = generated().into_iter().filter(one_port).collect();
    for kind in EXPORTS.iter().filter(|kind| !OF_OTHER_READERS.contains(&kind.name)) {
        let networks = if holds_capacities(kind) { &all } else { &plain };
        assert_eq!(check(kind, networks), Ok(()));
    }
}

#[test]
fn planted_bugs_are_found() {
    let right = *EXPORTS.iter().find(|kind| kind.name == "json").unwrap();
    let networks = [topology::generate("ft(4,2)").unwrap()];
    assert_eq!(check(&right, &networks), Ok(()));
    let other: Export = |_, out| {
        let other = topology::generate("ft(4,3)").expect("a spec");
        (EXPORTS.iter().find(|kind| kind.name == "json").expect("a format").build)(&other, out)
    };
    assert_found(check(&Kind { build: other, ..right }, &networks), "the number of hosts differs");
    let slower: Export = |_, out| {
        let other = topology::generate("kary(2,3)").expect("a spec");
        (EXPORTS.iter().find(|kind| kind.name == "json").expect("a format").build)(&other, out)
    };
    assert_found(check(&Kind { build: slower, ..right }, &networks), "cables differ");
    let nothing: Export = |_, out| Ok(out.write_all(b"nothing\n")?);
    assert!(check(&Kind { build: nothing, ..right }, &networks).is_err());
}
