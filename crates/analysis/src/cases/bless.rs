//! Rewriting case files: the values found replace the values expected.

use toml_edit::{DocumentMut, Item, Table, Value};

use super::{Case, CaseFile, Difference};

/// Why a file cannot be rewritten.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BlessError {
    #[error("{path}: cannot be rewritten: {problem}")]
    Structure { path: String, problem: String },
    #[error("{path}, line {line}: {key} is {found}, which is not a proven exact value: {remedy}")]
    NotProven {
        path: String,
        /// The line of the case or of its value, from 1.
        line: usize,
        key: &'static str,
        found: String,
        remedy: &'static str,
    },
    #[error(
        "{path}, line {line}: none of the values of this case is proven, so it still states none: \
         take another network, or write a value by hand"
    )]
    NothingProven {
        path: String,
        /// The line of the case, from 1.
        line: usize,
    },
}

/// The text of a file with the values of `differences` filled in; comments, order and everything
/// else stay as they are.
///
/// # Errors
/// [`BlessError`] when an expected value is not proven, no value of a case without one is, or the
/// cases are not `[[case]]` tables.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, cases::{bless, read, run}};
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
    if let Some(case) = unproven(file, differences) {
        return Err(BlessError::NothingProven { path: file.path.clone(), line: case.line });
    }
    for difference in differences {
        let table = cases.get_mut(difference.case);
        let table = table.ok_or_else(|| structure("a case is missing: reload the file".into()))?;
        set(table, file, difference)?;
    }
    Ok(document.to_string())
}

/// The first case without an expected value of which nothing is proven.
fn unproven<'f>(file: &'f CaseFile, differences: &[Difference]) -> Option<&'f Case> {
    let found = |number| differences.iter().filter(move |difference| difference.case == number);
    let is_unproven = |(number, case): &(usize, &Case)| {
        case.expected.is_empty()
            && found(*number).next().is_some()
            && found(*number).all(|difference| difference.found.proven().is_none())
    };
    file.cases.iter().enumerate().find(is_unproven).map(|(_, case)| case)
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
    let written = match &difference.expected {
        Some((expected, _)) => expected.moved_to(found).to_string(),
        None => found.to_string(),
    };
    let mut value = Value::from(written);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Bounds, Evidence};
    use crate::cases::{Quantity, Value as Found, read};
    use crate::rational::Rational;

    const TEXT: &str = "# two\n[[case]]\ntopology = 'ft(4,2)'\nrouting = 'dmodk'\n\
                        [[case]]\ntopology = 'ft(4,2)'\nrouting = 'smodk'\n";

    fn difference(case: usize, quantity: Quantity, is_proven: bool) -> Difference {
        let evidence = if is_proven { Evidence::Proven } else { Evidence::Claimed("x".into()) };
        let (lower, upper) = (Rational::from(2), Rational::from(2));
        let found = Found::Bounded(Bounds { lower, upper, evidence });
        Difference { case, quantity, expected: None, found }
    }

    /// What is proven is written, and a case for which there is nothing to write is an error.
    #[test]
    fn a_case_without_values_gets_one() {
        let file = read("cases.toml", TEXT).unwrap();
        let (ratio, load) = (Quantity::ObliviousRatio, Quantity::WorstPermutationLoad);
        let first = [difference(0, ratio, true), difference(0, load, false)];
        let written = TEXT.replacen("'dmodk'\n", "'dmodk'\noblivious_ratio = \"2\"\n", 1);
        assert_eq!(bless(&file, &first).unwrap(), written);
        for second in [
            vec![difference(1, ratio, false)],
            vec![
                difference(1, ratio, false),
                Difference { found: Found::Absent, ..difference(1, load, false) },
            ],
        ] {
            let all: Vec<Difference> = first.iter().cloned().chain(second).collect();
            let error = bless(&file, &all).unwrap_err();
            assert!(matches!(error, BlessError::NothingProven { line: 5, .. }), "{error}");
        }
    }
}
