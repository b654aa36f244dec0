//! \[OR\] Table I as printed, for the statement and the study.

/// A formula of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// 1.
    One,
    /// m/2.
    Half,
    /// m−1.
    AllButOne,
    /// √(m/2).
    Root,
}

impl Formula {
    /// The square of its value.
    pub(super) fn square(self, m: u64) -> u64 {
        match self {
            Self::One => 1,
            Self::Half => m * m / 4,
            Self::AllButOne => (m - 1) * (m - 1),
            Self::Root => m / 2,
        }
    }

    /// The value of the formula, where it is an integer.
    pub(super) fn integer(self, m: u64) -> Option<u64> {
        let square = self.square(m);
        Some(square.isqrt()).filter(|root| root * root == square)
    }
}

/// The rows: a routing, and its ratios on FT(m,2) and FT(m,3).
pub(super) const PRINTED: [(&str, [Option<Formula>; 2]); 5] = [
    ("omrmn", [Some(Formula::One), Some(Formula::One)]),
    ("osrm2", [Some(Formula::Root), None]),
    ("osrm3", [None, Some(Formula::Half)]),
    ("mlid", [Some(Formula::Half), Some(Formula::AllButOne)]),
    ("wsr", [Some(Formula::Half), Some(Formula::AllButOne)]),
];

/// The formula for the first routing that `is_meant` accepts on FT(m,`n`).
pub(super) fn printed(n: u32, is_meant: impl Fn(&str) -> bool) -> Option<Formula> {
    let (_, formulas) = PRINTED.iter().find(|(name, _)| is_meant(name))?;
    formulas[n.checked_sub(2).filter(|column| *column < 2)? as usize]
}
