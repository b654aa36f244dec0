"""Product certificates (FORMAT.md, "For a product certificate")."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import inf, prod

from names import spec, topology
from routings import PLAIN
from words import QUANTITIES, add, demand, integer, rational, within

BEFORE = ("topology", "hosts", "nodes", "link", "routing", "next", "path", "cut", "claim")


def is_one(text):
    """Whether the first record behind the claims is that of a product certificate."""
    rest = (words[0] for words in text.rest[1:])
    return next((word for word in rest if word not in BEFORE), "") == "busiest"


class Form:
    """A tree and what decides its ports: by step, which digit of which end, and the ports."""

    def __init__(self, text):
        self.tree, _, is_tree = topology(" ".join(text.take("topology", 1)), 2**63 - 1)
        demand(is_tree, "universal")
        m, w, h = self.tree.m, self.tree.w, self.tree.height
        within(max(m + w), 2**32 - 1, "m and w")
        self.m, self.w, self.h = m, w, h
        name, groups, options = spec(" ".join(text.take("routing", 1)))
        demand(not groups and not options, "options of a routing")
        self.even, self.pairs, self.by = name in ("omrmn", "ecmp"), None, {}
        table = lambda i, j: [x % w[j - 1] for x in self.digits(i)]
        if name in ("smodk", "mlid", "dmodk"):
            end = "d" if name == "dmodk" else "s"
            if name == "mlid":
                PLAIN[name](self.tree)
            self.by = {j: (end, j - 1, table(j - 1, j)) for j in range(2, h + 1)}
        elif name == "osrm3":
            PLAIN[name](self.tree)
            self.by = {2: ("s", 1, list(self.digits(1))), 3: ("d", 1, list(self.digits(1)))}
        elif name in ("osrm2", "yuan", "grid"):
            demand(h == 2 and w[0] == 1, "two levels")
            within(m[0] ** 2, 2**22, "pairs of digits")
            self.pairs = self.both(name)
        else:
            demand(self.even, "no product form")

    def digits(self, i):
        within(self.m[i - 1], 2**22, "digits that decide a port")
        return range(self.m[i - 1])

    def both(self, name):
        """The pairs of digits of every port at step 2, asked of the routing of two leaves."""
        n, w = self.m[0], self.w[1]
        small = topology(f"xgft(2;{n},2;1,{w})", 2**63 - 1)[0]
        routing, pairs = PLAIN[name](small), defaultdict(list)
        for i in range(n):
            for j in range(n):
                [(_, links)] = routing(i, n + j)
                pairs[links[1] - small.step[1]].append((i, j))
        return pairs

    def capacity(self, quantity, k):
        if quantity == "permutation-load":
            return 1 if k == 0 else inf
        return 0 if k == self.h else prod(self.w[: k + 1])

    def share(self, step):
        return Fraction(1, prod(self.w[:step])) if self.even else Fraction(1)

    def allowed(self, end, step, count):
        """Numbers of digits of an end, from level 1 at index 0; `count` of those that lead to a port."""
        found = list(self.m)
        for at, (own, i, ports) in self.by.items():
            if at <= step and own == end:
                found[i - 1] = count(at, ports)
        return found


def check_sent(form, quantity, lower, words, sent):
    """`Lower side`."""
    direction, ports, digits = words
    demand(direction in ("up", "down"), "direction")
    near, far = "sd" if direction == "up" else "ds"
    step, h = len(ports), form.h
    demand(1 <= step <= h and len(digits) == h + 1 - step, "no such link")
    demand(all(port < w for port, w in zip(ports, form.w)), "no such port")
    demand(all(digit < m for digit, m in zip(digits, form.m[step - 1 :])), "no such digit")
    c = lambda k: form.capacity(quantity, k)
    both = form.pairs if step == 2 else None
    closed = not form.even and any(
        port for at, port in enumerate(ports, 1) if at not in form.by and not (form.pairs and at == 2)
    )
    of_port = lambda at, table: table.count(ports[at - 1])
    n, f = form.allowed(near, step, of_port), form.allowed(far, step, of_port)
    f[step - 1 :] = form.m[step - 1 :]
    levels, near_digits, far_digits = {}, {}, {}
    for level, amount, pair in sent:
        demand(not closed and step <= level <= h and form.m[level - 1] > 1, "level")
        levels[level] = add(levels.get(level, Fraction(0)), amount)
        if both:
            demand(pair in form.pairs.get(ports[1], []), "digits of another port")
            for known, end in ((near_digits, near), (far_digits, far)):
                digit = pair["sd".index(end)]
                known[digit] = add(known.get(digit, Fraction(0)), amount)
        else:
            demand(not pair, "digits of traffic")
            demand(min(n[: step - 1] + f[: level - 1], default=1) > 0, "no pairs")
    total = sum(levels.values())
    if both:
        demand(all(amount <= c(0) for amount in near_digits.values()), "near digit")
        demand(all(amount <= c(0) * (form.m[1] - 1) for amount in far_digits.values()), "far digit")
    else:
        demand(all(total <= c(k) * prod(n[k : step - 1]) for k in range(step)), "near hosts")
        for level, amount in levels.items():
            beside = form.m[level - 1] - 1
            most = (c(k) * prod(f[k : level - 1]) * beside for k in range(level))
            demand(all(amount <= limit for limit in most), "far hosts")
    for level in range(step, h + 1):
        above = sum(amount for at, amount in levels.items() if at >= level)
        demand(above <= c(level - 1), "an ancestor")
    demand(form.share(step) * total >= lower, "too little traffic")


def check_cuts(form, quantity, upper):
    """`Upper side`."""
    c = lambda k: form.capacity(quantity, k)
    most = lambda at, table: max(Counter(table).values())
    for step in range(1, form.h + 1):
        for direction, near, far in (("up", "s", "d"), ("down", "d", "s")):
            if form.pairs and step == 2:
                for port, pairs in form.pairs.items():
                    ends = {"s": {s for s, _ in pairs}, "d": {d for _, d in pairs}}
                    beside = form.m[1] - 1
                    limits = c(1), len(ends[near]), len(ends[far]) * beside
                    demand(min(limits) <= upper, f"port {port}")
                continue
            n, f = form.allowed(near, step, most), form.allowed(far, step, most)
            f[step - 1 :] = form.m[step - 1 :]
            # The least cuts, height by height.
            inner, received = c(0), {}
            for k in range(1, step):
                inner = min(c(k), inner * n[k - 1])
            outer, flow = c(0), 0
            for level in range(1, form.h + 1):
                received[level] = outer * (form.m[level - 1] - 1)
                outer = min(c(level), outer * f[level - 1])
            for level in range(form.h, step - 1, -1):
                flow = min(c(level - 1), flow + received[level])
            demand(form.share(step) * min(inner, flow) <= upper, f"step {step} {direction}")


def check(text):
    form, claims, busiest = Form(text), {}, {}
    for quantity, lower, upper in text.all("claim", 3, 3):
        demand(quantity in QUANTITIES and quantity not in claims, "claim")
        claims[quantity] = rational(lower), rational(upper)
        demand(claims[quantity][0] <= claims[quantity][1], "LOWER above UPPER")
    while text.next_is("busiest"):
        quantity, direction, ports, digits = text.take("busiest", 4, 4)
        numbers = lambda words: [integer(word) for word in words.split(",")]
        sent = text.all("sent", 2, 4)
        text.amount(len(sent))
        demand(sent and all(len(words) != 3 for words in sent), "sent")
        pair = lambda words: tuple(map(integer, words))
        sent = [(integer(level), rational(amount), pair(rest)) for level, amount, *rest in sent]
        demand(quantity in claims and quantity not in busiest, "busiest of nothing")
        busiest[quantity] = (direction, numbers(ports), numbers(digits)), sent
    text.end()
    demand(claims and set(claims) == set(busiest) and "hose-load" not in claims, "claims")
    for quantity, (lower, upper) in claims.items():
        words, sent = busiest[quantity]
        check_sent(form, quantity, lower, words, sent)
        check_cuts(form, quantity, upper)
