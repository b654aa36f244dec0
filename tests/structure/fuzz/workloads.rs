//! No text makes a reader of traces or programs panic, and what it reads is written so that it reads as the
//! same. They have no verb yet and are no targets like the others.

use std::fs;

use proptest::prelude::*;
use routebound::import::traffic::Hosts;
use routebound::simulation::workload::{
    Program, Trace, WorkloadError, read_program, read_trace, write_program, write_trace,
};

use super::change::{any_changes, changed};
use super::targets::can_be_shown;
use super::{cases, files};

fn trace(mut text: &[u8]) -> Result<Trace, WorkloadError> {
    read_trace("x", &mut text, Hosts::Numbered(9))
}

fn program(mut text: &[u8]) -> Result<Program, WorkloadError> {
    read_program("x", &mut text, 9)
}

/// Whether a text is read; if so, it reads the same from what is written of it.
fn judge(text: &[u8], is_program: bool) -> Result<bool, TestCaseError> {
    let mut written = Vec::new();
    let found = if is_program {
        program(text).map(|found| {
            write_program(&found, &mut written).unwrap();
            program(&written).unwrap() == found
        })
    } else {
        trace(text).map(|found| {
            write_trace(&found, &mut written).unwrap();
            trace(&written).unwrap() == found
        })
    };
    match found {
        Ok(is_same) => {
            prop_assert!(is_same, "{}", String::from_utf8_lossy(text));
            Ok(true)
        }
        Err(error) => {
            prop_assert!(can_be_shown(&error.to_string()), "{}", error);
            Ok(false)
        }
    }
}

/// The instances.
fn seed(is_program: bool) -> Vec<u8> {
    let name = if is_program { "pipeline.goal" } else { "two_bursts.csv" };
    let path = files("instances/traces").into_iter().find(|path| path.ends_with(name)).unwrap();
    fs::read(path).unwrap()
}

#[test]
fn instances_are_read_and_not_as_each_other() {
    for is_program in [false, true] {
        assert!(judge(&seed(is_program), is_program).unwrap());
        assert!(!judge(&seed(is_program), !is_program).unwrap());
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn changed_workloads(is_program in any::<bool>(), changes in any_changes()) {
        judge(&changed(&seed(is_program), &changes), is_program)?;
    }
}
