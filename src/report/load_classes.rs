//! The histogram of loads in a text: classes of similar loads where there are many.

use super::numbers::column;
use super::table::table;
use crate::load::LoadCount;
use crate::rational::Rational;
use crate::topology::Direction;

/// Maximum number of rows for a level and direction.
const SHOWN_CLASSES: u64 = 10;

/// The table of links by load.
pub(super) fn classes_table(histogram: &[LoadCount]) -> String {
    let of_level = histogram.chunk_by(|a, b| (a.level, a.direction) == (b.level, b.direction));
    let classes: Vec<LoadClass<'_>> = of_level.flat_map(LoadClass::all).collect();
    let ends = classes.iter().flat_map(|class| [class.low, class.high].map(Some));
    let ends = column(ends);
    let rows = classes.iter().zip(ends.chunks(2)).map(|(class, ends)| {
        let LoadCount { level, direction, .. } = *class.first;
        let mut row = place(level, direction);
        let one = class.low == class.high;
        row.push(if one { ends[0].clone() } else { format!("{} to {}", ends[0], ends[1]) });
        row.push(class.links.to_string());
        row
    });
    table(&["level", "direction", "load", "links"], rows)
}

/// The cells of a level and direction.
pub(super) fn place(level: u8, direction: Direction) -> Vec<String> {
    vec![level.to_string(), direction.to_string()]
}

/// Links of a level and direction with similar loads.
struct LoadClass<'r> {
    first: &'r LoadCount,
    low: &'r Rational,
    high: &'r Rational,
    links: usize,
}

impl<'r> LoadClass<'r> {
    /// The classes of a level and direction, the highest loads first: a class for every load if they are few, otherwise
    /// ten of equal width, of which empty ones are left out.
    fn all(counts: &'r [LoadCount]) -> Vec<Self> {
        let (Some(first), Some(last)) = (counts.first(), counts.last()) else { return Vec::new() };
        let range = [&first.load, &last.load];
        let (low, high) = (range.into_iter().min(), range.into_iter().max());
        let width = high.zip(low).and_then(|(high, low)| high.checked_sub(low));
        let are_few = counts.len() as u64 <= SHOWN_CLASSES;
        let class = |count: &LoadCount| {
            let above = count.load.checked_sub(low?)?.checked_div(width.as_ref()?)?;
            let at = (&above * &Rational::from(SHOWN_CLASSES)).floor();
            Some(at.min((SHOWN_CLASSES - 1).into()))
        };
        let is_same = |a: &LoadCount, b: &LoadCount| !are_few && class(a) == class(b);
        let of_class = |counts: &'r [LoadCount]| {
            let loads = || counts.iter().map(|count| &count.load);
            Some(Self {
                first: counts.first()?,
                low: loads().min()?,
                high: loads().max()?,
                links: counts.iter().map(|count| count.links).sum(),
            })
        };
        counts.chunk_by(is_same).filter_map(of_class).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_loads_are_ten_classes() {
        let count = |load: u64| LoadCount {
            level: 2,
            direction: Direction::Up,
            load: load.into(),
            links: 1,
        };
        let few: Vec<LoadCount> = (1..=10).rev().map(count).collect();
        assert_eq!(classes_table(&few).lines().count(), 11);
        let many: Vec<LoadCount> = (0..=100).rev().map(count).collect();
        let text = classes_table(&many);
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows.len(), 10, "{text}");
        assert!(rows[0].contains("90 to 100") && rows[0].ends_with("11"), "{text}");
        assert!(rows[9].contains("0 to 9") && rows[9].ends_with("10"), "{text}");
    }
}
