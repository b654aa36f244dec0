"""The verified checker beside the one in Rust: on all committed certificates, written out, and on mutants of them.

It must accept what the Rust checker accepts, unless it answers that the certificate is of a kind that it does not know,
and nothing that this does not accept.
"""

import argparse
import collections
import gzip
import pathlib
import random
import re
import resource
import subprocess
import sys

MOST_BYTES = 1 << 20
# Mutants of a larger certificate are as many fewer as it is larger, so that all take as long together.
OFTEN = 12_000
BATCH = 400
NUMBERS = "0 1 2 3 7 1/2 3/2 00 01 4294967295 4294967296 - -1 1/0 x 1:1/2 0,1".split(" ")


# What else is checked and changed: automorphisms, lengths, cuts, several paths, allowed paths, given traffic.
MADE = [
    "ratio torus(3,2) valiant",
    "ratio torus(4,2) dor",
    "ratio mesh(3,2) dor",
    "ratio hypercube(3) dor",
    "ratio torus(3,2) valiant --symmetry off",
    "ratio torus(4,2) dor --symmetry off",
    "ratio mesh(3,2) dor --symmetry off",
    "ratio xgft(2;4,4;1,2) dmodk",
    "ratio xgft(2;2,3;1,1) dmodk",
    "ratio ft(4,2) kpath(k=2,choice=first)",
    "optimal ft(4,2) --among kpath(k=2,choice=first)",
    "optimal torus(4) --among valiant",
    "optimal mesh(2,2) --among valiant",
    "optimal torus(4) --shortest",
    "optimal hypercube(3) --shortest",
    "optimal mesh(2,2) --shortest --hose",
    "optimal mesh(2,2)",
    "optimal mesh(2,2) --hose",
    "optu torus(3,2) permutation",
    "optu mesh(4,2) shift(3)",
    "optu ft(4,2) bitrev",
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--embed", "--rust", "--verified", "--folder"):
        parser.add_argument(name, required=True)
    parser.add_argument("--mutants", type=int, required=True)
    return parser.parse_args()


def committed():
    """Committed certificates, by their first line."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        path = pathlib.Path(name)
        if path.suffix in (".cert", ".gz") and path.is_file():
            yield path


def written_out(embed, path, to):
    """Whether the certificate could be written out, into a file that is not too large."""
    done = subprocess.run([embed, "embed", path, "--output", to, "--force", "--quiet"], capture_output=True)
    return done.returncode == 0 and to.stat().st_size <= MOST_BYTES


def routing_written_out(embed, path, to):
    """The same for a certificate about all single-path routings, without files beside it: its tree keeps its name, its
    routing is written out."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="latin-1") as file:
        lines = file.read().splitlines()
    if not any(re.match("single-path .* (?!lrat )[a-z]+( [0-9]+)*$", line) for line in lines):
        return False
    alone = to.with_suffix(".alone")
    alone.write_text("\n".join(line for line in lines if not line.startswith("single-path ")))
    if not written_out(embed, alone, to):
        return False
    whole = to.read_text().splitlines()
    routing = [line for line in whole[: at_claim(whole)] if line.startswith(("next ", "path "))]
    others = [line for line in lines[: at_claim(lines)] if not line.startswith(("routing ", "next ", "path "))]
    name = next(number for number, line in enumerate(others) if line.startswith("topology ")) + 1
    to.write_text("\n".join([*others[:name], *routing, *others[name:], *lines[at_claim(lines) :], ""]))
    return True


def at_claim(lines):
    return next(number for number, line in enumerate(lines) if line.startswith("claim "))


def made(embed, folder):
    """Certificates of some commands, written out, and those on permutations as ones on hoses."""
    files = []
    for number, words in enumerate(MADE):
        named, to = folder / f"named-{number}", folder / f"made-{number}.cert"
        # A claim that is not proved in time still has a certificate.
        subprocess.run([embed, *words.split(" "), "--certificate", named, "--force", "--quiet"], capture_output=True)
        if not written_out(embed, named, to):
            sys.exit(f"error: no certificate of `{words}`")
        files.append(to)
    for file in list(files):
        text = file.read_text()
        if "claim permutation-load" in text:
            to = file.with_suffix(".hose.cert")
            to.write_text(text.replace("claim permutation-load", "claim hose-load"))
            files.append(to)
    return files


def nested(folder, texts):
    """Certificates that count at one height, as ones that count at two: few are about a tree that needs it."""
    counts = [text for text in texts if re.search("\nsingle-path .* count ", text)]
    changed = (
        re.sub("(\nsingle-path .*) count [0-9]+", rf"\1 nested {heights}", text)
        for text in counts
        for heights in ("1 2", "1 3", "2 3")
    )
    return write(folder, "nested", changed)


def judged(program, files):
    """What a program says of each file: its verdict, and what it prints."""
    said = {}
    for at in range(0, len(files), BATCH):
        batch = [str(file) for file in files[at : at + BATCH]]
        # With one file its name is not printed.
        done = subprocess.run([*program, *batch, "/dev/null"], capture_output=True, text=True, errors="replace")
        lines = (done.stdout + done.stderr).splitlines()
        for line in lines:
            for pattern, verdict in PATTERNS:
                found = re.match(pattern, line)
                if found:
                    said[found[1]] = (verdict, line)
                    break
    missing = [str(file) for file in files if str(file) not in said]
    if missing:
        sys.exit(f"error: {program[0]} says nothing of {missing[0]}")
    return [said[str(file)] for file in files]


PATTERNS = [
    (r"(\S+): s VERIFIED ", "accepted"),
    (r"(\S+): s NOT VERIFIED ", "refused"),
    (r"error: cannot check (\S+): it is (?:gzip-compressed, which is )?not a kind I know", "not a known kind"),
    (r"error: cannot check (\S+): ", "beyond a limit"),
    (r"error: (\S+): ", "unreadable"),
]


def mutant(text, random):
    """The text with one to three changes."""
    lines = text.split("\n")
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        at = random.randrange(len(lines))
        # Links and paths are most lines, but not where most mistakes could be.
        if random.random() < 0.6:
            rare = [i for i, line in enumerate(lines) if not line.startswith(("link", "path", "next"))]
            at = random.choice(rare)
        words, change = lines[at].split(" "), random.randrange(10)
        word = random.randrange(len(words))
        if change == 0:
            del lines[at]
        elif change == 1:
            lines.insert(at, lines[at])
        elif change == 2:
            other = random.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif change == 3:
            del words[word]
        elif change == 4:
            words.insert(word, random.choice([words[word], *NUMBERS]))
        elif change == 5:
            words[word] = random.choice(NUMBERS)
        elif change == 6 and words[word].isdigit():
            words[word] = str(max(0, int(words[word]) + random.choice([-1, 1])))
        elif change == 7:
            letters = list(lines[at])
            place = random.randrange(len(letters) + 1)
            letters[place : place + random.choice([0, 1])] = random.choice(" \t\r#,:-/0159sdoilnx\x00\x7f~")
            words = ["".join(letters)]
        elif change == 8:
            words[word] = random.choice(text.split())
        else:
            others = [line.split(" ")[word] for line in lines if line.startswith(words[0]) and line.count(" ") >= word]
            words[word] = random.choice(others)
        if change > 2 and lines:
            lines[at] = " ".join(words)
        if not lines:
            lines = [""]
    return "\n".join(lines)


def respelled(text):
    """The text in other spellings, of which some are wrong."""
    first, rest = text.split("\n", 1)
    plain = text.rstrip("\n")
    return [
        *(text.replace("\n", end) for end in ("\r\n", "\r\r\n", " \t\n", " \r\n", "\r \n")),
        *(text.replace(" ", blank) for blank in ("\t \t", "\x0b", "\x0c", "\xa0")),
        *(plain + end for end in ("", "\r", "\nx", "\n\xff", "\n#\xff\x00", "\n \t\n\n")),
        *(start + text for start in ("#\xff\n", "\n", " ", "\xef\xbb\xbf", "\x00")),
        *(plain + "\n#" + "x" * (2**24 - less) + "\n" for less in (3, 2)),
        first + "\n" + re.sub(r"\b(\d+)\b", r"000\1", rest),
        first + "\n" + re.sub(r"(claim \S+ )", r"\1" + "0" * 199, rest),
        first + "\n" + re.sub(r"(claim \S+ )", r"\1" + "0" * 200, rest),
        *(re.sub("nodes [0-9]+", f"nodes {nodes}", text) for nodes in (2**22, 2**22 + 1, 2**32 - 1, 2**32)),
        *(re.sub("hosts [0-9]+\nnodes [0-9]+", f"hosts {hosts}\nnodes {2**17}", text) for hosts in (0, 1, 2**16 + 1)),
        text.replace("certificate 1", "certificate 01"),
        text.upper(),
        "",
    ]


# What a certificate has that others lack, the rarest first.
KINDS = [
    ("all routings of one path per pair", "\nsingle-path "),
    ("given traffic", "\nclaim optu "),
    ("all routings over allowed paths", "\nleast "),
    ("automorphisms", "\nautomorphism"),
    ("cuts", "\ncut "),
    ("covers by ends", "\nends\n"),
    ("several paths or lengths", "\npath "),
    ("next links", "\nnext "),
]


def kind(text):
    return next((name for name, words in KINDS if words in text), "not a kind known here")


class Comparison:
    """Verdicts of both on texts of some kinds, with everything on which they differ."""

    def __init__(self, options):
        self.options, self.counts, self.seconds, self.wrong = options, collections.Counter(), [0.0, 0.0], []

    def judged(self, program, files, place):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = judged(program, files)
        self.seconds[place] += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        return said

    def judged_in_rust(self, files):
        """Verdicts of the checker in Rust, with the generators of networks where a network is named."""
        named = [b"\ntopology " in file.read_bytes() for file in files]
        said = {}
        for program, are_named in (([self.options.rust], False), ([self.options.embed, "check"], True)):
            some = [file for file, is_named in zip(files, named) if is_named == are_named]
            said.update(zip(some, self.judged(program, some, 1)) if some else ())
        return [said[file] for file in files]

    def add(self, files, kinds):
        """Verdicts of the verified checker."""
        verified = self.judged([self.options.verified], files, 0)
        rust = self.judged_in_rust(files)
        for file, kind, (ours, our_line), (theirs, their_line) in zip(files, kinds, verified, rust):
            self.counts[kind, ours, theirs] += 1
            known = ours != "not a known kind"
            # What is beyond a limit may be refused as well, by either.
            not_accepted = ours != "accepted" and theirs != "accepted"
            if known and not not_accepted and (ours != theirs or our_line != their_line):
                self.wrong.append((file, our_line, their_line))
        return [verdict for verdict, _ in verified]

    def report(self, what):
        number, (ours, theirs) = sum(self.counts.values()), self.seconds
        print(f"{what}: {number}; {ours:.1f} s of processor time, in Rust {theirs:.1f} s")
        for (kind, ours, theirs), number in sorted(self.counts.items()):
            print(f"  {number:6} {kind}: {ours}; in Rust: {theirs}")
        for file, ours, theirs in self.wrong[:20]:
            print(f"*** DIFFERENT: {file}\n  {ours}\n  {theirs}")
        sys.stdout.flush()
        return len(self.wrong)


def write(folder, name, texts):
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"{name}-{number}")
        files[-1].write_bytes(text.encode("latin-1"))
    return files


