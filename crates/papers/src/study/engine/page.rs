//! Tables and pages of studies.

use serde::de::DeserializeOwned;

use super::findings::findings_list;
use crate::assessment::Assessment;
use crate::certificate;
use crate::report::table::{self, markdown};
use crate::study::{StudyError, StudyFile};
use crate::theorem::Finding;

/// A table: a CSV file, and part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    file: String,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table in a file of this name.
    pub(crate) fn new(
        file: &'static str,
        heads: &[impl ToString],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let heads = heads.iter().map(ToString::to_string).collect();
        Self { file: file.into(), heads, rows: rows.into_iter().collect() }
    }

    /// The table in a CSV file.
    pub(crate) fn read(file: &StudyFile) -> Result<Self, StudyError> {
        let mut reader = csv::Reader::from_reader(&file.bytes[..]);
        let rows = reader.deserialize().collect::<Result<_, _>>().map_err(std::io::Error::from)?;
        let heads = reader.headers().map_err(std::io::Error::from)?;
        let heads = heads.iter().map(String::from).collect();
        Ok(Self { file: file.path.clone(), heads, rows })
    }

    /// The cells of the table, row by row.
    pub(crate) fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The table as part of a page.
    pub(crate) fn markdown(&self) -> String {
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        markdown(&heads, self.rows.iter().cloned())
    }

    /// The table as a CSV file.
    pub(crate) fn file(&self) -> Result<StudyFile, StudyError> {
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        Ok(StudyFile {
            path: self.file.clone(),
            bytes: table::csv(&heads, self.rows.iter().cloned())?,
        })
    }
}

/// The lines of the first table.
pub(crate) fn lines<T: DeserializeOwned>(tables: &[Table]) -> Result<Vec<T>, StudyError> {
    let Some(table) = tables.first() else { return Ok(Vec::new()) };
    let file = table.file()?;
    let rows = csv::Reader::from_reader(&file.bytes[..]).into_deserialize();
    let lines: Result<Vec<T>, csv::Error> = rows.collect();
    Ok(lines.map_err(std::io::Error::from)?)
}

/// The text of a page.
#[cfg(test)]
pub(crate) fn text_of(page: Page) -> String {
    page.text
}

/// A page in Markdown, with the files that it shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    text: String,
    files: Vec<StudyFile>,
}

impl Page {
    /// A page that begins with this text.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), files: Vec::new() }
    }

    /// Continues with this text.
    #[must_use]
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// Continues with a table.
    #[must_use]
    pub(crate) fn table(self, table: &Table) -> Self {
        self.text(&table.markdown())
    }

    /// Continues with all tables, one below the other.
    #[must_use]
    pub(crate) fn tables(self, tables: &[Table]) -> Self {
        tables.iter().fold(self, Page::table)
    }

    /// Continues with findings and their verdicts.
    #[must_use]
    pub(crate) fn findings(self, findings: &[Finding]) -> Self {
        self.text(&findings_list(findings))
    }

    /// Has a file beside it, such as a chart that its text shows, or a certificate.
    #[must_use]
    pub(crate) fn beside(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push(StudyFile { path: path.into(), bytes: bytes.into() });
        self
    }

    /// Has more files beside it.
    #[cfg(feature = "sat")]
    #[must_use]
    pub(crate) fn with(mut self, files: impl IntoIterator<Item = StudyFile>) -> Self {
        self.files.extend(files);
        self
    }

    /// Has the certificate of an assessment beside it, if there is one.
    pub(crate) fn certificate(
        self,
        stem: &str,
        assessment: &Assessment,
    ) -> Result<Self, StudyError> {
        let Ok(certificate) = &assessment.certificate else { return Ok(self) };
        let mut bytes = Vec::new();
        certificate::write(certificate, &mut bytes)?;
        Ok(self.beside(&format!("certificates/{stem}.cert"), bytes))
    }

    /// The page and what is beside it.
    pub(crate) fn files(self) -> Vec<StudyFile> {
        let page = StudyFile { path: "README.md".into(), bytes: self.text.into_bytes() };
        std::iter::once(page).chain(self.files).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_files() {
        let cells = |cells: [&str; 2]| cells.map(String::from).to_vec();
        let table = Table::new("table.csv", &["a", "b"], [cells(["1", "2"])]);
        assert_eq!(table.file().unwrap().bytes, b"a,b\n1,2\n");
        let files = Page::new("# T\n\n").table(&table).text("end\n").beside("x.svg", "s").files();
        assert_eq!(files[0].bytes, b"# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\nend\n");
        assert_eq!((files[1].path.as_str(), files[1].bytes.as_slice()), ("x.svg", &b"s"[..]));
        let uneven = Table::new("table.csv", &["a"], [cells(["1", "2"])]);
        assert!(uneven.file().is_err());
    }
}
