"""A second checker of certificates, written from FORMAT.md, NAMES.md, COUNTING.md, ENCODING.md
and LOCAL.md alone. It prints one line per file: `accepted`, `refused` or `beyond`, and why.

    python3 tests/second_checker/check.py FILE...
"""

import heapq
import sys
from collections import deque
from fractions import Fraction
from functools import reduce
from math import lcm
from pathlib import Path

import jobs
import local
import product
import refute
import routings
from names import topology
from words import QUANTITIES, Beyond, Refused, Text, add, demand, integer, rational, within


class Network:
    """Hosts, nodes, links, and where they lead."""

    def __init__(self, text):
        self.tree, self.is_tree = None, False
        if text.next_is("topology"):
            self.tree, capacity, self.is_tree = topology(" ".join(text.take("topology", 1)))
            self.hosts, self.nodes, self.links = self.tree.network(capacity)
        else:
            self.hosts = integer(text.take("hosts", 1, 1)[0])
            self.nodes = integer(text.take("nodes", 1, 1)[0])
            self.links = text.links()
        within(self.hosts, 2**16, "hosts")
        within(self.nodes, 2**22, "nodes")
        within(len(self.links), 2**22, "links")
        demand(2 <= self.hosts <= self.nodes, "hosts and nodes")
        self.leaving = [[] for _ in range(self.nodes)]
        self.entering = [[] for _ in range(self.nodes)]
        for link, (a, b, capacity) in enumerate(self.links):
            demand(a < self.nodes and b < self.nodes and capacity > 0, f"link {link}")
            self.leaving[a].append(link)
            self.entering[b].append(link)

    def pairs(self):
        hosts = range(self.hosts)
        return ((s, d) for s in hosts for d in hosts if s != d)

    def capacity(self, links):
        return sum((self.links[link][2] for link in links), Fraction(0))

    def check_path(self, s, d, links):
        demand(s != d and max(s, d) < self.hosts, "a path of no pair")
        at = s
        for link in links:
            demand(link < len(self.links) and self.links[link][0] == at, "a path that breaks")
            at = self.links[link][1]
        demand(at == d and links, "a path that does not join its pair")

    def hops(self, start):
        """Distances and numbers of shortest paths from a node, by number of links."""
        distance, count, queue = {start: 0}, {start: 1}, deque([start])
        while queue:
            node = queue.popleft()
            for link in self.leaving[node]:
                head = self.links[link][1]
                if head not in distance:
                    distance[head], count[head] = distance[node] + 1, 0
                    queue.append(head)
                if distance[head] == distance[node] + 1:
                    count[head] += count[node]
        return distance, count

    def lengths(self, start, length):
        """Distances from a node under link lengths, where links of length None are closed."""
        done, queue = {}, [(Fraction(0), start)]
        while queue:
            reach, node = heapq.heappop(queue)
            if node in done:
                continue
            done[node] = reach
            for link in self.leaving[node]:
                if length(link) is not None:
                    heapq.heappush(queue, (reach + length(link), self.links[link][1]))
        return done


def loads(network, demands, flow):
    """The load of every link under a flow (`Of all traffic`)."""
    demand(demands, "no demand")
    traffic = [Fraction(0)] * len(network.links)
    for s, d, amount in demands:
        demand(s != d and max(s, d) < network.hosts and amount > 0, "bad demand")
    shares = {}
    for s, d, share, links in flow or []:
        network.check_path(s, d, links)
        shares.setdefault((s, d), []).append((share, links))
    for s, d, amount in demands:
        if flow is None:
            distance, count = network.hops(s)
            demand(d in distance, "a demand without a path")
            near = [count[node] for node in count if distance[node] <= distance[d]]
            within(max(near), 2**128 - 1, "shortest paths")
            part = {d: amount}
            for node in sorted(distance, key=distance.get, reverse=True):
                for link in network.entering[node] if part.get(node) else []:
                    tail = network.links[link][0]
                    if distance.get(tail) == distance[node] - 1:
                        carried = part[node] * Fraction(count[tail], count[node])
                        traffic[link] += carried
                        part[tail] = part.get(tail, 0) + carried
        else:
            paths = shares.get((s, d), [])
            demand(reduce(add, (share for share, _ in paths), Fraction(0)) == 1, "shares of a flow")
            for share, links in paths:
                for link in links:
                    traffic[link] = add(traffic[link], share * amount)
    return [t / link[2] for t, link in zip(traffic, network.links)]


