//! \[GL\] 2 and 6: area and volume of universal fat-trees, from layouts of them ([`super::area_layout`]).
//!
//! The layouts of small trees are painted unit by unit. Of all trees up to 2^24 processors the sides are computed, and
//! compared with n lg² n and n lg^(3/2) n. Whether less is possible is another question, which is not asked here.
//!
//! # The new design
//! Of 4^i processors 2^i wires lead up, and of 8^i in space 4^i, as many as at every second and third level where
//! capacities double every two and quadruple every three levels. Where no switch is, at the levels between these, the
//! wires of two parts lie side by side, in as many as these trees have there. So the same layout has the channels of
//! both, and in the plane the crossbar of a node has a diagonal square of six rows and columns for each of its
//! switches, with four children and two parents. In space there are twelve wires for each switch.

use super::area_layout::TreeLayout;
use super::prelude::*;

pub(super) const AREA: Statement = Statement::new("gl-area", "[GL] 2, 6, on area")
    .about("Fat-trees with channel capacities that grow by sqrt(2) a level or double every two levels, and the new \
            design in the plane, have a layout of Theta(n lg^2 n) area: n lg^2 n to 6 n lg^2 n, and exactly \
            n (4 + lg n)(4 + 3/2 lg n) where they double")
    .hypothesis("host channels of one wire, n = 4^j; laid out unit by unit for n up to 256, sides for n = 2^4..2^24, every n by argument; a node has room for a crossbar of all its wires; bft(n) of 4 to 1024 processors")
    .sharpened()
    .quote("Either of these methods yields a $\\Theta(n \\lg^2 n)$ -area layout for n processors ... The area of the fat-tree is $\\Theta(n \\lg^2 n)$.")
    .cases(|scope| check(scope, &PLANE, PLANE.growths))
    // Channels that do not grow.
    .planted(Planted::Check(|scope| check(scope, &PLANE, &["constant"])));

pub(super) const VOLUME: Statement = Statement::new("gl-volume", "[GL] 2, 6, on volume")
    .about("Fat-trees with channel capacities that grow by cbrt(4) a level or quadruple every three \
            levels, and the new design in space, have a layout of Theta(n lg^(3/2) n) volume: n lg^(3/2) n to 8 \
            n lg^(3/2) n")
    .hypothesis("host channels of one wire, n = 8^j; laid out unit by unit for n up to 512, sides for n = 2^6..2^24, every n by argument; a node of m wires has room for them along every axis and a volume of m^(3/2); bft(n,dims=3) of 8 to 512 processors")
    .sharpened()
    .quote("The volume of an n-processor fat-tree constructed by these methods is $\\Theta(n \\lg^{3/2} n)$ ... to obtain a fat-tree with volume $\\Theta(n \\lg^{3/2} n)$.")
    .cases(|scope| check(scope, &SPACE, SPACE.growths))
    // Channels that do not grow.
    .planted(Planted::Check(|scope| check(scope, &SPACE, &["constant"])));

/// What is laid out, and how large it may be.
struct Plan {
    dimensions: usize,
    growths: &'static [&'static str],
    /// Side of a processor, so that the first slabs have room.
    processor: u64,
    /// Levels from which on sizes are compared, and those of trees that are painted.
    from: usize,
    painted: [usize; 2],
    /// The largest size ÷ n lg^(power/2) n; the least is 1.
    most: u64,
    power: u64,
    bound: &'static str,
    /// The same channels, with the networks of the new design.
    same: &'static str,
    new: &'static [&'static str],
}

const PLANE: Plan = Plan {
    dimensions: 2,
    growths: &["double2", "sqrt2"],
    processor: 4,
    from: 4,
    painted: [4, 8],
    most: 6,
    power: 4,
    bound: "n lg^2 n",
    same: "double2",
    new: &["bft(4)", "bft(16)", "bft(64)", "bft(256)", "bft(1024)"],
};

const SPACE: Plan = Plan {
    dimensions: 3,
    growths: &["quadruple3", "cbrt4"],
    processor: 2,
    from: 6,
    painted: [6, 9],
    most: 8,
    power: 3,
    bound: "n lg^(3/2) n",
    same: "quadruple3",
    new: &["bft(8,dims=3)", "bft(64,dims=3)", "bft(512,dims=3)"],
};

/// Largest lg n.
const MOST: u32 = 24;

