//! Worst loads over seeds, as `ratio --seeds` prints them.

use super::prelude::*;
use crate::fabric::SeedSpread;
use crate::routing::Instance;

/// The record of a routing over seeds.
#[derive(Clone, Debug, Serialize)]
pub struct SeedsReport {
    /// Spec or path.
    pub topology: String,
    /// Canonical spec, with the first seed.
    pub routing: String,
    /// Number of hosts N.
    pub hosts: usize,
    /// The seeds and the worst permutation loads.
    pub worst_permutation_load: Option<SeedsSample>,
    /// The seed that a stop left unfinished, where something of it is known.
    pub unfinished: Option<UnfinishedSeed>,
    /// Number of seeds asked for.
    pub seeds: u32,
    /// Whether all of them are known.
    pub complete: bool,
    /// Notes on the network and the routing.
    pub notes: Vec<String>,
}

/// The worst permutation loads of some seeds, each claimed by an exact analysis.
#[derive(Clone, Debug, Serialize)]
pub struct SeedsSample {
    /// How they are known.
    pub evidence: Evidence,
    /// Number of seeds that are known.
    pub seeds: usize,
    /// The first of them; the others follow it.
    pub first_seed: u64,
    /// The minimum.
    pub least: Rational,
    /// The load in the middle; of an even number the higher of two.
    pub median: Rational,
    /// The maximum.
    pub most: Rational,
    /// The mean.
    pub mean: Rational,
    /// Half the width of the 95 % confidence interval of the mean over all seeds.
    pub half_width: f64,
    /// Every worst load that occurs, ascending.
    pub loads: Vec<SeedsOfLoad>,
}

/// What is known of a seed whose analysis was stopped.
#[derive(Clone, Debug, Serialize)]
pub struct UnfinishedSeed {
    /// The seed.
    pub seed: u64,
    /// Some permutation loads a link with this.
    pub at_least: Rational,
    /// How that is known.
    pub evidence: Evidence,
}

/// A worst load, and how many seeds have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeedsOfLoad {
    /// The maximum load that a permutation can put on a link.
    pub load: Rational,
    /// Number of seeds.
    pub seeds: usize,
}

impl SeedsSample {
    fn of(found: &SeedSpread) -> Option<Self> {
        let summary = found.summary()?;
        let counts = found.counts().into_iter();
        Some(Self {
            evidence: Evidence::Sampled { seed: found.first_seed, trials: summary.count() },
            seeds: found.loads.len(),
            first_seed: found.first_seed,
            least: summary.least().clone(),
            median: summary.median().clone(),
            most: summary.most().clone(),
            mean: summary.mean(),
            half_width: summary.half_width(),
            loads: counts.map(|(load, seeds)| SeedsOfLoad { load, seeds }).collect(),
        })
    }
}

impl UnfinishedSeed {
    fn of(found: &SeedSpread) -> Option<Self> {
        let at_least = found.unfinished.clone()?;
        let seed = found.first_seed + found.loads.len() as u64;
        let evidence = Evidence::Claimed("an analysis of some links".to_string());
        Some(Self { seed, at_least, evidence })
    }

    fn text(&self) -> String {
        let Self { seed, at_least, evidence } = self;
        format!("at least {} with seed {seed}, unfinished ({evidence})\n", shown(at_least))
    }
}

impl SeedsReport {
    /// The record of what is known over `seeds` seeds.
    #[must_use]
    pub fn new(instance: &Instance, seeds: u32, found: Option<&SeedSpread>) -> Self {
        Self {
            topology: instance.topology.spec().to_string(),
            routing: instance.routing.spec().to_string(),
            hosts: instance.topology.hosts(),
            worst_permutation_load: found.and_then(SeedsSample::of),
            unfinished: found.and_then(UnfinishedSeed::of),
            seeds,
            complete: found.is_some_and(SeedSpread::is_complete),
            notes: instance.notes(),
        }
    }

    /// The record as text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { topology, routing, hosts, seeds, .. } = self;
        let mut text = format!(
            "{routing} on {topology}, {hosts} hosts, with {}\n",
            counted(*seeds as usize, "seed")
        );
        text.push_str(&labelled("note", 24, &self.notes));
        let unfinished = self.unfinished.as_ref().map(UnfinishedSeed::text);
        let Some(found) = &self.worst_permutation_load else {
            let unknown = || "unknown: stopped before the first seed was known\n".to_string();
            let known = unfinished.unwrap_or_else(unknown);
            return text + "worst permutation load  " + &known;
        };
        let [least, median, most] = [&found.least, &found.median, &found.most].map(shown);
        let end = found.first_seed + (found.seeds as u64).saturating_sub(1);
        // A String takes every write.
        let _ = writeln!(
            text,
            "worst permutation load  {least} to {most}, median {median} (claimed: an analysis for each of \
             seeds {} to {end})",
            found.first_seed
        );
        let _ = writeln!(
            text,
            "mean over seeds         {:.4} ± {:.4} (95 %, sampled)",
            found.mean.to_f64(),
            found.half_width
        );
        for one in &found.loads {
            let _ =
                writeln!(text, "  load {:<16} {}", shown(&one.load), counted(one.seeds, "seed"));
        }
        if !self.complete {
            let unfinished = unfinished.map(|known| format!("  {known}"));
            text.push_str(&unfinished.unwrap_or_default());
            let known = found.seeds;
            // A String takes every write.
            let _ = writeln!(text, "stopped after {known} of {seeds} seeds");
        }
        text
    }
}
