//! \[OR\] V and VI: how the known schemes spread traffic.

use crate::load::PairCounts;
use crate::progress::Stopped;
use crate::routing::UseScratch;
use crate::theorem::InstanceCheck;
use crate::theorem::prelude::*;

const QUOTE: &str = "they make sure that the traffic from one node to all other nodes are spread out uniformly among all possible links";

pub(super) const FROM: Statement = Statement::new("or-spread", "[OR] V")
    .about("Existing routing schemes [9], [15] (D-mod-k, MLID) spread the traffic from one node to all other nodes uniformly among all possible links")
    .hypothesis("dmodk, mlid on FT(m,n), n >= 2; the up links of each level that are on shortest paths from the node")
    .quote(QUOTE)
    .instances(
        applies,
        |routing| is_kind(routing, "dmodk") || is_kind(routing, "mlid"),
        |instance, scope| spread(instance, scope, Direction::Up),
    )
    .remark(
        RemarkKind::Imprecise,
        |case| case.numbers == [BY_SOURCE],
        "true of [9] and WSR; under MLID all traffic from one node leaves through one port of every switch, and it is the traffic towards one node that is spread, see or-spread-towards",
    )
    .planted(Planted::Check(|scope| {
        let up = of_mod_k(|instance, scope| spread(instance, scope, Direction::Up));
        planted::over_first_ports(up, "ft(4,2)", scope)
    }));

/// The number of a case whose routing chooses the ports upwards by the source alone, as MLID does.
const BY_SOURCE: u64 = 1;

pub(super) const TOWARDS: Statement = Statement::new(
    "or-spread-towards",
    "[OR] V, with sources and destinations exchanged",
)
    .about("MLID spreads the traffic from all other nodes towards one node uniformly among all possible links")
    .hypothesis("mlid on FT(m,n), n >= 2; the down links of each level that are on shortest paths to the node")
    .ours()
    .quote(QUOTE)
    .instances(
        applies,
        |routing| is_kind(routing, "mlid"),
        |instance, scope| spread(instance, scope, Direction::Down),
    )
    // D-mod-k has one path down to a node from every switch.
    .planted(Planted::Check(|scope| {
        let down = of_mod_k(|instance, scope| spread(instance, scope, Direction::Down));
        planted::on(down, "ft(4,2)", scope)
    }));

pub(super) const FULL: Statement = Statement::new("or-full-spread", "[OR] VI")
    .about("MLID and WSR fully spread traffic among all links: every link of a level carries as many SD pairs as the others")
    .hypothesis("mlid, wsr on FT(m,n), n >= 2, one unit for every SD pair")
    .quote("both MLID and WSR fully spread traffic among all links in the fat-tree topology")
    .instances(applies, |routing| is_kind(routing, "mlid") || is_kind(routing, "wsr"), full)
    .planted(Planted::FirstPorts("ft(4,2)"));

/// A check of D-mod-k.
fn of_mod_k(check: InstanceCheck) -> Subject {
    Subject::Instances { applies, to: |routing| is_kind(routing, "dmodk"), check }
}

fn applies(topology: &Topology) -> bool {
    matches!(shape::ft(topology), Some((_, 2..)))
}

/// The claim that the pairs of each host, as a source for up links and as a destination for down
/// links, are divided equally among the links of each level that can carry them. There are
/// (m/2)^(l−1) of these on level l, the hosts' own links being level 1.
fn spread(instance: &Instance, scope: &Scope, direction: Direction) -> Findings {
    let (m, _) = fits(&instance.topology, shape::ft)?;
    let by_source = is_kind(&*instance.routing, "mlid").then_some(BY_SOURCE);
    let case = Case::of(oblivious::case(instance), Vec::from_iter(by_source));
    if !shape::has_choice(&instance.topology) {
        return Ok(vec![Finding::vacuous(case, ONE_PATH)]);
    }
    let mut uneven = None;
    for host in instance.topology.host_numbers() {
        scope.progress.check()?;
        uneven = of_host(instance, host, direction, m as usize / 2);
        if uneven.is_some() {
            break;
        }
    }
    Ok(vec![Finding::unless(
        case,
        "equal shares",
        "holds for every node",
        uneven,
        Basis::Exhaustive,
    )])
}

/// Describes a level on which the pairs of one host are spread unevenly, if there is one.
fn of_host(instance: &Instance, host: Host, direction: Direction, half: usize) -> Option<String> {
    let Instance { topology, routing, .. } = instance;
    let mut counts: BTreeMap<(u8, LinkId), u64> = BTreeMap::new();
    let mut scratch = UseScratch::default();
    for other in topology.host_numbers().filter(|other| *other != host) {
        let (s, d) = if direction == Direction::Up { (host, other) } else { (other, host) };
        routing.for_each_use(s, d, &mut scratch, &mut |_, links| {
            let links = links.iter().map(|link| (*link, topology.link(*link)));
            for (id, link) in links.filter(|(_, link)| link.direction == direction) {
                *counts.entry((link.level, id)).or_default() += 1;
            }
        });
    }
    let highest = counts.last_key_value()?.0.0;
    (1..=highest).find_map(|level| {
        let of_level = counts.range((level, 0)..=(level, LinkId::MAX));
        let shares: Vec<u64> = of_level.map(|(_, count)| *count).collect();
        let links = half.pow(u32::from(level) - 1);
        let even = shares.len() == links && shares.windows(2).all(|pair| pair[0] == pair[1]);
        (!even).then(|| {
            format!("host {host}: pairs {shares:?} on {links} links of level {level} {direction}")
        })
    })
}

/// The claim that all links of the same level and direction carry equally many SD pairs.
fn full(instance: &Instance, scope: &Scope) -> Findings {
    let topology = &instance.topology;
    let case = oblivious::case(instance);
    if !shape::has_choice(topology) {
        return Ok(vec![Finding::vacuous(case, ONE_PATH)]);
    }
    let counts = PairCounts::collect(instance, vec![true; topology.links()], scope.progress);
    let counts = counts.ok_or(Stopped)?;
    let mut of_level = BTreeMap::new();
    let uneven = topology.link_numbers().find_map(|id| {
        let (link, count) = (topology.link(id), counts.of(id));
        let first = *of_level.entry((link.level, link.direction == Direction::Up)).or_insert(count);
        (count != first)
            .then(|| format!("{first} and {count} pairs on links of level {}", link.level))
    });
    let found = "so on every level";
    Ok(vec![Finding::unless(case, "equally many pairs", found, uneven, Basis::Exhaustive)])
}
