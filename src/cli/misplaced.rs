//! Names that are known, but stand in the place of something else.

use anyhow::Error;
use itertools::Itertools as _;

use super::{command, joined};
use crate::registry::{Kind, UnknownName};
use crate::simulation::{adaptive, delivery, packet, workload};
use crate::{import, routing, topology, traffic};

/// Engines of OpenSM, in lower case, whose routing is known once it has written its tables.
const OPENSM_ENGINES: &[&str] = &[
    "ar_ftree",
    "ar_torus",
    "ar_updn",
    "chain",
    "dfp",
    "dfp2",
    "dfsssp",
    "dnup",
    "ftree",
    "kdor-ghc",
    "kdor-hc",
    "lash",
    "nue",
    "pqft",
    "sssp",
    "torus-2qos",
    "updn",
];

/// Protocols that send along shortest paths by the weights of links.
const SHORTEST_PATHS: &[&str] = &["is-is", "isis", "ospf", "shortest", "shortest-path", "spf"];

/// Networks that are not trees and have other names here, or none.
const OTHER_NETWORKS: &[&str] = &["clique", "expander", "ring", "star"];

/// What people call fat-trees whose sizes are not said in the way of this program.
const FAT_TREES: &[&str] = &["clos", "fat-tree", "fat_tree", "fattree"];

/// What arguments name, with its article, and whether something of this kind has a name.
type Place = (&'static str, &'static str, fn(&str) -> bool);

const PLACES: &[Place] = &[
    ("topology", "a topology", |name| has(topology::KINDS, name)),
    ("routing", "a routing", |name| has(routing::KINDS, name)),
    ("traffic", "traffic", |name| {
        has(traffic::KINDS, traffic::name_of(name)) || has(import::traffic::SPECS, name)
    }),
    ("pattern routing", "a pattern routing", |name| has(adaptive::KINDS, name)),
    ("adaptive routing", "an adaptive routing", |name| has(packet::select::SELECTIONS, name)),
    ("algorithm", "an algorithm", |name| has(delivery::algorithm::ALGORITHMS, name)),
    ("message set", "a message set", |name| has(delivery::sets::SETS, name)),
    ("collective", "a collective", |name| has(workload::collectives::COLLECTIVES, name)),
    ("trace", "a trace", |name| has(workload::traces::TRACES, name)),
];

fn has<B>(kinds: &[Kind<B>], name: &str) -> bool {
    kinds.iter().any(|kind| kind.name == name)
}

/// The error of a verb; where it is about a name that is known elsewhere, it says where.
pub(super) fn explained(error: Error, verb: &str) -> Error {
    let unknown = error.chain().find_map(|cause| cause.downcast_ref::<UnknownName>());
    let text = unknown.and_then(|unknown| {
        Some(joined(&error).replace(unknown.to_string().trim_end(), &hint(unknown, verb)?))
    });
    text.map_or(error, Error::msg)
}

/// What an unknown name is instead.
fn hint(unknown: &UnknownName, verb: &str) -> Option<String> {
    let UnknownName { what, name, .. } = unknown;
    if *what == "routing" && OPENSM_ENGINES.contains(&name.as_str()) {
        return Some(format!(
            "`{name}` is an engine of OpenSM, not a routing: dump its tables and give `lft:FILE`"
        ));
    }
    if *what == "topology" {
        if OTHER_NETWORKS.contains(&name.as_str()) {
            return Some(format!(
                "no topology is called `{name}`: torus(k) is a ring, mesh(k1;k2) a grid, hyperx(n) a clique; others \
                 are read from files, see `routebound list topologies formats`"
            ));
        }
        if FAT_TREES.contains(&name.as_str()) {
            return Some(format!(
                "no topology is called `{name}`: ft(m,n) is the fat-tree of m-port switches on n levels, xgft the \
                 most general"
            ));
        }
    }
    if *what == "routing" && SHORTEST_PATHS.contains(&name.as_str()) {
        return Some(format!(
            "`{name}` is not a routing here: `ecmp` divides over all shortest paths, by the link weights of a file \
             that has some, and `hash` takes one of them for each pair"
        ));
    }
    let (_, wanted, _) = PLACES.iter().find(|(place, ..)| place == what)?;
    let Some((place, found, _)) = PLACES.iter().find(|(_, _, is_known)| is_known(name)) else {
        let is_path = *what == "topology" && verb == "fabric";
        return is_path.then(|| format!("{name}: no such file or folder, and no topology"));
    };
    let remedy = if ["topology", "routing", "traffic"].contains(place) {
        format!("write `routebound {verb} {}`", order(verb))
    } else {
        "see `routebound list`".to_string()
    };
    Some(format!("`{name}` is {found}, not {wanted}: {remedy}"))
}

