//! Random trees: with classes a certificate is judged as without.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::fate;

/// A tree of leaves with hosts of one or two cables under spines; leaf 0 has all spines.
#[derive(Clone, Debug)]
struct Tree {
    /// By leaf, the cables of every host, and those to every spine.
    leaves: Vec<(Vec<usize>, Vec<usize>)>,
    spines: usize,
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (vec(1..3_usize, 1..4), vec(0..4_usize, 3));
    (vec(leaf, 2..4), 1..4_usize).prop_map(|(mut leaves, spines)| {
        for (at, (_, cables)) in leaves.iter_mut().enumerate() {
            cables.truncate(spines);
            // Every leaf reaches the first spine.
            cables[0] += 1;
            if at == 0 {
                for cables in cables {
                    *cables += 1;
                }
            }
        }
        Tree { leaves, spines }
    })
}

impl Tree {
    /// The hosts by leaf and number of cables: those of each are alike.
    fn classes(&self) -> Vec<Vec<usize>> {
        let mut classes: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let hosts = self.leaves.iter().enumerate();
        let hosts = hosts.flat_map(|(leaf, of)| of.0.iter().map(move |cables| (leaf, *cables)));
        for (host, key) in hosts.enumerate() {
            classes.entry(key).or_default().push(host);
        }
        let mut classes: Vec<_> = classes.into_values().collect();
        classes.sort();
        classes
    }

    fn cables(&self) -> Vec<(usize, usize)> {
        let hosts: usize = self.leaves.iter().map(|(hosts, _)| hosts.len()).sum();
        let (mut cables, mut host) = (Vec::new(), 0);
        for (leaf, (own, up)) in self.leaves.iter().enumerate() {
            for count in own {
                cables.extend(std::iter::repeat_n((host, hosts + leaf), *count));
                host += 1;
            }
            for (spine, count) in up.iter().enumerate() {
                let spine = hosts + self.leaves.len() + spine;
                cables.extend(std::iter::repeat_n((hosts + leaf, spine), *count));
            }
        }
        cables
    }

    /// A record for every set of classes and switches; all have the last spine.
    fn cuts<'s>(&self, sets: impl Iterator<Item = &'s [bool]>) -> String {
        let classes = self.classes();
        let hosts: usize = classes.iter().map(Vec::len).sum();
        let switches: Vec<_> = (hosts..hosts + self.leaves.len() + self.spines).collect();
        let (last, others) = switches.split_last().unwrap();
        let parts = || classes.iter().map(Vec::as_slice).chain(others.chunks(1));
        let cut = |set: &[bool]| {
            let inside = parts().zip(set).filter(|(_, is_inside)| **is_inside);
            let nodes: Vec<usize> = inside.flat_map(|(part, _)| part).copied().collect();
            format!("cut {}\n", list(&[&nodes[..], &[*last]].concat()))
        };
        sets.map(cut).collect()
    }

    /// A certificate with classes, and one that says the same host by host; there may be two cuts.
    fn texts(
        &self,
        split: &str,
        claim: &str,
        weights: &[u8],
        cuts: Option<&[bool]>,
    ) -> [String; 2] {
        let classes = self.classes();
        let hosts: usize = classes.iter().map(Vec::len).sum();
        let nodes = hosts + self.leaves.len() + self.spines;
        let mut head = format!("routebound-certificate 1\nhosts {hosts}\nnodes {nodes}\n");
        let cables = self.cables();
        for (a, b) in &cables {
            write!(head, "link {a} {b} 1\nlink {b} {a} 1\n").unwrap();
        }
        writeln!(head, "split {split}").unwrap();
        let line = |class: &Vec<usize>| format!("class {}\n", list(class));
        let records = classes.iter().map(line).collect::<Vec<_>>().concat();
        let sets = cuts.map(|cuts| self.cuts(cuts.chunks(12))).unwrap_or_default();
        let [.., first_out, second_out, first_in, second_in] = weights else {
            panic!("too few weights")
        };
        let by_cuts = cuts
            .map(|_| {
                format!(" o 0:{first_out}/6 1:{second_out}/6 i 0:{first_in}/6 1:{second_in}/6")
            })
            .unwrap_or_default();
        let rest = format!("{sets}claim {claim}\nwitness 0 100\ndemand 0 1 1\nroute even\nends\n");
        // A cover for the last cable's link up, which is one between switches.
        let cover = |all: bool| {
            let side = |name: &str, weights: &[u8]| {
                let hosts = classes.iter().zip(weights).flat_map(|(class, weight)| {
                    let hosts = if all { &class[..] } else { &class[..1] };
                    hosts.iter().map(move |host| (*host, *weight))
                });
                let mut hosts: Vec<_> = hosts.collect();
                hosts.sort_unstable();
                let words = hosts.iter().map(|(host, weight)| format!(" {host}:{weight}/6"));
                format!(" {name}{}", words.collect::<Vec<_>>().concat())
            };
            let (s, d) = weights.split_at(classes.len());
            let hosts = format!("{}{}", side("s", s), side("d", d));
            format!("cover {}{hosts}{by_cuts}\nend\n", 2 * cables.len() - 2)
        };
        [format!("{head}{records}{rest}{}", cover(false)), format!("{head}{rest}{}", cover(true))]
    }
}

fn list(hosts: &[usize]) -> String {
    let words: Vec<String> = hosts.iter().map(ToString::to_string).collect();
    words.join(" ")
}

proptest! {
    /// With classes a certificate is judged as without, to the word.
    #[test]
    fn classes_change_no_verdict(
        tree in trees(),
        split in prop::sample::select(vec!["paths", "hops"]),
        quantity in prop::sample::select(vec!["permutation-load", "hose-load", "oblivious-ratio"]),
        upper in 1..24_u32,
        weights in vec(0..7_u8, 18),
        cuts in option::of(vec(any::<bool>(), 24)),
    ) {
        let claim = format!("{quantity} 0 {upper}/4");
        let [classes, hosts] = tree.texts(split, &claim, &weights, cuts.as_deref());
        prop_assert_eq!(fate(classes.as_bytes()), fate(hosts.as_bytes()), "{}", classes);
    }
}
