//! What becomes of the pairs whose paths a failure breaks.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use itertools::Itertools;

use crate::certificate::{PairRepair, Split};
use crate::failure::{
    Cable, Damage, FailureError, Replacement, cut_off, damage, remaining, stays_as_it_is,
};
use crate::load::{ShareNumbers, SharedPair};
use crate::progress::Progress;
use crate::routing::{
    self, Instance, Routing, RoutingError, ShortestSplit, UseScratch, split_without,
};
use crate::spec::Spec;
use crate::topology::{Host, LinkId, host_number};

use super::elements::{cables_of_set, sets};
use super::{FailureSetError, Failures};

/// The routing by tables of a subnet manager.
const TABLES: &str = "lft";

/// What is done about broken paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Nothing: pairs with a broken path send nothing.
    None,
    /// What the routing does by itself ([`crate::failure`]): a tree routing takes the next shortest path that survives,
    /// one of any network is recomputed, and tables stay as they are.
    Reroute,
    /// The pairs with a broken path are split over the shortest paths of what remains, hop by hop; the others keep
    /// their paths.
    Ecmp,
    /// All pairs take their paths from tables for the failure: a file of this folder for every set of cables but the
    /// empty one ([`Failures::file_of_tables`]).
    Tables(String),
}

/// The rule by which pairs are repaired.
pub(super) enum Rule<'a> {
    /// Broken pairs are lost.
    Cut,
    /// The next shortest paths of a tree.
    Next(Replacement<'a>),
    /// Broken pairs take their paths of this routing of what remains, which are the same for all pairs whose paths are
    /// whole.
    Split(String, Option<ShortestSplit>),
    /// All pairs take their paths of this routing of what remains, and where there is none, those that
    /// [`remaining`] leaves.
    Anew(String),
    /// All pairs take their paths from tables, by the links that fail.
    Tables(HashMap<Vec<LinkId>, String>),
}

/// What a failure changes.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The pairs whose paths are others, sorted.
    pub(super) pairs: Vec<(Host, Host)>,
    /// Those of them without a path, sorted.
    pub(super) lost: Vec<(Host, Host)>,
    /// The links of the others, sorted by link and pair.
    pub(super) uses: Vec<NewUse>,
    /// The shares of `uses`.
    pub(super) shares: ShareNumbers,
}

/// A share of a pair on a link after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NewUse {
    pub(super) link: LinkId,
    pub(super) pair: (Host, Host),
    /// The number of the share.
    pub(super) share: u32,
}

impl<'a> Rule<'a> {
    /// The rule of a repair for an instance; `None` when stopped.
    pub(super) fn of(
        instance: &'a Instance,
        failures: &Failures,
        progress: &Progress,
    ) -> Result<Option<Self>, FailureSetError> {
        Ok(Some(match &failures.repair {
            Repair::None => Self::Cut,
            Repair::Ecmp => Self::split(instance, "ecmp")?,
            Repair::Reroute => Self::of_routing(instance)?,
            Repair::Tables(folder) => {
                return Self::of_tables(instance, failures, Path::new(folder), progress);
            }
        }))
    }

    /// Tables in a folder, all of which must be there; `None` when stopped. Sources choose among LIDs as they do in
    /// those of the instance.
    fn of_tables(
        instance: &Instance,
        failures: &Failures,
        folder: &Path,
        progress: &Progress,
    ) -> Result<Option<Self>, FailureSetError> {
        if failures.elements.iter().any(|element| element.cables.len() != 1) {
            return Err(FailureSetError::TablesOfSwitches);
        }
        let mut names = HashSet::new();
        if let Some(one) = failures.elements.iter().find(|one| !names.insert(&one.name)) {
            return Err(FailureSetError::SameTables(one.name.as_str().into()));
        }
        let own = routing::built_from(&*instance.routing).filter(|spec| spec.name == TABLES);
        let own = own.map_or_else(|| Spec::parse(TABLES), Ok).map_err(RoutingError::from);
        let own = own.map_err(FailureError::from)?;
        let sets = sets(failures.elements.len(), failures.most);
        let mut specs = HashMap::new();
        let mut first = None;
        for set in &sets[1..] {
            if progress.cancelled() {
                return Ok(None);
            }
            let file = folder.join(failures.file_of_tables(set)).display().to_string();
            if Path::new(&file).exists() {
                let links = links_of(&cables_of_set(&failures.elements, set));
                let spec = Spec { path: Some(file), ..own.clone() };
                specs.insert(links, spec.to_string());
            } else {
                first.get_or_insert(file);
            }
        }
        let Some(first) = first else { return Ok(Some(Self::Tables(specs))) };
        let sets = sets.len() - 1;
        let missing = sets - specs.len();
        Err(FailureSetError::NoTables { missing, sets, first: first.into() })
    }

