//! Runs of the program that are stopped by their time limit or by a signal. Nothing here depends on how busy the
//! machine is: a signal is sent once the program is at work, and only a hang takes [`HANGS`].
//!
//! Each test binary says with `crate::ENDS_WITHIN` how soon a run has to end: `HANGS`, or the promise of one second
//! where nothing else runs on the machine (`tests/promptness`).

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use crate::ENDS_WITHIN;
use crate::program::Run;

/// A run that continues for this long after its stop hangs.
pub const HANGS: Duration = Duration::from_mins(2);

/// How a run is stopped.
#[derive(Clone, Copy, Debug)]
pub enum How {
    /// By `--time-limit`, in seconds.
    Limit(f64),
    /// By a signal, when the program handles it and has used this much processor time.
    Signal(&'static str, Duration),
}

impl How {
    /// With twice the time, which is not more than two minutes.
    fn later(self) -> Option<Self> {
        match self {
            Self::Limit(limit) => (limit < 60.0).then_some(Self::Limit(2.0 * limit.max(0.1))),
            Self::Signal(signal, work) => {
                let twice = 2 * work.max(Duration::from_millis(50));
                (work < Duration::from_mins(1)).then_some(Self::Signal(signal, twice))
            }
        }
    }
}

/// Sends a signal, `INT`, `TERM` or `HUP`, or several at once: `INT TERM`.
pub fn send(signals: &str, process: u32) {
    let kills: Vec<String> =
        signals.split(' ').map(|signal| format!("kill -s {signal} {process}")).collect();
    let sent = Command::new("sh").args(["-c", &kills.join(" && ")]).status().unwrap();
    assert!(sent.success(), "it ended before it was stopped");
}

/// Runs that are timed take turns.
static ALONE: Mutex<()> = Mutex::new(());

/// A run that is stopped: it ends within [`ENDS_WITHIN`] of its stop, with exit code 3.
pub fn stopped(mut command: Command, how: How) -> Run {
    if let How::Limit(limit) = how {
        command.args(["--time-limit", &limit.to_string()]);
    }
    let run = ended(&mut command, |process| match how {
        How::Limit(limit) => Duration::from_secs_f64(limit),
        How::Signal(signal, work) => {
            wait_for_work(process, work);
            send(signal, process);
            Duration::ZERO
        }
    });
    run.expects(3)
}

/// [`stopped`] of a run that by then has to know something. A busy machine may leave little of a time limit, and of the
/// half second after any stop in which a run ends by itself: it gets twice the time until it knows, up to a minute.
pub fn stopped_knowing(
    command: impl Fn() -> Command,
    how: How,
    knows: impl Fn(&Run) -> bool,
) -> Run {
    let run = stopped(command(), how);
    match how.later() {
        Some(later) if !knows(&run) => stopped_knowing(command, later, knows),
        _ => run,
    }
}

/// Runs a command and does something meanwhile, which says how long the run may continue beyond [`ENDS_WITHIN`]. One that
/// continues for longer is killed and fails.
pub fn ended(command: &mut Command, meanwhile: impl FnOnce(u32) -> Duration) -> Run {
    running(command.stdout(Stdio::piped()).stderr(Stdio::piped()), meanwhile)
}

/// A process that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Most have ended by then.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// [`ended`] for a command whose output may go elsewhere.
pub fn running(command: &mut Command, meanwhile: impl FnOnce(u32) -> Duration) -> Run {
    let _turn = (ENDS_WITHIN < HANGS).then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner));
    let begun = Instant::now();
    let mut child = Running(command.spawn().unwrap());
    let (stdout, stderr) = (reader(child.0.stdout.take()), reader(child.0.stderr.take()));
    let limit = meanwhile(child.0.id());
    let stop = if limit.is_zero() { Instant::now() } else { begun + limit };
    let status = loop {
        if let Some(status) = child.0.try_wait().unwrap() {
            break status;
        }
        assert!(stop.elapsed() <= HANGS, "{command:?}: still runs {HANGS:?} after its stop");
        sleep(Duration::from_millis(2));
    };
    let late = stop.elapsed();
    let output = Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() };
    let run = Run::new(command, output);
    assert!(late <= ENDS_WITHIN, "ended {late:?} after its stop: {run:?}");
    run
}

/// What a process writes to a pipe, if it is one.
fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut text).unwrap();
        }
        text
    })
}

/// Waits for an event.
pub fn wait_until(has_happened: impl Fn() -> bool) {
    let begun = Instant::now();
    while !has_happened() {
        assert!(begun.elapsed() < HANGS, "what was waited for does not happen");
        sleep(Duration::from_millis(2));
    }
}

/// Waits until a process handles Ctrl-C and has used this much processor time.
#[cfg(target_os = "linux")]
pub fn wait_for_work(process: u32, work: Duration) {
    wait_until(|| handles_interrupts(process) && processor_time(process) >= work);
}

/// Elsewhere nothing says what a process does: enough time for a quiet machine.
#[cfg(not(target_os = "linux"))]
pub fn wait_for_work(_: u32, work: Duration) {
    let begun = Instant::now();
    wait_until(|| begun.elapsed() >= Duration::from_millis(500) + work);
}

#[cfg(target_os = "linux")]
fn handles_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.expect("it ended before it was stopped").trim();
    // Signal 2 is the second bit.
    u64::from_str_radix(caught, 16).unwrap() & 2 != 0
}

/// That of all threads, user and system, in ticks of 10 ms.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name before the last parenthesis may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    assert_ne!(fields[0], "Z", "it ended before it was stopped");
    let ticks = |at: usize| fields[at].parse::<u64>().unwrap();
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}
