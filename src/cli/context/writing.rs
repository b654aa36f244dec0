//! Writing of the files of a run, and errors in that.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::PoisonError;

use anyhow::{Context as _, Result, bail};

use super::{Context, unless_closed};
use crate::assessment::NoCertificate;
use crate::certificate::Certificate;
use crate::cli::{Outcome, inputs, output};
use crate::input::was_opened;

impl Context {
    /// Writes a file as a whole or not at all; `-` is stdout.
    ///
    /// # Errors
    /// When `write` fails or the file cannot be written; when this run has already read or written
    /// it; when it would replace one that routebound did not write.
    pub fn write(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        if path == Path::new("-") {
            self.ending.forget_file(path);
            return unless_closed(self.ending.streaming(|| output::to_stdout(write)));
        }
        if was_opened(path) {
            bail!("`{}` would overwrite an input of this run: name another file", path.display());
        }
        self.overwriting().file(path)?;
        self.rewrite(path, write)
    }

    /// Writes a file beside the result: where this fails, the run continues, prints its result and ends with the
    /// error of the first such file. Whether the file was written.
    pub fn write_beside(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> bool {
        self.beside(self.write(path, write)).is_some()
    }

    /// Writes a certificate beside the result, with the names and digests of the files that it is about.
    pub fn write_certificate(&self, path: &Path, certificate: &Certificate) {
        self.write_beside(path, |out| inputs::write(certificate, out));
    }

    /// Writes the certificate that was asked for, or remarks why there is none.
    pub fn write_found(&self, path: Option<&Path>, found: Result<&Certificate, &NoCertificate>) {
        match (path, found) {
            (Some(path), Ok(certificate)) => self.write_certificate(path, certificate),
            (Some(_), Err(why)) => self.remark(&format!("no certificate was written: {why}")),
            (None, _) => {}
        }
    }

    /// Writes a file beside the result, in a folder that is created if needed. Returns whether it was written.
    pub fn write_into_folder(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> bool {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let made = folder.map_or(Ok(()), |folder| {
            let cannot = || format!("cannot create the folder {}", folder.display());
            fs::create_dir_all(folder).with_context(cannot)
        });
        self.beside(made.and_then(|()| self.write(path, write))).is_some()
    }

    /// Keeps an error of writing a file beside the result for the end of the run.
    pub fn beside<T>(&self, written: Result<T>) -> Option<T> {
        let error = match written {
            Ok(written) => return Some(written),
            Err(error) => error,
        };
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        if unwritten.is_some() {
            self.remark(&format!("not written: {error:#}"));
        }
        unwritten.get_or_insert(error);
        None
    }

    /// How a run ends whose verb ended so: with an error if a file beside the result was not written. Where the
    /// verb failed as well, its error comes last.
    pub(in crate::cli) fn ended(&self, result: Result<Outcome>) -> Result<Outcome> {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        match (result, unwritten.take()) {
            (Err(error), Some(file)) => {
                self.remark(&format!("not written: {file:#}"));
                Err(error)
            }
            (result, None) => result,
            (Ok(_), Some(file)) => Err(file),
        }
    }

    /// Writes a file as a whole or not at all, also one that this run has read or that routebound did not write,
    /// as the user asked to change just this file.
    ///
    /// # Errors
    /// When `write` fails or the file cannot be written; when this run has already written it.
    pub fn rewrite(
        &self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if path.canonicalize().is_ok_and(|path| written.contains(&path)) {
            bail!("`{}` would be written twice by this run: name another file", path.display());
        }
        output::to_file(path, write)?;
        self.ending.forget_file(path);
        // A device or a pipe may be written several times.
        written.extend(path.canonicalize().ok().filter(|path| path.is_file()));
        drop(written);
        self.remark(&format!("wrote {}", path.display()));
        Ok(())
    }
}
