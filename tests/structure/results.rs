//! The files committed below `results/` are what the program produces, and their proofs hold.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod go;
mod meshes;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use routebound::generators::Named;
use routebound::generators::checker::Check;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::shards::Units;
use routebound::study::{Job, StudyFile, Tier};
use routebound::{certificate, registry, study};

use crate::parallel::for_each;

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

/// Who opens `results/` finds every study, and no link leads nowhere.
#[test]
fn the_first_page_leads_to_every_study() {
    let page = fs::read_to_string(results().join("README.md")).unwrap();
    for kind in study::KINDS {
        let link = format!("({}/README.md)", study::folder(kind.name).display());
        assert!(page.contains(&link), "no {link}");
    }
    // Every page names the command that makes it.
    for kind in study::KINDS {
        let page = results().join(study::folder(kind.name)).join("README.md");
        let text = fs::read_to_string(page).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("`routebound study {}", kind.name)), "{}", kind.name);
    }
    let links = page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    for link in links {
        assert!(results().join(link).exists(), "{link}");
    }
}

#[test]
fn every_committed_certificate_is_accepted() {
    let is_certificate = |path: &&PathBuf| path.extension().is_some_and(|end| end == "cert");
    let files = files_below(&results());
    let certificates: Vec<_> = files.iter().filter(is_certificate).collect();
    assert!(certificates.len() >= 28, "{}", certificates.len());
    for path in certificates {
        let certificate = certificate::read(fs::read(path).unwrap().as_slice()).unwrap();
        let claims = Check::new(&Named).folder(path.parent().unwrap()).run(&certificate);
        assert!(claims.is_ok(), "{}: {claims:?}", path.display());
    }
}

/// The files of a study.
fn made(name: &str, tier: Tier) -> Vec<StudyFile> {
    let kind = registry::find(study::KINDS, "study", name).unwrap();
    let (units, progress) = (Units::default(), Progress::silent());
    kind.build.make(&Job { tier, units: &units, progress: &progress }).unwrap()
}

/// Studies whose small tier takes a second or more. The full tier has it too, and makes all of what they have.
const DEAR: &[&str] = &[
    "adversaries",
    "exact",
    "gl-figure-4",
    "go-figure-5",
    "go-figure-6",
    "go-figure-7",
    "limited-multipath",
    "nonblocking-switches",
    "or-averages",
    "or-definitions",
    "or-tables-2-3",
    "placement",
    "ro-contention",
    "ro-figure-2",
    "ro-figure-4",
    "ro-figure-5",
    "root-pairs",
    "static-dynamic",
];

/// The small tier of every study that is not dear, in the full tier of every one: its rows are committed.
#[test]
fn small_tiers_are_among_what_is_committed() {
    for_each(study::KINDS, |kind| {
        if DEAR.contains(&kind.name) && !cfg!(feature = "slow-tests") {
            return;
        }
        let folder = results().join(study::folder(kind.name));
        let mut count = 0;
        for file in made(kind.name, Tier::Small) {
            let committed = fs::read(folder.join(&file.path)).unwrap();
            let [committed, made] = [&committed, &file.bytes].map(|bytes| {
                if file.path == study::MEASURED {
                    without_seconds(bytes)
                } else {
                    without_heads(bytes)
                }
            });
            let committed: HashSet<Vec<String>> = committed.into_iter().collect();
            count += made.len();
            for row in made {
                assert!(committed.contains(&row), "{}/{}: {row:?}", kind.name, file.path);
            }
        }
        assert!(count > 0, "{} has no rows", kind.name);
    });
}

/// Pages that show nothing but tables, with their verdicts and charts, follow from the committed ones.
#[test]
fn pages_follow_from_their_tables() {
    let mut made = 0;
    for kind in study::KINDS {
        let folder = results().join(study::folder(kind.name));
        let mut files: Vec<PathBuf> = files_below(&folder)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "csv"))
            .collect();
        files.sort_by_key(|path| !path.ends_with("table.csv"));
        let table = |path: PathBuf| StudyFile {
            bytes: fs::read(&path).unwrap(),
            path: path.file_name().unwrap().to_str().unwrap().to_string(),
        };
        let tables: Vec<StudyFile> = files.into_iter().map(table).collect();
        for page in kind.build.pages(&tables).unwrap().unwrap_or_default() {
            let is_same = fs::read(folder.join(&page.path)).unwrap() == page.bytes;
            assert!(is_same, "{}/{} does not follow from its tables", kind.name, page.path);
            made += usize::from(page.path == "README.md");
        }
    }
    assert!(made >= 10, "{made}");
}

