//! Certificates and their checker: accepted where they prove their claims, refused for every
//! possible reason.

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../common/program.rs"]
mod program;

mod format;
mod least;
mod lengths_covers;
mod optimum;
mod product;
mod refusals;
mod single_path;
mod unreadable;
mod written_out;
