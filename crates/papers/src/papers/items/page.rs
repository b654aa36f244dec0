//! The page of the items.

use std::fmt::Write as _;

use super::{Coverage, ITEMS, Item, LISTS, REGISTRIES, summary};
use crate::report::table;
use crate::study::folder;

/// The page in Markdown, whose links lead from `results/`; `command` makes it.
#[must_use]
pub fn page(command: &str) -> String {
    let mut text = format!(
        "# Items of the five papers\n\n\
         Every table, figure, theorem, lemma, definition, algorithm, routing, traffic pattern and workload of the five \
         papers: what it states, what covers it here, and how far. Made by `{command}` from the references of the \
         registries that `routebound list` shows and from `crates/papers/src/PAPER/items.txt`.\n\n\
         *Faithful*: as printed. *Beyond*: as printed, and further. *Differs*: otherwise than printed. *Partial*: some \
         of it. *Missing*: no statement, study or other entry has it. Whether a statement of a paper holds is in \
         [theorems.md](theorems.md), whether what it says of a simulation is found again on the page of the study. \
         Names without a word before them are statements (`routebound verify NAME`); other sections of `routebound \
         list` are named.\n\n{} items: {}.\n",
        ITEMS.len(),
        summary(&ITEMS),
    );
    for (paper, _) in LISTS {
        let of = format!("[{paper}]");
        let items: Vec<Item> =
            ITEMS.iter().filter(|item| item.name.starts_with(&of)).cloned().collect();
        // A String takes every write.
        let _ = write!(text, "\n## {of}\n\n{} items: {}.\n\n", items.len(), summary(&items));
        let rows = items.iter().map(|item| row(item, &of));
        text += &table::markdown_of_text(&["section", "item", "states", "covered by", "how"], rows);
    }
    text
}

fn row(item: &Item, paper: &str) -> Vec<String> {
    let label = item.name.strip_prefix(paper).unwrap_or(&item.name).trim();
    let coverage = match item.coverage {
        Coverage::Missing => item.standing().replacen("missing", "**missing**", 1),
        _ => item.standing(),
    };
    let names = REGISTRIES.iter().enumerate().filter_map(|(at, registry)| {
        let names = item.covered_by.iter().filter(|(in_registry, _)| *in_registry == at);
        let names: Vec<String> = names.map(|(_, name)| shown(registry, name)).collect();
        let section = if at == 0 { String::new() } else { format!("{registry} ") };
        (!names.is_empty()).then(|| section + &names.join(", "))
    });
    let names = names.collect::<Vec<_>>().join("; ");
    vec![item.section.to_string(), label.to_string(), item.states.to_string(), names, coverage]
}

/// The name of an entry, for a study with the link to its page.
fn shown(registry: &str, name: &str) -> String {
    match registry {
        "studies" => format!("[{name}]({}/README.md)", folder(name).display()),
        _ => format!("`{name}`"),
    }
}
