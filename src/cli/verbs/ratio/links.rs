//! The list of all links with bounds of their ratios: `ratio --links`.

use anyhow::Result;

use super::RatioVerb;
use crate::assessment::Assessment;
use crate::cli::{Context, text_of};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::report::{LinkList, List};
use crate::routing::Instance;
use crate::topology::{LinkId, Topology};
use crate::worst_case::{LinkRatio, link_ratios};

impl RatioVerb {
    /// Keeps the list of links with what is known, if one is asked for.
    pub(super) fn keep_list(
        &self,
        format: Option<&'static Kind<LinkList>>,
        instance: &Instance,
        known: &Assessment,
        context: &Context,
    ) {
        if format.is_some() {
            let topology = instance.topology.clone();
            let ratios = known_ratios(&topology, known);
            let text = move |format: &_| text_of(format, List::of_ratios(&topology, &ratios));
            self.list.keep(format, text, context);
        }
    }

    /// Lists the ratio of every link, if that is asked for.
    pub(super) fn list_links(
        &self,
        format: Option<&'static Kind<LinkList>>,
        instance: &Instance,
        found: &Assessment,
        context: &Context,
    ) -> Result<()> {
        if format.is_none() {
            return Ok(());
        }
        self.keep_list(format, instance, found, context);
        let mut ratios = known_ratios(&instance.topology, found);
        if !context.is_stopped() {
            let progress = context.progress(0, "sources");
            for (ratio, found) in ratios.iter_mut().zip(link_ratios(instance, &progress)?) {
                found.upper.iter().for_each(|most| ratio.cap(most));
                ratio.raise(&found.lower);
            }
        }
        self.list.write(format, || List::of_ratios(&instance.topology, &ratios), context);
        Ok(())
    }
}

/// Bounds of the ratio of every link that follow from bounds of all traffic.
fn known_ratios(topology: &Topology, found: &Assessment) -> Vec<LinkRatio> {
    let bounds = |link: LinkId| {
        let most = found.links.get(link as usize).and_then(Option::as_ref);
        let mut ratio = LinkRatio { link, lower: Rational::ZERO, upper: most.cloned() };
        ratio.cap(&found.oblivious_ratio.upper);
        if link == found.witness.link {
            ratio.raise(&found.attained);
        }
        ratio
    };
    topology.link_numbers().map(bounds).collect()
}
