//! \[RO\] VIII: the family of relabelling algorithms.
//!
//! Up-digit W_{l+1} is a function of one host of the pair: of its digit M_l and of the subtree of
//! height l that holds it. The functions are derived from the paths of a routing, not from the code
//! that generates them.

use crate::theorem::prelude::*;
use crate::theorem::walk::ports;

pub(super) const KIND: Statement = Statement::new("ro-relabelling", "[RO] VIII")
    .about(
        "S-mod-k, D-mod-k and r-NCA-u/d form one family: up-digit l+1 is a function of M_l of one \
            host, one per subtree; it is M_l mod w_{l+1} for mod-k, and balanced for all of them",
    )
    .hypothesis("these routings on every XGFT")
    .quote("S-mod-k and D-mod-k become particular cases of the new class of algorithms")
    .instances(|tree| tree.plain_tree().is_some(), |routing| by_source(routing).is_some(), check)
    .planted(Planted::FirstPorts("kary(2,3)"));

pub(super) const PRINTED: Statement = Statement::new("ro-relabelling-range", "[RO] VIII")
    .about("The functions W of level l map onto [0,...,w_{l+1}]: as many values as there are ports")
    .hypothesis(
        "every XGFT of height 2 or more; printed with m_h and w_{h+1} for every level, of which \
                     the latter does not exist",
    )
    .quote("are functions that map the interval")
    .networks(
        |tree| tree.plain_tree().is_some_and(|tree| tree.height() > 1),
        |topology, scope| ranges(topology, scope, 1),
    )
    .remark(
        RemarkKind::Wrong,
        |_| true,
        "A value is a port, and these are 0 to w_{l+1} - 1; there is no w_{h+1}, so level h has \
                   no function. The evaluation (IX) is as corrected",
    )
    .planted(Planted::Check(|scope| ranges(&generate("kary(2,3)")?, scope, 2)));

/// The ports of every level against the number of values in an interval that ends at
/// w - 1 + `more`.
fn ranges(topology: &Topology, scope: &Scope, more: u32) -> Findings {
    scope.progress.check()?;
    let Some(tree) = topology.plain_tree() else { return Ok(Vec::new()) };
    let of_level = |l: usize| {
        let ports = tree.parents(l + 1);
        let case = format!("level {l} of {}", topology.spec());
        Finding::equal(case, u64::from(ports + more), u64::from(ports), Basis::Exhaustive)
    };
    Ok((1..tree.height()).map(of_level).collect())
}

/// Whether the labels of the source decide (`true`) or those of the destination; `None` for other
/// routings.
fn by_source(routing: &dyn Routing) -> Option<bool> {
    let is_one = |names: [&str; 2]| names.iter().any(|name| is_kind(routing, name));
    match (is_one(["smodk", "rnca-u"]), is_one(["dmodk", "rnca-d"])) {
        (false, false) => None,
        (by_source, _) => Some(by_source),
    }
}

/// The function of every subtree: maps (l, subtree of height l) to the up-digits by M_l.
type Maps = BTreeMap<(usize, u32), BTreeMap<u32, u32>>;

fn check(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let (Some(tree), Some(by_source)) =
        (instance.topology.plain_tree(), by_source(&*instance.routing))
    else {
        return Ok(Vec::new());
    };
    let is_modulo = is_kind(&*instance.routing, "smodk") || is_kind(&*instance.routing, "dmodk");
    let problem = match maps(instance, tree, by_source) {
        Err(problem) => Some(problem),
        Ok(maps) => wrong_map(tree, &maps, is_modulo),
    };
    let claimed =
        if is_modulo { "M_l mod w_{l+1}, balanced" } else { "one balanced map per subtree" };
    let found = "so in every subtree";
    Ok(vec![Finding::unless(oblivious::case(instance), claimed, found, problem, Basis::Exhaustive)])
}

/// The functions, or the pair that contradicts them.
fn maps(instance: &Instance, tree: &Xgft, by_source: bool) -> Result<Maps, String> {
    let mut maps = Maps::new();
    for (s, d) in sd_pairs(tree.hosts()) {
        let host = if by_source { s } else { d };
        let ports = ports(&instance.topology, &path(&*instance.routing, s, d));
        for (l, port) in ports.into_iter().enumerate() {
            // The family does not choose among the links of hosts: W1 = 0.
            let (subtree, digit) =
                if l == 0 { (0, 0) } else { (tree.subtree(host, l), tree.digit(host, l)) };
            let known = maps.entry((l, subtree)).or_default().entry(digit).or_insert(port);
            if *known != port {
                return Err(format!("{s} -> {d}: W{} = {port}, elsewhere {known}", l + 1));
            }
        }
    }
    Ok(maps)
}

fn wrong_map(tree: &Xgft, maps: &Maps, is_modulo: bool) -> Option<String> {
    for ((l, subtree), map) in maps.iter().filter(|((l, _), _)| *l > 0) {
        let (children, parents) = (tree.children(*l), tree.parents(l + 1));
        let modulo = map.iter().all(|(digit, port)| *port == digit % parents);
        let count = |value: u32| index32(map.values().filter(|port| **port == value).count());
        let few_or_more = [children / parents, children.div_ceil(parents)];
        let balanced = (0..parents).all(|value| few_or_more.contains(&count(value)));
        if index32(map.len()) != children || !balanced || (is_modulo && !modulo) {
            return Some(format!("subtree {subtree} of height {l}: {map:?}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_that_are_wrong_are_found() {
        let topology = generate("xgft(2;4,2;1,2)").unwrap();
        let tree = topology.plain_tree().unwrap();
        let map =
            |digits: &[u32]| Maps::from([((1, 0), (0..).zip(digits.iter().copied()).collect())]);
        assert_eq!(wrong_map(tree, &map(&[0, 1, 0, 1]), true), None);
        assert_eq!(wrong_map(tree, &map(&[1, 1, 0, 0]), false), None);
        for (digits, is_modulo) in
            [(&[1, 1, 0, 0][..], true), (&[1, 1, 1, 0], false), (&[0, 1], false)]
        {
            assert!(wrong_map(tree, &map(digits), is_modulo).is_some(), "{digits:?}");
        }
        // Random routing does not belong to the family.
        let instance = Instance::named("kary(4,2)", "random(seed=1)").unwrap();
        assert!(maps(&instance, instance.topology.plain_tree().unwrap(), false).is_err());
    }
}
