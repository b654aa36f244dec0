//! "Same last component": the worst traffic that \[GO\] 5.2.1 devises for its deterministic
//! routing (D-mod-k).
//!
//! In a k-ary n-tree the last component of a processing node is its number modulo k. When all
//! destinations have the same one, D-mod-k sends all traffic out of a switch of level 1
//! through one of its k up links.

use super::ProductTraffic;
use super::prelude::*;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "samelast",
    usage: "samelast(k,last=0,tasks=K,place=linear|random,seed=1)",
    about: "every task sends 1 unit to every other task d with d mod k = last",
    reference: "[GO] 5.2.1",
    examples: &["samelast(4)", "samelast(8,last=3)", "samelast(2,last=1,tasks=9)"],
    build: super::Pattern::plain(|spec, hosts| build(spec, hosts)?.to_matrix()).regular(build),
};

#[derive(Deserialize)]
struct Options {
    k: u64,
    last: u64,
}

fn build(spec: &Spec, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    let tasks = Tasks::read(spec, hosts)?;
    let Options { k, last } = spec.read()?;
    let count = tasks.count();
    let k = u32::try_from(k).ok().filter(|k| (1..=count).contains(k));
    let k = k.ok_or_else(|| tasks.bad(format!("k must be in 1..={count}, the number of tasks")))?;
    let Some(last) = u32::try_from(last).ok().filter(|last| *last < k) else {
        return Err(tasks.bad(format!("`last={last}` must be below k = {k}")).into());
    };
    Ok(tasks.product((last..count).step_by(k as usize)))
}
