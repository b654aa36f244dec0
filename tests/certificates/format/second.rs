//! `tests/second_checker`, written from the text alone, agrees with the checker.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use routebound::assessment::{Assess, assess};
use routebound::certificate::{self, Certificate, NetworkForm, RoutingForm};
use routebound::generators::checker::check;
use routebound::routing::{self, Instance};
use routebound::spec::Spec;
use routebound::topology;

use super::{Fate, PARALLEL, ends, fate_in, limits, names, records, refutations, symmetric};

/// What the second checker says about files, one line each; `None` without Python.
pub fn second(files: &[PathBuf]) -> Option<Vec<String>> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_checker/check.py");
    let Ok(output) = Command::new("python3").arg("-B").arg(program).args(files).output() else {
        eprintln!("skipped: the second checker needs python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> =
        String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), files.len());
    Some(lines)
}

#[test]
fn it_accepts_what_is_committed() {
    // The rest would take it a minute.
    let is_quick =
        |file: &PathBuf| cfg!(feature = "slow-tests") || fs::metadata(file).unwrap().len() < 5_000;
    let files: Vec<PathBuf> = names::committed().into_iter().filter(is_quick).collect();
    assert!(files.len() > 50, "{}", files.len());
    let Some(verdicts) = second(&files) else { return };
    for (file, verdict) in files.iter().zip(verdicts) {
        assert_eq!(verdict, "accepted", "{}", file.display());
    }
}

/// Every named network and routing, random ones included.
pub const INSTANCES: &[(&str, &[&str])] = &[
    (
        "ft(4,3)",
        &[
            "dmodk",
            "smodk",
            "mlid",
            "osrm3",
            "wsr",
            "omrmn",
            "ecmp",
            "random(seed=18446744073709551615)",
            "minhop",
            "minhop(seed=7)",
        ],
    ),
    (
        "FT( 6, 2 )",
        &[
            "osrm2",
            "GRID",
            "rnca-u(seed=3)",
            "kpath(k=2, choice=random)",
            "kpath(choice=disjoint,k=2)",
        ],
    ),
    (
        "eft2(6,4)",
        &["grid", "osrm2", "rnca-d", "random", "kpath(k=2,choice=shift)", "kpath(k=2,choice=grid)"],
    ),
    ("ftree(2,4,3)", &["yuan", "grid", "osrm2", "rnca-d(seed=9)"]),
    ("ftree(5,3,2)", &["grid", "osrm2", "wsr"]),
    ("kary(3,2)", &["smodk", "grid", "wsr"]),
    ("nbclos(2,2)", &["yuan", "dmodk"]),
    ("NBCLOS(2, 3)", &["yuan", "osrm3"]),
    ("xgft(3;2,1,3;1,5,1)", &["yuan"]),
    ("kary(2,3)", &["osrm3", "rnca-u", "kpath(k=3,choice=disjoint)", "kpath(k=3,choice=grid)"]),
    ("xgft(2;15,2;1,14)", &["rnca-d(seed=2)"]),
    (
        "xgft(2;2,3;2,2)",
        &["dmodk", "minhop(seed=5)", "random(seed=4)", "kpath(k=3,choice=disjoint)", "omrmn"],
    ),
    ("xgft(3;3,2,2;1,2,1)", &["dmodk", "rnca-u(seed=8)", "wsr", "kpath(k=2,choice=shift)"]),
    (
        "xgft(3;2,2,3;1,3,2)",
        &[
            "smodk",
            "minhop",
            "minhop(seed=3)",
            "kpath(k=4,choice=disjoint)",
            "kpath(k=4,choice=random)",
        ],
    ),
    ("xgft(1;4;2)", &["dmodk", "omrmn"]),
    ("universal(8)", &["omrmn", "ecmp"]),
    ("universal(16,growth=sqrt2,leaf=10)", &["omrmn"]),
    ("universal(16,leaf=3,growth=cbrt4)", &["omrmn"]),
    ("universal(16,growth=quadruple3)", &["ecmp"]),
    ("universal(2,root=open)", &["ecmp"]),
    ("universal(8,root=open,leaf=3,growth=cbrt4)", &["omrmn", "ecmp", "minhop(seed=2)"]),
    ("bft(4)", &["dmodk"]),
    ("bft(16)", &["dmodk", "omrmn", "kpath(k=2,choice=disjoint)", "random(seed=2)"]),
    ("BFT( 8, dims=3 )", &["smodk"]),
];

/// Its definitions of names are compared with those of the program.
#[test]
fn every_name_is_among_the_instances() {
    let name = |spec: &str| Spec::parse(spec).unwrap().name;
    let trees: BTreeSet<String> = INSTANCES.iter().map(|(tree, _)| name(tree)).collect();
    let all = INSTANCES.iter().flat_map(|(_, routings)| routings.iter());
    let routings: BTreeSet<String> = all.map(|routing| name(routing)).collect();
    let defined = routing::KINDS.iter().filter(|kind| kind.build.defined);
    assert_eq!(routings, defined.map(|kind| kind.name.to_string()).collect());
    assert_eq!(trees, topology::KINDS.iter().map(|kind| kind.name.to_string()).collect());
}

