//! Options for the model of switches, links and adapters.

use anyhow::{Result, anyhow, bail};

use crate::rational::Rational;
use crate::simulation::packet::Model;

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Switches, links and adapters")]
pub(super) struct ModelOptions {
    /// Model to start from: go ([GO] 5.1: packets of 8 KB, flits of 1 byte) or ro ([RO] VI.B: packets of
    /// 1 KB, flits of 8 bytes, 2 Gbit/s links, interleaved messages)
    #[arg(long, value_name = "NAME", default_value = "go", value_parser = ["go", "ro"])]
    preset: String,
    /// Maximum packet size in bytes, such as 8KB [default: that of the preset, as for all options below]
    #[arg(long, value_name = "BYTES", value_parser = small_bytes)]
    packet: Option<u32>,
    /// Flit size in bytes: what a link of capacity 1 carries per cycle
    #[arg(long, value_name = "BYTES", value_parser = small_bytes)]
    flit: Option<u32>,
    /// Cycles to route a header
    #[arg(long, value_name = "CYCLES")]
    routing_delay: Option<u32>,
    /// Cycles for a header to cross the switch
    #[arg(long, value_name = "CYCLES")]
    crossbar_delay: Option<u32>,
    /// Cycles for a flit or credit to cross a cable
    #[arg(long, value_name = "CYCLES")]
    fly_time: Option<u32>,
    /// Capacity of an input queue, in packets
    #[arg(long, value_name = "PACKETS")]
    input_queue: Option<u32>,
    /// Capacity of an output queue, in packets
    #[arg(long, value_name = "PACKETS")]
    output_queue: Option<u32>,
    /// Duration of a cycle in nanoseconds, such as 6.25
    #[arg(long, value_name = "NS", value_parser = positive)]
    cycle_ns: Option<Rational>,
    /// Whether to interleave the messages of a host packet by packet: yes or no
    #[arg(long, value_name = "YES|NO", value_parser = yes)]
    interleave: Option<bool>,
}

impl ModelOptions {
    /// The model that the options describe.
    pub(super) fn model(&self) -> Result<Model> {
        let preset = match self.preset.as_str() {
            "go" => Model::go(),
            "ro" => Model::ro(),
            other => bail!("unknown preset `{other}`: expected go or ro"),
        };
        Ok(Model {
            routing: self.routing_delay.unwrap_or(preset.routing),
            crossbar: self.crossbar_delay.unwrap_or(preset.crossbar),
            fly: self.fly_time.unwrap_or(preset.fly),
            input_queue: self.input_queue.unwrap_or(preset.input_queue),
            output_queue: self.output_queue.unwrap_or(preset.output_queue),
            flit_bytes: self.flit.unwrap_or(preset.flit_bytes),
            packet_bytes: self.packet.unwrap_or(preset.packet_bytes),
            cycle_ns: self.cycle_ns.clone().unwrap_or(preset.cycle_ns),
            interleaved: self.interleave.unwrap_or(preset.interleaved),
            ..preset
        })
    }
}

/// A number of bytes, such as 512, 8KB or 1.5MB; a KB is 1024 bytes.
pub(super) fn bytes(text: &str) -> Result<u64> {
    let expected = || anyhow!("expected a number of bytes above 0, such as 512, 8KB or 1MB");
    let lower = text.trim().to_ascii_lowercase();
    let units = [("gb", 1 << 30), ("mb", 1 << 20), ("kb", 1 << 10), ("b", 1)];
    let unit = units.iter().find_map(|(unit, size)| Some((lower.strip_suffix(unit)?, *size)));
    let (number, size) = unit.unwrap_or((&lower, 1_u64));
    let number = Rational::from_decimal(number.trim()).map_err(|_| expected())?;
    let bytes = (&number * &Rational::from(size)).scaled(1);
    bytes.filter(|bytes| *bytes > 0).ok_or_else(expected)
}

fn small_bytes(text: &str) -> Result<u32> {
    u32::try_from(bytes(text)?).map_err(|_| anyhow!("expected less than 4GB"))
}

pub(super) fn positive(text: &str) -> Result<Rational> {
    let number = Rational::from_decimal(text).ok().filter(|number| !number.is_zero());
    number.ok_or_else(|| anyhow!("expected a number above 0, such as 10 or 2.5"))
}

/// An offered load.
pub(super) fn load(text: &str) -> Result<Rational> {
    let load = Rational::from_decimal(text.trim()).ok();
    let load = load.filter(|load| !load.is_zero() && *load <= Rational::ONE);
    load.ok_or_else(|| {
        anyhow!("expected a fraction of link bandwidth above 0 and up to 1, such as 0.5")
    })
}

fn yes(text: &str) -> Result<bool> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => bail!("expected yes or no"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, wanted) in [("512", 512), ("8KB", 8192), ("1.5 mb", 1_572_864), ("3b", 3)] {
            assert_eq!(bytes(text).unwrap(), wanted, "{text}");
        }
        for text in ["0", "-1", "KB", "1/2", "0.3", "8XB", "99999999999999GB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert!(load("1.01").is_err() && load("0").is_err() && load("1").is_ok());
    }
}
