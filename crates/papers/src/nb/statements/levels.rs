//! \[NB\] IV.A, Discussion: networks of two and more levels built of switches of one size.

use super::constructed::{nested, nested_spec};
use crate::assessment::Assess;
use crate::theorem::prelude::*;
use crate::topology::NodeKind;

pub(super) const TWO: Statement = Statement::new("nb-two-levels", "[NB] IV.A, Discussion")
    .about("With N = n+n^2, ftree(n,n^2,n+n^2) has 2n^2+n switches of N ports and n^3+n^2 ports; FT(N,2) has 3N/2 switches of N ports and N^2/2 ports")
    .hypothesis("n = 1..6, every network built and counted")
    .quote("uses $2n^2 + n$ $n^2 + n$ -port switches to support $n^3 + n^2$ nonblocking ports. ... uses $\\frac{3N}{2}$ N -port switches to support $\\frac{N^2}{2}$ ports")
    .cases(|scope| two(scope, |n| [2 * n * n + n, n.pow(3) + n * n]))
    .planted(Planted::Check(|scope| two(scope, |n| [2 * n * n + n, n.pow(3) + n])));

pub(super) const THREE: Statement = Statement::new("nb-three-levels", "[NB] IV.A, Discussion")
    .about("ftree(n,n^2,n^3+n^2) whose top switches are ftree(n,n^2,n+n^2)'s has 2n^4+3n^3+n^2 switches of n+n^2 ports and n^4+n^3 ports")
    .hypothesis("n = 1..6, every network built and counted")
    .quote("This nonblocking network has $2n^4 + 3n^3 + n^2$ $n^2 + n$ -port switches and supports $n^4 + n^3$ ports.")
    .cases(|scope| three(scope, |n| [2 * n.pow(4) + 3 * n.pow(3) + n * n, hosts(n)]))
    .remark(
        RemarkKind::Wrong,
        is_miscounted,
        "it has 2n^4+2n^3+n^2 switches, see nb-three-levels-corrected: n^3+n^2 at the bottom and 2n^2+n for each of n^2 top switches",
    )
    .planted(Planted::Check(|scope| three(scope, |n| [switches(n), hosts(n) + 1])));

pub(super) const CORRECTED: Statement = Statement::new("nb-three-levels-corrected", "[NB] IV.A, Discussion, mended")
    .about("ftree(n,n^2,n^3+n^2) whose top switches are ftree(n,n^2,n+n^2)'s has 2n^4+2n^3+n^2 switches of n+n^2 ports and n^4+n^3 ports")
    .hypothesis("n = 1..6, every network built and counted")
    .ours()
    .quote("This nonblocking network has $2n^4 + 3n^3 + n^2$ $n^2 + n$ -port switches and supports $n^4 + n^3$ ports.")
    .cases(|scope| three(scope, correct))
    .planted(Planted::Check(|scope| three(scope, |n| [switches(n) + 1, hosts(n)])));

/// The text has O(N²) for networks of both kinds; the constants are ours. For every n ≥ 1
/// 2n⁴+2n³+n² ≤ 2(n⁴+2n³+n²) = 2N² and N²/2 ≤ n⁴+n³ ≤ N², coefficient by coefficient.
pub(super) const ORDER: Statement = Statement::new(
    "nb-three-levels-order",
    "[NB] IV.A, Discussion, with constants in place of O",
)
    .about("With N = n+n^2 the network of three levels has at most 2N^2 switches and between N^2/2 and N^2 ports; FT(N,3) has 5N^2/4 switches and N^3/4 ports")
    .hypothesis("n = 1..6, every network built and counted; every n by coefficients")
    .sharpened()
    .quote("uses $O(N^2)$ $O(N)$ -port switches to obtain an $O(N^2)$ -port nonblocking network. As a comparison, $FT(N, 3)$ uses $O(N^2)$ $O(N)$ -port switches to obtain $O(N^3)$ -port fat-trees.")
    .cases(|scope| order(scope, 2))
    .planted(Planted::Check(|scope| order(scope, 1)));

pub(super) const RECURSIVE: Statement = Statement::new("nb-recursive", "[NB] IV.A, Discussion")
    .about("ftree(n,n^2,r) whose top switches are nonblocking networks, and so on by recursion, is nonblocking with the routing of Theorem 3 at every level")
    .hypothesis("n = 2, 3, three levels and more, top switches replaced")
    .quote("the recursively-built larger network will also support all permutations with no contention and is thus nonblocking.")
    .cases(|scope| recursive(scope, |level| level))
    // The first digits of the hosts decide at every level.
    .planted(Planted::Check(|scope| recursive(&Scope::new(32, scope.progress), |_| 1)));

/// Largest n whose networks are built.
pub(super) const MOST: u64 = 6;

fn switches(n: u64) -> u64 {
    2 * n.pow(4) + 2 * n.pow(3) + n * n
}

fn hosts(n: u64) -> u64 {
    n.pow(4) + n.pow(3)
}

/// Switches and hosts of the network of three levels.
fn correct(n: u64) -> [u64; 2] {
    [switches(n), hosts(n)]
}

/// Whether the print has another number than nb-three-levels-corrected.
fn is_miscounted(case: &Case) -> bool {
    matches!(case.numbers[..], [printed, correct] if printed != correct)
}

/// Switches and hosts of a network, and the ports of its switches where all have the same number.
pub(super) struct Size {
    pub(super) counted: [u64; 2],
    ports: Option<u64>,
}