    /// What a routing does by itself.
    fn of_routing(instance: &'a Instance) -> Result<Self, FailureError> {
        let Instance { topology, routing, .. } = instance;
        if stays_as_it_is(&**routing) {
            return Ok(Self::Cut);
        }
        if let Some(replacement) = Replacement::of(topology, &**routing) {
            return Ok(Self::Next(replacement));
        }
        let Some(spec) = routing::built_from(&**routing) else { return Ok(Self::Cut) };
        let keeps_whole_paths = ["ecmp", "omrmn"].contains(&spec.name.as_str());
        let spec = routing.spec().to_string();
        // Without labels, as on what remains.
        match routing::build(&spec, &damage(topology, &[])?.topology) {
            Ok(_) if keeps_whole_paths => Self::split(instance, &spec),
            Ok(_) => Ok(Self::Anew(spec)),
            Err(RoutingError::DoesNotFit { .. }) => Ok(Self::Cut),
            Err(error) => Err(error.into()),
        }
    }

    /// A split by a routing of what remains.
    fn split(instance: &Instance, spec: &str) -> Result<Self, FailureError> {
        // Without labels, as on what remains.
        let whole = damage(&instance.topology, &[])?.topology;
        let routing = routing::build(spec, &whole).ok();
        let shortest = routing.and_then(|routing| routing.shortest_split(&whole));
        Ok(Self::Split(spec.into(), shortest))
    }

    /// Whether only pairs with a broken path change, and a further failure that cuts no host off changes only those
    /// whose new paths it breaks. One that does may change which part of the network remains, and so any of them.
    pub(super) fn is_local(&self) -> bool {
        !matches!(self, Self::Anew(_) | Self::Tables(_))
    }

    /// Whether the outcome follows from the paths of the routing and the network alone, not from numbers of nodes or
    /// links.
    pub(super) fn follows_from_paths(&self) -> bool {
        matches!(self, Self::Cut | Self::Split(..))
    }

    /// How certificates state the repair of this instance; `None` where they cannot.
    pub(super) fn in_certificates(&self, instance: &Instance) -> Option<PairRepair> {
        match self {
            Self::Cut => Some(PairRepair::None),
            // Certificates know all shortest paths, also those that change between parallel cables.
            Self::Next(replacement) => {
                let is_plain = replacement.has_all_shortest_paths();
                (is_plain && instance.routing.is_single_path()).then_some(PairRepair::Next)
            }
            // Links without weights, and no options.
            Self::Split(..) if instance.topology.weights().is_some() => None,
            Self::Split(spec, _) if spec == "ecmp" => Some(PairRepair::Split(Split::Hops)),
            Self::Split(spec, _) if spec == "omrmn" => Some(PairRepair::Split(Split::Paths)),
            Self::Split(..) | Self::Anew(_) | Self::Tables(_) => None,
        }
    }

    /// What the failure of `cables` makes of `pairs`, which are all that may change, sorted.
    pub(super) fn changes(
        &self,
        instance: &Instance,
        cables: &[Cable],
        pairs: &[(Host, Host)],
    ) -> Result<Changes, FailureError> {
        let mut changes = Changes::default();
        if pairs.is_empty() {
            return Ok(changes);
        }
        match self {
            Self::Cut => changes.lose(pairs),
            Self::Next(replacement) => {
                let gone = links_of(cables);
                let mut uses = Vec::new();
                for pair in pairs {
                    let paths = replacement.paths(*pair, &|link| gone.binary_search(&link).is_ok());
                    uses.clear();
                    for (links, share) in &paths {
                        let number = changes.shares.number(share);
                        uses.extend(links.iter().map(|link| (*link, number)));
                    }
                    changes.take(*pair, &uses);
                }
            }
            Self::Split(_, Some(split)) => changes.split(instance, cables, *split, pairs)?,
            Self::Split(spec, None) | Self::Anew(spec) => {
                self.rebuild(spec, instance, cables, pairs, &mut changes)?;
            }
            Self::Tables(specs) => {
                if let Some(spec) = specs.get(&links_of(cables)) {
                    self.rebuild(spec, instance, cables, pairs, &mut changes)?;
                }
            }
        }
        changes.uses.sort_unstable_by_key(|one| (one.link, one.pair));
        let Changes { uses, shares, .. } = &mut changes;
        uses.dedup_by(|next, kept| {
            let same = (next.link, next.pair) == (kept.link, kept.pair);
            if same {
                let [kept_share, share] =
                    [kept.share, next.share].map(|number| &shares.all()[number as usize]);
                let sum = kept_share + share;
                kept.share = shares.number(&sum);
            }
            same
        });
        Ok(changes)
    }

