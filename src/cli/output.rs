//! Outputs: stdout, or a file that is written as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Error, Result, bail};

/// Runs `write` on stdout.
pub(super) fn to_stdout(write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out)?;
    out.flush().context("cannot write to stdout")
}

/// Runs `write` on a new file beside `path`, which then replaces it. If `path` is a link, the
/// file that it points to is replaced; a device or a pipe is written directly.
pub(super) fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let target = followed(path).with_context(cannot)?;
    if fs::metadata(&target).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let mut out =
            BufWriter::new(File::options().write(true).open(&target).with_context(cannot)?);
        write(&mut out).map_err(|error| naming(error, cannot))?;
        return out.flush().with_context(cannot);
    }
    if target.is_dir() {
        bail!("cannot write {}: it is a folder, not a file", path.display());
    }
    let mut file = beside(&target).with_context(cannot)?;
    let _unfinished = Unfinished::new(file.path());
    let mut out = BufWriter::new(file.as_file_mut());
    write(&mut out).map_err(|error| naming(error, cannot))?;
    out.flush().with_context(cannot)?;
    drop(out);
    file.persist(&target).map_err(|failed| failed.error).with_context(cannot)?;
    Ok(())
}

/// An error of the disk with the file that it is about; any other says itself what is wrong.
fn naming(error: Error, cannot: impl Fn() -> String) -> Error {
    let is_of_disk = error.chain().any(<dyn std::error::Error>::is::<io::Error>);
    if is_of_disk { error.context(cannot()) } else { error }
}

/// Checks that a file can be written, before there is anything to write: an empty one is made beside it, and
/// removed again.
///
/// # Errors
/// The errors that writing it would have.
pub(super) fn try_file(path: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    if path == Path::new("-") {
        return Ok(());
    }
    let target = followed(path).with_context(cannot)?;
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => {
            bail!("cannot write {}: it is a folder, not a file", path.display())
        }
        // To open a pipe might take forever.
        Ok(found) if !found.is_file() => Ok(()),
        _ => beside(&target).map(drop).with_context(cannot),
    }
}

/// Checks that files can be written into a folder, which need not exist yet.
///
/// # Errors
/// The errors that creating it, or a file in it, would have.
pub(super) fn try_folder(path: &Path) -> Result<()> {
    let cannot = || format!("cannot write into the folder {}", path.display());
    let existing =
        path.ancestors().map(or_here).find(|folder| fs::symlink_metadata(folder).is_ok());
    let existing = existing.unwrap_or_else(|| Path::new("."));
    if !existing.is_dir() {
        bail!("{}: {} is not a folder", cannot(), existing.display());
    }
    beside(&existing.join("file")).map(drop).with_context(cannot)
}

/// The working directory in place of an empty path.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Marks a file as one that is being written.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
        Self(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes half-written files, for when the process ends at once.
pub(super) fn discard() {
    for path in &*UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) {
        // What cannot be removed stays: there is no way left to report it.
        let _ = fs::remove_file(path);
    }
}

/// Maximum number of symbolic links followed from one path, as on Linux.
const MAX_LINKS: usize = 40;

/// The target of a path that is a link, whether or not there is a file at the end.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        // A relative link is relative to the folder of the link.
        target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("too many links follow each other"))
}

/// The error without the name of the file beside the target, which the user does not know.
#[expect(clippy::needless_pass_by_value, reason = "maps errors")]
fn unnamed(error: io::Error) -> io::Error {
    error.kind().into()
}

/// An empty file in the folder of `target`, with its permissions, or those of any new file.
fn beside(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = or_here(target.parent().unwrap_or_else(|| Path::new(".")));
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // Less what the user's umask removes, as for any file that a program creates.
        use std::os::unix::fs::PermissionsExt as _;
        let old = fs::metadata(target).map(|found| found.permissions());
        builder.permissions(old.unwrap_or_else(|_| fs::Permissions::from_mode(0o666)));
    }
    builder.prefix(".routebound-").tempfile_in(folder).map_err(unnamed)
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        to_file(&path, |out| Ok(out.write_all(b"old")?)).unwrap();
        let failed = to_file(&path, |out| {
            out.write_all(b"half")?;
            bail!("stopped")
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        to_file(&path, |out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn an_error_names_the_file_that_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out");
        let error = format!("{:#}", to_file(&path, |_| Ok(())).unwrap_err());
        assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        assert!(!error.contains(".routebound-"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_is_not_there_stays_a_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (link, ring) = (folder.path().join("link"), folder.path().join("ring"));
        symlink("later", &link).unwrap();
        to_file(&link, |out| Ok(out.write_all(b"through")?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("later")).unwrap(), "through");
        symlink("ring", &ring).unwrap();
        assert!(to_file(&ring, |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        to_file(&path, |_| Ok(())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        to_file(&path, |out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert!(try_file(&file).is_ok() && try_folder(&folder.path().join("a/b")).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(&file, "old").unwrap();
        assert!(try_file(&file).is_ok());
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert!(try_file(folder.path()).is_err() && try_file(&file.join("in")).is_err());
        assert!(try_folder(&file).is_err() && try_folder(&file.join("in/it")).is_err());
    }

    #[test]
    fn a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(to_file(folder.path(), |_| Ok(())).is_err());
        assert!(to_file(&folder.path().join("none/out"), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions() {
        use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        to_file(&file, |_| Ok(())).unwrap();
        let plain = File::create(folder.path().join("plain")).unwrap();
        let mode = |found: fs::Metadata| found.permissions().mode() & 0o777;
        assert_eq!(mode(fs::metadata(&file).unwrap()), mode(plain.metadata().unwrap()));
        symlink(&file, &link).unwrap();
        to_file(&link, |out| Ok(out.write_all(b"through")?)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "through");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        to_file(Path::new("/dev/null"), |out| Ok(out.write_all(b"x")?)).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
