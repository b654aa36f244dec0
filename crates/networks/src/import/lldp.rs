//! Neighbours of Ethernet networks as LLDP reports them: `lldpctl -f keyvalue` of lldpd, collected
//! from many devices into one file.
//!
//! ```text
//! leaf-1: lldp.swp1.chassis.name=host-1
//! leaf-1: lldp.swp1.chassis.Station.enabled=on
//! leaf-1: lldp.swp1.port.mac=02:00:00:00:00:01
//! leaf-1: lldp.swp1.port.descr=eth0
//! leaf-1: lldp.swp1.port.auto-negotiation.current=100GbaseCR4 - …
//! ```
//!
//! lldpctl does not name the device that it runs on. `pdsh -w leaf-[1-8],spine-[1-4] lldpctl -f
//! keyvalue`, `clush` and the like put it before every line, as above; `tail -n +1 *` puts
//! `==> leaf-1 <==` before the file of each device, whose name may end in `.lldp`, `.txt` or `.out`.
//! The name must be the one that the device announces (`chassis.name`). Interfaces whose neighbours
//! are of no interest, such as those of management networks, are left out by `lldpctl -f keyvalue
//! swp1 swp2 …`.
//!
//! A device with a listing is a switch if its neighbours see it as bridge or router, otherwise a host;
//! one without a listing is a host, and refused if it is a bridge or router: its own cables would be
//! missing. Where both ends have a listing, they must agree: the neighbour's port is an interface of
//! its listing, by name, number or description, and names this device. Of several neighbours on one
//! interface none is sure to be at the other end of the cable, so they are refused.
//!
//! Ports are numbered by the order of their interfaces, in which `swp2` is before `swp10`. The speed
//! is that of the medium (`100Gbase…`) where the port reports it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "lldp",
    usage: "lldpctl -f keyvalue listings",
    about: "Ethernet network as LLDP reports it: the neighbour at every interface",
    reference: "lldpctl(8), IEEE 802.1AB",
    examples: &["instances/fabrics/ft8x2/formats/lldpctl.txt"],
    build: Importer { detect, read },
};

const EXPECTED: &str = "`DEVICE: lldp.INTERFACE.KEY=VALUE`, as pdsh writes it, or `==> DEVICE <==` before `lldp.INTERFACE.KEY=VALUE`";
/// Endings of files that are not part of a device's name.
const ENDINGS: &[&str] = &[".lldp", ".txt", ".out"];

fn detect(head: &str) -> bool {
    head.lines().any(|line| keyvalue(line).is_some_and(|(_, text)| text.contains(".chassis.")))
}

/// What follows `lldp.`, and the device before it.
fn keyvalue(line: &str) -> Option<(Option<&str>, &str)> {
    if let Some(text) = line.strip_prefix("lldp.") {
        return Some((None, text));
    }
    let (device, text) = line.split_once(": ")?;
    let text = text.trim_start().strip_prefix("lldp.")?;
    (!device.is_empty() && !device.contains(['=', ' '])).then_some((Some(device), text))
}

/// The keys whose values are read. The interface is what precedes them: it may contain dots.
const KEYS: &[&str] = &[
    ".rid",
    ".chassis.name",
    ".chassis.mac",
    ".chassis.Bridge.enabled",
    ".chassis.Router.enabled",
    ".port.ifname",
    ".port.local",
    ".port.descr",
    ".port.mac",
    ".port.auto-negotiation.current",
];

/// The neighbour at an interface, by key.
#[derive(Default)]
struct Neighbour {
    line: u64,
    values: BTreeMap<&'static str, String>,
}

impl Neighbour {
    fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn device(&self) -> Option<&str> {
        self.get(".chassis.name").or_else(|| self.get(".chassis.mac"))
    }

    /// The names of its port, the best first.
    fn ports(&self) -> impl Iterator<Item = &str> {
        [".port.ifname", ".port.local", ".port.descr", ".port.mac"]
            .into_iter()
            .filter_map(|key| self.get(key))
    }

