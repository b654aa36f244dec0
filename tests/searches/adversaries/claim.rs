//! The first claim of the README: its command finds these numbers.

use std::process::Command;

use serde_json::Value;

const FABRIC: &str = "instances/fabrics/ft16x3/ibnetdiscover.out.gz";
const OPTIONS: &str = "--adversary random --trials 100 --seed 7";

#[test]
fn sampling_finds_less_than_half_of_the_worst_load() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    let text: String = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let claim = "100 random permutations find link loads of at most 6, 7 and 19 under OpenSM's \
                 `ftree`, `dfsssp` and `updn` tables; the exact worst loads are 15, 18 and 64";
    assert!(text.contains(claim), "the README says something else");
    for (engine, sampled, exact) in
        [("ftree", "6", "15"), ("dfsssp", "7", "18"), ("updn", "19", "64")]
    {
        let tables = format!("lft:instances/fabrics/ft16x3/{engine}/opensm-lfts.dump.gz");
        let command = format!("attack {FABRIC} \\ {tables} {OPTIONS}");
        assert!(text.contains(&command), "the README has no such command: {command}");
        let output = Command::new(assert_cmd::cargo::cargo_bin!("routebound"))
            .args(["attack", FABRIC, &tables, "--json"])
            .args(OPTIONS.split(' '))
            .current_dir(root)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["hosts"], 1024);
        assert_eq!(value["adversaries"][0]["lower"], sampled, "{engine}");
        assert_eq!(value["adversaries"][0]["load"], sampled, "{engine}");
        assert_eq!(value["exact"]["lower"], exact, "{engine}");
        assert_eq!(value["exact"]["upper"], exact, "{engine}");
    }
}
