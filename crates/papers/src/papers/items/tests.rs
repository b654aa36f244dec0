//! The list of items and the registries agree, both ways.

use std::fs;
use std::path::Path;

use super::*;

/// Studies and an adversary that need a solver.
const WITH_SOLVERS: [&str; 7] = [
    "ilp",
    "local-adaptive",
    "nb-table-1",
    "nonblocking-switches",
    "optimal-single-path",
    "ro-relabelling",
    "root-pairs",
];

#[test]
fn every_line_is_an_item_of_its_own() {
    let lines: usize = LISTS.iter().map(|(_, list)| rows(list).count()).sum();
    assert_eq!(lines, ITEMS.len(), "a line without five parts, or with another word for coverage");
    let names: BTreeSet<&str> = ITEMS.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names.len(), ITEMS.len());
    for item in &*ITEMS {
        let needs_words = !matches!(item.coverage, Coverage::Faithful | Coverage::Missing);
        assert!(!needs_words || !item.how.is_empty(), "{}", item.name);
    }
}

#[test]
fn items_name_entries_that_exist() {
    let (entries, has_solvers) = (entries(), cfg!(all(feature = "highs", feature = "sat")));
    for item in &*ITEMS {
        for (registry, name) in &item.covered_by {
            let exists = entries.iter().any(|e| e.registry == *registry && e.name == *name);
            let may_lack = !has_solvers && WITH_SOLVERS.contains(name);
            assert!(exists || may_lack, "{}: {} {name}", item.name, REGISTRIES[*registry]);
        }
    }
}

/// An entry that refers to a paper covers an item, and the list has every number that it refers to.
#[test]
fn entries_refer_to_items() {
    let papers = LISTS.iter().map(|(paper, _)| format!("[{paper}]")).collect::<Vec<_>>();
    let own: BTreeSet<String> =
        ITEMS.iter().flat_map(|item| reference::numbered(&item.name)).collect();
    for Entry { registry, name, reference } in entries() {
        let refers = papers.iter().any(|paper| reference.contains(paper));
        let covers = ITEMS.iter().any(|item| item.covered_by.contains(&(registry, name)));
        assert!(covers || !refers, "{} {name}: {reference}", REGISTRIES[registry]);
        for named in reference::numbered(reference) {
            assert!(own.iter().any(|own| is_part(own, &named)), "{name}: {named}");
        }
    }
}

/// Every item has a statement, a study or another entry, and none is covered in part.
#[test]
fn nothing_is_missing() {
    let missing = ITEMS.iter().filter(|item| item.coverage == Coverage::Missing);
    let missing: Vec<&str> = missing.map(|item| item.name.as_str()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let said = LISTS.iter().flat_map(|(_, list)| rows(list));
    assert_eq!(said.filter(|row| row.contains("| missing")).count(), 0);
    let page = page("");
    assert!(!page.contains("**missing**"));
    assert!(page.contains(", 0 partial, 0 missing.\n\n## [OR]"), "{}", summary(&ITEMS));
}

#[test]
fn the_committed_page_is_what_the_command_makes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/completeness.md");
    let command = "routebound verify --save-items results/completeness.md";
    assert!(fs::read_to_string(path).unwrap() == page(command), "run `{command}`");
}
