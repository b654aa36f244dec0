//! Streams of random numbers: the only file that names the generator.

use std::convert::Infallible;

use rand::rand_core::TryRng;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The random streams of a seed, one for every 64-bit number, independent of each other. The
/// generator is ChaCha with 8 rounds; `crates/proof/src/certificate/NAMES.md` defines it, since certificates
/// name random routings by their seeds.
///
/// ```
/// # use routebound_networks as routebound;
/// use rand::Rng;
/// use routebound::sampling::Streams;
/// let streams = Streams::new(7);
/// let (first, second) = (streams.at(0).next_u64(), streams.at(1).next_u64());
/// assert_ne!(first, second);
/// // Whatever was drawn before, and from which stream.
/// assert_eq!(Streams::new(7).at(1).next_u64(), second);
/// ```
#[derive(Clone, Debug)]
pub struct Streams(ChaCha8Rng);

impl Streams {
    /// The streams of `seed`. Seeding takes longer than [`Self::at`]: where many streams are drawn
    /// from, keep this.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Stream `number` from its beginning. A copy of some 300 bytes.
    #[inline]
    #[must_use]
    pub fn at(&self, number: u64) -> Stream {
        let mut stream = self.0.clone();
        stream.set_stream(number);
        Stream(stream)
    }

    /// Stream `number` from its 32-bit word `word` on.
    #[inline]
    #[must_use]
    pub fn from_word(&self, number: u64, word: u128) -> Stream {
        let mut stream = self.at(number);
        stream.0.set_word_pos(word);
        stream
    }
}

/// One stream of random numbers, a generator as the traits of the crate `rand` know it.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::seq::SliceRandom;

    /// What every seed in use relies on: the streams are those of the generator itself.
    #[test]
    fn a_stream_is_that_of_the_generator() {
        for (seed, number) in [(0, 0), (7, 1), (u64::MAX, 1 << 40), (3, u64::MAX)] {
            let mut direct = ChaCha8Rng::seed_from_u64(seed);
            direct.set_stream(number);
            let mut stream = Streams::new(seed).at(number);
            let mut orders = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; 2];
            orders[0].shuffle(&mut direct);
            orders[1].shuffle(&mut stream);
            assert_eq!(orders[0], orders[1]);
            assert_eq!(direct.next_u64(), stream.next_u64());
            let mut bytes = [[0; 9]; 2];
            direct.fill_bytes(&mut bytes[0]);
            stream.fill_bytes(&mut bytes[1]);
            assert_eq!(bytes[0], bytes[1]);
        }
    }

    /// `NAMES.md` says that seed 0 without a stream is stream 0.
    #[test]
    fn stream_0_is_the_one_that_a_seed_begins_with() {
        let mut direct = ChaCha8Rng::seed_from_u64(5);
        let mut stream = Streams::new(5).at(0);
        assert_eq!([(); 40].map(|()| direct.next_u32()), [(); 40].map(|()| stream.next_u32()));
    }

    #[test]
    fn words_are_numbered_from_the_beginning_of_a_stream() {
        let streams = Streams::new(9);
        let mut whole = streams.at(3);
        let words: Vec<u32> = (0..50).map(|_| whole.next_u32()).collect();
        for word in [0, 1, 15, 16, 17, 49] {
            let mut from = streams.from_word(3, word as u128);
            assert_eq!(from.next_u32(), words[word], "{word}");
        }
    }
}
