//! Exact analysis through the library: loads, optimal loads, worst cases, on trees and elsewhere.

#![expect(clippy::too_many_lines, reason = "tables of cases are long")]

#[path = "../common/collection.rs"]
mod collection;
#[path = "../common/eventually.rs"]
mod eventually;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../common/program.rs"]
mod program;
#[path = "../common/trees.rs"]
mod trees;

mod adaptive;
mod adaptive_rates;
mod all_routings;
mod ancestors;
mod any_network;
mod broken;
mod dependencies;
mod examples;
mod failure_sets;
mod failure_sets_bounds;
mod failures;
mod host_classes;
mod irregular;
mod kpath;
mod loads;
mod more_time;
mod names;
mod optu;
mod oracle;
mod packets;
mod planes;
mod product;
mod routings;
mod slimmed;
mod tables;
mod tori;
mod traffic;
mod universal;
mod workload;
mod worst_bounds;
mod worst_traffic;
