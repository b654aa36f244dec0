//! Grounds on which messages are delivered: a tree of channels, and the switches of a labelled tree.

use rayon::prelude::*;

use super::algorithm::{Algorithm, Facts};
use super::sets::Ends;
use super::{Concentrators, Deliveries, DeliveryError, Messages, Settings, Wires, deliver};
use crate::channel_tree::{ChannelTree, WireTree};
use crate::prelude::*;
use crate::topology::UniversalShape;

/// A tree on which messages are delivered.
#[derive(Clone, Debug)]
pub struct Ground {
    spec: String,
    shape: Option<UniversalShape>,
    tree: WireTree,
    labels: Option<Xgft>,
    ends: Ends,
}

impl Ground {
    /// The fat-tree of a shape, which is not generated as a network.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::delivery::Ground;
    /// use routebound::topology::UniversalShape;
    /// let shape = UniversalShape::named("universal(4096,root=open)")?.ok_or("another family")?;
    /// assert_eq!(Ground::universal(&shape).ends().outside, Some(4096));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn universal(shape: &UniversalShape) -> Self {
        let processors = as_size(shape.hosts());
        let outside = shape.root().map(|_| host_number(processors));
        let ends = Ends { processors, outside };
        Self {
            spec: shape.spec().to_string(),
            shape: Some(shape.clone()),
            tree: WireTree::universal(shape),
            labels: None,
            ends,
        }
    }

    /// A network: its channels where they form a tree, otherwise those of the subtrees of a labelled tree.
    ///
    /// # Errors
    /// [`DeliveryError::NoTree`] where it is neither, [`DeliveryError::NoWires`] where a capacity is
    /// not a whole number.
    pub fn of(topology: &Topology) -> Result<Self, DeliveryError> {
        let spec = topology.spec().to_string();
        let none = || DeliveryError::NoTree { topology: spec.clone() };
        let channels = ChannelTree::of(topology).or_else(|| ChannelTree::of_subtrees(topology));
        let tree = WireTree::of(&channels.ok_or_else(none)?)?;
        let outside = topology.outside_world();
        let processors = topology.hosts() - usize::from(outside.is_some());
        let labels = topology.tree().cloned();
        Ok(Self { spec, shape: None, tree, labels, ends: Ends { processors, outside } })
    }

    /// This network with partial concentrators: of the messages that reach a channel of c wires at most
    /// ⌊`part`·c⌋ continue, but at least one.
    #[must_use]
    pub fn with_partial_concentrators(mut self, part: &Rational) -> Self {
        let guaranteed = |wires: u64| {
            let whole = (part * &Rational::from(wires)).floor();
            u64::try_from(whole).unwrap_or(u64::MAX).clamp(1, wires.max(1))
        };
        self.tree = self.tree.with_wires(guaranteed);
        self
    }

    /// Canonical spec of the network.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The shape that it was made from, if it was.
    #[must_use]
    pub fn shape(&self) -> Option<&UniversalShape> {
        self.shape.as_ref()
    }

    /// Channels of the network.
    #[must_use]
    pub fn tree(&self) -> &WireTree {
        &self.tree
    }

    /// Processors of the network.
    #[must_use]
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// Facts about the network and the messages that algorithms may use. O(nodes · log nodes).
    #[must_use]
    pub fn facts(&self, messages: &Messages) -> Facts {
        Facts {
            processors: self.ends.processors,
            messages: messages.total(),
            congestion: self.tree.congestion_parameter().map(|r| r.upper),
        }
    }

    /// Delivers messages by an algorithm, in one run.
    ///
    /// # Errors
    /// [`DeliveryError`], except for a stop: then what has been delivered by then is returned.
    pub fn deliver(
        &self,
        algorithm: &dyn Algorithm,
        messages: &Messages,
        settings: Settings,
        progress: &Progress,
    ) -> Result<Deliveries, DeliveryError> {
        if !algorithm.takes_wires() {
            let mut network = Concentrators::new(&self.tree);
            return deliver(&mut network, algorithm, messages, settings, progress);
        }
        let none = || DeliveryError::NoLabels { topology: self.spec.clone() };
        let mut network = Wires::new(self.labels.as_ref().ok_or_else(none)?)?;
        deliver(&mut network, algorithm, messages, settings, progress)
    }

    /// Runs with `runs` seeds from that of `settings` on, in parallel; in the order of the seeds.
    /// Those that a stop leaves incomplete are among them.
    ///
    /// # Errors
    /// As [`Self::deliver`], of the first seed that has one.
    pub fn deliver_often(
        &self,
        algorithm: &dyn Algorithm,
        messages: &Messages,
        settings: Settings,
        runs: u64,
        progress: &Progress,
    ) -> Result<Vec<Deliveries>, DeliveryError> {
        let seeds = (0..runs).into_par_iter().map(|run| settings.seed.wrapping_add(run));
        let settings = seeds.map(|seed| Settings { seed, ..settings });
        let run = |settings| self.deliver(algorithm, messages, settings, progress);
        settings.map(run).collect()
    }
}
