//! Tables against the paths that they were made from.

use super::*;
use crate::advice::{Advice, Remedy};
use crate::progress::Stop;
use crate::rational::Rational;
use crate::routing::{Instance, Visit};
use crate::topology::host_number;

/// Every pair of `ft(4,2)` alternates between its two roots.
struct TwoPaths(Instance);

impl Routing for TwoPaths {
    fn spec(&self) -> &'static str {
        "two-paths"
    }
    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let tree = self.0.topology.tree().unwrap();
        for root in 0..2 {
            links.clear();
            tree.push_path(s, d, &[0, root][..tree.nca_level(s, d)], links);
            visit(&Rational::new(1, 2).unwrap(), links);
        }
    }
}

#[test]
fn following_the_table_reproduces_every_path() {
    for topology in ["ft(4,2)", "ft(6,2)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)"] {
        let Instance { topology, routing } = Instance::named(topology, "dmodk").unwrap();
        let next = NextLinks::of(&topology, &*routing, &Progress::silent()).unwrap();
        let hosts = host_number(topology.hosts());
        for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
            if s != d {
                routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
                    let (mut node, mut walked) = (s, Vec::new());
                    while node != d {
                        walked.push(next.get(node, d).unwrap());
                        node = topology.ends(walked[walked.len() - 1]).unwrap().1;
                    }
                    assert_eq!(walked, path);
                });
            }
        }
    }
}

#[test]
fn names_where_two_sources_part() {
    // Hosts 2 and 3 have digits M1 = 0 and 1 at leaf sw-1-1: S-mod-k sends them to roots 0
    // and 1, via ports 3 and 4. No lower destination or source has a conflict.
    let Instance { topology, routing } = Instance::named("ft(4,2)", "smodk").unwrap();
    let error = NextLinks::of(&topology, &*routing, &Progress::silent()).unwrap_err();
    let expected = ForwardingError::Conflict {
        routing: "smodk".into(),
        node: "sw-1-1".into(),
        destination: 0,
        sources: [2, 3],
        called: Box::new(["0", "2", "3"].map(String::from)),
        links: Box::new(["sw-1-1[3] -> sw-2-0[2]".into(), "sw-1-1[4] -> sw-2-1[2]".into()]),
        advice: Advice::new("write its paths instead", &[Remedy::WritePaths]),
    };
    assert_eq!(error, expected);
    assert!(error.to_string().contains("write its paths instead"), "{error}");
}

#[test]
fn refuses_two_paths_of_one_pair() {
    let routing = TwoPaths(Instance::named("ft(4,2)", "dmodk").unwrap());
    match NextLinks::of(&routing.0.topology, &routing, &Progress::silent()) {
        Err(ForwardingError::Conflict { destination: 0, sources: [2, 2], .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn refuses_large_tables_and_stops() {
    let Instance { topology, routing } = Instance::named("kary(2,15)", "dmodk").unwrap();
    let error = NextLinks::of(&topology, &*routing, &Progress::silent()).unwrap_err();
    assert!(matches!(error, ForwardingError::TooLarge(_)), "{error}");
    let stop = Stop::default();
    stop.request();
    let Instance { topology, routing } = Instance::named("ft(4,2)", "dmodk").unwrap();
    let progress = Progress::silent().stopped_by(stop);
    let error = NextLinks::of(&topology, &*routing, &progress).unwrap_err();
    assert_eq!(error, ForwardingError::Stopped(Stopped));
}
