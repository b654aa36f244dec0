//! Output of `load`: the loads of traffic under a routing, and how far they are from optimal.

use super::channels::{BusiestChannel, LoadFactorReport};
use super::load_classes::{classes_table, place};
use super::numbers::column;
use super::prelude::*;
use crate::load::{ContentionError, LevelLoads, LinkLoads, LoadCount, by_level};
use crate::routing::Instance;
use crate::simulation::adaptive::SwitchUse;
use crate::sums::Sums;
use crate::topology::LinkId;

/// The record of traffic on an instance, as `load --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// Spec or path.
    pub traffic: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Number of demands.
    pub demands: usize,
    /// The largest traffic ÷ capacity of a link.
    pub max_load: Rational,
    /// The first link that has it, by the names and ports of its ends.
    pub worst_link: String,
    /// Id of the worst link.
    pub worst_link_id: LinkId,
    /// Bounds of the minimum max load over all routings.
    pub optu: Bounds,
    /// Bounds of max load ÷ optu; `None` without traffic.
    pub performance_ratio: Option<Bounds>,
    /// The most that a host sends or receives, ÷ the capacity of its links.
    pub baseload: Rational,
    /// λ(M) of \[GL\], the most that a channel carries ÷ its capacity, whatever the routing; only
    /// where channels form a tree, of nodes or of subtrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_factor: Option<Rational>,
    /// The first channel that attains it; none without traffic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_factor_channel: Option<BusiestChannel>,
    /// Maximum number of demands that cross a link.
    pub flows: Busiest,
    /// Maximum traffic of an endpoint-disjoint set of pairs on a link, each pair sending 1; `None` if
    /// it was not computed.
    pub contention: Option<Busiest>,
    /// Why the contention is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention_missing: Option<String>,
    /// Links without traffic.
    pub idle_links: usize,
    /// Loads per level and direction.
    pub levels: Vec<LevelLoads>,
    /// Links counted by level, direction and load.
    pub histogram: Vec<LoadCount>,
    /// The top switches that the permutation takes, where the routing sees it and takes them by
    /// configurations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_use: Option<SwitchUse>,
    /// Notes on the routing and the traffic.
    pub notes: Vec<String>,
}

/// The record of a run that was stopped before the loads were known.
#[derive(Clone, Debug, Serialize)]
pub struct UnknownLoads {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec, or what was given for it.
    pub routing: String,
    /// Spec or path.
    pub traffic: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Number of demands.
    pub demands: usize,
    /// Always `None`.
    pub max_load: Option<Rational>,
    /// Bounds of the minimum max load over all routings.
    pub optu: Bounds,
    /// The most that a host sends or receives, ÷ the capacity of its links.
    pub baseload: Rational,
    /// Notes on how a file of traffic was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl UnknownLoads {
    /// The report on traffic before its loads are known, under a routing that may not be open yet.
    #[must_use]
    pub fn new(topology: &Topology, routing: &str, facts: &LoadFacts) -> Self {
        Self {
            topology: topology.spec().to_string(),
            routing: routing.to_string(),
            traffic: facts.traffic.clone(),
            hosts: topology.hosts(),
            demands: facts.demands,
            max_load: None,
            optu: facts.optu.clone(),
            baseload: facts.baseload.clone(),
            notes: facts.notes.clone(),
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, traffic, hosts, demands, optu, baseload, .. } = self;
        let notes = labelled("note", 19, &self.notes);
        let (optu, baseload) = (shown_bounds(optu), shown(baseload));
        let demands = counted(*demands, "demand");
        format!(
            "{routing} on {topology}, {hosts} hosts, traffic {traffic} of {demands}\n\
             max load           unknown: stopped\n\
             optu               {optu}\n\
             baseload           {baseload}\n{notes}"
        )
    }
}

/// The largest value of a quantity over all links, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Busiest {
    /// The quantity.
    pub value: Rational,
    /// The first link that has it.
    pub link: String,
    /// Id of the link.
    pub link_id: LinkId,
}

impl Busiest {
    /// `value` at a link.
    #[must_use]
    pub fn at(topology: &Topology, link_id: LinkId, value: Rational) -> Self {
        Self { value, link: topology.link_name(link_id), link_id }
    }

