"""Rates that depend on the traffic (FORMAT.md, "Rates that depend on the traffic")."""

from fractions import Fraction

from words import QUANTITIES, demand, integer, rational, within


def allowed_paths(network, among, text):
    """The `allowed` records by pair, if paths are listed."""
    allowed = {}
    for words in text.listing("allowed", 2) if among == "listed" else []:
        s, d, *links = map(integer, words)
        network.check_path(s, d, links)
        allowed.setdefault((s, d), []).append(links)
    return allowed


def check_routing(network, routing, among, allowed):
    """The paths of the routing are allowed. Returns the hops from every host, where they matter."""
    hops = {s: network.hops(s) for s in range(network.hosts)} if among == "shortest" else {}
    for s, d in network.pairs() if among in ("shortest", "listed") else []:
        for _, links in routing.paths(s, d):
            demand(among != "shortest" or len(links) == hops[s][d], "not shortest")
            demand(among != "listed" or links in allowed.get((s, d), []), "not listed")
    return hops


def check_kind(network, quantity, demands, flow, check):
    """The traffic is of the kind that the quantity is about."""
    loads, check_hose, check_permutation = check
    of_pairs = [s != d and max(s, d) < network.hosts and a > 0 for s, d, a in demands]
    demand(demands and all(of_pairs), "bad demand")
    demand((flow is not False) == (quantity == "oblivious-ratio"), "flow of adaptive-rates")
    if quantity == "oblivious-ratio":
        demand(max(loads(network, demands, flow)) <= 1, "traffic of adaptive-rates is too much")
    elif quantity == "hose-load":
        check_hose(network, demands)
    else:
        check_permutation(demands)


def check_adaptive(network, routing, claims, text, check):
    quantity, lower, among = text.take("adaptive-rates", 3, 3)
    lower = rational(lower)
    demand(among in ("all", "shortest", "own", "listed") and quantity in QUANTITIES, "adaptive-rates")
    allowed = allowed_paths(network, among, text)
    demands = text.demands()
    flow = text.flow() if text.next_is("route") else False
    lengths = {}
    for link, length in text.all("length", 2, 2):
        text.amount()
        link, length = integer(link), integer(length, 2**41)
        demand(link not in lengths and link < len(network.links), "length")
        lengths[link] = Fraction(length)
    demand(quantity in claims and lower <= claims[quantity][1], "adaptive-rates of nothing, or above UPPER")
    size = max(network.nodes, len(network.links))
    pairs = len(demands) if among == "own" else network.hosts**2
    within(pairs * size, 2**31, "pairs times links or nodes")
    hops = check_routing(network, routing, among, allowed)
    check_kind(network, quantity, demands, flow, check)
    volume = sum(length * network.links[link][2] for link, length in lengths.items())
    passed = Fraction(0)
    for s, d, amount in demands:
        if among in ("listed", "own"):
            own = allowed[s, d] if among == "listed" else [links for _, links in routing.paths(s, d)]
            of_paths = [sum(lengths.get(link, 0) for link in links) for links in own]
            passed += amount * min(of_paths)
            continue

        def length(link):
            a, b, _ = network.links[link]
            # A path whose every link leads one step farther has the fewest links possible.
            is_away = among == "all" or hops[s][b] == hops[s][a] + 1
            return lengths.get(link, Fraction(0)) if is_away else None

        passed += amount * network.lengths(s, length)[d]
    # No max load is below optu.
    is_proven = lower * volume <= passed or (quantity == "oblivious-ratio" and lower <= 1)
    demand(volume > 0 and is_proven, "adaptive-rates is not proven")
