//! What is listed in a text is limited, and counted as it is when it is written.

use super::*;
use crate::certificate::budget::Budget;
use crate::certificate::write::counted;

/// Three paths of four links, and an allowed path of one.
const LISTED: &str = "routebound-certificate 1
hosts 2
nodes 3
link 0 1 1
link 1 2 1
link 2 0 1
path 0 1 1 0
path 1 0 1 1 2
claim oblivious-ratio 0 1
witness 0 1
demand 0 1 1
route paths
path 0 1 1 0
least oblivious-ratio 0 listed
allowed 0 1 0
end
";

/// Why a text is refused under these limits.
fn refused(text: &str, limits: Budget) -> Option<String> {
    let mut text = Lines::new(text.as_bytes());
    text.budget = limits;
    match read_all(text) {
        Ok(_) => None,
        Err(ReadError::TooLarge(limit)) => Some(limit.to_string()),
        Err(error) => Some(format!("not by a limit: {error}")),
    }
}

#[test]
fn listed_paths_and_their_links_are_limited() {
    let refused = |paths, links| {
        let limits = Budget::default().with(Listed::Paths, paths);
        refused(LISTED, limits.with(Listed::PathLinks, links))
    };
    assert_eq!(refused(4, 5), None);
    let said = refused(3, 5).unwrap();
    assert!(said.contains("number of listed paths is 4, above the limit of 3"), "{said}");
    let said = refused(4, 4).unwrap();
    assert!(said.contains("links of all listed paths is 5, above the limit of 4"), "{said}");
}

/// Three entries of next links in two records; a demand and three weights.
const ENTRIES: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 1 0 1
next 0 - 0
next 1 1
claim oblivious-ratio 1 1
witness 0 1
demand 0 1 1
route even
cover 0 s 0
cover 1 s 1 d 0:0
end
";

/// A demand, a path of one link and a length.
const OPTIMUM: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 1 0 1
claim optu 1 1
demand 0 1 1
route paths
path 0 1 1 0
length 0 1
end
";

#[test]
fn entries_are_limited() {
    let refused = |amounts, next| {
        let limits = Budget::default().with(Listed::Amounts, amounts);
        refused(ENTRIES, limits.with(Listed::NextLinks, next))
    };
    assert_eq!(refused(4, 3), None);
    let said = refused(3, 3).unwrap();
    assert!(said.contains("weights in covers is 4, above the limit of 3"), "{said}");
    let said = refused(4, 2).unwrap();
    assert!(said.contains("entries of `next` records is 3, above the limit of 2"), "{said}");
}

/// Five hosts in two classes.
const CLASSES: &str = "routebound-certificate 1
hosts 5
nodes 6
split hops
class 0 2-4
class 1
claim permutation-load 0 1
witness 0 1
demand 0 1 1
route even
end
";

#[test]
fn hosts_of_classes_are_limited() {
    let refused = |hosts| refused(CLASSES, Budget::default().with(Listed::ClassHosts, hosts));
    assert_eq!(refused(5), None);
    let said = refused(4).unwrap();
    assert!(said.contains("hosts in `class` records is 5, above the limit of 4"), "{said}");
}

/// A certificate is counted alike when it is written and when it is read.
#[test]
fn a_certificate_is_counted_as_its_text_is() {
    let counts = |text: &str| {
        let budget = counted(&read(text.as_bytes()).unwrap()).unwrap();
        [Listed::Paths, Listed::PathLinks, Listed::Amounts, Listed::NextLinks, Listed::ClassHosts]
            .map(|what| budget.listed(what))
    };
    assert_eq!(counts(LISTED), [4, 5, 1, 0, 0]);
    assert_eq!(counts(ENTRIES), [0, 0, 4, 3, 0]);
    assert_eq!(counts(OPTIMUM), [1, 1, 2, 0, 0]);
    assert_eq!(counts(CLASSES), [0, 0, 1, 0, 5]);
    assert_eq!(refused(OPTIMUM, Budget::default().with(Listed::Amounts, 2)), None);
    assert!(refused(OPTIMUM, Budget::default().with(Listed::Amounts, 1)).is_some());
}

#[test]
fn what_has_a_name_is_at_its_place() {
    assert!(Quantity::NAMES.iter().all(|(name, quantity)| quantity.name() == *name));
    assert!(Split::NAMES.iter().all(|(name, split)| split.name() == *name));
    let jobs = crate::certificate::JobQuantity::NAMES;
    assert!(jobs.iter().all(|(name, quantity)| quantity.name() == *name));
}
