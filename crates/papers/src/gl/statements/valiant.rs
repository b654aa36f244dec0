//! \[GL\] 1: what Valiant's technique costs in a network of little volume.
//!
//! Every message goes to a random processor first. Half of the processors are beyond the plane that halves them, so n/2
//! messages are expected to pass it on their way there, and n/2 on their way from there, whatever the permutation: n/4
//! each way in one direction at least. With `cut` wires across the plane in each direction that takes n/(4·cut) steps,
//! n^(1/3)/4 on a cubic mesh, where neighbours exchange messages directly in one step.

use rand::RngExt;

use super::prelude::*;
use crate::traffic;

pub(super) const KIND: Statement = Statement::new("gl-valiant", "[GL] 1, on Valiant's technique")
    .about("By random intermediate destinations n/2 messages are expected to pass the plane that halves \
            n processors, on the way there as on the way from there, for every permutation, and n / (4 v^(2/3)) \
            steps are expected where one wire passes a unit of area; neighbours directly exchange messages in \
            one step")
    .hypothesis("every permutation of 2 and 4 processors and every choice of intermediate destinations; cubic meshes of 8 to 4096 processors in volume n: neighbours, bit reversal and a shift by n/2, sampled")
    .sharpened()
    .quote("Using the analysis above, the expected time for every permutation, including simple nearest-neighber communication, is $\\Omega(n/v^{2/3})$ because we expect n/2messages to cross the cut when they are sent to their intermediate destinations.")
    .cases(|scope| check(scope, &fraction(1, 2)))
    // All of them.
    .planted(Planted::Check(|scope| check(scope, &Rational::ONE)));

/// lg n of meshes, with the part of the trials that are run.
const MESHES: [(u32, u64); 4] = [(3, 10), (6, 10), (9, 50), (12, 200)];

/// Where this share of the messages is expected to pass the plane.
fn check(scope: &Scope, share: &Rational) -> Findings {
    let mut findings = scope.each([2, 4], |hosts| Ok(every_permutation(hosts, share)))?;
    for (height, part) in MESHES {
        let runs = scope.trials.div_ceil(part);
        for pattern in ["neighbours", "bitrev", "shift"] {
            findings.push(on_mesh(height, pattern, runs, share, scope)?);
        }
    }
    Ok(findings)
}

/// All intermediate destinations for all permutations of a few processors.
fn every_permutation(hosts: usize, share: &Rational) -> Finding {
    let is_across = |a: usize, b: usize| (a < hosts / 2) != (b < hosts / 2);
    let choices = || (0..hosts).map(|_| 0..hosts).multi_cartesian_product();
    let expected = share * &Rational::from(hosts as u64);
    let (mut permutations, mut wrong) = (0_u64, None);
    for permutation in (0..hosts).permutations(hosts) {
        permutations += 1;
        let (mut crossed, mut count) = ([0, 0], 0);
        for through in choices() {
            count += 1;
            for (s, through) in through.into_iter().enumerate() {
                crossed[0] += u64::from(is_across(s, through));
                crossed[1] += u64::from(is_across(through, permutation[s]));
            }
        }
        let means = crossed.map(|crossed| fraction(crossed, count));
        if means.iter().any(|mean| *mean != expected) {
            wrong = wrong
                .or_else(|| Some(format!("{} and {} for {permutation:?}", means[0], means[1])));
        }
    }
    let case = format!("all {permutations} permutations of {hosts} processors");
    let found = "holds for all";
    Finding::unless(case, format!("{expected} expected each way"), found, wrong, Basis::Exhaustive)
}

/// Destinations of a pattern, the message of every processor.
fn destinations(pattern: &str, n: u32) -> Result<Vec<Host>> {
    match pattern {
        // Neighbours along an axis.
        "neighbours" => Ok((0..n).map(|host| host ^ 1).collect()),
        "shift" => Ok((0..n).map(|host| (host + n / 2) % n).collect()),
        other => {
            let mut found: Vec<Host> = (0..n).collect();
            for demand in traffic::generate(other, n as usize)?.into_demands() {
                found[demand.s as usize] = demand.d;
            }
            Ok(found)
        }
    }
}

fn on_mesh(
    height: u32,
    pattern: &str,
    runs: u64,
    share: &Rational,
    scope: &Scope,
) -> Result<Finding> {
    let n = 1_u32 << height;
    let layout = Layout::named("mesh3", 1 << height, 1)?;
    let (half, quiet) = (n / 2, scope.progress.part(1.0));
    let cut = layout.links().iter().filter(|[a, b]| (*a < half) != (*b < half)).count() as u64;
    let to = destinations(pattern, n)?;
    let direct =
        carry(&layout, (0..).zip(to.iter().copied()).map(|(s, d)| (s, d, 1)), &quiet)?.steps;
    let (streams, mut steps) = (Streams::new(scope.seed), Vec::new());
    for run in 0..runs {
        scope.progress.check()?;
        let mut random = streams.at(run);
        let through: Vec<Host> = to.iter().map(|_| random.random_range(0..n)).collect();
        let there = (0..).zip(&through).map(|(s, through)| (s, *through, 1));
        let there = carry(&layout, there, &quiet)?.steps;
        let from = through.iter().zip(&to).map(|(through, d)| (*through, *d, 1));
        steps.push(there + carry(&layout, from, &quiet)?.steps);
    }
    let mean = Summary::of(steps.into_iter().map(|steps| (Rational::from(steps), 1)));
    let mean = mean.map(|summary| summary.mean()).unwrap_or_default();
    // In one of the two directions half of them at least, there and from there.
    let least = &(share * &Rational::from(u64::from(n))) * &fraction(1, cut);
    let is_direct = pattern != "neighbours" || direct == 1;
    let case = format!("{pattern} on {}, n = {n}", layout.name());
    let claimed = format!(">= {:.3} steps both ways together", least.to_f64());
    let found = format!("{:.2}, directly {direct}", mean.to_f64());
    Ok(Finding::holds(
        case,
        claimed,
        found,
        mean >= least && is_direct,
        Basis::sampled(runs, scope.seed),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_messages_pass() {
        assert!(!every_permutation(4, &fraction(1, 2)).fails());
        let wrong = every_permutation(2, &Rational::ONE);
        assert!(wrong.fails() && wrong.found == "1 and 1 for [0, 1]", "{}", wrong.found);
    }

    #[test]
    fn patterns_are_permutations() {
        for pattern in ["neighbours", "bitrev", "shift"] {
            let mut found = destinations(pattern, 64).unwrap();
            found.sort_unstable();
            assert_eq!(found, (0..64).collect::<Vec<_>>(), "{pattern}");
        }
    }
}
