//! Entries of the registries that have no case, and cases for them.
//!
//! There is to be a case of every routing on every family of generated topologies where an example
//! of the one fits an example of the other, of every other routing on the example of a file format,
//! and of every pattern of traffic.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use toml_edit::DocumentMut;

use super::{
    AddError, Case, CaseFile, CaseProblem, Expected, ExpectedValue, ReadError, compute, read,
};
use crate::import::{self, ImportOptions};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::routing;
use crate::spec::Spec;
use crate::topology::{self, Topology};
use crate::traffic;

/// A network of 256 hosts, which every example of a pattern fits, and its routing.
const LARGE: (&str, &str) = ("kary(4,4)", "dmodk");

/// The kind that a spec names.
fn family(spec: &str) -> Option<String> {
    Spec::parse(spec).ok().map(|spec| spec.name)
}

/// Cases, without values, for the entries that have none in these files.
///
/// Examples that are files are looked for where the program runs: in another folder than that of
/// this project, a routing that is read from a file is not missing.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::cases::{missing, read};
/// let file = read("a.toml", "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n")?;
/// let missing = missing(&[file]);
/// assert!(missing.iter().any(|case| case.name() == "smodk on ft(4,2)"));
/// assert!(!missing.iter().any(|case| case.name().starts_with("dmodk on ft(")));
/// # Ok::<(), routebound::cases::ReadError>(())
/// ```
#[must_use]
pub fn missing(files: &[CaseFile]) -> Vec<Case> {
    let cases: Vec<&Case> = files.iter().flat_map(|file| &file.cases).collect();
    let mut found: Vec<Case> =
        topology::KINDS.iter().flat_map(|kind| on_family(kind, &cases)).collect();
    found.extend(on_files(&cases, &found));
    found.extend(of_patterns(&cases));
    found
}

fn case(topology: &str, routing: &str, traffic: Option<&str>) -> Case {
    Case {
        line: 0,
        topology: topology.to_string(),
        routing: Some(routing.to_string()),
        traffic: traffic.map(ToString::to_string),
        unit_capacity: false,
        expected: Vec::new(),
    }
}

/// The routings that have no case on a family of topologies.
fn on_family(kind: &Kind<topology::Family>, cases: &[&Case]) -> Vec<Case> {
    let of_kind = |case: &&&Case| family(&case.topology).as_deref() == Some(kind.name);
    let own: Vec<&&Case> = cases.iter().filter(of_kind).collect();
    let known: BTreeSet<String> =
        own.iter().filter_map(|case| family(case.routing.as_ref()?)).collect();
    let mut networks: Vec<Topology> =
        kind.examples.iter().filter_map(|example| topology::generate(example).ok()).collect();
    // Networks that have cases already come first, in the order of these, then the largest.
    let used = |network: &Topology| own.iter().position(|case| case.topology == network.spec());
    let unused = |network: &Topology| used(network).unwrap_or(own.len());
    networks.sort_by_key(|network| (unused(network), Reverse(network.hosts())));
    let unknown = routing::KINDS.iter().filter(|routing| !known.contains(routing.name));
    unknown.filter_map(|routing| first_fitting(routing, &networks)).collect()
}

/// The case of the first network that an example fits; the last example says most.
fn first_fitting(kind: &Kind<routing::Family>, networks: &[Topology]) -> Option<Case> {
    networks.iter().find_map(|network| {
        let mut examples = kind.examples.iter().rev();
        let example = examples.find(|example| routing::build(example, network).is_ok())?;
        Some(case(network.spec(), example, None))
    })
}

/// Routings that fit no generated topology and have no case: on the examples of file formats.
fn on_files(cases: &[&Case], added: &[Case]) -> Vec<Case> {
    let all = cases.iter().copied().chain(added);
    let known: BTreeSet<String> = all.filter_map(|case| family(case.routing.as_ref()?)).collect();
    let mut unknown =
        routing::KINDS.iter().filter(|routing| !known.contains(routing.name)).peekable();
    if unknown.peek().is_none() {
        return Vec::new();
    }
    let paths = import::KINDS.iter().flat_map(|kind| kind.examples).copied();
    let paths = paths.chain([import::EXAMPLE_OF_PLANES]);
    let networks: Vec<Topology> =
        paths.filter_map(|path| import::topology(path, &ImportOptions::default()).ok()).collect();
    unknown.filter_map(|routing| first_fitting(routing, &networks)).collect()
}

/// Patterns without a case: on the networks and routings of others, else on [`LARGE`].
fn of_patterns(cases: &[&Case]) -> Vec<Case> {
    let known: BTreeSet<String> =
        cases.iter().filter_map(|case| family(case.traffic.as_ref()?)).collect();
    let with_traffic = cases.iter().filter(|case| case.traffic.is_some() && !case.unit_capacity);
    let mut places: Vec<(&str, &str)> = with_traffic
        .filter_map(|case| Some((case.topology.as_str(), case.routing.as_deref()?)))
        .collect();
    places.push(LARGE);
    let mut seen = BTreeSet::new();
    places.retain(|place| seen.insert(*place));
    let sized =
        |(topology, routing)| Some((topology, routing, topology::generate(topology).ok()?.hosts()));
    let places: Vec<(&str, &str, usize)> = places.into_iter().filter_map(sized).collect();
    let unknown = traffic::KINDS.iter().filter(|kind| !known.contains(kind.name));
    let place = |kind: &Kind<traffic::Pattern>| {
        places.iter().find_map(|(topology, routing, hosts)| {
            let fits =
                |spec: &&&str| traffic::generate(spec, *hosts).is_ok_and(|made| !made.is_empty());
            Some(case(topology, routing, Some(kind.examples.iter().find(fits)?)))
        })
    };
    unknown.filter_map(place).collect()
}

