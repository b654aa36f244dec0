//! Ratios in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Rational;

impl Serialize for Rational {
    /// As the string `"7"` or `"3/2"`: JSON numbers are floats to many readers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
