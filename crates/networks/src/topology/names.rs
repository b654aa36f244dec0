//! Hosts by their names in the network.
//!
//! A number in 0..N−1 always means that host, so that anything written with numbers keeps its
//! meaning. A name must match the network's exactly, except where it is typed
//! ([`HostNames::find_by_prefix`]). In quotes, `"17"`, a number is a name.

use std::collections::{HashMap, HashSet};

use super::{Host, Topology};
use crate::quote::quote;

/// Maximum number of names that an error lists.
const LISTED: usize = 6;
/// Maximum number of nodes among which a name like an unknown one is looked for.
const SEARCHED: usize = 1 << 16;

/// Why a text does not name a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum NoHost {
    #[error("there is no host {found}; hosts are numbered 0 to {last}{hint}")]
    Number { found: String, last: usize, hint: &'static str },
    #[error(
        "there is no host `{name}`{hint}: give its number, 0 to {last}, or its name as the network has it"
    )]
    Unknown {
        name: String,
        last: usize,
        /// ` (did you mean …?)` or nothing.
        hint: String,
    },
    #[error("`{name}` may be {candidates}: give one of these names, or a number")]
    Ambiguous { name: String, candidates: String },
}

/// The hosts of a network by name.
#[derive(Clone, Debug)]
pub struct HostNames<'t> {
    topology: &'t Topology,
    of_name: HashMap<&'t str, Vec<Host>>,
}

/// Node and device of an adapter's description; `None` where it does not name both.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::adapter;
/// assert_eq!(adapter("gpu-07 HCA-2"), Some(("gpu-07", "HCA-2")));
/// assert_eq!(adapter("MT4129 ConnectX7   Mellanox Technologies"), None);
/// assert_eq!(adapter("host-3"), None);
/// ```
#[must_use]
pub fn adapter(name: &str) -> Option<(&str, &str)> {
    let (node, device) = name.split_once(' ')?;
    let is_device = !node.is_empty()
        && device.ends_with(|last: char| last.is_ascii_digit())
        && device.starts_with(|first: char| first.is_ascii_alphabetic())
        && !device.contains(char::is_whitespace);
    is_device.then_some((node, device))
}

impl Topology {
    /// The hosts by name. O(hosts).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// let names = tree.host_names();
    /// assert_eq!((names.find("5")?, names.find("host-5")?), (5, 5));
    /// assert!(names.find("8").is_err() && names.find("host").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn host_names(&self) -> HostNames<'_> {
        let mut of_name: HashMap<&str, Vec<Host>> = HashMap::new();
        for host in self.host_numbers() {
            of_name.entry(self.node(host).name.as_str()).or_default().push(host);
        }
        HostNames { topology: self, of_name }
    }

    /// A label of a host for display: its name in a network that was read, quoted where
    /// [`HostNames::find`] requires it, and its number in a generated one.
    #[must_use]
    pub fn host_label(&self, host: Host) -> String {
        if self.is_read() { quoted(&self.node(host).name) } else { host.to_string() }
    }
}

impl Topology {
    /// The names of all hosts of a network that was read, if a list of plain words can hold them:
    /// each belongs to one host, is not a number and has no comma, quotation mark, control
    /// character, leading `#`, or blank at either end.
    #[must_use]
    pub fn plain_host_names(&self) -> Option<Vec<&str>> {
        let names: Vec<&str> =
            self.host_numbers().map(|host| self.node(host).name.as_str()).collect();
        let distinct = names.iter().collect::<HashSet<_>>().len() == names.len();
        (self.is_read() && distinct && names.iter().all(|name| is_plain(name))).then_some(names)
    }
}

impl Topology {
    /// A host's name that is a number, if numbers may mean two things: none if every host is called by
    /// its own number.
    #[must_use]
    pub fn numeric_host_name(&self) -> Option<&str> {
        let name = |host| self.node(host).name.as_str();
        let mut hosts = self.host_numbers();
        if hosts.all(|host| name(host) == host.to_string()) {
            return None;
        }
        self.host_numbers().map(name).find(|name| is_number(name))
    }
}

