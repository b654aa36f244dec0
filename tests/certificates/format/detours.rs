//! Routings whose paths may be longer than the shortest by hops: certificates hold their paths, and no checker
//! takes their names for anything.

use routebound::assessment::Assess;
use routebound::certificate::{Certificate, NetworkForm, RoutingForm};
use routebound::generators::checker::check;
use routebound::import::{self, ImportOptions};
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{LinkId, generate};

use super::fate::{ACCEPTED, REFUSED, judge_texts};
use super::judge_accepted;

fn written(instance: &Instance, assess: Assess<'_>) -> Certificate {
    assess.run(instance).unwrap().certificate.unwrap()
}

/// By weight, some of the paths of `ecmp` on the ring have three links.
#[test]
fn their_paths_are_checked() {
    let ring = "instances/networks/examples/ring.graph";
    let ring = import::topology(ring, &ImportOptions::default()).unwrap();
    let mut texts = Vec::new();
    for spec in ["ecmp", "ecmp(weights=hops)", "ecmp(weights=inverse-capacity)", "ksp", "ksp(k=2)"]
    {
        let instance = Instance::new(ring.clone(), routing::build(spec, &ring).unwrap()).unwrap();
        for (form, assess) in [("shortest", Assess::new()), ("embedded", Assess::new().embedded())]
        {
            let certificate = written(&instance, assess);
            assert!(check(&certificate).is_ok(), "{spec}, {form}");
            let text = certificate.to_string();
            assert!(!text.contains("weights"), "{spec}, {form}");
            texts.push(text);
        }
    }
    judge_accepted(texts);
}

/// A certificate on the same paths, with a name in their place, written by hand.
#[test]
fn their_names_are_refused() {
    let names = ["ksp", "ksp(k=1)", "KSP(k=2)", "ksp(k=999999)", "ksp(k=2,weights=hops)"];
    let of_ecmp = ["ecmp(weights=hops)", "ecmp(weights=inverse-capacity)", "ECMP(WEIGHTS=file)"];
    let mut cases = Vec::new();
    for name in ["ecmp"].into_iter().chain(names).chain(of_ecmp) {
        let own = if of_ecmp.contains(&name) { "ecmp" } else { name };
        let own = if own.contains('9') { "ksp(k=3)" } else { own };
        let Certificate::WorstCase(mut planted) =
            written(&Instance::named("ft(4,2)", own).unwrap(), Assess::new())
        else {
            panic!("{name}")
        };
        assert!(matches!(planted.network, NetworkForm::Named(_)), "{name}");
        planted.routing = RoutingForm::Named(name.to_string());
        let fate = if name == "ecmp" { ACCEPTED } else { REFUSED };
        cases.push((Certificate::WorstCase(planted).to_string(), fate));
    }
    judge_texts(cases);
}

/// Of three paths between leaves one goes down and up again: nothing follows from the labels.
#[test]
fn nothing_is_inferred_from_a_tree() {
    let tree = generate("ft(4,2)").unwrap();
    let routing = routing::build("ksp(k=3)", &tree).unwrap();
    let mut hops = Vec::new();
    let mut note = |_: &Rational, links: &[LinkId]| hops.push(links.len());
    routing.for_each_path(0, 2, &mut Vec::new(), &mut note);
    assert_eq!(hops, [4, 4, 6]);
    let instance = Instance::new(tree, routing).unwrap();
    assert!(!instance.is_by_spec());
    let certificate = written(&instance, Assess::new()).to_string();
    assert!(certificate.contains("ft(4,2)") && !certificate.contains("ksp"), "{certificate}");
}
