"""Routings of networks of which parts fail (FORMAT.md, on `failures` certificates)."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from types import SimpleNamespace

from splits import Split
from upper import moves, symmetry
from words import add, demand, integer, rational, within


def numbers(word):
    """A list with commas: numbers in ascending order, each once."""
    found = [integer(number) for number in word.split(",")]
    demand(found == sorted(set(found)), f"the order of {word[:40]}")
    return tuple(found)


class Failures:
    """What is left of a network, and becomes of its pairs, where a set of elements fails."""

    def __init__(self, network, routing, rule, elements):
        self.network, self.routing, self.rule, self.elements = network, routing, rule, elements
        self.left, self.order = lru_cache(4)(self.left), lru_cache(None)(self.order)
        self.whole = {pair: routing.carried(*pair) for pair in network.pairs()}
        for pair in network.pairs() if rule == "next" else ():
            paths = self.whole_paths(*pair)
            demand(len(paths) == 1 and len(set(*paths)) == len(*paths), "`next` for several paths, or a loop")
        self.known, elements_of = {(): {}}, {}
        for element, links in enumerate(elements):
            for link in links:
                elements_of.setdefault(link, set()).add(element)
        self.breaks = [[] for _ in elements]
        for pair, carried in self.whole.items():
            for element in set().union(*(elements_of.get(link, ()) for link in carried)):
                self.breaks[element].append(pair)
        within(sum(map(len, self.breaks)), 2**27, "broken pairs")

    def gone(self, chosen):
        return frozenset(link for element in chosen for link in self.elements[element])

    def left(self, gone):
        """The split over all shortest paths of what is left, be the network named or written out."""
        network = SimpleNamespace(tree=None, nodes=self.network.nodes, links=self.network.links)
        split = Split(network, "hops" if self.rule == "hops" else "paths")
        split.entering = [[way for way in ways if way[1][0] not in gone] for ways in split.entering]
        return split

    def remaining(self, chosen):
        """The hosts that are not cut off."""
        gone, hosts, most = self.gone(chosen), set(range(self.network.hosts)), set()
        while len(hosts) > max(1, len(most)):
            first = min(hosts)
            part = hosts & self.network.hops(first, gone).keys() & self.left(gone).onward(first).keys()
            most = part if len(part) > max(1, len(most)) else most
            hosts -= part
        return most

    def broken(self, chosen):
        """By broken pair, cut off or not, the shares on links in a set; none if the pair sends nothing."""
        if chosen in self.known:
            return self.known[chosen]
        *before, last = chosen
        before, gone, after = self.broken(tuple(before)), self.gone(chosen), {}
        # Paths that the last element does not touch stay the shortest ones, or the next ones.
        for pair in dict.fromkeys([*before, *self.breaks[last]]):
            carried = before.get(pair, self.whole[pair])
            is_touched = any(link in carried for link in self.elements[last])
            after[pair] = self.repaired(*pair, gone) if is_touched else carried
        if len(chosen) < 2:
            self.known[chosen] = after
        return after

    def group(self, chosen, pair):
        """Which of the elements of a set of two breaks a pair: the first, the second, or both, one after the other."""
        touched = set()
        for one, other in (chosen, chosen[::-1]):
            shares = self.broken((one,)).get(pair)
            if shares is not None:
                touched.add(one)
                if any(link in carried for carried in (shares, self.whole[pair]) for link in self.elements[other]):
                    return "both"
        return touched.pop()

    def links_alone(self, element):
        return sum(map(len, self.broken((element,)).values()))

    def repaired(self, s, d, gone):
        if self.rule in ("none", "next"):
            return self.next(s, d, gone) if self.rule == "next" else {}
        left = self.left(gone)
        return left.carried(s, d) if s in left.onward(d) else {}

    def next(self, s, d, gone):
        order, (path,) = self.order(s, d), self.whole_paths(s, d)
        at = order.index(path) if path in order else len(order)
        later = order[at:] + order[:at] if at < len(order) else []
        found = next((path for path in later if gone.isdisjoint(path)), ())
        return dict.fromkeys(found, Fraction(1))

    def whole_paths(self, s, d):
        return {tuple(links) for _, links in self.routing.paths(s, d)}

    def order(self, s, d):
        """All paths with the fewest links, in lexicographic order."""
        onward, paths = self.left(frozenset()).onward(d), [(s, ())]
        while paths[0][0] != d:
            paths = [(head, (*path, link)) for node, path in paths for link, head in onward[node]]
        return sorted(path for _, path in paths)

    def first_sets(self, automorphisms, sets):
        """By set, the first one of its class."""
        within(len(automorphisms) * len(sets), 2**28, "automorphism records times sets")
        number = {frozenset(links): element for element, links in enumerate(self.elements)}
        leads, first = [], {}
        for _, taken in moves(self.network, automorphisms):
            images = [frozenset(taken[link] for link in links) for links in self.elements]
            demand(all(image in number for image in images), "an element is taken to none")
            leads.append([number[image] for image in images])
        for start in sets:
            waiting = [] if start in first else [start]
            while waiting:
                chosen = waiting.pop()
                first[chosen] = start
                images = {tuple(sorted(lead[element] for element in chosen)) for lead in leads}
                waiting += [image for image in images if image not in first]
        return first

    def check_lower(self, lower, link, chosen, demands):
        """`Lower side`, without that demands are a permutation."""
        demand(link < len(self.network.links) and link not in self.gone(chosen), "loaded link")
        stay, broken, traffic = self.remaining(chosen), self.broken(chosen), Fraction(0)
        for s, d, amount in demands:
            demand(s != d and {s, d} <= stay and amount > 0, "a demand of hosts cut off, or of none")
            carried = broken.get((s, d), self.whole[s, d])
            demand(carried, "a demand of a pair that sends nothing")
            traffic = add(traffic, amount * carried.get(link, 0))
        demand(demands and traffic / self.network.links[link][2] >= lower, "permutation too light")


def lacks(cover, s, d, share):
    """How much of a share a cover does not cover."""
    held = cover[0].get(s, 0) + cover[1].get(d, 0)
    return share - held if share > held else 0


def covers_all(cover, shares):
    return not any(lacks(cover, *words) for words in shares)


def excess(cover, shares):
    """The lesser of what the weights of sources and those of destinations must be raised by."""
    raised = {}, {}
    for s, d, share in shares:
        if lack := lacks(cover, s, d, share):
            for side, host in zip(raised, (s, d)):
                side[host] = max(lack, side.get(host, 0))
    return min(sum(side.values()) for side in raised)


class UpperSide:
    """`Upper side`: covers, and what they must cover in every set."""

    def __init__(self, failures, upper, records):
        self.failures, self.upper, self.of, self.shares, self.failed = failures, upper, {}, {}, {}
        for link, cover in records:
            self.of.setdefault(link, []).append(self.read(link, cover))
        for (s, d), carried in failures.whole.items():
            for link, share in carried.items():
                self.shares.setdefault(link, []).append((s, d, share))
        for link, shares in self.shares.items():
            demand(all(covers_all(cover, shares) for cover in self.listed(link)), f"cover of link {link}")

    def read(self, link, cover):
        """The weights of a cover, of sources and of destinations, and their total."""
        hosts, links = self.failures.network.hosts, self.failures.network.links
        demand(link < len(links) and set(cover) <= {"s", "d"}, "a cover of no link, or of more than hosts")
        for ids in ([id for id, _ in weighted] for weighted in cover.values()):
            demand(ids == sorted(set(ids)) and ids[-1] < hosts, "ids of a cover")
        total = Fraction(0)
        for _, weight in (words for weighted in cover.values() for words in weighted):
            total = add(total, weight)
        demand(self.is_light(link, total), "cover too heavy")
        return dict(cover.get("s", [])), dict(cover.get("d", [])), total

    def is_light(self, link, total):
        return total <= self.upper * self.failures.network.links[link][2]

    def listed(self, link):
        return self.of.get(link, [({}, {}, Fraction(0))])

    def take_failed(self, text, is_set):
        """`failed` records and the covers behind them."""
        last = 0, ()
        while text.next_is("failed"):
            chosen = numbers(text.take("failed", 1, 1)[0])
            demand(is_set(chosen) and last < (len(chosen), chosen), "set of `failed`")
            last, gone, behind = (len(chosen), chosen), self.failures.gone(chosen), {}
            for link, cover in text.covers():
                demand(link not in behind and link not in gone, "a cover twice, or of a link that is gone")
                behind[link] = self.read(link, cover)
            demand(behind, "`failed` without covers")
            self.failed[chosen] = behind

    def check_set(self, chosen, stay):
        """That every link of broken pairs has a bound."""
        broken, behind, shares_on = self.failures.broken(chosen), self.failed.get(chosen, {}), {}
        for (s, d), carried in broken.items():
            for link, share in carried.items() if s in stay and d in stay else ():
                shares_on.setdefault(link, []).append((s, d, share))
        for link, cover in behind.items():
            kept = [words for words in self.shares.get(link, []) if words[:2] not in broken]
            kept = [words for words in kept if stay.issuperset(words[:2])]
            demand(covers_all(cover, kept + shares_on.pop(link, [])), f"cover of {link} where {chosen} fail")
        for link, shares in shares_on.items():
            is_light = any(self.is_raised(link, cover, chosen, shares) for cover in self.listed(link))
            demand(is_light, f"link {link} where {chosen} fail")

    def is_raised(self, link, cover, chosen, shares):
        """Whether a cover is light enough when it is raised, by all pairs together or group by group."""
        if self.is_light(link, cover[2] + excess(cover, shares)):
            return True
        groups = {}
        for words in shares if len(chosen) == 2 else ():
            groups.setdefault(self.failures.group(chosen, words[:2]), []).append(words)
        return bool(groups) and self.is_light(link, cover[2] + sum(excess(cover, group) for group in groups.values()))


def check(network, routing, text, check_permutation):
    rule, most = text.take("repair", 2, 2)
    most = integer(most)
    demand(rule in ("none", "next", "paths", "hops") and most in (1, 2), "repair")
    elements = [numbers(word) for (word,) in text.all("element", 1, 1)]
    within(len(elements), 2**16, "elements")
    within(sum(map(len, elements)), 2**22, "links of elements")
    within(sum(comb(len(elements), size) for size in range(most + 1)), 2**22, "sets")
    demand(elements and len(set(elements)) == len(elements), "no element, or two that are alike")
    demand(all(links[-1] < len(network.links) for links in elements), "an element of no link")
    name, lower, upper = text.take("claim", 3, 3)
    lower, upper = rational(lower), rational(upper)
    demand(name == "failure-load" and lower <= upper, "claim on failures")
    link, *where = text.take("loaded", 1, 2)
    link, where = integer(link), numbers(where[0]) if where else ()
    is_set = lambda chosen: len(chosen) <= most and max(chosen, default=0) < len(elements)
    demand(is_set(where), "set of `loaded`")
    demands, automorphisms, records = text.demands(), text.automorphisms(), text.covers()
    demand(rule != "next" or not automorphisms, "automorphisms with `next`")
    symmetry(network, routing, automorphisms)
    failures = Failures(network, routing, rule, elements)
    upper_side = UpperSide(failures, upper, records)
    upper_side.take_failed(text, is_set)
    text.end()
    check_permutation(demands)
    failures.check_lower(lower, link, where, demands)
    sets = [chosen for size in range(most + 1) for chosen in combinations(range(len(elements)), size)]
    first, verified = failures.first_sets(automorphisms, sets), set()
    for chosen in sets[1:]:
        stay = failures.remaining(chosen)
        if first[chosen] != chosen and len(stay) == network.hosts:
            demand(chosen not in upper_side.failed, "`failed` of a set that is not the first of its class")
            continue
        verified.update(chosen if len(chosen) == 2 else ())
        upper_side.check_set(chosen, stay)
        within(failures.links_alone(chosen[0]) if chosen not in upper_side.failed else 0, 2**27, "links of broken pairs")
    within(sum(map(failures.links_alone, verified)), 2**27, "links of broken pairs")