impl HostNames<'_> {
    /// The host with this number or name; a name may be given in double quotes, within which two
    /// of them stand for one.
    ///
    /// # Errors
    /// [`NoHost`] if there is none or several. An adapter with several ports is several hosts.
    pub fn find(&self, text: &str) -> Result<Host, NoHost> {
        let last = self.topology.hosts() - 1;
        match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(name) => self.called(&name.replace("\"\"", "\"")),
            None if is_number(text) => {
                let host = text.parse().ok().filter(|host: &Host| *host as usize <= last);
                let is_name = self.of_name.contains_key(text);
                let hint = if is_name { "; one has this name: put it in quotes" } else { "" };
                host.ok_or_else(|| NoHost::Number { found: quote(text), last, hint })
            }
            None => self.called(text),
        }
    }

    /// The host with this number or name, or the only one whose name begins with the text: for what is typed rather
    /// than read. [`Self::find`] takes whole names alone.
    ///
    /// # Errors
    /// [`NoHost`] if there is none or several.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("xgft(1;12;1)")?;
    /// let names = tree.host_names();
    /// assert_eq!((names.find_by_prefix("host-2")?, names.find_by_prefix("host-11")?), (2, 11));
    /// let error = names.find_by_prefix("host-x").map_err(|error| error.to_string());
    /// assert!(error.is_err_and(|error| error.contains("did you mean `host-")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_by_prefix(&self, text: &str) -> Result<Host, NoHost> {
        let found = self.find(text);
        if !matches!(found, Err(NoHost::Unknown { .. } | NoHost::Ambiguous { .. })) {
            return found;
        }
        match self.beginning_with(text.trim_matches('"')).as_slice() {
            [] => found,
            [host] => Ok(*host),
            _ if matches!(found, Err(NoHost::Ambiguous { .. })) => found,
            several => {
                let name = |host: &Host| format!("`{}`", quote(&self.topology.node(*host).name));
                Err(ambiguous(text, &several.iter().map(name).collect::<Vec<_>>()))
            }
        }
    }

    /// The names of all hosts.
    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.topology.host_numbers().map(|host| self.topology.node(host).name.as_str())
    }

    /// The hosts whose names begin with a text.
    fn beginning_with(&self, text: &str) -> Vec<Host> {
        let begins = |host: &Host| self.topology.node(*host).name.starts_with(text);
        self.topology.host_numbers().filter(|host| !text.is_empty() && begins(host)).collect()
    }

    /// Whether a host has exactly this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.of_name.contains_key(name)
    }

    /// The host with this name, even if it looks like a number.
    ///
    /// # Errors
    /// [`NoHost`] if there is none or several.
    pub fn called(&self, name: &str) -> Result<Host, NoHost> {
        match self.of_name.get(name).map(Vec::as_slice) {
            Some([host]) => Ok(*host),
            Some(several) => {
                let numbers: Vec<String> = several.iter().map(|h| format!("host {h}")).collect();
                Err(ambiguous(name, &numbers))
            }
            None => {
                // Where ports or nodes share a description, their port or id follows it.
                let longer = |host: &Host| {
                    let rest = self.topology.node(*host).name.strip_prefix(name);
                    rest.is_some_and(|rest| rest.starts_with('[') || rest.starts_with(" ("))
                };
                let hosts = self.topology.host_numbers();
                let found: Vec<String> = hosts
                    .filter(|host| !name.is_empty() && longer(host))
                    .map(|host| format!("`{}`", quote(&self.topology.node(host).name)))
                    .collect();
                if found.is_empty() {
                    let last = self.topology.hosts() - 1;
                    let hint = suggestion(self.names(), name);
                    return Err(NoHost::Unknown { name: quote(name), last, hint });
                }
                Err(ambiguous(name, &found))
            }
        }
    }
}

/// The first of some names that begins with a text, or else the first of those most like it, in words for an error;
/// nothing where there is none.
pub(crate) fn suggestion<'n>(names: impl Iterator<Item = &'n str> + Clone, text: &str) -> String {
    let begins = |name: &&str| !text.is_empty() && name.starts_with(text);
    let known = names.clone().find(begins).or_else(|| {
        let distance = |name: &'n str| (strsim::damerau_levenshtein(name, text), name);
        let nearest = names.take(SEARCHED).map(distance).min_by_key(|(distance, _)| *distance);
        nearest.filter(|(distance, _)| *distance <= text.chars().count() / 3).map(|(_, name)| name)
    });
    known.map_or_else(String::new, |name| format!(" (did you mean `{}`?)", quote(name)))
}

fn ambiguous(name: &str, all: &[String]) -> NoHost {
    let first = all[..all.len().min(LISTED)].join(", ");
    let candidates = match all.len().saturating_sub(LISTED) {
        0 => first,
        more => format!("{first} and {more} more"),
    };
    NoHost::Ambiguous { name: quote(name), candidates }
}

/// Whether a list of plain words can hold a name.
pub(super) fn is_plain(name: &str) -> bool {
    let odd = |c: char| c == ',' || c == '"' || c.is_control();
    let whole = !name.is_empty() && name.trim() == name && !name.starts_with('#');
    whole && !is_number(name) && !name.contains(odd)
}

/// Whether a text is a number, in digits alone.
#[must_use]
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name in a form that [`HostNames::find`] and lists of pairs read back: in quotes where it would
/// otherwise end early or be a number. Control characters, which terminals interpret, become
/// question marks.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::quoted;
/// assert_eq!(["n1", "n 1", "17"].map(quoted), ["n1", "\"n 1\"", "\"17\""]);
/// ```
#[must_use]
pub fn quoted(name: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\",#".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !is_number(name) {
        return name.to_string();
    }
    let inside: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    format!("\"{}\"", inside.replace('"', "\"\""))
}
