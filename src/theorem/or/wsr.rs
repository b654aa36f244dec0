//! \[OR\] VI: WSR, MLID and the scheme of \[9\], path by path.

use rayon::prelude::*;

use crate::registry::Kind;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, shape, uses,
};
use crate::topology::{Host, NodeId, Topology, Xgft};

pub(super) const SAME: Kind<Statement> = Kind {
    name: "or-wsr",
    usage: "or-wsr",
    about: "The scheme of [9] (D-mod-k) yields exactly the same routes as WSR",
    reference: "[OR] VI",
    examples: &["or-wsr"],
    build: Statement {
        hypothesis: "FT(m,2) and FT(m,3); path weight the sum of link weights, ties to the lowest path",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((_, 2 | 3))),
            check: |topology, scope| same(topology, scope, "wsr", false),
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const MIRRORED: Kind<Statement> = Kind {
    name: "or-symmetric",
    usage: "or-symmetric",
    about: "MLID and WSR have the same performance ratio for symmetrical traffic: the path of MLID from s to d is that of WSR from d to s, backwards",
    reference: "[OR] VI",
    examples: &["or-symmetric"],
    build: Statement {
        hypothesis: "FT(m,2) and FT(m,3)",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((_, 2 | 3))),
            check: |topology, scope| same(topology, scope, "mlid", true),
        },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const BOTTLENECK: Kind<Statement> = Kind {
    name: "or-wsr-bottleneck",
    usage: "or-wsr-bottleneck",
    about: "The scheme of [9] (D-mod-k) yields the same routes as WSR where the weight of a path is its largest link weight",
    reference: "[OR] VI, read with a bottleneck weight",
    examples: &["or-wsr-bottleneck"],
    build: Statement {
        hypothesis: "FT(m,2) and FT(m,3)",
        subject: Subject::Networks {
            applies: |tree| matches!(shape::ft(tree), Some((_, 2 | 3))),
            check: bottleneck,
        },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "so only with summed weights: see or-wsr",
            on: |case| !case.starts_with("ft(2,"),
        }),
        ..Statement::UNREAD
    },
};

/// Whether `routing` has the routes of D-mod-k, of the mirrored pair where `backwards`.
fn same(
    topology: &Topology,
    scope: &Scope,
    routing: &str,
    backwards: bool,
) -> Result<Vec<Finding>, TheoremError> {
    let ours = scope.instance(topology.spec(), routing)?;
    let other = if backwards { "wsr" } else { "dmodk" };
    let other = scope.instance(topology.spec(), other)?;
    scope.progress.check()?;
    let pairs: Vec<(Host, Host)> = uses::all_pairs(topology.hosts()).collect();
    let differs = |(s, d): &&(Host, Host)| {
        let mut path = uses::nodes(&ours, *s, *d);
        if backwards {
            path.reverse();
        }
        let (s, d) = if backwards { (*d, *s) } else { (*s, *d) };
        path != uses::nodes(&other, s, d)
    };
    let wrong = pairs.par_iter().find_first(differs);
    let found = wrong.map_or_else(
        || "so for every pair".to_string(),
        |(s, d)| {
            let path = uses::nodes(&ours, *s, *d);
            format!("another path from {s} to {d}: nodes {path:?} by {routing}")
        },
    );
    let claimed = "the same routes";
    Ok(vec![Finding::holds(topology.spec(), claimed, found, wrong.is_none(), Basis::Exhaustive)])
}

fn bottleneck(topology: &Topology, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some(tree) = topology.tree() else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let dmodk = scope.instance(topology.spec(), "dmodk")?;
    let mut weights = vec![0_u32; topology.links()];
    let mut wrong = None;
    for (s, d) in uses::all_pairs(topology.hosts()) {
        scope.progress.check()?;
        let links = narrowest(tree, &weights, s, d);
        for link in &links {
            weights[*link as usize] += 1;
        }
        let heads = links.iter().filter_map(|link| Some(topology.ends(*link)?.1));
        let nodes: Vec<NodeId> = std::iter::once(s).chain(heads).collect();
        if nodes != uses::nodes(&dmodk, s, d) {
            wrong = Some((s, d, nodes));
            break;
        }
    }
    let found = wrong.as_ref().map_or_else(
        || "so for every pair".to_string(),
        |(s, d, nodes)| format!("another path from {s} to {d}: nodes {nodes:?}"),
    );
    let claimed = "the same routes";
    Ok(vec![Finding::holds(topology.spec(), claimed, found, wrong.is_none(), Basis::Exhaustive)])
}

/// The links of the shortest path whose largest weight is least, the lowest path on a tie.
fn narrowest(tree: &Xgft, weights: &[u32], s: Host, d: Host) -> Vec<u32> {
    let level = tree.nca_level(s, d);
    let path = |mut number: u32| {
        let mut up = vec![0; level];
        for (l, port) in up.iter_mut().enumerate().rev() {
            *port = number % tree.parents(l + 1);
            number /= tree.parents(l + 1);
        }
        let mut links = Vec::new();
        tree.push_path(s, d, &up, &mut links);
        links
    };
    let largest = |links: &Vec<u32>| links.iter().map(|link| weights[*link as usize]).max();
    (0..tree.shortest_paths(level)).map(path).min_by_key(largest).unwrap_or_default()
}
