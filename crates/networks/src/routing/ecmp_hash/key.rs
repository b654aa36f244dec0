//! What a switch hashes: its seed, and the fields of a flow.
//!
//! The bytes are those of the seed, then of the fields that are hashed, in the order of the table whatever the order
//! of the option, upper bytes first.
//!
//! | field | bytes | value |
//! |---|---|---|
//! | the seed of the switch | 4 | |
//! | `src` | 4 | IPv4 address of the source: 10.0.0.0 plus the number of the host |
//! | `dst` | 4 | that of the destination |
//! | `sport` | 2 | source port of the flow |
//! | `dport` | 2 | 4791, RoCE version 2 |
//! | `proto` | 1 | 17, UDP |
//!
//! Source ports of RoCE are from 49152 on (`IB_ROCE_UDP_ENCAP_VALID_PORT_MIN` of Linux): drawn, flow k of pair (s,d)
//! has 49152 plus the upper 14 bits of 32-bit word 256·d + k of stream s of the seed; or all pairs use P + k.

use rand::Rng as _;

use crate::sampling::Streams;
use crate::topology::Host;

/// The lowest source port of RoCE version 2.
const LOWEST_PORT: u16 = 0xc000;
/// Maximum number of flows of a pair, each of which owns a word of a stream.
pub(super) const MAX_FLOWS: u64 = 256;
/// Number of addresses in 10.0.0.0/8.
pub(super) const MAX_HOSTS: u64 = 1 << 24;
/// Number of bytes of the seed and of all fields.
const LENGTH: usize = 17;

/// A field of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Source,
    Destination,
    SourcePort,
    DestinationPort,
    Protocol,
}

/// All fields by their names, in the order in which they are hashed.
const FIELDS: [(&str, Field); 5] = [
    ("src", Field::Source),
    ("dst", Field::Destination),
    ("sport", Field::SourcePort),
    ("dport", Field::DestinationPort),
    ("proto", Field::Protocol),
];

/// The fields that are hashed, in order.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Fields(Vec<(&'static str, Field)>);

impl TryFrom<String> for Fields {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let names: Vec<&str> = text.split('+').collect();
        let known = || FIELDS.map(|(name, _)| name).join(", ");
        for (at, name) in names.iter().enumerate() {
            if !FIELDS.iter().any(|(known, _)| known == name) {
                return Err(format!("must join names by `+`, each one of {}", known()));
            }
            if names[..at].contains(name) {
                return Err(format!("has `{name}` twice"));
            }
        }
        Ok(Self(FIELDS.into_iter().filter(|(name, _)| names.contains(name)).collect()))
    }
}

impl Fields {
    /// The value of the option, in the order of hashing.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("+")
    }

    /// Whether flows of a pair differ in them.
    pub(super) fn tell_flows(&self) -> bool {
        self.0.iter().any(|(_, field)| *field == Field::SourcePort)
    }
}

/// The source ports of the flows of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Ports {
    Random,
    From(u16),
}

impl TryFrom<String> for Ports {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "random" => Ok(Self::Random),
            port => port.parse().map(Self::From).map_err(|_| "is not random or a port up to 65535"),
        }
    }
}

impl Ports {
    /// The ports of `flows` flows of a pair, one by one; beyond 65535 they begin again at 0.
    pub(super) fn of(
        self,
        streams: &Streams,
        flows: u16,
        s: Host,
        d: Host,
    ) -> impl Iterator<Item = u16> {
        let first = u128::from(d) * u128::from(MAX_FLOWS);
        let mut words = (self == Self::Random).then(|| streams.from_word(s.into(), first));
        (0..flows).map(move |flow| match (self, &mut words) {
            (Self::From(port), _) => port.wrapping_add(flow),
            (Self::Random, None) => LOWEST_PORT,
            (Self::Random, Some(words)) => {
                let [lower, upper, ..] = (words.next_u32() >> 18).to_le_bytes();
                LOWEST_PORT + u16::from_le_bytes([lower, upper])
            }
        })
    }
}

/// The bytes of a flow of a pair, with room for the seed of a switch before them.
pub(super) struct Key {
    bytes: [u8; LENGTH],
    length: usize,
}

impl Key {
    /// The fields of a flow from `s` to `d`.
    pub(super) fn of(fields: &Fields, s: Host, d: Host, port: u16) -> Self {
        let mut key = Self { bytes: [0; LENGTH], length: 4 };
        for (_, field) in &fields.0 {
            match field {
                Field::Source => key.push(&address(s)),
                Field::Destination => key.push(&address(d)),
                Field::SourcePort => key.push(&port.to_be_bytes()),
                Field::DestinationPort => key.push(&4791_u16.to_be_bytes()),
                Field::Protocol => key.push(&[17]),
            }
        }
        key
    }

    fn push(&mut self, value: &[u8]) {
        let end = self.length + value.len();
        self.bytes[self.length..end].copy_from_slice(value);
        self.length = end;
    }

    /// What a switch with this seed hashes.
    pub(super) fn seeded(&mut self, seed: u32) -> &[u8] {
        self.bytes[..4].copy_from_slice(&seed.to_be_bytes());
        &self.bytes[..self.length]
    }
}

/// The IPv4 address of a host.
fn address(host: Host) -> [u8; 4] {
    (0x0a00_0000 | host).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Result<Fields, String> {
        Fields::try_from(text.to_string())
    }

    #[test]
    fn fields_are_hashed_in_one_order() {
        let all = fields("proto+dport+dst+src+sport").unwrap();
        assert_eq!(all.text(), "src+dst+sport+dport+proto");
        let mut key = Key::of(&all, 1, 0x0203, 0xc0de);
        let expected = [7, 8, 9, 10, 10, 0, 0, 1, 10, 0, 2, 3, 0xc0, 0xde, 0x12, 0xb7, 17];
        assert_eq!(key.seeded(0x0708_090a), expected);
        let two = fields("dst+sport").unwrap();
        assert_eq!(Key::of(&two, 1, 2, 3).seeded(0), [0, 0, 0, 0, 10, 0, 0, 2, 0, 3]);
        assert!(two.tell_flows() && !fields("src+dst").unwrap().tell_flows());
        for (wrong, reason) in [
            ("src+mac", "must join names by `+`, each one of src, dst, sport, dport, proto"),
            ("src+", "must join names by `+`, each one of src, dst, sport, dport, proto"),
            ("src+dst+src", "has `src` twice"),
        ] {
            assert_eq!(fields(wrong), Err(reason.to_string()));
        }
    }

    /// More flows do not change the ports of the first ones.
    #[test]
    fn ports_follow_the_seed_or_the_flow() {
        let streams = Streams::new(7);
        let drawn = |flows| Ports::Random.of(&streams, flows, 3, 5).collect::<Vec<_>>();
        assert_eq!(drawn(2), drawn(256)[..2]);
        assert!(drawn(256).iter().all(|port| *port >= LOWEST_PORT));
        let others: Vec<u16> = Ports::Random.of(&streams, 2, 5, 3).collect();
        assert_ne!(drawn(2), others);
        assert_eq!(Ports::From(50_000).of(&streams, 2, 3, 5).collect::<Vec<_>>(), [50_000, 50_001]);
        assert_eq!(
            Ports::try_from("70000".to_string()),
            Err("is not random or a port up to 65535")
        );
    }
}
