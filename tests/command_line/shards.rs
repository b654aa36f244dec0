//! Work that several processes share: the merge of any number of shards prints and writes the bytes
//! of one process, and nothing wrong is merged.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{done, refused, run};

pub fn part(folder: &Path, of: usize, number: usize) -> PathBuf {
    folder.join(format!("part-{number}-of-{of}"))
}

/// Runs all shards of a command; their parts, as arguments.
pub fn shards(folder: &Path, command: &str, of: usize) -> String {
    let parts = (1..=of).map(|number| {
        let path = part(folder, of, number).to_str().unwrap().to_string();
        let said = done(format!("{command} --shard {number}/{of} --part {path}"));
        assert!(said.starts_with(&format!("shard {number}/{of}: ")), "{said}");
        path
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// All files of a folder, by name.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path.strip_prefix(folder).unwrap().to_path_buf(), bytes));
        }
    }
    found.sort();
    found
}

/// How many shards there are: by default 7, as other tests merge 2, and in the full tier more.
const NUMBERS: &[usize] = if cfg!(feature = "slow-tests") { &[1, 2, 7] } else { &[7] };

/// Compares text, JSON and certificates of `ratio` with those of shards.
pub fn compare(command: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(&path).unwrap();
        path
    };
    let certificate = |name: &str| path(name).join("c.cert").to_str().unwrap().to_string();
    let whole = done(format!("{command} --certificate {}", certificate("whole")));
    done(format!("check {}", certificate("whole")));
    let json = done(format!("{command} --json"));
    for &of in NUMBERS {
        let parts = shards(folder.path(), command, of);
        let name = format!("merged-{of}");
        let merged = done(format!("merge {parts} --certificate {}", certificate(&name)));
        assert_eq!(merged, whole, "{command}, {of} shards");
        assert_eq!(done(format!("merge {parts} --json")), json, "{command}, {of} shards");
        // The bytes of the certificate that was checked.
        assert_eq!(files(&path(&name)), files(&path("whole")), "{command}, {of} shards");
    }
}

#[test]
fn single_paths() {
    compare("ratio ft(8,3) random(seed=1)");
    compare("ratio ft(8,3) dmodk");
}

#[test]
fn several_paths() {
    compare("ratio ft(4,3) kpath(k=3,choice=random)");
}

#[test]
fn slimmed_trees() {
    compare("ratio xgft(3;4,4,4;1,2,2) random(seed=3)");
    compare("ratio xgft(2;4,4;2,3) kpath(k=2,choice=random)");
}

/// Tables, whose paths may stray from the subtrees, and networks without labels.
#[test]
fn other_networks() {
    let fabric = "instances/fabrics/ft8x3/dfsssp";
    compare(&format!("ratio {fabric}/ibnetdiscover.out.gz lft:{fabric}/opensm-lfts.dump.gz"));
    let table = "table:instances/tables/ft-4-2-all-shortest-paths.csv";
    compare(&format!("ratio ft(4,2) {table}"));
    compare("ratio ft(8,2) dmodk --fail 2 --seed 7");
    compare("ratio instances/networks/examples/ring.csv ecmp --unit-capacity");
}

/// Without the times of adversaries.
fn timeless(json: &str) -> Value {
    let mut value: Value = serde_json::from_str(json).unwrap();
    for row in value["adversaries"].as_array_mut().unwrap() {
        assert!(row.as_object_mut().unwrap().remove("seconds").is_some(), "{row}");
    }
    value
}

#[test]
fn searches() {
    let folder = tempfile::tempdir().unwrap();
    for (command, few) in [
        "attack ft(8,2) random(seed=3) --all --trials 3000 --seed 5",
        "attack xgft(2;4,2;1,2) dmodk --all --trials 2000",
        "attack ft(4,2) random --adversary exhaustive --adversary random(pattern=bisection)",
        "attack ft(4,2) random --adversary climb --adversary random(pattern=clique) --no-exact",
    ]
    .into_iter()
    .zip([[2_usize], [7]].iter().cycle())
    {
        // The full tier has all numbers of every command.
        let numbers: &[usize] = if cfg!(feature = "slow-tests") { NUMBERS } else { few };
        let whole = timeless(&done(format!("{command} --json")));
        for &of in numbers {
            let parts = shards(folder.path(), command, of);
            let merged = done(format!("merge {parts} --json"));
            assert_eq!(timeless(&merged), whole, "{command}, {of} shards");
            (1..=of).for_each(|i| fs::remove_file(part(folder.path(), of, i)).unwrap());
        }
    }
}

/// The files of a study below a folder, without times.
fn files_of_study(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = files(folder);
    files.retain(|(path, _)| path != Path::new("seconds.csv"));
    files
}

