//! The hash functions that data sheets of switches name.
//!
//! | `hash=` | function | of `123456789` |
//! |---|---|---|
//! | `crc32` | CRC-32/ISO-HDLC, the check sum of Ethernet | cbf43926 |
//! | `crc16` | CRC-16/ARC, polynomial 8005 (`CRC16_BISYNC`) | bb3d |
//! | `crc16cc` | CRC-16/IBM-3740, polynomial 1021, begins with ffff (`CRC16_CCITT`) | 29b1 |
//! | `xor` | 16-bit words, the first byte upper, combined by exclusive or; a zero follows an odd last byte | 3908 |
//!
//! The names `crc16`, `crc16cc`, and a CRC-32 or exclusive or of which 16 bits are taken are those of the hash
//! algorithms of Broadcom's switches in the *Administrator Guide* of Dell EMC Networking OS9 (`hash-algorithm ecmp`);
//! SAI has `CRC`, `CRC_CCITT`, `CRC_32LO`, `CRC_32HI` and `XOR` (`sai_hash_algorithm_t`). Parameters and check values
//! are those of the catalogue of parametrised CRC algorithms (reveng.sourceforge.io).

use serde::Deserialize;

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Function {
    Crc32,
    Crc16,
    Crc16cc,
    Xor,
}

/// What a byte does to a check sum whose lowest bit leaves first.
const fn reflected(polynomial: u32) -> [u32; 256] {
    let (mut table, mut byte) = ([0; 256], 0_u32);
    while byte < 256 {
        let (mut rest, mut bit) = (byte, 0);
        while bit < 8 {
            rest = if rest & 1 == 1 { (rest >> 1) ^ polynomial } else { rest >> 1 };
            bit += 1;
        }
        table[byte as usize] = rest;
        byte += 1;
    }
    table
}

/// What a byte does to a check sum of 16 bits whose upper bit leaves first.
const fn straight(polynomial: u32) -> [u32; 256] {
    let (mut table, mut byte) = ([0; 256], 0_u32);
    while byte < 256 {
        let (mut rest, mut bit) = (byte << 8, 0);
        while bit < 8 {
            rest = if rest & 0x8000 == 0 { rest << 1 } else { (rest << 1) ^ polynomial };
            bit += 1;
        }
        table[byte as usize] = rest & 0xffff;
        byte += 1;
    }
    table
}

const CRC32: [u32; 256] = reflected(0xedb8_8320);
const CRC16: [u32; 256] = reflected(0xa001);
const CRC16CC: [u32; 256] = straight(0x1021);

impl Function {
    /// Number of bits of a hash.
    pub(super) fn bits(self) -> u32 {
        if self == Self::Crc32 { 32 } else { 16 }
    }

    /// The hash of some bytes.
    pub(super) fn of(self, bytes: &[u8]) -> u32 {
        let low = |table: &[u32; 256], begin: u32| {
            bytes.iter().fold(begin, |sum, byte| {
                (sum >> 8) ^ table[(sum & 0xff) as usize ^ usize::from(*byte)]
            })
        };
        match self {
            Self::Crc32 => !low(&CRC32, u32::MAX),
            Self::Crc16 => low(&CRC16, 0),
            Self::Crc16cc => bytes.iter().fold(0xffff, |sum, byte| {
                ((sum << 8) & 0xffff) ^ CRC16CC[(sum >> 8) as usize ^ usize::from(*byte)]
            }),
            Self::Xor => bytes.chunks(2).fold(0, |sum, word| {
                sum ^ (u32::from(word[0]) << 8) ^ u32::from(word.get(1).copied().unwrap_or(0))
            }),
        }
    }

    /// A hash rotated right by some of its bits, as SAI's hash offset does.
    pub(super) fn rotated(self, hash: u32, offset: u32) -> u32 {
        if offset == 0 {
            return hash;
        }
        let bits = self.bits();
        let whole = u64::from(hash) | (u64::from(hash) << bits);
        let kept = (whole >> (offset % bits)) & ((1 << bits) - 1);
        u32::try_from(kept).expect("no more than the bits of a hash")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values of the catalogue; 3132 ^ 3334 ^ 3536 ^ 3738 ^ 3900 by hand.
    #[test]
    fn check_values() {
        let all = [Function::Crc32, Function::Crc16, Function::Crc16cc, Function::Xor];
        let expected = [0xcbf4_3926, 0xbb3d, 0x29b1, 0x3908];
        assert_eq!(all.map(|function| function.of(b"123456789")), expected);
        assert_eq!(all.map(|function| function.of(b"")), [0, 0, 0xffff, 0]);
    }

    /// What switches share although their seeds differ: the hashes of two flows differ by the same bits.
    #[test]
    fn hashes_are_linear() {
        for function in [Function::Crc32, Function::Crc16, Function::Crc16cc, Function::Xor] {
            let hash = |seed: &[u8; 4], key: &[u8; 4]| function.of(&[*seed, *key].concat());
            let difference = |seed| hash(seed, b"flow") ^ hash(seed, b"FLOW");
            assert_eq!(difference(b"0000"), difference(b"seed"), "{function:?}");
            assert_ne!(hash(b"0000", b"flow"), hash(b"seed", b"flow"), "{function:?}");
        }
    }

    #[test]
    fn rotation_goes_to_the_right() {
        assert_eq!(Function::Xor.rotated(0x1234, 4), 0x4123);
        assert_eq!(Function::Crc32.rotated(0x1234_5678, 8), 0x7812_3456);
        assert_eq!(Function::Crc32.rotated(0x1234_5678, 0), 0x1234_5678);
        assert_eq!(Function::Crc16.rotated(0x1234, 16), 0x1234);
    }
}
