//! `verify`: the theorem battery.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use itertools::Itertools;
use serde_json::json;

use super::prelude::*;
use crate::cli::overwriting::MARK;
use crate::cli::{OutputFolder, output};
use crate::papers::items;
use crate::progress::Progress;
use crate::registry;
use crate::report::theorems::{PlantedReport, StatementReport, markdown};
use crate::report::{counted, doing};
use crate::theorem::{
    self, Attacks, Counterexample, KINDS, Scope, Statement, TheoremError, Verified, empirically,
    is_bound,
};

pub(super) const VERB: Verb = Verb {
    name: "verify",
    about: "Check what the papers state against every implemented routing",
    reference: "[OR], [GL], [GO], [NB], [RO]; see `routebound list theorems`",
    examples: &[
        "verify or --up-to 8",
        "verify or-theorem-3 --up-to 32 --cases",
        "verify or-theorem-7 --on ft(4,3) --adversaries",
        "verify or-lemma-5 --json",
        "verify or-property --up-to 8",
        "verify or-lemma-5 --planted",
        "verify --save-items items.md",
    ],
    ..Verb::of::<Verify>()
};

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "every flag of the command line is one")]
struct Verify {
    /// Statements to check, such as or-theorem-3, the beginning of their names, such as or, or a pattern, such as
    /// '*-theorem-*': see `routebound list theorems` [default: all]
    #[arg(value_name = "STATEMENT")]
    statements: Vec<String>,
    /// Maximum number of hosts of a network [default: 64, or 256 with --full]
    #[arg(long, value_name = "HOSTS", value_parser = clap::value_parser!(u32).range(2..=4096))]
    up_to: Option<u32>,
    /// Check on this network instead of the built-in ones (repeatable)
    #[arg(long, value_name = "TOPOLOGY", conflicts_with = "up_to")]
    on: Vec<String>,
    /// Run more trials and longer searches, for up to an hour
    #[arg(long)]
    full: bool,
    /// Also attack every bound on the ratio with all adversaries except `matching`, the exact analysis
    #[arg(long)]
    adversaries: bool,
    /// Print the claimed and the computed value of every case
    #[arg(long)]
    cases: bool,
    /// Test the checks instead: make one thing in each statement false, and require its check to notice
    #[arg(long, conflicts_with_all = ["save_markdown", "cases", "on", "full", "adversaries"])]
    planted: bool,
    /// Write a Markdown table of all verdicts to this file, unless stopped; `-` is stdout
    #[arg(long, alias = "markdown", value_name = "FILE")]
    save_markdown: Option<OutputPath>,
    /// Instead write a Markdown table of what the papers print, item by item, and what covers it, to this file; `-` is
    /// stdout
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["statements", "up_to", "on", "full", "adversaries", "cases", "planted", "save_markdown"]
    )]
    save_items: Option<OutputPath>,
    /// Write counterexamples into FOLDER
    #[arg(long, alias = "counterexamples", value_name = "FOLDER")]
    save_counterexamples: Option<OutputFolder>,
}

impl Run for Verify {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let table = self.save_markdown.as_ref().or(self.save_items.as_ref());
        let to_stdout = table.is_some_and(OutputPath::is_stdout);
        if context.json() && to_stdout {
            bail!("the table and `--json` cannot both go to stdout: name a file");
        }
        if let Some(path) = &self.save_items {
            return save_items(path, context);
        }
        let statements = self.chosen()?;
        if self.planted {
            return self.run_planted(&statements, context);
        }
        let found = self.verify(&statements, context)?;
        if let Some(path) = self.save_markdown.as_ref().filter(|_| !to_stdout && !found.complete) {
            context.remark(&format!("stopped: {} is not written", path.display()));
        } else if let Some(path) = &self.save_markdown {
            let page = markdown(&found.reports, found.attacks.as_ref(), &self.command());
            context.write_beside(path, |out| Ok(out.write_all(page.as_bytes())?));
        }
        if context.json() {
            context.print_json(&found.record())?;
        } else if !to_stdout {
            context.print(&self.text(&found, statements.len()))?;
        }
        Ok(found.outcome())
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        if self.planted || self.save_items.is_some() {
            return Ok(());
        }
        let Some(folder) = &self.save_counterexamples else { return Ok(()) };
        let names = self.chosen()?.into_iter().map(|statement| statement.name);
        let mut files = names.cartesian_product(["cert", "txt"]);
        files.try_for_each(|(name, ending)| allowed.file(&file_of(folder, name, ending)))?;
        output::try_folder(folder).context("counterexamples cannot be kept: name another folder")
    }
}

