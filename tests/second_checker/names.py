"""Named networks and routings (NAMES.md)."""

import re
from fractions import Fraction
from functools import lru_cache
from math import isqrt, prod

from words import demand, limited, within


def spec(text):
    """Name, groups of numbers, and options, in the only spelling that they have."""
    for number in re.findall("[0-9]+", text):
        limited(number, 2**64 - 1)
    found = re.fullmatch(r"([a-z0-9-]+)(?:\(([a-z0-9,;=]+)\))?", text)
    demand(found, "spelling of a spec")
    groups, options = [], {}
    for group in (found[2] or "").split(";") if found[2] else []:
        demand(not options, "a group behind an option")
        numbers = []
        for item in group.split(","):
            key, is_option, value = item.rpartition("=")
            demand(re.fullmatch("0|[1-9][0-9]*|[a-z][a-z0-9]*", value), "spelling of a value")
            if is_option:
                demand(re.fullmatch("[a-z]+", key) and key not in options, "option")
                options[key] = value
            else:
                demand(value.isdigit() and not options, "a word, or a number behind an option")
                numbers.append(int(value))
        demand(numbers or not groups, "options alone behind numbers")
        if numbers:
            groups.append(numbers)
    return found[1], groups, options


def option(options, key, default):
    """The number of an option."""
    value = options.get(key, str(default))
    demand(value.isdigit(), "a word in place of a number")
    return int(value)


