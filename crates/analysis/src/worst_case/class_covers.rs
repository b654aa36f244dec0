//! Covers by classes of alike hosts, and what they are host by host.

use std::collections::HashMap;

use super::WorstCase;
use crate::certificate::Cover;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

impl WorstCase {
    /// Whether the ends of a link allow no more than this, so that it needs no cover of its own.
    pub(super) fn ends_allow(&self, link: LinkId, load: &Rational) -> bool {
        let ends = self.ends.get(link as usize).and_then(Option::as_ref);
        ends.is_some_and(|ends| ends <= load)
    }

    /// Rewrites covers so that they name all hosts of a class: from now on hosts are examined one by one.
    pub fn by_hosts(&mut self) {
        let classes = std::mem::take(&mut self.classes);
        self.ends.clear();
        over_hosts(&classes, self.links.iter_mut().flatten().map(|bound| &mut *bound.cover));
    }
}

/// Gives all hosts of a class the weight of its first one, where there are classes.
pub(super) fn over_hosts<'c>(classes: &[Vec<Host>], covers: impl Iterator<Item = &'c mut Cover>) {
    if classes.is_empty() {
        return;
    }
    let known = classes.iter().filter_map(|hosts| Some((*hosts.first()?, hosts)));
    let of_first: HashMap<Host, &Vec<Host>> = known.collect();
    for side in covers.flat_map(|cover| [&mut cover.sources, &mut cover.destinations]) {
        let all = side.drain(..).flat_map(|(first, weight)| {
            let hosts = of_first.get(&first).into_iter().copied().flatten();
            hosts.map(move |host| (*host, weight.clone()))
        });
        let mut all: Vec<_> = all.collect();
        all.sort_unstable_by_key(|(host, _)| *host);
        *side = all;
    }
}
