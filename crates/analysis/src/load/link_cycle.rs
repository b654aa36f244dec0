//! Graphs of links, and a cycle in them, without recursion: such a graph may have a path through
//! millions of links.

use crate::integer::index32;
use crate::topology::LinkId;

const NONE: LinkId = LinkId::MAX;

/// For every link, which links come after it, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Successors {
    /// Where those of every link begin, and at last their number.
    pub(super) first: Vec<usize>,
    pub(super) next: Vec<LinkId>,
}

impl Successors {
    pub(super) fn links(&self) -> usize {
        self.first.len() - 1
    }

    /// The links after a link; none where there is no such link.
    pub(super) fn after(&self, link: LinkId) -> &[LinkId] {
        let ends = self.first.get(link as usize).zip(self.first.get(link as usize + 1));
        ends.map_or(&[], |(start, end)| &self.next[*start..*end])
    }
}

/// A shortest cycle through its first link, or `None` where the graph has none. Links before which no
/// other is used, or after which none is, are removed again and again: what stays leads from cycle
/// to cycle. O(links + dependencies).
pub(super) fn cycle_of(graph: &Successors) -> Option<Vec<LinkId>> {
    let mut stays = vec![true; graph.links()];
    let before = reversed(graph);
    trim(&before, graph, &mut stays);
    trim(graph, &before, &mut stays);
    let start = index32(stays.iter().position(|stays| *stays)?);
    let on_cycle = walk(graph, start, &stays)?;
    shortest(graph, on_cycle, &stays)
}

/// The graph with every edge turned round.
pub(super) fn reversed(graph: &Successors) -> Successors {
    let mut first = vec![0; graph.links() + 1];
    for after in &graph.next {
        first[*after as usize + 1] += 1;
    }
    for link in 0..graph.links() {
        first[link + 1] += first[link];
    }
    let (mut next, mut free) = (vec![0; graph.next.len()], first.clone());
    for link in 0..index32(graph.links()) {
        for after in graph.after(link) {
            let place = &mut free[*after as usize];
            next[*place] = link;
            *place += 1;
        }
    }
    Successors { first, next }
}

/// Removes links that none that stays leads to, given the graph turned round and the graph.
fn trim(before: &Successors, graph: &Successors, stays: &mut [bool]) {
    let links = || 0..index32(graph.links());
    let degree = |link: LinkId| {
        index32(before.after(link).iter().filter(|other| stays[**other as usize]).count())
    };
    let mut degrees: Vec<u32> = links().map(degree).collect();
    let is_free = |link: &LinkId| stays[*link as usize] && degrees[*link as usize] == 0;
    let mut free: Vec<LinkId> = links().filter(is_free).collect();
    while let Some(link) = free.pop() {
        stays[link as usize] = false;
        for next in graph.after(link).iter().filter(|next| stays[**next as usize]) {
            degrees[*next as usize] -= 1;
            if degrees[*next as usize] == 0 {
                free.push(*next);
            }
        }
    }
}

/// The lowest link of the cycle into which a walk over lowest links runs.
fn walk(graph: &Successors, start: LinkId, stays: &[bool]) -> Option<LinkId> {
    let lowest =
        |link: LinkId| graph.after(link).iter().copied().find(|after| stays[*after as usize]);
    let (mut seen, mut at) = (vec![false; graph.links()], start);
    while !seen[at as usize] {
        seen[at as usize] = true;
        at = lowest(at)?;
    }
    let (first, mut least) = (at, at);
    loop {
        at = lowest(at)?;
        if at == first {
            return Some(least);
        }
        least = least.min(at);
    }
}

/// The shortest cycle through a link, found breadth first.
fn shortest(graph: &Successors, start: LinkId, stays: &[bool]) -> Option<Vec<LinkId>> {
    let mut came_from = vec![NONE; graph.links()];
    let (mut queue, mut head) = (vec![start], 0);
    while let Some(link) = queue.get(head).copied() {
        head += 1;
        for after in graph.after(link).iter().filter(|after| stays[**after as usize]) {
            if *after == start {
                let back = |at: &LinkId| Some(came_from[*at as usize]).filter(|from| *from != NONE);
                let mut cycle: Vec<LinkId> = std::iter::successors(Some(link), back).collect();
                cycle.reverse();
                return Some(cycle);
            }
            if came_from[*after as usize] == NONE {
                came_from[*after as usize] = link;
                queue.push(*after);
            }
        }
    }
    None
}