def open_routing(network, text):
    """The function of (s,d) that gives shares and links of its paths, not yet verified."""
    if text.next_is("routing"):
        demand(network.tree, "a named routing of a network that is written out")
        spec = " ".join(text.take("routing", 1))
        return routings.routing(spec, network.tree, network.is_tree)
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

    return follow if rows else lambda s, d: listed.get((s, d), [])


def verified(network, routing):
    """The paths of every pair, verified."""
    found = {}
    for s, d in network.pairs():
        found[s, d] = routing(s, d)
        for share, links in found[s, d]:
            network.check_path(s, d, links)
            demand(share > 0, "share 0")
        shares = reduce(add, (share for share, _ in found[s, d]), Fraction(0))
        demand(shares == 1, f"shares of ({s},{d})")
    return found


def check_hose(network, demands):
    for host in range(network.hosts):
        sent = sum(amount for s, _, amount in demands if s == host)
        received = sum(amount for _, d, amount in demands if d == host)
        demand(sent <= network.capacity(network.leaving[host]), "hose")
        demand(received <= network.capacity(network.entering[host]), "hose")


def check_lower(network, paths, claims, text):
    """`Lower side`."""
    link, optu = (lambda words: (integer(words[0]), rational(words[1])))(text.take("witness", 2, 2))
    demands = text.demands()
    flow = text.flow()
    demand(link < len(network.links), "witness link")
    demand(max(loads(network, demands, flow)) <= optu, "OPTU exceeded")
    carried = sum(
        amount * share * links.count(link)
        for s, d, amount in demands
        for share, links in paths[s, d]
    )
    load = carried / network.links[link][2]
    for quantity, (lower, _) in claims.items():
        if quantity == "hose-load":
            check_hose(network, demands)
        if quantity == "permutation-load":
            for ends in ([s for s, _, _ in demands], [d for _, d, _ in demands]):
                demand(len(set(ends)) == len(ends), "no permutation")
            demand(all(amount <= 1 for _, _, amount in demands), "no permutation")
        demand(load >= lower * (optu if quantity == "oblivious-ratio" else 1), "witness too light")


def images(cycles, count):
    """Where cycles take the numbers below `count`."""
    named = [id for cycle in cycles for id in cycle]
    demand(len(set(named)) == len(named) and max(named, default=0) < count, "ids of an automorphism")
    taken = list(range(count))
    for cycle in cycles:
        for a, b in zip(cycle, cycle[1:] + cycle[:1]):
            taken[a] = b
    return taken


def shares(ways, taken):
    """The share of a pair by the images of links."""
    found = {}
    for share, links in ways:
        for link in links:
            found[taken[link]] = found.get(taken[link], 0) + share
    return found


def classes(network, paths, automorphisms):
    """`Symmetry`: a number per link, the same for links of the same class."""
    links = range(len(network.links))
    within(len(automorphisms) * network.hosts**2, 2**32, "automorphisms times pairs")
    within(len(automorphisms) * (network.nodes + len(links)), 2**26, "images")
    leads, same = [set() for _ in links], list(links)
    for cycles in automorphisms:
        nodes, taken = images(cycles[0], network.nodes), images(cycles[1], len(links))
        for host in range(network.hosts):
            demand(nodes[host] < network.hosts, "a host becomes a switch")
        for link, (a, b, capacity) in enumerate(network.links):
            demand(network.links[taken[link]] == (nodes[a], nodes[b], capacity), "no automorphism")
            leads[link].add(taken[link])
            leads[taken[link]].add(link)
        for (s, d), ways in paths.items():
            moved = paths[nodes[s], nodes[d]]
            demand(shares(ways, taken) == shares(moved, links), "the routing is not symmetric")
    for start in links:
        waiting = [start] if same[start] == start else []
        while waiting:
            for other in leads[waiting.pop()]:
                if same[other] > start:
                    same[other] = start
                    waiting.append(other)
    return same


