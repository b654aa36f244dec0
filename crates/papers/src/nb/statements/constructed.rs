//! Routings that \[NB\] describes, or that show what it states, and that no other part needs.

use crate::routing::Visit;
use crate::theorem::prelude::*;

/// Every pair on ftree(n,kn²,r) split evenly over the k top switches of the class that its two
/// local numbers determine: `class(n,i,j)` < n² for (v,i) to (w,j).
pub(super) fn spread(k: u32, n: u32, r: u32, class: fn(u32, u32, u32) -> u32) -> Result<Instance> {
    let topology = generate(&format!("ftree({n},{},{r})", k * n * n))?;
    let up = move |tree: &Xgft, pair: [Host; 2], copy| {
        let [from, to] = pair.map(|host| tree.digit(host, 1));
        vec![0, class(tree.children(1), from, to) * k + copy]
    };
    by_digits("spread", topology, k, Box::new(up))
}

/// The network of \[NB\] IV.A with `levels` levels.
pub(super) fn nested_spec(n: u32, levels: usize) -> String {
    format!("nbclos({n},{levels})")
}

/// That network with Theorem 3's routing in each of its networks of two levels: W_{l+1} is
/// `class(n,i,j)` of the digits i = M_l(s) and j = M_l(d), the numbers that the pair has there.
pub(super) fn nested(n: u32, levels: usize, digit: fn(usize) -> usize) -> Result<Instance> {
    let topology = generate(&nested_spec(n, levels))?;
    let up = move |tree: &Xgft, pair: [Host; 2], _| {
        let port = |below: usize| {
            let [from, to] = pair.map(|host| tree.digit(host, digit(below)));
            from * tree.children(1) + to
        };
        std::iter::once(0).chain((1..tree.height()).map(port)).collect()
    };
    by_digits("nested", topology, 1, Box::new(up))
}

/// The up-digits of copy number `copy` of a pair, as many as the height of the tree.
type Up = Box<dyn Fn(&Xgft, [Host; 2], u32) -> Vec<u32> + Send + Sync>;

/// Pairs of different leaf switches split evenly over `copies` paths.
struct ByDigits {
    name: &'static str,
    tree: Xgft,
    copies: u32,
    share: Rational,
    up: Up,
}

fn by_digits(name: &'static str, topology: Topology, copies: u32, up: Up) -> Result<Instance> {
    let defect = || defect(topology.spec());
    let tree = topology.tree().cloned().ok_or_else(defect)?;
    let share = Rational::new(1, copies.into()).ok_or_else(defect)?;
    Ok(Instance::trusted(
        topology,
        Box::new(ByDigits { name, tree, copies, share, up }) as Box<dyn Routing>,
    ))
}

impl Routing for ByDigits {
    fn spec(&self) -> &str {
        self.name
    }

    fn is_single_path(&self) -> bool {
        self.copies == 1
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let level = self.tree.nca_level(s, d);
        let (share, copies) =
            if level > 1 { (&self.share, self.copies) } else { (&Rational::ONE, 1) };
        for copy in 0..copies {
            links.clear();
            self.tree.push_path(s, d, &(self.up)(&self.tree, [s, d], copy)[..level], links);
            visit(share, links);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_those_of_theorem_3_at_every_level() {
        let shape = |levels| generate(&nested_spec(2, levels)).unwrap().tree().unwrap().shape();
        assert_eq!([2, 3].map(shape), ["xgft(2;2,6;1,4)", "xgft(3;2,2,6;1,4,4)"]);
        let paths = |instance: &Instance, s, d| {
            let mut paths = Vec::new();
            let visit = &mut |_: &Rational, links: &[LinkId]| paths.push(links.to_vec());
            instance.routing.for_each_path(s, d, &mut Vec::new(), visit);
            paths
        };
        for (levels, known) in [(2, "ftree(2,4,6)"), (3, "nbclos(2,3)"), (4, "nbclos(2,4)")] {
            let ours = nested(2, levels, |level| level).unwrap();
            let known = Instance::named(known, "yuan").unwrap();
            for (s, d) in sd_pairs(known.topology.hosts()) {
                assert_eq!(paths(&ours, s, d), paths(&known, s, d), "{s} to {d}");
            }
        }
    }

    /// Pair (0,0) to (1,1) of class 1 has tops 2 and 3 of k = 2.
    #[test]
    fn a_pair_is_split_over_the_top_switches_of_its_class() {
        let instance = spread(2, 2, 2, |n, i, j| i * n + j).unwrap();
        let mut tops = Vec::new();
        instance.routing.for_each_path(0, 3, &mut Vec::new(), &mut |share, links| {
            assert_eq!(*share, Rational::new(1, 2).unwrap());
            tops.push(instance.topology.ends(links[1]).unwrap().1);
        });
        // Hosts 0..4, switches 4 and 5, then the tops.
        assert_eq!(tops, [8, 9]);
    }
}
