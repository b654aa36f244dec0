//! Bounds on all single-path routings: what the routing must be, and what a known refutation is
//! known for.

use routebound_networks::certificate::{
    Certificate, LinkRecord, LratRefutation, NetworkForm, Optimality, Quantity, Refutation,
    SinglePath, WorstCaseCertificate,
};
use routebound_networks::embed;
use routebound_networks::generators::Named;
use routebound_networks::generators::checker::{
    BadFile, BadTree, Check, Refusal, RefutationClaim, Tree, check, check_refutation,
    most_covered_hosts,
};
use routebound_networks::progress::Progress;
use routebound_networks::rational::Rational;

use super::refusals::{certify, paths, refusal};

/// A certificate that says that no single-path routing of `ft(4,2)` has ratio `lower` − 1.
fn best_of_ft_4_2(routing: &str, lower: u32, refutation: Refutation) -> WorstCaseCertificate {
    let mut certificate = certify("ft(4,2)", routing, true);
    certificate.network = NetworkForm::Named("ft(4,2)".into());
    // Covers of all hosts, so that any path is covered.
    for cover in &mut certificate.covers {
        cover.sources = (0..8).map(|host| (host, Rational::ONE)).collect();
        cover.destinations.clear();
    }
    certificate.claims.iter_mut().for_each(|claim| claim.upper = Rational::from(8));
    let quantity = Quantity::ObliviousRatio;
    certificate.optimality =
        Some(Optimality::SinglePath(SinglePath { quantity, lower, refutation }));
    certificate
}

#[test]
fn the_routing_of_a_single_path_bound_has_single_paths() {
    let count = || Refutation::Count { height: 1 };
    let good = best_of_ft_4_2("smodk", 2, count());
    assert!(check(&Certificate::WorstCase(good.clone())).is_ok());
    // From host 0 to its neighbour over a root: one path, but not a shortest one.
    let mut around = good;
    let own = paths(&mut around).iter().position(|path| (path.s, path.d) == (0, 1)).unwrap();
    let other = paths(&mut around).iter().find(|path| (path.s, path.d) == (0, 2)).unwrap();
    let (up, through) = (other.links[0], other.links[1]);
    let down = paths(&mut around)[own].links[1];
    let topology = routebound_networks::topology::generate("ft(4,2)").unwrap();
    let ends = embed::network(&topology);
    let NetworkForm::Embedded(ends) = ends else { panic!("embedded") };
    let LinkRecord { from: leaf, to: root, .. } = ends.links[through as usize];
    let back = ends.links.iter().position(|link| (link.from, link.to) == (root, leaf)).unwrap();
    paths(&mut around)[own].links = vec![up, through, back.try_into().unwrap(), down];
    assert_eq!(refusal(&around), Refusal::Tree(BadTree::NotSinglePath { s: 0, d: 1 }));
    around.optimality = None;
    assert!(check(&Certificate::WorstCase(around)).is_ok());
    // Several paths at once.
    let split = best_of_ft_4_2("omrmn", 2, count());
    assert!(matches!(refusal(&split), Refusal::Tree(BadTree::NotSinglePath { .. })));
}

/// What was accepted for one ratio is known for no other, and says nothing about other proofs.
#[test]
fn a_known_refutation_is_known_for_what_it_refutes() {
    let topology = routebound_networks::topology::generate("ft(4,2)").unwrap();
    let (quantity, count) = (Quantity::ObliviousRatio, |height| Refutation::Count { height });
    let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
    let (refutation, folder) = (&count(1), "".as_ref());
    let claim = RefutationClaim { tree, quantity, ratio: 1, refutation, folder };
    let known = check_refutation(claim, &Progress::silent()).unwrap();
    let judged = |lower, refutation, folder: &str| {
        let certificate = Certificate::WorstCase(best_of_ft_4_2("smodk", lower, refutation));
        Check::new(&Named).folder(folder.as_ref()).known(Some(&known)).run(&certificate)
    };
    assert!(judged(2, count(1), "").is_ok());
    assert!(judged(2, count(1), "elsewhere").is_ok());
    let higher = judged(3, count(1), "").unwrap_err();
    assert!(matches!(higher, Refusal::Tree(BadTree::CountTooHigh { .. })), "{higher}");
    assert_eq!(judged(2, count(2), "").unwrap_err(), Refusal::Tree(BadTree::BadHeight(2)));
}

