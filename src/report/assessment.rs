//! Output of `ratio` about an assessed instance.

mod unopened;

use itertools::Itertools as _;

use super::numbers::{at_most, column, column_at_most};
use super::prelude::*;
use super::worst_traffic::files_text;
use super::{FailureReport, WrittenTraffic};
use crate::assessment::{Assessment, ByDigitsAssessment, NoCertificate};
use crate::bounds::Witness;
use crate::by_digits::ByDigits;
use crate::integer::as_size;
use crate::routing::Instance;
use crate::symmetry::Symmetry;
use crate::topology::{Host, quoted};
use crate::worst_case::{Bin, histogram_of_bounds};

/// The record of one instance, as `ratio --json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct AssessmentReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// Bounds of sup max load ÷ optu.
    pub oblivious_ratio: Bounds,
    /// Bounds of the maximum of max load ÷ optu over permutations.
    pub permutation_ratio: Bounds,
    /// Bounds of the maximum max load of a permutation.
    pub permutation_load: Bounds,
    /// Method by which the worst case of a link was found.
    pub method: &'static str,
    /// Classes of equivalent links, where one link of each was analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<SymmetryReport>,
    /// Whether the work was finished.
    pub complete: bool,
    /// Traffic that attains the lower side of the oblivious ratio; `None` where none that does is known.
    pub witness: Option<WitnessReport>,
    /// Links counted by level, direction and worst permutation load.
    pub worst_loads: Vec<Bin>,
    /// Links counted by level, direction and an upper bound on their ratio, where hosts differ: what permutations do
    /// to links says little about ratios there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worst_ratios: Vec<Bin>,
    /// Whether what permutations do means something: hosts, or links, are all alike.
    #[serde(skip)]
    shows_permutations: bool,
    /// Notes on the routing and the analysis.
    pub notes: Vec<String>,
    /// The losses by a failure, if it cuts hosts off or leaves pairs without a path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureReport>,
    /// The comparison with a limit, if one is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<AtMost>,
    /// Files of worst-case traffic, if any were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<WrittenTraffic>,
}

/// The oblivious ratio compared with a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AtMost {
    /// The limit.
    pub limit: Rational,
    /// Whether the ratio is proven to be at most the limit, or above it; `None` where neither is proven.
    pub holds: Option<bool>,
}

impl AtMost {
    pub(super) fn new(limit: &Rational, ratio: &Bounds) -> Self {
        let is_below = (ratio.upper <= *limit).then_some(true);
        let is_above = (ratio.lower > *limit).then_some(false);
        let holds = is_below.or(is_above).filter(|_| ratio.evidence == Evidence::Proven);
        Self { limit: limit.clone(), holds }
    }

    pub(super) fn text(&self) -> String {
        let verdict = match self.holds {
            Some(true) => "holds (proven)",
            Some(false) => "exceeded (proven)",
            None => "undecided",
        };
        format!("{:24}{verdict}\n", format!("at most {}", self.limit))
    }
}

/// The symmetry of an instance.
#[derive(Clone, Debug, Serialize)]
pub struct SymmetryReport {
    /// Number of links.
    pub links: usize,
    /// Number of classes of links.
    pub classes: usize,
    /// Number of automorphisms that form them.
    pub automorphisms: usize,
}

impl SymmetryReport {
    fn new(symmetry: &Symmetry) -> Self {
        let (links, classes) = (symmetry.links(), symmetry.classes());
        Self { links, classes, automorphisms: symmetry.automorphisms().len() }
    }

    fn text(&self) -> String {
        let Self { links, classes, automorphisms } = *self;
        let (links, automorphisms) =
            (counted(links, "link"), counted(automorphisms, "automorphism"));
        let classes = counted(classes, "class");
        format!("symmetry                {links} in {classes}, by {automorphisms}\n")
    }
}

/// A witness with names.
#[derive(Clone, Debug, Serialize)]
pub struct WitnessReport {
    /// The link that it loads most, by the names and ports of its ends.
    pub worst_link: String,
    /// Id of the worst link, which in the largest trees may be above 2^53, as numbers of hosts and links may be.
    pub worst_link_id: u64,
    /// Source, destination, demand.
    pub pairs: Vec<(Host, Host, Rational)>,
    /// Source and destination of every pair by name, for networks that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(String, String)>,
    /// Max load of a routing of this traffic.
    pub optu: Rational,
    /// Number of its pairs where they are too many to list, or hosts have no numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlisted_pairs: Option<u64>,
}

