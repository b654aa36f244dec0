//! Completions and man pages, in the programs that they are for.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{done, run, run_in};

/// What a program says of a file, if the program is installed here.
fn told(program: &str, arguments: &[&str], file: &Path) -> Option<Output> {
    let output = Command::new(program).args(arguments).arg(file).env("LC_ALL", "C.UTF-8").output();
    if output.is_err() {
        eprintln!("skipped: {program} is not installed");
    }
    output.ok()
}

/// Accepts a script if a shell that is installed reads it without complaint.
fn assert_reads(shell: &str, arguments: &[&str], script: &Path) {
    let Some(output) = told(shell, arguments, script) else { return };
    assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
}

#[test]
fn shells_read_their_completions() {
    let folder = tempfile::tempdir().unwrap();
    for (shell, name) in
        [("bash", "routebound.bash"), ("zsh", "_routebound"), ("fish", "routebound.fish")]
    {
        run_in(folder.path(), format!("generate complete-{shell} --output made")).expects(0);
        let script = folder.path().join("made").join(name);
        assert_eq!(
            fs::read_to_string(&script).unwrap(),
            done(format!("generate complete-{shell}"))
        );
        assert_reads(shell, &["-n"], &script);
    }
}

/// What bash offers for the last word of a line.
fn offered(script: &Path, words: &[&str]) -> Vec<String> {
    let line = "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
        _routebound routebound \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", line]).arg(script).args(words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

#[test]
fn bash_completes_verbs_options_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("routebound.bash");
    fs::write(&script, done("generate complete-bash")).unwrap();
    if told("bash", &["-n"], &script).is_none() {
        return;
    }
    assert_eq!(offered(&script, &["routebound", "rat"]), ["ratio"]);
    assert_eq!(offered(&script, &["routebound", "ratio", "--cert"]), ["--certificate"]);
    assert_eq!(offered(&script, &["routebound", "ratio", "ft(4,2)", "dmo"]), ["dmodk"]);
    assert_eq!(offered(&script, &["routebound", "attack", "--adversary", "cli"]), ["climb"]);
    assert_eq!(offered(&script, &["routebound", "topo", "--format", "ibs"]), ["ibsim"]);
    assert_eq!(offered(&script, &["routebound", "generate", "m"]), ["man"]);
    // The verbs are a list of the program; `help` is one as well.
    let mut verbs: Vec<String> = done("list verbs --names").lines().map(String::from).collect();
    verbs.push("help".to_string());
    let words = offered(&script, &["routebound", ""]);
    assert!(verbs.iter().all(|verb| words.contains(verb)), "{words:?}");
}

/// Programs that render man pages, with the arguments that make them complain of what is wrong.
const RENDERERS: [(&str, &[&str]); 2] =
    [("groff", &["-man", "-wmac", "-Tutf8", "-P-c"]), ("mandoc", &["-Werror,stop", "-Tutf8"])];

#[test]
fn man_pages_render_without_warnings() {
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), "generate man --output man1").expects(0);
    let mut count = 0;
    for page in fs::read_dir(folder.path().join("man1")).unwrap() {
        let page = page.unwrap().path();
        let name = page.display();
        for (program, arguments) in RENDERERS {
            let Some(output) = told(program, arguments, &page) else { continue };
            assert!(output.status.success() && output.stderr.is_empty(), "{name}: {output:?}");
            let text = String::from_utf8(output.stdout).unwrap();
            let text = without_overstriking(&text);
            for section in ["NAME", "SYNOPSIS", "EXIT STATUS", "SEE ALSO"] {
                assert!(text.contains(section), "{name}: {text}");
            }
        }
        count += 1;
    }
    assert_eq!(count, done("list verbs --names").lines().count() + 1);
}

/// A text without the letters that a backspace strikes over.
fn without_overstriking(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '\u{8}' => {
                plain.pop();
            }
            _ => plain.push(letter),
        }
    }
    plain
}

#[test]
fn man_pages_need_a_folder() {
    run("generate man").refuses(2, "name a folder for them with `--output`");
}