    /// Takes what a routing of what remains makes of `pairs`.
    fn rebuild(
        &self,
        spec: &str,
        instance: &Instance,
        cables: &[Cable],
        pairs: &[(Host, Host)],
        changes: &mut Changes,
    ) -> Result<(), FailureError> {
        let left = match damage(&instance.topology, cables) {
            Err(FailureError::NothingLeft { .. }) => {
                changes.lose(pairs);
                return Ok(());
            }
            left => left?,
        };
        let routing = match (routing::build(spec, &left.topology), self) {
            // One that is recomputed in full need not exist there.
            (Err(RoutingError::DoesNotFit { .. }), Self::Anew(_)) => {
                let routing = Arc::clone(&instance.routing);
                remaining(&instance.topology, routing, cables)?.instance.routing
            }
            (routing, _) => Arc::from(routing?),
        };
        changes.take_routed(&*instance.routing, &left, &*routing, pairs);
        Ok(())
    }
}

/// Whether an end of a pair is cut off.
pub(super) fn is_cut(cut_off: &[Host], (s, d): (Host, Host)) -> bool {
    [s, d].iter().any(|host| cut_off.binary_search(host).is_ok())
}

/// The links of cables, ascending.
pub(super) fn links_of(cables: &[Cable]) -> Vec<LinkId> {
    cables.iter().flat_map(|cable| cable.links.iter().copied()).sorted().dedup().collect()
}

/// The links of a pair, ascending, each with the number of its share.
fn uses_of(
    routing: &dyn Routing,
    (s, d): (Host, Host),
    scratch: &mut UseScratch,
    shares: &mut ShareNumbers,
    uses: &mut Vec<(LinkId, u32)>,
) {
    uses.clear();
    routing.for_each_use(s, d, scratch, &mut |share, links| {
        let number = shares.number(share);
        uses.extend(links.iter().map(|link| (*link, number)));
    });
    uses.sort_unstable();
}

impl Changes {
    fn lose(&mut self, pairs: &[(Host, Host)]) {
        self.pairs.extend(pairs);
        self.lost.extend(pairs);
    }

    /// Takes the new links of the next pair; none where it is lost.
    fn take(&mut self, pair: (Host, Host), uses: &[(LinkId, u32)]) {
        self.pairs.push(pair);
        if uses.is_empty() {
            self.lost.push(pair);
        }
        let uses = uses.iter().map(|(link, share)| NewUse { link: *link, pair, share: *share });
        self.uses.extend(uses);
    }

    /// Takes the links of broken pairs under a split over the shortest paths of what remains; none where they are cut off.
    fn split(
        &mut self,
        Instance { topology, .. }: &Instance,
        cables: &[Cable],
        split: ShortestSplit,
        pairs: &[(Host, Host)],
    ) -> Result<(), FailureError> {
        let destinations: Vec<Host> = pairs.iter().map(|(_, d)| *d).collect();
        let left = split_without(topology, split, &links_of(cables), &destinations)?;
        let (mut scratch, mut uses) = (UseScratch::default(), Vec::new());
        for pair in pairs {
            uses_of(&*left, *pair, &mut scratch, &mut self.shares, &mut uses);
            self.take(*pair, &uses);
        }
        // A host that is cut off has lost pairs.
        if !self.lost.is_empty() {
            let cut_off = cut_off(topology, cables);
            self.uses.retain(|one| !is_cut(&cut_off, one.pair));
            let is_used = |pair: &(Host, Host)| self.lost.binary_search(pair).is_err();
            let lost = pairs.iter().filter(|pair| !is_used(pair) || is_cut(&cut_off, **pair));
            self.lost = lost.copied().collect_vec();
        }
        Ok(())
    }

    /// What comes to a link, sorted by pair.
    pub(super) fn on(&self, link: LinkId) -> impl Iterator<Item = SharedPair<'_>> {
        let start = self.uses.partition_point(|one| one.link < link);
        let uses = self.uses[start..].iter().take_while(move |one| one.link == link);
        uses.map(|one| {
            let ((s, d), share) = (one.pair, &self.shares.all()[one.share as usize]);
            SharedPair { s, d, share }
        })
    }

    /// Takes the links of pairs under a routing of what remains, where they are others than before.
    fn take_routed(
        &mut self,
        before: &dyn Routing,
        left: &Damage,
        routing: &dyn Routing,
        pairs: &[(Host, Host)],
    ) {
        let mut old = vec![0; left.topology.links()];
        for (new, link) in left.new_links() {
            old[new as usize] = link;
        }
        let number = |host: Host| left.hosts().binary_search(&host).ok().map(host_number);
        let (mut scratch, mut earlier) = (UseScratch::default(), UseScratch::default());
        let (mut uses, mut known) = (Vec::new(), Vec::new());
        for (s, d) in pairs {
            uses.clear();
            if let Some(pair) = number(*s).zip(number(*d)) {
                uses_of(routing, pair, &mut scratch, &mut self.shares, &mut uses);
            }
            // What remains keeps its order, so they stay sorted.
            for (link, _) in &mut uses {
                *link = old[*link as usize];
            }
            uses_of(before, (*s, *d), &mut earlier, &mut self.shares, &mut known);
            if uses != known {
                self.take((*s, *d), &uses);
            }
        }
    }
}
