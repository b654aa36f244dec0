"""Lines, words and records of a certificate (FORMAT.md, "Lines and words" and "Grammar")."""

import re
import zlib
from fractions import Fraction


class Refused(Exception):
    """The text is not a certificate, or proves nothing."""


class Beyond(Exception):
    """The text is beyond a limit of the format and is not judged."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


def within(size, limit, what):
    if size > limit:
        raise Beyond(f"{what}: {size} is more than {limit}")


def decompressed(data):
    """What the members of gzip data hold; behind them is nothing, not even zeros."""
    held = []
    while data:
        member = zlib.decompressobj(wbits=31)
        try:
            held.append(member.decompress(data))
        except zlib.error as error:
            raise Refused(f"gzip: {error}") from error
        demand(member.eof, "gzip: it breaks off")
        data = member.unused_data
    return b"".join(held)


def lines(data, limit):
    """The lines of a file, decompressed, without line ends and surrounding blanks."""
    if data[:2] == b"\x1f\x8b":
        data = decompressed(data)
    within(len(data), limit - 1, "bytes")
    for line in data.split(b"\n"):
        within(len(line), 2**24 - 2, "bytes of a line")
        yield line.removesuffix(b"\r").strip(b" \t")


def records(data):
    """The records of a certificate, each as its words."""
    for line in lines(data, 2**30):
        if line and not line.startswith(b"#"):
            demand(all(32 <= byte <= 126 or byte == 9 for byte in line), "no printable ASCII")
            yield line.decode("ascii").split()


def integer(word, limit=2**32 - 1):
    demand(re.fullmatch("[0-9]+", word), f"{word[:40]} is no integer")
    return limited(word, limit)


def limited(digits, limit):
    """The number that digits stand for, within a limit."""
    digits = digits.lstrip("0") or "0"
    within(len(digits), 20, "digits of an integer")
    within(int(digits), limit, "integer")
    return int(digits)


def add(total, term):
    """A partial sum, within its limit."""
    total += term
    within(total.denominator.bit_length(), 2**16, "bits of the denominator of a sum")
    return total


def rational(word):
    demand(re.fullmatch("[0-9]+(/[0-9]+)?", word), f"{word[:40]} is no rational")
    parts = word.split("/")
    within(max(len(part) for part in parts), 200, "digits of a rational")
    demand(len(parts) == 1 or int(parts[1]) > 0, "denominator 0")
    return Fraction(int(parts[0]), int(parts[1]) if len(parts) == 2 else 1)


QUANTITIES = ("oblivious-ratio", "permutation-load", "hose-load")


class Text:
    """The records of a certificate, taken in grammar order."""

    def __init__(self, data):
        self.rest = list(records(data))
        demand(self.rest and self.rest[0] == ["routebound-certificate", "1"], "first record")
        self.at = 1
        self.listed, self.links_listed, self.amounts = 0, 0, 0

    def next_is(self, name):
        demand(self.at < len(self.rest), "truncated")
        return self.rest[self.at][0] == name

    def take(self, name, least, most=None):
        """The words after `name` of the next record, from `least` to `most` of them."""
        demand(self.next_is(name), f"`{name}` wanted, found `{self.rest[self.at][0][:40]}`")
        words = self.rest[self.at][1:]
        demand(least <= len(words) and (most is None or len(words) <= most), f"words of `{name}`")
        self.at += 1
        return words

    def all(self, name, least, most=None):
        found = []
        while self.next_is(name):
            found.append(self.take(name, least, most))
        return found

    def end(self):
        self.take("end", 0, 0)
        demand(self.at == len(self.rest), "text after `end`")

    def links(self):
        found = self.all("link", 3, 3)
        return [(integer(a), integer(b), rational(c)) for a, b, c in found]

    def next_records(self):
        found = self.all("next", 2)
        within(sum(len(words) - 1 for words in found), 2**28, "entries of next records")
        entry = lambda word: None if word == "-" else integer(word)
        return [(integer(words[0]), [entry(word) for word in words[1:]]) for words in found]

    def listing(self, name, before):
        """Records of paths whose links begin after a given number of words."""
        found = self.all(name, before + 1)
        self.listed += len(found)
        self.links_listed += sum(len(words) - before for words in found)
        within(self.listed, 2**24, "listed paths")
        within(self.links_listed, 2**26, "links of listed paths")
        return found

    def paths(self):
        found = self.listing("path", 3)
        links = lambda words: [integer(word) for word in words]
        return [(integer(w[0]), integer(w[1]), rational(w[2]), links(w[3:])) for w in found]

    def cuts(self):
        return self.sets("cut", 2**26)

    def classes(self):
        return self.sets("class", 2**16)

    def sets(self, name, limit):
        """Records of nodes and their ranges."""
        cuts, count = [], 0
        for words in self.all(name, 1):
            nodes = []
            for word in words:
                ends = word.split("-", 1)
                first, last = integer(ends[0]), integer(ends[-1])
                demand(first <= last, "a range that ends before it begins")
                count += last - first + 1
                within(count, limit, f"nodes of all records `{name}`")
                nodes.extend(range(first, last + 1))
            cuts.append(nodes)
        return cuts

    def amount(self, count=1):
        """Counts demands, lengths and weights in covers."""
        self.amounts += count
        within(self.amounts, 2**25, "demands, lengths and weights in covers")

    def demands(self):
        found = self.all("demand", 3, 3)
        self.amount(len(found))
        return [(integer(s), integer(d), rational(amount)) for s, d, amount in found]

    def flow(self):
        """None for an even split, else the paths."""
        rule = self.take("route", 1, 1)[0]
        demand(rule in ("even", "paths"), "route")
        return None if rule == "even" else self.paths()

    def automorphisms(self):
        """Per record, the cycles of nodes and those of links."""
        found, count = [], 0
        for words in self.all("automorphism", 0):
            cycles, side, names = {"n": [], "l": []}, None, "nl"
            for word in words:
                if word in ("n", "l"):
                    demand(word in names and (side is None or cycles[side]), "sides of automorphism")
                    side, names = word, names[names.index(word) + 1 :]
                    continue
                demand(side, "a word before the first side of an automorphism")
                cycles[side].append([integer(id) for id in word.split(",")])
            demand(side is None or cycles[side], "an empty side of an automorphism")
            count += 1 + sum(len(cycle) for side in cycles.values() for cycle in side)
            within(count, 2**24, "automorphism records and their numbers")
            found.append((cycles["n"], cycles["l"]))
        return found

    def covers(self):
        found = []
        for words in self.all("cover", 1):
            cover, side, names = {}, None, "sdoil"
            for word in words[1:]:
                if word in names and len(word) == 1:
                    side, names = word, names[names.index(word) + 1 :]
                    cover[side] = []
                    continue
                demand(side, "a word before the first side of a cover")
                self.amount()
                parts = word.split(":", 1)
                weight = rational(parts[1]) if len(parts) == 2 else Fraction(1)
                cover[side].append((integer(parts[0]), weight))
            demand(all(cover.values()), "an empty side of a cover")
            found.append((integer(words[0]), cover))
        return found
