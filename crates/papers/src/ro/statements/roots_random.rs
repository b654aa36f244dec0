//! \[RO\] VII.D and VIII: the NCAs of random routings.

use super::roots::{FULL, SLIMMED, all_routes, spread};
use super::seeds::first_seed;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("ro-roots-random", "[RO] VII.D, VIII, Fig. 4")
    .about("Random routing and r-NCA-u/d distribute the routes better over the NCAs of \
            XGFT(2;16,16;1,10) than S-mod-k and D-mod-k, evenly over many seeds; r-NCA-u/d perfectly \
            over those of XGFT(2;16,16;1,16)")
    .hypothesis("the trees of Fig. 4; printed about the figure, what even and better mean is ours")
    .ours()
    .quote("assigns roots evenly to NCAs for the whole set of (source,destination) pairs")
    .cases(|scope| check(scope, ["random", "rnca-u", "rnca-d"]))
    // Random routing in place of r-NCA-u is not perfect on the full tree.
    .planted(Planted::Check(|scope| check(scope, ["rnca-u", "random", "rnca-d"])));

/// The first routing is uneven on the full tree.
fn check(scope: &Scope, routings: [&str; 3]) -> Findings {
    // As many as in a box of Fig. 5, or a fifth of that.
    let seeds = if scope.full { 50 } else { 10 };
    let modulo = all_routes(&scope.instance(SLIMMED, "dmodk")?);
    let mut findings = scope.each(routings, |routing| {
        let drawn = drawn(scope, SLIMMED, routing, seeds)?;
        Ok(slimmed(scope, routing, &drawn, spread(&modulo)))
    })?;
    for routing in &routings[1..] {
        scope.progress.check()?;
        let drawn = drawn(scope, FULL, routing, seeds)?;
        let perfect = drawn.iter().all(|routes| spread(routes) == 0);
        let found = drawn.first().map_or_else(String::new, |routes| format!("{routes:?}"));
        let case = format!("{routing} on {FULL}");
        let basis = Basis::sampled(seeds, first_seed(scope, routing, seeds));
        findings.push(Finding::holds(case, "perfectly even", found, perfect, basis));
    }
    Ok(findings)
}

/// Routes per NCA for every seed.
fn drawn(scope: &Scope, tree: &str, routing: &str, seeds: u64) -> Result<Vec<Vec<u64>>> {
    let first = first_seed(scope, routing, seeds);
    let of_seed = |index: u64| {
        let seed = first.wrapping_add(index);
        Ok(all_routes(&scope.instance(tree, &format!("{routing}(seed={seed})"))?))
    };
    (0..seeds).into_par_iter().map(of_seed).collect()
}

/// Each seed by itself, and all together: one finding, as these are the same trials.
fn slimmed(scope: &Scope, routing: &str, drawn: &[Vec<u64>], modulo: u64) -> Finding {
    let seeds = drawn.len() as u64;
    let widest = drawn.iter().map(|routes| spread(routes)).max().unwrap_or(u64::MAX);
    let roots = drawn.first().map_or(0, Vec::len);
    let sum = |root: usize| drawn.iter().map(|routes| routes[root]).sum::<u64>();
    let sums: Vec<u64> = (0..roots).map(sum).collect();
    let total: u64 = sums.iter().sum();
    // A tenth of the mean is four standard deviations for ten seeds.
    let is_even = |sum: &u64| (10 * sum * roots as u64).abs_diff(10 * total) <= total;
    let together = total > 0 && sums.iter().all(is_even);
    Finding::holds(
        format!("{routing} on {SLIMMED}"),
        format!("each most - fewest < {modulo}, that of D-mod-k; all within a tenth of the mean"),
        format!("{widest}; {sums:?}"),
        widest < modulo && together,
        Basis::sampled(seeds, first_seed(scope, routing, seeds)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_mod_k_does_is_not_even() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let modulo = all_routes(&scope.instance(SLIMMED, "dmodk").unwrap());
        assert_eq!(modulo, [7680, 7680, 7680, 7680, 7680, 7680, 3840, 3840, 3840, 3840]);
        let of = |drawn: &[Vec<u64>]| slimmed(&scope, "dmodk", drawn, spread(&modulo));
        assert!(of(&vec![modulo.clone(); 10]).fails());
        // Each by itself is no better than D-mod-k, all together are even.
        let turned =
            |by: usize| -> Vec<u64> { (0..10).map(|root| modulo[(root + by) % 10]).collect() };
        let turned: Vec<Vec<u64>> = (0..10).map(turned).collect();
        assert!(of(&turned).found.starts_with("3840; [61440, 61440, "));
        assert!(of(&turned).fails());
        // Each by itself is better, all together are not even.
        let mut better = vec![6144; 10];
        (better[0], better[1]) = (7144, 5144);
        assert!(of(&vec![better; 10]).fails());
        assert_eq!(of(&vec![vec![6144; 10]; 10]).outcome, Outcome::Holds);
    }
}