/// The arguments of a verb in their order.
fn order(verb: &str) -> String {
    let program = command();
    let arguments =
        program.find_subcommand(verb).into_iter().flat_map(clap::Command::get_positionals);
    arguments.filter_map(|argument| argument.get_value_names()?.first()).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::VERBS;
    use crate::registry;

    #[test]
    fn every_known_name_in_another_place_is_said_to_be_there() {
        for (wanted, ..) in PLACES {
            for (found, names) in [
                ("a topology", topology::KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>()),
                ("a routing", routing::KINDS.iter().map(|kind| kind.name).collect()),
            ] {
                for name in names {
                    let none: &[Kind<()>] = &[];
                    let unknown = registry::find(none, wanted, name).err().unwrap();
                    let said = explained(unknown.into(), "load").to_string();
                    let is_own = found.ends_with(wanted) && !wanted.contains(' ');
                    let is_engine = *wanted == "routing" && OPENSM_ENGINES.contains(&name);
                    assert!(is_own || is_engine || said.contains(&format!("is {found}")), "{said}");
                }
            }
        }
    }

    #[test]
    fn verbs_say_their_order() {
        assert_eq!(order("load"), "TOPOLOGY ROUTING TRAFFIC");
        assert!(VERBS.iter().all(|verb| order(verb.name) == order(verb.name).to_uppercase()));
        let error = topology::generate("dmodk").unwrap_err();
        assert_eq!(
            explained(Error::from(error).context("in a file"), "ratio").to_string(),
            "in a file: `dmodk` is a routing, not a topology: write `routebound ratio TOPOLOGY ROUTING`"
        );
    }

    #[test]
    fn other_networks_and_folders_are_said_to_be_such() {
        let said = |name: &str, verb| {
            let error = topology::generate(name).unwrap_err();
            explained(error.into(), verb).to_string()
        };
        for name in OTHER_NETWORKS {
            assert!(said(name, "topo").contains("are read from files"), "{name}");
        }
        for name in FAT_TREES {
            assert!(said(name, "topo").contains("ft(m,n) is the fat-tree"), "{name}");
        }
        assert_eq!(said("dumps", "fabric"), "dumps: no such file or folder, and no topology");
        assert!(said("dumps", "topo").starts_with("unknown topology `dumps`"));
    }

    #[test]
    fn protocols_are_said_by_their_routing() {
        for name in SHORTEST_PATHS {
            assert!(!has(routing::KINDS, name), "{name}");
            let ring = topology::generate("ft(4,2)").unwrap();
            let error = routing::build(name, &ring).err().unwrap();
            let said = explained(error.into(), "ratio").to_string();
            assert!(said.contains("`ecmp` divides over all shortest paths"), "{said}");
        }
    }

    #[test]
    fn engines_of_opensm_are_not_routings() {
        for name in OPENSM_ENGINES {
            assert!(!has(routing::KINDS, name), "{name}");
            let ring = topology::generate("ft(4,2)").unwrap();
            let error = routing::build(name, &ring).err().unwrap();
            let said = explained(error.into(), "ratio").to_string();
            assert!(said.ends_with("dump its tables and give `lft:FILE`"), "{said}");
        }
    }
}
