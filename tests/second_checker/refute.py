"""Bounds on all single-path routings: counts (COUNTING.md), formulas (ENCODING.md) and proofs."""

import re
from math import prod

from words import Refused, demand, integer, lines, within


def check_single(network, routing, claims, words, folder):
    quantity, lower, kind, *rest = words
    lower, tree = integer(lower), network.tree
    demand(quantity in ("oblivious-ratio", "permutation-load") and quantity in claims, "single-path")
    demand(lower <= claims[quantity][1], "single-path above UPPER")
    demand(network.is_tree, "no tree")
    for s, d in network.pairs():
        ways = routing.paths(s, d)
        demand(len(ways) == 1 and len(ways[0][1]) == 2 * tree.level(s, d), "not one path up and down")
    ratio = max(lower - 1, 0)
    most = covered(tree, quantity, ratio)
    counts = {"trivial": 0, "count": 1, "nested": 2, "lrat": 5}
    demand(kind in counts and len(rest) == counts[kind], "refutation")
    demand((most == 0) == (kind == "trivial"), "trivial or not")
    if kind == "count":
        check_count(tree, integer(rest[0]), most)
    elif kind == "nested":
        check_nested(tree, integer(rest[0]), integer(rest[1]), most)
    elif kind == "lrat":
        if quantity == "oblivious-ratio":
            hosts_cover = all(ratio < tree.ports[k + 1] for k in range(1, tree.height))
            demand(tree.full_bisection() or hosts_cover, "subtrees cover")
            ratio //= tree.w[0]
        check_formula(tree, ratio, rest, folder)


def covered(tree, quantity, weight):
    """The most hosts that a collection of subtrees of this weight covers, by trying all."""
    if quantity == "permutation-load":
        return weight
    # Heavier than all subtrees together need not be told apart: they cover everything.
    weight = min(weight, 2 * tree.ports[tree.height] * tree.hosts)
    best = [0] * (weight + 1)
    for at in range(1, weight + 1):
        best[at] = best[at - 1]
        for k in range(tree.height):
            if tree.ports[k + 1] <= at:
                best[at] = max(best[at], best[at - tree.ports[k + 1]] + tree.below[k])
    return best[weight]


def check_count(tree, i, most):
    demand(1 <= i < tree.height, "height")
    n, r, p = tree.below[i], tree.hosts // tree.below[i], tree.ports[i + 1]
    carried, wanted = p * carries(n, r, most), r * (r - 1) * n * n
    full = carried == wanted and r >= 3 and r * most < 2 * n
    demand(carried < wanted or full, "count")


def carries(n, r, X):
    """T(n,r,X)"""
    X = min(X, n)
    return (r - 1) * X * max(r * X, 2 * n)


