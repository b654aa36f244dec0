//! Destinations weighed block by block, where each pair has one path.

use crate::topology::{Host, LinkId};

use super::Result;
use super::ends::{Scale, Way, Weighing};
use super::known::Numbered;
use super::network::Network;
use super::routes::Routes;
use super::walk::Buffers;

/// Number of destinations that have a bit per link at a time.
const BLOCK: usize = 256;

/// Some of these.
type Bits = [u64; BLOCK / 64];

impl Weighing<'_> {
    /// By open link, which destinations of a block its pairs have.
    fn seen(&self, routes: &Routes<'_>, hosts: &[Host], block: &[Host]) -> Result<Vec<Bits>> {
        let mut seen = vec![Bits::default(); self.open_links.len()];
        let first = block[0];
        // Whether that was not known.
        let mut see = |d: Host, link: LinkId| {
            let Some(slot) = self.slot[link as usize] else { return true };
            let (word, bit) = ((d - first) as usize / 64, 1 << ((d - first) % 64));
            let known = &mut seen[slot.get() as usize - 1][word];
            let is_new = *known & bit == 0;
            *known |= bit;
            is_new
        };
        if let Routes::Next(tables) = routes {
            tables.each_use(self.network, block, see)?;
            return Ok(seen);
        }
        let mut buffers = Buffers::default();
        for s in hosts {
            routes.paths_from(self.network, (*s, block), &mut buffers, |d, links| {
                for link in links {
                    see(d, *link);
                }
                Ok(())
            })?;
        }
        Ok(seen)
    }
}

impl Scale<'_> {
    /// Weighs destinations in ascending order.
    pub(super) fn weigh_blocks(
        &mut self,
        routes: &Routes<'_>,
        hosts: &[Host],
        destinations: &[Host],
    ) -> Result<()> {
        let mut blocks = destinations.chunks(BLOCK);
        blocks.try_for_each(|block| self.weigh_block(routes, hosts, block))
    }

    /// Weighs one block of destinations.
    fn weigh_block(&mut self, routes: &Routes<'_>, hosts: &[Host], block: &[Host]) -> Result<()> {
        let network = self.weighing.network;
        let seen = self.weighing.seen(routes, hosts, block)?;
        for (way, count) in self.weighing.ways.iter().zip(&mut self.counts) {
            let classes = way.classes(network, block, &mut count.weights)?;
            for (link, seen) in self.weighing.open_links.iter().zip(&seen) {
                for (weight, class) in &classes {
                    let both = seen.iter().zip(class).map(|(seen, class)| seen & class);
                    count.add(*link, *weight, both.map(u64::count_ones).sum());
                }
            }
        }
        Ok(())
    }
}

impl Way<'_> {
    /// The numbers of the weights in a block of destinations, and which have each of them.
    fn classes(
        &self,
        network: &Network,
        block: &[Host],
        weights: &mut Numbered,
    ) -> Result<Vec<(u32, Bits)>> {
        let mut classes: Vec<(u32, Bits)> = Vec::new();
        for (place, d) in block.iter().enumerate() {
            let weight = weights.number(&self.weight(network, *d, false)?);
            let known = classes.iter().position(|class| class.0 == weight);
            let known = known.unwrap_or_else(|| {
                classes.push((weight, Bits::default()));
                classes.len() - 1
            });
            classes[known].1[place / 64] |= 1 << (place % 64);
        }
        Ok(classes)
    }
}
