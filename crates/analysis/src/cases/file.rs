//! Case files: TOML, with one `[[case]]` table per case.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::{Case, CaseError, CaseProblem, ExpectedValue, Quantity, ReadError};
use crate::limit::within;
use crate::rational::RationalError;

/// Maximum number of case files in a folder.
pub const MAX_FILES: u64 = 10_000;
/// Maximum number of bytes in a case file.
pub const MAX_BYTES: u64 = 1 << 24;

/// A case file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// The path, for errors.
    pub path: String,
    /// Text of the file.
    pub text: String,
    /// Cases of the file, in order.
    pub cases: Vec<Case>,
}

impl CaseFile {
    pub(super) fn fails(&self, case: &Case, problem: CaseProblem) -> CaseError {
        CaseError { path: self.path.clone(), line: case.line, problem: Box::new(problem) }
    }
}

/// The file as parsed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    case: Vec<Spanned<RawCase>>,
}

type Text = Option<Spanned<String>>;

/// A case as parsed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    topology: String,
    routing: Option<String>,
    traffic: Option<String>,
    #[serde(default)]
    unit_capacity: bool,
    oblivious_ratio: Text,
    permutation_ratio: Text,
    worst_permutation_load: Text,
    max_load: Text,
    optu: Text,
    performance_ratio: Text,
}

impl RawCase {
    /// The values with their keys.
    fn values(&self) -> [(Quantity, &Text); 6] {
        [
            (Quantity::ObliviousRatio, &self.oblivious_ratio),
            (Quantity::PermutationRatio, &self.permutation_ratio),
            (Quantity::WorstPermutationLoad, &self.worst_permutation_load),
            (Quantity::MaxLoad, &self.max_load),
            (Quantity::Optu, &self.optu),
            (Quantity::PerformanceRatio, &self.performance_ratio),
        ]
    }
}

/// The case files that `path` names: the file itself, or all files below a folder that end in
/// `.toml`, sorted. Links to folders are not followed.
///
/// # Errors
/// [`ReadError::Unreadable`], [`ReadError::NoFiles`], or [`ReadError::TooLarge`] above
/// [`MAX_FILES`].
pub fn case_files(path: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let unreadable = |place: &Path, error: std::io::Error| ReadError::Unreadable {
        path: place.display().to_string(),
        problem: error.to_string(),
    };
    // Anything but a folder is opened by its reader, which reports a missing file.
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let (mut folders, mut files) = (vec![path.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
            let entry = entry.map_err(|error| unreadable(&folder, error))?;
            let kind = entry.file_type().map_err(|error| unreadable(&folder, error))?;
            let place = entry.path();
            if kind.is_dir() {
                folders.push(place);
            } else if place.extension().is_some_and(|ending| ending == "toml") {
                files.push(place);
            }
        }
        let remedy = "name a folder of case files alone";
        within("number of case files", Some(files.len() as u128), MAX_FILES, remedy)?;
    }
    files.sort();
    if files.is_empty() {
        return Err(ReadError::NoFiles { path: path.display().to_string() });
    }
    Ok(files)
}

/// Reads the cases of a text; `path` names it in errors.
///
/// # Errors
/// [`ReadError::Content`] with the line: invalid TOML, an unknown or missing key, a value that is
/// not an exact number or bounds in quotation marks, a value without the traffic or routing that it needs;
/// [`ReadError::TooLarge`] above [`MAX_BYTES`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::cases::read;
/// let error = read("a.toml", "[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\nratio = '2'\n");
/// assert!(error.unwrap_err().to_string().starts_with("a.toml, line 4: unknown field `ratio`"));
/// ```
pub fn read(path: &str, text: &str) -> Result<CaseFile, ReadError> {
    let what = format!("number of bytes of {path}");
    within(&what, Some(text.len() as u128), MAX_BYTES, "split the file")?;
    let reader = Reader { path, text };
    let raw: RawFile = toml::from_str(text).map_err(|error| {
        let place = error.span().unwrap_or_default();
        reader.fail(&place, error.message().lines().collect::<Vec<_>>().join("; "))
    })?;
    if raw.case.is_empty() {
        let problem =
            "there is no case: write `[[case]]`, a topology, a routing and what you expect";
        return Err(reader.fail(&(0..0), problem));
    }
    let cases = raw.case.iter().map(|case| reader.case(case)).collect::<Result<Vec<_>, _>>()?;
    Ok(CaseFile { path: path.to_string(), text: text.to_string(), cases })
}

struct Reader<'a> {
    path: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, place: &Range<usize>) -> usize {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        1 + before.bytes().filter(|byte| *byte == b'\n').count()
    }

    fn fail(&self, place: &Range<usize>, problem: impl Into<String>) -> ReadError {
        let (line, problem) = (self.line(place), problem.into());
        ReadError::Content { path: self.path.to_string(), line, problem }
    }

    fn case(&self, raw: &Spanned<RawCase>) -> Result<Case, ReadError> {
        let (place, raw) = (raw.span(), raw.get_ref());
        let given = raw.values().into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?)));
        let expected = given.map(|(key, text)| self.expected(raw, key, text));
        let case = Case {
            line: self.line(&place),
            topology: raw.topology.clone(),
            routing: raw.routing.clone(),
            traffic: raw.traffic.clone(),
            unit_capacity: raw.unit_capacity,
            expected: expected.collect::<Result<Vec<_>, _>>()?,
        };
        if case.routing.is_none() && case.traffic.is_none() {
            let problem = "the case has neither routing nor traffic: add one, or both";
            return Err(self.fail(&place, problem));
        }
        Ok(case)
    }

    fn expected(
        &self,
        raw: &RawCase,
        quantity: Quantity,
        text: &Spanned<String>,
    ) -> Result<ExpectedValue, ReadError> {
        let key = quantity.key();
        let missing = |what: &str| {
            let problem = format!("{key} is given, but no {what}: add `{what} = \"..\"`");
            self.fail(&text.span(), problem)
        };
        if quantity.needs_traffic() && raw.traffic.is_none() {
            return Err(missing("traffic"));
        }
        if quantity.needs_routing() && raw.routing.is_none() {
            return Err(missing("routing"));
        }
        let value = text.get_ref().parse().map_err(|error: RationalError| {
            let problem = format!(
                "{key}: {error}: write an exact value such as \"7\" or \"3/2\", or bounds such as \
                 \"<= 18\", \">= 2\" or \"2..18\""
            );
            self.fail(&text.span(), problem)
        })?;
        Ok(ExpectedValue { quantity, value, line: self.line(&text.span()) })
    }
}