/// The cases with all their values that are found and proven, computed in parallel; an [`AddError`]
/// for a case that cannot be computed or of which nothing is proven.
#[must_use]
pub fn with_values(cases: &[Case], progress: &Progress) -> Vec<Result<Case, AddError>> {
    cases.par_iter().map(|case| valued(case, progress)).collect()
}

fn valued(case: &Case, progress: &Progress) -> Result<Case, AddError> {
    let fails = |problem| AddError { case: case.name(), problem: Box::new(problem) };
    let values = compute(case, progress).map_err(fails)?;
    let proven = |(quantity, value): &(_, super::Value)| {
        let value = Expected::Exactly(value.proven()?.clone());
        Some(ExpectedValue { quantity: *quantity, value, line: 0 })
    };
    let expected: Vec<_> = values.iter().filter_map(proven).collect();
    if expected.is_empty() {
        return Err(fails(CaseProblem::NothingProven));
    }
    Ok(Case { expected, ..case.clone() })
}

/// The file with the case at its end; all that is there stays as it is.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::cases::{read, with_case};
/// let file = read("a.toml", "[[case]] # one\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n")?;
/// let twice = with_case(&file, &file.cases[0])?;
/// let added = "\n[[case]]\ntopology = \"ft(4,2)\"\nrouting = \"dmodk\"\n";
/// assert_eq!(twice.text, file.text.clone() + added);
/// # Ok::<(), routebound::cases::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] when the file is not a list of `[[case]]` tables, or becomes too large.
pub fn with_case(file: &CaseFile, case: &Case) -> Result<CaseFile, ReadError> {
    if !takes_cases(file) {
        return Err(ReadError::Content {
            path: file.path.clone(),
            line: file.cases.first().map_or(1, |case| case.line),
            problem: "no case can follow, as the cases are not separate tables: \
                      begin each with `[[case]]`"
                .into(),
        });
    }
    let mut whole = file.text.clone();
    if !whole.is_empty() {
        // An empty line stands between cases, whether or not the last line was ended.
        whole += if whole.ends_with('\n') { "\n" } else { "\n\n" };
    }
    read(&file.path, &(whole + &text(case)))
}

/// Whether a `[[case]]` may follow: not after an array of inline tables.
fn takes_cases(file: &CaseFile) -> bool {
    let is_open = |document: DocumentMut| {
        document.get("case").is_none_or(toml_edit::Item::is_array_of_tables)
    };
    file.text.parse().is_ok_and(is_open)
}

/// A case as it is written.
fn text(case: &Case) -> String {
    let line = |key: &str, value: &str| format!("{key} = {}\n", toml_edit::Value::from(value));
    let unit = if case.unit_capacity { "unit_capacity = true\n" } else { "" };
    let given = [("topology", Some(&case.topology)), ("routing", case.routing.as_ref())];
    let given = given.into_iter().chain([("traffic", case.traffic.as_ref())]);
    let given = given.filter_map(|(key, value)| Some(line(key, value?)));
    let values = case.expected.iter();
    let values = values.map(|value| line(value.quantity.key(), &value.value.to_string()));
    let (given, values): (String, String) = (given.collect(), values.collect());
    format!("[[case]]\n{given}{unit}{values}")
}

/// What cases of one sort have in common: traffic, a family of topologies, or that the network is
/// a file.
fn sort_of(case: &Case) -> Option<String> {
    let named = family(&case.topology);
    let named = named.filter(|name| topology::KINDS.iter().any(|kind| kind.name == name));
    if case.traffic.is_some() { Some("traffic".into()) } else { named }
}

/// The place of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the file with this index.
    File(usize),
    /// In a file with this path, which is not there yet.
    New(String),
    /// In a file with this path, which is there but was not read.
    Unread(String),
}

/// The place of a case: in the file with most cases of its sort, or in the file beside the first
/// one that is called after the sort. A single file takes all.
#[must_use]
pub fn home_of(case: &Case, files: &[CaseFile]) -> Home {
    if files.len() == 1 {
        return Home::File(0);
    }
    let sort = sort_of(case);
    let alike = |file: &CaseFile| file.cases.iter().filter(|case| sort_of(case) == sort).count();
    let best = files.iter().enumerate().max_by_key(|(at, file)| (alike(file), usize::MAX - at));
    if let Some((at, _)) = best.filter(|(_, file)| alike(file) > 0) {
        return Home::File(at);
    }
    let name = sort.unwrap_or_else(|| "networks".into()) + ".toml";
    let first = files.first().map_or("", |file| &file.path);
    let path = Path::new(first).with_file_name(name);
    let shown = path.display().to_string();
    match files.iter().position(|file| file.path == shown) {
        Some(at) => Home::File(at),
        // Links count whether or not they lead anywhere.
        None if path.symlink_metadata().is_ok() => Home::Unread(shown),
        None => Home::New(shown),
    }
}
