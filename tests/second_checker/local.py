"""Local adaptive routing: schemes and formulas (FORMAT.md, LOCAL.md)."""

from itertools import combinations
from math import comb

from names import topology
from refute import follow
from words import demand, integer, within


def is_one(text):
    """Whether the claim, behind a named network, is one on the number of top switches."""
    claims = [words for words in text.rest[1:3] if words[0] == "claim"]
    return bool(claims) and claims[0][1:2] == ["local-adaptive-switches"]


def sets(most, hosts):
    """How many sets of at most that number of hosts there are."""
    return sum(comb(hosts, size) for size in range(most + 1))


def patterns(n, r, v):
    outside = [host for host in range(n * r) if host // n != v]
    return [D for size in range(1, n + 1) for D in combinations(outside, size)]


class Formula:
    """The local encoding."""

    def __init__(self, n, m, r):
        within(n * r, 64, "hosts")
        C = sets(n - 1, (r - 1) * n - 1)
        down = r * (r - 1) * (r - 2) // 2 * n * (n - 1) * C * C * m
        within(r * r * n * n * C * m + down, 2**27, "size of the formula")
        self.n, self.m, self.r, self.first, self.variables = n, m, r, {}, 0
        for v in range(r):
            for D in patterns(n, r, v):
                for d in D:
                    self.first[v, D, d] = self.variables + 1
                    self.variables += m

    def x(self, v, D, d, t):
        return self.first[v, D, d] + t

    def differ(self, one, other):
        for t in range(self.m):
            yield [-self.x(*one, t), -self.x(*other, t)]

    def clauses(self):
        n, r = self.n, self.r
        of = [patterns(n, r, v) for v in range(r)]
        for v in range(r):
            for D in of[v]:
                for d in D:
                    yield [self.x(v, D, d, t) for t in range(self.m)]
                for d, e in combinations(D, 2):
                    yield from self.differ((v, D, d), (v, D, e))
        for v, w in combinations(range(r), 2):
            for D in of[v]:
                for E in of[w]:
                    if not set(D) & set(E):
                        for d in D:
                            for e in E:
                                if d // n == e // n:
                                    yield from self.differ((v, D, d), (w, E, e))
        whole = tuple(range(n, 2 * n))
        for i in range(n):
            yield [self.x(0, whole, n + i, i)]


def check_scheme(n, m, r, rules):
    scheme = {}
    for v, D, tops in rules:
        demand(v < r and 1 <= len(D) <= n and len(D) == len(tops), "sizes of a rule")
        demand(all(a < b for a, b in zip(D, D[1:])), "hosts of a rule")
        demand(all(d < n * r and d // n != v for d in D), "host of a rule")
        demand(max(tops) < m and len(set(tops)) == len(tops), "top switches of a rule")
        demand((v, D) not in scheme, "two rules of a pattern")
        scheme[v, D] = tops
    demand(len(scheme) == r * (sets(n, n * r - n) - 1), "a pattern without a rule")
    for (v, D), tops in scheme.items():
        for (w, E), others in scheme.items():
            if v < w and not set(D) & set(E):
                used = {(d // n, top) for d, top in zip(D, tops)}
                demand(not used & {(e // n, top) for e, top in zip(E, others)}, "rules that meet")


def check(text, folder):
    tree, _, is_tree = topology(" ".join(text.take("topology", 1)), 2**63 - 1)
    _, lower, upper = text.take("claim", 3, 3)
    lower, upper = integer(lower), integer(upper)
    found = text.all("rule", 3, 3)
    text.listed += len(found)
    text.links_listed += sum(len(word.split(",")) for words in found for word in words[1:])
    within(text.listed, 2**24, "listed rules")
    within(text.links_listed, 2**26, "numbers of rules")
    numbers = lambda word: tuple(integer(number) for number in word.split(","))
    rules = [(integer(v), numbers(hosts), numbers(ports)) for v, hosts, ports in found]
    fewer = text.take("fewer", 3, 3) if text.next_is("fewer") else None
    if fewer:
        fewer[0] = integer(fewer[0])
    text.end()
    demand(lower <= upper, "LOWER above UPPER")
    demand(is_tree and tree.height == 2 and tree.w[0] == 1, "no folded-Clos network")
    n, r = tree.m
    demand(tree.w[1] == upper and r >= 2, "another network")
    within(n * r, 64, "hosts")
    within(len(rules), 2**16, "rules")
    check_scheme(n, upper, r, rules)
    demand((lower > n) == (fewer is not None), "`fewer` or not")
    if fewer:
        demand(2 <= fewer[0] <= r, "switches of the formula")
        formula = Formula(n, lower - 1, fewer[0])
        follow(formula.variables, list(formula.clauses()), fewer[1:], folder)
