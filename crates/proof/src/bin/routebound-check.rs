//! The program `routebound-check`: checks certificates that hold their instances, for auditors.
//!
//! It prints what `routebound check` prints, and has nothing that generates networks or routings. Built
//! without the features of this crate it is what has to be read to trust a certificate.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use routebound_proof::certificate::{self, NetworkForm, ReadError};
use routebound_proof::checker::{self, Accepted, NoNames, Refusal};
use routebound_proof::input::{Input, InputError};
use routebound_proof::limit::TooLarge;
use routebound_proof::quote::{message, printable};

const USAGE: &str = "Usage: routebound-check [OPTIONS] FILE...";

const HELP: &str = "
Arguments:
  FILE...  Certificates whose network and routing are written out; `-` is stdin

Options:
  -h, --help     Print help
  -V, --version  Print version

Exit codes: 0 all are verified, 1 a certificate was refused, 2 bad usage or input, 3 a limit was reached
";

/// Why a named instance is refused.
const NAMED: &str = "the certificate names its network, and this program knows no names: \
    make it again with `ratio --embed`, or use `routebound check`";

/// What the arguments ask for.
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

/// What is known of a certificate: what it proves of which instance, or why it is refused.
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

/// Judges every file, and returns the exit code.
fn check(files: &[OsString]) -> io::Result<u8> {
    let (mut is_refused, mut first_unjudged) = (false, None);
    for file in files.iter().map(Path::new) {
        // What is wrong with one file says nothing about the next.
        match judged(file) {
            Ok(verdict) => {
                is_refused |= verdict.is_err();
                let name = if files.len() > 1 { Some(file.display()) } else { None };
                print(&text(name, &verdict))?;
            }
            Err(unjudged) => first_unjudged = first_unjudged.or(Some(unjudged)),
        }
    }
    Ok(match first_unjudged {
        _ if is_refused => 1,
        None => 0,
        Some(Unjudged { why, is_limit }) => {
            complain(&format!("error: {}", message(&why)));
            if is_limit { 3 } else { 2 }
        }
    })
}

/// Reads and checks one file.
fn judged(file: &Path) -> Result<Verdict, Unjudged> {
    let cannot = |why: &dyn Display, is_limit| Unjudged {
        why: format!("cannot check {}: {why}", file.display()),
        is_limit,
    };
    let input = Input::open(file, certificate::MAX_BYTES).map_err(|error| Unjudged {
        why: error.to_string(),
        is_limit: matches!(error, InputError::TooLarge(_)),
    })?;
    let certificate = match certificate::read(input) {
        Ok(certificate) => certificate,
        Err(ReadError::TooLarge(limit)) => return Err(cannot(&limit, true)),
        Err(ReadError::Io(error)) => {
            let is_limit = error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<TooLarge>);
            return Err(cannot(&ReadError::Io(error), is_limit));
        }
        Err(error) => return Ok(Err(error.to_string())),
    };
    if matches!(certificate.network(), NetworkForm::Named(_)) {
        return Ok(Err(NAMED.to_string()));
    }
    let folder = file.parent().unwrap_or_else(|| Path::new(""));
    match checker::check_in(&certificate, &NoNames, folder) {
        Ok(claims) => Ok(Ok((claims, certificate.instance()))),
        // What is too large is not judged: neither verified nor wrong.
        Err(Refusal::TooLarge(limit)) => Err(cannot(&limit, true)),
        Err(refusal) => Ok(Err(refusal.to_string())),
    }
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
