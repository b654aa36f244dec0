//! Adversaries: what they claim is measured again from the paths alone, and is not above the exact
//! value.

use std::collections::BTreeMap;

use routebound::adversary::{
    self, Adversary, AdversaryError, AttackContext, Build, Built, Finding, Method, Oblivious, Work,
};
use routebound::assessment::{assess, assess_optimum};
use routebound::bounds::{Bounds, Evidence};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::routing::Instance;
use routebound::spec::Spec;
use routebound::topology::LinkId;
use routebound::traffic::Demand;

use super::{Verdict, assert_found, ensure, on_threads};

/// What adversaries may do here at most, by option.
const LIMITS: [(&str, u64); 3] = [("trials", 300), ("programs", 6), ("permutations", 6000)];

/// Instances with their ratio, which is proven: full and slimmed, of one path per pair and of several.
fn instances() -> Vec<(Instance, Bounds)> {
    let named = [
        ("ft(4,2)", "dmodk"),
        ("ft(4,3)", "random(seed=7)"),
        ("xgft(2;4,3;1,2)", "smodk"),
        ("xgft(2;2,3;2,2)", "kpath(k=2)"),
    ];
    let exact = |(topology, routing)| {
        let instance = Instance::named(topology, routing).unwrap();
        let found = assess(&instance).unwrap();
        assert_eq!(found.oblivious_ratio.evidence, Evidence::Proven, "{routing} on {topology}");
        assert!(!cfg!(feature = "highs") || found.oblivious_ratio.exact().is_some(), "{topology}");
        (instance, found.oblivious_ratio)
    };
    named.map(exact).into_iter().collect()
}

/// The loads by the definition: amount times share of every path over the link, per capacity.
fn loads(instance: &Instance, demands: &[Demand]) -> BTreeMap<LinkId, Rational> {
    let (topology, routing) = (instance.topology(), instance.routing());
    let mut loads = BTreeMap::new();
    for demand in demands {
        routing.for_each_path(demand.s, demand.d, &mut Vec::new(), &mut |share, links| {
            for link in links {
                let load: &mut Rational = loads.entry(*link).or_default();
                *load = &*load + &(share * &demand.amount);
            }
        });
    }
    let over = |link, load: &Rational| load.checked_div(&topology.link(link).capacity).unwrap();
    loads.into_iter().map(|(link, load)| (link, over(link, &load))).collect()
}

/// What the finding claims, against its own witness.
fn check_witness(finding: &Finding, instance: &Instance, exact: &Bounds) -> Verdict {
    ensure(finding.worst.lower <= exact.upper, || {
        format!("a lower bound of {}, where the ratio is {exact}", finding.worst.lower)
    })?;
    ensure(finding.worst.upper.as_ref().is_none_or(|upper| *upper >= exact.lower), || {
        format!("an upper bound of {:?}, where the ratio is {exact}", finding.worst.upper)
    })?;
    let Some(witness) = &finding.worst.witness else {
        return ensure(finding.worst.lower.is_zero(), || "a lower bound without a witness".into());
    };
    let loads = loads(instance, &witness.demands);
    let there = loads.get(&witness.link).cloned().unwrap_or_default();
    ensure(there == finding.worst.load, || {
        format!("a load of {} is claimed, the witness has {there}", finding.worst.load)
    })?;
    ensure(loads.values().all(|load| *load <= there), || "the link is not the worst".into())?;
    let optu = assess_optimum(instance.topology(), &witness.demands);
    let optu = optu.map_err(|error| error.to_string())?.optu;
    ensure(optu.lower <= witness.optu, || {
        format!("optu is at most {}, they say; it is {optu}", witness.optu)
    })?;
    ensure(&finding.worst.lower * &witness.optu == finding.worst.load, || {
        "the lower bound is not load ÷ optu".into()
    })
}

fn attack(adversary: &Built<Oblivious>, instance: &Instance) -> Result<Finding, AdversaryError> {
    let context = AttackContext::new(instance, &Progress::silent())?;
    adversary.attack(&context, &Progress::silent())
}

/// The example within [`LIMITS`], and the most evaluations that this allows: a search begins its
/// last restart before its trials are used up, and no restart is longer than that.
fn limited(kind: &Kind<Method>, example: &str) -> Result<(Spec, u64), String> {
    let spec = Spec::parse(example).and_then(|spec| spec.checked(kind.usage));
    let mut spec = spec.map_err(|error| error.to_string())?;
    let mut most = u64::MAX;
    for (key, limit) in LIMITS.iter().filter(|(key, _)| kind.takes(key)) {
        spec.set_default(key, &limit.to_string());
        let has_restarts = *key == "trials" && kind.build.work == Work::Searches;
        most = if has_restarts { 2 * limit - 1 } else { *limit };
    }
    Ok((spec, most))
}

