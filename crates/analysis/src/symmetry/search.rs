//! The search for an automorphism that takes one link to another.
//!
//! Two copies of the network are coloured alike. In each one point gets a colour of its own: in the
//! first a link, in the second the link that it is to be taken to. Both are refined in the same way;
//! colours that then differ show that there is no such automorphism. Hosts that are distinguished colour
//! the links of their pairs. Where points are still alike, one of them is chosen in the first copy
//! and each of those that look like it in the second. The next one in order is tried first, because
//! long cycles join many links at once: a few automorphisms then make up all classes.

use super::colours::{Colour, Incidence, Role, mixed};
use super::routed::RoutedPairs;
use crate::progress::Stopped;
use crate::topology::{Host, LinkId};

/// Steps are limited to this many per link and point, at least to the second and at most to the
/// third number; one search to a part of them. A linear program of a link takes far more.
const STEPS: u64 = 32;
const LEAST_STEPS: u64 = 1 << 20;
const MOST_STEPS: u64 = 1 << 28;
const PART: u64 = 4;

/// Maximum number of colours that are held for points that were chosen.
const MAX_HELD: usize = 1 << 23;

/// Points with their colours, sorted by colour, then number.
type Order = Vec<(Colour, u32)>;

/// A copy of the network.
#[derive(Clone)]
struct Coloured {
    colours: Vec<Colour>,
    order: Order,
}

/// Both copies, and which hosts have coloured the links of their pairs in the first one.
#[derive(Clone)]
struct Copies {
    both: [Coloured; 2],
    has_coloured: Vec<bool>,
}

/// The search for automorphisms.
pub(super) struct Search<'a> {
    network: &'a Incidence,
    pairs: &'a RoutedPairs<'a>,
    start: &'a [Colour],
    /// Steps left of all searches, and of the current one.
    left: u64,
    left_now: u64,
}

/// Why a branch of the search ends.
enum End {
    Stopped,
    /// No steps are left.
    Exhausted,
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Coloured {
    fn new(colours: Vec<Colour>) -> Self {
        let mut order: Order = colours.iter().copied().zip(0..).collect();
        order.sort_unstable();
        Self { colours, order }
    }

    /// Gives a point a colour of its own, which no other point with another number gets.
    fn choose(&mut self, point: u32, number: Colour) {
        let own = &mut self.colours[point as usize];
        *own = mixed(Role::Chosen, *own, number);
    }

    /// Whether the colours are those of the other copy, at whatever points.
    fn looks_like(&self, other: &Self) -> bool {
        let mut both = self.order.iter().zip(&other.order);
        both.all(|((own, _), (other, _))| own == other)
    }

    /// The points of a colour, ascending.
    fn points(&self, colour: Colour) -> Vec<u32> {
        let from = self.order.partition_point(|(other, _)| *other < colour);
        let to = self.order.partition_point(|(other, _)| *other <= colour);
        self.order[from..to].iter().map(|(_, point)| *point).collect()
    }

    /// The place in the order of the lowest point that is not alone.
    fn lowest_alike(&self) -> Option<usize> {
        let alike = (0..self.order.len()).filter(|place| !self.is_alone(*place));
        alike.min_by_key(|place| self.order[*place].1)
    }

    /// Whether no other point has the colour at a place of the order.
    fn is_alone(&self, place: usize) -> bool {
        let colour = |place: usize| self.order.get(place).map(|(colour, _)| *colour);
        let own = colour(place);
        colour(place + 1) != own && place.checked_sub(1).is_none_or(|before| colour(before) != own)
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        network: &'a Incidence,
        pairs: &'a RoutedPairs<'a>,
        start: &'a [Colour],
    ) -> Self {
        let steps = (network.links() as u64).saturating_mul(network.points() as u64) * STEPS;
        let left = steps.clamp(LEAST_STEPS, MOST_STEPS);
        Self { network, pairs, start, left, left_now: 0 }
    }

    /// Whether no steps are left.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    /// Links of the same colour, at least two, ascending; by the lowest ones.
    pub(super) fn alike_links(&self) -> Vec<Vec<LinkId>> {
        let mut links: Vec<(Colour, LinkId)> =
            self.start[self.network.nodes..].iter().copied().zip(0..).collect();
        links.sort_unstable();
        let alike = links.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1);
        let mut alike: Vec<Vec<LinkId>> =
            alike.map(|alike| alike.iter().map(|(_, link)| *link).collect()).collect();
        alike.sort_unstable();
        alike
    }

    /// The images of all points under an automorphism that the routing respects and that takes
    /// `points` to `images`, in order, if one is found.
    pub(super) fn automorphism(
        &mut self,
        points: &[u32],
        images: &[u32],
    ) -> Result<Option<Vec<u32>>, Stopped> {
        let copies = self.copies(points, images);
        self.limited(|search| search.extend(copies, points.len()))
    }

    /// The points that look like the lowest one that is not told apart once `points` are, that one first; `None`
    /// where all are, or no steps are left.
    pub(super) fn alike_beside(&mut self, points: &[u32]) -> Result<Option<Vec<u32>>, Stopped> {
        let mut copies = self.copies(points, points);
        self.limited(|search| {
            search.settle(&mut copies)?;
            let [own, _] = &copies.both;
            Ok(own.lowest_alike().map(|place| own.points(own.order[place].0)))
        })
    }

