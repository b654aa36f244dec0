"""Covers of links, and symmetry (FORMAT.md, 3 of worst-case certificates)."""

from fractions import Fraction
from functools import cache
from math import lcm

from words import add, demand, within


def images(cycles, count):
    """Where cycles take the numbers below `count`."""
    named = [id for cycle in cycles for id in cycle]
    demand(len(set(named)) == len(named) and max(named, default=0) < count, "ids of an automorphism")
    taken = list(range(count))
    for cycle in cycles:
        for a, b in zip(cycle, cycle[1:] + cycle[:1]):
            taken[a] = b
    return taken


def moves(network, automorphisms):
    """Where every automorphism takes nodes and links."""
    of = lambda cycles: (images(cycles[0], network.nodes), images(cycles[1], len(network.links)))
    return [of(cycles) for cycles in automorphisms]


def means(network, automorphisms, prices):
    """`Symmetry` of all routings: the prices of pairs on links, averaged over what they are taken to."""
    leads, found = moves(network, automorphisms), {}
    for start in [(pair, link) for pair, of_pair in prices.items() for link in of_pair]:
        if start in found:
            continue
        orbit, waiting = {start}, [start]
        while waiting:
            (s, d), link = waiting.pop()
            new = {((nodes[s], nodes[d]), taken[link]) for nodes, taken in leads} - orbit
            orbit |= new
            waiting += new
            within(len(found) + len(orbit), 2**22, "prices")
        total = sum(prices.get(pair, {}).get(link, 0) for pair, link in orbit)
        found.update((place, total / len(orbit)) for place in orbit)
    spread = {}
    for (pair, link), price in found.items():
        spread.setdefault(pair, {})[link] = price
    return spread


def symmetry(network, routing, automorphisms):
    """`Symmetry`: a number per link, the same for links of the same class."""
    links = range(len(network.links))
    within(len(automorphisms) * network.hosts**2, 2**32, "automorphisms times pairs")
    within(len(automorphisms) * (network.nodes + len(links)), 2**26, "images")
    leads, same = [set() for _ in links], list(links)
    for nodes, taken in moves(network, automorphisms):
        for host in range(network.hosts):
            demand(nodes[host] < network.hosts, "a host becomes a switch")
        for link, (a, b, capacity) in enumerate(network.links):
            demand(network.links[taken[link]] == (nodes[a], nodes[b], capacity), "no automorphism")
            leads[link].add(taken[link])
            leads[taken[link]].add(link)
        for s, d in network.pairs():
            moved = {taken[link]: share for link, share in routing.carried(s, d).items()}
            demand(moved == routing.carried(nodes[s], nodes[d]), "the routing is not symmetric")
    for start in links:
        waiting = [start] if same[start] == start else []
        while waiting:
            for other in leads[waiting.pop()]:
                if same[other] > start:
                    same[other] = start
                    waiting.append(other)
    return same