    /// The first largest of `values`, one per link.
    #[must_use]
    pub fn of(topology: &Topology, values: &Sums) -> Self {
        let (link, value) = values.first_max().unwrap_or_default();
        Self::at(topology, link, value)
    }
}

/// Facts about traffic besides its loads.
#[derive(Clone, Debug)]
pub struct LoadFacts {
    /// Spec or path of the traffic.
    pub traffic: String,
    /// Number of demands.
    pub demands: usize,
    /// See [`crate::optimum::baseload`].
    pub baseload: Rational,
    /// See [`crate::channel_tree::ChannelTree::load_factor`]; `None` where channels form no tree.
    pub load_factor: Option<LoadFactorReport>,
    /// Bounds of optu.
    pub optu: Bounds,
    /// Contention of every link, or why it is unknown.
    pub contention: Result<Sums, ContentionError>,
    /// Notes on how a file of traffic was read.
    pub notes: Vec<String>,
}

impl LoadReport {
    /// The record of `loads` on `instance`, which have to carry all the traffic that `facts` are about: both bound
    /// optu.
    #[must_use]
    pub fn new(instance: &Instance, loads: &LinkLoads<'_>, facts: &LoadFacts) -> Self {
        Self::of(instance.routing.spec(), instance.notes(), loads, facts)
    }

    /// The record of loads by a routing of this spec with these notes.
    #[must_use]
    pub fn of(routing: &str, notes: Vec<String>, loads: &LinkLoads<'_>, facts: &LoadFacts) -> Self {
        let topology = loads.topology();
        // A network of one host may have no link; the default ids then have names that say so.
        let (worst_link_id, max_load) = loads.max().unwrap_or_default();
        let (busiest, flows) = loads.most_flows().unwrap_or_default();
        let optu = known_optu(facts, &max_load);
        let contention = facts.contention.as_ref();
        let histogram = loads.histogram();
        Self {
            topology: topology.spec().to_string(),
            routing: routing.to_string(),
            traffic: facts.traffic.clone(),
            hosts: topology.hosts(),
            demands: facts.demands,
            worst_link: topology.link_name(worst_link_id),
            worst_link_id,
            performance_ratio: performance_ratio(&max_load, &optu),
            max_load,
            optu,
            baseload: facts.baseload.clone(),
            load_factor: facts.load_factor.as_ref().map(|factor| factor.value.clone()),
            load_factor_channel: facts.load_factor.as_ref().and_then(|f| f.channel.clone()),
            flows: Busiest::at(topology, busiest, Rational::from(flows)),
            contention: contention.ok().map(|values| Busiest::of(topology, values)),
            contention_missing: contention.err().map(ToString::to_string),
            idle_links: loads.idle(),
            levels: by_level(&histogram),
            histogram,
            switch_use: None,
            notes: notes.into_iter().chain(facts.notes.clone()).collect(),
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, traffic, hosts, demands, max_load, optu, .. } = self;
        let demands = counted(*demands, "demand");
        let ratio = self.performance_ratio.as_ref();
        let ratio = ratio.map_or_else(|| "none: there is no traffic".into(), shown_bounds);
        let contention = self.contention.as_ref().map_or_else(
            || format!("unknown: {}", self.contention_missing.as_deref().unwrap_or("stopped")),
            |busiest| format!("{} at {}", shown(&busiest.value), busiest.link),
        );
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts, traffic {traffic} of {demands}\n\
             max load           {} at {} (link {})\n\
             optu               {}\n\
             performance ratio  {ratio}\n\
             baseload           {}\n\
             {}flows              {} at {}\n\
             contention         {contention}\n\
             idle links         {}\n",
            shown(max_load),
            self.worst_link,
            self.worst_link_id,
            shown_bounds(optu),
            shown(&self.baseload),
            self.load_factor_line(),
            self.flows.value,
            self.flows.link,
            self.idle_links,
        );
        // A String takes every write.
        if let Some([used, bounds]) = self.switch_use.as_ref().map(SwitchUse::lines) {
            let _ = writeln!(text, "configurations     {used}\nbounds             {bounds}");
        }
        text.push_str(&labelled("note", 19, &self.notes));
        text.push_str(&self.tables());
        text
    }

    fn load_factor_line(&self) -> String {
        let Some(factor) = &self.load_factor else { return String::new() };
        let channel = self.load_factor_channel.as_ref().map(BusiestChannel::text);
        let channel = channel.map_or_else(String::new, |channel| format!(" {channel}"));
        format!("load factor        {}{channel}\n", shown(factor))
    }

    fn tables(&self) -> String {
        // The three are of one kind, and have one form.
        let loads = self.levels.iter().flat_map(|level| [&level.least, &level.mean, &level.most]);
        let loads = column(loads.map(Some));
        let levels = self.levels.iter().zip(loads.chunks(3)).map(|(level, loads)| {
            let mut row = place(level.level, level.direction);
            row.extend([level.links, level.idle].map(|count| count.to_string()));
            row.extend_from_slice(loads);
            row
        });
        let head = ["level", "direction", "links", "idle", "min load", "mean", "max"];
        let mut text = format!("\n{}\n", table(&head, levels));
        // One load per level is in the table above.
        if self.levels.iter().any(|level| level.least != level.most) {
            let _ = write!(text, "\n{}\n", classes_table(&self.histogram));
        }
        text
    }
}