def check_nested(tree, i, k, most):
    demand(1 <= i < k < tree.height, "heights")
    n, n_k = tree.below[i], tree.below[k]
    g, R = n_k // n, tree.hosts // n_k
    p, q = tree.ports[i + 1], tree.ports[k + 1] // tree.ports[i + 1]
    core = q * carries(min(n_k, g * most), R, most)
    wanted = best = R * (R - 1) * n_k * n_k
    if most <= n:
        for part in range(8):
            best = min(best, (between(n, g, R, most, part) + (8 - part) * core) // 8)
    demand(p * best < wanted, "nested count")


def between(n, g, R, X, part):
    """What a star carries between groups, in eighths, the core counting `part` eighths."""
    within(R * (g * X + 1) ** 2 * (R * g * X + 1 + X * (2 * X + 1)) ** 2, 2**32, "additions")
    up = lambda a, Y: Y * (n - a) + (X - a - Y) * min(X, n - a)
    of_a = [group(g, [up(a, min(X - a, left)) for a in range(X + 1)]) for left in range(X + 1)]
    of_c = [group(g, [min(X - c, left) * (n - c) for c in range(X + 1)]) for left in range(X + 1)]
    left = lambda few, own: X if few == 2 * X else min(X, few - own)
    best = 0
    for few_a in range(2 * X + 1):
        for few_c in range(2 * X + 1):
            gain = {}
            for a in range(g * X + 1):
                for c in range(g * X + 1):
                    above = few_a < 2 * X and a > few_a or few_c < 2 * X and c > few_c
                    if not above:
                        own = of_a[left(few_c, c)][a] + of_c[left(few_a, a)][c]
                        gain[a, c] = 8 * own - part * a * c
            sums = {(0, 0): 0}
            for _ in range(R):
                longer = {}
                for (A, C), total in sums.items():
                    for (a, c), more in gain.items():
                        key = A + a, C + c
                        above = key[0] > few_a < 2 * X or key[1] > few_c < 2 * X
                        if not above and longer.get(key, total + more - 1) < total + more:
                            longer[key] = total + more
                sums = longer
            for (A, C), total in sums.items():
                if min(A, 2 * X) == few_a and min(C, 2 * X) == few_c:
                    best = max(best, part * A * C + total)
    return best


def group(g, gains):
    """The most that g subtrees gain, by the sum of their sizes."""
    best = {0: 0}
    for _ in range(g):
        longer = {}
        for total, sum in best.items():
            for own, gain in enumerate(gains):
                longer[total + own] = max(longer.get(total + own, sum + gain), sum + gain)
        best = longer
    return best


class Formula:
    """The cover encoding of a kept tree."""

    def __init__(self, m, w, X, f, ordered):
        self.m, self.w, self.X, self.f, self.ordered = m, w, X, f, ordered
        self.h, self.size = len(m), [prod(m[:l]) for l in range(len(m) + 1)]
        self.P = [prod(w[:l]) for l in range(len(w) + 1)]
        N = self.N = self.size[-1]
        within(N * N * sum(self.P) * (X + 2) + N * self.P[-1] ** 2, 2**26, "size of the formula")
        next, self.first = 0, {}
        for s in range(N):
            for d in range(N):
                L = self.level(s, d)
                if L >= f:
                    for l in range(f, L + 1):
                        self.first[s, d, l] = next
                        next += self.P[l]
        self.stride = N + ((N - 1) * X if N > X else 0)
        self.link = {}
        for l in range(f, self.h + 1):
            for down in (False, True):
                for T in range(N // self.size[l - 1]):
                    for p in range(self.P[l]):
                        self.link[l, down, T, p] = next
                        next += self.stride
        self.variables = next

    def level(self, s, d):
        return next(l for l in range(self.h + 1) if s // self.size[l] == d // self.size[l])

    def c(self, s, d, l, p):
        return self.first[s, d, l] + p + 1

    def cover(self, l, down, near, p, host):
        size = self.size[l - 1]
        T = near // size
        outside = [x for x in range(self.N) if x // size != T]
        place = host - T * size if host // size == T else size + outside.index(host)
        return self.link[l, down, T, p] + place + 1

    def clauses(self):
        pairs = sorted({(s, d) for s, d, _ in self.first})
        for s, d in pairs:
            yield [self.c(s, d, self.f, p) for p in range(self.P[self.f])]
            for l in range(self.f + 1, self.level(s, d) + 1):
                w = self.w[l - 1]
                for p in range(self.P[l - 1]):
                    above = [self.c(s, d, l, p * w + i) for i in range(w)]
                    yield [-self.c(s, d, l - 1, p)] + above
        yield from self.order([pair for pair in pairs if self.level(*pair) == self.h])
        if self.N > self.X:
            for before in sorted(self.link.values()):
                yield from self.counter(before)
        for s, d in pairs:
            for l in range(self.f, self.level(s, d) + 1):
                for p in range(self.P[l]):
                    c = -self.c(s, d, l, p)
                    yield [c, self.cover(l, False, s, p, s), self.cover(l, False, s, p, d)]
                    yield [c, self.cover(l, True, d, p, d), self.cover(l, True, d, p, s)]

    def order(self, pairs):
        first = pairs[: self.ordered]
        for k, (s, d) in enumerate(first):
            for l in range(self.f, self.h + 1):
                group = self.P[l] if l == self.f else self.w[l - 1]
                for p in range(self.P[l]):
                    if p % group:
                        before = [self.c(a, b, l, p - 1) for a, b in first[:k]]
                        yield [-self.c(s, d, l, p)] + before
        if not self.ordered or self.m[-1] == 1:
            return
        e = self.size[self.h - 1]
        for l in range(1, self.h + 1):
            for a in range(0, self.N - self.size[l - 1], self.size[l - 1]):
                b = a + self.size[l - 1]
                if a // self.size[l] != b // self.size[l] or (l == self.h and a == 0):
                    continue
                A, B = ((a, e), (b, e)) if b < e else ((0, a), (0, b))
                for p in range(self.P[-1]):
                    for q in range(p):
                        yield [-self.c(*A, self.h, p), -self.c(*B, self.h, q)]

    def counter(self, before):
        N, X = self.N, self.X
        y = lambda i: before + 1 + i
        r = lambda i, j: before + N + i * X + j
        for i in range(N):
            last = i == N - 1
            if not last:
                yield [-y(i), r(i, 1)]
            if i > 0:
                if not last:
                    yield from ([-r(i - 1, j), r(i, j)] for j in range(1, X + 1))
                    yield from ([-y(i), -r(i - 1, j), r(i, j + 1)] for j in range(1, X))
                yield [-y(i), -r(i - 1, X)]


SIGNED = "[0-9]+|-0*[1-9][0-9]*"


def numbers(words, pattern=SIGNED):
    demand(all(re.fullmatch(pattern, word) for word in words), "a number")
    return [int("-" * (word[0] == "-") + (word.lstrip("-0")[:99] or "0")) for word in words]


def limited(words, pattern=SIGNED):
    """Numbers of a proof."""
    found = numbers(words, pattern)
    within(max(map(abs, found), default=0), 2**63 - 1, "a number in a proof")
    return found


def steps(folder, name, limit):
    """The words of the lines of a file that are not comments."""
    demand("/" not in name and "\\" not in name, "name of a file")
    within(max(map(len, re.findall("[0-9]+", name)), default=0), 200, "digits of the name of a file")
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise Refused(f"{name}: {error.strerror}") from error
    for line in lines(data, limit):
        words = [word.decode("latin-1") for word in re.split(rb"[ \t]+", line) if word]
        if words and words[0] != "c":
            yield words


def check_formula(tree, most, words, folder):
    kept, f, ordered = words[0].split(","), integer(words[1]), integer(words[2])
    kept = [integer(word) for word in kept]
    fits = len(kept) == tree.height and all(1 <= k <= m for k, m in zip(kept, tree.m))
    demand(fits and 1 <= f <= tree.height, "no part of the tree")
    formula = Formula(kept, tree.w, most, f, ordered)
    follow(formula.variables, list(formula.clauses()), words[3:], folder)


def follow(variables, clauses, names, folder):
    """Compares a file with a formula, and follows the proof in another."""
    found = list(steps(folder, names[0], 2**30))
    demand(found and found[0][:2] == ["p", "cnf"] and len(found) == len(clauses) + 1, "formula")
    demand(numbers(found[0][2:], "[0-9]+") == [variables, len(clauses)], "header")
    for clause, line in zip(clauses, found[1:]):
        demand(numbers(line) == clause + [0], "clause")
    check_proof(variables, clauses, steps(folder, names[1], 2**34))


def check_proof(variables, clauses, proof):
    held = dict(enumerate(clauses, 1))
    last, literals = len(clauses), sum(map(len, clauses))
    for words in proof:
        if words[1:2] == ["d"]:
            limited(words[:1], "[0-9]+")
            deleted = limited(words[2:])
            demand(deleted and deleted[-1] == 0 and 0 not in deleted[:-1], "step")
            for clause in deleted[:-1]:
                demand(clause in held, "no such clause")
                literals -= len(held.pop(clause))
            continue
        number, *rest = limited(words[:1], "[0-9]+") + limited(words[1:])
        demand(rest.count(0) == 2 and rest[-1] == 0, "step")
        clause, hints = rest[: rest.index(0)], rest[rest.index(0) + 1 : -1]
        demand(number > last, "order of steps")
        demand(all(abs(literal) <= variables for literal in clause), "literal")
        demand(min(hints, default=0) >= 0, "a negative hint")
        false, shown = set(clause), False
        for hint in hints:
            demand(hint in held, "hint")
            open = [literal for literal in held[hint] if literal not in false]
            if not open:
                shown = True
                break
            demand(len(open) == 1, "hint leaves more open")
            false.add(-open[0])
        demand(shown, "step is not shown")
        if not clause:
            # What follows has to be there whole, and within limits.
            for _ in proof:
                pass
            return
        held[number], last = clause, number
        literals += len(clause)
        within(literals, 2**30, "literals")
    raise Refused("no empty clause")
