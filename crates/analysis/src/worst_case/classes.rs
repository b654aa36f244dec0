//! Classes of links with the same worst case: only the lowest link of each is solved.

use std::sync::Arc;

use super::{LinkBound, WorstCase};
use crate::certificate::{Automorphism, Cover};
use crate::symmetry::Symmetry;
use crate::topology::{LinkId, link_number};

impl WorstCase {
    /// Solves only the lowest link of each class of `symmetry`, of the same instance, from now on. What is known of it
    /// holds for the others, which no longer have covers of their own.
    pub fn adopt(&mut self, symmetry: &Arc<Symmetry>) {
        self.symmetry = Some(Arc::clone(symmetry));
        self.share_within_classes();
    }

    /// The classes that were used, where links were solved by class.
    #[must_use]
    pub fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        self.symmetry.as_ref()
    }

    /// Whether a link is the lowest of its class.
    #[must_use]
    pub fn is_representative(&self, link: LinkId) -> bool {
        self.symmetry().is_none_or(|symmetry| symmetry.representative(link) == link)
    }

    /// The automorphisms by which covers of some links prove the bounds of others.
    pub(super) fn automorphisms(&self) -> &[Automorphism] {
        self.symmetry().map_or(&[], |symmetry| symmetry.automorphisms())
    }

    /// Gives every link the bound of the lowest link of its class, which alone has a cover.
    pub fn share_within_classes(&mut self) {
        self.give_bounds(|_| true);
    }

    /// Gives the links without a bound that of the lowest link of their class.
    pub(super) fn complete_classes(&mut self) {
        self.give_bounds(Option::is_none);
    }

    fn give_bounds(&mut self, wanted: impl Fn(&Option<LinkBound>) -> bool) {
        let Some(symmetry) = self.symmetry.clone() else { return };
        for link in 0..link_number(self.links.len()) {
            let representative = symmetry.representative(link);
            if representative == link || !wanted(&self.links[link as usize]) {
                continue;
            }
            let Some(known) = &self.links[representative as usize] else { continue };
            let LinkBound { load, attained, .. } = known.clone();
            let cover = Box::new(Cover { link, ..Cover::default() });
            self.links[link as usize] = Some(LinkBound { load, attained, cover });
        }
    }
}
