//! The integer program agrees with the formula, and claims no more than it may.

use routebound::bounds::Evidence;
use routebound::certificate::Quantity;
use routebound::lp::cover_model::{Answer, CoverModel};
use routebound::progress::{Progress, Stop};
use routebound::routing::Instance;
use routebound::sat::{self, Settings, cover::CoverProblem};
use routebound::synth::{Method, Options, least_ratio};
use routebound::topology::generate;
use routebound::worst_case::Analyse;

use super::tree;

fn by_program(spec: &str, most: u32, first_step: usize) -> Answer {
    let model = CoverModel { tree: tree(spec), most, first_step };
    model.solve(&Progress::silent()).unwrap()
}

/// The full tier has FT(4,3), too.
#[test]
fn program_and_formula_agree() {
    let trees = ["ft(4,2)", "ftree(2,2,3)", "ftree(2,3,3)", "ftree(2,4,3)", "xgft(2;2,4;1,2)"];
    let others = ["xgft(2;2,3;2,3)", "xgft(3;2,2,2;1,2,1)", "ftree(3,3,2)", "ft(4,3)"];
    let (more, least) = if cfg!(feature = "slow-tests") { (4, 4) } else { (3, 3) };
    let (mut some, mut none) = (0, 0);
    for spec in trees.into_iter().chain(others.into_iter().take(more)) {
        for most in 1..=2 {
            let Some(first_step) = CoverProblem::least_step(&tree(spec), most) else { continue };
            let problem = CoverProblem { tree: tree(spec), most, first_step, ordered: 0 };
            let formula = problem.formula().unwrap();
            let silent = Progress::silent();
            let said = sat::backend::solve(&formula, Settings::default(), &silent).unwrap();
            let has_routing = matches!(said, sat::Answer::Model(_));
            let by_program = by_program(spec, most, first_step);
            assert_eq!(matches!(by_program, Answer::Routing(_)), has_routing, "{spec} {most}");
            assert_eq!(by_program == Answer::Infeasible, !has_routing, "{spec} {most}");
            if has_routing { some += 1 } else { none += 1 }
        }
    }
    assert!(some >= least && none >= least, "{some} {none}");
}

/// The table of a routing by its up-digits, assessed like any other.
#[test]
fn routings_of_the_program_have_the_load_that_was_asked_for() {
    for (spec, most) in [("ftree(2,4,3)", 1), ("ft(6,2)", 2), ("ft(4,3)", 2), ("ftree(3,3,2)", 1)] {
        let found = least_ratio(
            &generate(spec).unwrap(),
            &Options {
                quantity: Quantity::PermutationLoad,
                ratio: Some(most),
                method: Method::Program,
                ..Options::default()
            },
            &Progress::silent(),
        )
        .unwrap();
        assert!(found.complete, "{spec}");
        assert_eq!(found.bounds.upper, u64::from(most).into(), "{spec}");
        let (topology, routing) = found.best.into_parts();
        let best = Instance::trusted(topology, routing);
        let load = Analyse::of(Quantity::PermutationLoad).run(&best).unwrap();
        assert_eq!(load.upper(), Some(u64::from(most).into()), "{spec}");
    }
}

#[test]
fn what_the_solver_alone_says_is_a_claim() {
    let options = Options { method: Method::Program, ..Options::default() };
    let topology = generate("ft(4,2)").unwrap();
    let found = least_ratio(&topology, &options, &Progress::silent()).unwrap();
    assert!(found.complete);
    assert_eq!(found.bounds.exact(), Some(&2_u64.into()));
    assert!(matches!(&found.bounds.evidence, Evidence::Claimed(by) if by.contains("HiGHS")));
    // The certificate proves the upper bound, but a lower bound of only 1.
    let certificate = found.certificate.unwrap();
    let claims = routebound::generators::checker::check(&certificate).unwrap();
    let least =
        claims.iter().find(|claim| claim.quantity.starts_with("least single-path")).unwrap();
    assert_eq!((&least.lower, &least.upper), (&1_u64.into(), &2_u64.into()));
}

#[test]
fn a_program_is_refused_or_stopped_in_time() {
    let huge = CoverModel { tree: tree("ft(16,3)"), most: 2, first_step: 2 };
    assert!(huge.solve(&Progress::silent()).unwrap_err().to_string().contains("limit"));
    let stop = Stop::at(None);
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    let model = CoverModel { tree: tree("ft(4,3)"), most: 1, first_step: 2 };
    assert_eq!(model.solve(&stopped).unwrap(), Answer::Stopped);
}
