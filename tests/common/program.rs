//! The one runner of the program: what a run prints and how it ends. A run that panics fails wherever it is looked at.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Arguments: a line with a space between any two of them, or a list.
pub trait Arguments {
    fn words(&self) -> Vec<String>;
}

impl Arguments for str {
    fn words(&self) -> Vec<String> {
        self.split(' ').map(String::from).collect()
    }
}

impl Arguments for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl<W: AsRef<str>> Arguments for [W] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_string()).collect()
    }
}

impl<W: AsRef<str>, const N: usize> Arguments for [W; N] {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<W: AsRef<str>> Arguments for Vec<W> {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<T: Arguments + ?Sized> Arguments for &T {
    fn words(&self) -> Vec<String> {
        (**self).words()
    }
}

/// The program with arguments, in the folder of the project, without anything on stdin.
pub fn program(arguments: impl Arguments) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_routebound"));
    program.args(arguments.words()).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    program
}

/// The program with so much memory, in KiB, where the system can limit it.
pub fn in_little_memory(kibibytes: u32, arguments: impl Arguments) -> Run {
    let limited = format!(r#"ulimit -v {kibibytes} 2>/dev/null; exec "$0" --threads 2 "$@""#);
    let program = env!("CARGO_BIN_EXE_routebound");
    Run::of(Command::new("sh").args(["-c", &limited]).arg(program).args(arguments.words()))
}

/// What a run printed, and its exit code.
#[derive(Clone, Debug)]
pub struct Run {
    pub command: String,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn new(command: &Command, output: Output) -> Self {
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(!stderr.contains("panicked"), "{command:?}: {stderr}");
        let code = output.status.code().unwrap();
        Self { command: format!("{command:?}"), code, stdout, stderr }
    }

    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self::new(command, output)
    }

    /// A run that reads `input`, as far as it reads.
    pub fn fed(command: &mut Command, input: impl AsRef<[u8]>) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program may refuse before it has read all.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        let output = child.wait_with_output().unwrap();
        Self::new(command, output)
    }

    /// The run, which must have ended with this code.
    pub fn expects(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// The run, which must have ended with this code and one line on stderr that has these words.
    pub fn refuses(self, code: i32, words: &str) -> Self {
        let run = self.expects(code);
        assert!(
            run.stderr.starts_with("error: ") && run.stderr.contains(words),
            "{words}: {run:?}"
        );
        assert_eq!(run.stderr.trim_end().lines().count(), 1, "{run:?}");
        run
    }

    /// The value that stdout consists of.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Stdout, then stderr.
    pub fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

pub fn run(arguments: impl Arguments) -> Run {
    Run::of(&mut program(arguments))
}

pub fn run_in(folder: &Path, arguments: impl Arguments) -> Run {
    Run::of(program(arguments).current_dir(folder))
}

/// What a run prints that must succeed.
pub fn done(arguments: impl Arguments) -> String {
    run(arguments).expects(0).stdout
}

/// What a run prints with `--json`, if it succeeds.
pub fn json(arguments: impl Arguments) -> Value {
    Run::of(program(arguments).arg("--json")).expects(0).json()
}

/// It ends with code 2 and says so.
pub fn refused(arguments: impl Arguments, says: &str) -> String {
    let run = run(arguments).expects(2);
    assert!(run.stderr.contains(says), "{says}: {run:?}");
    run.stderr
}
