//! Certificates that name their network or routing, bounds that are proven for named trees only, and sets of failures.

mod adaptive_rates;
mod all_paths;
mod ancestors;
mod bad_tree;
mod counting;
mod cover_formula;
mod dimacs;
mod failures;
mod few_paths;
mod local_adaptive;
mod local_adaptive_formula;
mod lrat;
mod named;
mod named_routes;
mod product;
mod proof;
mod single_path;
mod text;
mod tree;
mod unit_flow;

pub use adaptive_rates::BadAdaptiveRates;
pub use bad_tree::BadTree;
pub use counting::{NestedStar, Star};
pub use failures::BadFailures;
pub(super) use failures::check as check_failures;
pub use few_paths::BadFewPaths;
pub use local_adaptive::BadScheme;
pub use lrat::LratError;
pub use named::{
    Decides, Generators, NamedNetwork, NamedRouting, NoNames, PathList, Scratch, Ungenerated,
};
pub(super) use named_routes::{Named, NamedBuffers, NamedRoutes};
pub use proof::BadFile;
pub use single_path::{RefutationClaim, Refuted, check_refutation, most_covered_hosts};
pub use text::{TextError, check_text};
pub use tree::{Levels, Tree};

use std::path::Path;

use super::network::Network;
use super::routes::Routes;
use super::{Accepted, Refusal, Result, check_claims, check_on};
use super::{
    allowed, cover, ends, flow, known, network, optimum, parallel, routes, split, sum, symmetry,
    uses, walk, weights, witness,
};
use crate::certificate::{self, Certificate, Claim, NetworkForm, Optimality};
use crate::progress::Progress;

/// Verifies the bound that a certificate states beside its claims, if it is of one of the kinds checked here.
pub(super) fn check_bound(
    network: &Network,
    routes: &Routes<'_>,
    bound: &Optimality,
    claims: &[Claim],
) -> Result<Option<Accepted>> {
    match bound {
        Optimality::SinglePath(bound) => single_path::check(network, routes, bound, claims),
        Optimality::FewPaths(bound) => few_paths::check(network, routes, bound, claims),
        Optimality::AdaptiveRates(bound) => adaptive_rates::check(network, routes, bound, claims),
        Optimality::OverPaths(_) | Optimality::ByDestination(_) => return Ok(None),
    }
    .map(Some)
}

/// A check of certificates that may name their network, their routing, and files.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::checker::{Check, NoNames, Refusal};
/// use routebound::progress::{Progress, Stop};
/// use routebound::certificate;
/// let text = "routebound-certificate 1
/// hosts 2
/// nodes 2
/// link 0 1 1
/// link 1 0 1
/// claim optu 1 1
/// demand 0 1 1
/// route even
/// length 0 1
/// end
/// ";
/// let certificate = certificate::read(text.as_bytes())?;
/// let stop = Stop::default();
/// stop.request();
/// let progress = Progress::silent().stopped_by(stop);
/// let stopped = Check::new(&NoNames).progress(&progress).run(&certificate);
/// assert!(matches!(stopped, Err(Refusal::Stopped(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "nothing is checked before `run`"]
pub struct Check<'a> {
    generators: &'a dyn Generators,
    folder: &'a Path,
    known: Option<&'a Refuted>,
    progress: Option<&'a Progress>,
}

impl<'a> Check<'a> {
    /// Names in certificates mean what `generators` make of them. Files that they name are in the current folder.
    pub fn new(generators: &'a dyn Generators) -> Self {
        Self { generators, folder: Path::new(""), known: None, progress: None }
    }

    /// Files that certificates name are in this folder.
    pub fn folder(self, folder: &'a Path) -> Self {
        Self { folder, ..self }
    }

    /// A refutation that is known to be accepted is not checked again when a certificate contains it, word for word, in
    /// the same folder.
    pub fn known(self, known: Option<&'a Refuted>) -> Self {
        Self { known, ..self }
    }

    /// Stops the check; [`Refusal::Stopped`] says nothing about the certificate.
    pub fn progress(self, progress: &'a Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Checks a certificate and returns the claims that it proves.
    ///
    /// # Errors
    /// [`Refusal`], the first reason found not to trust it.
    pub fn run(self, certificate: &Certificate) -> Result<Vec<Accepted>, Refusal> {
        let Self { generators, folder, known, .. } = self;
        let silent = Progress::silent();
        let progress = self.progress.unwrap_or(&silent);
        // What nobody can read proves nothing.
        #[cfg(feature = "write")]
        certificate::fits(certificate, progress).map_err(|unfit| match unfit {
            crate::progress::Interrupted::TooLarge(limit) => Refusal::TooLarge(limit),
            crate::progress::Interrupted::Stopped(stopped) => Refusal::Stopped(stopped),
        })?;
        match certificate {
            Certificate::Product(certificate) => product::check(certificate, generators, progress),
            Certificate::Local(certificate) => {
                local_adaptive::check(certificate, generators, folder, progress)
            }
            other => {
                let mut network = match other.network() {
                    NetworkForm::Named(spec) => Network::named(spec, generators, (folder, known))?,
                    written @ NetworkForm::Embedded(_) => Network::open(written)?,
                };
                network.stop = progress.stop();
                check_on(&network, other)
            }
        }
    }

    /// Reads a certificate from its text and checks it.
    ///
    /// # Errors
    /// [`TextError`] when the text is not a certificate or the checker refuses it.
    pub fn run_text(self, text: &str) -> Result<Vec<Accepted>, TextError> {
        Ok(self.run(&certificate::read(text.as_bytes())?)?)
    }
}
