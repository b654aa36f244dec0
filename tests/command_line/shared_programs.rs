//! Linear and integer programs in shards, and the patterns beside them.
#![cfg(all(unix, feature = "highs"))]

use std::fs;

use serde_json::Value;

use super::shards::{compare, part, shards};
use crate::program::{done, refused, run};
use crate::resealed::resealed;

/// Links that need linear programs, more of them than every shard solves for itself.
#[test]
fn programs() {
    compare("ratio instances/networks/topologyzoo/Geant2012.graphml ecmp --unit-capacity");
    compare("ratio instances/networks/b4/B4.json ecmp");
    compare("ratio instances/networks/topologyzoo/Abilene.graphml ecmp --symmetry off");
}

/// A shard that was killed among its linear programs solves those that are not in its part, and no others.
#[test]
fn killed_programs_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let command = "ratio instances/networks/topologyzoo/Geant2012.graphml ecmp --unit-capacity";
    let parts = shards(folder.path(), command, 2);
    let lost = part(folder.path(), 2, 2);
    let whole = fs::read_to_string(&lost).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let is_program = |line: &&&str| line.starts_with("{\"stage\":\"linear programs above ");
    let solved = lines.iter().filter(is_program).count();
    assert!(solved > 10, "{solved} of {} lines", lines.len());
    let kept = lines.len() - solved / 2;
    let torn = format!("{}\n{}", lines[..kept].join("\n"), &lines[kept][..lines[kept].len() / 2]);
    fs::write(&lost, torn).unwrap();
    refused(format!("merge {parts}"), "part-2-of-2) is not finished: run it again");
    done(format!("{command} --shard 2/2 --part {}", lost.to_str().unwrap()));
    let again = fs::read_to_string(&lost).unwrap();
    assert!(again.starts_with(&(lines[..kept].join("\n") + "\n")));
    assert_eq!(again.lines().count(), lines.len());
    assert_eq!(done(format!("merge {parts} --json")), done(format!("{command} --json")));
}

/// Patterns and integer programs are in the parts; the worst pattern and all pairs are measured again.
#[test]
fn forged_patterns_and_programs_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    for (command, key, forgeries) in [
        ("patterns", "\"Judged\":", &["\"Judged\":\"9\"", "\"Judged\":\"1/9\""]),
        ("ilp", "\"pairs\":[[", &["\"pairs\":[[7,7],[", "\"pairs\":[[0,1],["]),
    ] {
        let command = format!("attack ft(8,2) random(seed=3) --adversary {command} --no-exact");
        let of = |line: &str| -> Value { serde_json::from_str(&done(line)).unwrap() };
        let whole = of(&format!("{command} --json"));
        let parts = shards(folder.path(), &command, 2);
        assert_eq!(of(&format!("merge {parts} --json"))["oblivious_ratio"]["lower"], {
            whole["oblivious_ratio"]["lower"].clone()
        });
        let first = part(folder.path(), 2, 1);
        let text = fs::read_to_string(&first).unwrap();
        let at = text.find(key).expect("the part holds what the adversary found");
        let end = at + key.len() + text[at + key.len()..].find(['}', ',']).unwrap();
        let mut caught = 0;
        for forged in forgeries {
            // A merge asks for some linear programs only: all of them are forged.
            let forged_text = if key.ends_with('[') {
                text.replace(key, forged)
            } else {
                format!("{}{forged}{}", &text[..at], &text[end..])
            };
            fs::write(&first, resealed(&forged_text)).unwrap();
            let output = run(format!("merge {parts} --json"));
            if output.code == 0 {
                let found = output.json();
                let lower = &found["oblivious_ratio"]["lower"];
                assert_eq!(*lower, whole["oblivious_ratio"]["lower"], "{command}: {forged}");
            } else {
                output.expects(2);
                caught += 1;
            }
        }
        assert!(caught > 0, "{command}");
        (1..=2).for_each(|i| fs::remove_file(part(folder.path(), 2, i)).unwrap());
    }
}

/// Lengths that cover less than they say, a load that the traffic does not have, and traffic that no
/// routing carries.
#[test]
fn forged_programs_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    let parts = shards(folder.path(), "ratio instances/networks/b4/B4.json ecmp", 2);
    let first = part(folder.path(), 2, 1);
    let whole = fs::read_to_string(&first).unwrap();
    for (after, new, says) in [
        ("\"lengths\":[[", "1/1000000", "the checker refuses what follows from them"),
        ("\"lengths\":[[", "0", "in a part cannot have the result"),
        ("\"carried\":{", "1000", "in a part cannot have the result"),
        ("\"paths\":[[", "1000", "in a part cannot have the result"),
    ] {
        let stage = whole.find("{\"stage\":\"linear programs above ").unwrap();
        let at = stage + whole[stage..].find(after).expect(after) + after.len();
        let skipped = if after.ends_with('{') { "\"load\":".len() } else { 0 };
        let begin = at + skipped + whole[at + skipped..].find('"').unwrap() + 1;
        let end = begin + whole[begin..].find('"').unwrap();
        let forged = format!("{}{new}{}", &whole[..begin], &whole[end..]);
        fs::write(&first, resealed(&forged)).unwrap();
        refused(format!("merge {parts}"), says);
    }
}