fn check(scope: &Scope, plan: &Plan, growths: &[&str]) -> Findings {
    let mut findings = Vec::new();
    for growth in growths {
        scope.progress.check()?;
        findings.push(plan.sizes(growth)?);
        for height in plan.painted {
            findings.push(plan.painted(growth, height)?);
        }
    }
    for spec in plan.new {
        scope.progress.check()?;
        findings.push(plan.new_design(spec)?);
    }
    // The argument is about channels that grow.
    if growths == plan.growths {
        let docs = "the docs of crates/papers/src/gl/statements/area_layout.rs";
        findings.push(Finding::argued(
            "every n",
            format!("Theta({})", plan.bound),
            "by the recursion",
            docs,
        ));
    }
    Ok(findings)
}

/// The wires of every level, those of the root channel last.
fn wires(height: u32, growth: &str) -> Result<Vec<u64>> {
    let hosts = 1_u64 << height;
    let shape = trees::shape(&format!("universal({hosts},growth={growth},root=open)"))?;
    Ok(shape.wires().iter().copied().chain(shape.root()).collect())
}

impl Plan {
    fn layout(&self, height: u32, growth: &str) -> Result<TreeLayout> {
        Ok(TreeLayout::of(self.dimensions, &wires(height, growth)?, self.processor))
    }

    /// Sizes against n lg² n and n lg^(3/2) n: squares are compared, which are rational.
    fn sizes(&self, growth: &str) -> Result<Finding> {
        let layout = self.layout(MOST, growth)?;
        let levels =
            (1..=as_size(MOST.into())).filter(|level| level.is_multiple_of(self.dimensions));
        let squares: Vec<Rational> = levels
            .filter(|level| *level >= self.from)
            .filter_map(|level| {
                let size = layout.size(level).checked_div(&(1_u64 << level).into())?;
                let lg = (0..self.power)
                    .fold(Rational::ONE, |power, _| &power * &Rational::from(level as u64));
                (&size * &size).checked_div(&lg)
            })
            .collect();
        let allowed = Rational::ONE..=Rational::from(self.most * self.most);
        let holds = layout.has_room() && squares.iter().all(|square| allowed.contains(square));
        let root = |square: Option<&Rational>| square.map_or(0.0, |square| square.to_f64().sqrt());
        let (least, most) = (root(squares.iter().min()), root(squares.iter().max()));
        let case = format!("growth {growth}, n = 2^{}..2^{MOST}", self.from);
        let claimed = format!("1 to {} times {}", self.most, self.bound);
        let found = format!("{least:.3} to {most:.3} times it");
        Ok(Finding::holds(
            case,
            claimed,
            found,
            holds,
            Basis::Grid { points: squares.len() as u64 },
        ))
    }

    fn painted(&self, growth: &str, height: usize) -> Result<Finding> {
        let layout = self.layout(index32(height), growth)?;
        let (is_tiled, least) = layout.painted().examined();
        let case = format!("growth {growth}, n = 2^{height}, unit by unit");
        let claimed = "every unit in one node, wires of all channels pass between nodes";
        let found = format!("{} units, contact / wires at least {least}", layout.size(height));
        let holds = is_tiled && least >= Rational::ONE && layout.has_room();
        Ok(Finding::holds(case, claimed, found, holds, Basis::Exhaustive))
    }

    /// Whether the cuts of the new design are the channels of the tree that is laid out, and its switches have room.
    fn new_design(&self, spec: &str) -> Result<Finding> {
        let topology = generate(spec)?;
        let labels = topology.plain_tree().ok_or_else(|| defect(spec))?;
        let height = labels.height() * self.dimensions;
        let layout = self.layout(index32(height), self.same)?;
        let same = wires(index32(height), self.same)?;
        let mut holds = true;
        for level in 0..labels.height() {
            // The channel between this level and the next, and the switches of a subtree there.
            holds &= labels.cut(level) == same[level * self.dimensions].into();
            let above = level + 1;
            let subtrees = labels.hosts() as u64 / u64::from(labels.subtree_hosts(above));
            let switches = labels.level_nodes(above) as u64 / subtrees;
            let ports = u64::from(labels.children(above)) + (1_u64 << (self.dimensions - 1));
            holds &= switches * ports <= layout.entering(above * self.dimensions);
        }
        let claimed = format!("channels as with growth {}, room for all switches", self.same);
        let found = format!("{} switches", topology.nodes() - topology.hosts());
        Ok(Finding::holds(spec, claimed, found, holds, Basis::Exhaustive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_channels_have_smaller_layouts() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        for plan in [&PLANE, &SPACE] {
            let found = check(&scope, plan, plan.growths).unwrap();
            assert!(found.iter().all(|finding| !finding.fails()), "{found:?}");
            let narrow = check(&scope, plan, &["constant"]).unwrap();
            assert!(narrow.iter().any(Finding::fails), "{narrow:?}");
        }
    }
}