/// Bounds of optu with what the loads say about it: this routing has its max load, so the least is no more, and the
/// hosts' own links need the baseload. Without traffic both are 0. Loads of only a part of the traffic say nothing.
fn known_optu(facts: &LoadFacts, max_load: &Rational) -> Bounds {
    let Bounds { lower, upper, evidence } = &facts.optu;
    let least = lower.max(&facts.baseload).clone();
    let most = upper.min(max_load).clone();
    if least > most {
        return facts.optu.clone();
    }
    let by = match (least > *lower, most < *upper) {
        (false, false) => return facts.optu.clone(),
        (true, false) => "the lower side is the baseload",
        (false, true) => "the upper side is the max load of this routing",
        (true, true) => "the baseload and the max load of this routing",
    };
    let evidence = match evidence {
        Evidence::Claimed(why) => format!("{why}; {by}"),
        _ => by.to_string(),
    };
    Bounds { lower: least, upper: most, evidence: Evidence::Claimed(evidence) }
}

/// Load ÷ optu; `None` without traffic.
fn performance_ratio(max_load: &Rational, optu: &Bounds) -> Option<Bounds> {
    let lower = max_load.checked_div(&optu.upper)?;
    let upper = max_load.checked_div(&optu.lower)?;
    Some(Bounds { lower, upper, evidence: optu.evidence.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::traffic;

    /// Even for a stopped search, optu is at most the max load and at least the baseload.
    #[test]
    fn loads_bound_what_a_stopped_search_left_open() {
        let instance = Instance::named("ft(8,2)", "dmodk").unwrap();
        let shift = traffic::generate("permutation(seed=3)", 32).unwrap();
        let loads = LinkLoads::of(
            &instance.topology,
            &*instance.routing,
            shift.demands(),
            &Progress::silent(),
        )
        .unwrap();
        let max_load = loads.max().unwrap().1;
        assert!(max_load > Rational::ONE);
        let bounds = |[lower, upper]: [u64; 2], evidence| Bounds {
            lower: lower.into(),
            upper: upper.into(),
            evidence,
        };
        let claimed = || Evidence::Claimed("stopped".into());
        let report = |optu| {
            let facts = LoadFacts {
                traffic: "permutation".into(),
                demands: 32,
                baseload: Rational::ONE,
                load_factor: None,
                optu,
                contention: Err(crate::progress::Stopped.into()),
                notes: Vec::new(),
            };
            LoadReport::new(&instance, &loads, &facts)
        };
        for sides in [[0, 1024], [1, 1024], [0, 1]] {
            let found = report(bounds(sides, claimed()));
            assert!(Rational::ONE <= found.optu.lower && found.optu.upper <= max_load, "{sides:?}");
            let ratio = found.performance_ratio.unwrap();
            assert!(Rational::ONE <= ratio.lower && ratio.upper <= max_load, "{sides:?}");
        }
        // What is proven and no worse stays as it is.
        assert_eq!(report(bounds([1, 1], Evidence::Proven)).optu.to_string(), "1 (proven)");
    }
}
