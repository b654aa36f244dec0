//! The first claim of the README and of `results/README.md`: commands find these numbers.

use std::process::Command;

use serde_json::Value;

const FABRIC: &str = "instances/fabrics/ft16x3/ibnetdiscover.out.gz";
const OPTIONS: &str = "--adversary random --trials 100 --seed 7";

/// What `attack` finds on the fabric with some tables.
fn attacked(tables: &str, options: &str) -> Value {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("routebound"))
        .args(["attack", FABRIC, tables, "--json"])
        .args(options.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn sampling_finds_less_than_half_of_the_worst_load() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    let text: String = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let claim = "100 random permutations find link loads of at most 6, 7 and 19 under OpenSM's \
                 `ftree`, `dfsssp` and `updn` tables; the exact worst loads are 15, 18 and 64";
    assert!(text.contains(claim), "the README says something else");
    let first = std::fs::read_to_string(format!("{root}/results/README.md")).unwrap();
    let first: String = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let claim = "100 of them find loads of at most 6, 7 and 19 where the exact worst loads of OpenSM's ftree, dfsssp \
                 and updn on 1,024 hosts are 15, 18 and 64. `climb`, a search that knows the routing, finds these.";
    assert!(first.contains(claim), "the first page of results says something else");
    for (engine, sampled, exact) in
        [("ftree", "6", "15"), ("dfsssp", "7", "18"), ("updn", "19", "64")]
    {
        let tables = format!("lft:instances/fabrics/ft16x3/{engine}/opensm-lfts.dump.gz");
        let command = format!("attack {FABRIC} \\ {tables} {OPTIONS}");
        assert!(text.contains(&command), "the README has no such command: {command}");
        let value = attacked(&tables, OPTIONS);
        assert_eq!(value["hosts"], 1024);
        assert_eq!(value["adversaries"][0]["lower"], sampled, "{engine}");
        assert_eq!(value["adversaries"][0]["load"], sampled, "{engine}");
        assert_eq!(value["exact"]["lower"], exact, "{engine}");
        assert_eq!(value["exact"]["upper"], exact, "{engine}");
        let climbed = attacked(&tables, "--adversary climb");
        assert_eq!(climbed["adversaries"][0]["lower"], exact, "{engine}");
    }
}