impl Verify {
    fn chosen(&self) -> Result<Vec<&'static Statement>> {
        if self.statements.is_empty() {
            return Ok(KINDS.iter().map(|entry| entry.build).collect());
        }
        let mut chosen: Vec<&'static Statement> = Vec::new();
        for name in &self.statements {
            let found = registry::select(KINDS, "statement", &name.to_lowercase())?;
            chosen.extend(found.iter().map(|entry| entry.build));
        }
        Ok(chosen.into_iter().unique_by(|statement| statement.name).collect())
    }

    /// The command line, for the page that it writes.
    fn command(&self) -> String {
        let mut words = vec!["routebound verify".to_string()];
        words.extend(self.statements.iter().cloned());
        words.extend(self.up_to.map(|hosts| format!("--up-to {hosts}")));
        words.extend(self.on.iter().map(|spec| format!("--on '{spec}'")));
        words.extend(self.full.then(|| "--full".to_string()));
        words.extend(self.adversaries.then(|| "--adversaries".to_string()));
        words.extend(
            self.save_markdown.iter().map(|path| format!("--save-markdown {}", path.display())),
        );
        words.join(" ")
    }

    /// What is examined.
    fn scope<'p>(&self, context: &Context, progress: &'p Progress) -> Scope<'p> {
        let default = if self.full { Scope::FULL_HOSTS } else { Scope::HOSTS };
        let scope = Scope::new(self.up_to.map_or(default, |hosts| hosts as usize), progress);
        let scope = if self.full { scope.full() } else { scope };
        let scope = scope.on(self.on.clone());
        match context.seed() {
            Some(seed) => scope.seeded(seed),
            None => scope,
        }
    }

    /// What was verified by the end or the stop.
    fn verify(&self, statements: &[&'static Statement], context: &Context) -> Result<Found> {
        let progress = context.progress(0, "cases checked");
        let scope = self.scope(context, &progress);
        let mut found = Found::default();
        for statement in statements {
            let (begun, before) = (Instant::now(), progress.done());
            match theorem::verify(statement, &scope) {
                Ok(verified) => found.reports.push(self.report(&verified, context)),
                Err(TheoremError::Stopped(_)) => {
                    let verified = theorem::stopped(statement, &scope, begun);
                    let file = self.counterexample(&verified, context);
                    let units = progress.done() - before;
                    found.reports.push(StatementReport::stopped(&verified, file, units));
                    return Ok(found);
                }
                Err(error) => {
                    return Err(error).with_context(|| format!("statement {}", statement.name));
                }
            }
            self.keep(&found, statements.len(), context);
        }
        if self.adversaries && statements.iter().any(|statement| is_bound(statement.name)) {
            let names: Vec<&str> = statements.iter().map(|statement| statement.name).collect();
            let attacks = empirically(&scope, &names).context("adversaries against the bounds")?;
            found.add(attacks);
        } else {
            found.complete = true;
        }
        Ok(found)
    }

    /// Which planted falsehoods the checks notice.
    fn run_planted(&self, statements: &[&'static Statement], context: &Context) -> Result<Outcome> {
        let progress = context.progress(statements.len() as u64, "statements");
        let scope = Scope::new(self.up_to.map_or(Scope::HOSTS, |hosts| hosts as usize), &progress);
        let mut records = Vec::new();
        for statement in statements {
            match theorem::planted::notice(statement, &scope) {
                Ok(noticed) => records.push(PlantedReport::new(statement, noticed.as_ref())),
                Err(TheoremError::Stopped(_)) => break,
                Err(error) => {
                    return Err(error).with_context(|| format!("statement {}", statement.name));
                }
            }
            progress.inc(1);
        }
        let missed = records.iter().filter(|record| !record.noticed).count();
        if context.json() {
            let complete = records.len() == statements.len();
            context.print_json(&json!({
                "planted": records, "missed": missed, "complete": complete,
            }))?;
        } else {
            let lines: String = records.iter().map(PlantedReport::text).collect();
            let (done, of) = (records.len(), counted(statements.len(), "falsehood"));
            context.print(&format!("{lines}\n{done} of {of}: {missed} missed\n"))?;
        }
        Ok(match (missed, records.len() == statements.len()) {
            (1.., _) => Outcome::CheckFailed,
            (0, true) => Outcome::Done,
            (0, false) => Outcome::Partial,
        })
    }

    /// Keeps the verdicts so far, unless stdout gets the table.
    fn keep(&self, found: &Found, wanted: usize, context: &Context) {
        if self.save_markdown.as_deref() != Some("-".as_ref()) {
            context.keep(&found.record(), || self.text(found, wanted));
        }
    }

    fn report(&self, verified: &Verified, context: &Context) -> StatementReport {
        StatementReport::new(verified, self.counterexample(verified, context))
    }

    /// Writes the counterexample, if there is one and a folder for it, and returns its file.
    fn counterexample(&self, verified: &Verified, context: &Context) -> Option<String> {
        let ((_, example), folder) =
            verified.counterexample().zip(self.save_counterexamples.as_ref())?;
        let path = file_of(folder, verified.statement.name, example.extension());
        let written = context.write_into_folder(&path, |out| {
            if matches!(example, Counterexample::Text(_)) {
                writeln!(out, "# {MARK}\n# counterexample to {}", verified.statement.name)?;
            }
            Ok(example.write(out)?)
        });
        written.then(|| path.display().to_string())
    }

    fn text(&self, found: &Found, wanted: usize) -> String {
        let reports = &found.reports;
        let mut text: String = reports.iter().map(|report| report.text(self.cases)).collect();
        let count = |verdict: &str| reports.iter().filter(|r| r.verdict == verdict).count();
        // A String takes every write.
        let _ = write!(
            text,
            "\n{} of {}: {}, {} loose, {}, {} open, {} argued, {} not applicable; {} not as expected\n",
            reports.len(),
            counted(wanted, "statement"),
            doing(count("holds"), "hold"),
            count("loose"),
            doing(count("fails"), "fail"),
            count("open"),
            count("argued"),
            count("not applicable"),
            found.differences()
        );
        if let Some(attacks) = &found.attacks {
            let _ = writeln!(text, "{}", attacks.text());
        }
        text
    }
}

/// The file of a counterexample to a statement.
fn file_of(folder: &Path, statement: &str, ending: &str) -> PathBuf {
    folder.join(format!("{statement}.{ending}"))
}

/// Writes what covers the items of the papers.
fn save_items(path: &OutputPath, context: &Context) -> Result<Outcome> {
    let page = items::page(&format!("routebound verify --save-items {}", path.display()));
    context.write_beside(path, |out| Ok(out.write_all(page.as_bytes())?));
    if context.json() {
        let counts: BTreeMap<_, _> = items::counts(&items::ITEMS).into();
        context.print_json(&json!({ "items": counts, "complete": true }))?;
    } else if !path.is_stdout() {
        context.print(&format!(
            "{} items: {}\n",
            items::ITEMS.len(),
            items::summary(&items::ITEMS)
        ))?;
    }
    Ok(Outcome::Done)
}

/// What was verified, and what the adversaries did.
#[derive(Default)]
struct Found {
    reports: Vec<StatementReport>,
    attacks: Option<Attacks>,
    /// Whether all work was finished.
    complete: bool,
}

impl Found {
    fn add(&mut self, attacks: Attacks) {
        self.complete = !attacks.stopped;
        for report in &mut self.reports {
            report.add_empirical(attacks.statements.get(report.name).cloned());
        }
        self.attacks = Some(attacks);
    }

    fn differences(&self) -> usize {
        self.reports.iter().filter(|report| !report.differences.is_empty()).count()
    }

    fn outcome(&self) -> Outcome {
        match (self.complete, self.differences()) {
            (false, _) => Outcome::Partial,
            (true, 0) => Outcome::Done,
            (true, _) => Outcome::CheckFailed,
        }
    }

    fn record(&self) -> serde_json::Value {
        let mut record = json!({
            "statements": self.reports,
            "differences": self.differences(),
            "complete": self.complete,
        });
        if let (Some(attacks), Some(record)) = (&self.attacks, record.as_object_mut()) {
            record.insert("attacks".to_string(), json!(attacks));
        }
        record
    }
}