    fn forwards(&self) -> bool {
        [".chassis.Bridge.enabled", ".chassis.Router.enabled"]
            .into_iter()
            .any(|key| self.get(key) == Some("on"))
    }
}

/// A device with the neighbours at its interfaces.
struct Device {
    name: String,
    line: u64,
    interfaces: BTreeMap<Interface, Neighbour>,
    forwards: bool,
    /// Whether it has a listing of its own.
    listed: bool,
}

/// An interface, in the order of the numbers in its name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Interface(String);

impl Ord for Interface {
    fn cmp(&self, other: &Self) -> Ordering {
        parts(&self.0).cmp(&parts(&other.0)).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Interface {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Words and numbers of a name; a number by its digits without zeros ahead, shorter ones first.
fn parts(name: &str) -> Vec<(bool, usize, &str)> {
    let (mut parts, mut rest) = (Vec::new(), name);
    while let Some(first) = rest.chars().next() {
        let number = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != number).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        let part = if number { part.trim_start_matches('0') } else { part };
        parts.push((number, if number { part.len() } else { 0 }, part));
        rest = after;
    }
    parts
}

fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let mut network =
        Network { fabric: Fabric::new(text.path()), devices: Vec::new(), index: HashMap::new() };
    let mut device: Option<String> = None;
    while let Some(line) = text.next_line()? {
        let (line, number) = (line.trim().to_string(), text.line());
        if let Some(name) = line.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
            let name = name.rsplit('/').next().unwrap_or(name);
            let ending = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
            device = Some(ending.unwrap_or(name).to_string());
        } else if !line.is_empty() && !line.starts_with('#') {
            let found = keyvalue(&line).and_then(|(own, text)| Some((own, text.split_once('=')?)));
            let Some((own, (key, value))) = found else {
                return Err(text.fail(Problem::syntax(&line, EXPECTED)));
            };
            let Some(own) = own.or(device.as_deref()) else {
                return Err(text.fail(Problem::NoDevice));
            };
            network.take(own, key, value, number)?;
        }
    }
    network.add_unlisted()?;
    network.fill()?;
    assemble::topology(&network.fabric, options)
}

struct Network {
    fabric: Fabric,
    devices: Vec<Device>,
    index: HashMap<String, usize>,
}

impl Network {
    /// The device of a name, which is added if it is new.
    fn device(&mut self, name: &str, line: u64, listed: bool) -> Result<usize> {
        if let Some(at) = self.index.get(name) {
            return Ok(*at);
        }
        self.fabric.count_entry()?;
        self.index.insert(name.into(), self.devices.len());
        let (name, interfaces) = (name.to_string(), BTreeMap::new());
        self.devices.push(Device { name, line, interfaces, forwards: false, listed });
        Ok(self.devices.len() - 1)
    }

    fn take(&mut self, device: &str, key: &str, value: &str, line: u64) -> Result<()> {
        let known = KEYS.iter().find_map(|known| Some((key.strip_suffix(known)?, *known)));
        let Some((interface, key)) = known.filter(|(interface, _)| !interface.is_empty()) else {
            return Ok(());
        };
        let at = self.device(device, line, true)?;
        let interfaces = &mut self.devices[at].interfaces;
        let interface = Interface(interface.into());
        if !interfaces.contains_key(&interface) {
            self.fabric.count_entry()?;
        }
        let new = || Neighbour { line, values: BTreeMap::new() };
        let neighbour = interfaces.entry(interface.clone()).or_insert_with(new);
        // Several management addresses are usual, several names are several neighbours.
        if neighbour.values.insert(key, value.trim().into()).is_some() {
            let problem =
                Problem::SeveralNeighbours { interface: interface.0.into(), first: neighbour.line };
            return Err(self.fabric.error(line, problem));
        }
        Ok(())
    }

