//! Names as a Slurm hostlist: `dgx-[01-16,20],login1`.

use std::fmt::Write as _;

/// Maximum number of digits of a number of a hostlist.
pub const MAX_DIGITS: usize = 18;

/// Names as a hostlist, in their order, in the compact form of `scontrol show hostlist`: neighbours
/// that differ in the number at their end share brackets. What would read as something else is in
/// quotes, so that `Hostlist::parse` of `jobs` gives the same names. O(length of the names).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::export::compact;
/// assert_eq!(compact(["dgx-08", "dgx-09", "dgx-10", "dgx-12", "login1"]), "dgx-[08-10,12],login1");
/// assert_eq!(compact(["n9", "n10", "n010", "a b", "17"]), "n[9-10,010],\"a b\",\"17\"");
/// ```
#[must_use]
pub fn compact<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut groups: Vec<Group> = Vec::new();
    for name in names {
        let Some((prefix, digits, number)) = numbered(name) else {
            groups.push(Group { prefix: name, runs: Vec::new() });
            continue;
        };
        match groups.last_mut() {
            Some(group) if group.prefix == prefix && !group.runs.is_empty() => {
                group.add(digits, number);
            }
            _ => groups.push(Group { prefix, runs: vec![Run::of(digits, number)] }),
        }
    }
    let texts: Vec<String> = groups.iter().map(Group::text).collect();
    texts.join(",")
}

/// Neighbours with a common prefix.
struct Group<'n> {
    prefix: &'n str,
    runs: Vec<Run<'n>>,
}

/// Successive numbers.
struct Run<'n> {
    /// The digits of the first.
    digits: &'n str,
    first: u64,
    last: u64,
}

impl<'n> Run<'n> {
    fn of(digits: &'n str, number: u64) -> Self {
        Self { digits, first: number, last: number }
    }
}

impl<'n> Group<'n> {
    fn add(&mut self, digits: &'n str, number: u64) {
        if let Some(Run { digits: first, last, .. }) = self.runs.last_mut() {
            let width = first.len();
            if *last + 1 == number && format!("{number:0width$}") == digits {
                *last = number;
                return;
            }
        }
        self.runs.push(Run::of(digits, number));
    }

    fn text(&self) -> String {
        match self.runs[..] {
            [] if is_plain(self.prefix) => self.prefix.to_string(),
            [] => format!("\"{}\"", self.prefix.replace('"', "\"\"")),
            [Run { digits, first, last }] if first == last => format!("{}{digits}", self.prefix),
            _ => {
                let mut text = format!("{}[", self.prefix);
                for (at, Run { digits, first, last }) in self.runs.iter().enumerate() {
                    text.push_str(if at > 0 { "," } else { "" });
                    text.push_str(digits);
                    if last > first {
                        let width = digits.len();
                        // A String takes every write.
                        let _ = write!(text, "-{last:0width$}");
                    }
                }
                text + "]"
            }
        }
    }
}

/// A plain name that ends in a number: what precedes that, its digits and its value.
fn numbered(name: &str) -> Option<(&str, &str, u64)> {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[prefix.len()..];
    let fits = is_plain(name) && (1..=MAX_DIGITS).contains(&digits.len());
    Some((prefix, digits, digits.parse().ok().filter(|_| fits)?))
}

/// Whether a name reads as itself without quotes, also in a file.
fn is_plain(name: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || ",[]\"*?#:=".contains(c);
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && !name.contains(odd) && name != "-"
}
