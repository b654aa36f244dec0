//! The paths of a single-path routing, many at a time.

use super::tails::Tails;
use super::{Routing, UseScratch};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

/// The paths of one source to several destinations, end to end in one list of links.
#[derive(Debug, Default)]
pub struct Paths {
    /// The links of the paths, `used` of them, and room for more.
    links: Vec<LinkId>,
    used: usize,
    ends: Vec<usize>,
    /// What forwarding tables keep for the next source.
    pub(super) tails: Tails,
}

impl Paths {
    /// Removes all paths.
    pub fn clear(&mut self) {
        self.used = 0;
        self.ends.clear();
    }

    /// Appends links to the path that has not ended yet.
    #[inline]
    pub fn extend(&mut self, links: &[LinkId]) {
        self.room(links.len()).copy_from_slice(links);
    }

    /// Writes the paths of `s` one by one: `write` appends the links of one.
    pub(super) fn write_each(
        &mut self,
        s: Host,
        destinations: &[Host],
        mut write: impl FnMut(Host, &mut Self, &mut Vec<LinkId>),
    ) {
        self.clear();
        let mut scratch = Vec::new();
        for d in destinations {
            if *d != s {
                write(*d, self, &mut scratch);
            }
            self.end();
        }
    }

    /// Appends a path of `length` links, to be written.
    #[inline]
    pub(super) fn next(&mut self, length: usize) -> &mut [LinkId] {
        self.ends.push(self.used + length);
        self.room(length)
    }

    /// Places for more links.
    #[inline]
    fn room(&mut self, length: usize) -> &mut [LinkId] {
        let start = self.used;
        self.used += length;
        if self.used > self.links.len() {
            // Zeros are written once, not for every path.
            self.links.resize(2 * self.used, 0);
        }
        &mut self.links[start..self.used]
    }

    /// Ends a path; the next one begins.
    #[inline]
    pub fn end(&mut self) {
        self.ends.push(self.used);
    }

    /// The links of all paths, and where in them each path ends.
    #[inline]
    #[must_use]
    pub fn end_to_end(&self) -> (&[LinkId], &[usize]) {
        (&self.links[..self.used], &self.ends)
    }

    /// The paths in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &[LinkId]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let path = &self.links[start..*end];
            start = *end;
            path
        })
    }
}

/// Number of destinations whose paths are written at a time: they stay in the cache.
const AT_A_TIME: usize = 256;

impl dyn Routing {
    /// Calls a function for every use of a link, as [`Routing::for_each_use`] does, by the pairs of `s` with all
    /// `destinations` but `s` itself, in order. The first argument of a call is the place in `destinations`.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{rational::Rational, routing::{Instance, UseScratch}};
    /// let instance = Instance::named("ft(4,2)", "dmodk")?;
    /// let mut lengths = Vec::new();
    /// let mut visit = |place: usize, _: &Rational, links: &[u32]| lengths.push((place, links.len()));
    /// instance.routing().for_each_use_from(0, &[7, 0, 1], &mut UseScratch::default(), &mut visit);
    /// assert_eq!(lengths, [(0, 4), (2, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_each_use_from(
        &self,
        s: Host,
        destinations: &[Host],
        scratch: &mut UseScratch,
        visit: &mut dyn FnMut(usize, &Rational, &[LinkId]),
    ) {
        if !self.is_single_path() {
            for (place, d) in destinations.iter().enumerate().filter(|(_, d)| **d != s) {
                self.for_each_use(s, *d, scratch, &mut |share, links| visit(place, share, links));
            }
            return;
        }
        let mut place = 0;
        for some in destinations.chunks(AT_A_TIME) {
            self.paths_from(s, some, &mut scratch.paths);
            for path in scratch.paths.iter() {
                if !path.is_empty() {
                    visit(place, &Rational::ONE, path);
                }
                place += 1;
            }
        }
    }
}