    /// Two copies of the network in which these points have colours of their own.
    fn copies(&self, points: &[u32], images: &[u32]) -> Copies {
        let both = [points, images].map(|chosen| {
            let mut copy = Coloured { colours: self.start.to_vec(), order: Order::new() };
            (0..).zip(chosen).for_each(|(number, point)| copy.choose(*point, number));
            copy
        });
        Copies { both, has_coloured: vec![false; self.network.hosts] }
    }

    /// What a part of the steps that are left suffices to find.
    fn limited<T>(
        &mut self,
        find: impl FnOnce(&mut Self) -> Result<Option<T>, End>,
    ) -> Result<Option<T>, Stopped> {
        let given = (self.left / PART).max(LEAST_STEPS.min(self.left));
        self.left_now = given;
        let found = find(self);
        self.left -= given - self.left_now;
        match found {
            Ok(found) => Ok(found),
            Err(End::Exhausted) => Ok(None),
            Err(End::Stopped) => Err(Stopped),
        }
    }

    /// Completes the colours of both copies to an automorphism; `depth` counts the points chosen.
    fn extend(&mut self, mut copies: Copies, depth: usize) -> Result<Option<Vec<u32>>, End> {
        if !self.settle(&mut copies)? {
            return Ok(None);
        }
        let [own, other] = &copies.both;
        let Some(place) = own.lowest_alike() else {
            return self.verified(own, other);
        };
        if depth * self.network.points() > MAX_HELD {
            return Err(End::Exhausted);
        }
        let (colour, point) = own.order[place];
        let mut candidates = other.points(colour);
        let next = candidates.partition_point(|candidate| *candidate <= point);
        candidates.rotate_left(next);
        for candidate in candidates {
            let mut copies = copies.clone();
            copies.both[0].choose(point, 0);
            copies.both[1].choose(candidate, 0);
            if let Some(found) = self.extend(copies, depth + 1)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Refines both copies, also by the pairs of hosts that are distinguished, as long as that tells more
    /// points apart; whether the copies still look alike.
    fn settle(&mut self, copies: &mut Copies) -> Result<bool, End> {
        if !self.refine(copies)? || self.pairs.routing.is_none() {
            let [own, other] = &copies.both;
            return Ok(own.looks_like(other));
        }
        while let Some((host, image)) = copies.next_host(self.network.hosts) {
            copies.has_coloured[host as usize] = true;
            let before = copies.told_apart();
            for (copy, host) in copies.both.iter_mut().zip([host, image]) {
                let (colours, uses) = self.pairs.colours_from(host, &copy.colours)?;
                copy.colours = colours;
                self.count(uses)?;
            }
            if !self.refine(copies)? {
                return Ok(false);
            }
            if copies.told_apart() == before {
                break;
            }
        }
        Ok(true)
    }

    /// Refines both copies in the same way; whether they still look alike.
    fn refine(&mut self, copies: &mut Copies) -> Result<bool, End> {
        let progress = self.pairs.progress;
        let [own, other] = &mut copies.both;
        let rounds = self.network.refine(&mut own.colours, None, progress)?;
        self.network.refine(&mut other.colours, Some(rounds), progress)?;
        self.count(4 * (rounds * self.network.points()) as u64)?;
        for copy in &mut copies.both {
            *copy = Coloured::new(std::mem::take(&mut copy.colours));
        }
        let [own, other] = &copies.both;
        Ok(own.looks_like(other))
    }

    fn count(&mut self, steps: u64) -> Result<(), End> {
        self.left_now = self.left_now.checked_sub(steps).ok_or_else(|| {
            self.left_now = 0;
            End::Exhausted
        })?;
        Ok(())
    }

    /// The images of all points by their colours, if that is an automorphism that the routing
    /// respects.
    fn verified(&mut self, own: &Coloured, other: &Coloured) -> Result<Option<Vec<u32>>, End> {
        let mut images = vec![0; own.order.len()];
        for ((_, point), (_, image)) in own.order.iter().zip(&other.order) {
            images[*point as usize] = *image;
        }
        let hosts = self.network.hosts as u64;
        self.count(hosts * hosts)?;
        Ok(self.pairs.are_kept_by(&images)?.then_some(images))
    }
}

impl Copies {
    /// Number of colours of the first copy.
    fn told_apart(&self) -> usize {
        self.both[0].order.chunk_by(|a, b| a.0 == b.0).count()
    }

    /// A host that is distinguished and has not yet coloured the links of its pairs, with its image;
    /// `None` where no points are alike.
    fn next_host(&self, hosts: usize) -> Option<(Host, Host)> {
        let [own, other] = &self.both;
        if self.told_apart() == own.colours.len() {
            return None;
        }
        let is_host = |(_, point): &(Colour, u32)| (*point as usize) < hosts;
        let places = (0..own.order.len()).filter(|place| is_host(&own.order[*place]));
        let new = places.filter(|place| !self.has_coloured[own.order[*place].1 as usize]);
        let first = new.filter(|place| own.is_alone(*place)).min_by_key(|at| own.order[*at].1)?;
        Some((own.order[first].1, other.order[first].1))
    }
}