    /// Adds the devices that only others list, and what these say of all.
    fn add_unlisted(&mut self) -> Result<()> {
        let mut seen = Vec::new();
        for (at, device) in self.devices.iter().enumerate() {
            for (interface, neighbour) in &device.interfaces {
                let Some(name) = neighbour.device() else {
                    let what = format!("the neighbour at {} of {}", interface.0, device.name);
                    let problem = Problem::Missing {
                        what: what.into(),
                        missing: "chassis.name or chassis.mac",
                    };
                    return Err(self.fabric.error(neighbour.line, problem));
                };
                seen.push((at, interface.clone(), name.to_string(), neighbour.line));
            }
        }
        for (at, interface, name, line) in seen {
            let other = self.device(&name, line, false)?;
            let neighbour = &self.devices[at].interfaces[&interface];
            let (forwards, port) = (neighbour.forwards(), neighbour.ports().next());
            if self.devices[other].listed {
                self.devices[other].forwards |= forwards;
                continue;
            }
            if forwards {
                return Err(self.fabric.error(line, Problem::NoListing { device: name.into() }));
            }
            // An unnamed port is numbered by the cables that lead to it.
            let unnamed = || format!("{} {}", self.devices[at].name, interface.0);
            let port = Interface(port.map_or_else(unnamed, str::to_string));
            let speed = neighbour.get(".port.auto-negotiation.current").unwrap_or("").to_string();
            let back = [
                (".chassis.name", self.devices[at].name.clone()),
                (".port.ifname", interface.0.clone()),
                (".port.auto-negotiation.current", speed),
            ];
            let back = Neighbour { line, values: back.into() };
            if let Some(first) = self.devices[other].interfaces.insert(port.clone(), back) {
                let problem =
                    Problem::SeveralNeighbours { interface: port.0.into(), first: first.line };
                return Err(self.fabric.error(line, problem));
            }
        }
        let hosts = self.devices.iter().filter(|device| !device.listed).count();
        self.fabric.note_hosts(hosts, "listings");
        Ok(())
    }

    /// Fills the records of the fabric.
    fn fill(&mut self) -> Result<()> {
        for device in &self.devices {
            self.fabric.add_record(Record {
                id: device.name.clone(),
                name: device.name.clone(),
                switch: device.forwards,
                port_count: u32::MAX,
                line: device.line,
                ..Record::default()
            })?;
        }
        for (at, device) in self.devices.iter().enumerate() {
            for (number, neighbour) in (1..).zip(device.interfaces.values()) {
                let port = self
                    .port(neighbour)
                    .map_err(|problem| self.fabric.error(neighbour.line, problem))?;
                self.fabric.add_port(at, number, port)?;
            }
        }
        Ok(())
    }

    /// The cable to a neighbour.
    fn port(&self, neighbour: &Neighbour) -> Result<Port, Problem> {
        let peer = neighbour.device().unwrap_or("");
        let other = &self.devices[*self.index.get(peer).unwrap_or(&0)];
        let place = |name: &str| other.interfaces.keys().position(|known| known.0 == name);
        let (mut number, names) = (None, neighbour.ports().collect::<Vec<_>>());
        for name in &names {
            number = number.or_else(|| place(name));
        }
        let Some(number) = number.and_then(|number| u32::try_from(number + 1).ok()) else {
            let here = format!("port {} of {peer}", names.first().unwrap_or(&"without a name"));
            let there = format!("{peer} lists no such interface");
            return Err(Problem::ends_disagree(&here, &there, other.line));
        };
        let speed = neighbour.get(".port.auto-negotiation.current").map(medium).unwrap_or_default();
        Ok(Port {
            peer: peer.into(),
            peer_number: number,
            speed,
            line: neighbour.line,
            ..Port::default()
        })
    }
}

/// The rate of a medium such as `100GbaseCR4 - …`, `40GigBaseCR4` or `1000BaseTFD`.
fn medium(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or("");
    let lower = word.to_ascii_lowercase();
    let Some((rate, _)) = lower.split_once("base") else { return word.into() };
    let digits = rate.trim_end_matches("ig").trim_end_matches('g');
    let unit = if digits.len() < rate.len() { "Gbit/s" } else { "Mbit/s" };
    format!("{digits} {unit}")
}