class Tree:
    """XGFT(h; m1..mh; w1..wh) with the numbers of its nodes and links."""

    def __init__(self, m, w, most=2**22):
        demand(1 <= len(m) == len(w) and min(m + w) >= 1, "tree")
        within(len(m), 16, "height")
        self.m, self.w, self.height = m, w, len(m)
        self.below = [prod(m[:level]) for level in range(len(m) + 1)]
        self.ports = [prod(w[:level]) for level in range(len(m) + 1)]
        self.hosts = self.below[-1]
        demand(self.hosts >= 2, "one host")
        self.step = [0]
        for level in range(self.height):
            self.step.append(self.step[-1] + 2 * self.count(level))
        within(self.step[-1], most, "links")
        sizes = [self.hosts // b * p for b, p in zip(self.below, self.ports)]
        self.start = [sum(sizes[:level]) for level in range(self.height + 2)]

    def count(self, level):
        """Links up of step level + 1."""
        return self.hosts // self.below[level] * self.ports[level + 1]

    def link(self, level, a, b, port, down):
        offset = (a * self.ports[level] + b) * self.w[level] + port
        return self.step[level] + (self.count(level) if down else 0) + offset

    def network(self, capacity=lambda level: 1):
        """Number of hosts and nodes, and the links."""
        links = [None] * self.step[-1]
        for level in range(self.height):
            for a in range(self.hosts // self.below[level]):
                for b in range(self.ports[level]):
                    for port in range(self.w[level]):
                        child = self.start[level] + a * self.ports[level] + b
                        above = (a // self.m[level]) * self.ports[level + 1]
                        parent = self.start[level + 1] + above + b * self.w[level] + port
                        c = Fraction(capacity(level))
                        links[self.link(level, a, b, port, False)] = (child, parent, c)
                        links[self.link(level, a, b, port, True)] = (parent, child, c)
        return self.hosts, self.start[-1], links

    def digit(self, i, x):
        return x // self.below[i - 1] % self.m[i - 1]

    def level(self, s, d):
        return next(l for l in range(self.height + 1) if s // self.below[l] == d // self.below[l])

    def path(self, s, d, up):
        ups, downs, b = [], [], 0
        for level, port in enumerate(up):
            ups.append(self.link(level, s // self.below[level], b, port, False))
            downs.append(self.link(level, d // self.below[level], b, port, True))
            b = b * self.w[level] + port
        return ups + downs[::-1]

    def number(self, up):
        b = 0
        for level, port in enumerate(up):
            b = b * self.w[level] + port
        return b

    def digits(self, number, length):
        up = []
        for level in reversed(range(length)):
            up.append(number % self.w[level])
            number //= self.w[level]
        return up[::-1]

    def full_bisection(self):
        inner = range(1, self.height)
        enough = lambda k: min(self.below[k], self.hosts - self.below[k]) * self.w[0]
        return all(self.ports[k + 1] >= enough(k) for k in inner)


class OpenTree(Tree):
    """A binary tree with one more host, above the root."""

    def __init__(self, height, wires):
        super().__init__([2] * height, [1] * height)
        self.wires = wires

    def network(self, capacity=lambda level: 1):
        outside, nodes, links = super().network(capacity)
        moved = lambda node: node + (node >= outside)
        links = [(moved(a), moved(b), c) for a, b, c in links]
        root, c = nodes, Fraction(self.wires)
        return outside + 1, nodes + 1, links + [(root, outside, c), (outside, root, c)]

    def level(self, s, d):
        return self.height if self.hosts in (s, d) else super().level(s, d)

    def path(self, s, d, up):
        outside, count = self.hosts, self.step[-1]
        if outside not in (s, d):
            return super().path(s, d, up)
        half = range(self.height)
        if d == outside:
            return [self.link(l, s // self.below[l], 0, 0, False) for l in half] + [count]
        downs = [self.link(l, d // self.below[l], 0, 0, True) for l in half]
        return [count + 1] + downs[::-1]


def nearest_root(value, degree):
    """The integer closest to the root of an integer."""
    root = round(value ** (1 / degree))
    near = range(max(root - 2, 0), root + 3)
    return next(r for r in near if (2 * r + 1) ** degree > value << degree)


GROWTH = {
    "double2": lambda leaf, k: leaf << -(-k // 2),
    "quadruple3": lambda leaf, k: leaf << -(-2 * k // 3),
    "sqrt2": lambda leaf, k: nearest_root(leaf**2 << k, 2),
    "cbrt4": lambda leaf, k: nearest_root(leaf**3 << 2 * k, 3),
    "double": lambda leaf, k: leaf << k,
    "linear": lambda leaf, k: leaf * (k + 1),
    "constant": lambda leaf, k: leaf,
}


def topology(text, most=2**22):
    """The tree of a spec, its capacities, and whether it counts as a tree of records."""
    name, groups, options = spec(text)
    wanted = {"xgft": 3, "universal": 1}.get(name, 1)
    demand(len(groups) == wanted, "groups")
    demand(name in ("bft", "universal") or not options, "options")
    numbers = groups[0]
    if name == "xgft":
        demand(numbers == [len(groups[1])], "height")
        return Tree(groups[1], groups[2], most), lambda level: 1, True
    counts = {"ft": 2, "eft2": 2, "ftree": 3, "planes": 4, "kary": 2, "nbclos": 2, "bft": 1}
    counts["universal"] = 1
    demand(len(numbers) == counts.get(name) and min(numbers) >= 1, "numbers")
    if name == "universal":
        n, leaf = numbers[0], option(options, "leaf", 1)
        root = options.get("root", "closed")
        known = set(options) <= {"growth", "leaf", "root"} and root in ("closed", "open")
        demand(known and 1 <= leaf <= 2**20, "options")
        demand(n >= 2 and n & (n - 1) == 0, "power of two")
        rule = GROWTH.get(options.get("growth", "double2"))
        demand(rule, "growth")
        height = n.bit_length() - 1
        open_tree = lambda: OpenTree(height, rule(leaf, height))
        tree = open_tree() if root == "open" else Tree([2] * height, [1] * height)
        return tree, lambda level: rule(leaf, level), False
    if name == "bft":
        dims = option(options, "dims", 2)
        demand(set(options) <= {"dims"} and dims in (2, 3), "options")
        children, parents, height = 2**dims, 2 ** (dims - 1), 0
        while children ** (height + 1) <= numbers[0]:
            height += 1
        demand(height >= 1 and children**height == numbers[0], "power of the children")
        return Tree([children] * height, [1] + [parents] * (height - 1), most), lambda level: 1, True
    if name in ("ft", "eft2"):
        demand(numbers[0] % 2 == 0, "m is odd")
    if name in ("ft", "kary", "nbclos"):
        within(numbers[1], 16, "height")
    q, n = numbers[0] // 2, numbers[1]
    if name == "ft":
        return Tree([q] * (n - 1) + [2 * q], [1] + [q] * (n - 1), most), lambda level: 1, True
    if name == "eft2":
        return Tree([q, n], [1, q], most), lambda level: 1, True
    if name == "nbclos":
        q = numbers[0]
        children, parents = [q] * (n - 1) + [q + q * q], [1] + [q * q] * (n - 1)
        return Tree(children, parents, most), lambda level: 1, True
    if name == "ftree":
        return Tree([numbers[0], numbers[2]], [1, n], most), lambda level: 1, True
    if name == "planes":
        return Tree([n, numbers[3]], [numbers[0], numbers[2]], most), lambda level: 1, True
    return Tree([numbers[0]] * n, [1] + [numbers[0]] * (n - 1), most), lambda level: 1, True


def ceil_div(a, b):
    return -(-a // b)


MASK = 2**32 - 1


def rotate(x, n):
    return (x << n | x >> 32 - n) & MASK


@lru_cache(4096)
def block(seed, stream, c):
    """Block c of a stream of the generator."""
    x, key = seed, []
    for _ in range(8):
        x = (x * 0x5851F42D4C957F2D + 0xA17654E46FBE17F3) % 2**64
        key.append(rotate(((x >> 18 ^ x) >> 27) & MASK, (32 - (x >> 59)) % 32))
    state = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key]
    state += [c & MASK, c >> 32, stream & MASK, stream >> 32]
    v = state.copy()
    rounds = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    rounds += [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for a, b, e, d in rounds * 4:
        for x, y, z, turn in ((a, b, d, 16), (e, d, b, 12), (a, b, d, 8), (e, d, b, 7)):
            v[x] = (v[x] + v[y]) & MASK
            v[z] = rotate(v[z] ^ v[x], turn)
    return [(a + b) & MASK for a, b in zip(v, state)]


class Words:
    """The words of a stream from a given one on."""

    def __init__(self, seed, stream, at=0):
        self.seed, self.stream, self.at = seed, stream, at

    def word(self):
        self.at += 1
        return block(self.seed, self.stream, (self.at - 1) // 16)[(self.at - 1) % 16]

    def long(self):
        low = self.word()
        return self.word() << 32 | low

    def below(self, bound):
        y, z = divmod(self.word() * bound, 2**32)
        if z > 2**32 - bound and z + (self.word() * bound >> 32) >= 2**32:
            y += 1
        return y

    def shuffle(self, values):
        i = 1
        while i < len(values):
            bound, c = i + 1, 1
            while bound * (i + c + 1) < 2**32:
                bound, c = bound * (i + c + 1), c + 1
            v = self.below(bound)
            for k in range(i, i + c):
                j, v = v % (k + 1), v // (k + 1)
                if k < len(values):
                    values[k], values[j] = values[j], values[k]
            i += c
