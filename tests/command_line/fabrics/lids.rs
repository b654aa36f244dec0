//! `minhop` against the tables that OpenSM made, and what other orders of LIDs would give.

use std::path::Path;

use routebound::certificate::Quantity;
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::sd_pairs;
use routebound::worst_case::Analyse;

use super::{collection, file, import, root};
use crate::program::{Run, run};

/// Pairs that `minhop` and the tables of a folder route over different links, and the worst permutation
/// loads of both.
fn against_opensm(folder: &Path) -> (usize, [Rational; 2]) {
    let fabric = import(&file(folder, "ibnetdiscover.out").unwrap());
    let tables = file(folder, "opensm-lfts.dump").unwrap();
    let [own, theirs] = ["minhop".to_string(), format!("lft:{tables}")].map(|spec| {
        let routing = routing::build(&spec, &fabric).unwrap();
        Instance::new(fabric.clone(), routing).unwrap()
    });
    let path = |instance: &Instance, s, d| {
        let mut path: Vec<u32> = Vec::new();
        instance.routing().for_each_path(s, d, &mut Vec::new(), &mut |_, links| path.extend(links));
        path
    };
    let differ = sd_pairs(fabric.hosts())
        .filter(|(s, d)| path(&own, *s, *d) != path(&theirs, *s, *d))
        .count();
    let worst = |instance: &Instance| {
        let worst = Analyse::of(Quantity::PermutationLoad).run(instance).unwrap();
        worst.upper().unwrap()
    };
    (differ, [worst(&own), worst(&theirs)])
}

/// On whole trees whose LIDs follow the hosts the tables are those of OpenSM, path by path.
#[test]
fn whole_trees_have_the_tables_of_opensm() {
    let instances = root().join("instances/fabrics");
    let mut folders = vec![instances.join("ft8x3/minhop")];
    if cfg!(feature = "slow-tests") {
        folders.push(instances.join("ft16x3/minhop"));
    }
    let known =
        ["ft4x2", "ft8x2", "ft16x2", "ft4x3", "ft8x3", "xgft2_8-8_1-4", "pgft2_8-4_1-4_1-2"];
    let all = known.iter().filter_map(|name| collection(&format!("fabrics/{name}/minhop")));
    folders.extend(all);
    for folder in folders.iter().filter(|folder| file(folder, "ibnetdiscover.out").is_some()) {
        let (differ, loads) = against_opensm(folder);
        println!("{}: {differ} pairs differ, {} and {}", folder.display(), loads[0], loads[1]);
        assert_eq!(differ, 0, "{}", folder.display());
    }
}

/// On an irregular fabric they are not, where leaf switches have different numbers of hosts: OpenSM takes the
/// LIDs switch by switch.
#[test]
fn irregular_fabrics_have_tables_of_their_own() {
    let Some(folder) = collection("fabrics/ft8x3_messy/minhop") else { return };
    let (differ, loads) = against_opensm(&folder);
    assert!(differ > 0);
    assert_eq!(loads, [16_u64, 16].map(Rational::from));
}

/// A run of `compare`.
fn compare(arguments: &str) -> Run {
    run(format!("compare {arguments} --quiet"))
}

#[test]
fn orders_of_lids_are_shuffled_for_the_side_that_follows_them() {
    let tables = "instances/fabrics/ft8x3/ftree minhop --network instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz";
    let found = compare(&format!("{tables} --shuffle-lids 3 --json")).expects(1).json();
    let [before, after] = [&found["lid_orders"][0], &found["lid_orders"][1]];
    let reason = before["refused"].as_str().unwrap();
    assert!(
        reason.contains("only the engine knows that made it: compare it with `minhop`"),
        "{reason}"
    );
    assert_eq!(found["worst_loads"], serde_json::json!(["7", "16"]));
    assert_eq!((&after["orders"], &after["first_seed"]), (&3.into(), &1.into()));
    let total =
        after["loads"].as_array().unwrap().iter().map(|one| one["orders"].as_u64().unwrap());
    assert_eq!(total.sum::<u64>(), 3);
    // The first of them is that of `minhop(seed=1)` by itself.
    let single = compare(&format!("{tables} --shuffle-lids 1 --json")).json();
    let network = import("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz");
    let routing = routing::build("minhop(seed=1)", &network).unwrap();
    let instance = Instance::new(network, routing).unwrap();
    let worst = Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
    assert_eq!(single["lid_orders"][1]["most"], worst.upper().unwrap().to_string());
    assert!(!compare(tables).stdout.contains("orders of LIDs"));
}

#[test]
fn orders_start_at_the_seed_and_damage_counts() {
    let line = "minhop minhop --network ft(4,3) --shuffle-lids 4 --seed 7";
    let text = compare(line).expects(0).stdout;
    assert!(
        text.contains(
            "no difference\n\nworst permutation load over orders of LIDs\n  before minhop: "
        ),
        "{text}"
    );
    assert!(text.contains("over 4 orders (seeds 7 to 10): "), "{text}");
    let messy = "instances/fabrics/ft8x3_messy/updn minhop --network instances/fabrics/ft8x3_messy/updn/ibnetdiscover.out.gz --shuffle-lids 2";
    assert!(compare(messy).stdout.contains("over 2 orders (seeds 1 to 2): "));
    let failed = compare("dmodk minhop --network ft(4,3) --fail 1 --shuffle-lids 2").stdout;
    assert!(failed.contains("after  minhop: "), "{failed}");
}

#[test]
fn orders_of_lids_need_a_routing_that_follows_them() {
    let errors = compare("osrm2 dmodk --network ft(8,2) --shuffle-lids 2").expects(2).stderr;
    assert!(errors.contains("`--shuffle-lids` has no effect on these routings: `osrm2` does not depend on the order of LIDs: `minhop` does; `dmodk` does not"), "{errors}");
    compare("minhop dmodk --network ft(8,2) --shuffle-lids 0").expects(2);
}

/// What `route --save-opensm` writes is the folder of a fabric, also in the LIDs that its sources use.
#[test]
fn a_folder_for_opensm_is_that_of_a_fabric() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("written").display().to_string();
    let ratio = |options: &str| {
        let line = format!("fabric {at} --bisections 0 --json --quiet {options}");
        let found = run(line.trim_end()).expects(0).json();
        assert_eq!(found["network"], format!("{at}/network.json"));
        let tables = &found["tables"][0];
        (tables["tables"].clone(), tables["oblivious_ratio"]["upper"].clone())
    };
    run(format!("route ft(8,2) osrm2 --save-opensm {at} --quiet")).expects(0);
    let [all, chosen] = ["lft", &format!("lft(lid=\"{at}/lids.csv\")")]
        .map(|kind| format!("{kind}:{at}/opensm-lfts.dump"));
    assert_eq!(ratio(""), (chosen.into(), "2".into()));
    assert_eq!(ratio("--lmc base"), (all.clone().into(), "4".into()));
    let same = run(format!("compare {at} {at} --quiet")).expects(0).stdout;
    assert!(same.contains("no difference"), "{same}");
    // Without a choice of LIDs the file about it is gone.
    run(format!("route ft(8,2) dmodk --save-opensm {at} --quiet")).expects(0);
    assert!(!Path::new(&at).join("lids.csv").exists());
    assert_eq!(ratio(""), (all.into(), "4".into()));
}
