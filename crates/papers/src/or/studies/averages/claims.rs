//! What \[OR\] VI says of OSRM2 and OSRM3 against MLID and WSR under regular patterns, beside what was measured.

use super::{Line, SQUARE};
use crate::study::prelude::*;

const WIDE: &[&str] = &["ft(32,2)"];
const TALL: &[&str] = &["ft(8,3)", "ft(16,3)"];

const LARGE: &str = "OSRM2 offers a fairly large performance improvement over MLID/WSR for the regular traffics on \
                     FT(32, 2)";
const RANGE: &str = "ranging from 6.8% for the hypercube pattern to 16.8% for the ring pattern";
const INSIGNIFICANT: &str = "but the difference is statistically insignificant";

const COMPARABLE: &str = "our optimal oblivious routing algorithms are either comparable to or better than MLID and \
                          WSR on average";
const MOST_CASES: &str = "the improvement on FT(m, 2) is quite noticeable in most cases";

/// Other FT(m,2) where m/2 is a square.
const SQUARES: &[&str] = &["ft(8,2)", "ft(18,2)", "ft(50,2)"];

/// What is worse by 3 % the paper calls slightly worse, and does not count as comparable.
const COMPARABLE_FROM: f64 = 0.97;

/// The most that is called small or slight, the least that is called noticeable or fairly large.
const NOTICEABLE: f64 = 1.05;

/// All claims.
pub(super) fn all(lines: &[Line]) -> Vec<Finding> {
    [large(lines), range(lines), slight(lines), others(lines)].concat()
}

impl Line {
    /// The mean of MLID as a multiple of the other.
    fn factor(&self) -> f64 {
        1.0 + self.gain / 100.0
    }

    fn is_of(&self, trees: &[&str]) -> bool {
        trees.contains(&self.tree.as_str())
    }

    fn is_other(&self) -> bool {
        !self.is_of(WIDE) && !self.is_of(TALL)
    }
}

/// OSRM2 on FT(32,2).
fn large(lines: &[Line]) -> Vec<Finding> {
    let factors = |is_square: bool| {
        let of_tree = lines.iter().filter(|line| line.is_of(WIDE));
        of_tree.filter(move |line| (line.pattern == SQUARE) == is_square).map(Line::factor)
    };
    let finding = |what, is_square| {
        Finding::within(
            Case::quote("VI", LARGE),
            what,
            factors(is_square),
            NOTICEABLE..=f64::INFINITY,
        )
    };
    vec![
        finding("MLID / OSRM2 for patterns on all hosts", false),
        finding("MLID / OSRM2 for the mesh of 16 x 16, where MLID has the printed mean", true),
    ]
}

/// The printed range on FT(32,2).
fn range(lines: &[Line]) -> Vec<Finding> {
    let of_tree = || lines.iter().filter(|line| line.is_of(WIDE));
    let [least, most] =
        ["Hypercube", "Ring"].map(|name| of_tree().find(|line| line.pattern == name));
    let distance = |line: &Line| {
        let printed = line.printed().unwrap_or(f64::NAN);
        (line.gain - printed).abs() / line.printed_half.hypot(line.half)
    };
    let place = |line: &Line| {
        let [least, most] = [least, most].map(|end| end.map_or(f64::NAN, |end| end.gain));
        (line.gain - least) / (most - least)
    };
    let on_all = of_tree().filter(|line| line.pattern != SQUARE);
    vec![
        Finding::within(
            Case::quote("VI", RANGE),
            "distance of the improvements for hypercube and ring from the printed ones, over what means of 32 \
             placements may be off",
            [least, most].into_iter().flatten().map(distance),
            0.0..=1.0,
        ),
        Finding::within(
            Case::quote("VI", RANGE),
            "improvements for patterns on all hosts from 1, the hypercube's, to 2, the ring's",
            on_all.map(|line| 1.0 + place(line)),
            1.0..=2.0,
        ),
    ]
}

/// OSRM3 on FT(8,3) and FT(16,3).
fn slight(lines: &[Line]) -> Vec<Finding> {
    let of_trees = || lines.iter().filter(|line| line.is_of(TALL));
    // 200 placements instead of 32 are sqrt(200/32) = 2.5 times as exact.
    let same = |line: &Line| line.gain.abs() / (2.5 * line.half);
    vec![
        Finding::within(
            Case::quote("VI", "For FT(16, 3) and FT(8, 3), OSRM3 has slightly better performance"),
            "MLID / OSRM3, to two digits",
            of_trees().map(Line::factor),
            0.995..=NOTICEABLE,
        ),
        Finding::within(
            Case::quote("VI", INSIGNIFICANT),
            "the difference, over what two means of 32 placements each may differ by",
            of_trees().map(|line| line.gain.abs() / line.printed_half),
            0.0..=1.0,
        ),
        Finding::within(
            Case::quote("VI", INSIGNIFICANT),
            "the difference, over its 95 % interval by 32 placements, the same for both routings",
            of_trees().map(same),
            0.0..=1.0,
        ),
    ]
}

