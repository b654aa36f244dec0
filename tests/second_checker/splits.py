"""Splits over shortest paths, and classes of hosts (FORMAT.md, "Meaning" and "Classes of hosts")."""

from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from words import demand, within


class Split:
    """A routing over all shortest paths, link by link, without a list of the paths."""

    def __init__(self, network, rule):
        demand(network.tree is None, "a split of a named network")
        demand(rule in ("paths", "hops"), "split")
        self.rule = rule
        self.entering = [[] for _ in range(network.nodes)]
        for link, (tail, head, _) in enumerate(network.links):
            self.entering[head].append((tail, (link, head)))
        # What was asked for lately, and shares: equal ones are mostly one object.
        self.onward = lru_cache(2**8)(self.onward)
        self.ways = lru_cache(2**8)(self.ways)
        self.carried = lru_cache(2**12)(self.carried)
        self.share = lru_cache(2**16)(Fraction)

    def onward(self, d):
        """By node, nearest to d first, its links that begin a shortest path to d, and their heads."""
        distance, onward = {d: 0}, {d: []}
        nodes = [d]
        for head in nodes:
            farther = distance[head] + 1
            for tail, link in self.entering[head]:
                if tail not in distance:
                    distance[tail] = farther
                    onward[tail] = []
                    nodes.append(tail)
                if distance[tail] == farther:
                    onward[tail].append(link)
        return onward

    def ways(self, d):
        """By node, how many shortest paths lead to d."""
        ways = {}
        for node, links in self.onward(d).items():
            ways[node] = sum(ways[head] for _, head in links) if links else 1
        return ways

    def carried(self, s, d):
        """By link, the share of a pair that it carries."""
        onward = self.onward(d)
        demand(s in onward, f"no path from {s} to {d}")
        return self.by_paths(s, d, onward) if self.rule == "paths" else self.by_hops(s, d, onward)

    def by_paths(self, s, d, onward):
        """Shares are what is on paths over a link, of all paths."""
        ways, carried, layer = self.ways(d), {}, {s: 1}
        within(ways[s], 2**128 - 1, "shortest paths")
        while d not in layer:
            tails, layer = layer, {}
            for tail, before in tails.items():
                for link, head in onward[tail]:
                    carried[link] = self.share(before * ways[head], ways[s])
                    layer[head] = layer.get(head, 0) + before
        return carried

    def by_hops(self, s, d, onward):
        """Layer by layer, what is at the nodes of one distance, in units of 1/unit."""
        carried, layer, unit = {}, {s: 1}, 1
        while d not in layer:
            finer = lcm(*(len(onward[node]) for node in layer))
            parts = {node: at * finer // len(onward[node]) for node, at in layer.items()}
            coarser = gcd(unit * finer, *parts.values())
            unit, layer = unit * finer // coarser, {}
            within(unit, 2**128 - 1, "common denominator of shares")
            for tail, part in parts.items():
                part //= coarser
                share = self.share(part, unit)
                for link, head in onward[tail]:
                    carried[link] = share
                    layer[head] = layer.get(head, 0) + part
        return carried

    def paths(self, s, d):
        """Shares and links of the paths of a pair, listed."""
        demand(self.carried(s, d), "no links")
        onward = self.onward(d)
        paths = [(s, Fraction(1), [])]
        while any(node != d for node, _, _ in paths):
            paths = [
                (head, share / len(onward[node]), [*links, link])
                for node, share, links in paths
                for link, head in onward[node]
            ]
        same = Fraction(1, len(paths))
        return [(same if self.rule == "paths" else share, links) for _, share, links in paths]


class Classes:
    """The classes of a certificate; every host by itself where it has none."""

    def __init__(self, network, records):
        self.network, self.are_there = network, bool(records)
        self.all = records or [[host] for host in range(network.hosts)]
        self.of = {host: hosts for hosts in self.all for host in hosts}
        if not records:
            return
        named = [host for hosts in records for host in hosts]
        demand(sorted(named) == list(range(network.hosts)), "a host is in no class, or in two")
        demand(all(hosts == sorted(hosts) for hosts in records), "hosts of a class")
        firsts = [hosts[0] for hosts in records]
        demand(firsts == sorted(firsts), "the first hosts of classes")
        for hosts in records:
            hanging = [self.hanging(host) for host in hosts if len(hosts) > 1]
            demand(all(each == hanging[0] for each in hanging), "unlike hosts in a class")

    def hanging(self, host):
        """The neighbour of a host, and the capacities of the links to it and from it."""
        out, into = self.network.leaving[host], self.network.entering[host]
        links = self.network.links
        near = {links[link][1] for link in out} | {links[link][0] for link in into}
        demand(len(near) == 1 and min(near) >= self.network.hosts, "neighbours of a class")
        return near, sorted(links[link][2] for link in out), sorted(links[link][2] for link in into)

    def pairs(self):
        """Those that are looked at."""
        firsts = [hosts[0] for hosts in self.all]
        yield from ((s, d) for d in firsts for s in firsts if s != d)
        for first, second, *_ in (hosts for hosts in self.all if len(hosts) > 1):
            yield from ((first, second), (second, first))

    def size(self, host):
        return len(self.of[host])

    def larger(self, link):
        """The hosts of larger classes at the ends of a link."""
        ends = self.network.links[link][:2]
        return [host for host in ends if host < self.network.hosts and self.size(host) > 1]

    def is_looked_at(self, link):
        return all(self.of[host][0] == host for host in self.larger(link))

    def counted(self, link, host, end):
        """How many sources (end 0) or destinations (end 1) of a link's pairs a host stands for."""
        if self.of[host][0] != host:
            return self.size(host) - 1
        return 1 if self.network.links[link][end] == host else self.size(host)

    def check_cuts(self, cuts):
        for number, cut in enumerate(cuts):
            for hosts in self.all:
                all_or_none = len({host in cut for host in hosts}) == 1
                demand(all_or_none, f"cut {number} divides the class of host {hosts[0]}")

    def check_cover(self, link, cover):
        if self.are_there:
            demand("l" not in cover, "a cover by lengths, with classes")
            demand(not self.larger(link), "a cover for a link of a host of a larger class")
            ids = [id for side in "sd" for id, _ in cover.get(side, [])]
            demand(all(self.of[id][0] == id for id in ids), "a cover names a host that is not first")
