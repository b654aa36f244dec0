//! Files of launchers, read as their readers read them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use super::*;
use crate::jobs::orders::{Bundles, Search, best_order};
use crate::jobs::{Exchange, Hostlist, JobLinks, Node, NodeNames, Nodes, select};
use crate::load::LinkLoads;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::traffic::Demand;

fn all_of(instance: &Instance) -> Job {
    Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes }
}

/// The files of a launch by their endings.
fn files(launch: &Launch) -> BTreeMap<String, String> {
    launch.files().into_iter().collect()
}

/// The lines of a file without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The best order of a collective of all hosts of a tree.
fn best(instance: &Instance, job: &Job, collective: &str) -> FoundOrder {
    let silent = Progress::silent();
    let bundles = Bundles::of(instance, job, &silent).unwrap();
    let collective = collectives::generate(collective, job.nodes.len()).unwrap();
    let search = Search { restarts: 1, steps: 200, seed: 1, starts: Vec::new() };
    best_order(&bundles, &collective, &search, &silent).unwrap()
}

/// The pairs of a file of `superbench`, by line: source and destination by the lines of a host file.
fn superbench(text: &str, hosts: &[&str]) -> Vec<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (server, client) = pair.split_once(',').unwrap();
        let name = |index: &str| hosts[index.parse::<usize>().unwrap()].to_string();
        (name(client), name(server))
    };
    text.lines().map(|line| line.split(';').map(pair).collect()).collect()
}

/// The rings of a script with their loads: the hosts of `--host`, context by context.
fn rings(text: &str) -> Vec<(Vec<String>, String)> {
    let ring = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let hosts = words.windows(2).filter(|two| two[0] == "--host");
        let hosts = hosts.map(|two| two[1].split(':').next().unwrap().to_string()).collect();
        let (_, load) = line.split_once(", load ").unwrap();
        (hosts, load.split_once(": |").unwrap().0.to_string())
    };
    lines(text).filter(|line| line.starts_with("{ $mpirun")).map(ring).collect()
}

/// The loads of sends between hosts of a tree that are called by numbers.
fn loads<'i>(instance: &'i Instance, sends: &[(String, String)]) -> LinkLoads<'i> {
    let number = |name: &String| name.strip_prefix("host-").unwrap().parse().unwrap();
    let demand =
        |(s, d): &(String, String)| Demand { s: number(s), d: number(d), amount: Rational::ONE };
    let demands: Vec<Demand> = sends.iter().map(demand).collect();
    LinkLoads::of(instance.topology(), instance.routing(), &demands, &Progress::silent()).unwrap()
}

#[test]
fn an_order_is_read_back_from_every_file() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let job = all_of(&instance);
    let some = if cfg!(feature = "slow-tests") { 3 } else { 2 };
    for collective in ["ring", "tree", "alltoall"].into_iter().take(some) {
        let found = best(&instance, &job, collective);
        let launch = Launch::of_order(instance.topology(), &job, collective, &found).unwrap();
        let files = files(&launch);
        let endings: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(endings, ["hosts", "nodelist", "ranks", "superbench", "superbench.about"]);
        let nodes: Vec<&str> = found
            .order
            .nodes()
            .iter()
            .map(|node| job.nodes[*node as usize].name.as_str())
            .collect();
        assert_eq!(lines(&files["hosts"]).collect::<Vec<_>>(), nodes);
        let listed = Hostlist::parse(lines(&files["nodelist"]).next().unwrap()).unwrap();
        assert_eq!(listed.names().map(|listed| listed.name).collect::<Vec<_>>(), nodes);
        let rank = |(at, name): (usize, &&str)| format!("rank {at}={name} slot=0");
        let ranks: Vec<String> = nodes.iter().enumerate().map(rank).collect();
        assert_eq!(lines(&files["ranks"]).collect::<Vec<_>>(), ranks);
        // Every round has the load that the search said, and the remark.
        let rounds = superbench(&files["superbench"], &nodes);
        assert_eq!(rounds.len(), found.phases.len());
        for (round, phase) in rounds.iter().zip(&found.phases) {
            assert_eq!(loads(&instance, round).max_load(), phase.load);
            let remark = format!("exact load {} at ", phase.load);
            assert!(files["superbench.about"].contains(&remark), "{remark}");
        }
        let said = format!("exact maximum load of a link {}\n", found.cost.most);
        assert!(files["hosts"].contains(&said), "{}", files["hosts"]);
    }
}

#[test]
fn a_host_file_is_a_list_of_hosts() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let job = all_of(&instance);
    let found = best(&instance, &job, "ring");
    let launch = Launch::of_order(instance.topology(), &job, "ring", &found).unwrap();
    let nodes = Nodes::of(instance.topology());
    let names = NodeNames::new(instance.topology(), &nodes);
    for ending in ["hosts", "nodelist"] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &files(&launch)[ending]).unwrap();
        let read = select(&names, file.path().to_str().unwrap()).unwrap();
        let order: Vec<usize> = found.order.nodes().iter().map(|node| *node as usize).collect();
        assert_eq!(read.nodes, order, "{ending}");
    }
}

