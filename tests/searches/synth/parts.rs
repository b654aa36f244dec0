//! Searches that stop and resume, on a tree or a part of it, end in proofs that are accepted.

use std::fs;
use std::path::Path;

use routebound::certificate::{LratRefutation, Quantity, Refutation};
use routebound::checker::{BadFile, BadTree, Refusal, RefutationClaim, Tree, check_refutation};
use routebound::progress::Progress;
use routebound::sat::backend::SatSearch;
use routebound::sat::cover::CoverProblem;
use routebound::sat::{Answer, SatError, Settings};
use routebound::synth::{Method, Options, folder, least_ratio};
use routebound::topology::generate;

use super::tree;

fn problem(spec: &str) -> CoverProblem {
    CoverProblem { tree: tree(spec), most: 1, first_step: 2, ordered: 2 }
}

fn search<'p>(
    problem: &CoverProblem,
    folder: &Path,
    settings: Settings,
    progress: &'p Progress,
) -> SatSearch<'p> {
    let proof = folder.join("p.lrat");
    SatSearch::new(problem.formula().unwrap(), settings, Some(&proof), progress).unwrap()
}

#[test]
fn a_search_in_many_steps_ends_in_one_proof() {
    let (problem, folder) = (problem("ftree(3,5,4)"), tempfile::tempdir().unwrap());
    let progress = Progress::silent();
    let mut search = search(&problem, folder.path(), Settings::default(), &progress);
    let mut steps = 0;
    while search.run(Some(100)).unwrap() == Answer::Stopped {
        steps += 1;
    }
    assert!(steps > 5, "{steps}");
    let mut formula = Vec::new();
    problem.formula().unwrap().write_dimacs("of the test", &mut formula).unwrap();
    fs::write(folder.path().join("p.cnf"), formula).unwrap();
    let proof_of = |kept: &[u32], ordered| {
        let (formula, proof) = ("p.cnf".to_string(), "p.lrat".to_string());
        let kept = kept.to_vec();
        let refuted = LratRefutation { kept, first_step: 2, ordered, formula, proof };
        Refutation::Lrat(Box::new(refuted))
    };
    let check = |spec, refutation: &Refutation| {
        let (tree, quantity) = (&Tree::try_from(&tree(spec)).unwrap(), Quantity::PermutationLoad);
        let claim = RefutationClaim { tree, quantity, ratio: 1, refutation, folder: folder.path() };
        check_refutation(claim, &Progress::silent()).map(drop)
    };
    let good = proof_of(&[3, 4], 2);
    assert_eq!(check("ftree(3,5,4)", &good), Ok(()));
    // It refutes larger trees too, and no smaller one, nor one with more switches.
    assert_eq!(check("ftree(4,5,9)", &good), Ok(()));
    assert_eq!(check("ftree(3,5,3)", &good), Err(Refusal::Tree(BadTree::NoPart)));
    for (spec, other) in [
        ("ftree(3,6,4)", good),
        ("ftree(3,5,4)", proof_of(&[3, 3], 2)),
        ("ftree(3,5,4)", proof_of(&[3, 4], 1)),
    ] {
        let refused = check(spec, &other);
        assert!(
            matches!(refused, Err(Refusal::File(BadFile::Formula { .. }))),
            "{spec} {refused:?}"
        );
    }
}

#[test]
fn a_proof_that_grows_too_large_ends_the_search() {
    let (problem, folder) = (problem("ftree(3,6,4)"), tempfile::tempdir().unwrap());
    let settings = Settings { proof_bytes: 100_000, ..Settings::default() };
    let progress = Progress::silent();
    let ended = search(&problem, folder.path(), settings, &progress).run(None);
    assert!(matches!(ended, Err(SatError::ProofTooLarge(100_000))), "{ended:?}");
    let written = fs::metadata(folder.path().join("p.lrat")).unwrap().len();
    assert!(written < 200_000, "{written}");
}

#[test]
fn a_part_refutes_the_whole() {
    let options = Options { method: Method::Formula, ..Options::default() };
    let found = least_ratio(&generate("ft(6,2)").unwrap(), &options, &Progress::silent()).unwrap();
    let Refutation::Lrat(refuted) = &found.refutation else { panic!("a formula") };
    // Three of the six leaf switches; the checker has accepted it.
    assert_eq!(refuted.kept, [3, 3]);
    assert_eq!(found.bounds.to_string(), "2 (proven)");
    assert!(folder(&found).join(&refuted.proof).exists());
}
