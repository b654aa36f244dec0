"""The paths of named routings (NAMES.md, "Routings")."""

from bisect import bisect_left
from fractions import Fraction
from math import isqrt

from names import Words, ceil_div, spec
from words import Refused, demand, within

ONE = Fraction(1)


def two_levels(tree):
    demand(tree.height == 2 and tree.w[0] == 1, "height 2 and w1 = 1 wanted")
    return tree.m[0], tree.w[1]


def single(tree, digits):
    """The routing with one path per pair, by the first L of these digits."""

    def paths(s, d):
        return [(ONE, tree.path(s, d, digits(s, d)[: tree.level(s, d)]))]

    return paths


def modulo(tree, host):
    return [0] + [tree.digit(l, host) % tree.w[l] for l in range(1, tree.height)]


def osrm2(tree):
    n, w = two_levels(tree)
    b = ceil_div(n, isqrt(w))
    a = ceil_div(n, w // ceil_div(n, b))
    M = lambda x: tree.digit(1, x)
    return single(tree, lambda s, d: [0, M(s) // a * ceil_div(n, b) + M(d) // b])


def yuan(tree):
    m, inner = tree.m, range(1, tree.height)
    fits = tree.height >= 2 and tree.w[0] == 1 and all(tree.w[l] >= m[l - 1] ** 2 for l in inner)
    demand(fits, "yuan wants height 2 or more, w1 = 1 and w_{l+1} at least m_l^2")
    port = lambda l, s, d: tree.digit(l, s) * m[l - 1] + tree.digit(l, d)
    return single(tree, lambda s, d: [0] + [port(l, s, d) for l in inner])


def grid(tree):
    n, w = two_levels(tree)
    best = None
    for g in range(1, min(n, w) + 1):
        K = ceil_div(g, w // g)
        x = isqrt(K - 1) + 1
        X = ceil_div(n, g) * x
        if best is None or X <= best[0]:
            best = X, g, K, x
    _, g, K, x = best

    def digits(s, d):
        i, j = tree.digit(1, s) * g // n, tree.digit(1, d) * g // n
        r = (j - i) % g
        return [0, r // K * g + (i + r % K % x) % g]

    return single(tree, digits)


def osrm3(tree):
    fits = tree.height == 3 and tree.w[0] == 1 and min(tree.w[1:]) >= tree.m[0]
    demand(fits, "osrm3 wants height 3, w1 = 1, w2 and w3 at least m1")
    return single(tree, lambda s, d: [0, tree.digit(1, s), tree.digit(1, d)])


def mlid(tree):
    q = tree.m[-1] // 2
    fits = tree.m == [q] * (tree.height - 1) + [2 * q] and tree.w == [1] + [q] * (tree.height - 1)
    demand(fits, "mlid wants an m-port n-tree")
    return single(tree, lambda s, d: modulo(tree, s))


def wsr(tree):
    full = tree.w[0] == 1 and tree.w[1:] == tree.m[:-1]
    if full and tree.hosts**2 > 2**26:
        return single(tree, lambda s, d: modulo(tree, d))
    within(tree.hosts**2, 2**26, "hosts squared")
    within(tree.hosts**2 * tree.ports[-1], 2**32, "hosts squared times paths")
    weights, chosen = [0] * tree.step[-1], {}
    for s in range(tree.hosts):
        for d in range(tree.hosts):
            if s != d:
                level = tree.level(s, d)
                ways = [tree.path(s, d, tree.digits(p, level)) for p in range(tree.ports[level])]
                best = min(ways, key=lambda links: sum(weights[link] for link in links))
                chosen[s, d] = [(ONE, best)]
                for link in best:
                    weights[link] += 1
    return lambda s, d: chosen[s, d]


def even(tree):
    def paths(s, d):
        level = tree.level(s, d)
        share = Fraction(1, tree.ports[level])
        numbers = range(tree.ports[level])
        return [(share, tree.path(s, d, tree.digits(p, level))) for p in numbers]

    return paths


def kpath(tree, k, choice, seed):
    demand(k >= 1 and choice in ("first", "random", "shift", "disjoint", "grid"), "options of kpath")
    if choice == "random":
        within(tree.hosts**2 * tree.ports[-1], 2**32, "paths to draw from")

    def numbers(s, d, level):
        P = tree.ports[level]
        u = min(k, P)
        D = modulo(tree, d)[:level]
        if choice == "first" or choice == "random" and u == P:
            return range(u)
        if choice == "shift":
            return [(tree.number(D) + j) % P for j in range(u)]
        if choice == "disjoint":
            digit = lambda l, j: (D[l] + j // tree.ports[l] % tree.w[l]) % tree.w[l]
            return [tree.number([digit(l, j) for l in range(level)]) for j in range(u)]
        if choice == "grid" and u == P:
            return range(u)
        if choice == "grid":
            digit = lambda l, q: q // tree.ports[l] % tree.w[l]
            ports = windows(k, tree.below[level - 1], P, s, d) or range(u)
            return [tree.number([digit(l, q) for l in range(level)]) for q in ports[:u]]
        words, taken = Words(seed, s, 2 * tree.ports[-1] * d), []
        for i in range(P):
            if words.long() * (P - i) >> 64 < u - len(taken):
                taken.append(i)
        return taken

    def paths(s, d):
        level = tree.level(s, d)
        taken = numbers(s, d, level)
        share = Fraction(1, len(taken))
        return [(share, tree.path(s, d, tree.digits(number, level))) for number in taken]

    return paths


def windows(k, n, P, s, d):
    """The ports that the choice `grid` lists for a pair; none where any will do."""
    best = None
    for g in range(min(n, P), 0, -1):
        c = P // g
        X = next(X for X in range(k * g + 1) if X * X >= -(-k * g // c))
        if X <= g and (best is None or -(-n // g) * X < best[0]):
            best = -(-n // g) * X, g, c, X
    if best is None or best[0] >= n:
        return []
    _, g, c, X = best
    i, j = s % n % g, d % n % g
    found = []
    for b in range(c * X):
        t = (j - b * g // (c * X)) % g
        if (i - t) % g < X:
            found.append(b % c * g + t)
    return found


def random(tree, seed):
    def digits(s, d):
        level = tree.level(s, d)
        number = Words(seed, s, 2 * d).long() * tree.ports[level] >> 64
        return tree.digits(number, level)

    return single(tree, digits)


def rnca(tree, seed, by_source):
    maps = {}
    for l in range(1, tree.height):
        for a in range(tree.hosts // tree.below[l]):
            words, values = Words(seed, 2**32 * l + a), list(range(tree.w[l]))
            words.shuffle(values)
            values = (values * ceil_div(tree.m[l - 1], len(values)))[: tree.m[l - 1]]
            words.shuffle(values)
            maps[l, a] = values

    def digits(s, d):
        x = s if by_source else d
        upper = range(1, tree.height)
        return [0] + [maps[l, x // tree.below[l]][tree.digit(l, x)] for l in upper]

    return single(tree, digits)


def minhop(tree, order):
    """Ports in turn: r counts the hosts before d that are not below the node."""
    place = {host: at for at, host in enumerate(order)}
    below = [
        [sorted(place[x] for x in range(a * size, (a + 1) * size)) for a in range(tree.hosts // size)]
        for size in tree.below[:-1]
    ]

    def port(l, s, d):
        own = below[l][s // tree.below[l]]
        return (place[d] - bisect_left(own, place[d])) % tree.w[l]

    return single(tree, lambda s, d: [port(l, s, d) for l in range(tree.level(s, d))])


PLAIN = {
    "dmodk": lambda tree: single(tree, lambda s, d: modulo(tree, d)),
    "smodk": lambda tree: single(tree, lambda s, d: modulo(tree, s)),
    "mlid": mlid,
    "osrm2": osrm2,
    "osrm3": osrm3,
    "yuan": yuan,
    "grid": grid,
    "wsr": wsr,
    "omrmn": even,
    "ecmp": even,
}


def routing(text, tree, is_tree):
    """The function of (s,d) that gives the shares and links of its paths."""
    name, groups, options = spec(text)
    demand(not groups, "numbers in a routing")
    if name in PLAIN:
        demand(not options, "options")
        demand(is_tree or name in ("omrmn", "ecmp"), "no tree")
        return PLAIN[name](tree)
    demand(is_tree or name == "minhop", "no tree")
    known = {"kpath": {"k", "choice", "seed"}}.get(name, {"seed"})
    numbers = {key: value for key, value in options.items() if key != "choice"}
    demand(set(options) <= known and all(n.isdigit() for n in numbers.values()), "options")
    seed = int(options.get("seed", "1"))
    demand(seed < 2**64, "seed")
    if name == "kpath":
        return kpath(tree, int(options.get("k", "0")), options.get("choice", "first"), seed)
    if name == "random":
        return random(tree, seed)
    if name == "minhop":
        if not is_tree:
            return even(tree)
        order = list(range(tree.hosts))
        if "seed" in options:
            Words(seed, 0).shuffle(order)
        return minhop(tree, order)
    if name in ("rnca-u", "rnca-d"):
        return rnca(tree, seed, name == "rnca-u")
    raise Refused("no such routing")
