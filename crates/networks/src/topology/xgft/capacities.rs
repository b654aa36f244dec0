//! Links of different capacities: hosts at one speed, the cables between switches at others.
//!
//! All links of a step have the same capacity, in both directions. So an even split over all
//! shortest paths is still optimal: the c_k links out of a subtree of height k share the traffic
//! that leaves it equally, and no routing can do better than fill their c_k·cap_{k+1}.

use super::Xgft;
use crate::integer::Gcd;
use crate::rational::{Rational, common_denominator};

impl Xgft {
    /// This tree with other capacities, one for every step, step 1 first.
    pub(super) fn with_capacities(self, capacity: Vec<Rational>) -> Self {
        Self { capacity, ..self }
    }

    /// Capacity of a link of step i, which joins a node of level i−1 to one of level i, for i in
    /// 1..=h.
    #[must_use]
    pub fn capacity(&self, step: usize) -> &Rational {
        &self.capacity[step - 1]
    }

    /// The capacities of all steps, step 1 first.
    #[must_use]
    pub fn capacities(&self) -> &[Rational] {
        &self.capacity
    }

    /// The traffic that can leave, or enter, a subtree of height k at max load 1: the total
    /// capacity of its c_k = w1⋯w_{k+1} up links, for k in 0..h. The subtree of height 0 is a host.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("xgft(2;4,3;1,2)")?;
    /// let tree = tree.tree().ok_or("no labels")?;
    /// assert_eq!((tree.cut(0).to_string(), tree.cut(1).to_string()), ("1".into(), "2".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cut(&self, height: usize) -> Rational {
        let links = Rational::from(u64::from(self.parent_product[height + 1]));
        let capacity = &self.capacity[height];
        // Mostly there is nothing to multiply, which takes longer.
        if *capacity == Rational::ONE { links } else { &links * capacity }
    }

    /// The cuts of all heights, a host's first.
    #[must_use]
    pub fn cuts(&self) -> Vec<Rational> {
        (0..self.height()).map(|height| self.cut(height)).collect()
    }

    /// The cuts of all heights in units of their greatest common divisor, and that divisor; `None`
    /// if their common denominator, or a cut in units of it, is above 2^62.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("xgft(2;4,3;2,3)")?;
    /// let (units, unit) = tree.tree().and_then(|tree| tree.cuts_in_units()).ok_or("no labels")?;
    /// assert_eq!((units, unit.to_string()), (vec![1, 3], "2".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cuts_in_units(&self) -> Option<(Vec<u64>, Rational)> {
        let cuts = self.cuts();
        let scale = common_denominator(&cuts)?;
        let units = cuts.iter().map(|cut| cut.scaled(scale)).collect::<Option<Vec<u64>>>()?;
        let common = units.iter().copied().reduce(u64::gcd)?;
        let unit = Rational::new(common, scale)?;
        Some((units.into_iter().map(|units| units / common).collect(), unit))
    }

    /// An upper bound on the oblivious ratio when every link above the leaf switches carries pairs
    /// of at most `hosts` sources or of at most `hosts` destinations: each sends and receives at
    /// most c_0·optu, and a host's own links carry no more than they can.
    #[must_use]
    pub fn ratio_by_hosts(&self, hosts: u32) -> Rational {
        let narrowest = self.capacity.iter().skip(1).min();
        let sent = &Rational::from(u64::from(hosts)) * &self.cut(0);
        let load = narrowest.and_then(|capacity| sent.checked_div(capacity));
        load.unwrap_or_default().max(Rational::ONE)
    }

    /// Whether every link has capacity 1, as in the papers.
    #[must_use]
    pub fn has_unit_capacities(&self) -> bool {
        self.capacity.iter().all(|capacity| *capacity == Rational::ONE)
    }

    /// Whether every traffic matrix has optu = baseload: the up links of each subtree can carry all
    /// that its hosts can send, or all that the hosts outside it can receive.
    #[must_use]
    pub fn full_bisection(&self) -> bool {
        let host = self.cut(0);
        (1..self.height()).all(|level| {
            let inside = u64::from(self.child_product[level]);
            let busy = inside.min(self.hosts() as u64 - inside);
            self.cut(level) >= &Rational::from(busy) * &host
        })
    }

    /// The capacities of the steps for display, `1, 2`, from the hosts up; `None` if all are 1.
    #[must_use]
    pub fn capacities_text(&self) -> Option<String> {
        let all = || self.capacity.iter().map(Rational::to_string).collect::<Vec<_>>().join(", ");
        (!self.has_unit_capacities()).then(all)
    }
}
