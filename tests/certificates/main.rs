//! Certificates that analyses and searches write, and the verb `check`. The checker itself is tested in
//! `crates/proof/tests/certificates` and, where names are needed, `crates/networks/tests/certificates`.

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../common/program.rs"]
mod program;

mod examples;
mod format;
mod unreadable;
mod written_out;
