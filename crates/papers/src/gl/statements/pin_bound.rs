//! \[GL\] 1: what a plane through the middle of a network lets through.
//!
//! Of a box with sides a ≥ b ≥ c and volume v = abc the plane across the longest side has area bc, and (bc)³ ≤ v² since
//! bc ≤ a². With one wire through a unit of area, n/2 messages in either direction take n/(2bc) ≥ n/(2v^(2/3)) steps.
//! For v = n^(3/2 − ε) that is a half of n^(2ε/3).
//!
//! Cubic meshes have a processor in every unit of volume, so v = n, and n^(1/3)/2 steps are needed: every wire that
//! passes the plane is counted, and messages are carried from each processor to one of the other half.

use rand::seq::SliceRandom;

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-pin-bound", "[GL] 1, on pins")
    .about("Where each of n processors in volume v sends to one beyond the plane that halves them across \
            the longest side, n / (2 v^(2/3)) steps are needed with one wire through a unit of area; neighbours \
            exchange messages in one")
    .hypothesis("boxes of integer sides up to 40; cubic meshes of 8 to 4096 processors in volume n, where the halves exchange messages by a shift and at random")
    .sharpened()
    .quote("Suppose each processor sends a message to a processor on the other side of the cut. Since the cross-sectional area of the cut has area $O(v^{2/3})$, the time required by the network to deliver all the messages is $\\Omega(n/v^{2/3})$.")
    .cases(|scope| check(scope, |[_, middle, short]| middle * short))
    // The plane across the shortest side.
    .planted(Planted::Check(|scope| check(scope, |[long, middle, _]| long * middle)));

/// Longest side of a box.
const SIDE: u64 = 40;

/// lg n of meshes.
const MESHES: [u32; 4] = [3, 6, 9, 12];

/// With the area of the plane through a box of these sides, the longest first.
fn check(scope: &Scope, area: fn([u64; 3]) -> u64) -> Findings {
    let mut findings = vec![boxes(area)];
    for height in MESHES {
        scope.progress.check()?;
        findings.extend(mesh(height, scope)?);
    }
    Ok(findings)
}

fn boxes(area: fn([u64; 3]) -> u64) -> Finding {
    let sides = (1..=SIDE).flat_map(|a| (1..=a).flat_map(move |b| (1..=b).map(move |c| [a, b, c])));
    let (mut points, mut wrong) = (0, None);
    for sides in sides {
        let volume: u64 = sides.iter().product();
        points += 1;
        wrong = wrong.or_else(|| (area(sides).pow(3) > volume.pow(2)).then_some(sides));
    }
    let wrong = wrong.map(|sides| format!("not for sides {sides:?}"));
    let case = format!("boxes of sides up to {SIDE}");
    Finding::unless(case, "area^3 <= v^2", "holds for all", wrong, Basis::Grid { points })
}

/// The mesh of 2^height processors, the plane of which is between the halves of their numbers.
fn mesh(height: u32, scope: &Scope) -> Findings {
    let n = 1_u32 << height;
    let half = n / 2;
    let layout = Layout::named("mesh3", 1 << height, 1)?;
    let cut = layout.links().iter().filter(|[a, b]| (*a < half) != (*b < half)).count() as u64;
    let area = 1_u64 << (2 * height / 3);
    let is_area = Finding::equal(
        format!("wires across {}, n = {n}", layout.name()),
        area,
        cut,
        Basis::Exhaustive,
    );
    let least = Rational::from(u64::from(half)).checked_div(&cut.into()).unwrap_or_default();
    let mut random = Streams::new(scope.seed).at(height.into());
    let mut shuffled: Vec<Host> = (half..n).collect();
    shuffled.shuffle(&mut random);
    let across = |order: Vec<Host>| {
        let pairs = (0..half).zip(order);
        pairs.flat_map(|(s, d)| [(s, d, 1), (d, s, 1)]).collect::<Vec<_>>()
    };
    let mut findings = vec![is_area];
    for (name, order) in [("shift by n/2", (half..n).collect()), ("random partners", shuffled)] {
        let steps = carry(&layout, across(order), &scope.progress.part(1.0))?.steps;
        let case = format!("{name} on {}, n = {n}", layout.name());
        let basis = if name.starts_with("random") {
            Basis::sampled(1, scope.seed)
        } else {
            Basis::Exhaustive
        };
        findings.push(Finding::at_least(case, least.clone(), steps, basis));
    }
    let neighbours = carry(&layout, layout.step(), &scope.progress.part(1.0))?.steps;
    let case = format!("all neighbours on {}, n = {n}", layout.name());
    findings.push(Finding::equal(case, 1, neighbours, Basis::Exhaustive));
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of 4 by 4 by 1 has a plane of area 4 across a long side, and v^(2/3) = 6.3; one of 16 along both.
    #[test]
    fn planes_by_hand() {
        assert!(!boxes(|[_, b, c]| b * c).fails());
        let wrong = boxes(|[a, b, _]| a * b);
        assert!(wrong.fails() && wrong.found == "not for sides [2, 1, 1]", "{}", wrong.found);
    }
}