#[test]
fn it_makes_the_same_networks_and_routings() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut places) = (Vec::new(), Vec::new());
    for (topology, routings) in INSTANCES {
        for routing in *routings {
            let instance = Instance::named(topology, routing).unwrap();
            for (form, assess) in
                [("shortest", Assess::new()), ("embedded", Assess::new().embedded())]
            {
                let found = assess.run(&instance).unwrap();
                let mut bytes = Vec::new();
                certificate::write(&found.certificate.unwrap(), &mut bytes).unwrap();
                let file = folder.path().join(format!("{}.cert", files.len()));
                fs::write(&file, bytes).unwrap();
                files.push(file);
                places.push(format!("{routing} on {topology}, {form}"));
            }
        }
    }
    let Some(verdicts) = second(&files) else { return };
    for (place, verdict) in places.iter().zip(verdicts) {
        assert_eq!(verdict, "accepted", "{place}");
    }
}

/// Certificates write a `universal` out; somebody may name one by hand.
#[test]
fn it_knows_what_only_others_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let universal = INSTANCES.iter().filter(|(topology, _)| topology.starts_with("universal"));
    for (topology, routings) in universal {
        for routing in *routings {
            let instance = Instance::named(topology, routing).unwrap();
            // Classes of hosts are for networks that are written out.
            let found = Assess::new().embedded().by_class(false).run(&instance).unwrap();
            let Ok(Certificate::WorstCase(mut written)) = found.certificate else {
                panic!("{routing} on {topology}")
            };
            assert!(matches!(written.network, NetworkForm::Embedded(_)));
            written.network = NetworkForm::Named((*topology).to_string());
            written.routing = RoutingForm::Named((*routing).to_string());
            let named = Certificate::WorstCase(written);
            assert!(check(&named).is_ok(), "{routing} on {topology}");
            let file = folder.path().join(format!("{}.cert", files.len()));
            fs::write(&file, named.to_string()).unwrap();
            files.push(file);
        }
    }
    assert!(files.len() >= 8, "{}", files.len());
    let Some(verdicts) = second(&files) else { return };
    for (file, verdict) in files.iter().zip(verdicts) {
        assert_eq!(verdict, "accepted", "{}", fs::read_to_string(file).unwrap());
    }
}

/// Texts with one word or line changed.
pub fn mutations(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for at in 0..lines.len() {
        let with =
            |middle: &[&str]| [&lines[..at], middle, &lines[at + 1..]].concat().join("\n") + "\n";
        all.push(with(&[]));
        all.push(with(&[lines[at], lines[at]]));
        if at + 1 < lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            all.push(swapped.join("\n"));
        }
        let words: Vec<&str> = lines[at].split(' ').collect();
        for place in 0..words.len() {
            let others = match words[place].parse::<u32>() {
                Ok(number) => vec![
                    number.wrapping_sub(1).to_string(),
                    (number + 1).to_string(),
                    format!("{number}/2"),
                    format!("{number}:1/2"),
                    format!("{number}-{}", number + 1),
                    format!("+{number}"),
                    format!("{number} {number}"),
                    "0".into(),
                    "4294967296".into(),
                ],
                Err(_) => [
                    "s",
                    "d",
                    "o",
                    "i",
                    "l",
                    "-",
                    "all",
                    "shortest",
                    "trivial",
                    "smodk",
                    "hose-load",
                ]
                .map(String::from)
                .into(),
            };
            for other in others.iter().map(String::as_str).chain([""]) {
                let mut changed = words.clone();
                changed[place] = other;
                all.push(with(&[&changed.join(" ")]));
            }
        }
    }
    all
}