#[test]
fn a_formula_is_about_a_part_of_the_tree() {
    let topology = routebound_networks::topology::generate("ft(4,2)").unwrap();
    let refused = |kept: &[u32], first_step| {
        let (formula, proof) = ("no.cnf".into(), "no.lrat".into());
        let part = LratRefutation { kept: kept.into(), first_step, ordered: 0, formula, proof };
        let refutation = Refutation::Lrat(Box::new(part));
        let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
        let quantity = Quantity::ObliviousRatio;
        let (refutation, folder) = (&refutation, "".as_ref());
        let claim = RefutationClaim { tree, quantity, ratio: 1, refutation, folder };
        check_refutation(claim, &Progress::silent()).unwrap_err()
    };
    // FT(4,2) has 2 hosts below a leaf and 4 leaves.
    for (kept, first_step) in [(&[2, 4][..], 1), (&[2, 4], 2), (&[1, 1], 2)] {
        assert!(
            matches!(refused(kept, first_step), Refusal::File(BadFile::Formula { .. })),
            "{kept:?}"
        );
    }
    for (kept, first_step) in [
        (&[3, 4][..], 2),
        (&[2, 5], 2),
        (&[0, 4], 2),
        (&[2], 2),
        (&[], 2),
        (&[2, 4], 0),
        (&[2, 4], 3),
    ] {
        assert_eq!(
            refused(kept, first_step),
            Refusal::Tree(BadTree::NoPart),
            "{kept:?} {first_step}"
        );
    }
}

/// Subtrees of every height, by trying all collections.
#[test]
fn hosts_are_covered_by_the_best_subtrees() {
    for spec in ["ft(6,3)", "xgft(3;4,4,4;1,2,4)", "xgft(3;2,5,3;2,2,3)", "xgft(2;7,3;1,2)"] {
        let topology = routebound_networks::topology::generate(spec).unwrap();
        let tree = &Tree::try_from(topology.tree().unwrap()).unwrap();
        let kind = |height: usize| (tree.shortest_paths(height + 1), tree.subtree_hosts(height));
        let kinds: Vec<(u32, u32)> = (0..tree.height()).map(kind).collect();
        let mut best = vec![0_u32];
        for weight in 1..60_u32 {
            let with =
                |(own, hosts): &(u32, u32)| Some(best[weight.checked_sub(*own)? as usize] + hosts);
            best.push(kinds.iter().filter_map(with).max().unwrap_or(0));
            let all = best.iter().copied().max().unwrap();
            let found = most_covered_hosts(tree, Quantity::ObliviousRatio, weight);
            assert_eq!(found, all, "{spec} {weight}");
        }
    }
}

/// Two links up cover the four hosts below them, a third covers one host more.
#[test]
fn links_up_cover_what_is_below_them() {
    let slimmed = routebound_networks::topology::generate("xgft(3;4,4,4;1,2,4)").unwrap();
    let slimmed = &Tree::try_from(slimmed.tree().unwrap()).unwrap();
    assert_eq!(most_covered_hosts(slimmed, Quantity::ObliviousRatio, 3), 5);
    assert_eq!(most_covered_hosts(slimmed, Quantity::PermutationLoad, 3), 3);
}

#[test]
fn a_nested_count_refutes_up_to_a_ratio() {
    let topology = routebound_networks::topology::generate("ft(4,4)").unwrap();
    let claim = RefutationClaim {
        tree: &Tree::try_from(topology.tree().unwrap()).unwrap(),
        quantity: Quantity::ObliviousRatio,
        ratio: 2,
        refutation: &Refutation::Nested { low: 2, high: 3 },
        folder: "".as_ref(),
    };
    let quiet = Progress::silent();
    assert!(check_refutation(claim, &quiet).is_ok());
    assert!(check_refutation(RefutationClaim { ratio: 3, ..claim }, &quiet).is_err());
}
