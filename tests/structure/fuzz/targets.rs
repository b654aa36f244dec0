//! Every reader of outside files, with files that it accepts and a writer of what it has read, if
//! there is one.

use std::fs;
use std::io::{Read as _, Write as _};

use flate2::read::MultiGzDecoder;
use routebound::certificate::{self, Certificate, fits};
use routebound::export::traffic::Replay;
use routebound::failure::{listed_cables, listed_switches};
use routebound::import::traffic::{
    FORMATS, Format, Hosts, Lines, Request, TrafficFileError, read_from,
};
use routebound::import::{self, ImportOptions, TABLE_KINDS};
use routebound::jobs::{Hostlist, Job, JobList, NodeNames, Nodes, compact, select};
use routebound::progress::Progress;
use routebound::quote::printable;
use routebound::rational::Rational;
use routebound::registry::Kind;
use routebound::routing::table::write_table;
use routebound::routing::{self, Instance};
use routebound::spec::Spec;
use routebound::topology::{self, NodeId, Topology};
use routebound::traffic::TrafficMatrix;
use routebound::{adversary, cases, export, traffic};

use super::files;

/// The fate of a text in a reader.
#[derive(Debug)]
pub enum Fate {
    /// A typed error, with this message.
    Refused(String),
    /// Read; what is written of it reads as the same.
    Kept,
    /// Read; what is written of it reads as something else.
    Differs(String),
}

/// A reader.
pub struct Target {
    /// Verb and arguments of the program that reads this from its standard input.
    pub verb: &'static str,
    /// Texts that it accepts, but for those in `REFUSED`.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads a text.
    pub read: fn(&[u8]) -> Fate,
}

pub const TARGETS: &[Target] = &[
    Target { verb: "topo -", seeds: network_files, read: network },
    Target {
        verb: "ratio instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out lft:-",
        seeds: table_files,
        read: tables,
    },
    Target {
        verb: "ratio instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out far:-",
        seeds: || contents(["instances/fabrics/ft8x2/formats/ibdiagnet2.far"]),
        read: adaptive_tables,
    },
    Target {
        verb: "route instances/fabrics/ring5/ibnetdiscover.out lft:instances/fabrics/ring5/opensm-lfts.dump \
               --loops --service-levels - --sl2vl instances/fabrics/ring5/opensm-sl2vl.dump",
        seeds: || contents(["instances/fabrics/ring5/opensm-path-records.dump"]),
        read: service_levels,
    },
    Target {
        verb: "route instances/fabrics/ring5/ibnetdiscover.out lft:instances/fabrics/ring5/opensm-lfts.dump \
               --loops --service-levels instances/fabrics/ring5/opensm-path-records.dump --sl2vl -",
        seeds: || contents(["instances/fabrics/ring5/opensm-sl2vl.dump"]),
        read: lane_tables,
    },
    Target { verb: "ratio 'ft(4,2)' table:-", seeds: path_files, read: paths },
    Target { verb: "traffic 'ft(4,2)' -", seeds: traffic_files, read: demands },
    Target {
        verb: "topo 'ft(4,2)' --fail-links -",
        seeds: || texts(&["sw-1-0 sw-2-1\n", "sw-1-0[4] # one\n3\n"]),
        read: cables,
    },
    Target {
        verb: "topo 'ft(4,2)' --fail-switches -",
        seeds: || texts(&["\"sw-2-1\"\n# one\n"]),
        read: switches,
    },
    Target {
        verb: "fabric 'ft(4,2)' --routing dmodk --hosts -",
        seeds: node_files,
        read: nodes_of_file,
    },
    Target {
        verb: "fabric 'ft(4,2)' --routing dmodk --hosts \"$(cat)\"",
        seeds: node_lists,
        read: nodes_of_list,
    },
    Target {
        verb: "fabric 'ft(4,2)' --routing dmodk --jobs -",
        seeds: job_files,
        read: jobs_of_file,
    },
    Target { verb: "check -", seeds: certificate_files, read: certificate_text },
    Target { verb: "regress -", seeds: case_files, read: case_file },
    // No verb reads a spec from its standard input.
    Target { verb: "topo -- \"$(cat)\"", seeds: specs, read: spec },
];

