//! The paths of given traffic under a routing, one by one.

use crate::limit::{TooLarge, within};
use crate::routing::Routing;
use crate::traffic::{Demand, PathRecord};

/// Maximum number of links in all listed paths together, at 4 bytes each.
pub const MAX_OWN_LINKS: u64 = 1 << 24;

/// The paths of `demands` with their shares, demand by demand: one way to carry this traffic.
/// O(links of all paths).
///
/// # Errors
/// [`TooLarge`] above [`MAX_OWN_LINKS`] links.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{load::own_paths, rational::Rational, routing::Instance, traffic::Demand};
/// let instance = Instance::named("ft(4,2)", "omrmn")?;
/// let demands = [Demand { s: 0, d: 7, amount: Rational::from(3) }];
/// let paths = own_paths(instance.routing(), &demands)?;
/// assert_eq!((paths.len(), paths[0].share.to_string()), (2, "1/2".to_string()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn own_paths(routing: &dyn Routing, demands: &[Demand]) -> Result<Vec<PathRecord>, TooLarge> {
    listed(routing, demands, MAX_OWN_LINKS)
}

fn listed(
    routing: &dyn Routing,
    demands: &[Demand],
    limit: u64,
) -> Result<Vec<PathRecord>, TooLarge> {
    let (mut paths, mut scratch, mut total) = (Vec::new(), Vec::new(), 0_u64);
    for Demand { s, d, .. } in demands {
        routing.for_each_path(*s, *d, &mut scratch, &mut |share, links| {
            total = total.saturating_add(links.len() as u64);
            if total <= limit {
                let (s, d, share, links) = (*s, *d, share.clone(), links.to_vec());
                paths.push(PathRecord { s, d, share, links });
            }
        });
        let remedy = "use a routing with fewer paths";
        within("number of links of the paths of the traffic", Some(total.into()), limit, remedy)?;
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::routing::Instance;

    /// Two paths of four links each.
    #[test]
    fn links_are_limited() {
        let instance = Instance::named("ft(4,2)", "omrmn").unwrap();
        let demands = [Demand { s: 0, d: 7, amount: Rational::ONE }];
        assert_eq!(listed(&*instance.routing, &demands, 8).unwrap().len(), 2);
        assert!(listed(&*instance.routing, &demands, 7).is_err());
    }
}
