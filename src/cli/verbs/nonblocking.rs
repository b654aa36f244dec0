//! `nonblocking`: can permutations be sent without contention?

use super::prelude::*;
use super::synth::remark_solver;
use crate::adversary::pattern::Target;
use crate::assessment::Assess;
use crate::certificate::Quantity;
use crate::nonblocking::{least_top_switches, meeting};
use crate::report::{LeastSwitchesReport, NonblockingReport, PatternNonblockingReport};
use crate::simulation::adaptive;
use crate::synth::{Options, least_ratio};
use crate::topology::Xgft;

#[cfg(feature = "sat")]
mod local_adaptive;
#[cfg(feature = "sat")]
use local_adaptive::LocalArguments;

pub(super) const VERB: Verb = Verb {
    name: "nonblocking",
    about: "Decide whether one routing, or any, sends all permutations without contention",
    reference: "[NB] IV, V",
    examples: &[
        "nonblocking ftree(2,4,5) yuan",
        "nonblocking ftree(4,16,4) nonblocking-adaptive",
        "nonblocking nbclos(2,3) yuan",
        "nonblocking ftree(2,4,3)",
        "nonblocking ftree(2,4,3) --least-m",
    ],
    ..Verb::of::<NonblockingVerb>()
};

#[derive(clap::Args)]
struct NonblockingVerb {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Routing, such as yuan: see `routebound list routings pattern-routings` [default: search for the best
    /// single-path routing]
    routing: Option<String>,
    /// Search for the minimum m for which ftree(n,m,r) is nonblocking; the given m is ignored
    #[arg(long, conflicts_with = "routing")]
    least_m: bool,
    #[cfg(feature = "sat")]
    #[command(flatten)]
    local: LocalArguments,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for NonblockingVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        #[cfg(feature = "sat")]
        if self.local.is_asked() {
            let (n, r) = self.folded_clos(context)?;
            return self.local.least(n, r, context);
        }
        if self.least_m {
            return self.least(context);
        }
        if let Some(routing) = self.routing.as_deref().filter(|text| adaptive::is_named(text)) {
            return self.by_pattern(routing, context);
        }
        let (report, complete) = match &self.routing {
            Some(routing) => self.given(routing, context)?,
            None => self.best(context)?,
        };
        context.show(&report, || report.text())?;
        Ok(match report.nonblocking {
            Some(true) if complete => Outcome::Done,
            Some(false) => Outcome::CheckFailed,
            None if complete => Outcome::CheckFailed,
            Some(true) | None => Outcome::Partial,
        })
    }

    #[cfg(feature = "sat")]
    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        self.local.check_files(allowed)
    }
}

impl NonblockingVerb {
    fn given(&self, routing: &str, context: &Context) -> Result<(NonblockingReport, bool)> {
        let instance = self.network.open(&self.topology, routing, context)?;
        let progress =
            context.progress(3 * instance.topology.hosts() as u64, "sources, in three passes");
        // Two pairs that meet are often among the first.
        let met = meeting(&instance, &progress.part(0.5));
        let found = Assess::new().progress(&progress).run(&instance)?;
        let load = found.permutation_load;
        let complete = found.complete && met.is_ok();
        Ok((NonblockingReport::new(&instance, "routing", load, met), complete))
    }

    /// By a routing that sees the pattern.
    fn by_pattern(&self, routing: &str, context: &Context) -> Result<Outcome> {
        let topology = self.network.open_topology(&self.topology, context)?;
        let routing = adaptive::build(routing, &topology)?;
        let progress = context.progress(0, "patterns");
        let found = routing.guarantee(context.seed().unwrap_or(1), &progress)?;
        drop(progress);
        let target = Target { topology: &topology, routing: &*routing };
        let report = PatternNonblockingReport::new(&target, found);
        context.show(&report, || report.text())?;
        Ok(match report.nonblocking {
            Some(true) => Outcome::Done,
            Some(false) | None => Outcome::CheckFailed,
        })
    }

    fn best(&self, context: &Context) -> Result<(NonblockingReport, bool)> {
        let topology = self.network.open_topology(&self.topology, context)?;
        let (quantity, ratio) = (Quantity::PermutationLoad, Some(1));
        let seed = context.seed().unwrap_or(0);
        let options = Options { quantity, ratio, seed, ..Options::default() };
        let progress = context.progress(0, "steps of the search");
        let found = least_ratio(&topology, &options, &progress)?;
        let of = "the best single-path routing found,";
        let met = meeting(&found.best, &progress);
        let report = NonblockingReport::new(&found.best, of, found.bounds.clone(), met);
        Ok((report, found.complete))
    }

    /// n and r of the network.
    fn folded_clos(&self, context: &Context) -> Result<(u32, u32)> {
        let topology = self.network.open_topology(&self.topology, context)?;
        let Some(tree) = topology.tree().filter(|tree| is_two_level(tree)) else {
            bail!(
                "`--least-m` needs a tree ftree(n,m,r) with links of capacity 1, found `{}`",
                topology.spec()
            );
        };
        Ok((tree.children(1), tree.children(2)))
    }

    fn least(&self, context: &Context) -> Result<Outcome> {
        let (n, r) = self.folded_clos(context)?;
        let progress = context.progress(0, "numbers of switches");
        let options = Options { seed: context.seed().unwrap_or(0), ..Options::default() };
        let found = least_top_switches(n, r, &options, &progress)?;
        drop(progress);
        if !found.complete {
            remark_solver(context);
        }
        let report = LeastSwitchesReport::new(n, r, &found);
        context.show(&report, || report.text())?;
        Ok(if found.complete { Outcome::Done } else { Outcome::Partial })
    }
}

fn is_two_level(tree: &Xgft) -> bool {
    tree.height() == 2 && tree.parents(1) == 1 && tree.has_unit_capacities()
}
