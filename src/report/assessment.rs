//! Output of `ratio` about an assessed instance.

use std::fmt::Write as _;

use serde::Serialize;

use super::WrittenTraffic;
use super::counted::counted;
use super::labelled;
use super::table::table;
use super::worst_traffic::files_text;
use crate::assessment::{Assessment, ByDigitsAssessment, NoCertificate};
use crate::bounds::{Bounds, Witness};
use crate::by_digits::ByDigits;
use crate::integer::as_size;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::symmetry::Symmetry;
use crate::topology::{Host, Topology, quoted};
use crate::worst_case::Bin;

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
    /// The maximum max load of a permutation, when known exactly.
    pub worst_permutation_load: Option<Rational>,
    /// Its bounds.
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
    /// Notes on the routing and the analysis.
    pub notes: Vec<String>,
    /// Files of worst-case traffic, if any were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<WrittenTraffic>,
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
        let classes = if classes == 1 { "1 class".into() } else { format!("{classes} classes") };
        format!("symmetry                {links} in {classes}, by {automorphisms}\n")
    }
}

/// A witness with names.
#[derive(Clone, Debug, Serialize)]
pub struct WitnessReport {
    /// The loaded link, by the names and ports of its ends.
    pub link: String,
    /// Its id, which in the largest trees may be above 2^53, as numbers of hosts and links may be.
    pub link_id: u64,
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
        Self {
            topology: topology.spec().to_string(),
            routing: routing.spec().to_string(),
            hosts: topology.hosts(),
            oblivious_ratio: assessment.oblivious_ratio.clone(),
            permutation_ratio: assessment.permutation_ratio.clone(),
            worst_permutation_load: assessment.permutation_load.exact().cloned(),
            permutation_load: assessment.permutation_load.clone(),
            method: assessment.method.name(),
            symmetry: assessment.symmetry.as_deref().map(SymmetryReport::new),
            complete: assessment.complete,
            witness: attains.then(|| WitnessReport::new(topology, &assessment.witness)),
            worst_loads: assessment.histogram.clone(),
            notes: instance.notes().into_iter().chain(assessment.notes.clone()).collect(),
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
            link: worst.name.clone(),
            link_id: worst.link,
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
            worst_permutation_load: assessment.permutation_load.exact().cloned(),
            permutation_load: assessment.permutation_load.clone(),
            method: form.method(),
            symmetry: None,
            complete: assessment.complete,
            witness: attains.then_some(witness),
            worst_loads: assessment.permutations.bins.clone(),
            notes: form.notes().iter().cloned().chain(limits).collect(),
            traffic: Vec::new(),
        }
    }

    /// The record as text, with at most `most_pairs` pairs of the witness.
    #[must_use]
    pub fn text(&self, most_pairs: usize) -> String {
        let Self { topology, routing, hosts, oblivious_ratio, permutation_load, .. } = self;
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts\n\
             oblivious ratio         {oblivious_ratio}\n\
             permutation ratio       {}\n\
             worst permutation load  {permutation_load}\n\
             method                  {}\n",
            self.permutation_ratio, self.method,
        );
        text.extend(self.witness.as_ref().map(|WitnessReport { link, link_id, .. }| {
            format!("worst link              {link} (link {link_id})\n")
        }));
        text.extend(self.symmetry.as_ref().map(SymmetryReport::text));
        // A String takes every write.
        text.push_str(&labelled("note", 24, &self.notes));
        let heads = ["level", "direction", "worst load", "links"];
        text.push('\n');
        text.push_str(&table(&heads, rows(&self.worst_loads).into_iter()));
        text.push('\n');
        text.extend(self.witness.as_ref().map(|witness| witness.text(most_pairs)));
        text.push_str(&files_text(&self.traffic));
        text
    }
}

/// Different loads of the links of a level and direction that are shown.
const SHOWN_LOADS: usize = 32;

/// The rows of the table of loads, the heaviest of every level and direction.
fn rows(bins: &[Bin]) -> Vec<Vec<String>> {
    let place = |bin: &Bin| [bin.level.to_string(), bin.direction.to_string()];
    let mut rows = Vec::new();
    for same in bins.chunk_by(|a, b| (a.level, a.direction) == (b.level, b.direction)) {
        // A load that is left out takes the line that says so.
        let few = same.len() <= SHOWN_LOADS + 1;
        let (shown, more) = same.split_at(if few { same.len() } else { SHOWN_LOADS });
        let row =
            |bin: &Bin| [place(bin).to_vec(), vec![bin.text(), bin.links.to_string()]].concat();
        rows.extend(shown.iter().map(row));
        if let Some(first) = more.first() {
            let links: usize = more.iter().map(|bin| bin.links).sum();
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
            link: topology.link_name(witness.link),
            link_id: witness.link.into(),
            pairs: pairs.collect(),
            names: names(topology, witness),
            optu: witness.optu.clone(),
            unlisted_pairs: None,
        }
    }

    /// The traffic as text, at most `most_pairs` pairs of it.
    #[must_use]
    pub fn text(&self, most_pairs: usize) -> String {
        let Self { pairs, optu, .. } = self;
        if let Some(count) = self.unlisted_pairs {
            return format!("\nworst traffic, {count} pairs, optu at most {optu}: not listed\n");
        }
        let mut text = format!("\nworst traffic, {} pairs, optu at most {optu}:\n", pairs.len());
        for (at, (s, d, amount)) in pairs.iter().enumerate().take(most_pairs) {
            let amount =
                if *amount == Rational::ONE { String::new() } else { format!("({amount})") };
            let _ = match self.names.get(at) {
                Some((s, d)) => write!(text, " {}->{}{amount}", quoted(s), quoted(d)),
                None => write!(text, " {s}->{d}{amount}"),
            };
        }
        if pairs.len() > most_pairs {
            let _ = write!(text, " … {} more (see --all or --json)", pairs.len() - most_pairs);
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
