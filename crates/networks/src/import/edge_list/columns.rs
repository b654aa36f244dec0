//! The lines and columns of an edge list.

use super::Fields;

/// What separates the columns of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Char(char),
    Blanks,
}

impl Mark {
    /// The mark of a list: that of its first line which is neither blank nor a comment.
    pub(super) fn of(text: &str) -> Self {
        let first = text.lines().map(plain).find(|line| !line.is_empty()).unwrap_or("");
        let marks = [',', ';'].into_iter().find(|mark| first.contains(*mark));
        marks.map_or(Self::Blanks, Self::Char)
    }

    fn separates(self, c: char) -> bool {
        match self {
            Self::Char(mark) => c == mark,
            Self::Blanks => c.is_whitespace(),
        }
    }

    /// The columns of a line, without the quotation marks around them; none in a line that is blank or a
    /// comment.
    pub(super) fn columns(self, line: &str) -> Vec<&str> {
        let line = plain(line);
        if line.is_empty() {
            return Vec::new();
        }
        let mut quoted = false;
        let columns = line.split(|c: char| {
            quoted ^= c == '"';
            !quoted && self.separates(c)
        });
        let columns =
            columns.map(str::trim).filter(|column| self != Self::Blanks || !column.is_empty());
        columns.map(unquoted).collect()
    }
}

/// A name without the quotation marks around it.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| !inner.is_empty() && !inner.contains('"')).unwrap_or(text)
}

/// A line without its comment; in quotation marks `#` is part of a name.
fn plain(line: &str) -> &str {
    let line = line.trim();
    match line.split_once('#') {
        Some((before, _)) if before.is_empty() || !line.contains('"') => before.trim_end(),
        _ => line,
    }
}

/// Names of the columns of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub from: usize,
    pub to: usize,
    names: Vec<String>,
}

impl Header {
    /// The header of a list, if its first line is one.
    pub(super) fn of(columns: &[&str]) -> Option<Self> {
        let names: Vec<String> = columns.iter().map(|name| name.to_ascii_lowercase()).collect();
        let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let from = place(&["from", "source", "src"])?;
        let to = place(&["to", "target", "dest", "dst", "destination"])?;
        Some(Self { from, to, names })
    }

    /// Whether it is the header of a list of demands.
    pub(super) fn is_of_traffic(&self) -> bool {
        let traffic = ["demand", "amount", "traffic", "volume", "bytes", "size"];
        self.names.iter().any(|name| traffic.contains(&name.as_str()))
    }

    pub(super) fn width(&self) -> usize {
        self.names.len()
    }

    /// The columns that describe a link, with their places.
    pub(super) fn of_links(&self) -> impl Iterator<Item = (usize, &str)> {
        let names = self.names.iter().map(String::as_str).enumerate();
        names.filter(|(_, name)| Fields::are_of_links(name))
    }

    /// The names of the columns that mean nothing for a link.
    pub(super) fn unread(&self) -> Vec<&str> {
        let is_read = |(at, name): &(usize, &String)| {
            [self.from, self.to].contains(at) || Fields::are_of_links(name)
        };
        let unread = self.names.iter().enumerate().filter(|column| !is_read(column));
        unread.map(|(_, name)| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_be_quoted() {
        let columns = |line: &'static str| Mark::of(line).columns(line);
        assert_eq!(columns("a , b,10 # fast"), ["a", "b", "10"]);
        assert_eq!(columns("\"Ulm, Mitte\",Bonn,10"), ["Ulm, Mitte", "Bonn", "10"]);
        assert_eq!(columns("\"port #1\" \"New York\"\t7"), ["port #1", "New York", "7"]);
        assert_eq!(columns("a;b,c;1.5"), ["a;b", "c;1.5"]);
        assert_eq!(columns("a;b;1.5"), ["a", "b", "1.5"]);
        assert_eq!(columns("\"a\"b\",c"), ["\"a\"b\",c"]);
        assert_eq!(columns("  # nothing"), [""; 0]);
    }

    #[test]
    fn a_header_names_its_columns() {
        let header = Header::of(&["id", "Source", "dst", "speed", "delay", "weight"]).unwrap();
        assert_eq!((header.from, header.to, header.width()), (1, 2, 6));
        assert!(header.of_links().eq([(3, "speed"), (5, "weight")]));
        assert_eq!(header.unread(), ["id", "delay"]);
        assert_eq!(Header::of(&["from", "b"]), None);
    }
}
