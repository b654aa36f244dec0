//! One ratio, decided by an integer program.

use crate::lp::cover_model::{Answer, CoverModel};
use crate::prelude::*;

use super::chosen::FirstPorts;
use super::record::Size;
use super::{Options, SynthError, chosen, cover};

/// The solver's answer.
pub(super) enum Said {
    /// A routing, to be assessed.
    Routing(Box<Instance>),
    /// There is none: a claim.
    Infeasible,
    /// Nothing.
    Stopped,
}

/// Why the size of a linear program is small.
const CHECKED: &str = "a solved linear program is within the size limits";

/// Asks whether a single-path routing has a cover of `most` hosts on every link.
pub(super) fn ask(
    topology: &Topology,
    tree: &Xgft,
    most: u32,
    options: &Options,
    progress: &Progress,
) -> Result<(Said, Size), SynthError> {
    let listed = |digits| -> Result<Said, SynthError> {
        Ok(Said::Routing(Box::new(chosen::listed(topology, tree, digits, options)?)))
    };
    let Some(first_step) = cover::first_step(tree, most) else {
        let any = chosen::instance(topology, tree, FirstPorts, options)?;
        return Ok((Said::Routing(Box::new(any)), Size::default()));
    };
    let model = CoverModel { tree: tree.clone(), most, first_step };
    let found = model.solve(progress)?;
    // Upper bounds.
    let (rows, columns, _) = model.size();
    let size = Size {
        variables: u32::try_from(columns).expect(CHECKED),
        clauses: usize::try_from(rows).expect(CHECKED),
    };
    let said = match found {
        Answer::Routing(digits) => listed(digits)?,
        Answer::Infeasible => Said::Infeasible,
        Answer::Stopped => Said::Stopped,
    };
    Ok((said, size))
}
