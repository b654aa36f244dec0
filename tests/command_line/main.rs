//! The program as its users meet it: files that are read, verbs, outputs, stops, the README.

#[path = "../common/collection.rs"]
mod collection;

mod adaptive;
mod cli;
mod command_lines;
mod deliver;
mod exports;
mod fabrics;
mod files;
mod html;
mod inputs;
mod names;
mod networks;
mod nonblocking;
mod output;
mod parts;
mod product;
mod program;
mod readme;
mod shapes;
mod shards;
mod shared_programmes;
mod sim;
mod stopping;
mod stopping_synth;
mod suites;
mod traffic_files;
