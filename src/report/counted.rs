//! Numbers of things in words, and labelled lines.

/// `1 file`, `2 files`, `0 switches`: for nouns whose plural ends in s or, after s or ch, in es.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if noun.ends_with('s') || noun.ends_with("ch") { "es" } else { "s" };
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}{plural}") }
}

/// `1 holds`, `2 hold`, `0 hold`.
#[must_use]
pub fn doing(number: usize, verb: &str) -> String {
    if number == 1 { format!("1 {verb}s") } else { format!("{number} {verb}") }
}

/// A line for each value: the label, padded to `width`, and the value.
#[must_use]
pub fn labelled(label: &str, width: usize, values: &[String]) -> String {
    let lines = values.iter().map(|value| format!("{label:<width$}{value}\n"));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [0, 1, 2].map(|number| counted(number, "file")),
            ["0 files", "1 file", "2 files"]
        );
        assert_eq!(["class", "switch"].map(|noun| counted(2, noun)), ["2 classes", "2 switches"]);
        assert_eq!([0, 1, 2].map(|number| doing(number, "hold")), ["0 hold", "1 holds", "2 hold"]);
    }
}
