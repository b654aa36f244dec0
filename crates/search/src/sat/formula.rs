//! Formulas in conjunctive normal form.

use std::io::{self, Write};

/// A literal as in DIMACS files: variable v ≥ 1, or −v for its negation.
pub type Literal = i32;

/// A formula in conjunctive normal form: variables 1..=n, clauses in the order of addition.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::sat::Formula;
/// let mut formula = Formula::default();
/// let first = formula.new_variables(2);
/// formula.add([first, -(first + 1)]);
/// let mut text = Vec::new();
/// formula.write_dimacs("an example", &mut text)?;
/// assert_eq!(String::from_utf8(text)?, "c an example\np cnf 2 1\n1 -2 0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    variables: u32,
    /// The literals of all clauses, concatenated.
    literals: Vec<Literal>,
    /// The end of every clause in `literals`.
    ends: Vec<usize>,
}

impl Formula {
    /// `count` new variables; the first of them is returned, the others follow it.
    pub fn new_variables(&mut self, count: u32) -> Literal {
        self.variables += count;
        (self.variables - count + 1).cast_signed()
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Literal>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
    }

    /// Number of variables.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Number of clauses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clauses, in the order of addition.
    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.literals[start..*end])
    }

    /// Whether `values` (of variable v at place v − 1) satisfies every clause.
    #[must_use]
    pub fn is_satisfied_by(&self, values: &[bool]) -> bool {
        let holds = |literal: &Literal| {
            let value = values.get(literal.unsigned_abs() as usize - 1);
            value.is_some_and(|value| *value == (*literal > 0))
        };
        self.clauses().all(|clause| clause.iter().any(holds))
    }

    /// Writes the formula as a DIMACS file with one line of comment.
    ///
    /// # Errors
    /// I/O errors of `out`.
    pub fn write_dimacs(&self, comment: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "c {comment}\np cnf {} {}", self.variables, self.len())?;
        for clause in self.clauses() {
            for literal in clause {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}
