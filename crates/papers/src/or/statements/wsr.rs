//! \[OR\] VI: WSR, MLID and the scheme of \[9\], path by path.

use crate::theorem::prelude::*;

pub(super) const SAME: Statement = Statement::new("or-wsr", "[OR] VI")
    .about("The scheme of [9] (D-mod-k) yields exactly the same routes as WSR")
    .hypothesis("FT(m,n), n >= 2; path weight the sum of link weights, ties to the lowest path")
    .quote("the path with the smallest accumulated weight is selected ... A recently proposed scheme [9] yields exactly the same routes as WSR.")
    .networks(
        |tree| matches!(shape::ft(tree), Some((_, 2..))),
        |topology, scope| same(topology, scope, "wsr", "dmodk"),
    )
    .planted(Planted::Network("ft(4,2)", |topology, scope| same(topology, scope, "wsr", "smodk")));

pub(super) const MIRRORED: Statement = Statement::new("or-symmetric", "[OR] VI")
    .about("MLID and WSR have the same performance ratio for symmetrical traffic: the path of MLID from s to d is that of WSR from d to s, reversed")
    .hypothesis("FT(m,n), n >= 2")
    .quote("The MLID and WSR always have exactly the same performance ratio for symmetrical traffics on the fat-tree topology")
    .networks(
        |tree| matches!(shape::ft(tree), Some((_, 2..))),
        |topology, scope| mirrored(topology, scope, "mlid", "wsr"),
    )
    .planted(Planted::Network(
        "ft(4,2)",
        |topology, scope| mirrored(topology, scope, "dmodk", "wsr"),
    ));

pub(super) const DIFFERENT: Statement = Statement::new("or-different-paths", "[OR] VI")
    .about("Paths between a pair of nodes are different under MLID and WSR: those of some pairs")
    .hypothesis(
        "FT(m,n), n >= 2; not all pairs can be meant, as those of one switch have only one path",
    )
    .quote("even though paths between a pair of nodes are different under the two routing schemes")
    .networks(|tree| matches!(shape::ft(tree), Some((_, 2..))), different)
    .planted(Planted::FirstPorts("ft(4,2)"));

/// Two routings of one tree, or a vacuous finding where every pair has one path.
fn both(
    topology: &Topology,
    scope: &Scope,
    routings: [&str; 2],
) -> Result<Result<[Instance; 2], Finding>> {
    if !shape::has_choice(topology) {
        return Ok(Err(Finding::vacuous(topology.spec(), ONE_PATH)));
    }
    scope.progress.check()?;
    let [first, second] = routings.map(|routing| scope.instance(topology.spec(), routing));
    Ok(Ok([first?, second?]))
}

/// The claim that two routings have the same routes.
fn same(topology: &Topology, scope: &Scope, first: &str, second: &str) -> Findings {
    let paths = |[first, second]: &[Instance; 2], s, d| {
        (uses::nodes(first, s, d), uses::nodes(second, s, d))
    };
    compare(topology, scope, [first, second], paths)
}

/// The claim that every path of `first` is the path of the inverse pair under `second`, reversed.
/// Links come in pairs of opposite direction, so traffic that is its own transpose puts the same
/// load on a link under one as on the opposite link under the other.
fn mirrored(topology: &Topology, scope: &Scope, first: &str, second: &str) -> Findings {
    let paths = |[first, second]: &[Instance; 2], s, d| {
        let mut back = uses::nodes(second, d, s);
        back.reverse();
        (uses::nodes(first, s, d), back)
    };
    compare(topology, scope, [first, second], paths)
}

fn compare(
    topology: &Topology,
    scope: &Scope,
    routings: [&str; 2],
    paths: impl Fn(&[Instance; 2], Host, Host) -> (Vec<NodeId>, Vec<NodeId>) + Sync,
) -> Findings {
    let both = match both(topology, scope, routings)? {
        Ok(both) => both,
        Err(nothing) => return Ok(vec![nothing]),
    };
    let pairs: Vec<(Host, Host)> = sd_pairs(topology.hosts()).collect();
    let differs = |(s, d): &&(Host, Host)| {
        let (one, other) = paths(&both, *s, *d);
        one != other
    };
    let wrong = pairs.par_iter().find_first(differs);
    let wrong = wrong.map(|(s, d)| {
        let (one, other) = paths(&both, *s, *d);
        format!("from {s} to {d} nodes {one:?}, not {other:?}")
    });
    let claimed = "the same routes";
    let found = "holds for every pair";
    Ok(vec![Finding::unless(topology.spec(), claimed, found, wrong, Basis::Exhaustive)])
}

/// The claim that some pairs have different paths under MLID and WSR, and how many.
fn different(topology: &Topology, scope: &Scope) -> Findings {
    let [mlid, wsr] = match both(topology, scope, ["mlid", "wsr"])? {
        Ok(both) => both,
        Err(nothing) => return Ok(vec![nothing]),
    };
    let pairs: Vec<(Host, Host)> = sd_pairs(topology.hosts()).collect();
    let differs = |(s, d): &&(Host, Host)| uses::nodes(&mlid, *s, *d) != uses::nodes(&wsr, *s, *d);
    let count = pairs.par_iter().filter(differs).count();
    let (case, found) = (topology.spec(), format!("those of {count} of {} pairs", pairs.len()));
    Ok(vec![Finding::holds(case, "different paths", found, count > 0, Basis::Exhaustive)])
}
