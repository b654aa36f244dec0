//! How large a linear program grows whose rows and columns come one by one.

use super::program::{MAX_COEFFICIENTS, check_size};
use crate::advice::Advice;
use crate::limit::{TooLarge, within};

/// Rows, columns and coefficients so far, checked before each more.
#[derive(Default)]
pub(super) struct Size {
    pub rows: u128,
    pub columns: u128,
    pub nonzeros: u128,
    /// Links with traffic, over all columns, whether they have a row or not.
    loaded: u128,
}

impl Size {
    /// Adds a row with the given number of coefficients.
    pub fn add_row(&mut self, nonzeros: usize) -> Result<(), TooLarge> {
        check_size(self.rows + 1, self.columns, self.nonzeros + nonzeros as u128)?;
        self.rows += 1;
        self.nonzeros += nonzeros as u128;
        Ok(())
    }

    /// Adds a column with the given numbers of coefficients and of links with traffic.
    pub fn add_column(&mut self, nonzeros: usize, loaded: usize) -> Result<(), TooLarge> {
        check_size(self.rows, self.columns + 1, self.nonzeros + nonzeros as u128)?;
        amounts_fit(self.loaded + loaded as u128)?;
        self.columns += 1;
        self.nonzeros += nonzeros as u128;
        self.loaded += loaded as u128;
        Ok(())
    }
}

/// Rejects more amounts of traffic on links than memory is meant for.
pub(super) fn amounts_fit(amounts: u128) -> Result<(), TooLarge> {
    let what = "number of links with traffic of a source, over all columns";
    let remedy = Advice::AVOID_LARGE_PROGRAM;
    within(what, Some(amounts), MAX_COEFFICIENTS, remedy).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_limited() {
        let most = usize::try_from(MAX_COEFFICIENTS).unwrap();
        let mut size = Size::default();
        size.add_row(0).unwrap();
        size.add_column(most - 1, most).unwrap();
        size.add_row(1).unwrap();
        let row = size.add_row(1).unwrap_err();
        assert!(row.what.contains("coefficients"), "{row}");
        assert!(size.add_column(1, 0).unwrap_err().what.contains("coefficients"));
        assert!(size.add_column(0, 1).unwrap_err().what.contains("traffic"));
        // What was refused is not counted.
        size.add_row(0).unwrap();
        assert_eq!((size.rows, size.columns, size.nonzeros), (3, 1, u128::from(MAX_COEFFICIENTS)));
    }
}