def mutants(options, folder, texts):
    """Mutants of these certificates, some at a time."""
    chance, weights = random.Random(1), [1 / max(len(text), OFTEN) for text in texts]
    comparison, left = Comparison(options), options.mutants
    while left > 0:
        originals = chance.choices(texts, weights, k=min(left, 5 * BATCH))
        files = write(folder, f"mutant-{left}", (mutant(text, chance) for text in originals))
        wrong = len(comparison.wrong)
        comparison.add(files, [kind(text) for text in originals])
        left -= len(files)
        print(f"{left} mutants left, {len(comparison.wrong)} differences", file=sys.stderr)
        if wrong == len(comparison.wrong):
            for file in files:
                file.unlink()
    return comparison.report(f"mutants of {len(texts)} certificates")


def main():
    options = arguments()
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    files, others = [], 0
    for number, path in enumerate(committed()):
        to = folder / f"{number}-{path.stem}.cert"
        if written_out(options.embed, path, to) or routing_written_out(options.embed, path, to):
            files.append(to)
        else:
            others += 1
    print(f"certificates about no links, or of more than {MOST_BYTES} bytes written out: {others}")
    accepted, wrong = [], 0
    more = [*made(options.embed, folder), *nested(folder, [file.read_text() for file in files])]
    for what, some in (("committed certificates, written out", files), ("others", more)):
        texts = [file.read_text() for file in some]
        comparison = Comparison(options)
        verdicts = comparison.add(some, [kind(text) for text in texts])
        accepted += [text for text, verdict in zip(texts, verdicts) if verdict == "accepted"]
        wrong += comparison.report(what)
    if not accepted:
        sys.exit("error: no certificate to change")
    spelled = write(folder, "spelled", respelled((folder / "made-3.cert").read_text()))
    comparison = Comparison(options)
    comparison.add(spelled, ["spellings"] * len(spelled))
    wrong += comparison.report("other spellings")
    wrong += mutants(options, folder, accepted)
    if wrong:
        sys.exit(f"error: {wrong} differences")


if __name__ == "__main__":
    main()
