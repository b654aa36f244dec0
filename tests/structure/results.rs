//! The files committed below `results/` are what the program produces, and their proofs hold.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod deliveries;
mod go;
mod slimmed_trees;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "highs")]
use routebound::adversary::{self, AttackContext};
#[cfg(feature = "highs")]
use routebound::assessment::{Form, assess};
#[cfg(feature = "sat")]
use routebound::distribution::Units;
use routebound::nonblocking::least_top_switches;
use routebound::progress::Progress;
#[cfg(feature = "sat")]
use routebound::synth::{Method, Options};
use routebound::{certificate, checker, registry, study};
#[cfg(feature = "highs")]
use routebound::{ratio::Ratio, routing::Instance};

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[test]
fn every_committed_certificate_is_accepted() {
    let is_certificate = |path: &&PathBuf| path.extension().is_some_and(|end| end == "cert");
    let files = files_below(&results());
    let certificates: Vec<_> = files.iter().filter(is_certificate).collect();
    assert!(certificates.len() >= 28, "{}", certificates.len());
    for path in certificates {
        let certificate = certificate::read(fs::read(path).unwrap().as_slice()).unwrap();
        let claims = checker::check_in(&certificate, path.parent().unwrap());
        assert!(claims.is_ok(), "{}: {claims:?}", path.display());
    }
}

#[test]
fn every_study_makes_the_committed_files() {
    for kind in study::KINDS {
        // These take over a minute: the tests below check parts of them.
        let slow =
            ["adversaries", "nonblocking-switches", "local-adaptive", "ro-figure-2", "ro-figure-5"];
        let is_slow = slow.contains(&kind.name)
            || ["gl-", "go-"].iter().any(|paper| kind.name.starts_with(paper));
        if is_slow && !cfg!(feature = "slow-tests") {
            continue;
        }
        let folder = results().join(study::folder(kind.name));
        let made = (kind.build)(&Units::default(), &Progress::silent()).unwrap();
        let committed = files_below(&folder);
        assert_eq!(made.len(), committed.len(), "{}", kind.name);
        for file in made {
            let path = folder.join(&file.path);
            let (committed, made) = (fs::read(&path).unwrap(), file.bytes);
            if file.path == study::MEASURED {
                assert_eq!(without_seconds(&committed), without_seconds(&made), "{}", kind.name);
            } else {
                assert!(committed == made, "{} differs", path.display());
            }
        }
    }
}

/// The rows of a table below its heads.
fn without_heads(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

/// The rows of a table without the times, which must be in the last column.
fn without_seconds(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut rows = without_heads(bytes);
    let seconds: Vec<String> = rows.iter_mut().map(|row| row.pop().unwrap()).collect();
    assert!(seconds.iter().all(|time| time.parse::<f64>().is_ok()), "{seconds:?}");
    rows
}

/// The rows of the study `nonblocking-switches`, except for the one that takes a minute.
#[cfg(feature = "sat")]
#[test]
fn top_switches_are_as_many_as_is_committed() {
    let path = results().join("nonblocking-switches/table.csv");
    let rows = without_heads(&fs::read(path).unwrap());
    let mut looked_at = 0;
    for row in rows.iter().filter(|row| row[..2] != ["3", "4"]) {
        let [n, r] = [0, 1].map(|at| row[at].parse().unwrap());
        let is_open = row[4].contains("..");
        let method = if is_open { Method::Count } else { Method::All };
        let options = Options { method, ..Options::default() };
        let found = least_top_switches(n, r, &options, &Progress::silent()).unwrap();
        let bounds = if is_open {
            format!("{}..{}", found.lower, found.upper)
        } else {
            assert!(found.complete);
            found.lower.to_string()
        };
        assert_eq!([found.counted.to_string(), bounds], row[3..5], "{n} {r}");
        looked_at += 1;
    }
    assert!(looked_at > 20);
}

/// The small instances of the study `adversaries`, attacked again: every value, evaluation count
/// and exact ratio of `table.csv`.
#[cfg(feature = "highs")]
#[test]
fn adversaries_find_what_is_committed() {
    let rows = without_heads(&fs::read(results().join("adversaries/table.csv")).unwrap());
    let of_tree = |row: &&Vec<String>| ["ft(8,2)", "xgft(2;8,8;1,4)"].contains(&row[0].as_str());
    let small: Vec<&Vec<String>> = rows.iter().filter(of_tree).collect();
    assert!(rows.len() > 500 && small.len() > 150, "{} {}", rows.len(), small.len());
    for group in small.chunk_by(|a, b| a[..2] == b[..2]) {
        let instance = Instance::named(&group[0][0], &group[0][1]).unwrap();
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let exact = assess(&instance, Form::Shortest, &Progress::silent()).unwrap();
        for row in group {
            let adversary = adversary::build(&row[3]).unwrap();
            let found = adversary.attack(&context, &Progress::silent()).unwrap();
            let numbers = [found.lower.to_string(), found.evaluations.to_string()];
            assert_eq!(numbers, [row[4].clone(), row[6].clone()], "{row:?}");
            assert_eq!(exact.oblivious_ratio.exact().unwrap().to_string(), row[7]);
        }
    }
    // In all rows, no adversary exceeds the exact value, where that is a number.
    for row in &rows {
        let [lower, exact] = [&row[4], &row[7]].map(|text| text.parse::<Ratio>());
        assert!(lower.unwrap() <= exact.unwrap(), "{row:?}");
    }
}

/// The sentences below the tables of `or-table-1`, against its numbers.
#[test]
fn the_findings_of_table_1_hold() {
    let kind = registry::find(study::KINDS, "study", "or-table-1").unwrap();
    let files = (kind.build)(&Units::default(), &Progress::silent()).unwrap();
    let table = files.iter().find(|file| file.path == "table.csv").unwrap();
    let mut reader = csv::Reader::from_reader(table.bytes.as_slice());
    let mut ratio: HashMap<(u64, u64, String), u64> = HashMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let (m, n) = record[0].trim_matches(|c| "FT()".contains(c)).split_once(',').unwrap();
        let key = (m.parse().unwrap(), n.parse().unwrap(), record[2].to_string());
        assert_eq!(&record[4], "proven");
        ratio.insert(key, record[3].parse().unwrap());
    }
    assert_eq!(ratio.len(), 8 * 6 + 5 * 5);
    let missed: Vec<u64> = (4..=18)
        .step_by(2)
        .filter(|m| {
            let ceiling = (0..10).find(|x| x * x >= m / 2).unwrap();
            assert_eq!(ratio[&(*m, 2, "grid".to_string())], ceiling);
            ratio[&(*m, 2, "osrm2".to_string())] != ceiling
        })
        .collect();
    assert_eq!(missed, [6, 14, 16]);
    for ((m, n, routing), ratio) in ratio {
        let expected = match (routing.as_str(), n) {
            ("osrm2" | "grid", _) => continue,
            ("osrm3", _) | (_, 2) => m / 2,
            _ => m - 1,
        };
        assert_eq!(ratio, expected, "{routing} on FT({m},{n})");
    }
}
