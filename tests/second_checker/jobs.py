"""Traffic inside groups of members (FORMAT.md, on `jobs` certificates)."""

from fractions import Fraction
from itertools import permutations

from words import add, demand, integer, rational, within


def groups(text):
    """Per group, its members, each as a list of hosts by rail, None for no adapter."""
    found = []
    for words in text.all("group", 1):
        members = []
        for word in words:
            rails = word.split(",")
            text.amount(1 + len(rails))
            members.append([None if host == "-" else integer(host) for host in rails])
        found.append(members)
    return found


class Members:
    """The members of all groups, numbered through."""

    def __init__(self, network, routing, found):
        self.network, self.routing = network, routing
        seen = set()
        for members in found:
            demand(len(members) >= 2, "a group of one member")
            for member in members:
                hosts = [host for host in member if host is not None]
                demand(hosts, "a member without an adapter")
                for host in hosts:
                    demand(host < network.hosts and host not in seen, "a host twice, or none")
                    seen.add(host)
        within(sum(len(members) ** 2 for members in found), 2**32, "pairs of members")
        self.all = [member for members in found for member in members]
        self.groups, first = [], 0
        for members in found:
            self.groups.append(range(first, first + len(members)))
            first += len(members)
        self.group = {member: at for at, group in enumerate(self.groups) for member in group}
        self.known = {}

    def pairs(self):
        return (pair for group in self.groups for pair in permutations(group, 2))

    def sent(self, a, b):
        """By link, what it carries of what one member sends to another."""
        if (a, b) not in self.known:
            carried = {}
            for s, d in zip(self.all[a], self.all[b]):
                if s is None or d is None:
                    continue
                for link, share in self.routing.carried(s, d).items():
                    carried[link] = add(carried.get(link, Fraction(0)), share)
            self.known[a, b] = carried
        return self.known[a, b]

    def load(self, link, traffic):
        return traffic / self.network.links[link][2]


def check_rings(members, to):
    for group in members.groups:
        at, seen = group[0], set()
        while at in to and at not in seen:
            seen.add(at)
            at = to[at]
        demand(at == group[0] and len(seen) == len(group), "no ring")


def check_covers(members, counts, covers, upper):
    links, by_link = members.network.links, {}
    for link, cover in covers:
        demand(link < len(links) and link not in by_link, "cover")
        demand(set(cover) <= {"s", "d"}, "a cover of more than members")
        for weighted in cover.values():
            ids = [id for id, _ in weighted]
            demand(ids == sorted(set(ids)) and ids[-1] < len(members.all), "members of a cover")
        total = Fraction(0)
        for weighted in cover.values():
            for _, weight in weighted:
                total = add(total, weight)
        demand(members.load(link, total) <= upper, "cover too heavy")
        by_link[link] = {side: dict(weighted) for side, weighted in cover.items()}
    for a, b in members.pairs():
        for link, carried in members.sent(a, b).items():
            cover = by_link.get(link, {})
            weight = cover.get("s", {}).get(a, 0) + cover.get("d", {}).get(b, 0)
            demand(link not in counts or weight >= carried, f"link {link} does not cover ({a},{b})")


def check(network, routing, text):
    found = groups(text)
    used_by = []
    if text.next_is("used-by"):
        used_by = [integer(group) for group in text.take("used-by", 1, 1)[0].split(",")]
        text.amount(len(used_by))
    name, lower, upper = text.take("claim", 3, 3)
    demand(name in ("job-load", "ring-load", "least-ring-load"), "claim on jobs")
    lower, upper = rational(lower), rational(upper)
    loaded = integer(text.take("loaded", 1, 1)[0]) if text.next_is("loaded") else None
    sends = [(integer(a), integer(b)) for a, b in text.all("send", 2, 2)]
    text.amount(len(sends))
    covers = text.covers()
    text.end()
    demand(lower <= upper, "LOWER above UPPER")
    members = Members(network, routing, found)
    least = name == "least-ring-load"
    demand((loaded is None) == least and not (least and covers), "records of the claim")
    to, receivers = {}, set()
    for a, b in sends:
        known = a in members.group and b in members.group and a != b
        demand(known and members.group[a] == members.group[b], "a send between groups")
        demand(a not in to and b not in receivers, "a member sends or receives twice")
        to[a] = b
        receivers.add(b)
    if name != "job-load":
        check_rings(members, to)
    traffic = [Fraction(0)] * len(network.links)
    for a, b in sends:
        for link, carried in members.sent(a, b).items():
            traffic[link] = add(traffic[link], carried)
    if least:
        demand(not used_by, "used-by")
        demand(max(map(members.load, range(len(traffic)), traffic)) <= upper, "rings too heavy")
        first, second = {}, {}
        for a, b in members.pairs():
            loads = [members.load(link, carried) for link, carried in members.sent(a, b).items()]
            most = max(loads, default=Fraction(0))
            first[a] = min(most, first.get(a, most))
            second[b] = min(most, second.get(b, most))
        demand(lower <= max([*first.values(), *second.values()]), "rings need not load that much")
        return
    counts = set(range(len(network.links)))
    if used_by:
        demand(name == "job-load" and len(set(used_by)) == len(used_by), "used-by")
        demand(max(used_by) < len(found), "used-by")
        pairs = [pair for group in used_by for pair in permutations(members.groups[group], 2)]
        counts = {link for a, b in pairs for link in members.sent(a, b)}
    demand(loaded in counts, "loaded link")
    demand(members.load(loaded, traffic[loaded]) >= lower, "traffic too light")
    check_covers(members, counts, covers, upper)
