//! Hosts as lists and labelled matrices call them.
//!
//! Where hosts of the network are called by numbers, a number is a name: a file that counts hosts
//! from 0 would otherwise be read as other traffic without a word. `file(hosts=index):PATH` says
//! that numbers count the hosts from 0, as they do wherever no name is a number or every host is called
//! by its own number; `file(hosts=names):PATH` says that they are names, whatever the file holds.

use super::{Hosts, Problem};
use crate::integer::as_size;
use crate::rational::Rational;
use crate::topology::{Host, HostNames, Topology, host_number, is_number};

/// The hosts by name and number.
pub(super) struct HostFinder<'t> {
    names: Option<HostNames<'t>>,
    /// The largest number.
    last: usize,
    /// A name that is a number, if numbers are names.
    number: Option<&'t str>,
    /// Whether it was said that numbers are names.
    is_sure: bool,
}

impl<'t> HostFinder<'t> {
    pub(super) fn new(hosts: Hosts<'t>) -> Self {
        let number = match hosts {
            Hosts::Of(network) | Hosts::Named(network) => network.numeric_host_name(),
            Hosts::Numbered(_) | Hosts::Counted(_) => None,
        };
        let names = hosts.network().map(Topology::host_names);
        let is_sure = matches!(hosts, Hosts::Named(_));
        Self { names, last: hosts.count().saturating_sub(1), number, is_sure }
    }

    /// The host that a text means which has no quotes of its own.
    pub(super) fn find(&self, text: &str) -> Result<Host, Problem> {
        match &self.names {
            _ if is_number(text) => self.numbered(text),
            Some(names) => Ok(names.called(text)?),
            None => Err(Problem::UnknownHost { name: text.into(), last: self.last }),
        }
    }

    /// Finds the host of a word of a list, in which a name may be in double quotes.
    pub(super) fn find_word(&self, text: &str) -> Result<Host, Problem> {
        match &self.names {
            Some(names) if text.starts_with('"') => Ok(names.find(text)?),
            _ => self.find(text),
        }
    }

    fn numbered(&self, text: &str) -> Result<Host, Problem> {
        match (&self.names, self.number) {
            (Some(names), Some(_)) if names.has(text) => Ok(names.called(text)?),
            (Some(_), Some(example)) => {
                let (name, example) = (text.into(), example.into());
                Err(Problem::NotCalled { name, example, last: self.last })
            }
            (Some(names), None) => Ok(names.find(text)?),
            (None, _) => {
                let (high, found) = (self.last as u64, text.parse::<u64>().unwrap_or(u64::MAX));
                let outside = Problem::OutOfRange { found, low: 0, high };
                if found <= high { Ok(host_number(as_size(found))) } else { Err(outside) }
            }
        }
    }

    /// Refuses traffic of a host to itself where numbers are names and nobody said so: a sign that the
    /// file means other hosts.
    pub(super) fn check_ends(&self, s: &str, d: &str, amount: &Rational) -> Result<(), Problem> {
        let is_doubtful = self.number.is_some() && !self.is_sure && !amount.is_zero();
        if is_doubtful && s == d && is_number(s) {
            return Err(Problem::ToItself { name: s.into(), last: self.last });
        }
        Ok(())
    }
}
