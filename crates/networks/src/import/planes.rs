//! Planes of a fabric in files of their own: `planes:FILE,FILE,..`.
//!
//! Every file is read like a network by itself. `planes(hosts=common):FILE,FILE,..` leaves out hosts that some plane
//! lacks, such as those that manage one plane.

use std::path::Path;

use super::{ImportError, ImportOptions, Result, read_topology};
use crate::quote::quote;
use crate::spec::{Spec, SpecError, file_with_commas};
use crate::topology::{PlanesError, Topology, TopologyError};

const USAGE: &str = "planes:FILE,FILE,.., planes(hosts=same|common):FILE,FILE,..";

/// The spec, where a text names files of planes.
pub(super) fn spec(text: &str) -> Option<Spec> {
    let spec = Spec::parse(text).ok().filter(|spec| spec.name == "planes" && spec.path.is_some());
    spec.filter(|_| !Path::new(text).exists())
}

/// Reads and joins planes.
///
/// # Errors
/// [`ImportError`] of the first file that cannot be read, or where the planes do not fit together.
pub(super) fn read(spec: &Spec, text: &str, options: &ImportOptions) -> Result<Topology> {
    let refused = |problem: &str| {
        let (spec, problem) = (spec.to_string().into(), problem.to_string());
        TopologyError::from(SpecError::BadArguments { spec, problem, usage: USAGE })
    };
    let common = match spec.options.as_slice() {
        _ if !spec.groups.is_empty() => {
            return Err(refused("numbers and files do not go together").into());
        }
        [] => false,
        [(key, value)] if key == "hosts" => match value.as_str() {
            "same" => false,
            "common" => true,
            _ => return Err(refused("`hosts` is not one of same, common").into()),
        },
        _ => return Err(refused("its only option is `hosts`").into()),
    };
    let files: Vec<&str> =
        spec.file().map_err(TopologyError::from)?.split(',').map(str::trim).collect();
    let are_there = files.iter().all(|file| Path::new(file).exists());
    if let Some(file) = file_with_commas(&files).filter(|_| !are_there) {
        let problem =
            format!("commas divide its files: give `{}` a name without one", quote(&file));
        return Err(refused(&problem).into());
    }
    let read = |(number, file): (usize, &str)| match file {
        "" => Err(refused(&format!("file {number} is missing")).into()),
        _ => read_topology(file, options),
    };
    let planes: Result<Vec<Topology>> = (1..).zip(files).map(read).collect();
    let problem = |problem: PlanesError| ImportError::Planes {
        network: text.into(),
        problem: problem.into(),
    };
    Ok(Topology::of_planes(text, planes?, common).map_err(problem)?.recognised())
}
