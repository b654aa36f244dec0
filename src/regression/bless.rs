//! Rewriting case files: the values found replace the values expected.

use toml_edit::{DocumentMut, Item, Table, Value};

use super::{CaseFile, Difference};

/// Why a file cannot be rewritten.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlessError {
    /// No longer TOML, or without `[[case]]` tables.
    #[error("{path}: cannot be rewritten: {problem}")]
    Structure {
        /// The file.
        path: String,
        /// What is in the way, and the remedy.
        problem: String,
    },
    /// A value that is only bounded or not proven.
    #[error("{path}, line {line}: {key} is {found}, which is not a proven exact value: {remedy}")]
    NotProven {
        /// The file.
        path: String,
        /// The line of the case or of its value, from 1.
        line: usize,
        /// Which value.
        key: &'static str,
        /// What was found.
        found: String,
        /// What to do.
        remedy: &'static str,
    },
}

/// The text of a file with the values of `differences` filled in; comments, order and everything
/// else stay as they are.
///
/// # Errors
/// [`BlessError`] when a value is not proven, or the cases are not `[[case]]` tables.
///
/// ```
/// use routebound::{progress::Progress, regression::{bless, read, run}};
/// let text = "[[case]] # small\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\noblivious_ratio = '3' # wrong\n";
/// let file = read("cases.toml", text)?;
/// let found = run(&file, &Progress::silent()).pop().ok_or("no case")?.map_err(|e| e.to_string())?;
/// let blessed = bless(&file, &found)?;
/// assert_eq!(blessed, text.replace("'3'", "\"2\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bless(file: &CaseFile, differences: &[Difference]) -> Result<String, BlessError> {
    let structure = |problem: String| BlessError::Structure { path: file.path.clone(), problem };
    let mut document: DocumentMut =
        file.text.parse().map_err(|error: toml_edit::TomlError| structure(error.to_string()))?;
    let cases = document.get_mut("case").and_then(Item::as_array_of_tables_mut);
    let cases = cases.ok_or_else(|| {
        structure("its cases are not separate tables: begin each with `[[case]]`".into())
    })?;
    for difference in differences {
        let table = cases.get_mut(difference.case);
        let table = table.ok_or_else(|| structure("a case is missing: reload the file".into()))?;
        set(table, file, difference)?;
    }
    Ok(document.to_string())
}

fn set(table: &mut Table, file: &CaseFile, difference: &Difference) -> Result<(), BlessError> {
    let key = difference.quantity.key();
    let Some(found) = difference.found.proven() else {
        // A case without an expected value gets whatever can be proven.
        let Some((_, line)) = difference.expected else { return Ok(()) };
        return Err(BlessError::NotProven {
            path: file.path.clone(),
            line,
            key,
            found: difference.found.to_string(),
            remedy: "leave this key out of the case",
        });
    };
    let mut value = Value::from(found.to_string());
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(item) => *item = Item::Value(value),
        None => {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(())
}