impl AssessmentReport {
    /// The record of an assessed instance.
    #[must_use]
    pub fn new(instance: &Instance, assessment: &Assessment) -> Self {
        let Instance { topology, routing, .. } = instance;
        let attains = assessment.attained >= assessment.oblivious_ratio.lower;
        let are_alike = are_hosts_alike(topology);
        Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            hosts: topology.hosts(),
            oblivious_ratio: assessment.oblivious_ratio.clone(),
            permutation_ratio: assessment.permutation_ratio.clone(),
            permutation_load: assessment.permutation_load.clone(),
            method: assessment.method.name(),
            symmetry: assessment.symmetry.as_deref().map(SymmetryReport::new),
            complete: assessment.complete,
            witness: attains.then(|| WitnessReport::new(topology, &assessment.witness)),
            worst_loads: assessment.histogram.clone(),
            worst_ratios: if are_alike { Vec::new() } else { ratios(topology, assessment) },
            shows_permutations: are_alike || has_unit_links(topology),
            notes: instance.notes().into_iter().chain(assessment.notes.clone()).collect(),
            failure: None,
            at_most: None,
            traffic: Vec::new(),
        }
    }

    /// The record of a tree of any size.
    #[must_use]
    pub fn of_product(form: &ByDigits, assessment: &ByDigitsAssessment) -> Self {
        let worst = &assessment.ratio;
        let (pairs, unlisted) = match form.pairs(worst) {
            Ok(demands) => (demands, None),
            Err(limit) => (Vec::new(), Some(limit)),
        };
        let witness = WitnessReport {
            worst_link: worst.name.clone(),
            worst_link_id: worst.link,
            pairs: pairs.into_iter().map(|d| (d.s, d.d, d.amount)).collect(),
            names: Vec::new(),
            optu: Rational::ONE,
            unlisted_pairs: unlisted.as_ref().map(|_| worst.pairs),
        };
        let attains = worst.load >= assessment.oblivious_ratio.lower;
        let uncertified = assessment.certificate.as_ref().err().and_then(NoCertificate::limit);
        let limits = uncertified.into_iter().chain(&unlisted).map(ToString::to_string);
        Self {
            topology: form.shape().spec().to_string(),
            routing: form.routing().to_string(),
            hosts: as_size(form.shape().hosts()),
            oblivious_ratio: assessment.oblivious_ratio.clone(),
            permutation_ratio: assessment.permutation_ratio(),
            permutation_load: assessment.permutation_load.clone(),
            method: form.method(),
            symmetry: None,
            complete: assessment.complete,
            witness: attains.then_some(witness),
            worst_loads: assessment.permutations.bins.clone(),
            worst_ratios: Vec::new(),
            shows_permutations: true,
            notes: form.notes().iter().cloned().chain(limits).collect(),
            failure: None,
            at_most: None,
            traffic: Vec::new(),
        }
    }

    /// The record with the ratio compared with a limit, if there is one.
    #[must_use]
    pub fn compared(self, limit: Option<&Rational>) -> Self {
        let at_most = limit.map(|limit| AtMost::new(limit, &self.oblivious_ratio));
        Self { at_most, ..self }
    }

    /// The record as text, with at most `most_pairs` pairs of the witness.
    #[must_use]
    pub fn text(&self, most_pairs: usize) -> String {
        let Self { topology, routing, hosts, oblivious_ratio, method, .. } = self;
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts\n\
             oblivious ratio         {}\n",
            shown_bounds(oblivious_ratio)
        );
        // A String takes every write.
        if self.shows_permutations {
            let _ = write!(
                text,
                "permutation ratio       {}\nworst permutation load  {}\n",
                shown_bounds(&self.permutation_ratio),
                shown_bounds(&self.permutation_load)
            );
        }
        let _ = writeln!(text, "method                  {method}");
        text.extend(self.at_most.as_ref().map(AtMost::text));
        text.extend(self.witness.as_ref().map(|witness| {
            let WitnessReport { worst_link, worst_link_id, .. } = witness;
            format!("worst link              {worst_link} (link {worst_link_id})\n")
        }));
        text.extend(self.symmetry.as_ref().map(SymmetryReport::text));
        text.push_str(&labelled("note", 24, &self.notes));
        text.extend(self.failure.as_ref().map(FailureReport::text));
        let (head, bins) = match self.worst_ratios.as_slice() {
            [] => ("worst load", &self.worst_loads[..]),
            ratios => ("ratio", ratios),
        };
        if !bins.is_empty() {
            let _ = writeln!(text, "\n{}", bin_table(head, bins));
        }
        text.extend(
            self.witness.as_ref().map(|witness| witness.text(most_pairs, "--all or --json")),
        );
        text.push_str(&files_text(&self.traffic));
        text
    }
}

/// Different loads of the links of a level and direction that are shown.
const SHOWN_LOADS: usize = 32;

/// Whether all hosts send and receive equally much.
/// Whether all hosts send and receive the same at most.
#[must_use]
pub fn are_hosts_alike(topology: &Topology) -> bool {
    let capacities = |host| [true, false].map(|way| topology.host_capacity(host, way));
    topology.host_numbers().flat_map(capacities).all_equal()
}

fn has_unit_links(topology: &Topology) -> bool {
    topology.link_numbers().all(|link| topology.link(link).capacity == Rational::ONE)
}

/// Links counted by their ratio, which is at most that of the worst link.
fn ratios(topology: &Topology, assessment: &Assessment) -> Vec<Bin> {
    let most = &assessment.oblivious_ratio.upper;
    let cap = |bound: &Option<Rational>| bound.as_ref().map(|bound| bound.min(most).clone());
    histogram_of_bounds(topology, &assessment.links.iter().map(cap).collect::<Vec<_>>())
}

