//! Files written for other programs, compared with files that those programs made themselves.

use std::collections::BTreeSet;

use routebound::export::{EXPORTS, ROUTED_EXPORTS};
use routebound::progress::Progress;
use routebound::registry;
use routebound::routing::Instance;
use routebound::topology::generate;

use super::collection::collection;

/// Net files of another generator, which real OpenSM runs have read.
#[test]
fn equals_the_net_files_of_another_generator() {
    let Some(fabrics) = collection("fabrics") else { return };
    for (folder, spec) in [
        ("ft4x2", "ft(4,2)"),
        ("ft8x3", "ft(8,3)"),
        ("ft16x3", "ft(16,3)"),
        ("xgft2_8-8_1-4", "xgft(2;8,8;1,4)"),
    ] {
        let theirs = std::fs::read_to_string(fabrics.join(folder).join("netlist.ibsim")).unwrap();
        let mut ours = Vec::new();
        let kind = registry::find(EXPORTS, "export", "ibsim").unwrap();
        (kind.build)(&generate(spec).unwrap(), &mut ours).unwrap();
        let ours = String::from_utf8(ours).unwrap();
        let records = |text: &str| text[text.find("speed=").unwrap()..].to_string();
        assert!(records(&ours) == records(&theirs), "{spec} differs");
    }
}

/// The ftree engine of OpenSM spreads FT(m,2) as D-mod-k does: each of our lines is in its dump
/// under the same switch. Its leaf switches, which all routes pass, have no lines besides these
/// except those for other switches; its roots also have unused routes.
#[test]
fn agrees_with_a_dump_of_opensm() {
    let Some(fabrics) = collection("fabrics") else { return };
    for (folder, spec) in [("ft4x2", "ft(4,2)"), ("ft8x2", "ft(8,2)")] {
        let dump = fabrics.join(folder).join("ftree/opensm-lfts.dump");
        let theirs = std::fs::read_to_string(dump).unwrap();
        let (topology, routing) = Instance::named(spec, "dmodk").unwrap().into_parts();
        let mut ours = Vec::new();
        let kind = registry::find(ROUTED_EXPORTS, "export", "lft").unwrap();
        (kind.build)(&topology, &*routing, &Progress::silent(), &mut ours).unwrap();
        let ours = String::from_utf8(ours).unwrap();
        let tables = |text: &str| -> Vec<Vec<String>> {
            let foreign = |line: &&str| line.contains("# Switch") && !line.contains(" 000 #");
            let lines: Vec<&str> = text.lines().filter(|line| !foreign(line)).collect();
            let tables = lines.split_inclusive(|line| line.ends_with("dumped"));
            tables.map(|table| table.iter().map(ToString::to_string).collect()).collect()
        };
        let (ours, theirs) = (tables(&ours), tables(&theirs));
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!(ours.iter().all(|line| theirs.contains(line)), "{ours:?}");
            assert!(ours == theirs || ours[0].contains("'sw-2-"), "{ours:?}");
        }
    }
}

/// The settings of a topology file of htsim: words after the first in the order of the file, by section.
fn settings(text: &str) -> BTreeSet<(String, String, String)> {
    let mut tier = String::new();
    let mut settings = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [name, value] = words[..] {
            if name == "Tier" {
                tier = value.to_string();
            }
            settings.insert((tier.clone(), name.to_string(), value.to_string()));
        }
    }
    settings
}

/// Two of htsim's own topology files; what they state besides is what htsim assumes.
#[test]
fn equals_the_topology_files_of_htsim() {
    let Some(samples) = collection("data/htsim") else { return };
    for (file, spec) in
        [("fat_tree_1024.topo", "ft(16,3)"), ("leaf_spine_tiny.topo", "xgft(2;8,4;1,2)")]
    {
        let theirs = settings(&std::fs::read_to_string(samples.join(file)).unwrap());
        let mut ours = Vec::new();
        let kind = registry::find(EXPORTS, "export", "htsim").unwrap();
        (kind.build)(&generate(spec).unwrap(), &mut ours).unwrap();
        let ours = settings(&String::from_utf8(ours).unwrap());
        let is_assumed = |(_, name, value): &(String, String, String)| {
            let [name, value] = [name, value].map(String::as_str);
            matches!((name, value), ("Bundle" | "Oversubscribed", "1"))
        };
        let stated = |of: &BTreeSet<(String, String, String)>| {
            of.iter().filter(|one| !is_assumed(one)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(stated(&ours), stated(&theirs), "{spec}");
    }
}