/// The loads that files promise are those of what they have run, computed from the files alone.
#[test]
fn pairs_have_the_loads_that_their_files_say() {
    for (tree, routing) in
        [("ft(8,2)", "dmodk"), ("ft(4,3)", "random(seed=3)"), ("ft(4,2)", "ecmp")]
    {
        let instance = Instance::named(tree, routing).unwrap();
        let job = all_of(&instance);
        let silent = Progress::silent();
        let sets = NodePairs::of(&instance, 0, &job, 3, &silent).unwrap();
        let links = JobLinks::of(&instance, &job, Exchange::Nodes, &silent).unwrap();
        assert_eq!(sets[0].one_way.load, links.worst(&instance).unwrap().1, "{tree} {routing}");
        for set in &sets {
            let launch = Launch::of_pairs(instance.topology(), &job, set).unwrap();
            let files = files(&launch);
            let endings: Vec<&str> = files.keys().map(String::as_str).collect();
            assert_eq!(endings, ["hosts", "nodelist", "sh", "superbench", "superbench.about"]);
            let hosts: Vec<&str> = lines(&files["hosts"]).collect();
            let rounds = superbench(&files["superbench"], &hosts);
            assert_eq!(rounds.len(), 1);
            let one_way = loads(&instance, &rounds[0]);
            assert_eq!(one_way.max_load(), set.one_way.load);
            assert_eq!(one_way.load(set.one_way.link), set.one_way.load);
            assert_eq!(one_way.load(set.link), links.links[&set.link].traffic);
            let rings = rings(&files["sh"]);
            let follows = |ring: &Vec<String>| {
                let next = ring.iter().cycle().skip(1).cloned();
                ring.iter().cloned().zip(next).collect::<Vec<_>>()
            };
            let sends: Vec<(String, String)> =
                rings.iter().flat_map(|(ring, _)| follows(ring)).collect();
            // Every pair of the set is a step of some ring.
            assert!(rounds[0].iter().all(|send| sends.contains(send)), "{rings:?}");
            let all = loads(&instance, &sends);
            assert_eq!(all.max_load(), set.in_rings.load);
            let most = rings.iter().map(|(_, load)| load.parse().unwrap()).max();
            assert_eq!(most, Some(set.in_rings.load.clone()));
            for said in [
                format!("# exact maximum load one way: {} at ", set.one_way.load),
                format!("# exact maximum load in rings: {} at ", set.in_rings.load),
            ] {
                assert!(
                    ["sh", "hosts", "superbench.about"]
                        .iter()
                        .all(|file| files[*file].contains(&said))
                );
            }
        }
    }
}

#[test]
fn nodes_with_rails_have_a_process_for_each() {
    let instance = Instance::named("ft(8,2)", "dmodk").unwrap();
    let node =
        |at: u32| Node { name: format!("n{at}"), adapters: vec![Some(2 * at), Some(2 * at + 1)] };
    let job = Job { name: "two rails".into(), nodes: (0..16).map(node).collect() };
    let sets = NodePairs::of(&instance, 0, &job, 1, &Progress::silent()).unwrap();
    let links = JobLinks::of(&instance, &job, Exchange::Nodes, &Progress::silent()).unwrap();
    assert_eq!(sets[0].one_way.load, links.worst(&instance).unwrap().1);
    let launch = Launch::of_pairs(instance.topology(), &job, &sets[0]).unwrap();
    let script = &files(&launch)["sh"];
    assert!(script.contains("export NCCL_TESTS_SPLIT='MOD 2'\n"), "{script}");
    let first =
        format!("{{ $mpirun -np 2 --host {}:2 -x NCCL_TESTS_SPLIT $test : -np 2", launch.names[0]);
    assert!(script.contains(&first), "{script}");
    // What Open MPI removes at the end of one ring is not what another is about to use.
    let of_sessions = |line: &&str| line.starts_with("export OMPI_MCA_orte_local_tmpdir_base=");
    let sessions: BTreeSet<&str> = script.lines().filter(of_sessions).collect();
    assert_eq!(sessions.len(), launch.rings.len(), "{script}");
}

/// Sessions of rings are removed, also where a signal ends the script.
#[test]
fn scripts_for_pairs_leave_nothing_behind() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let sets = NodePairs::of(&instance, 0, &all_of(&instance), 1, &Progress::silent()).unwrap();
    let launch = Launch::of_pairs(instance.topology(), &all_of(&instance), &sets[0]).unwrap();
    let (folder, script) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
    std::fs::write(script.path(), &files(&launch)["sh"]).unwrap();
    for (launcher, status) in [("true", 0), ("kill -TERM $$", 143)] {
        let line = format!("export MPIRUN=\"{launcher}\"; exec sh \"$1\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, "sh"]).arg(script.path()).env("TMPDIR", folder.path());
        let output = shell.output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{launcher}");
    }
}

#[test]
fn names_are_plain() {
    let topology = crate::topology::generate("ft(4,2)").unwrap();
    let of = |names: &[&str]| {
        let node = |name: &&str| Node { name: (*name).into(), adapters: vec![Some(0)] };
        let job = Job { name: "job".into(), nodes: names.iter().map(node).collect() };
        Launch::of_nodes(&job, &Order::listed(2))
    };
    assert_eq!(of(&["a-1", "b.cluster"]).unwrap().names, ["a-1", "b.cluster"]);
    for name in [
        "", "a b", "a\tb", "a\nb", "a\u{7}", "#a", "a:1", "a=b", "+n0", "-n", "a;b", "$a", "a'b",
        "a|b", "ä",
    ] {
        assert_eq!(of(&["x", name]), Err(LaunchError::Name { name: name.into() }), "{name}");
    }
    assert_eq!(of(&["x", "x"]), Err(LaunchError::SameName { name: "x".into() }));
    assert!(matches!(of(&["x", "y", "z"]), Err(LaunchError::Order(_))));
    // What a job is called cannot end a comment.
    let nodes = Nodes::of(&topology).nodes;
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let job = Job { name: "a\n rm -r x".into(), nodes };
    let sets = NodePairs::of(&instance, 0, &job, 1, &Progress::silent()).unwrap();
    let script = &files(&Launch::of_pairs(&topology, &job, &sets[0]).unwrap())["sh"];
    assert!(script.lines().all(|line| !line.starts_with(" rm")), "{script}");
}
