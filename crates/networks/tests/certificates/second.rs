//! `tests/second_checker`, written from the text alone, agrees with the checker about names, formulas and proofs.

use std::fs;

use super::committed::{NAMES, committed};
use super::fate::{
    ACCEPTED, BEYOND, Fate, REFUSED, STEP, agreed, fate, fate_in, judge_files, judge_texts,
    mutations, project,
};

#[test]
fn it_decides_the_same_of_what_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    for name in &NAMES[1..] {
        fs::write(folder.path().join(name), committed(name)).unwrap();
    }
    let texts = ["ft-4-2.cert", NAMES[0]].map(committed);
    let changed: Vec<String> =
        texts.iter().flat_map(|text| mutations(text)).step_by(STEP).collect();
    let accepted = agreed(&changed, folder.path());
    assert!(
        changed.len() > 2_500 / STEP && accepted > 150 / STEP,
        "{accepted} of {}",
        changed.len()
    );
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
    let texts = [single, alone, both];
    let fates = texts.each_ref().map(|text| fate_in(text.as_bytes(), folder.path()));
    assert!(fates[..2].iter().all(|fate| *fate == Fate::Accepted), "{fates:?}");
    assert!(matches!(&fates[2], Fate::Refused(reason) if reason.contains("`end`")), "{fates:?}");
    assert_eq!(agreed(&texts, folder.path()), 2);
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
        (before("9223372036854775807 d 0"), ACCEPTED),
        (before("9223372036854775808 d 0"), BEYOND),
        (before("-1 d 0"), REFUSED),
        (before("1 d 9223372036854775807 0"), REFUSED),
        (before("1 d 99999999999999999999 0"), BEYOND),
        (before("1000000 9223372036854775807 0 1 0"), REFUSED),
        (before("1000000 1 0 9223372036854775808 0"), BEYOND),
        (before(&format!("1 d {} 0", "9".repeat(5000))), BEYOND),
        (zeros.collect::<Vec<_>>().join(" "), ACCEPTED),
    ];
    let named = |(index, (proof, expected)): (usize, &(String, &'static str))| {
        let name = format!("{index}.lrat");
        fs::write(folder.path().join(&name), proof).unwrap();
        (text.replace("ft-4-2-formula.lrat", &name).into_bytes(), *expected)
    };
    judge_files(folder.path(), &proofs.iter().enumerate().map(named).collect::<Vec<_>>());
}

/// Whatever stands in a spec, it is judged.
#[test]
fn it_judges_malformed_specs() {
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
    let texts = texts.chain(routings.map(|routing| named("ft(4,2)", routing)));
    judge_texts(texts.map(|text| (text, REFUSED)));
}
