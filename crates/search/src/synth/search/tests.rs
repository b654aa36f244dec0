//! What is kept, whatever happens.

use std::time::{Duration, Instant};

use super::*;
use crate::assessment::assess;
use crate::progress::Stop;
use crate::synth::{Answer, least_ratio};

/// A search in which D-mod-k is proven to have ratio 7 on FT(4,5).
fn begun<'s>(topology: &'s Topology, options: &'s Options, progress: &'s Progress) -> State<'s> {
    let tree = topology.tree().unwrap();
    let instance = Instance::named("ft(4,5)", "dmodk").unwrap();
    let best = Candidate::new(instance, options.quantity, progress).unwrap();
    assert_eq!(best.bounds.to_string(), "7 (proven)");
    State {
        topology,
        tree,
        options,
        progress,
        lower: 1,
        claimed: 0,
        refuted: None,
        files: None,
        best,
        attempts: Vec::new(),
        notes: Vec::new(),
        accepted: None,
    }
}

#[test]
fn an_unfinished_assessment_does_not_replace_a_better_routing() {
    let (topology, options) = (generate("ft(4,5)").unwrap(), Options::default());
    let progress = Progress::silent();
    let mut state = begun(&topology, &options, &progress);
    let planted = |upper: u64, evidence| {
        let instance = Instance::named("ft(4,5)", "random(seed=1)").unwrap();
        let bounds = Bounds { lower: Rational::ONE, upper: upper.into(), evidence };
        Candidate { instance, bounds, certificate: None }
    };
    let unfinished = Evidence::Claimed("stopped early".to_string());
    assert_eq!(state.take_candidate(planted(1, unfinished)), Answer::Stopped);
    assert_eq!(state.take_candidate(planted(8, Evidence::Proven)), Answer::Missed);
    assert_eq!(state.best.instance.routing.spec(), "dmodk");
    assert_eq!(state.take_candidate(planted(6, Evidence::Proven)), Answer::Found);
    assert_eq!(state.best.bounds.upper, Rational::from(6));
}

#[test]
fn a_routing_that_is_assessed_after_the_stop_is_not_taken() {
    let (topology, options) = (generate("ft(4,5)").unwrap(), Options::default());
    let stop = Stop::at(None);
    let progress = Progress::silent().stopped_by(stop.clone());
    let mut state = begun(&topology, &options, &progress);
    stop.request();
    let worse = Instance::named("ft(4,5)", "random(seed=1)").unwrap();
    assert_eq!(state.take(worse).unwrap(), Answer::Stopped);
    let found = state.finish(false).unwrap();
    assert_eq!(found.bounds.upper, Rational::from(7));
    assert_eq!(found.best.routing.spec(), "dmodk");
}

/// At whatever moment the search is stopped, its upper bound holds, and what is proven is not worse
/// than D-mod-k.
#[test]
fn every_stop_leaves_true_bounds() {
    for (spec, dmodk) in [("ft(4,5)", 7_u64), ("xgft(3;4,4,4;1,2,4)", 6)] {
        let topology = generate(spec).unwrap();
        let instance = Instance::named(spec, "dmodk").unwrap();
        let exact = assess(&instance).unwrap();
        assert_eq!(exact.oblivious_ratio.upper, dmodk.into());
        let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
        for milliseconds in [0, 3, 10, 30, 60, 120, 240, 500].into_iter().step_by(step) {
            let end = Instant::now() + Duration::from_millis(milliseconds);
            let progress = Progress::silent().stopped_by(Stop::at(Some(end)));
            let found = least_ratio(&topology, &Options::default(), &progress).unwrap();
            let of_best = assess(&found.best).unwrap();
            let Bounds { lower, upper, evidence } = &found.bounds;
            let name = format!("{spec} {milliseconds}: {}", found.bounds);
            assert!(of_best.oblivious_ratio.upper <= *upper, "{name}");
            assert!(*lower <= dmodk.into(), "{name}");
            // Arithmetic knows D-mod-k on full trees, at once.
            let is_known = *evidence == Evidence::Proven || spec == "ft(4,5)";
            assert!(!is_known || *upper <= dmodk.into(), "{name}");
        }
    }
}

/// A question that is too large for one method leaves what the others know.
#[test]
fn a_limit_of_one_method_is_a_note() {
    let (topology, options) = (generate("ft(4,5)").unwrap(), Options::default());
    let progress = Progress::silent();
    let mut state = begun(&topology, &options, &progress);
    let large = within("size of the formula", None, 1, "choose a smaller tree");
    let refused = large.map(|_| true).map_err(SynthError::from);
    assert!(!state.unless_too_large(refused).unwrap());
    assert!(state.notes[0].starts_with("size of the formula is"), "{:?}", state.notes);
    let found = state.finish(false).unwrap();
    assert_eq!(found.bounds.upper, Rational::from(7));
    assert!(state_error().too_large().is_none());
    // So is one of the checker.
    let refused = SynthError::from(Refusal::TooLarge(large_formula()));
    assert_eq!(refused.too_large(), Some(&large_formula()));
}

fn large_formula() -> TooLarge {
    within("size of the formula", None, 1, "choose a smaller tree").unwrap_err()
}

/// What the checker has accepted of the lower side is trusted, after a stop too.
#[cfg(feature = "sat")]
#[test]
fn an_accepted_proof_is_not_followed_again() {
    use crate::synth::proof_files;
    use crate::synth::solver::{Decision, decide};

    let (topology, options) = (generate("ft(4,2)").unwrap(), Options::default());
    let stop = Stop::at(None);
    let progress = Progress::silent().stopped_by(stop.clone());
    let tree = topology.tree().unwrap();
    let (decision, _) = decide(&topology, tree, 1, 1, &options, &progress).unwrap();
    let Decision::Refuted(refuted, files) = decision else { panic!("ratio 1 is refuted") };
    let Refutation::Lrat(named) = refuted.refutation() else { panic!("by a formula") };
    // Checking the proof again would find none.
    std::fs::remove_file(files.path().join(&proof_files(named)[1])).unwrap();
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let mut state = begun(&topology, &options, &progress);
    state.best = Candidate::new(instance, options.quantity, &progress).unwrap();
    (state.lower, state.refuted, state.files) = (2, Some(*refuted.clone()), Some(files));
    stop.request();
    // What `finish` does, with time that only a hang exceeds.
    state.accept(&progress.afterwards(Duration::from_mins(1))).unwrap();
    let found = state.finish(false).unwrap();
    assert_eq!(found.bounds.to_string(), "2 (proven)");
    // It says nothing about anything else.
    let Some(Certificate::WorstCase(mut whole)) = found.certificate else { panic!("none") };
    let folder = found.files.as_ref().unwrap().path();
    let check = |whole: &WorstCaseCertificate| {
        let whole = Certificate::WorstCase(whole.clone());
        Check::new(&Named).folder(folder).known(Some(&refuted)).run(&whole)
    };
    assert!(check(&whole).is_ok());
    let Some(Optimality::SinglePath(record)) = &mut whole.optimality else { panic!("no bound") };
    let Refutation::Lrat(other) = &mut record.refutation else { panic!("no formula") };
    other.ordered += 1;
    assert!(check(&whole).is_err());
}

fn state_error() -> SynthError {
    SynthError::NoTree("ring".to_string())
}
