//! Specs as structs, which serde reads: the usage gives names and defaults, the types of the fields say what is right.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, Unexpected, Visitor,
};

use super::usage::Argument;
use super::{Spec, SpecError};
use crate::rational::Rational;

/// The only argument of many kinds: the seed of what is drawn at random.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Seeded {
    /// The seed.
    pub seed: u64,
}

/// A decimal number or fraction above 0.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Positive(pub Rational);

impl TryFrom<String> for Positive {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = Rational::from_decimal(&text).ok().filter(|number| !number.is_zero());
        number.map(Self).ok_or("is not a positive number such as 1 or 0.25")
    }
}

impl Spec {
    /// The numbers and options of a [checked](Self::checked) spec as a struct with fields of these names.
    ///
    /// Where an option is not given, a field has the default of the usage, or is `None` if it is an `Option`.
    ///
    /// # Errors
    /// [`SpecError::BadArguments`] for a value that does not fit its field.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use std::num::NonZeroU64;
    /// use routebound::spec::Spec;
    /// #[derive(serde::Deserialize)]
    /// struct Climb {
    ///     trials: NonZeroU64,
    ///     seed: Option<u64>,
    /// }
    /// let spec = |text: &str| Spec::parse(text)?.checked("climb(trials=1000,seed=S)");
    /// let Climb { trials, seed } = spec("climb")?.read()?;
    /// assert_eq!((trials.get(), seed), (1000, None));
    /// let error = spec("climb(trials=0)")?.read::<Climb>().err().ok_or("a struct")?.to_string();
    /// assert!(error.contains("`trials=0` must be at least 1; usage: climb(trials=1000"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<'s, T: Deserialize<'s>>(&'s self) -> Result<T, SpecError> {
        let fields = Fields { left: self.arguments().into_iter(), next: None };
        let read = T::deserialize(MapAccessDeserializer::new(fields));
        read.map_err(|Problem(problem)| self.refused(problem))
    }

    /// The numbers of a [checked](Self::checked) spec such as `ft(m,n)`.
    ///
    /// # Errors
    /// [`SpecError::BadArguments`] where one is 0, or there are not `N`.
    pub fn positive_numbers<const N: usize>(&self) -> Result<[u64; N], SpecError> {
        let numbers = self.groups.concat();
        if numbers.contains(&0) {
            return Err(self.refused("every number must be at least 1"));
        }
        numbers.try_into().map_err(|_| self.refused(format!("{N} numbers expected")))
    }
}

/// Why arguments do not fit a struct.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Problem(String);

impl de::Error for Problem {
    fn custom<T: std::fmt::Display>(problem: T) -> Self {
        Self(problem.to_string())
    }

    fn invalid_value(found: Unexpected, expected: &dyn Expected) -> Self {
        Self(match found {
            Unexpected::Unsigned(0) => "must be at least 1".to_string(),
            Unexpected::Unsigned(_) => "is too large".to_string(),
            _ => format!("is not {expected}"),
        })
    }

    fn unknown_variant(_found: &str, expected: &'static [&'static str]) -> Self {
        Self(format!("is not one of {}", expected.join(", ")))
    }
}

/// The arguments of a spec as a map.
struct Fields<'s> {
    left: std::vec::IntoIter<Argument<'s>>,
    next: Option<Argument<'s>>,
}

impl<'s> MapAccess<'s> for Fields<'s> {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'s>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Problem> {
        self.next = self.left.next();
        let key = self.next.as_ref().map(|argument| argument.key.into_deserializer());
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'s>>(&mut self, seed: V) -> Result<V::Value, Problem> {
        let argument = self.next.take().ok_or_else(|| Problem("no value".into()))?;
        let place = format!("`{}={}`", argument.key, argument.text);
        seed.deserialize(Value(argument)).map_err(|Problem(it)| Problem(format!("{place} {it}")))
    }
}

/// The value of an argument.
struct Value<'s>(Argument<'s>);

impl<'s> Value<'s> {
    /// The text, where there is one that is not a placeholder.
    fn text(self) -> Result<Cow<'s, str>, Problem> {
        if self.0.is_known() { Ok(self.0.text) } else { Err(Problem("is required".into())) }
    }
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.text()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let text = self.text()?;
        // `parse` takes a plus sign, too.
        let number = text.parse().ok().filter(|_| !text.starts_with('+'));
        visitor.visit_u64(number.ok_or_else(|| Problem("is not an integer below 2^64".into()))?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.0.is_given { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let shown: Vec<&str> = self.0.shown.split('|').collect();
        debug_assert!(shown.len() == 1 || shown == variants, "{name}: {variants:?}, not {shown:?}");
        visitor.visit_enum(self.text()?.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple tuple_struct map struct identifier
    }
}
