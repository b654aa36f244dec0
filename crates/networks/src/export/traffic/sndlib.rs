//! SNDlib XML: nodes by the names of the network that was read, or else `host-0`, `host-1`, …, and the demands between
//! them.

use std::borrow::Cow;
use std::io::{self};

use itertools::Itertools;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::prelude::*;
use super::{check_decimals, decimal, printable};
use crate::topology::Topology;
use crate::traffic::Demand;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "sndlib",
    usage: "traffic .. --format sndlib",
    about: "SNDlib XML 1.0: node list, host-0, host-1, .. in generated networks, and demands, without links",
    reference: "http://sndlib.zib.de/home.action",
    examples: &["shift(1)", "mesh2d"],
    build: TrafficFormat { write, holds_header: true },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let (matrix, names) = (replay.matrix, Names::of(replay));
    check_decimals(matrix, KIND.name)?;
    let mut xml = Writer::new_with_indent(out, b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    if !replay.header.is_empty() {
        // A comment must not contain two hyphens in a row.
        let text = replay.header.iter().map(|line| printable(line)).join("\n").replace("--", "- -");
        let comment = BytesText::from_escaped(format!("\n{}\n", text.trim_end_matches('-')));
        xml.write_event(Event::Comment(comment))?;
    }
    let network = xml
        .create_element("network")
        .with_attributes([("xmlns", "http://sndlib.zib.de/network"), ("version", "1.0")]);
    network.write_inner_content(|xml| {
        xml.create_element("networkStructure").write_inner_content(|xml| {
            xml.create_element("nodes").write_inner_content(|xml| {
                (0..matrix.hosts()).try_for_each(|host| {
                    let node = xml.create_element("node");
                    node.with_attribute(("id", &*names.of_host(host))).write_empty().map(|_| ())
                })
            })?;
            Ok(())
        })?;
        xml.create_element("demands").write_inner_content(|xml| {
            let mut demands = matrix.demands().iter().enumerate();
            demands.try_for_each(|(number, demand)| write_demand(number, demand, &names, xml))
        })?;
        Ok(())
    })?;
    writeln!(xml.get_mut())?;
    Ok(())
}

/// What the hosts are called.
struct Names<'n>(Option<Vec<&'n str>>);

impl<'n> Names<'n> {
    fn of(replay: &Replay<'n>) -> Self {
        Self(replay.topology.and_then(Topology::plain_host_names))
    }

    fn of_host(&self, host: usize) -> Cow<'n, str> {
        match &self.0 {
            Some(names) => names[host].into(),
            None => format!("host-{host}").into(),
        }
    }
}

fn write_demand(
    number: usize,
    demand: &Demand,
    names: &Names,
    xml: &mut Writer<&mut dyn Write>,
) -> io::Result<()> {
    let [source, target] = [demand.s, demand.d].map(|host| names.of_host(host as usize));
    let amount = decimal(demand, KIND.name).map_err(io::Error::other)?;
    let id = format!("D{number}");
    let element = xml.create_element("demand").with_attribute(("id", id.as_str()));
    element.write_inner_content(|xml| {
        for (element, text) in
            [("source", &*source), ("target", &*target), ("demandValue", &*amount)]
        {
            xml.create_element(element).write_text_content(BytesText::new(text))?;
        }
        Ok(())
    })?;
    Ok(())
}