/// The table of loads or ratios, the heaviest of every level and direction.
fn bin_table(head: &str, bins: &[Bin]) -> String {
    table(&["level", "direction", head, "links"], rows(bins).into_iter())
}

fn rows(bins: &[Bin]) -> Vec<Vec<String>> {
    let place = |bin: &Bin| [bin.level.to_string(), bin.direction.to_string()];
    let are_bounds = bins.iter().any(|bin| bin.load.is_none());
    let numbers = bins.iter().map(|bin| bin.load.as_ref().or(bin.at_most.as_ref()));
    let numbers = if are_bounds { column_at_most(numbers) } else { column(numbers) };
    let values = bins.iter().zip(numbers).map(|(bin, number)| match (&bin.load, &bin.at_most) {
        (Some(_), _) => number,
        (None, Some(_)) => format!("at most {number}"),
        (None, None) => "-".to_string(),
    });
    let bins: Vec<(&Bin, String)> = bins.iter().zip(values).collect();
    let mut rows = Vec::new();
    for same in bins.chunk_by(|(a, _), (b, _)| (a.level, a.direction) == (b.level, b.direction)) {
        // A load that is left out takes the line that says so.
        let few = same.len() <= SHOWN_LOADS + 1;
        let (shown, more) = same.split_at(if few { same.len() } else { SHOWN_LOADS });
        let row = |(bin, value): &(&Bin, String)| {
            [place(bin).to_vec(), vec![value.clone(), bin.links.to_string()]].concat()
        };
        rows.extend(shown.iter().map(row));
        if let Some((first, _)) = more.first() {
            let links: usize = more.iter().map(|(bin, _)| bin.links).sum();
            let said = vec![format!("… {} more (see --json)", more.len()), links.to_string()];
            rows.push([place(first).to_vec(), said].concat());
        }
    }
    rows
}

/// Source and destination of every pair by name, if the network was read.
fn names(topology: &Topology, witness: &Witness) -> Vec<(String, String)> {
    let name = |host| topology.node(host).name.clone();
    let demands = witness.demands.iter().filter(|_| topology.is_read());
    demands.map(|demand| (name(demand.s), name(demand.d))).collect()
}

impl WitnessReport {
    /// The record of a witness.
    #[must_use]
    pub fn new(topology: &Topology, witness: &Witness) -> Self {
        let pairs = witness.demands.iter().map(|d| (d.s, d.d, d.amount.clone()));
        Self {
            worst_link: topology.link_name(witness.link),
            worst_link_id: witness.link.into(),
            pairs: pairs.collect(),
            names: names(topology, witness),
            optu: witness.optu.clone(),
            unlisted_pairs: None,
        }
    }

    /// The traffic as text, at most `most_pairs` pairs of it; `rest` names the options that show all.
    #[must_use]
    pub fn text(&self, most_pairs: usize, rest: &str) -> String {
        let Self { pairs, optu, .. } = self;
        if let Some(count) = self.unlisted_pairs {
            let optu = at_most(optu);
            return format!("\nworst traffic, {count} pairs, optu at most {optu}: not listed\n");
        }
        let (count, optu) = (counted(pairs.len(), "pair"), at_most(optu));
        let mut text = format!("\nworst traffic, {count}, optu at most {optu}:\n");
        for (at, (s, d, amount)) in pairs.iter().enumerate().take(most_pairs) {
            let amount = if *amount == Rational::ONE {
                String::new()
            } else {
                format!("({})", shown(amount))
            };
            let _ = match self.names.get(at) {
                Some((s, d)) => write!(text, " {}->{}{amount}", quoted(s), quoted(d)),
                None => write!(text, " {s}->{d}{amount}"),
            };
        }
        if pairs.len() > most_pairs {
            let _ = write!(text, " … {} more (see {rest})", pairs.len() - most_pairs);
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::assessment::Assess;
    use crate::progress::{Progress, Stop};

    /// Traffic is shown only where it attains the lower side that is printed, which counting may give without any.
    #[test]
    fn a_stopped_run_shows_no_traffic_that_attains_less() {
        let instance = Instance::named("ft(8,3)", "random(seed=1)").unwrap();
        let report = |progress: &Progress| {
            let found = Assess::new().progress(progress).run(&instance).unwrap();
            AssessmentReport::new(&instance, &found)
        };
        let stopped = report(&Progress::silent().stopped_by(Stop::at(Some(Instant::now()))));
        assert!(stopped.oblivious_ratio.lower > Rational::ONE && stopped.witness.is_none());
        let whole = report(&Progress::silent());
        assert!(whole.witness.is_some());
        for (report, is_shown) in [(stopped, false), (whole, true)] {
            let text = report.text(usize::MAX);
            assert_eq!(text.contains("worst link "), is_shown, "{text}");
            assert_eq!(text.contains("worst traffic, "), is_shown, "{text}");
        }
    }
}