#[test]
fn it_decides_the_same_of_what_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let committed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("results/optimal-single-path/certificates");
    let of_file = |name: &str| fs::read_to_string(committed.join(name)).unwrap();
    for name in ["ft-4-2-formula.cnf", "ft-4-2-formula.lrat"] {
        fs::copy(committed.join(name), folder.path().join(name)).unwrap();
    }
    let least = PARALLEL.replace("end\n", refutations::LEAST);
    let texts = [
        PARALLEL.to_string(),
        records::LINE.to_string(),
        records::CUT.to_string(),
        ends::TWICE.to_string(),
        ends::PARTS.to_string(),
        ends::FULL_CUT.to_string(),
        limits::OPTIMUM.to_string(),
        least
            .replace("oblivious-ratio", "hose-load")
            .replace("demand 0 1 2\nroute even\nend", "demand 0 1 2\nend"),
        least,
        symmetric::SYMMETRIC.to_string(),
        symmetric::TWINS.to_string(),
        of_file("ft-4-2.cert"),
        of_file("ft-4-2-formula.cert"),
    ];
    let changed: Vec<String> = texts.iter().flat_map(|text| mutations(text)).collect();
    let mut files = Vec::new();
    for (index, text) in changed.iter().enumerate() {
        files.push(folder.path().join(index.to_string()));
        fs::write(&files[index], text).unwrap();
    }
    let Some(verdicts) = second(&files) else { return };
    let mut accepted = 0;
    for (text, verdict) in changed.iter().zip(&verdicts) {
        let first = fate_in(text.as_bytes(), folder.path());
        let is_accepted = first == Fate::Accepted;
        accepted += usize::from(is_accepted);
        assert_eq!(is_accepted, verdict == "accepted", "{first:?}, {verdict}:\n{text}");
        let is_beyond = matches!(first, Fate::TooLarge(_));
        assert_eq!(is_beyond, verdict.starts_with("beyond"), "{first:?}, {verdict}:\n{text}");
    }
    assert!(changed.len() > 3000 && accepted > 300, "{accepted} of {}", changed.len());
}

/// One class of other routings is bounded at most: each record alone is accepted, both are not.
#[test]
fn one_class_of_routings_is_bounded() {
    let name = "results/optimal-single-path/certificates/ft-4-2.cert";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let single = fs::read_to_string(path).unwrap();
    let least = "least oblivious-ratio 1 shortest\n";
    let at = single.find("single-path").unwrap();
    let both = [&single[..at], least, &single[at..]].concat();
    let alone = [&single[..at], least, "end\n"].concat();
    let folder = tempfile::tempdir().unwrap();
    let files = ["single", "alone", "both"].map(|name| folder.path().join(name));
    for (file, text) in files.iter().zip([&single, &alone, &both]) {
        fs::write(file, text).unwrap();
    }
    let fates = [&single, &alone, &both].map(|text| fate_in(text.as_bytes(), folder.path()));
    assert!(fates[..2].iter().all(|fate| *fate == Fate::Accepted), "{fates:?}");
    assert!(matches!(&fates[2], Fate::Refused(reason) if reason.contains("`end`")), "{fates:?}");
    let Some(verdicts) = second(&files) else { return };
    assert!(verdicts[0] == "accepted" && verdicts[1] == "accepted", "{verdicts:?}");
    assert!(verdicts[2].starts_with("refused"), "{verdicts:?}");
}

#[test]
fn it_leaves_the_same_alone() {
    let folder = tempfile::tempdir().unwrap();
    let files = [90, 105].map(|count| folder.path().join(count.to_string()));
    for (file, count) in files.iter().zip([90, 105]) {
        fs::write(file, limits::coprime_shares(count)).unwrap();
    }
    let Some(verdicts) = second(&files) else { return };
    assert!(verdicts[0].starts_with("refused shares of (0,1)"), "{}", verdicts[0]);
    assert!(verdicts[1].starts_with("beyond bits of the denominator"), "{}", verdicts[1]);
}

/// The certificate of D-mod-k with loosened upper bounds, and every bound by counting that can be
/// written.
fn counts(topology: &str) -> Vec<String> {
    let instance = Instance::named(topology, "dmodk").unwrap();
    let height = instance.topology().tree().unwrap().height();
    let found = assess(&instance).unwrap();
    let mut bytes = Vec::new();
    certificate::write(&found.certificate.unwrap(), &mut bytes).unwrap();
    let lines: Vec<String> = String::from_utf8(bytes).unwrap().lines().map(String::from).collect();
    let (mut roomy, mut quantities) = (String::new(), Vec::new());
    for line in lines.iter().filter(|line| *line != "end") {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "claim" {
            quantities.push(words[1].to_string());
            writeln!(roomy, "claim {} {} 99", words[1], words[2]).unwrap();
        } else {
            writeln!(roomy, "{line}").unwrap();
        }
    }
    let mut refutations = vec!["trivial".to_string()];
    refutations.extend((0..=height).map(|at| format!("count {at}")));
    let pairs = (1..=height).flat_map(|low| (1..=height).map(move |high| (low, high)));
    refutations.extend(pairs.map(|(low, high)| format!("nested {low} {high}")));
    let mut all = Vec::new();
    for quantity in &quantities {
        for refutation in &refutations {
            let record =
                |lower| format!("{roomy}single-path {quantity} {lower} {refutation}\nend\n");
            all.extend((0..=4).map(record));
        }
    }
    all
}

