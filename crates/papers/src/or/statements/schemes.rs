//! \[OR\] V and Table I: the ratios of the schemes, with the counts that they rest on.

use super::figure_9;
use crate::or::table_1;
use crate::theorem::prelude::*;
use crate::theorem::shape::root;

const QUOTE_6: &str =
    r"When $\sqrt{\frac{m}{2}}$ is an integer, $PERF(OSRM2) = \sqrt{\frac{m}{2}}$.";

pub(super) const THEOREM_6: Statement = Statement::new("or-theorem-6", "[OR] Theorem 6, V.A")
    .about("When sqrt(m/2) is an integer, PERF(OSRM2) = sqrt(m/2); each up link carries exactly sqrt(m/2) sources, each down link as many destinations")
    .hypothesis("osrm2 on FT(m,2), m/2 a square")
    .quote(QUOTE_6)
    .bounds(Side::Equals, |tree| root(tree).is_some(), of_osrm2)
    .besides(|instance, scope| ends_of_links(instance, scope, 2, root(&instance.topology)))
    .planted(Planted::FirstPorts("ft(8,2)"));

fn of_osrm2(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    root(topology).filter(|_| is_kind(routing, "osrm2"))
}

pub(super) const THEOREM_6_WIDE: Statement =
    Statement::new("or-theorem-6-wide", "[OR] Theorem 6, Fig 9")
        .about("PERF(OSRM2) = sqrt(m/2) on FT(18,2) and FT(32,2) too, over the roots of Fig 9")
        .hypothesis("osrm2 on ft(18,2) and ft(32,2), in runs up to at least 64 hosts")
        .quote(QUOTE_6)
        .cases(|scope| wide(scope, &["ft(18,2)", "ft(32,2)"], "osrm2"))
        // D-mod-k passed off as OSRM2.
        .planted(Planted::Check(|scope| {
            wide(&Scope::new(Scope::HOSTS, scope.progress), &["ft(18,2)"], "dmodk")
        }));

/// Theorem 6 and Fig 9 on trees that are larger than those of the pool.
fn wide(scope: &Scope, trees: &[&str], routing: &str) -> Findings {
    scope.each(trees.iter().filter(|_| scope.hosts >= Scope::HOSTS), |tree| {
        let instance = scope.instance(tree, routing)?;
        let root = fits(&instance.topology, root)?;
        let mut findings = Side::Equals.claim(&instance, scope, root)?;
        findings.extend(ends_of_links(&instance, scope, 2, Some(root))?);
        findings.push(figure_9::roots(&instance, scope, "roots of ")?);
        Ok(findings)
    })
}

/// Whether every up link of a level carries exactly `claimed` sources and every down link as many
/// destinations.
fn ends_of_links(instance: &Instance, scope: &Scope, level: u8, claimed: Option<u64>) -> Findings {
    let claimed = fits(&instance.topology, |_| claimed)?;
    let case = format!("ends on links of {}", oblivious::case(instance));
    if claimed == 1 {
        return Ok(vec![Finding::vacuous(case, ONE_PATH)]);
    }
    let pairs = uses::pairs_by_link(instance, scope)?;
    let wrong = instance.topology.graph().edge_weights().zip(&pairs).find_map(|(link, pairs)| {
        let (sources, destinations) = uses::ends(pairs);
        let count = if link.direction == Direction::Up { sources } else { destinations };
        (link.level == level && count as u64 != claimed).then_some((link.direction, count))
    });
    let wrong = wrong.map(|(direction, count)| format!("{count} on a link {direction}"));
    let claimed = format!("{claimed} sources up, {claimed} destinations down");
    Ok(vec![Finding::unless(case, claimed, "so on every link", wrong, Basis::Exhaustive)])
}

pub(super) const THEOREM_7: Statement = Statement::new("or-theorem-7", "[OR] Theorem 7, V.B")
    .about("PERF(OSRM3) = m/2; each up link out of a SUBFT(m,2) carries m/2 sources, each down link into it m/2 destinations")
    .hypothesis("osrm3 on FT(m,3)")
    .quote(r"each up link out of the sub-fat-tree SUBFT(m,2) carries traffic from $\frac{m}{2}$ sources and each down link to a SUBFT(m, 2) carries traffic to $\frac{m}{2}$ destinations ... Theorem 7: $PERF(OSRM3) = \frac{m}{2}$.")
    .bounds(Side::Equals, |tree| shape::half(tree, 3).is_some(), |tree, routing| {
        shape::half(tree, 3).filter(|_| is_kind(routing, "osrm3"))
    })
    .besides(|instance, scope| {
        ends_of_links(instance, scope, 3, shape::half(&instance.topology, 3))
    })
    .planted(Planted::FirstPorts("ft(4,3)"));