class Covers:
    """The covers of a certificate by link, and the cuts that they name."""

    def __init__(self, network, cuts, alike, records):
        self.network, self.cuts, self.alike = network, checked_cuts(network, cuts), alike
        self.sent = cache(lambda host: network.capacity(network.leaving[host]))
        self.received = cache(lambda host: network.capacity(network.entering[host]))
        self.crossing = cache(self.crossing)
        self.of, self.distances = {}, {}
        held = sum("l" in cover for _, cover in records) * len(network.links)
        within(held, 2**26, "lengths")
        within(held * network.hosts, 2**34, "lengths")
        sizes = {"s": network.hosts, "d": network.hosts, "o": len(cuts), "i": len(cuts)}
        sizes["l"] = len(network.links)
        for link, cover in records:
            demand(link < len(network.links) and link not in self.of, "cover")
            for side, weighted in cover.items():
                ids = [id for id, _ in weighted]
                demand(ids == sorted(set(ids)) and ids[-1] < sizes[side], "ids of a cover")
            alike.check_cover(link, cover)
            self.of[link] = {side: dict(weighted) for side, weighted in cover.items()}
            if "l" in cover:
                check_lengths(self.of[link]["l"].values())

    def crossing(self, side, id):
        """How much a cut lets pass, or how much capacity a unit of length counts."""
        links = self.network.links
        if side == "l":
            return links[id][2]
        if side in "sd":
            return (self.sent(id) if side == "s" else self.received(id)) * self.alike.size(id)
        inside, out = self.cuts[id], side == "o"
        at, other_end = (self.network.leaving, 1) if out else (self.network.entering, 0)
        own = (link for node in inside for link in at[node])
        return self.network.capacity(link for link in own if links[link][other_end] not in inside)

    def check_totals(self, claims):
        """That no cover is heavier than a claim says."""
        for link, cover in self.of.items():
            capacity, total, bare = self.network.links[link][2], Fraction(0), Fraction(0)
            for side, weights in cover.items():
                for id, weight in weights.items():
                    total += weight * self.crossing(side, id)
                    bare += weight * self.alike.size(id) if side in "sd" else 0
            for quantity, (_, upper) in claims.items():
                of_hosts = set(cover) <= {"s", "d"}
                demand(quantity == "oblivious-ratio" or of_hosts, "a cover of more than hosts")
                weight = bare if quantity == "permutation-load" else total
                demand(weight / capacity <= upper, "cover too heavy")

    def check_share(self, link, s, d, share):
        """That the cover of a link covers a share of a pair."""
        cover, cuts, none = self.of.get(link, {}), self.cuts, {}
        total = cover.get("s", none).get(s, 0) + cover.get("d", none).get(d, 0)
        if total < share:
            total += sum(w for c, w in cover.get("o", none).items() if s in cuts[c] and d not in cuts[c])
            total += sum(w for c, w in cover.get("i", none).items() if d in cuts[c] and s not in cuts[c])
        if total < share and "l" in cover:
            if (link, s) not in self.distances:
                length = lambda l: cover["l"].get(l, Fraction(0))
                self.distances[link, s] = self.network.lengths(s, length)
            total += self.distances[link, s].get(d, 0)
        demand(total >= share, f"link {link} does not cover ({s},{d})")


def checked_cuts(network, cuts):
    within(len(cuts) * network.hosts, 2**28, "cuts times hosts")
    ends = [len(a) + len(b) for a, b in zip(network.leaving, network.entering)]
    at_cuts = sum(ends[node] for nodes in cuts for node in nodes if node < network.nodes)
    within(at_cuts, 2**32, "links at the nodes of cuts")
    for nodes in cuts:
        demand(len(set(nodes)) == len(nodes) and max(nodes) < network.nodes, "cut")
    return [set(nodes) for nodes in cuts]


def check_lengths(lengths):
    unit = lcm(*(length.denominator for length in lengths))
    within(unit, 2**120 - 1, "common denominator")
    within(sum(lengths) * unit, 2**120 - 1, "sum of lengths")


def raise_to(largest, host, share):
    """Keeps the largest share of a host. Most are the same object: comparing takes longer."""
    known = largest.get(host)
    if known is None or (share is not known and share > known):
        largest[host] = share


def check_ends(covers, claims, at_ends):
    """That all sources of a link, or all destinations, with their largest shares, are light enough."""
    for quantity, (_, upper) in claims.items():
        for link, ends in at_ends.items():
            totals = []
            for end, largest in enumerate(ends):
                total = Fraction(0)
                passed = covers.received if end else covers.sent
                for host, share in largest.items():
                    times = covers.alike.counted(link, host, end)
                    if quantity != "permutation-load":
                        times *= passed(host)
                    total = add(total, share * times)
                totals.append(total)
            capacity = covers.network.links[link][2]
            demand(min(totals) / capacity <= upper, f"the ends of link {link} are too heavy")


def check_upper(network, routing, claims, sets, evidence):
    """`Upper side`, and 1 with it: all pairs that are looked at are asked for."""
    (cuts, alike), (by_ends, automorphisms, records) = sets, evidence
    demand(not alike.are_there or not automorphisms, "automorphisms with classes")
    same = symmetry(network, routing, automorphisms)
    covers = Covers(network, cuts, alike, records)
    alike.check_cuts(covers.cuts)
    covers.check_totals(claims)
    elsewhere = {same[link] for link in covers.of}
    rest = lambda link: automorphisms and link not in covers.of and same[link] in elsewhere
    links = range(len(network.links))
    skipped = {link for link in links if rest(link) or not alike.is_looked_at(link)}
    at_ends = {link: ({}, {}) for link in links if by_ends and link not in covers.of}
    for s, d in alike.pairs():
        for link, share in routing.carried(s, d).items():
            if link in skipped:
                continue
            if link in at_ends:
                sources, destinations = at_ends[link]
                raise_to(sources, s, share)
                raise_to(destinations, d, share)
            else:
                covers.check_share(link, s, d, share)
    check_ends(covers, claims, at_ends)
