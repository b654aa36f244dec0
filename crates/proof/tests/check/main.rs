//! The program `routebound-check`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

mod transcript;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The program, or the one that the variable names: `make test` builds it without the features of the crate.
fn program() -> PathBuf {
    env::var_os("ROUTEBOUND_CHECK").unwrap_or(env!("CARGO_BIN_EXE_routebound-check").into()).into()
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program in the folder of the certificates; exit code, output, messages.
fn check(arguments: &[&str]) -> (i32, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check");
    let run = Command::new(program()).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (run.status.code().unwrap(), text(run.stdout), text(run.stderr))
}

/// `tests/certificates/written_out.rs` of the package `routebound` compares the same text with its program.
#[test]
fn it_prints_what_the_program_routebound_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check");
    transcript::judge_checker(&folder, &program(), "");
}

/// That file is also compared with the program `routebound`, and with this program as auditors build it.
#[test]
fn damaged_certificates_are_judged_as_by_the_program_routebound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check");
    transcript::judge_mutants(&folder, &program(), "");
}

/// Whatever they are about: names mean nothing here, and are not looked at.
#[test]
fn named_instances_are_refused() {
    let named = [
        "errata/kary-2-2-dmodk.cert",
        "local-adaptive/certificates/local-2-4.cert",
        "optimal-single-path/certificates/eft2-8-3-formula.cert",
    ];
    for path in named.map(|path| project().join("results").join(path)) {
        let (code, said, complaint) = check(&[path.to_str().unwrap()]);
        assert_eq!((code, complaint.as_str()), (1, ""), "{said}");
        assert_eq!(
            said,
            "s NOT VERIFIED the certificate names its network, and this program knows no names: \
             write it out with `routebound embed`, or use `routebound check`\n"
        );
    }
}

#[test]
fn arguments_are_files_or_ask_for_help() {
    let usage = "Usage: routebound-check [OPTIONS] FILE...";
    for wrong in
        [&[][..], &["--"], &["--json", "parallel.cert"], &["-x"], &["parallel.cert", "--threads=2"]]
    {
        let (code, said, complaint) = check(wrong);
        assert_eq!((code, said.as_str()), (2, ""), "{complaint}");
        assert!(complaint.starts_with("error: ") && complaint.contains(usage), "{complaint}");
    }
    for help in [&["--help"][..], &["-h"], &["parallel.cert", "--help"]] {
        let (code, said, complaint) = check(help);
        assert_eq!((code, complaint.as_str()), (0, ""));
        assert!(said.contains(usage) && said.contains("Exit codes"), "{said}");
    }
    let version = concat!("routebound-check ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(check(&["--version"]).1, version);
    assert_eq!(check(&["-V", "none.cert"]), (0, version.into(), String::new()));
    // Behind `--` all are files.
    let (code, _, complaint) = check(&["--", "--help"]);
    assert_eq!((code, complaint.as_str()), (2, "error: --help: no such file\n"));
}

#[test]
fn compressed_certificates_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parallel.cert.gz");
    fs::write(&path, [0x1f, 0x8b, 8]).unwrap();
    let path = path.to_str().unwrap();
    let why = "it is gzip-compressed: decompress it first";
    let expected = format!("error: {path}: cannot be read: {why}\n");
    assert_eq!(check(&[path]), (2, String::new(), expected));
}