pub(super) const GROUPS: Statement = Statement::new("or-section-5a", "[OR] I and Table I")
    .about("Grouping (OSRM2) attains the lower bound of Theorem 3 on FT(m,2)")
    .hypothesis("osrm2 (the best group sizes) on FT(m,2), against ceil(sqrt(m/2))")
    .quote(r"We develop optimal single path oblivious routing schemes that achieve the oblivious performance ratio lower bounds for the cases when H = 3and H = 4 ... OSRM2 $\sqrt{\frac{m}{2}}$ -")
    .instances(
        |tree| shape::half(tree, 2).is_some(),
        |routing| is_kind(routing, "osrm2"),
        |instance, scope| grouped(instance, scope, 0),
    )
    .publishes(Side::Equals, |tree, routing| least(tree).filter(|_| is_kind(routing, "osrm2")))
    .remark(
        RemarkKind::Imprecise,
        groups_miss,
        "the introduction and Table I state no condition; Theorem 6 does, sqrt(m/2) an integer, and so does the sentence before OSRM2. No groups attain the bound for m/2 = 3, 7, 8, 13, ..; covers by rectangles do, see or-grid",
    )
    .planted(Planted::Instance("ft(8,2)", |instance, scope| grouped(instance, scope, 1)));

pub(super) const RECTANGLES: Statement = Statement::new("or-grid", "[OR] Theorem 3, with the routing grid")
    .about("The lower bound of Theorem 3 is attained on every FT(m,2): rectangle covers have ratio ceil(sqrt(m/2))")
    .hypothesis("grid on FT(m,2)")
    .ours()
    .quote(r"Let r be a single path routing algorithm for $FT(m, 2), m \ge 2, PERF(r) \ge \sqrt{\frac{m}{2}}$.")
    .bounds(Side::Equals, |tree| shape::half(tree, 2).is_some(), |tree, routing| {
        least(tree).filter(|_| is_kind(routing, "grid"))
    })
    .planted(Planted::FirstPorts("ft(8,2)"));

/// ⌈√(m/2)⌉ of FT(m,2), the bound of Theorem 3.
fn least(topology: &Topology) -> Option<u64> {
    shape::half(topology, 2).map(shape::ceil_sqrt)
}

/// Z groups of sources by Z of destinations need Z² <= m/2 roots, so groups have at least
/// ceil((m/2)/floor(sqrt(m/2))) nodes.
fn groups_miss(case: &Case) -> bool {
    matches!(case.numbers[..], [half] if half.div_ceil(half.isqrt()) > shape::ceil_sqrt(half))
}

/// The claim that PERF is the bound of Theorem 3 minus `less`.
fn grouped(instance: &Instance, scope: &Scope, less: u64) -> Findings {
    let half = fits(&instance.topology, |tree| shape::half(tree, 2))?;
    let findings = Side::Equals.claim(instance, scope, shape::ceil_sqrt(half) - less)?;
    Ok(findings.into_iter().map(|finding| finding.numbered([half])).collect())
}

pub(super) const TABLE_1: Statement = Statement::new("or-table-1", "[OR] Table I")
    .about("OMRMN 1 and 1, OSRM2 sqrt(m/2), OSRM3 m/2, MLID and WSR m/2 and m-1 on FT(m,2) and FT(m,3)")
    .hypothesis("omrmn, osrm2 (m/2 a square), osrm3, mlid, wsr on FT(m,2) and FT(m,3)")
    .quote(r"OMRMN 1 1 OSRM2 $\sqrt{\frac{m}{2}}$ - OSRM3 - $\frac{m}{2}$ MLID $\frac{m}{2}$ m-1 WSR $\frac{m}{2}$ m-1")
    .bounds(Side::Equals, is_of_table_1, |tree, routing| {
        let (m, n) = shape::ft(tree)?;
        table_1::printed(n, |name| is_kind(routing, name))?.integer(m.into())
    })
    .planted(Planted::FirstPorts("ft(4,3)"));

fn is_of_table_1(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2 | 3)))
}

pub(super) const TABLE_1_MOD_K: Statement =
    Statement::new("or-table-1-mod-k", "[OR] Table I and VI, carried over")
    .about("D-mod-k, which is the scheme of [9], and S-mod-k have the ratios of WSR in Table I: m/2 on FT(m,2), m-1 on FT(m,3)")
    .hypothesis("dmodk, smodk on FT(m,2) and FT(m,3)")
    .ours()
    .quote(r"WSR $\frac{m}{2}$ m-1 ... A recently proposed scheme [9] yields exactly the same routes as WSR.")
    .bounds(Side::Equals, is_of_table_1, |tree, routing| {
        let (m, n) = shape::ft(tree).filter(|_| is_mod_k(routing))?;
        table_1::printed(n, |name| name == "wsr")?.integer(m.into())
    })
    .planted(Planted::FirstPorts("ft(4,3)"));

fn is_mod_k(routing: &dyn Routing) -> bool {
    is_kind(routing, "dmodk") || is_kind(routing, "smodk")
}

pub(super) const TABLE_1_HIGHER: Statement =
    Statement::new("or-table-1-higher", "[OR] Table I, continued by us")
        .about("On FT(4,4) D-mod-k and S-mod-k have ratio 4, on FT(4,5) ratio 7")
        .hypothesis("dmodk, smodk on FT(4,4) and FT(4,5)")
        .ours()
        .quote(r"WSR $\frac{m}{2}$ m-1")
        .bounds(
            Side::Equals,
            |tree| matches!(shape::ft(tree), Some((4, 4 | 5))),
            |tree, routing| match shape::ft(tree).filter(|_| is_mod_k(routing))? {
                (4, 4) => Some(4),
                (4, 5) => Some(7),
                _ => None,
            },
        )
        .planted(Planted::FirstPorts("ft(4,4)"));
