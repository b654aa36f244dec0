//! The program `routebound-check`: checks certificates that hold their instances, for auditors.
//!
//! It prints what `routebound check` prints, and has nothing that generates networks or routings, nor reads compressed
//! files. Built without the features of this crate it is what must be read to trust a certificate: `checker` of the
//! library says how many lines that are, and what counts them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use routebound_proof::certificate::{self, ReadError};
use routebound_proof::checker::{self, Accepted, Refusal};
use routebound_proof::quote::{message, printable};

const USAGE: &str = "Usage: routebound-check [OPTIONS] FILE...";

const HELP: &str = "
Arguments:
  FILE...  Certificates whose network and routing are written out; `-` is stdin

Options:
  -h, --help     Print help
  -V, --version  Print version

Exit codes: 0 all are verified, 1 one was refused, otherwise 2 bad usage or input, otherwise 3 a limit was reached
";

/// Why a named instance is refused.
const NAMED: &str = "the certificate names its network, and this program knows no names: \
    write it out with `routebound embed`, or use `routebound check`";

/// The first bytes of gzip-compressed data.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The request of the arguments.
enum Request {
    Check(Vec<OsString>),
    Help,
    Version,
}

/// Why a certificate was neither verified nor refused.
struct Unjudged {
    why: String,
    /// It is beyond a limit.
    is_limit: bool,
}

/// The verdict on a certificate: what it proves of which instance, or why it is refused.
type Verdict = Result<(Vec<Accepted>, String), String>;

fn main() -> ExitCode {
    let printed = match request(env::args_os().skip(1)) {
        Ok(Request::Check(files)) => check(&files),
        Ok(Request::Help) => {
            let about = env!("CARGO_PKG_DESCRIPTION");
            print(&format!("{about}\n\n{USAGE}\n{HELP}")).map(|()| 0)
        }
        Ok(Request::Version) => {
            let version = env!("CARGO_PKG_VERSION");
            print(&format!("routebound-check {version}\n")).map(|()| 0)
        }
        Err(wrong) => {
            let wrong = message(&wrong);
            complain(&format!("error: {wrong}\n\n{USAGE}\n\nFor more information, try '--help'."));
            Ok(2)
        }
    };
    ExitCode::from(printed.unwrap_or_else(|error| {
        complain(&format!("error: cannot write to stdout: {error}"));
        2
    }))
}

/// Reads the arguments.
fn request(arguments: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let (mut files, mut only_files) = (Vec::new(), false);
    for argument in arguments {
        match argument.to_str() {
            _ if only_files => files.push(argument),
            Some("--") => only_files = true,
            Some("-h" | "--help") => return Ok(Request::Help),
            Some("-V" | "--version") => return Ok(Request::Version),
            Some(option) if option.len() > 1 && option.starts_with('-') => {
                return Err(format!("unexpected argument '{option}' found"));
            }
            _ => files.push(argument),
        }
    }
    if files.is_empty() {
        return Err("the following required arguments were not provided:\n  <FILE>...".into());
    }
    Ok(Request::Check(files))
}

/// Judges every file, and returns the exit code: what is wrong with one says nothing about the next.
fn check(files: &[OsString]) -> io::Result<u8> {
    let mut worst = 0;
    for (at, file) in files.iter().enumerate() {
        let code = match judged(Path::new(file), files[..at].contains(file)) {
            Ok(verdict) => {
                let name = (files.len() > 1).then(|| Path::new(file).display());
                print(&text(name, &verdict))?;
                u8::from(verdict.is_err())
            }
            Err(Unjudged { why, is_limit }) => {
                complain(&format!("error: {}", message(&why)));
                if is_limit { 3 } else { 2 }
            }
        };
        worst = worse(worst, code);
    }
    Ok(worst)
}

/// The worse of two exit codes: worst is a refusal, then what could not be read, then a limit.
fn worse(one: u8, other: u8) -> u8 {
    if one == 0 || other == 0 { one | other } else { one.min(other) }
}

/// Reads and checks one file, which may have been read before.
fn judged(file: &Path, again: bool) -> Result<Verdict, Unjudged> {
    let reader = open(file, again).map_err(|why| Unjudged { why, is_limit: false })?;
    let cannot = |why: &dyn Display, is_limit| Unjudged {
        why: format!("cannot check {}: {why}", file.display()),
        is_limit,
    };
    let certificate = match certificate::read(reader) {
        Ok(certificate) => certificate,
        Err(ReadError::TooLarge(limit)) => return Err(cannot(&limit, true)),
        Err(error @ ReadError::Io(_)) => return Err(cannot(&error, false)),
        Err(ReadError::Named(_)) => return Ok(Err(NAMED.to_string())),
        Err(error) => return Ok(Err(error.to_string())),
    };
    match checker::check(&certificate) {
        Ok(claims) => Ok(Ok((claims, certificate.instance()))),
        // What is too large is not judged: neither verified nor wrong.
        Err(Refusal::TooLarge(limit)) => Err(cannot(&limit, true)),
        Err(Refusal::Named) => Ok(Err(NAMED.to_string())),
        Err(refusal) => Ok(Err(refusal.to_string())),
    }
}

/// Opens a file or stdin, which can be read once.
fn open(file: &Path, again: bool) -> Result<Box<dyn BufRead>, String> {
    let shown = file.display();
    let unreadable = |why: &dyn Display| format!("{shown}: cannot be read: {why}");
    let mut reader: Box<dyn BufRead> = if file == OsStr::new("-") {
        if again {
            let remedy = "name a file or pipe for one of them";
            return Err(format!("`-` is given twice, but stdin is read only once: {remedy}"));
        }
        Box::new(io::stdin().lock())
    } else {
        match fs::metadata(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(format!("{shown}: no such file"));
            }
            Err(error) => return Err(unreadable(&error)),
            Ok(known) if known.is_dir() => return Err(unreadable(&"it is a folder, not a file")),
            Ok(_) => Box::new(BufReader::new(File::open(file).map_err(|why| unreadable(&why))?)),
        }
    };
    if reader.fill_buf().map_err(|why| unreadable(&why))?.starts_with(GZIP) {
        return Err(unreadable(&"it is gzip-compressed: decompress it first"));
    }
    Ok(reader)
}

/// A verdict as it is printed.
fn text(file: Option<impl Display>, verdict: &Verdict) -> String {
    let file = file.map_or_else(String::new, |file| format!("{file}: "));
    match verdict {
        Ok((claims, instance)) => {
            let claims: Vec<String> = claims.iter().map(ToString::to_string).collect();
            format!("{file}s VERIFIED {} ({instance})\n", claims.join(", "))
        }
        Err(reason) => format!("{file}s NOT VERIFIED {reason}\n"),
    }
}

/// Prints on stdout, whose reader may have read all it wanted.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(printable(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints on stderr; if that is closed, the exit code has to suffice.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
