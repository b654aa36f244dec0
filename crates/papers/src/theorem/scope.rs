//! How far a run goes, and its networks and instances.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{Finding, Findings, TheoremError, family};
use crate::assessment::{Assess, Assessment};
use crate::progress::{Progress, Stopped};
use crate::routing::{self, Instance, Routing};
use crate::spec::Spec;
use crate::topology::{Topology, generate};

type Wrapper<'w> = dyn Fn(Instance) -> Instance + Sync + 'w;

/// The extent of a run: sizes, trials and seed.
pub struct Scope<'w> {
    /// Maximum number of hosts of an examined network.
    pub hosts: usize,
    /// Number of trials wherever something is sampled.
    pub trials: u64,
    /// Seed for everything that is sampled.
    pub seed: u64,
    /// Whether the run may take an hour.
    pub full: bool,
    /// Stops the work; counts cases.
    pub progress: &'w Progress,
    networks: Vec<String>,
    /// Findings before a stop.
    finished: Mutex<Vec<Finding>>,
    wrapper: Option<&'w Wrapper<'w>>,
}

impl<'w> Scope<'w> {
    /// Maximum number of hosts that is examined by default.
    pub const HOSTS: usize = 64;

    /// Maximum number of hosts of a full run.
    pub const FULL_HOSTS: usize = 256;

    /// Networks of at most `hosts` hosts; a run takes minutes at most.
    #[must_use]
    pub fn new(hosts: usize, progress: &'w Progress) -> Self {
        Self {
            hosts,
            trials: 1000,
            seed: 1,
            full: false,
            progress,
            networks: Vec::new(),
            finished: Mutex::default(),
            wrapper: None,
        }
    }

    /// Sets more trials and longer searches.
    #[must_use]
    pub fn full(self) -> Self {
        Self { trials: 20_000, full: true, ..self }
    }

    /// Examines these networks instead of those of the pool. Statements about sets or numbers
    /// stay as they are.
    #[must_use]
    pub fn on(self, networks: Vec<String>) -> Self {
        Self { networks, ..self }
    }

    /// Sets the seed for everything that is sampled.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Replaces every instance by the one that `wrapper` returns for it. Tests use it to
    /// break routings and see that a statement notices.
    #[must_use]
    pub fn with_instances(self, wrapper: &'w Wrapper<'w>) -> Self {
        Self { wrapper: Some(wrapper), ..self }
    }

    /// The instance of two specs.
    ///
    /// # Errors
    /// [`TheoremError::Instance`] when either cannot be built.
    pub fn instance(&self, topology: &str, routing: &str) -> Result<Instance, TheoremError> {
        let instance = Instance::named(topology, routing)?;
        Ok(match self.wrapper {
            Some(wrapper) => wrapper(instance),
            None => instance,
        })
    }

    /// Assesses an instance. Where instances are wrapped, their specs do not rebuild them, so the
    /// certificate embeds them.
    ///
    /// # Errors
    /// [`TheoremError`] when the case is not covered, the checker refuses, or the work was
    /// stopped.
    pub fn assess(&self, instance: &Instance) -> Result<Assessment, TheoremError> {
        let assess = Assess::new().progress(self.progress);
        let assess = if self.wrapper.is_some() { assess.embedded() } else { assess };
        let assessment = assess.run(instance);
        // Stopped work ends with bounds that say nothing, or with some other error.
        self.progress.check()?;
        Ok(assessment?)
    }

    /// Everything that `check` finds on `cases`, one after the other.
    pub(crate) fn each<T, F: Into<Vec<Finding>>>(
        &self,
        cases: impl IntoIterator<Item = T>,
        mut check: impl FnMut(T) -> Result<F, TheoremError>,
    ) -> Findings {
        let mut findings = Vec::new();
        for case in cases {
            self.progress.check()?;
            findings.extend(check(case)?.into());
            self.progress.inc(1);
        }
        Ok(findings)
    }