#[test]
fn it_counts_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let trees =
        ["ft(4,3)", "ft(6,2)", "xgft(2;3,6;2,3)", "xgft(3;2,2,4;2,1,3)", "xgft(3;2,3,2;1,2,3)"];
    let texts: Vec<String> = trees.iter().flat_map(|tree| counts(tree)).collect();
    let mut files = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        files.push(folder.path().join(index.to_string()));
        fs::write(&files[index], text).unwrap();
    }
    let Some(verdicts) = second(&files) else { return };
    let mut accepted = 0;
    for (text, verdict) in texts.iter().zip(&verdicts) {
        let first = fate_in(text.as_bytes(), folder.path());
        let record = text.lines().nth_back(1).unwrap();
        assert_eq!(
            first == Fate::Accepted,
            verdict == "accepted",
            "{record}: {first:?}, {verdict}"
        );
        accepted += usize::from(first == Fate::Accepted);
    }
    assert!(accepted > 20 && texts.len() > 300, "{accepted} of {}", texts.len());
}

/// The fate of a proof whose first step, or the text before it, is changed.
#[test]
fn it_reads_the_same_numbers_in_proofs() {
    let committed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("results/optimal-single-path/certificates");
    let of_file = |name: &str| fs::read_to_string(committed.join(name)).unwrap();
    let (text, proof) = (of_file("ft-4-2-formula.cert"), of_file("ft-4-2-formula.lrat"));
    let folder = tempfile::tempdir().unwrap();
    fs::copy(committed.join("ft-4-2-formula.cnf"), folder.path().join("ft-4-2-formula.cnf"))
        .unwrap();
    let before = |line: &str| format!("{line}\n{proof}");
    let zeros = proof.split(' ').map(|word| {
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            format!("{}{word}", "0".repeat(30))
        } else {
            word.to_string()
        }
    });
    let proofs = [
        (before("9223372036854775807 d 0"), "accepted"),
        (before("9223372036854775808 d 0"), "beyond"),
        (before("-1 d 0"), "refused"),
        (before("1 d 9223372036854775807 0"), "refused"),
        (before("1 d 99999999999999999999 0"), "beyond"),
        (before("1000000 9223372036854775807 0 1 0"), "refused"),
        (before("1000000 1 0 9223372036854775808 0"), "beyond"),
        (before(&format!("1 d {} 0", "9".repeat(5000))), "beyond"),
        (zeros.collect::<Vec<_>>().join(" "), "accepted"),
    ];
    let mut files = Vec::new();
    for (index, (proof, expected)) in proofs.iter().enumerate() {
        let name = format!("{index}.lrat");
        fs::write(folder.path().join(&name), proof).unwrap();
        let text = text.replace("ft-4-2-formula.lrat", &name);
        let found = match fate_in(text.as_bytes(), folder.path()) {
            Fate::Accepted => "accepted",
            Fate::Refused(_) => "refused",
            Fate::TooLarge(_) => "beyond",
        };
        assert_eq!(found, *expected, "{}", &proof[..60]);
        files.push(folder.path().join(index.to_string()));
        fs::write(&files[index], text).unwrap();
    }
    let Some(verdicts) = second(&files) else { return };
    for ((proof, expected), verdict) in proofs.iter().zip(verdicts) {
        assert!(verdict.starts_with(expected), "{verdict}: {}", &proof[..60]);
    }
}

/// Whatever stands in a spec, it is judged.
#[test]
fn it_judges_malformed_specs() {
    let folder = tempfile::tempdir().unwrap();
    let networks = [
        "bft(16,dims=x)",
        "universal(8,leaf=x)",
        "universal(8,growth=x)",
        "ft(x,2)",
        "ft(4,2",
        "ft()",
        "xgft(2;4)",
        "xgft(;;)",
        "kary(2,3;)",
        "(4,2)",
    ];
    let routings =
        ["random(seed=x)", "kpath(k=x)", "kpath(k=2,choice=1)", "rnca-u(seed=)", "dmodk("];
    let named = |topology: &str, routing: &str| {
        format!(
            "routebound-certificate 1\ntopology {topology}\nrouting {routing}\n\
             claim oblivious-ratio 1 1\nwitness 0 1\ndemand 0 1 1\nroute even\nend\n"
        )
    };
    let texts = networks.map(|network| named(network, "dmodk")).into_iter();
    let texts: Vec<String> =
        texts.chain(routings.map(|routing| named("ft(4,2)", routing))).collect();
    let files: Vec<PathBuf> =
        (0..texts.len()).map(|index| folder.path().join(index.to_string())).collect();
    files.iter().zip(&texts).for_each(|(file, text)| fs::write(file, text).unwrap());
    for (text, verdict) in texts.iter().zip(second(&files).unwrap_or_default()) {
        assert!(verdict.starts_with("refused"), "{verdict}: {text}");
        let first = fate_in(text.as_bytes(), folder.path());
        assert!(matches!(first, Fate::Refused(_)), "{first:?}: {text}");
    }
}