/// Seeds that are refused, by their beginnings, and what is said of them.
pub const REFUSED: &[(&str, &str)] = &[
    // A map of four hosts.
    ("// by hand\nEmbeddedMap{", "8 entries are announced, but 4 are there"),
    // A trace of BookSim, which looks like rows of numbers.
    ("0 0 5 0\n", "3 matrices of 2 hosts"),
];

/// The fate of a result without a writer.
fn fate<T, E: std::error::Error>(result: Result<T, E>) -> Fate {
    result.map_or_else(refused, |_| Fate::Kept)
}

fn refused<E: std::error::Error>(error: E) -> Fate {
    Fate::Refused(error.to_string())
}

fn same<T: PartialEq + std::fmt::Debug>(before: &T, after: &T) -> Fate {
    if before == after {
        Fate::Kept
    } else {
        Fate::Differs(format!("{before:?}\nbecomes\n{after:?}"))
    }
}

fn texts(all: &[&str]) -> Vec<Vec<u8>> {
    all.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Small files, decompressed.
fn contents<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<Vec<u8>> {
    let decompressed = |path: &str| {
        let bytes = fs::read(path).unwrap();
        let mut text = Vec::new();
        if bytes.starts_with(b"\x1f\x8b") {
            MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
            return text;
        }
        bytes
    };
    let all = paths.into_iter().map(decompressed);
    all.filter(|text| text.len() < 1 << 17).collect()
}

/// The bytes as a file, for readers that open one.
fn file(bytes: &[u8]) -> (tempfile::NamedTempFile, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let path = file.path().to_str().unwrap().to_string();
    (file, path)
}

fn network_files() -> Vec<Vec<u8>> {
    contents(import::KINDS.iter().flat_map(|kind| kind.examples).copied())
}

/// The links by the names of their ends, with their capacities, sorted. Names as the formats hold
/// them: without control characters and spaces at their ends, up to 64 characters.
fn links(network: &Topology) -> (usize, Vec<(String, String, Rational)>) {
    let clean = |c: char| if c.is_control() || "\u{fffe}\u{ffff}".contains(c) { '?' } else { c };
    let name = |node: NodeId| {
        let held: String = network.node(node).name.trim().chars().take(64).map(clean).collect();
        held.trim_end().to_string()
    };
    let all = network.link_numbers().map(|link| {
        let (from, to) = network.ends(link).unwrap();
        (name(from), name(to), network.link(link).capacity.clone())
    });
    let mut all: Vec<_> = all.collect();
    all.sort();
    (network.hosts(), all)
}

fn network(bytes: &[u8]) -> Fate {
    let (_file, path) = file(bytes);
    let merged = ImportOptions { merge_cables: true, unit_capacity: true, ..Default::default() };
    import::topology(&path, &merged).ok();
    let network = match import::topology(&path, &ImportOptions::default()) {
        Ok(network) => network,
        Err(error) => return refused(error),
    };
    // The file of BookSim has no names.
    for name in ["json", "graphml", "anynet"] {
        let kind = export::EXPORTS.iter().find(|kind| kind.name == name).unwrap();
        let mut text = Vec::new();
        if (kind.build)(&network, &mut text).is_ok() {
            let again = import::topology(&file(&text).1, &ImportOptions::default());
            let Ok(again) = again else { return Fate::Differs(format!("{name}: {again:?}")) };
            let sizes = |network: &Topology| (network.hosts(), network.nodes(), network.links());
            let named = name != "anynet";
            if sizes(&again) != sizes(&network) || named && links(&again) != links(&network) {
                return Fate::Differs(format!(
                    "{name}: {:?}\n{:?}",
                    links(&network),
                    links(&again)
                ));
            }
        }
    }
    Fate::Kept
}

const FABRIC: &str = "instances/fabrics/ft8x2/minhop_lmc2";

fn table_files() -> Vec<Vec<u8>> {
    let own = [format!("{FABRIC}/opensm-lfts.dump.gz"), format!("{FABRIC}/opensm.fdbs.gz")];
    let examples = TABLE_KINDS.iter().flat_map(|kind| kind.examples).copied();
    contents(own.iter().map(String::as_str).chain(examples))
}

fn tables(bytes: &[u8]) -> Fate {
    let (_file, path) = file(bytes);
    let fabric = format!("{FABRIC}/ibnetdiscover.out");
    let topology = import::topology(&fabric, &ImportOptions::default()).unwrap();
    match routing::build(&format!("lft:{path}"), &topology) {
        Ok(routing) => fate(Instance::new(topology, routing)),
        Err(error) => refused(error),
    }
}

fn adaptive_tables(bytes: &[u8]) -> Fate {
    let (_file, path) = file(bytes);
    let fabric = format!("{FABRIC}/ibnetdiscover.out");
    let topology = import::topology(&fabric, &ImportOptions::default()).unwrap();
    for spec in ["far", "far(choice=worst)"] {
        match routing::build(&format!("{spec}:{path}"), &topology) {
            Ok(routing) => {
                if let Err(error) =
                    Instance::trusted(topology.clone(), routing).check_paths(&Progress::silent())
                {
                    return Fate::Differs(error.to_string());
                }
            }
            Err(error) => return refused(error),
        }
    }
    Fate::Kept
}

fn service_levels(bytes: &[u8]) -> Fate {
    fate(import::service_levels(&file(bytes).1))
}

fn lane_tables(bytes: &[u8]) -> Fate {
    fate(import::lane_tables(&file(bytes).1))
}

/// The paths of a routing of `ft(4,2)` as a file.
fn written(tree: &Topology, routing: &dyn routing::Routing) -> Vec<u8> {
    let mut text = Vec::new();
    write_table(tree, routing, &mut text).unwrap();
    text
}

fn path_files() -> Vec<Vec<u8>> {
    let tree = topology::generate("ft(4,2)").unwrap();
    let of = |spec| written(&tree, routing::build(spec, &tree).unwrap().as_ref());
    vec![of("dmodk"), of("omrmn")]
}

fn paths(bytes: &[u8]) -> Fate {
    let (_file, path) = file(bytes);
    let tree = topology::generate("ft(4,2)").unwrap();
    let routing = match routing::build(&format!("table:{path}"), &tree) {
        Ok(routing) => routing,
        Err(error) => return refused(error),
    };
    let before = written(&tree, routing.as_ref());
    if let Err(error) = Instance::new(tree.clone(), routing) {
        return refused(error);
    }
    let (_file, path) = file(&before);
    match routing::build(&format!("table:{path}"), &tree) {
        Ok(again) => same(&before, &written(&tree, again.as_ref())),
        Err(error) => Fate::Differs(error.to_string()),
    }
}

fn traffic_files() -> Vec<Vec<u8>> {
    let examples = FORMATS.iter().flat_map(|kind| kind.examples).copied();
    // A map has as many entries as there are hosts.
    texts(&examples.chain(["EmbeddedMap{map: [3, 1, 0, 2, 7, 5, 6, 4]}\n"]).collect::<Vec<_>>())
}

/// Read as what it looks like, and as every format: some are recognised by name only.
fn demands(bytes: &[u8]) -> Fate {
    let tree = topology::generate("ft(4,2)").unwrap();
    let request = Request { hosts: Hosts::Of(&tree), index: None };
    for kind in FORMATS {
        let fate = match demands_in(kind, bytes, &request) {
            Ok(matrix) => kept(&matrix, &request),
            Err(error) => refused(error),
        };
        let is_fine = match &fate {
            Fate::Kept => true,
            Fate::Refused(message) => can_be_shown(message),
            Fate::Differs(_) => false,
        };
        if !is_fine {
            return fate;
        }
    }
    match read_from("traffic", &mut &*bytes, &request) {
        Ok(matrix) => kept(&matrix, &request),
        Err(error) => refused(error),
    }
}

/// Read as `file(format=NAME)` reads it.
pub fn demands_in(
    kind: &Kind<Format>,
    bytes: &[u8],
    request: &Request,
) -> Result<TrafficMatrix, TrafficFileError> {
    let mut reader = bytes;
    let mut lines = Lines::new(kind.name, &mut reader);
    while lines.advance()? && lines.text().trim().is_empty() {}
    (kind.build.read)(&mut lines, request).map(|found| found.matrix)
}

/// Whether what is written of the matrix reads as the same.
fn kept(matrix: &TrafficMatrix, request: &Request) -> Fate {
    for kind in export::traffic::FORMATS.iter().filter(|kind| ["csv", "mtx"].contains(&kind.name)) {
        let mut text = Vec::new();
        if (kind.build.write)(&Replay::of(matrix), &mut text).is_ok() {
            let again = read_from("traffic", &mut &*text, request);
            let Ok(again) = again else {
                return Fate::Differs(format!("{}: {again:?}", kind.name));
            };
            if again.demands() != matrix.demands() {
                return same(matrix, &again);
            }
        }
    }
    Fate::Kept
}

fn cables(bytes: &[u8]) -> Fate {
    let tree = topology::generate("ft(4,2)").unwrap();
    let cables = match listed_cables(&tree, &String::from_utf8_lossy(bytes)) {
        Ok(cables) => cables,
        Err(error) => return refused(error),
    };
    // A cable is named by both ends, an entry by one.
    let entry = |cable: &routebound::failure::Cable| {
        cable.name(&tree).split(':').next().unwrap_or_default().to_string() + "\n"
    };
    let names: String = cables.iter().map(entry).collect();
    match listed_cables(&tree, &names) {
        Ok(again) => same(&names, &again.iter().map(entry).collect()),
        Err(error) => Fate::Differs(error.to_string()),
    }
}

fn switches(bytes: &[u8]) -> Fate {
    let tree = topology::generate("ft(4,2)").unwrap();
    fate(listed_switches(&tree, &String::from_utf8_lossy(bytes)))
}

fn node_files() -> Vec<Vec<u8>> {
    texts(&["# ranks\nhost-3 slots=8\n host-[0-1],7 # two\n\"host-5\"\n", "host-?\n"])
}

fn node_lists() -> Vec<Vec<u8>> {
    texts(&["host-[0-3,5],7", "\"host-1\",host-[2-3]*", "host-*", "[0-1]", "host-0.site"])
}

/// The nodes of `ft(4,2)` that a list names; what is written of them reads as the same.
fn selected(list: &str) -> Fate {
    let tree = topology::generate("ft(4,2)").unwrap();
    let nodes = Nodes::of(&tree);
    let names = NodeNames::new(&tree, &nodes);
    let found = match select(&names, list) {
        Ok(found) => found.nodes,
        Err(error) => return refused(error),
    };
    let text = compact(found.iter().map(|node| &nodes.nodes[*node].name[..]));
    match select(&names, &text) {
        Ok(again) => same(&found, &again.nodes),
        Err(error) => Fate::Differs(error.to_string()),
    }
}

fn nodes_of_file(bytes: &[u8]) -> Fate {
    let (_file, path) = file(bytes);
    selected(&path)
}

fn nodes_of_list(bytes: &[u8]) -> Fate {
    let list = String::from_utf8_lossy(bytes);
    if let Ok(hosts) = Hostlist::parse(&list) {
        let all = || hosts.names().map(|listed| listed.name).take(1 << 12);
        let written = compact(all().collect::<Vec<_>>().iter().map(String::as_str));
        let again =
            Hostlist::parse(&written).map(|list| list.names().map(|one| one.name).collect());
        if again != Ok(all().collect::<Vec<_>>()) {
            return Fate::Differs(format!("{list:?} is written as {written:?}"));
        }
    }
    // It is a list, whatever files there are.
    if list == "-" || list.contains('/') { Fate::Kept } else { selected(&list) }
}

fn job_files() -> Vec<Vec<u8>> {
    texts(&import::jobs::FORMATS.iter().flat_map(|kind| kind.examples).copied().collect::<Vec<_>>())
}

fn jobs_of_file(bytes: &[u8]) -> Fate {
    let (_file, path) = file(bytes);
    let tree = topology::generate("ft(4,2)").unwrap();
    let nodes = Nodes::of(&tree);
    let names = NodeNames::new(&tree, &nodes);
    let found = match JobList::read(&path, &names) {
        Ok(found) => found.jobs,
        Err(error) => return refused(error),
    };
    let line = |(at, job): (usize, &Job)| {
        let list = compact(job.nodes.iter().map(|node| &node.name[..]));
        format!("job {at}: {list}\n")
    };
    let written: String = found.iter().enumerate().map(line).collect();
    let of = |jobs: &[Job]| jobs.iter().map(|job| job.nodes.clone()).collect::<Vec<_>>();
    let (_file, path) = file(written.as_bytes());
    match JobList::read(&path, &names) {
        Ok(again) => same(&of(&found), &of(&again.jobs)),
        Err(error) => Fate::Differs(error.to_string()),
    }
}

fn certificate_files() -> Vec<Vec<u8>> {
    let all = files("results").into_iter().chain(files("instances"));
    let is_small = |path: &std::path::PathBuf| {
        path.extension().is_some_and(|end| end == "cert")
            && fs::metadata(path).unwrap().len() < 6000
    };
    all.filter(is_small).map(|path| fs::read(path).unwrap()).collect()
}

fn certificate_text(bytes: &[u8]) -> Fate {
    let certificate = match certificate::read(bytes) {
        Ok(certificate) => certificate,
        Err(error) => return refused(error),
    };
    if let Err(error) = fits(&certificate, &Progress::silent()) {
        return refused(error);
    }
    let text = certificate.to_string();
    match text.parse::<Certificate>() {
        Ok(again) => same(&text, &again.to_string()),
        Err(error) => Fate::Differs(error.to_string()),
    }
}

fn case_files() -> Vec<Vec<u8>> {
    let paths = files("instances/regress");
    let heads = paths.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap();
        text.split_inclusive("\n\n").take(4).collect::<String>().into_bytes()
    });
    heads.collect()
}

fn case_file(bytes: &[u8]) -> Fate {
    fate(cases::read("cases", &String::from_utf8_lossy(bytes)))
}

fn specs() -> Vec<Vec<u8>> {
    let examples = topology::KINDS.iter().flat_map(|kind| kind.examples);
    let examples = examples.chain(routing::KINDS.iter().flat_map(|kind| kind.examples));
    let examples = examples.chain(traffic::KINDS.iter().flat_map(|kind| kind.examples));
    let examples = examples.chain(adversary::KINDS.iter().flat_map(|kind| kind.examples));
    texts(&examples.copied().chain(["file(format=\"a b\"):x y"]).collect::<Vec<_>>())
}

fn spec(bytes: &[u8]) -> Fate {
    let spec = match Spec::parse(&String::from_utf8_lossy(bytes)) {
        Ok(spec) => spec,
        Err(error) => return refused(error),
    };
    match Spec::parse(&spec.to_string()) {
        Ok(again) => same(&spec, &again),
        Err(error) => Fate::Differs(error.to_string()),
    }
}

/// Whether a message can be shown: it says something, and no terminal obeys it.
pub fn can_be_shown(message: &str) -> bool {
    !message.is_empty() && printable(message) == message && message.len() < 1 << 14
}