    /// Runs `check` on every topology of the scope that `applies` accepts, in parallel; results are
    /// in the order of the topologies.
    pub(crate) fn networks(
        &self,
        applies: fn(&Topology) -> bool,
        check: impl Fn(&Topology) -> Findings + Sync,
    ) -> Findings {
        let examine = |topology: &Topology| {
            self.progress.check()?;
            let found = if applies(topology) { check(topology)? } else { Vec::new() };
            self.progress.inc(1);
            Ok(found)
        };
        let networks = self.topologies()?;
        let found: Vec<Findings> = networks.par_iter().map(examine).collect();
        if found.iter().any(|found| matches!(found, Err(TheoremError::Stopped(_)))) {
            found.into_iter().flatten().for_each(|found| self.finish(found));
            return Err(Stopped.into());
        }
        let found: Vec<Vec<Finding>> = found.into_iter().collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Keeps findings of work that was stopped.
    fn finish(&self, found: Vec<Finding>) {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    }

    /// Takes the findings before a stop: the findings on the networks and routings that were
    /// examined.
    #[must_use]
    pub fn take_finished(&self) -> Vec<Finding> {
        std::mem::take(&mut *self.finished.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn topologies(&self) -> Result<Vec<Topology>, TheoremError> {
        if self.networks.is_empty() {
            return Ok(family::all(self.hosts)?);
        }
        Ok(self.networks.iter().map(|spec| generate(spec)).collect::<Result<_, _>>()?)
    }

    /// The results of `visit` for every routing of every topology of the scope, in parallel; results
    /// are in their order, and two specs of one routing count once. Also whether the work was
    /// completed: a stop leaves the results up to then.
    pub(crate) fn instances<T: Send>(
        &self,
        visit: impl Fn(&Instance) -> Result<Option<T>, TheoremError> + Sync,
    ) -> Result<(Vec<T>, bool), TheoremError> {
        let of_topology = |topology: &Topology| {
            let (mut found, mut seen) = (Vec::new(), HashSet::new());
            for spec in family::routings() {
                let Ok(routing) = routing::build(&spec, topology) else { continue };
                if !seen.insert(routing.spec().to_string()) {
                    continue;
                }
                let checked = self.progress.check().map_err(TheoremError::from);
                let instance = checked.and_then(|()| self.instance(topology.spec(), &spec));
                match instance.and_then(|instance| visit(&instance)) {
                    Err(TheoremError::Stopped(_)) => return Ok((found, false)),
                    made => found.extend(made?),
                }
            }
            self.progress.inc(1);
            Ok((found, true))
        };
        let topologies = self.topologies()?;
        let found: Vec<(Vec<T>, bool)> =
            topologies.par_iter().map(of_topology).collect::<Result<_, TheoremError>>()?;
        let complete = found.iter().all(|(_, complete)| *complete);
        Ok((found.into_iter().flat_map(|(found, _)| found).collect(), complete))
    }

    /// Runs `check` on every routing that fits the topology and that `to` accepts.
    pub(crate) fn routings_of(
        &self,
        topology: &Topology,
        to: impl Fn(&dyn Routing) -> bool,
        check: impl Fn(&Instance) -> Findings,
    ) -> Findings {
        let mut found = Vec::new();
        for spec in family::routings() {
            let Ok(routing) = routing::build(&spec, topology) else { continue };
            if !to(&*routing) {
                continue;
            }
            drop(routing);
            let checked = self.progress.check().map_err(TheoremError::from);
            let checked = checked.and_then(|()| check(&self.instance(topology.spec(), &spec)?));
            match checked {
                Err(TheoremError::Stopped(stopped)) => {
                    self.finish(found);
                    return Err(stopped.into());
                }
                checked => found.extend(checked?),
            }
        }
        Ok(found)
    }
}

impl std::fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { hosts, trials, seed, full, .. } = self;
        write!(f, "Scope {{ hosts: {hosts}, trials: {trials}, seed: {seed}, full: {full} }}")
    }
}

/// Whether a routing has one path per pair.
#[must_use]
pub fn is_single_path(routing: &dyn Routing) -> bool {
    routing.is_single_path()
}

/// Whether a routing is of the kind `name`, by its spec; one with the option `weights` is not of any kind.
#[must_use]
pub fn is_kind(routing: &dyn Routing, name: &str) -> bool {
    Spec::parse(routing.spec())
        .is_ok_and(|spec| spec.name == name && spec.option("weights").is_none())
}