/// Compares these files of a study with those of shards, of which the last is lost and run again.
fn compare_study(study: &str, whole: &[(PathBuf, Vec<u8>)], numbers: &[usize]) {
    let folder = tempfile::tempdir().unwrap();
    let output = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    assert!(whole.len() >= 2, "{study}");
    for of in numbers {
        let parts = shards(folder.path(), &format!("study {study}"), *of);
        let lost = part(folder.path(), *of, *of);
        fs::remove_file(&lost).unwrap();
        run(format!("merge {parts} --output {}", output("lost")));
        assert!(!folder.path().join("lost").exists(), "{study}");
        let lost = lost.to_str().unwrap();
        done(format!("study {study} --shard {of}/{of} --part {lost}"));
        let merged = format!("merged-{of}");
        done(format!("merge {parts} --output {}", output(&merged)));
        let merged = files_of_study(&folder.path().join(merged));
        assert!(merged == whole, "{study}: the files of {of} shards differ");
    }
}

/// The engine is the same for all studies: this one takes the least time.
#[test]
fn studies() {
    let numbers: &[usize] = if cfg!(feature = "slow-tests") { NUMBERS } else { &[2] };
    compare_study("all-routings", &committed("all-routings"), numbers);
}

/// The committed files of a study, which `results` compares with those of runs in one process.
fn committed(study: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    files_of_study(&results.join(routebound::study::folder(study)))
}

/// Whole studies against the committed files, which `results::every_study_makes_the_committed_files` compares with
/// those of runs in one process; the tests of `crates/papers` share some rows of each.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes")]
fn long_studies() {
    for study in [
        "limited-multipath",
        "root-pairs",
        "optimal-single-path",
        "or-table-1",
        "nonblocking-switches",
        "local-adaptive",
        "adversaries",
    ] {
        compare_study(study, &committed(study), &[7]);
    }
}

/// A shard is killed, and the file system keeps a torn line: what is whole is not computed again.
#[test]
fn a_killed_shard_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let command = "ratio ft(8,3) random(seed=1)";
    let parts = shards(folder.path(), command, 2);
    let first = part(folder.path(), 2, 1);
    let whole = fs::read_to_string(&first).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() > 5, "{whole}");
    let torn = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..lines[3].len() / 2]);
    fs::write(&first, torn).unwrap();
    let said = refused(format!("merge {parts}"), "shard 1/2 (");
    assert!(said.contains("part-1-of-2) is not finished: run it again"), "{said}");
    let resume = format!("{command} --shard 1/2 --part {} --json", first.to_str().unwrap());
    let said: Value = serde_json::from_str(&done(&resume)).unwrap();
    assert_eq!(said["units"], lines.len() - 2);
    let again = fs::read_to_string(&first).unwrap();
    assert!(again.starts_with(&(lines[..3].join("\n") + "\n")), "{again}");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again), sorted(&whole));
    assert_eq!(done(format!("merge {parts}")), done(command));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let command = "ratio ft(4,3) random --seed 1";
    let parts = shards(folder.path(), command, 3);
    let parts: Vec<&str> = parts.split(' ').collect();
    refused(
        format!("merge {} {}", parts[0], parts[2]),
        "there is no part of shard 2/3: run it again",
    );
    // The same shard of the same command with another seed.
    let own = format!("--shard 2/3 --part {}", parts[1]);
    refused(
        format!("ratio ft(4,3) random --seed 2 {own}"),
        "is a part of `ratio ft(4,3) random --seed=1, shard 2/3`",
    );
    let other = folder.path().join("other").to_str().unwrap().to_string();
    done(format!("ratio ft(4,3) random --seed 2 --shard 2/3 --part {other}"));
    refused(
        format!("merge {} {other} {}", parts[0], parts[2]),
        "other: is a part of `ratio ft(4,3) random --seed=2, 2/3`",
    );
    // Options that contradict a shard.
    for (options, says) in [
        ("--shard 1/2", "--part <FILE>"),
        (&format!("--part {other}"), "is a part of `ratio ft(4,3) random --seed=2, shard 2/3`"),
        ("--part -", "must be a file"),
        (&format!("--shard 0/2 --part {other}"), "is not a shard"),
        (
            &format!("--shard 1/2 --part {other} --certificate c"),
            "give `--certificate` to `routebound merge`",
        ),
    ] {
        refused(format!("{command} {options}"), says);
    }
    refused(
        format!("attack ft(4,2) dmodk --time 1 --shard 1/2 --part {other}-2"),
        "so the work cannot be sharded",
    );
    assert!(!Path::new(&format!("{other}-2")).exists(), "a part was left behind");
    refused("load ft(4,2) dmodk uniform --shard 1/2 --part none", "unexpected argument '--shard'");
    refused("merge README.md", "README.md: is not a part of this version");
}

/// A run that keeps what it has done gives the same bytes as one that does not, also when it is
/// resumed with nothing left to do, or from a part that was cut off in the middle of its work.
#[test]
fn a_run_of_one_process_is_resumed_from_its_part() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("own").to_str().unwrap().to_string();
    for command in ["ratio ft(4,3) random --seed 1", "ratio ft(4,2) omrmn --json"] {
        let whole = done(command);
        let kept = format!("{command} --part {part}");
        assert_eq!(done(&kept), whole);
        assert_eq!(done(&kept), whole);
        let bytes = fs::read(&part).unwrap();
        fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(done(&kept), whole);
        assert_eq!(fs::read(&part).unwrap().len(), bytes.len());
        fs::remove_file(&part).unwrap();
    }
}
