//! \[GL\] 2: the root capacity of universal fat-trees.
//!
//! The topmost channels of a tree of n = 2^h hosts have g^(h−1) wires, g = √2 or ∛4, rounded to the
//! nearest integer or up to a power of two. By powers of two: c is at least g^(h−1) and below
//! twice (for ∛4 at most 2^(4/3) times) that. Rounded: from h = 3 on |c − g^(h−1)| ≤ 1/2 leaves c
//! between g^(h−1)·∛(1/2) and g^(h−1)·√2. With g^(2(h−1)) = n/2 for √2 and g^(3(h−1)) = n²/4 for ∛4
//! that is n/4 ≤ c² ≤ n and n²/8 ≤ c³ ≤ n²; h = 1 and 2 are computed.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-root-capacity", "[GL] 2, on universal fat-trees")
    .about("Channel capacities that grow by sqrt(2) a level or double every two give a root capacity \
            of Theta(n^(1/2)), by cbrt(4) a level or fourfold every three Theta(n^(2/3))")
    .hypothesis("host channels of one wire, n = 2..2^14: n/4 <= c^2 <= n and n^2/8 <= c^3 <= n^2; every n by the rules of growth")
    // The transcript has the exponent 2/3 as 2/xi.
    .quote("a root capacity of $\\Theta(\\sqrt{n})$. ... and the root capacity is $\\Theta(n^{2/\\xi})$.")
    .cases(|scope| check(scope, RULES))
    // The rule for volume with the exponents for area.
    .planted(Planted::Check(|scope| check(scope, [("quadruple3", AREA)])));

/// c^exponent lies between n^power ÷ 2^slack and n^power.
#[derive(Clone, Copy)]
struct Order {
    exponent: usize,
    power: usize,
    slack: usize,
}

const AREA: Order = Order { exponent: 2, power: 1, slack: 2 };
const VOLUME: Order = Order { exponent: 3, power: 2, slack: 3 };

const RULES: [(&str, Order); 4] =
    [("sqrt2", AREA), ("double2", AREA), ("cbrt4", VOLUME), ("quadruple3", VOLUME)];

/// Largest lg n.
const MOST: u32 = 14;

fn check<const N: usize>(scope: &Scope, rules: [(&str, Order); N]) -> Findings {
    scope.each(rules, |(growth, order)| {
        let mut wrong = None;
        for height in 1..=MOST {
            let wires = at_root(height, growth)?;
            let within = is_within(&wires, height, order);
            wrong = wrong.or((!within).then(|| format!("{wires} wires for n = 2^{height}")));
        }
        let holds = wrong.is_none();
        let Order { exponent, power, slack } = order;
        let claimed = format!("n^{power}/2^{slack} <= c^{exponent} <= n^{power}");
        let case = |n: &str| format!("growth {growth}, {n}");
        let computed = Basis::Grid { points: MOST.into() };
        let docs = "the docs of crates/papers/src/gl/statements/root_capacity.rs";
        let argued = Finding::argued(case("every n"), &claimed, "by the rule of growth", docs);
        let computed =
            Finding::unless(case("n = 2..2^14"), &claimed, "holds for all", wrong, computed);
        Ok([computed].into_iter().chain(holds.then_some(argued)).collect::<Vec<_>>())
    })
}

/// Wires of a topmost channel.
fn at_root(height: u32, growth: &str) -> Result<Rational> {
    let (topology, tree) = trees::tree(1 << height, growth, 1)?;
    let below = tree.order().get(1).copied();
    let below = below.ok_or_else(|| defect(topology.spec()))?;
    Ok(tree.capacity(Channel { below, direction: Direction::Up }).clone())
}

fn is_within(wires: &Rational, height: u32, order: Order) -> bool {
    let Order { exponent, power, slack } = order;
    let left = (0..exponent).fold(Rational::ONE, |product, _| &product * wires);
    let right = Rational::from(1_u64 << (height as usize * power));
    left <= right && right <= &left * &Rational::from(1_u64 << slack)
}
