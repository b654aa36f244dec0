//! The lists of the README have every entry of the registries, and nothing else.

use std::collections::BTreeSet;

use routebound::registry::Kind;
use routebound::simulation::workload::{collectives::COLLECTIVES, traces::TRACES};
use routebound::{adversary, export, import, routing, topology, traffic};

use super::{Verdict, assert_found, ensure};

/// The first column of the table with this head, or nothing.
fn column(readme: &str, head: &str) -> String {
    let rows = readme.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let rows = rows.take_while(|line| line.starts_with("| "));
    rows.filter_map(|row| row.split(" | ").next()).collect::<Vec<_>>().join(" ")
}

/// The sentence that begins with these words, up to a full stop at the end of a word.
fn sentence(readme: &str, start: &str) -> String {
    let from = readme.find(start).map_or("", |at| &readme[at..]);
    let from = from.replace('\n', " ");
    from.split(". ").next().unwrap_or_default().to_string()
}

fn names<B>(kinds: &[Kind<B>]) -> BTreeSet<String> {
    kinds.iter().map(|kind| kind.name.to_string()).collect()
}

/// Compares what is in backticks in a list with the names.
fn check(list: &str, what: &str, known: &BTreeSet<String>) -> Verdict {
    let name = |text: &str| text.split(['(', ':']).next().unwrap_or_default().to_string();
    let listed: BTreeSet<String> = list.split('`').skip(1).step_by(2).map(name).collect();
    let missing: Vec<&String> = known.difference(&listed).collect();
    ensure(missing.is_empty(), || format!("add to the {what} in the README: {missing:?}"))?;
    let unknown: Vec<&String> = listed.difference(known).collect();
    ensure(unknown.is_empty(), || format!("no entry, but among the {what}: {unknown:?}"))
}

fn check_all(readme: &str) -> Verdict {
    let specs = names(topology::KINDS).union(&names(routing::KINDS)).cloned().collect();
    check(&column(readme, "| spec | meaning |"), "topologies and routings", &specs)?;
    let adversaries = column(readme, "| adversary | searches |");
    let mut known = names(adversary::KINDS);
    // It needs the solver, and the page is about the whole program.
    known.insert("ilp".into());
    check(&adversaries, "adversaries", &known)?;
    check(&sentence(readme, "Patterns are "), "traffic patterns", &names(traffic::KINDS))?;
    check(&sentence(readme, "Networks may be "), "formats of networks", &names(import::KINDS))?;
    let formats = column(readme, "| format | for |");
    check(&formats, "formats of traffic that are written", &names(export::traffic::FORMATS))?;
    let read = formats + &sentence(readme, "Read but not written ");
    check(&read, "formats of traffic that are read", &names(import::traffic::FORMATS))?;
    let workloads = names(COLLECTIVES).union(&names(TRACES)).cloned().collect();
    check(&column(readme, "| workload | what hosts send |"), "workloads", &workloads)?;
    let exports = sentence(readme, "Networks are written as ");
    check(&exports, "formats in which networks are written", &names(export::EXPORTS))
}

fn readme() -> &'static str {
    include_str!("../../../README.md")
}

#[test]
fn the_readme_lists_every_entry() {
    assert_eq!(check_all(readme()), Ok(()));
}

#[test]
fn what_is_missing_or_made_up_is_named() {
    for (old, new, problem) in [
        ("`osrm3` ", "", "topologies and routings in the README: [\"osrm3\"]"),
        ("`osrm3` ", "`osrm3` `osrm4` ", "among the topologies and routings: [\"osrm4\"]"),
        ("| `anneal` |", "| `aneal` |", "adversaries in the README: [\"anneal\"]"),
        ("`tornado`, ", "", "traffic patterns in the README: [\"tornado\"]"),
        ("`lgf`", "LGF", "formats of networks in the README: [\"lgf\"]"),
        ("| `orcs` |", "| `ORC` |", "that are written in the README: [\"orcs\"]"),
        ("| `disks` |", "| `disk` |", "workloads in the README: [\"disks\"]"),
        ("`ibsim`", "ibsim", "networks are written in the README: [\"ibsim\"]"),
    ] {
        let changed = readme().replacen(old, new, 1);
        assert_ne!(changed, readme(), "{old}");
        assert_found(check_all(&changed), problem);
    }
}
