//! Files of other programs that are easily mistaken for a network, and what to give instead.

/// The kind of a file and what to do instead, if it is known to list no links.
pub(super) fn recognise(head: &str) -> Option<&'static str> {
    if super::far::detect(head) {
        return Some("it holds adaptive forwarding tables (ibdiagnet2.far): write far:FILE");
    }
    is_htsim(head).then_some(
        "it gives htsim the sizes of a tree (`Nodes`, `Tiers`, …) and lists no links: write the \
         tree as a spec, such as ft(16,3) or xgft(3;6,6,12;1,6,6)",
    )
}

/// A `.topo` file of htsim: `Nodes 432`, `Tiers 3` and more sizes, one per line. Two words per
/// line could also be links.
fn is_htsim(head: &str) -> bool {
    let says = |wanted: &str| {
        head.lines().any(|line| {
            let mut words = line.split_whitespace();
            let name = words.next().is_some_and(|word| word.eq_ignore_ascii_case(wanted));
            let size = words.next().is_some_and(|word| word.parse::<u64>().is_ok());
            name && size && words.next().is_none()
        })
    };
    says("Nodes") && says("Tiers")
}
