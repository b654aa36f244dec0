//! Usage lines, which define the arguments of every kind of spec: `climb(trials=1000000,seed=1)`.
//!
//! ```text
//! usage = form { (", " | " or ") form }
//! form  = name [ "(" item { ("," | ";") item } ")" ] [ ":" PATH ]
//! item  = number | option "=" default { "|" other value }
//! ```
//!
//! A number has a name, such as m in `ft(m,n)`; where dots follow, there may be any number of them. A default that
//! begins with a capital letter, as in `tasks=K`, is a placeholder: the option has no default.

use std::borrow::Cow;

use itertools::Itertools as _;

use super::{Spec, SpecError};

/// One way to write a spec.
struct Form {
    /// Names of the numbers; `None` for any number of them.
    numbers: Option<Vec<&'static str>>,
    /// The options, with what the usage shows of their values.
    options: Vec<(&'static str, &'static str)>,
    takes_path: bool,
}

impl Form {
    fn new(text: &'static str) -> Self {
        let name = text.find(['(', ':']).unwrap_or(text.len());
        let close = text.rfind(')').filter(|close| text[name..].starts_with('(') && *close > name);
        let items = split(close.map_or("", |close| &text[name + 1..close]), &[",", ";"]);
        let options: Vec<_> = items.iter().filter_map(|item| item.split_once('=')).collect();
        let numbers: Vec<_> = items.into_iter().filter(|item| !item.contains('=')).collect();
        let numbers = (!numbers.contains(&"..")).then_some(numbers);
        let takes_path = text[close.unwrap_or(name)..].contains(':');
        Self { numbers, options, takes_path }
    }

    /// Whether it has the numbers of a spec.
    fn has_numbers_of(&self, spec: &Spec) -> bool {
        let given = || spec.groups.iter().map(Vec::len).sum::<usize>();
        self.numbers.as_ref().is_none_or(|numbers| numbers.len() == given())
    }
}

/// The parts of a text between separators that are outside parentheses; none of an empty one.
fn split(text: &'static str, separators: &[&str]) -> Vec<&'static str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        let separator = separators.iter().find(|separator| text[at..].starts_with(**separator));
        if let Some(separator) = separator.filter(|_| depth == 0 && at >= start) {
            parts.push(&text[start..at]);
            start = at + separator.len();
        }
    }
    if start < text.len() {
        parts.push(&text[start..]);
    }
    parts
}

fn forms(usage: &'static str) -> Vec<Form> {
    split(usage, &[", ", " or "]).into_iter().map(Form::new).collect()
}

/// Keys of the options that a usage shows, in its order.
#[must_use]
pub fn keys(usage: &'static str) -> Vec<&'static str> {
    let options = forms(usage).into_iter().flat_map(|form| form.options);
    options.map(|(key, _)| key).unique().collect()
}

/// A number or an option of a spec.
pub(super) struct Argument<'s> {
    pub(super) key: &'static str,
    /// The value, or the default.
    pub(super) text: Cow<'s, str>,
    pub(super) is_given: bool,
    /// Everything that the usage shows of the values of an option.
    pub(super) shown: &'static str,
}

impl Argument<'_> {
    /// Whether it has a value or a default.
    pub(super) fn is_known(&self) -> bool {
        self.is_given || !self.text.starts_with(|c: char| c.is_ascii_uppercase())
    }
}