/// The text beside studies is on the committed pages, so that a reworded template shows before the full tier runs.
#[test]
fn lines_of_templates_are_on_committed_pages() {
    let markdown = |folder: &str| {
        let files = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md"))
    };
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let pages: String = markdown("results").map(read).collect();
    let committed: HashSet<&str> = pages.lines().collect();
    // Studies replace these words by numbers.
    let is_fixed = |line: &&str| !["BYTES", "SEEDS"].iter().any(|word| line.contains(word));
    let mut count = 0;
    for template in markdown("crates/papers/src") {
        let text = fs::read_to_string(&template).unwrap();
        for line in text.lines().filter(is_fixed) {
            assert!(committed.contains(line), "{} is not on its page: {line}", template.display());
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// Studies that take from five minutes to an hour: `make results` makes them, their small tier is compared above.
const LONG: [&str; 3] = ["gl-constants", "gl-greedy", "or-figures"];

/// All files of every other study; those that differ are named together at the end.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes")]
fn every_study_makes_the_committed_files() {
    let mut wrong = Vec::new();
    for kind in study::KINDS.iter().filter(|kind| !LONG.contains(&kind.name)) {
        let folder = results().join(study::folder(kind.name));
        let made = made(kind.name, Tier::Full);
        if made.len() != files_below(&folder).len() {
            wrong.push(format!("{} makes {} files", kind.name, made.len()));
        }
        for file in made {
            let path = folder.join(&file.path);
            let is_same = match fs::read(&path) {
                Err(_) => false,
                Ok(committed) if file.path == study::MEASURED => {
                    without_seconds(&committed) == without_seconds(&file.bytes)
                }
                Ok(committed) => committed == file.bytes,
            };
            if !is_same {
                wrong.push(format!("{} differs", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rows of a table below its heads.
fn without_heads(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

/// The rows of a table without the times, in the last columns, whose heads end in `seconds`; of some rows a part has none.
fn without_seconds(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let times = reader.headers().unwrap().iter().filter(|head| head.ends_with("seconds")).count();
    let mut rows = without_heads(bytes);
    for row in &mut rows {
        let seconds = row.split_off(row.len() - times);
        assert!(seconds.iter().all(|time| time == "-" || time.parse::<f64>().is_ok()), "{row:?}");
        assert!(seconds.last().is_some_and(|whole| whole != "-"), "{row:?}");
    }
    rows
}

/// The runs that both figures show are the same.
#[test]
fn runs_of_ro_figure_2_are_among_those_of_figure_5() {
    let [known, all] = ["figure-2", "figure-5"].map(|figure| {
        without_heads(&fs::read(results().join("ro").join(figure).join("table.csv")).unwrap())
    });
    assert_eq!([known.len(), all.len()], [2 * 16 * 4, 2 * 16 * 6]);
    assert!(known.iter().all(|sample| all.contains(sample)));
}

/// No adversary exceeds the exact value.
#[test]
fn adversaries_find_lower_bounds() {
    let rows = without_heads(&fs::read(results().join("adversaries/table.csv")).unwrap());
    assert!(rows.len() > 500, "{}", rows.len());
    for row in &rows {
        let [lower, exact] = [&row[4], &row[7]].map(|text| text.parse::<Rational>());
        assert!(lower.unwrap() <= exact.unwrap(), "{row:?}");
    }
}

/// The sentences below the tables of `or-table-1`, against its numbers.
#[test]
fn the_findings_of_table_1_hold() {
    let mut reader = csv::Reader::from_path(results().join("or/table-1/table.csv")).unwrap();
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
