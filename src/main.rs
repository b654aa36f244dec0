//! The program `routebound`: its exit code is all that this file decides.

use std::process::ExitCode;

fn main() -> ExitCode {
    routebound::cli::run()
}
