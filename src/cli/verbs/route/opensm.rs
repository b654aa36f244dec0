//! `route --save-opensm`: a folder from which OpenSM loads a routing.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::cli::{Context, Overwriting};
use crate::export::opensm::{FILES, OpensmFiles};
use crate::report::labelled;
use crate::routing::Instance;
use crate::routing::lid_tables::LidTables;

/// Checks that the files may be written.
///
/// # Errors
/// When one of them would replace a file that routebound did not write.
pub(super) fn check_files(folder: &Path, allowed: Overwriting) -> Result<()> {
    FILES.iter().try_for_each(|(name, _)| allowed.file(&folder.join(name)))
}

/// Writes the files into a folder.
///
/// # Errors
/// When the routing cannot be written so, or stdout fails.
pub(super) fn write(instance: &Instance, folder: &Path, context: &Context) -> Result<()> {
    let Instance { topology, routing, .. } = instance;
    let progress = context.progress(LidTables::work(topology), "destinations");
    let opensm = OpensmFiles::of(topology, &**routing, &progress)?;
    drop(progress);
    let mut files = Vec::new();
    for (name, write) in opensm.files() {
        let path = folder.join(name);
        if !context.write_into_folder(&path, |out| Ok(write(&opensm, out)?)) {
            return Ok(());
        }
        files.push(path.display().to_string());
    }
    // What a routing with another LMC left there would say which LIDs to use.
    let stale = folder.join("lids.csv");
    if !opensm.needs_choice() && stale.is_file() {
        fs::remove_file(&stale).with_context(|| format!("cannot remove `{}`", stale.display()))?;
    }
    let (lmc, least) = (opensm.lmc(), opensm.tables().lmc());
    let is_least = opensm.tables().is_least();
    let record = json!({
        "topology": topology.spec(),
        "routing": routing.spec(),
        "export": {
            "format": "opensm",
            "folder": folder.display().to_string(),
            "files": files,
            "lmc": lmc,
            "needed_lmc": least,
            "is_least": is_least,
        },
    });
    context.show(&record, || text(&opensm, instance, folder))
}

fn text(
    opensm: &OpensmFiles,
    Instance { topology, routing, .. }: &Instance,
    folder: &Path,
) -> String {
    let (lmc, least) = (opensm.lmc(), opensm.tables().lmc());
    let known = match (lmc > least, opensm.tables().is_least()) {
        (true, _) => format!("that of the fabric, which keeps its LIDs; {least} suffices"),
        (false, true) => "no smaller one suffices".to_string(),
        (false, false) => "whether a smaller one suffices is not known".to_string(),
    };
    let lids = 1_u32 << lmc;
    let plural = if lids == 1 { "" } else { "s" };
    let tables = folder.join("opensm-lfts.dump");
    let lines = [
        format!("LMC       {lmc}: {lids} LID{plural} per host ({known})"),
        format!("load      opensm -R file -U {} -l {lmc}", tables.display()),
        format!("files     see {}", folder.join("README.txt").display()),
    ];
    let notes = labelled("note", 10, &routing.notes());
    format!("{} on {}, for OpenSM\n{}\n{notes}", routing.spec(), topology.spec(), lines.join("\n"))
}
