//! The program `routebound`: this file decides nothing but its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    routebound::cli::run()
}