/// What is said of other FT(m,2) and FT(m,3), with the 2-dimensional mesh of all hosts.
fn others(lines: &[Line]) -> Vec<Finding> {
    let of = |levels: &'static str| {
        let others = lines.iter().filter(|line| line.is_other() && line.pattern != SQUARE);
        others.filter(move |line| line.tree.ends_with(levels))
    };
    let of_squares = |is_square| of(",2)").filter(move |line| line.is_of(SQUARES) == is_square);
    let comparable = |what, numbers: Vec<f64>| {
        Finding::within(
            Case::quote("VI", COMPARABLE),
            what,
            numbers,
            COMPARABLE_FROM..=f64::INFINITY,
        )
    };
    let noticeable = |what, is_square| {
        let noticeable = of_squares(is_square).filter(|line| line.factor() >= NOTICEABLE).count();
        let part = noticeable as f64 / of_squares(is_square).count() as f64;
        Finding::within(Case::quote("VI", MOST_CASES), what, [part], 0.5..=1.0)
    };
    vec![
        comparable(
            "MLID / OSRM2 on FT(8,2), FT(18,2) and FT(50,2), where m/2 is a square",
            of_squares(true).map(Line::factor).collect(),
        ),
        comparable(
            "MLID / OSRM2 on other FT(m,2), for which Figure 9 is not complete and was completed here",
            of_squares(false).map(Line::factor).collect(),
        ),
        comparable("MLID / OSRM3 on other FT(m,3)", of(",3)").map(Line::factor).collect()),
        noticeable(
            "fraction of rows with MLID / OSRM2 of at least 1.05, where m/2 is a square",
            true,
        ),
        noticeable("the same where m/2 is not a square", false),
        Finding::within(
            Case::quote("VI", "while the improvement on FT(m, 3) is small"),
            "MLID / OSRM3 on other FT(m,3)",
            of(",3)").map(Line::factor),
            0.0..=NOTICEABLE,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(tree: &str, pattern: &str, gain: f64) -> Line {
        let (tree, pattern) = (tree.to_string(), pattern.to_string());
        Line { tree, pattern, mlid: 1.0, osrm: 1.0, gain, half: 1.0, printed_half: 3.0 }
    }

    /// Which claims hold, as digits.
    fn holds(lines: &[Line]) -> String {
        all(lines).iter().map(|claim| if claim.fails() { '0' } else { '1' }).collect()
    }

    #[test]
    fn claims_are_those_of_the_numbers() {
        let mut lines = Vec::new();
        for (pattern, gain) in
            [("Ring", 16.0), (SQUARE, 8.0), ("Binary Tree", 9.0), ("Hypercube", 7.0)]
        {
            let wide = ["ft(32,2)", "ft(18,2)", "ft(64,2)"].map(|tree| line(tree, pattern, gain));
            let tall = ["ft(8,3)", "ft(12,3)"].map(|tree| line(tree, pattern, 1.0));
            lines.extend(wide.into_iter().chain(tall));
        }
        let with = |changes: &[(usize, f64)]| {
            let mut changed = lines.clone();
            for (at, gain) in changes {
                changed[*at].gain = *gain;
            }
            holds(&changed)
        };
        assert_eq!(with(&[]), "1111111111111");
        // The ring 4 below what is printed; the square worse; the tree below the hypercube, and small.
        assert_eq!(with(&[(0, 12.8)]), "1101111111111");
        assert_eq!(with(&[(5, -3.5)]), "1011111111111");
        assert_eq!(with(&[(10, 4.0)]), "0110111111111");
        // On FT(8,3) OSRM3 is worse, or better by more than one and the other spread.
        assert_eq!(with(&[(3, -1.0)]), "1111011111111");
        assert_eq!(with(&[(3, 2.6)]), "1111110111111");
        assert_eq!(with(&[(3, 5.5)]), "1111000111111");
        // Of others one of three is small, or two, one of them worse; on FT(12,3) one is worse, or noticeable.
        assert_eq!(with(&[(1, 4.0)]), "1111111111111");
        assert_eq!(with(&[(1, 4.0), (11, 4.0)]), "1111111111011");
        assert_eq!(with(&[(1, 4.0), (11, -3.5)]), "1111111011011");
        assert_eq!(with(&[(2, -3.5), (12, 4.0)]), "1111111101101");
        // The square is not looked at there.
        assert_eq!(with(&[(6, -50.0), (7, -50.0), (9, 50.0)]), "1111111111111");
        assert_eq!(with(&[(4, -3.5)]), "1111111110111");
        assert_eq!(with(&[(4, 5.5)]), "1111111111110");
    }
}
