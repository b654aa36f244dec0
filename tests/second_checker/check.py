"""A second checker of certificates, written from FORMAT.md, NAMES.md, COUNTING.md, ENCODING.md
and LOCAL.md alone. It prints one line per file: `accepted` and the claims, or `refused` or `beyond` and why.

    python3 tests/second_checker/check.py FILE...
"""

import heapq
import sys
from collections import deque
from fractions import Fraction
from functools import reduce
from pathlib import Path

import adaptive
import failures
import few
import jobs
import local
import product
import refute
import splits
from names import topology
from shares import Listed, open_routing
from upper import check_upper, means, moves
from words import QUANTITIES, Beyond, Refused, Text, add, demand, integer, rational, records, within


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
        return ((s, d) for d in hosts for s in hosts if s != d)

    def capacity(self, links):
        return sum((self.links[link][2] for link in links), Fraction(0))

    def check_path(self, s, d, links):
        demand(s != d and max(s, d) < self.hosts, "a path of no pair")
        at = s
        for link in links:
            demand(link < len(self.links) and self.links[link][0] == at, "a path that breaks")
            at = self.links[link][1]
        demand(at == d and links, "a path that does not join its pair")

    def hops(self, start, gone=frozenset()):
        """Distances from a node by number of links, without those that are gone."""
        distance, queue = {start: 0}, deque([start])
        while queue:
            node = queue.popleft()
            for link in self.leaving[node]:
                head = self.links[link][1]
                if head not in distance and link not in gone:
                    distance[head] = distance[node] + 1
                    queue.append(head)
        return distance

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


def on_shortest(network, s, d):
    """By link, how many of the shortest paths of a pair pass it; and how many there are."""
    layers, seen = [{s: 1}], {s}
    while d not in layers[-1]:
        demand(layers[-1], "a demand without a path")
        layer = {}
        for node, ways in layers[-1].items():
            for link in network.leaving[node]:
                head = network.links[link][1]
                if head not in seen:
                    layer[head] = layer.get(head, 0) + ways
        within(max(layer.values(), default=0), 2**128 - 1, "shortest paths")
        seen.update(layer)
        layers.append(layer)
    onward, passing = {d: 1}, {}
    for layer in reversed(layers[:-1]):
        heads, onward = onward, {}
        for head, ways in heads.items():
            for link in network.entering[head]:
                tail = network.links[link][0]
                if tail in layer:
                    passing[link] = layer[tail] * ways
                    onward[tail] = onward.get(tail, 0) + ways
    return passing, layers[-1][d]


def loads(network, demands, flow):
    """The load of every link under a flow (`Of all traffic`)."""
    demand(demands, "no demand")
    traffic = [Fraction(0)] * len(network.links)
    for s, d, amount in demands:
        demand(s != d and max(s, d) < network.hosts and amount > 0, "bad demand")
    by_pair, even = {}, {}
    for s, d, share, links in flow or []:
        network.check_path(s, d, links)
        by_pair.setdefault((s, d), []).append((share, links))
    for s, d, amount in demands:
        if flow is None:
            passing, ways = on_shortest(network, s, d)
            counts = even.setdefault(amount / ways, {})
            for link, count in passing.items():
                counts[link] = counts.get(link, 0) + count
        else:
            paths = by_pair.get((s, d), [])
            demand(reduce(add, (share for share, _ in paths), Fraction(0)) == 1, "shares of a flow")
            for share, links in paths:
                for link in links:
                    traffic[link] = add(traffic[link], share * amount)
    for amount, counts in even.items():
        for link, count in counts.items():
            traffic[link] = add(traffic[link], amount * count)
    return [t / link[2] for t, link in zip(traffic, network.links)]


def check_hose(network, demands):
    for end, links in enumerate((network.leaving, network.entering)):
        total = {}
        for words in demands:
            host, amount = words[end], words[2]
            total[host] = add(total.get(host, Fraction(0)), amount)
        demand(all(x <= network.capacity(links[host]) for host, x in total.items()), "hose")


def check_permutation(demands):
    for ends in ([s for s, _, _ in demands], [d for _, d, _ in demands]):
        demand(len(set(ends)) == len(ends), "no permutation")
    demand(all(amount <= 1 for _, _, amount in demands), "no permutation")


def check_lower(network, routing, claims, text):
    """`Lower side`."""
    link, optu = (lambda words: (integer(words[0]), rational(words[1])))(text.take("witness", 2, 2))
    demands = text.demands()
    flow = text.flow()
    demand(link < len(network.links), "witness link")
    demand(max(loads(network, demands, flow)) <= optu, "OPTU exceeded")
    carried = Fraction(0)
    for s, d, amount in demands:
        carried = add(carried, amount * routing.carried(s, d).get(link, 0))
    load = carried / network.links[link][2]
    for quantity, (lower, _) in claims.items():
        if quantity == "hose-load":
            check_hose(network, demands)
        if quantity == "permutation-load":
            check_permutation(demands)
        demand(load >= lower * (optu if quantity == "oblivious-ratio" else 1), "witness too light")


