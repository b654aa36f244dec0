//! \[RO\] VII.A: Random against S-mod-k and D-mod-k, by static contention.

use super::seeds::{CG, Drawn, WRF, contention, pattern, tree};
use crate::theorem::prelude::*;

pub(super) const WORSE: Statement = Statement::new("ro-random-wrf", "[RO] VII.A, Fig. 2(a)")
    .about("Random routes WRF-256 with more contention than S-mod-k and D-mod-k")
    .hypothesis(
        "XGFT(2;16,16;1,w2), w2 = 2 to 16: contention, mean over seeds; printed for simulated time",
    )
    .ours()
    .quote("Random is worse than the oblivious alternatives S-mod-k and D-mod-k")
    .cases(|scope| check(scope, WRF, 1..=16, Side::Worse))
    .planted(Planted::Check(|scope| check(scope, WRF, 16..=16, Side::Better)));

pub(super) const BETTER: Statement = Statement::new("ro-random-cg", "[RO] VII.A, Fig. 2(b)")
    .about("Random routes the fifth phase of CG.D-128 with less contention than S-mod-k and D-mod-k")
    .hypothesis("XGFT(2;16,16;1,w2), w2 = 2 to 16: contention, mean over seeds; printed for simulated time, in almost all cases")
    .ours()
    .quote("Random improves over S-mod-k and D-mod-k in almost all cases")
    .cases(|scope| check(scope, CG, 1..=16, Side::Better))
    .remark(
        RemarkKind::OurReading,
        |case| matches!(case.numbers[..], [2..=4]),
        "For static contention true from about w2 = 6 on. S-mod-k and D-mod-k have 7 flows on a link for \
                   every w2 from 2 to 16, of which 4 are needed for w2 = 4 and all for w2 = 2; Random has more \
                   than 7 for w2 = 4, 3 and 2",
    )
    .planted(Planted::Check(|scope| check(scope, CG, 16..=16, Side::Worse)));

/// How Random compares.
#[derive(Clone, Copy)]
enum Side {
    Better,
    Worse,
}

fn check(scope: &Scope, traffic: &str, all: std::ops::RangeInclusive<u64>, side: Side) -> Findings {
    let pattern = pattern(traffic)?;
    scope.each(all, |tops| {
        let name = |routing: &str| format!("random against {routing} on {}", tree(tops));
        if tops == 1 {
            return Ok(Finding::vacuous(name("any routing"), "one root").into());
        }
        let random = Drawn::new(scope, tops, "random", &pattern)?;
        let against = |routing| {
            let modulo = contention(scope, tops, routing, &pattern)?;
            let modulo = Drawn::constant(modulo, &random);
            let case = Case::of(name(routing), [tops]);
            Ok(match side {
                Side::Better => random.below(case, &modulo),
                Side::Worse => modulo.below(case, &random),
            })
        };
        ["smodk", "dmodk"].into_iter().map(against).collect::<Findings>()
    })
}
