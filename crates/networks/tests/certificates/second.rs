//! `tests/second_checker`, written from the text alone, agrees with the checker about names, formulas and proofs.

use std::fs;
use std::path::PathBuf;

use super::committed::{NAMES, committed};
use super::fate::{Fate, agreed, fate, fate_in, mutations, project, second};

#[test]
fn it_decides_the_same_of_what_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    for name in &NAMES[1..] {
        fs::write(folder.path().join(name), committed(name)).unwrap();
    }
    let texts = ["ft-4-2.cert", NAMES[0]].map(committed);
    let changed: Vec<String> = texts.iter().flat_map(|text| mutations(text)).collect();
    let accepted = agreed(&changed, folder.path());
    assert!(changed.len() > 2_500 && accepted > 150, "{accepted} of {}", changed.len());
}

/// What is written out is judged in `crates/proof`.
#[test]
fn it_judges_named_networks_likewise() {
    let named = |routing: &str, upper: &str| {
        format!(
            "routebound-certificate 1\ntopology xgft(1;3;1)\n{routing}\nclaim permutation-load 0 {upper}\n\
             witness 0 1\ndemand 0 1 1\nroute even\nends\nend\n"
        )
    };
    let cases = [
        (named("routing dmodk", "1/2"), "the ends of link 0 prove load ≤ 1 only"),
        (named("split hops", "1"), "a `split` needs a network that is written out"),
    ];
    for (text, reason) in &cases {
        let found = fate(text.as_bytes());
        assert!(matches!(&found, Fate::Refused(why) if why.contains(reason)), "{found:?}\n{text}");
    }
    let texts = cases.map(|(text, _)| text);
    assert_eq!(agreed(&texts, tempfile::tempdir().unwrap().path()), 0);
}

/// One class of other routings is bounded at most: each record alone is accepted, both are not.
#[test]
fn one_class_of_routings_is_bounded() {
    let name = "results/optimal-single-path/certificates/ft-4-2.cert";
    let path = project().join(name);
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

/// The fate of a proof whose first step, or the text before it, is changed.
#[test]
fn it_reads_the_same_numbers_in_proofs() {
    let committed = project().join("results/optimal-single-path/certificates");
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
