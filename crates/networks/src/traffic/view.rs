//! Traffic as computations take it: a list of demands, or products of sets of hosts.

use std::borrow::Cow;

use super::{Demand, ProductTraffic, TrafficError, TrafficMatrix};
use crate::rational::Rational;

/// Traffic that is computed with. Lists of demands become one where a function takes traffic.
#[derive(Clone, Copy, Debug)]
pub enum TrafficView<'a> {
    /// Demands in any order; those of one pair add up.
    Listed(&'a [Demand]),
    /// Regular traffic.
    Products(&'a ProductTraffic),
}

impl<'a> TrafficView<'a> {
    /// Number of demands.
    #[must_use]
    pub fn len(self) -> u64 {
        match self {
            Self::Listed(demands) => demands.len() as u64,
            Self::Products(products) => products.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Self::Listed(demands) => demands.is_empty(),
            Self::Products(products) => products.is_empty(),
        }
    }

    /// The sum of all amounts.
    #[must_use]
    pub fn total(self) -> Rational {
        match self {
            Self::Listed(demands) => demands.iter().map(|demand| &demand.amount).sum(),
            Self::Products(products) => products.total(),
        }
    }

    /// The demands, for what needs a list.
    ///
    /// # Errors
    /// [`TrafficError::TooLarge`] for products of more than [`TrafficMatrix::MAX_ENTRIES`] demands.
    pub fn listed(self) -> Result<Cow<'a, [Demand]>, TrafficError> {
        match self {
            Self::Listed(demands) => Ok(Cow::Borrowed(demands)),
            Self::Products(products) => Ok(Cow::Owned(products.to_matrix()?.into_demands())),
        }
    }
}

impl<'a> From<&'a [Demand]> for TrafficView<'a> {
    fn from(demands: &'a [Demand]) -> Self {
        Self::Listed(demands)
    }
}

impl<'a> From<&'a Vec<Demand>> for TrafficView<'a> {
    fn from(demands: &'a Vec<Demand>) -> Self {
        Self::Listed(demands)
    }
}

impl<'a, const N: usize> From<&'a [Demand; N]> for TrafficView<'a> {
    fn from(demands: &'a [Demand; N]) -> Self {
        Self::Listed(demands)
    }
}

impl<'a> From<&'a ProductTraffic> for TrafficView<'a> {
    fn from(products: &'a ProductTraffic) -> Self {
        Self::Products(products)
    }
}

impl<'a> From<&'a Traffic> for TrafficView<'a> {
    fn from(traffic: &'a Traffic) -> Self {
        match traffic {
            Traffic::Listed(matrix) => Self::Listed(matrix.demands()),
            Traffic::Products(products) => Self::Products(products),
        }
    }
}

/// Traffic of a pattern or a file, listed only where it has no shorter form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// A matrix.
    Listed(TrafficMatrix),
    /// Regular traffic.
    Products(ProductTraffic),
}

impl Traffic {
    /// A view of the traffic, for functions that take traffic.
    #[must_use]
    pub fn view(&self) -> TrafficView<'_> {
        self.into()
    }

    /// All demands, listed.
    ///
    /// # Errors
    /// As [`ProductTraffic::to_matrix`].
    pub fn into_matrix(self) -> Result<TrafficMatrix, TrafficError> {
        match self {
            Self::Listed(matrix) => Ok(matrix),
            Self::Products(products) => products.to_matrix(),
        }
    }

    /// Whether it is a permutation, as [`TrafficMatrix::permutation`] has it.
    #[must_use]
    pub fn is_permutation(&self) -> bool {
        match self {
            Self::Listed(matrix) => matrix.permutation().is_some(),
            // More demands than hosts are none, however many.
            Self::Products(products) => {
                let few = products.len() <= products.hosts() as u64;
                few && products.to_matrix().is_ok_and(|matrix| matrix.permutation().is_some())
            }
        }
    }

    /// Number of hosts N; host numbers are `0..N`.
    #[must_use]
    pub fn hosts(&self) -> usize {
        match self {
            Self::Listed(matrix) => matrix.hosts(),
            Self::Products(products) => products.hosts(),
        }
    }

    /// Demands of a host to itself that were left out.
    #[must_use]
    pub fn self_demands(&self) -> usize {
        match self {
            Self::Listed(matrix) => matrix.self_demands(),
            Self::Products(_) => 0,
        }
    }

    /// Amount that every host sends.
    #[must_use]
    pub fn sent(&self) -> Vec<Rational> {
        match self {
            Self::Listed(matrix) => matrix.sent(),
            Self::Products(products) => products.sent().all().collect(),
        }
    }

    /// Amount that every host receives.
    #[must_use]
    pub fn received(&self) -> Vec<Rational> {
        match self {
            Self::Listed(matrix) => matrix.received(),
            Self::Products(products) => products.received().all().collect(),
        }
    }
}
