//! The seed of a run in specs that take one.

use crate::registry::Kind;
use crate::spec::Spec;
use crate::traffic::name_of;

/// A path or a malformed spec stays as it is: opening it reports what is wrong. So does a name that is
/// complete, and not random, without a seed.
pub(super) fn with_seed<B>(text: &str, kinds: &[Kind<B>], seed: u64) -> String {
    let Ok(mut spec) = Spec::parse(text) else { return text.to_string() };
    match kinds.iter().find(|kind| kind.name == name_of(&spec.name)) {
        Some(kind) if kind.takes("seed") && !kind.needs_nothing() => {
            spec.set_default("seed", &seed.to_string());
            spec.to_string()
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn kind(name: &'static str, usage: &'static str) -> Kind<()> {
        Kind { name, usage, about: "", reference: "", examples: &[], build: () }
    }

    #[test]
    fn the_seed_goes_where_one_is_taken_and_none_is_given() {
        let kinds = [
            kind("random", "random(seed=1)"),
            kind("dmodk", "dmodk"),
            kind("minhop", "minhop, minhop(seed=1)"),
        ];
        for (text, seeded) in [
            ("random", "random(seed=3)"),
            ("Random( p=0.5 )", "random(p=0.5,seed=3)"),
            ("random(seed=9)", "random(seed=9)"),
            ("dmodk", "dmodk"),
            ("minhop", "minhop"),
            ("minhop(seed=9)", "minhop(seed=9)"),
            ("./random", "./random"),
            ("random(", "random("),
            ("random:p=0.5", "random(p=0.5,seed=3)"),
        ] {
            assert_eq!(with_seed(text, &kinds, 3), seeded);
        }
    }
}
