//! The evidence of a best routing, as the part of a shard holds it: its certificate as text, with the
//! formula and the proof that it names.

use std::fs;
use std::path::Path;

use crate::certificate::{self, Certificate, NetworkForm, Refutation, RoutingForm, SinglePath};
use crate::generators::Named;
use crate::generators::checker::{Accepted, Check};
use crate::study::prelude::*;
use crate::synth::{OptimalAssessment, folder, proof_files};

/// Maximum bytes of the evidence of a row in a part: more of it is found again while merging.
const MAX_KEPT: usize = 1 << 22;

/// The evidence that proves both sides of the least ratio of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proven {
    /// The certificate.
    pub(super) certificate: String,
    /// Formula, LRAT proof and the same proof in DRAT, where a formula is refuted.
    pub(super) files: Option<[String; 3]>,
}

impl Proven {
    /// The evidence of what was found; `None` where there is no certificate.
    pub(super) fn of(found: &OptimalAssessment) -> Result<Option<Self>> {
        let Some(whole) = &found.certificate else { return Ok(None) };
        let mut bytes = Vec::new();
        certificate::write(whole, &mut bytes)?;
        let names = match &found.refutation {
            Refutation::Lrat(refuted) => proof_files(refuted).map(Some),
            _ => [const { None }; 3],
        };
        let names = names.into_iter().flatten();
        let files: Vec<String> = names
            .map(|name| fs::read_to_string(folder(found).join(name)))
            .collect::<Result<_, _>>()?;
        let certificate = String::from_utf8(bytes).expect("certificates are written as text");
        Ok(Some(Self { certificate, files: files.try_into().ok() }))
    }

    /// Bytes of the certificate, and of the formula and the proof that it names.
    pub(super) fn bytes(&self) -> usize {
        let named = self.files.iter().flat_map(|files| &files[..2]);
        self.certificate.len() + named.map(String::len).sum::<usize>()
    }

    /// Whether it is small enough for a part.
    pub(super) fn is_small(&self) -> bool {
        self.bytes() <= MAX_KEPT
    }

    /// Names of the files of a search with this stem.
    pub(super) fn file_names(stem: &str) -> [String; 3] {
        ["cnf", "lrat", "drat"].map(|end| format!("{stem}.{end}"))
    }

    /// The certificate, if it is about the tree `spec`, the checker accepts it, and its files are those
    /// of `stem`; with what the checker has accepted.
    pub(super) fn checked(&self, spec: &str, stem: &str) -> Option<Checked> {
        let whole = certificate::read(self.certificate.as_bytes()).ok()?;
        let Certificate::WorstCase(worst) = &whole else { return None };
        let NetworkForm::Named(network) = &worst.network else { return None };
        let Some(certificate::Optimality::SinglePath(least)) = &worst.optimality else {
            return None;
        };
        let names = Self::file_names(stem);
        let are_own = match &least.refutation {
            Refutation::Lrat(refuted) => self.files.is_some() && proof_files(refuted) == names,
            _ => self.files.is_none(),
        };
        let topology = generate(spec).ok()?;
        if *network != topology.spec() || !are_own {
            return None;
        }
        let folder = tempfile::tempdir().ok()?;
        for (name, text) in names.iter().zip(self.files.iter().flatten()) {
            fs::write(folder.path().join(name), text).ok()?;
        }
        let accepted = accepted(&whole, least, folder.path())?;
        let routing = match &worst.routing {
            RoutingForm::Named(routing) => routing.clone(),
            _ => format!("table:{stem}.csv"),
        };
        Some(Checked { topology, refutation: least.refutation.clone(), routing, accepted })
    }
}

/// What the checker accepts about the least ratio.
fn accepted(whole: &Certificate, least: &SinglePath, folder: &Path) -> Option<Accepted> {
    let name = SinglePath::name(least.quantity);
    let accepted = Check::new(&Named).folder(folder).run(whole).ok()?;
    accepted.into_iter().find(|found| found.quantity == name)
}

/// The claim that evidence proves.
pub(super) struct Checked {
    /// The tree.
    pub(super) topology: Topology,
    /// Why no ratio below is reached.
    pub(super) refutation: Refutation,
    /// The routing of the certificate; one that is written out is called after the search.
    pub(super) routing: String,
    /// The least ratio.
    pub(super) accepted: Accepted,
}
