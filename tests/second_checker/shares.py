"""The paths of pairs and their shares (FORMAT.md, "Meaning", and 1 of worst-case certificates)."""

from fractions import Fraction
from functools import reduce

import routings
import splits
from words import add, demand


class Listed:
    """A routing by a function of (s,d) that gives shares and links of its paths."""

    def __init__(self, network, listing=lambda s, d: []):
        self.network, self.listing, self.known = network, listing, {}

    def paths(self, s, d):
        """Shares and links of the paths of a pair, verified."""
        if (s, d) not in self.known:
            paths = self.listing(s, d)
            for share, links in paths:
                self.network.check_path(s, d, links)
                demand(share > 0, "share 0")
            total = reduce(add, (share for share, _ in paths), Fraction(0))
            demand(total == 1, f"shares of ({s},{d})")
            self.known[s, d] = paths
        return self.known[s, d]

    def carried(self, s, d):
        """By link, the share of a pair that it carries."""
        carried = {}
        for share, links in self.paths(s, d):
            for link in links:
                carried[link] = add(carried[link], share) if link in carried else share
        return carried


def open_routing(network, text):
    """The routing of a certificate: `Listed`, or `splits.Split`, which gives the same."""
    if text.next_is("routing"):
        demand(network.tree, "a named routing of a network that is written out")
        spec = " ".join(text.take("routing", 1))
        return Listed(network, routings.routing(spec, network.tree, network.is_tree))
    if text.next_is("split"):
        return splits.Split(network, text.take("split", 1, 1)[0])
    rows, paths = text.next_records(), []
    if not rows:
        paths = text.paths()
        demand(paths, "a routing is wanted")
    table, listed = {}, {}
    for node, entries in rows:
        demand(node < network.nodes and node not in table, "next")
        demand(len(entries) in (1, network.hosts), "entries of next")
        named = [link for link in entries if link is not None]
        demand(all(link < len(network.links) for link in named), "a next link that is not there")
        table[node] = entries
    for s, d, share, links in paths:
        demand(s != d and max(s, d) < network.hosts, "a path of no pair")
        listed.setdefault((s, d), []).append((share, links))

    def follow(s, d):
        at, links = s, []
        while at != d:
            row = table.get(at, [None])
            link = row[0] if len(row) == 1 else row[d]
            demand(link is not None, "no next link")
            demand(network.links[link][0] == at and len(links) < network.nodes, "next link")
            links.append(link)
            at = network.links[link][1]
        return [(Fraction(1), links)]

    return Listed(network, follow if rows else lambda s, d: listed.get((s, d), []))