def check_least(network, routing, automorphisms, claims, text):
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
    hops = {s: network.hops(s) for s in range(network.hosts)} if among == "shortest" else {}
    for s, d in network.pairs() if among != "all" else []:
        for _, links in routing.paths(s, d):
            demand(among != "shortest" or len(links) == hops[s][d], "not shortest")
            demand(among != "listed" or links in allowed.get((s, d), []), "not listed")
    for nodes, taken in moves(network, automorphisms):
        for (s, d), paths in allowed.items():
            others = allowed.get((nodes[s], nodes[d]), [])
            moved = all([taken[link] for link in links] in others for links in paths)
            demand(moved, "an automorphism takes an allowed path to another")
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
    prices = means(network, automorphisms, prices) if automorphisms else prices
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


def check_tables(network, is_tables, claims, lower, nodes):
    """`All forwarding tables`."""
    lower, nodes = rational(lower), {integer(node) for node in nodes.split(",")}
    demand("permutation-load" in claims and lower <= claims["permutation-load"][1], "by-destination")
    demand(is_tables and max(nodes) < network.nodes, "by-destination of no tables, or at no node")
    head = lambda link: network.links[link][1]
    behind = {node: 0 for node in nodes}
    near = set(nodes)
    for host in set(range(network.hosts)) - nodes:
        heads = {head(link) for link in network.leaving[host]}
        if len(heads) == 1 and heads <= nodes:
            near.add(host)
            behind[heads.pop()] += 1
    exits = [[link for link in network.leaving[node] if head(link) not in near] for node in nodes]
    on, exits = sum(exits, []), sum(1 for links in exits if links)
    far = set(range(network.hosts)) - near - {head(link) for link in on}
    groups = sorted(hosts for hosts in behind.values() if hosts)
    proven = 0
    if on:
        sources = sum(groups[: -(-len(groups) // exits)])
        widest = max(network.links[link][2] for link in on)
        proven = min(sources, -(-len(far) // len(on))) / Fraction(widest)
    demand(lower <= proven, "by-destination is not proven")


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
    is_split, is_tables = text.next_is("split"), text.next_is("next")
    routing = Listed(network) if text.next_is("group") else open_routing(network, text)
    if text.next_is("group"):
        return jobs.check(network, routing, text)
    if text.next_is("repair"):
        return failures.check(network, routing, text, check_permutation)
    records, cuts, claims = text.classes(), text.cuts(), {}
    for quantity, lower, upper in text.all("claim", 3, 3):
        demand(quantity in QUANTITIES and quantity not in claims, "claim")
        claims[quantity] = rational(lower), rational(upper)
        demand(claims[quantity][0] <= claims[quantity][1], "LOWER above UPPER")
    demand(claims, "no claim")
    demand(not records or is_split, "classes without a split")
    alike = splits.Classes(network, records)
    check_lower(network, routing, claims, text)
    by_ends = text.next_is("ends") and text.take("ends", 0, 0) == []
    evidence = by_ends, text.automorphisms(), text.covers()
    check_upper(network, routing, claims, (cuts, alike), evidence)
    demand(not records or text.next_is("end"), "least or single-path with classes")
    if text.next_is("least"):
        check_least(network, routing, evidence[1], claims, text)
    elif text.next_is("single-path"):
        refute.check_single(network, routing, claims, text.take("single-path", 3), path.parent)
    elif text.next_is("few-paths"):
        few.check_few(network, routing, claims, text.take("few-paths", 3, 3))
    elif text.next_is("adaptive-rates"):
        kinds = loads, check_hose, check_permutation
        adaptive.check_adaptive(network, routing, claims, text, kinds)
    elif text.next_is("by-destination"):
        check_tables(network, is_tables, claims, *text.take("by-destination", 2, 2))
    text.end()


def claims_of(path):
    """The claims of a certificate that was accepted, as they stand in it."""
    return [" ".join(words[1:]) for words in records(path.read_bytes()) if words[0] == "claim"]


def main():
    for name in sys.argv[1:]:
        try:
            check(Path(name))
            print(" ".join(["accepted", ", ".join(claims_of(Path(name)))]).strip())
        except Refused as reason:
            print("refused", reason)
        except Beyond as reason:
            print("beyond", reason)


if __name__ == "__main__":
    main()
