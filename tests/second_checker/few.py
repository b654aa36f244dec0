"""Bounds on all routings with few paths per pair (FORMAT.md, "All routings with few paths")."""

from fractions import Fraction

import splits
from words import QUANTITIES, demand, integer, rational


def leaf_switches(network):
    """The leaf switch of every host."""
    found = []
    for host in range(network.hosts):
        leaving, entering = network.leaving[host], network.entering[host]
        demand(len(leaving) == len(entering) == 1, "a host without exactly one link each way")
        leaf = network.links[leaving[0]][1]
        demand(leaf >= network.hosts, "a host at a host")
        demand(network.links[entering[0]][0] == leaf, "a host at two switches")
        found.append(leaf)
    return found


def check_few(network, routing, claims, words):
    quantity, lower, paths = words
    demand(quantity in QUANTITIES, "few-paths")
    lower, paths = rational(lower), integer(paths)
    demand(quantity in claims and quantity != "hose-load", "few-paths of nothing")
    demand(lower <= claims[quantity][1], "few-paths above UPPER")
    leaf_of = leaf_switches(network)
    leaves = set(leaf_of)
    sizes = {leaf_of.count(leaf) for leaf in leaves}
    roots = [node for node in range(network.hosts, network.nodes) if node not in leaves]
    between = sorted(link[:2] for link in network.links if min(link[:2]) >= network.hosts)
    both = [(leaf, root) for leaf in leaves for root in roots]
    demand(len(sizes) == 1 and len(leaves) > 1 and roots, "no tree of two levels")
    demand(between == sorted(both + [(b, a) for a, b in both]), "links of a tree of two levels")
    demand(len(network.links) == len(between) + 2 * network.hosts, "other links")
    for s, d in network.pairs():
        if leaf_of[s] == leaf_of[d]:
            continue
        if isinstance(routing, splits.Split):
            demand(len(roots) <= paths, "a split over more than PATHS paths")
            break
        found = routing.paths(s, d)
        demand(len(found) <= paths, "more than PATHS paths")
        demand(all(len(links) == 4 for _, links in found), "a path not up, then down")
    is_switch = lambda link: min(link[:2]) >= network.hosts
    capacities = [link[2] for link in network.links if is_switch(link)]
    hosts, count, k = sizes.pop(), len(roots), min(paths, len(roots))
    unit = Fraction(max(capacities))
    if quantity == "oblivious-ratio":
        narrowest = min(link[2] for link in network.links if not is_switch(link))
        unit *= max(1 / Fraction(narrowest), hosts / (count * Fraction(min(capacities))))
    square = Fraction(hosts * min(2 * hosts, len(leaves)), 2 * k * count)
    is_trivial = quantity == "oblivious-ratio" and lower <= 1
    demand(is_trivial or (lower * unit) ** 2 <= square, "few-paths is not proven")
