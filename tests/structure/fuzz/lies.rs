//! Changes of a certificate that leave its form alone: other numbers in claims and evidence, and
//! both changed together, as somebody would who wants a false claim to pass.

use proptest::prelude::*;
use proptest::sample::Index;
use routebound::rational::Rational;

/// A change; every line stays a record of its kind.
#[derive(Clone, Debug)]
pub enum Lie {
    /// Another number somewhere in the claims or the evidence.
    Number(Index, Index, New),
    /// Every cover and every list of links is short of one entry.
    Thinner(Index),
    /// All claims are multiplied, and what they rest on with them.
    Boast(Rational, With),
}

#[derive(Clone, Copy, Debug)]
pub enum New {
    To(u64),
    More(u64),
    Less(u64),
}

/// A quantity that is multiplied with the claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum With {
    Nothing,
    Demands,
    Weights,
    /// Divided instead.
    Optu,
}

pub fn any_lies() -> impl Strategy<Value = Vec<Lie>> {
    let new = prop_oneof![
        (0..10_u64).prop_map(New::To),
        (1..3_u64).prop_map(New::More),
        (1..3_u64).prop_map(New::Less),
    ];
    let number = (any::<Index>(), any::<Index>(), new);
    let with = prop::sample::select(vec![With::Nothing, With::Demands, With::Weights, With::Optu]);
    let by = (1..5_u64, 1..4_u64).prop_map(|(a, b)| Rational::new(a, b).unwrap());
    let lie = prop_oneof![
        3 => number.prop_map(|(line, word, new)| Lie::Number(line, word, new)),
        1 => any::<Index>().prop_map(Lie::Thinner),
        3 => (by, with).prop_map(|(by, with)| Lie::Boast(by, with)),
    ];
    prop::collection::vec(lie, 1..4)
}

/// The certificate after these changes.
pub fn told(text: &str, changes: &[Lie]) -> String {
    let mut lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split(' ').map(str::to_string).collect()).collect();
    for lie in changes {
        match lie {
            Lie::Number(line, word, new) => number(&mut lines, *line, *word, *new),
            Lie::Thinner(at) => lines.iter_mut().for_each(|words| thinner(words, *at)),
            Lie::Boast(by, with) => lines.iter_mut().for_each(|words| boast(words, by, *with)),
        }
    }
    lines.into_iter().map(|words| words.join(" ") + "\n").collect()
}

/// Lines of claims and evidence. The instance stays as it is, and so does the traffic that a claim
/// about traffic is about.
fn number(lines: &mut [Vec<String>], line: Index, word: Index, new: New) {
    let flow = lines.iter().position(|words| words[0] == "route").unwrap_or(lines.len());
    let of_traffic = lines.iter().any(|words| words[0] == "claim" && words[1] == "optu");
    let changes = |(at, words): &(usize, &Vec<String>)| match words[0].as_str() {
        "claim" | "witness" | "class" | "cover" | "length" | "least" | "against" | "cut"
        | "busiest" | "sent" | "loaded" | "send" | "adaptive-rates" => true,
        "demand" => !of_traffic,
        "path" => *at > flow,
        _ => false,
    };
    let all: Vec<usize> = lines.iter().enumerate().filter(changes).map(|(at, _)| at).collect();
    let words = &mut lines[all[line.index(all.len())]];
    let mut places = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let starts = |at: &usize| {
            let digit = |at: usize| word.as_bytes()[at].is_ascii_digit();
            digit(*at) && (*at == 0 || !digit(*at - 1))
        };
        places.extend((0..word.len()).filter(starts).map(|start| (at, start)));
    }
    if places.is_empty() {
        return;
    }
    let (at, start) = places[word.index(places.len())];
    let rest = &words[at][start..];
    let end = start + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let old: u64 = words[at][start..end].parse().unwrap();
    let value = match new {
        New::To(value) => value,
        New::More(more) => old.saturating_add(more),
        New::Less(less) => old.saturating_sub(less),
    };
    words[at].replace_range(start..end, &value.to_string());
}

fn is_entry(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn thinner(words: &mut Vec<String>, at: Index) {
    if words[0] == "length" {
        words[2] = "0".into();
    }
    if words[0] == "cover" && words.len() > 2 {
        let entries: Vec<usize> = (2..words.len()).filter(|at| is_entry(&words[*at])).collect();
        let gone = entries[at.index(entries.len())];
        words.remove(gone);
        // A side has entries, or is not there.
        if !is_entry(&words[gone - 1]) && words.get(gone).is_none_or(|next| !is_entry(next)) {
            words.remove(gone - 1);
        }
    }
}

fn boast(words: &mut [String], by: &Rational, with: With) {
    let times = |word: &mut String| {
        if let Ok(value) = word.parse::<Rational>() {
            *word = (&value * by).to_string();
        }
    };
    match (words[0].as_str(), with) {
        ("claim" | "adaptive-rates", _) => words[2..].iter_mut().for_each(times),
        ("demand", With::Demands) => times(&mut words[3]),
        ("sent", With::Demands) => times(&mut words[2]),
        ("witness", With::Optu) => {
            if let Ok(value) = words[2].parse::<Rational>() {
                words[2] = value.checked_div(by).unwrap().to_string();
            }
        }
        ("cover", With::Weights) => {
            for word in words[2..].iter_mut().filter(|word| is_entry(word)) {
                let (id, weight) = word.split_once(':').unwrap_or((word.as_str(), "1"));
                let mut weight = weight.to_string();
                times(&mut weight);
                *word = format!("{id}:{weight}");
            }
        }
        _ => {}
    }
}
