//! The numbers m and w of a tree alone, for what follows from them without a node or a link.
//!
//! A generated tree has at most [`MAX_LINKS`](super::MAX_LINKS) links, since they are held in
//! memory. Its shape holds 2h numbers, so it may be of any size whose links can be counted.

use super::xgft::{count_links, within_height};
use super::{Construction, TopologyError};
use crate::limit::within;
use crate::registry::parse;
use crate::spec::Spec;

/// The m and w of a family's member, before any check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// m1..mh.
    pub children: Vec<u64>,
    /// w1..wh.
    pub parents: Vec<u64>,
}

impl Parameters {
    /// Refuses what no tree has: no levels, different numbers of m and w, or a 0.
    pub(super) fn check(&self, spec: &Spec) -> Result<(), TopologyError> {
        let Self { children, parents } = self;
        let bad = |problem: &str| Err(spec.refused(problem).into());
        if children.is_empty() {
            return bad("the height must be at least 1");
        }
        if children.len() != parents.len() {
            return bad(&format!("there are {} m, but {} w", children.len(), parents.len()));
        }
        within_height(children.len() as u64)?;
        if children.iter().chain(parents).any(|number| *number == 0) {
            return bad("every m and w must be at least 1");
        }
        Ok(())
    }

    /// Refuses a tree of one host.
    pub(super) fn check_hosts(&self, spec: &Spec) -> Result<(), TopologyError> {
        if self.children.iter().all(|m| *m == 1) {
            let problem = "the tree has only one host, so there is no traffic";
            return Err(spec.refused(problem).into());
        }
        Ok(())
    }

    /// Number of directed links of the tree, or `None` when the count overflows.
    pub(super) fn links(&self) -> Option<u128> {
        count_links(&self.children, &self.parents)
    }
}

/// XGFT(h; m1..mh; w1..wh) with links of capacity 1, as numbers alone. All counts fit in 63 bits.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::TreeShape;
/// let shape = TreeShape::named("ft(64,6)")?.ok_or("no tree")?;
/// assert_eq!((shape.hosts(), shape.links()), (1 << 31, 12 << 31));
/// assert_eq!(shape.spec(), "ft(64,6)");
/// assert!(TreeShape::named("universal(8)")?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeShape {
    spec: String,
    children: Vec<u32>,
    parents: Vec<u32>,
}

/// Maximum number of links, so that sums of traffic over them fit in 64 bits.
const MOST_LINKS: u64 = (1 << 63) - 1;

impl TreeShape {
    /// The shape that a spec names; `None` for a family whose links have different capacities.
    /// O(h).
    ///
    /// # Errors
    /// [`TopologyError`] when the name is unknown, the arguments do not fit, there are 2^63 links
    /// or more, or a node has 2^32 children or parents or more.
    pub fn named(spec: &str) -> Result<Option<Self>, TopologyError> {
        let (spec, kind) = parse::<_, TopologyError>(super::KINDS, "topology", spec)?;
        match kind.build.construction {
            Construction::Tree(parameters) => Self::new(&spec, &parameters(&spec)?).map(Some),
            Construction::Network(_) | Construction::WrittenOut(_) => Ok(None),
        }
    }

    fn new(spec: &Spec, parameters: &Parameters) -> Result<Self, TopologyError> {
        parameters.check(spec)?;
        within("number of links", parameters.links(), MOST_LINKS, "choose a smaller tree")?;
        parameters.check_hosts(spec)?;
        let narrow = |numbers: &[u64]| {
            let narrowed = numbers.iter().map(|number| {
                let what = "number of children or parents of a node";
                within(what, Some((*number).into()), u32::MAX.into(), "choose a smaller tree")?;
                Ok(u32::try_from(*number).unwrap_or(u32::MAX))
            });
            narrowed.collect::<Result<Vec<u32>, TopologyError>>()
        };
        let (children, parents) = (narrow(&parameters.children)?, narrow(&parameters.parents)?);
        Ok(Self { spec: spec.to_string(), children, parents })
    }

    pub(super) fn of_labels(spec: String, children: &[u32], parents: &[u32]) -> Self {
        Self { spec, children: children.to_vec(), parents: parents.to_vec() }
    }

    /// The canonical spec.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Height h: number of switch levels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.children.len()
    }

    /// m_i, children of a node of level i, for i in 1..=h.
    #[must_use]
    pub fn children(&self, level: usize) -> u32 {
        self.children[level - 1]
    }

    /// w_i, parents of a node of level i−1, for i in 1..=h.
    #[must_use]
    pub fn parents(&self, level: usize) -> u32 {
        self.parents[level - 1]
    }

    /// Number of hosts in a subtree of height `level`: m1⋯m_level.
    #[must_use]
    pub fn subtree_hosts(&self, level: usize) -> u64 {
        self.children[..level].iter().map(|m| u64::from(*m)).product()
    }

    /// Number of shortest paths of a pair whose nearest common ancestors are at `level`:
    /// w1⋯w_level.
    #[must_use]
    pub fn shortest_paths(&self, level: usize) -> u64 {
        self.parents[..level].iter().map(|w| u64::from(*w)).product()
    }

    /// Number of hosts N = m1⋯mh.
    #[must_use]
    pub fn hosts(&self) -> u64 {
        self.subtree_hosts(self.height())
    }

    /// Number of subtrees of a height.
    #[must_use]
    pub fn subtrees(&self, level: usize) -> u64 {
        self.children[level..].iter().map(|m| u64::from(*m)).product()
    }

    /// Number of links up of a step, in 1..=h: as many as lead down.
    #[must_use]
    pub fn links_up(&self, step: usize) -> u64 {
        self.subtrees(step - 1) * self.shortest_paths(step)
    }

    /// Number of directed links.
    #[must_use]
    pub fn links(&self) -> u64 {
        (1..=self.height()).map(|step| 2 * self.links_up(step)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn counts_are_those_of_the_generated_tree() {
        for spec in ["ft(6,3)", "xgft(3;3,2,4;2,1,3)", "kary(3,2)", "eft2(6,4)", "ftree(2,5,4)"] {
            let (shape, tree) = (TreeShape::named(spec).unwrap().unwrap(), generate(spec).unwrap());
            let labels = tree.tree().unwrap();
            assert_eq!((shape.hosts(), shape.links()), (tree.hosts() as u64, tree.links() as u64));
            assert_eq!(shape.spec(), tree.spec());
            let (own, given) = (labels.tree_shape(), &shape);
            assert_eq!((&own.children, &own.parents), (&given.children, &given.parents));
            for level in 0..=labels.height() {
                assert_eq!(shape.subtree_hosts(level), u64::from(labels.subtree_hosts(level)));
                assert_eq!(shape.shortest_paths(level), u64::from(labels.shortest_paths(level)));
            }
        }
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let error = |spec: &str| TreeShape::named(spec).unwrap_err().to_string();
        assert!(TreeShape::named("kary(2,16)").unwrap().is_some());
        assert!(error("kary(15,16)").contains("number of links is"));
        assert!(error("ft(4294967296,6)").contains("number of links is"));
        assert!(error("xgft(1;8589934592;1)").contains("children or parents of a node"));
        assert!(error("kary(2,17)").contains("height of the tree"));
        assert!(error("xgft(2;1,1;1,9999)").contains("only one host"));
        assert!(error("ft(3,2)").contains("must be even"));
        assert!(error("xgft(2;2,2;1)").contains("requires 2 m and 2 w"));
    }
}