pub(super) fn size(network: &Topology) -> Size {
    let is_switch = |node: &u32| network.node(*node).kind == NodeKind::Switch;
    let switches = network.node_numbers().filter(is_switch);
    let mut ports: Vec<u64> =
        switches.map(|switch| network.links_from(switch).count() as u64).collect();
    let counted = [ports.len() as u64, network.hosts() as u64];
    ports.dedup();
    Size { counted, ports: ports.first().copied().filter(|_| ports.len() == 1) }
}

/// Three findings: switches and hosts as claimed, and all switches of n + n² ports.
fn compare(name: &str, n: u64, claimed: [u64; 2], network: &Topology) -> Vec<Finding> {
    let Size { counted, ports } = size(network);
    let sides = ["switches", "ports"].into_iter().zip(claimed).zip(counted);
    let finding = |((what, claimed), found)| {
        Finding::equal(format!("{what} of {name}"), claimed, found, Basis::Exhaustive)
    };
    let mut findings: Vec<Finding> = sides.map(finding).collect();
    let found = ports.map_or_else(|| "different numbers".to_string(), |ports| ports.to_string());
    let (case, wanted) = (format!("size of a switch of {name}"), n + n * n);
    let holds = ports == Some(wanted);
    findings.push(Finding::holds(case, wanted.to_string(), found, holds, Basis::Exhaustive));
    findings
}

fn two(scope: &Scope, claimed: fn(u64) -> [u64; 2]) -> Findings {
    scope.each(1..=MOST, |n| {
        let ports = n + n * n;
        let spec = format!("ftree({n},{},{ports})", n * n);
        let own = compare(&spec, n, claimed(n), &generate(&spec)?);
        let spec = format!("ft({ports},2)");
        let printed = [3 * ports / 2, ports * ports / 2];
        Ok([own, compare(&spec, n, printed, &generate(&spec)?)].concat())
    })
}

/// The numbers of a case are the claimed one and that of nb-three-levels-corrected.
fn three(scope: &Scope, claimed: fn(u64) -> [u64; 2]) -> Findings {
    scope.each(1..=MOST, |n| {
        let network = generate(&nested_spec(index32(as_size(n)), 3))?;
        let mut compared = compare(&format!("n = {n}"), n, claimed(n), &network);
        for (finding, numbers) in compared.iter_mut().zip(claimed(n).into_iter().zip(correct(n))) {
            finding.case.numbers = [numbers.0, numbers.1].into();
        }
        Ok(compared)
    })
}

/// At most `factor`·N² switches.
fn order(scope: &Scope, factor: u64) -> Findings {
    let mut findings = scope.each(1..=MOST, |n| {
        let ports = n + n * n;
        let grid = || Basis::Grid { points: 1 };
        let [switches, hosts] = size(&generate(&nested_spec(index32(as_size(n)), 3))?).counted;
        let square = ports * ports;
        let case = |what: &str| format!("{what} for n = {n}");
        let [of_ft, ports_of_ft] = size(&generate(&format!("ft({ports},3)"))?).counted;
        let (five_quarters, cube) = (5 * square / 4, square * ports / 4);
        Ok([
            Finding::at_most(case("switches"), factor * square, switches, grid()),
            Finding::at_most(case("ports, at most"), square, hosts, grid()),
            Finding::at_least(case("ports, at least"), square / 2, hosts, grid()),
            Finding::equal(case("switches of FT(N,3)"), five_quarters, of_ft, grid()),
            Finding::equal(case("ports of FT(N,3)"), cube, ports_of_ft, grid()),
        ])
    })?;
    // Coefficients of n⁴, n³, n²: of the switches, and of `factor`·N².
    let (switches, square) = ([2, 2, 1], [1, 2, 1].map(|of| factor * of));
    let holds = switches.iter().zip(square).all(|(switches, most)| *switches <= most);
    let basis = Basis::Argued("the docs of nb-three-levels-order");
    let found = format!("coefficients {switches:?} and {square:?}");
    findings.push(Finding::holds("every n", format!("<= {factor} N^2"), found, holds, basis));
    Ok(findings)
}

/// Networks that fit the scope; `digit` chooses the host digits that decide the port of a level.
fn recursive(scope: &Scope, digit: fn(usize) -> usize) -> Findings {
    let mut findings = Vec::new();
    for (n, levels) in [(2, 3), (2, 4), (3, 3)] {
        let instance = nested(n, levels, digit)?;
        // The three-level one with n = 2 is always small enough.
        if instance.topology.hosts() > scope.hosts.max(24) {
            continue;
        }
        let assessment = Assess::new().embedded().progress(scope.progress).run(&instance);
        scope.progress.check()?;
        let assessment = assessment?;
        let load = assessment.permutation_load;
        let case = format!("n = {n}, {levels} levels: {}", instance.topology.spec());
        let basis = Basis::of(&load);
        findings.push(if let Some(exact) = load.exact() {
            let (holds, found) = (*exact == Rational::ONE, format!("permutation load {exact}"));
            Finding::holds(case, "nonblocking", found, holds, basis)
                .certified_by(assessment.certificate.ok())
        } else {
            let open = Outcome::Open(load.to_string());
            Finding::new(case, "nonblocking", load.to_string(), open, basis)
        });
        scope.progress.inc(1);
    }
    Ok(findings)
}