fn check(kind: &Kind<Method>, instances: &[(Instance, Bounds)]) -> Verdict {
    for example in kind.examples {
        let mut found = 0;
        let (spec, most) = limited(kind, example)?;
        let adversary = (kind.build.build)(&spec).map_err(|error| error.to_string())?;
        for (instance, exact) in instances {
            let (routing, topology) = (instance.routing().spec(), instance.topology().spec());
            let place = |problem: String| format!("{spec}, {routing} on {topology}: {problem}");
            let [one, four] =
                [1, 4].map(|threads| on_threads(threads, || attack(&adversary, instance)));
            let finding = match one {
                Err(AdversaryError::TooLarge(_)) => continue,
                finding => finding.map_err(|error| place(error.to_string()))?,
            };
            let text = |finding: &Finding| format!("{finding:?}");
            ensure(four.is_ok_and(|four| text(&four) == text(&finding)), || {
                place("on 1 and 4 threads it finds different things".into())
            })?;
            check_witness(&finding, instance, exact).map_err(place)?;
            ensure(finding.evaluations <= most, || {
                place(format!("{} evaluations, {most} allowed", finding.evaluations))
            })?;
            ensure(finding.adversary == adversary.spec, || place("another's name".into()))?;
            found += usize::from(finding.worst.witness.is_some());
        }
        ensure(found > 0, || format!("{spec}: it finds nothing anywhere"))?;
    }
    Ok(())
}

#[test]
fn adversaries_find_what_they_say() {
    let instances = instances();
    for kind in adversary::KINDS {
        assert_eq!(check(kind, &instances), Ok(()));
    }
}

/// Random permutations, but for what `change` does to the finding.
struct Changed {
    right: Built<Oblivious>,
    change: fn(&mut Finding),
}

impl Adversary<Oblivious> for Changed {
    fn attack(
        &self,
        _: &str,
        context: &AttackContext<'_>,
        progress: &Progress,
    ) -> Result<Finding, AdversaryError> {
        let mut finding = self.right.attack(context, progress)?;
        (self.change)(&mut finding);
        Ok(finding)
    }
}

/// What the check says of an entry that is built so.
fn verdict(build: Build) -> Verdict {
    let right = adversary::KINDS.iter().find(|kind| kind.name == "climb").unwrap();
    check(&Kind { build: Method { build, ..right.build }, ..*right }, &instances()[..2])
}

fn changed(spec: &Spec, change: fn(&mut Finding)) -> Result<Built<Oblivious>, AdversaryError> {
    Ok(Built::new(
        &spec.complete(),
        Changed { right: adversary::build(&spec.to_string())?, change },
    ))
}

#[test]
fn planted_bugs_are_found() {
    assert_eq!(verdict(|spec| changed(spec, |_| {})), Ok(()));
    let boast = verdict(|spec| changed(spec, |finding| finding.worst.lower = 1000.into()));
    assert_found(boast, "a lower bound of 1000");
    let no_load = verdict(|spec| {
        changed(spec, |finding| {
            finding.worst.witness.as_mut().unwrap().demands.truncate(1);
        })
    });
    assert_found(no_load, "is claimed, the witness has");
    let modest = verdict(|spec| {
        changed(spec, |finding| {
            let half = finding.worst.lower.checked_div(&2.into()).unwrap();
            finding.worst.lower = half;
        })
    });
    assert_found(modest, "is not load ÷ optu");
    // One unit from host 0 to host 7: no routing gets it out of host 0 with load 1/2.
    let cheap = verdict(|spec| {
        changed(spec, |finding| {
            let witness = finding.worst.witness.as_mut().unwrap();
            witness.demands = vec![Demand { s: 0, d: 7, amount: Rational::ONE }];
            witness.link = 0;
            witness.optu = Rational::new(1, 2).unwrap();
            finding.worst.load = Rational::ONE;
            finding.worst.lower = 2.into();
        })
    });
    assert_found(cheap, "optu is at most 1/2, they say");
    // A little more traffic than on the witness link, elsewhere: the bound is smaller, yet true.
    let elsewhere = verdict(|spec| {
        changed(spec, |finding| {
            let witness = finding.worst.witness.as_mut().unwrap();
            witness.demands = vec![
                Demand { s: 0, d: 7, amount: Rational::ONE },
                Demand { s: 1, d: 6, amount: 2.into() },
            ];
            witness.link = 0;
            witness.optu = 2.into();
            finding.worst.load = Rational::ONE;
            finding.worst.lower = Rational::new(1, 2).unwrap();
        })
    });
    assert_found(elsewhere, "the link is not the worst");
    let other = verdict(|spec| changed(spec, |finding| finding.adversary.push('x')));
    assert_found(other, "another's name");
    let upper = verdict(|spec| changed(spec, |finding| finding.worst.upper = Some(1.into())));
    assert_found(upper, "an upper bound of");
    let bare = verdict(|spec| changed(spec, |finding| finding.worst.witness = None));
    assert_found(bare, "a lower bound without a witness");
    let busy = verdict(|spec| changed(spec, |finding| finding.evaluations = 600));
    assert_found(busy, "600 evaluations, 599 allowed");
    let threads = verdict(|spec| {
        changed(spec, |finding| finding.evaluations = rayon::current_num_threads() as u64)
    });
    assert_found(threads, "on 1 and 4 threads");
    let idle = verdict(|spec| {
        changed(spec, |finding| {
            finding.worst.witness = None;
            finding.worst.lower = Rational::ZERO;
        })
    });
    assert_found(idle, "it finds nothing anywhere");
}
