//! What the JSON of every verb has in common.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::files::with_instances;
use crate::program::{done, run, run_in};

const CERTIFICATE: &str = "results/or/table-1/certificates/ft-4-2-dmodk.cert";

/// A command for every verb and every shape that it prints.
const COMMANDS: &[&str] = &[
    "fabric instances/fabrics/ft8x2/minhop_lmc2 --hosts host-[0-7] --collective ring",
    "compare dmodk dmodk --network ft(8,2) --fail 2 --threshold 2",
    "compare minhop dmodk --network ft(8,2) --shuffle-lids 2",
    "topo ft(4,2)",
    "topo universal(4)",
    "topo ft(4,2) --links=csv --output links.csv",
    "topo ft(4,2) --format dot --output tree.dot",
    "route ft(4,2) dmodk",
    "route ft(4,2) dmodk --pair 0 5",
    "route kary(2,2) dmodk --intervals",
    "route ft(4,2) dmodk --tables --output tables",
    "route ft(4,2) smodk --save-opensm opensm",
    "traffic ft(4,2) shift(1)",
    "traffic ft(4,2) shift(1) --output shift.mtx",
    "load ft(4,2) omrmn shift(2)",
    "load ftree(4,16,8) nonblocking-adaptive permutation",
    "optu ft(4,2) bitrev",
    "ratio instances/networks/examples/ring.csv ecmp",
    "ratio ft(4,2) dmodk --at-most 4 --save-traffic worst.mtx",
    "ratio ft(8,2) dmodk --fail-switches sw-1-0",
    "ratio ft(4,2) dmodk --worst-single-failure",
    "ratio ft(4,2) dmodk --failures 2 --dangerous 2",
    "fabric ft(4,2) --routing ecmp --bisections 0 --failures 1",
    "compare dmodk dmodk --network ft(4,2) --failures 1 --repair none",
    "ratio ftree(2,2,3) ecmp-hash --seeds 3",
    "ratio ft(4,2) dmodk --shard 1/2 --part part",
    "attack ft(4,2) random --all --trials 20",
    "attack ftree(3,18,4) nonblocking-adaptive --all --trials 20",
    "synth ft(4,2)",
    "improve ft(4,3) minhop --save-tables better.dump",
    "synth ft(8,2) --paths 2 --method count",
    "nonblocking ftree(2,4,5) yuan",
    "nonblocking ftree(4,16,4) nonblocking-adaptive",
    "nonblocking ftree(2,4,3) --least-m",
    "deliver universal(16) greedy shift(8) --loss left",
    "deliver universal(16) offline messages(count=60)",
    "deliver universal({n}) greedy shift(8) --sweep n=16,32 --sweep load-factor=1,2",
    "sim kary(4,2) dmodk uniform --load 0.5,1/3 --packets 20 --packet 64 --save-links busy.csv",
    "sim ft(4,2) osrm2 permutation(seed=1) --saturation --packets 20 --packet 64",
    "sim ft(4,2) dmodk shift(1) --message 4KB",
    "verify or-lemma-5 --up-to 8",
    "verify or-lemma-5 --planted",
    "verify or-theorem-7 --on ft(4,3) --adversaries",
    "verify --save-items items.md",
    "embed {CERTIFICATE} --output embedded.cert",
    "check {CERTIFICATE} missing.cert",
    "regress instances/regress/papers.toml",
    "study or-table-1 --small --output study",
    "list",
    "generate complete-bash",
    "generate man --output man1",
    #[cfg(feature = "highs")]
    "ratio ft(4,2) kpath(k=2) --rates adaptive",
    #[cfg(feature = "highs")]
    "ratio ft(4,2) kpath(k=2,choice=first) --rates adaptive --hose",
    #[cfg(feature = "highs")]
    "ratio ft(4,2) kpath(k=2,choice=first) --rates adaptive --permutations",
    #[cfg(feature = "highs")]
    "optimal ft(4,2) --among kpath(k=2,choice=first)",
];

/// What breaks a rule in a value at a place of an object.
fn problems(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let is_snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                if !key.chars().all(is_snake) {
                    found.push(format!("{place}: `{key}` is not snake_case"));
                }
                if key == "complete" && !value.is_boolean() {
                    found.push(format!("{place}: `complete` is not a boolean"));
                }
                problems(value, &format!("{place}.{key}"), found);
            }
            let has = |key| object.contains_key(key);
            if has("lower") && has("upper") && !has("evidence") {
                found.push(format!("{place}: bounds without evidence"));
            }
        }
        Value::Array(values) => {
            for value in values {
                problems(value, &format!("{place}[]"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn the_json_of_every_verb_has_the_same_rules() {
    let folder = with_instances();
    let mut verbs = BTreeSet::new();
    let mut found = Vec::new();
    for command in COMMANDS {
        let command = command.replace("{CERTIFICATE}", CERTIFICATE);
        let run = run_in(folder.path(), format!("{command} --json --quiet"));
        let value = run.json();
        let verb = command.split(' ').next().unwrap().to_string();
        if value.get("error").is_some() {
            found.push(format!("{command}: {value}"));
        }
        if (&value["schema"], &value["verb"]) != (&1.into(), &Value::from(verb.as_str())) {
            found.push(format!("{command}: `schema` or `verb` is wrong"));
        }
        problems(&value, &command, &mut found);
        verbs.insert(verb);
    }
    // A merge prints what the verb of its parts does: `shards` compares the two.
    verbs.insert("merge".to_string());
    let known: BTreeSet<String> = done("list verbs --names").lines().map(String::from).collect();
    assert_eq!(verbs, known);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn errors_name_their_verb() {
    let verb = |arguments: &str| {
        let value = run(arguments).expects(2).json();
        assert_eq!((&value["schema"], &value["exit_code"]), (&1.into(), &2.into()), "{value}");
        value["verb"].clone()
    };
    assert_eq!(verb("ratio ft(8,x) dmodk --json"), "ratio");
    assert_eq!(verb("--json topo"), "topo");
    assert_eq!(verb("--json nothing"), Value::Null);
}
