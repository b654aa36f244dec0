//! A changed certificate is refused, or claims nothing false of its instance.

use std::sync::LazyLock;

use proptest::prelude::*;
use routebound::assessment::{Form, assess};
use routebound::bounds::Bounds;
use routebound::certificate::{Certificate, NetworkForm, RoutingForm, WorstCaseCertificate};
use routebound::checker::{self, Accepted, Refusal};
use routebound::progress::Progress;
use routebound::routing::Instance;

use super::change::{any_changes, changed};
use super::targets::TARGETS;
use super::{cases, command};

/// The committed certificates of worst cases that need no other file, and what they prove.
static COMMITTED: LazyLock<Vec<(String, WorstCaseCertificate, Vec<Accepted>)>> =
    LazyLock::new(|| {
        let target = TARGETS.iter().find(|target| target.verb == "check -").unwrap();
        let texts = (target.seeds)().into_iter().map(|text| String::from_utf8(text).unwrap());
        let known = texts.filter_map(|text| match text.parse().unwrap() {
            Certificate::WorstCase(known) => {
                let proven = checker::check(&Certificate::WorstCase(known.clone())).ok()?;
                proven.iter().all(of_routing).then_some((text, known, proven))
            }
            _ => None,
        });
        known.collect()
    });

/// Whether the claim is about the routing alone: what is least also depends on what is allowed.
fn of_routing(claim: &Accepted) -> bool {
    ["oblivious-ratio", "permutation-load"].contains(&claim.quantity)
}

/// Bounds that are known of a named instance.
fn computed(certificate: &WorstCaseCertificate) -> Option<Vec<(&'static str, Bounds)>> {
    let (NetworkForm::Named(network), RoutingForm::Named(routing)) =
        (&certificate.network, &certificate.routing)
    else {
        return None;
    };
    let instance = Instance::named(network, routing).ok()?;
    if instance.topology().hosts() > 64 {
        return None;
    }
    let found = assess(&instance, Form::Shortest, &Progress::silent()).ok()?;
    Some(vec![
        ("oblivious-ratio", found.oblivious_ratio),
        ("permutation-load", found.permutation_load),
    ])
}

type Checker = fn(&Certificate) -> Result<Vec<Accepted>, Refusal>;

/// What the checker accepts of `text`, against what is known: two true intervals meet. Whether
/// there was anything to compare.
fn judge(
    known: &(String, WorstCaseCertificate, Vec<Accepted>),
    text: &str,
    check: Checker,
) -> Result<bool, String> {
    let Ok(certificate) = text.parse::<Certificate>() else { return Ok(false) };
    let Ok(accepted) = check(&certificate) else { return Ok(false) };
    let Certificate::WorstCase(found) = certificate else { return Ok(false) };
    let bounds: Vec<_> = if (&found.network, &found.routing) == (&known.1.network, &known.1.routing)
    {
        known
            .2
            .iter()
            .map(|claim| (claim.quantity, claim.lower.clone(), claim.upper.clone()))
            .collect()
    } else if let Some(bounds) = computed(&found) {
        bounds.into_iter().map(|(quantity, both)| (quantity, both.lower, both.upper)).collect()
    } else {
        return Ok(false);
    };
    let mut compared = false;
    for claim in accepted.iter().filter(|claim| of_routing(claim)) {
        for (_, lower, upper) in bounds.iter().filter(|(quantity, ..)| *quantity == claim.quantity)
        {
            compared = true;
            if claim.lower > *upper || claim.upper < *lower {
                return Err(format!(
                    "{} is {lower} to {upper}: {}",
                    claim.quantity,
                    command(text.as_bytes(), "check -")
                ));
            }
        }
    }
    Ok(compared)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn nothing_false_is_accepted(which in any::<prop::sample::Index>(), changes in any_changes()) {
        let known = &COMMITTED[which.index(COMMITTED.len())];
        let text = changed(known.0.as_bytes(), &changes);
        let judged = judge(known, &String::from_utf8_lossy(&text), checker::check);
        prop_assert!(judged.is_ok(), "{}", judged.unwrap_err());
    }

    /// Claims with other numbers, which is where a certificate would lie.
    #[test]
    fn no_false_number_is_accepted(
        which in any::<prop::sample::Index>(), lower in 0..9_u32, more in 0..4_u32, parts in 1..3_u32,
    ) {
        let known = &COMMITTED[which.index(COMMITTED.len())];
        let claims = known.0.lines().map(|line| match line.strip_prefix("claim ") {
            Some(rest) => {
                let quantity = rest.split(' ').next().unwrap_or_default();
                format!("claim {quantity} {} {}\n", fraction(lower, parts), fraction(lower + more, parts))
            }
            None => format!("{line}\n"),
        });
        let judged = judge(known, &claims.collect::<String>(), checker::check);
        prop_assert!(judged.is_ok(), "{}", judged.unwrap_err());
    }
}

/// The fraction in lowest terms.
fn fraction(numerator: u32, denominator: u32) -> String {
    routebound::ratio::Ratio::new(u64::from(numerator), u64::from(denominator)).unwrap().to_string()
}

/// Accepts every claim without looking at the evidence.
#[expect(clippy::unnecessary_wraps, reason = "it stands in for the checker")]
fn credulous(certificate: &Certificate) -> Result<Vec<Accepted>, Refusal> {
    let Certificate::WorstCase(certificate) = certificate else { return Ok(Vec::new()) };
    let claims = certificate.claims.iter().map(|claim| Accepted {
        quantity: claim.quantity.name(),
        lower: claim.lower.clone(),
        upper: claim.upper.clone(),
    });
    Ok(claims.collect())
}

#[test]
fn a_checker_that_trusts_claims_is_found() {
    assert!(COMMITTED.len() > 20, "{}", COMMITTED.len());
    let known =
        COMMITTED.iter().find(|known| known.0.contains("claim oblivious-ratio 2 2")).unwrap();
    assert_eq!(judge(known, &known.0, checker::check), Ok(true));
    for claim in ["1 1", "3 4"] {
        let text = known.0.replace("oblivious-ratio 2 2", &format!("oblivious-ratio {claim}"));
        assert_eq!(judge(known, &text, checker::check), Ok(false));
        assert!(judge(known, &text, credulous).unwrap_err().contains("oblivious-ratio is 2 to 2"));
    }
    let weaker = known.0.replace("oblivious-ratio 2 2", "oblivious-ratio 1 3");
    assert_eq!(judge(known, &weaker, checker::check), Ok(true));
}