impl Spec {
    /// The spec as one of a kind, whose [`usage`](Self::usage) it keeps for errors and defaults.
    ///
    /// # Errors
    /// [`SpecError::BadArguments`] where the usage has no form with these arguments.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::spec::Spec;
    /// let check = |text: &str| Spec::parse(text)?.checked("shift(k,tasks=K)");
    /// assert!(check("shift(3)").is_ok() && check("shift(3,tasks=8)").is_ok());
    /// let error = check("shift(3,task=8)").unwrap_err().to_string();
    /// assert_eq!(error, "`shift(3,task=8)`: unknown option `task`; usage: shift(k,tasks=K)");
    /// ```
    pub fn checked(self, usage: &'static str) -> Result<Self, SpecError> {
        let forms = forms(usage);
        let spec = Self { usage, ..self }.with_numbers_in_place(&forms)?;
        if spec.path.is_some() && !forms.iter().any(|form| form.takes_path) {
            return Err(spec.refused("it does not take `:` and a path"));
        }
        let fitting = || forms.iter().filter(|form| form.has_numbers_of(&spec));
        if fitting().next().is_none() {
            let given: usize = spec.groups.iter().map(Vec::len).sum();
            let counts = forms.iter().filter_map(|form| form.numbers.as_ref()).map(Vec::len);
            let taken = match &counts.dedup().collect::<Vec<_>>()[..] {
                [] | [0] => "no numbers".to_string(),
                [1] => "1 number".to_string(),
                counts => format!("{} numbers", counts.iter().join(" or ")),
            };
            let problem = format!("takes {taken}, {given} given");
            return Err(spec.refused(problem));
        }
        if spec.groups.len() > 1 && fitting().all(|form| form.numbers.is_some()) {
            return Err(spec.refused("too many `;` groups"));
        }
        for (index, (key, _)) in spec.options.iter().enumerate() {
            if !fitting().any(|form| form.options.iter().any(|(known, _)| known == key)) {
                return Err(spec.refused(format!("unknown option `{key}`")));
            }
            if spec.options[..index].iter().any(|(other, _)| other == key) {
                return Err(spec.refused(format!("option `{key}` is given twice")));
            }
        }
        Ok(spec)
    }

    /// The spec with numbers that are given by name, as in `shift(k=4)`, where the usage has them, `shift(4)`.
    fn with_numbers_in_place(mut self, forms: &[Form]) -> Result<Self, SpecError> {
        let given: usize = self.groups.iter().map(Vec::len).sum();
        let options: Vec<&str> =
            forms.iter().flat_map(|form| &form.options).map(|(key, _)| *key).collect();
        let is_named = |name: &&str| self.option(name).is_some() && !options.contains(name);
        let numbers = forms.iter().filter_map(|form| form.numbers.as_ref()?.get(given..));
        let mut named = numbers.filter(|names| !names.is_empty() && names.iter().all(is_named));
        let named = named.next();
        for name in named.into_iter().flatten() {
            let text = self.option(name).unwrap_or_default();
            let problem = || self.refused(format!("`{name}={text}` is not an integer below 2^64"));
            let number = text.parse().map_err(|_| problem())?;
            self.options.retain(|(key, _)| key != name);
            match self.groups.last_mut() {
                Some(group) => group.push(number),
                None => self.groups.push(vec![number]),
            }
        }
        Ok(self)
    }

    /// Everything that the usage has for a spec with these numbers, in its order.
    pub(super) fn arguments(&self) -> Vec<Argument<'_>> {
        let numbers = || self.groups.iter().flatten().map(|number| Cow::from(number.to_string()));
        let number = |(key, text)| Argument { key, text, is_given: true, shown: "" };
        let option = |(key, shown): (&'static str, &'static str)| {
            let (given, default) = (self.option(key), shown.split('|').next().unwrap_or_default());
            let text = given.unwrap_or(default).into();
            Argument { key, text, is_given: given.is_some(), shown }
        };
        let forms = forms(self.usage).into_iter().filter(|form| form.has_numbers_of(self));
        let arguments = forms.flat_map(|form| {
            let numbers = form.numbers.unwrap_or_default().into_iter().zip(numbers()).map(number);
            numbers.chain(form.options.into_iter().map(option)).collect::<Vec<_>>()
        });
        arguments.unique_by(|argument| argument.key).collect()
    }

    /// The spec with every option that has a value or a default, in the order of the usage.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::spec::Spec;
    /// let spec = Spec::parse("climb(seed=7)")?.checked("climb(trials=1000,seed=1)")?;
    /// assert_eq!(spec.complete().to_string(), "climb(trials=1000,seed=7)");
    /// # Ok::<(), routebound::spec::SpecError>(())
    /// ```
    #[must_use]
    pub fn complete(&self) -> Self {
        let arguments = self.arguments().into_iter();
        let options =
            arguments.filter(|argument| !argument.shown.is_empty() && argument.is_known());
        let options = options.map(|option| (option.key.to_string(), option.text.into()));
        Self { options: options.collect(), ..self.clone() }
    }

    /// Shows an option that is not given, where the usage has a default for it.
    pub fn show(&mut self, key: &str) {
        let arguments = self.arguments().into_iter();
        let argument = arguments.filter(|argument| argument.key == key && argument.is_known());
        let text = argument.map(|argument| argument.text.into_owned()).next();
        if let Some(text) = text {
            self.set_default(key, &text);
        }
    }

    /// The spec without an option.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.options.retain(|(known, _)| known != key);
        self
    }
}
