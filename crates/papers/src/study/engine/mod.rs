//! What all studies have in common: the loop over rows, seeds, tables, claims, pages and charts.
//!
//! An entry says what its rows are made for in each [`Tier`], how one row is found, what the cells of its tables
//! are and what its page says. Everything else is here: rows are found at the same time, one after the other or
//! in shards, kept in parts and found again after a kill, and written as CSV, Markdown and SVG.
//!
//! An entry is an `Entry`. The engine finds rows one after the other (`Job::in_turn`), all at a time where each takes
//! one thread (`Job::at_once`), or with the work of each divided among shards (`Job::divided`), and a merge examines
//! the evidence of rows that parts hold. No study has a loop, a table or a file of its own.

mod findings;
mod page;
mod rows;

pub(crate) use findings::{Cases, extremes, findings_list};
#[cfg(test)]
pub(crate) use page::text_of;
pub(crate) use page::{Page, Table, lines};
#[cfg(test)]
pub(crate) use rows::tests;
pub(crate) use rows::{Divided, Rows};

use super::{StudyError, StudyFile};
use crate::progress::Progress;
use crate::registry::Kind;
use crate::shards::Units;

/// The extent to which a study is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// All of it: what is committed below `results`.
    Full,
    /// Some rows of its tables, found within seconds, each as it is in the whole table; neither page nor chart.
    Small,
}

/// A request for a study.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The extent.
    pub tier: Tier,
    /// Where its units of work are done.
    pub units: &'a Units,
    /// Advances by one per row.
    pub progress: &'a Progress,
}

impl Job<'_> {
    /// All rows in order, found at the same time, each on one thread; `None` in the part of a shard.
    pub(crate) fn at_once<R: Rows>(&self, rows: &R) -> Result<Option<Vec<R::Row>>, StudyError> {
        rows::at_once(rows, self.units, self.progress)
    }

    /// All rows in order, found one after the other, each on all threads; `None` in the part of a shard.
    pub(crate) fn in_turn<R: Rows>(&self, rows: &R) -> Result<Option<Vec<R::Row>>, StudyError> {
        rows::in_turn(rows, self.units, self.progress)
    }

    /// All rows in order, where shards divide the work of each; `None` in the part of a shard.
    pub(crate) fn divided<R: Divided>(&self, rows: &R) -> Result<Option<Vec<R::Row>>, StudyError> {
        rows::divided(rows, self.units, self.progress)
    }

    /// Runs a job whose units have a name of their own.
    pub(crate) fn within<T>(&self, name: &str, run: impl FnOnce(&Job<'_>) -> T) -> T {
        run(&Job { units: &self.units.within(name), ..*self })
    }
}

/// A table or figure of a paper, or one of ours.
pub(crate) trait Entry: Sized {
    /// The result of a row, with all that tables, claims and charts are made from.
    type Row;

    /// The entry of a tier. The rows of the small tier are among those of the whole one.
    fn of(tier: Tier) -> Result<Self, StudyError>;

    /// The rows of the study and the loop that finds them.
    fn finder(&self) -> Finder<'_, Self::Row>;

    /// The tables that are kept, the first one called `table.csv`.
    fn tables(&self, found: &[Self::Row]) -> Result<Vec<Table>, StudyError>;

    /// Whether the page reads the tables alone, not the rows.
    const FROM_TABLES: bool = false;

    /// The study's README page, with its charts and certificates.
    fn page(&self, found: &[Self::Row], tables: &[Table]) -> Result<Page, StudyError>;
}

type Find<'e, T> = dyn Fn(&Job<'_>) -> Result<Option<Vec<T>>, StudyError> + 'e;

/// The rows of a study and the loop that finds them.
pub(crate) struct Finder<'e, T> {
    count: u64,
    find: Box<Find<'e, T>>,
}

impl<'e, T> Finder<'e, T> {
    /// `count` rows, all found by `find`, which finds none in the part of a shard.
    pub(crate) fn new(
        count: u64,
        find: impl Fn(&Job<'_>) -> Result<Option<Vec<T>>, StudyError> + 'e,
    ) -> Self {
        Self { count, find: Box::new(find) }
    }

    /// Rows that are found at the same time, each on one thread.
    pub(crate) fn at_once(rows: &'e impl Rows<Row = T>) -> Self {
        Self::new(rows.count(), move |job| job.at_once(rows))
    }

    /// Rows that are found one after the other, each on all threads.
    pub(crate) fn in_turn(rows: &'e impl Rows<Row = T>) -> Self {
        Self::new(rows.count(), move |job| job.in_turn(rows))
    }

    /// Rows the work of each of which shards divide.
    pub(crate) fn divided(rows: &'e impl Divided<Row = T>) -> Self {
        Self::new(rows.keys().len() as u64, move |job| job.divided(rows))
    }
}

/// A page and its charts, where tables have all that it shows.
type Pages = Result<Option<Vec<StudyFile>>, StudyError>;

/// A registered study.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    count: fn(Tier) -> Result<u64, StudyError>,
    make: fn(&Job<'_>) -> Result<Vec<StudyFile>, StudyError>,
    pages: fn(&[StudyFile]) -> Pages,
}

impl Study {
    /// The entry of a study in the registry; its name is the one example of it.
    pub(crate) const fn kind<E: Entry>(
        name: &'static [&'static str; 1],
        reference: &'static str,
        about: &'static str,
    ) -> Kind<Self> {
        let build = Self { count: count::<E>, make: make::<E>, pages: pages::<E> };
        let [only] = *name;
        Kind { name: only, usage: only, about, reference, examples: name, build }
    }

    /// Number of rows of a tier.
    ///
    /// # Errors
    /// When the networks of the study cannot be built.
    pub fn count(&self, tier: Tier) -> Result<u64, StudyError> {
        (self.count)(tier)
    }

    /// The files of the study: none come from the part of a shard, and only tables from the small tier.
    ///
    /// # Errors
    /// [`StudyError`]; no file is made where it was stopped.
    pub fn make(&self, job: &Job<'_>) -> Result<Vec<StudyFile>, StudyError> {
        (self.make)(job)
    }

    /// The page and its charts, from all of its tables; `None` where it shows more than they have.
    ///
    /// # Errors
    /// [`StudyError`] for other tables.
    pub fn pages(&self, tables: &[StudyFile]) -> Pages {
        (self.pages)(tables)
    }
}

fn count<E: Entry>(tier: Tier) -> Result<u64, StudyError> {
    Ok(E::of(tier)?.finder().count)
}

fn make<E: Entry>(job: &Job<'_>) -> Result<Vec<StudyFile>, StudyError> {
    job.progress.check()?;
    let entry = E::of(job.tier)?;
    let Some(found) = (entry.finder().find)(job)? else { return Ok(Vec::new()) };
    job.progress.check()?;
    let tables = entry.tables(&found)?;
    let files: Result<Vec<StudyFile>, StudyError> = tables.iter().map(Table::file).collect();
    let mut files = files?;
    if job.tier == Tier::Full {
        files.extend(entry.page(&found, &tables)?.files());
    }
    Ok(files)
}

fn pages<E: Entry>(tables: &[StudyFile]) -> Pages {
    if !E::FROM_TABLES {
        return Ok(None);
    }
    let tables = tables.iter().map(Table::read).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(E::of(Tier::Full)?.page(&[], &tables)?.files()))
}