def check_upper(network, paths, claims, cuts, evidence):
    """`Upper side`."""
    by_ends, automorphisms, records = evidence
    same = classes(network, paths, automorphisms)
    elsewhere = {same[link] for link, _ in records if link < len(same)}
    within(len(cuts) * network.hosts, 2**28, "cuts times hosts")
    ends = [len(a) + len(b) for a, b in zip(network.leaving, network.entering)]
    at_cuts = sum(ends[node] for nodes in cuts for node in nodes if node < network.nodes)
    within(at_cuts, 2**32, "links at the nodes of cuts")
    for nodes in cuts:
        demand(len(set(nodes)) == len(nodes) and max(nodes) < network.nodes, "cut")
    cuts = [set(nodes) for nodes in cuts]
    sizes = {"s": network.hosts, "d": network.hosts, "o": len(cuts), "i": len(cuts), "l": len(network.links)}
    held = sum("l" in cover for _, cover in records) * len(network.links)
    within(held, 2**26, "lengths")
    within(held * network.hosts, 2**34, "lengths")
    ends = network.links
    covers = {}
    for link, cover in records:
        demand(link < len(ends) and link not in covers, "cover")
        covers[link] = {side: dict(weighted) for side, weighted in cover.items()}
        cost = Fraction(0)
        for side, weighted in cover.items():
            ids = [id for id, _ in weighted]
            demand(ids == sorted(set(ids)) and ids[-1] < sizes[side], "ids of a cover")
            for id, weight in weighted:
                if side == "l":
                    cost += weight * ends[id][2]
                elif side in "sd":
                    cost += weight * network.capacity((network.leaving if side == "s" else network.entering)[id])
                else:
                    inside = [(a in cuts[id], b in cuts[id]) for a, b, _ in ends]
                    crossed = (True, False) if side == "o" else (False, True)
                    cost += weight * network.capacity(l for l, ab in enumerate(inside) if ab == crossed)
        if "l" in cover:
            unit = lcm(*(weight.denominator for _, weight in cover["l"]))
            within(unit, 2**120 - 1, "common denominator")
            within(sum(weight for _, weight in cover["l"]) * unit, 2**120 - 1, "sum of lengths")
        for quantity, (_, upper) in claims.items():
            of_hosts = set(cover) <= {"s", "d"}
            demand(quantity == "oblivious-ratio" or of_hosts, "a cover of more than hosts")
            bare = sum((w for weighted in cover.values() for _, w in weighted), Fraction(0))
            demand((bare if quantity == "permutation-load" else cost) / ends[link][2] <= upper, "cover too heavy")
    distances, at_ends = {}, ({}, {})
    for (s, d), ways in paths.items():
        for link in {link for _, links in ways for link in links}:
            if automorphisms and link not in covers and same[link] in elsewhere:
                continue
            share = sum(share * links.count(link) for share, links in ways)
            if by_ends and link not in covers:
                for host, known in zip((s, d), at_ends):
                    shares = known.setdefault(link, {})
                    shares[host] = max(share, shares.get(host, share))
                continue
            cover = covers.get(link, {})
            total = cover.get("s", {}).get(s, 0) + cover.get("d", {}).get(d, 0)
            total += sum(w for c, w in cover.get("o", {}).items() if s in cuts[c] and d not in cuts[c])
            total += sum(w for c, w in cover.get("i", {}).items() if d in cuts[c] and s not in cuts[c])
            if total < share and "l" in cover:
                if (link, s) not in distances:
                    length = lambda l: cover["l"].get(l, Fraction(0))
                    distances[link, s] = network.lengths(s, length)
                total += distances[link, s].get(d, 0)
            demand(total >= share, f"link {link} does not cover ({s},{d})")
    for quantity, (_, upper) in claims.items():
        bare = quantity == "permutation-load"
        for link in at_ends[0]:
            weights = []
            for known, links in zip(at_ends, (network.leaving, network.entering)):
                each = [x * (1 if bare else network.capacity(links[h])) for h, x in known[link].items()]
                weights.append(reduce(add, each, Fraction(0)))
            demand(min(weights) / ends[link][2] <= upper, f"the ends of link {link} are too heavy")


