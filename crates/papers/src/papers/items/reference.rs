//! References as registries write them, such as `[GL] 5, proof of Theorem 9`: the numbered items that they name.

use std::collections::BTreeSet;

/// How an item is called, its plural last; after a plural comes a list of numbers.
const CALLED: &[(&str, &[&str])] = &[
    ("Theorem", &["Theorem", "Theorems"]),
    ("Lemma", &["Lemma", "Lemmas"]),
    ("Corollary", &["Corollary", "Corollaries"]),
    ("Property", &["Property", "Properties"]),
    ("Definition", &["Definition", "Definitions"]),
    ("Table", &["Table", "Tables"]),
    ("Figure", &["Figure", "Fig", "Figures", "Figs"]),
    ("Equation", &["Equation", "equation", "equations"]),
];

/// Words after which an item says where something is printed, not what it is about.
const PLACES: &[&str] = &["above", "after", "before", "below"];

/// The numbered items that a reference names, as `OR Theorem 5`. Those that only say where something is printed, as in
/// `before Theorem 9`, are left out.
pub(super) fn numbered(reference: &str) -> BTreeSet<String> {
    let (mut found, mut paper, mut called) = (BTreeSet::new(), "", None);
    let (mut previous, mut last, mut is_place) = ("", "", false);
    for word in reference.split_whitespace() {
        let bare = word.trim_matches([',', ';', ':', '.']);
        if let Some(name) = bare.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            (paper, called) = (name, None);
        } else if let Some((kind, words)) = CALLED.iter().find(|(_, words)| words.contains(&bare)) {
            let is_list = words.iter().skip(words.len() / 2).any(|plural| *plural == bare);
            called = (!is_place).then_some((*kind, is_list));
        } else if let (Some((kind, is_list)), Some(number)) = (called, number(bare)) {
            let from = if previous == "to" { last } else { number };
            found.extend(between(from, number).iter().map(|n| format!("{paper} {kind} {n}")));
            called = called.filter(|_| is_list && !word.ends_with(';'));
            last = number;
        } else if !["and", "to"].contains(&bare) {
            called = None;
            is_place |= PLACES.contains(&bare);
        }
        is_place &= !word.ends_with([',', ';']);
        previous = bare;
    }
    found
}

/// The number of an item without its brackets: `5`, `3a`, `2(b)`, `II` or `(1)`.
fn number(word: &str) -> Option<&str> {
    let word = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')).unwrap_or(word);
    let is_roman = !word.is_empty() && word.chars().all(|letter| "IVX".contains(letter));
    (is_roman || word.starts_with(|first: char| first.is_ascii_digit())).then_some(word)
}

/// The numbers of `2 to 5`, or the last alone where one is not decimal.
fn between(from: &str, to: &str) -> Vec<String> {
    match (from.parse::<u32>(), to.parse::<u32>()) {
        (Ok(from), Ok(to)) => (from..=to).map(|number| number.to_string()).collect(),
        _ => vec![to.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_name_their_items() {
        let cases: &[(&str, &[&str])] = &[
            ("[OR] II.B, Property 1", &["OR Property 1"]),
            ("[OR] Lemmas 3, 3a", &["OR Lemma 3", "OR Lemma 3a"]),
            ("[OR] Table I and VI, carried over", &["OR Table I"]),
            ("[OR] VI, Figures 11 to 13", &["OR Figure 11", "OR Figure 12", "OR Figure 13"]),
            ("[RO] VII.A, Figs. 2(b), 3", &["RO Figure 2(b)", "RO Figure 3"]),
            ("[RO] II, equation (1)", &["RO Equation 1"]),
            ("this project; bound: [OR] Theorems 2 and 4", &["OR Theorem 2", "OR Theorem 4"]),
            ("[OR] Lemma 8; [NB] Lemma 2", &["NB Lemma 2", "OR Lemma 8"]),
            ("[GL] 2, before Lemma 1; 3, after Figure 4", &[]),
            ("[GL] 2, Lemma 2; 6, Theorem 10", &["GL Lemma 2", "GL Theorem 10"]),
            ("[GL] 5, after the proof of Theorem 9", &[]),
            ("[GL] 5, proof of Theorem 9", &["GL Theorem 9"]),
            (
                "[NB] IV.A, Theorems 1 and 2, with the exact value of Lemma 2",
                &["NB Lemma 2", "NB Theorem 1", "NB Theorem 2"],
            ),
        ];
        for (reference, named) in cases {
            assert_eq!(numbered(reference).iter().collect::<Vec<_>>(), *named, "{reference}");
        }
    }
}
