//! No text makes a reader of traces or programs panic, and what it reads is written so that it reads as the
//! same. They have no verb yet, so they are not targets like the others.

use std::fs;

use proptest::prelude::*;
use routebound::import::traffic::{Hosts, flows_of};
use routebound::simulation::workload::{
    Program, Trace, WorkloadError, read_flows, read_program, read_trace, write_program, write_trace,
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

/// Flows of other simulators, whose times are rounded: what is written of them is a trace.
fn judge_flows(text: &[u8], head: &str) -> Result<bool, TestCaseError> {
    let read = flows_of("x", head).expect("a format of flows");
    match read_flows("x", &mut &*text, Hosts::Numbered(9), read) {
        Ok(found) => {
            let mut written = Vec::new();
            write_trace(&found, &mut written).unwrap();
            prop_assert!(trace(&written).unwrap() == found, "{}", String::from_utf8_lossy(text));
            Ok(true)
        }
        Err(error) => {
            prop_assert!(can_be_shown(&error.to_string()), "{}", error);
            Ok(false)
        }
    }
}

const FLOWS: [&str; 2] = [
    "Nodes 4\nConnections 2\n0->1 id 1 start 5000 size 100\n2->0 id 2 start 0 size 7\n",
    "2\n0 1 3 100 2000 2.0\n2 1 3 100 50 0.5\n",
];

#[test]
fn flows_are_read() {
    assert!(FLOWS.iter().all(|text| judge_flows(text.as_bytes(), text).unwrap()));
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn changed_flows(which in 0..FLOWS.len(), changes in any_changes()) {
        judge_flows(&changed(FLOWS[which].as_bytes(), &changes), FLOWS[which])?;
    }

    #[test]
    fn changed_workloads(is_program in any::<bool>(), changes in any_changes()) {
        judge(&changed(&seed(is_program), &changes), is_program)?;
    }
}