def check_least(network, paths, claims, text):
    """`All routings`."""
    quantity, lower, among = text.take("least", 3, 3)
    lower = rational(lower)
    demand(among in ("all", "shortest", "listed") and quantity in QUANTITIES, "least")
    allowed = {}
    for words in text.listing("allowed", 2) if among == "listed" else []:
        s, d, *links = map(integer, words)
        network.check_path(s, d, links)
        allowed.setdefault((s, d), []).append(links)
    records = []
    while text.next_is("against"):
        link, weight = text.take("against", 2, 2)
        demands = text.demands()
        routed = text.next_is("route")
        records.append((integer(link), rational(weight), demands, routed, text.flow() if routed else None))
    demand(quantity != "permutation-load" and quantity in claims, "least of nothing")
    demand(lower <= claims[quantity][1], "least above UPPER")
    size = max(network.nodes, len(network.links))
    within(network.hosts**2 * size, 2**31, "hosts squared times links or nodes")
    hops = {s: network.hops(s)[0] for s in range(network.hosts)} if among == "shortest" else {}
    for (s, d), ways in paths.items():
        for _, links in ways:
            demand(among != "shortest" or len(links) == hops[s][d], "not shortest")
            demand(among != "listed" or links in allowed.get((s, d), []), "not listed")
    prices, total = {}, Fraction(0)
    for link, weight, demands, routed, flow in records:
        demand(link < len(network.links), "against no link")
        demand(routed == (quantity == "oblivious-ratio"), "flow of against")
        if routed:
            demand(max(loads(network, demands, flow)) <= 1, "traffic against is too much")
        else:
            loads_of = [(s != d and max(s, d) < network.hosts and a > 0) for s, d, a in demands]
            demand(demands and all(loads_of), "bad demand")
            check_hose(network, demands)
        total += weight
        for s, d, amount in demands:
            of_pair = prices.setdefault((s, d), {})
            of_pair[link] = of_pair.get(link, 0) + weight * amount / network.links[link][2]
    if quantity == "oblivious-ratio" and lower <= 1 and not records:
        return
    paid = Fraction(0)
    for (s, d), price in prices.items():
        if among == "listed":
            paid += min(sum(price.get(link, 0) for link in links) for links in allowed[s, d])
            continue

        def length(link):
            a, b, _ = network.links[link]
            # A path whose every link leads one step farther has the fewest links possible.
            if among == "shortest" and hops[s][b] != hops[s][a] + 1:
                return None
            return price.get(link, Fraction(0))

        paid += network.lengths(s, length)[d]
    demand(paid >= lower * total and (total > 0 or lower == 0), "least is not proven")


def check_optimum(network, text):
    _, lower, upper = text.take("claim", 3, 3)
    lower, upper = rational(lower), rational(upper)
    demands = text.demands()
    flow = text.flow()
    lengths = {}
    for link, length in text.all("length", 2, 2):
        text.amount()
        link, length = integer(link), integer(length, 2**41)
        demand(link not in lengths and link < len(network.links), "length")
        lengths[link] = Fraction(length)
    text.end()
    demand(lower <= upper, "LOWER above UPPER")
    demand(max(loads(network, demands, flow)) <= upper, "UPPER exceeded")
    volume = sum(length * network.links[link][2] for link, length in lengths.items())
    of = lambda link: lengths.get(link, Fraction(0))
    passed = sum(amount * network.lengths(s, of)[d] for s, d, amount in demands)
    demand(volume > 0 and lower * volume <= passed, "lengths too short")


def check(path):
    text = Text(path.read_bytes())
    if product.is_one(text):
        return product.check(text)
    if local.is_one(text):
        return local.check(text, path.parent)
    network = Network(text)
    if text.next_is("claim") and text.rest[text.at][1:2] == ["optu"]:
        return check_optimum(network, text)
    routing = (lambda s, d: []) if text.next_is("group") else open_routing(network, text)
    if text.next_is("group"):
        return jobs.check(network, routing, text)
    cuts, claims = text.cuts(), {}
    for quantity, lower, upper in text.all("claim", 3, 3):
        demand(quantity in QUANTITIES and quantity not in claims, "claim")
        claims[quantity] = rational(lower), rational(upper)
        demand(claims[quantity][0] <= claims[quantity][1], "LOWER above UPPER")
    demand(claims, "no claim")
    paths = verified(network, routing)
    check_lower(network, paths, claims, text)
    by_ends = text.next_is("ends") and text.take("ends", 0, 0) == []
    check_upper(network, paths, claims, cuts, (by_ends, text.automorphisms(), text.covers()))
    if text.next_is("least"):
        check_least(network, paths, claims, text)
    elif text.next_is("single-path"):
        refute.check_single(network, paths, claims, text.take("single-path", 3), path.parent)
    text.end()


def main():
    for name in sys.argv[1:]:
        try:
            check(Path(name))
            print("accepted")
        except Refused as reason:
            print("refused", reason)
        except Beyond as reason:
            print("beyond", reason)


if __name__ == "__main__":
    main()
