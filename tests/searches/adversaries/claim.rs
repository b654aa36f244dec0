//! The first claim of the README and of `results/README.md`: sampling finds loads of 6, 7 and 19 where the worst
//! ones are 15, 18 and 64.

use serde_json::Value;

use crate::program::json;

const FABRIC: &str = "instances/fabrics/ft16x3/ibnetdiscover.out.gz";
const OPTIONS: &str = "--adversary random --trials 100 --seed 7";

/// What `attack` finds on the fabric with some tables.
fn attacked(tables: &str, options: &str) -> Value {
    json(format!("attack {FABRIC} {tables} {options}"))
}

#[test]
fn sampling_finds_less_than_half_of_the_worst_load() {
    for (engine, sampled, exact) in
        [("ftree", "6", "15"), ("dfsssp", "7", "18"), ("updn", "19", "64")]
    {
        let tables = format!("lft:instances/fabrics/ft16x3/{engine}/opensm-lfts.dump.gz");
        let value = attacked(&tables, OPTIONS);
        assert_eq!(value["hosts"], 1024);
        assert_eq!(value["adversaries"][0]["lower"], sampled, "{engine}");
        assert_eq!(value["adversaries"][0]["load"], sampled, "{engine}");
        assert_eq!(value["exact"]["lower"], exact, "{engine}");
        assert_eq!(value["exact"]["upper"], exact, "{engine}");
        let climbed = attacked(&tables, "--adversary climb --no-exact");
        assert_eq!(climbed["adversaries"][0]["lower"], exact, "{engine}");
    }
}
