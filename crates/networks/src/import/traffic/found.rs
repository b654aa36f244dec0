//! What a reader found in a file, and how that is said.

use super::{Hosts, Problem, Result, TrafficFileError};
use crate::integer::as_size;
use crate::quote::quote;
use crate::topology::{Host, host_number};
use crate::traffic::{Demand, TrafficMatrix};

/// Traffic as a reader found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The traffic, among as many hosts as the request has, or fewer.
    pub matrix: TrafficMatrix,
    /// The form of the file.
    pub form: Form,
    /// Names of columns that mean nothing for traffic.
    pub unread: Vec<String>,
    /// The number of lines after those that the file announces, which are not read.
    pub rest: u64,
}

/// The form of a file of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A matrix whose rows and columns are tasks, to be placed on hosts.
    Tasks,
    /// A matrix of the given number of hosts, called by their names.
    Named(usize),
    /// The given number of demands, each with its hosts.
    List(usize),
}

/// The source of traffic, and the place of its tasks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'s> {
    /// The path as given.
    pub path: &'s str,
    /// Name of the format.
    pub format: &'static str,
    /// The hosts of tasks.
    pub place: Place,
}

/// On which hosts the tasks of a matrix are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing says it: the first ones, unless hosts have names.
    Unsaid,
    /// The first ones.
    First,
    /// In a random order of this seed.
    Random(u64),
}

impl Place {
    fn seed(self) -> Option<u64> {
        match self {
            Self::Unsaid | Self::First => None,
            Self::Random(seed) => Some(seed),
        }
    }
}

impl Found {
    /// A matrix among tasks.
    pub(super) fn matrix(matrix: TrafficMatrix) -> Self {
        Self { matrix, form: Form::Tasks, unread: Vec::new(), rest: 0 }
    }

    /// Demands between hosts of the network.
    pub(super) fn list(hosts: usize, demands: Vec<Demand>) -> Result<Self> {
        let form = Form::List(demands.len());
        let matrix = TrafficMatrix::new(hosts, demands)?;
        Ok(Self { matrix, form, unread: Vec::new(), rest: 0 })
    }

    /// The traffic on the hosts, with notes on how it was read.
    ///
    /// # Errors
    /// When a matrix is smaller than a network whose hosts have names, and no placement is given.
    pub(super) fn placed(
        self,
        source: &Source,
        hosts: Hosts,
    ) -> Result<(TrafficMatrix, Vec<String>)> {
        let is_small = self.form == Form::Tasks && self.matrix.hosts() < hosts.count();
        let read = hosts.network().filter(|network| network.is_read());
        if let Some(network) = read.filter(|_| is_small && source.place == Place::Unsaid) {
            let ends = host_number(hosts.count().saturating_sub(1));
            let problem = Problem::SmallerThanNetwork {
                found: self.matrix.hosts(),
                hosts: hosts.count(),
                first: network.node(0).name.clone().into(),
                last: network.node(ends).name.clone().into(),
            };
            return Err(TrafficFileError::Whole { path: source.path.into(), problem });
        }
        let mut notes = vec![self.note(source, hosts)];
        notes.extend(self.unread_note(source.path));
        if self.rest > 0 {
            let (path, lines) = (quote(source.path), counted(as_size(self.rest), "line"));
            notes.push(format!("traffic {path}: not read: {lines} after those that it announces"));
        }
        Ok((self.matrix.placed(hosts.count(), source.place.seed())?, notes))
    }

    /// Format, size, first and last host.
    fn note(&self, source: &Source, hosts: Hosts) -> String {
        let count = counted(hosts.count(), "host");
        let tasks = self.matrix.hosts();
        let what = match self.form {
            Form::Tasks => format!("matrix of {}", counted(tasks, "host")),
            Form::Named(named) => format!("matrix of {} by name", counted(named, "host")),
            Form::List(demands) => counted(demands, "demand"),
        };
        let place = match (source.place.seed(), self.form, self.ends()) {
            (Some(_), ..) => format!(", placed on random ones of {count}"),
            (None, _, None) => String::new(),
            (None, form, Some(ends)) => {
                let [first, last] = ends.map(|host| label(hosts, host));
                match form {
                    Form::Tasks if tasks == hosts.count() => format!(", {first} to {last}"),
                    Form::Tasks => format!(", placed on the first of {count}, {first} to {last}"),
                    Form::Named(_) | Form::List(_) => format!(", {first} to {last} of {count}"),
                }
            }
        };
        let left_out = match self.matrix.self_demands() {
            0 => String::new(),
            some => format!("; left out: {some} of a host to itself"),
        };
        let path = if source.path == crate::input::STDIN { "stdin" } else { source.path };
        format!("traffic read from {} ({}): {what}{place}{left_out}", quote(path), source.format)
    }

    /// First and last host of a matrix, else those with traffic.
    fn ends(&self) -> Option<[Host; 2]> {
        if self.form == Form::Tasks {
            let last = self.matrix.hosts().checked_sub(1)?;
            return Some([0, host_number(last)]);
        }
        let ends = || self.matrix.demands().iter().flat_map(|demand| [demand.s, demand.d]);
        Some([ends().min()?, ends().max()?])
    }

    fn unread_note(&self, path: &str) -> Option<String> {
        let names: Vec<String> =
            self.unread.iter().map(|name| format!("`{}`", quote(name))).collect();
        let columns = if names.len() == 1 { "column" } else { "columns" };
        let note = || format!("traffic {}: not read: {columns} {}", quote(path), names.join(", "));
        (!names.is_empty()).then(note)
    }
}

/// A host as notes call it: by name where names mean something.
fn label(hosts: Hosts, host: Host) -> String {
    match hosts.network().filter(|network| network.is_read() && (host as usize) < network.hosts()) {
        Some(network) => format!("`{}`", quote(&network.node(host).name)),
        None => host.to_string(),
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
