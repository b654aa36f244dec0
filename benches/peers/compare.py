#!/usr/bin/env python3
"""Times jobs of routebound beside what others have written for them, in one run.

    compare.py [--repeats N] [--program FILE] [--scripts FOLDER]

Every job is run in turn with its peer, N times (3), so that other work on the machine meets both.
Printed are wall and processor time of the run with the least processor time, and the largest memory of
each, and the ratio of the processor times: other work changes it less than wall times, and ours uses all
cores where the scripts use one. The scripts `scipy_exact.py` and `numpy_loads.py` are read from FOLDER; they need
NumPy and SciPy. What cannot be run here is printed with the figure that was published or measured
elsewhere, marked `stored`.
"""
import argparse
import os
import re
import sys
import tempfile
import time
from pathlib import Path

# Job, our arguments, the peer's script with arguments, and whether both must find the same value.
JOBS = [
    ("FT(16,3) dmodk, enumerated", ["ratio", "ft(16,3)", "dmodk", "--engine", "enumerate"],
     ["scipy_exact.py", "16", "dmodk"], True),
    ("FT(16,3) dmodk, by digits", ["ratio", "ft(16,3)", "dmodk", "--engine", "by-digits"],
     ["scipy_exact.py", "16", "dmodk"], True),
    ("FT(16,3) random, exact", ["ratio", "ft(16,3)", "random"], ["scipy_exact.py", "16", "random"], False),
    ("FT(24,3) dmodk, enumerated", ["ratio", "ft(24,3)", "dmodk", "--engine", "enumerate"],
     ["scipy_exact.py", "24", "dmodk"], True),
    ("FT(24,3) dmodk, by digits", ["ratio", "ft(24,3)", "dmodk", "--engine", "by-digits"],
     ["scipy_exact.py", "24", "dmodk"], True),
    ("FT(24,3) random, exact", ["ratio", "ft(24,3)", "random"], ["scipy_exact.py", "24", "random"], False),
    ("4,096 hosts all-to-all", ["load", "kary(16,3)", "dmodk", "uniform"], ["numpy_loads.py", "16"], True),
]

# Jobs whose peers are not run here: name, our arguments, and the peer's figure with its program.
STORED = [
    ("4,096 hosts all-to-all", ["load", "kary(16,3)", "dmodk", "uniform"],
     "INRFlow 0.4.1, fattree_16_3: 5.2 s"),
    ("1,000 random bisections", ["attack", "ft(16,3)", "dmodk", "--no-exact", "--adversary",
                                 "random(trials=1000,pattern=bisection)"],
     "ORCS 2.0, 1,024 hosts: 22.6 s"),
    ("8,192 hosts, any routing", None,
     "TUB, throughput of a Clos network: 0.9 s; no routing is given, so nothing of ours compares"),
]


def run(command, output):
    """Wall seconds, processor seconds and most memory in MB of a command; its exit status must be 0."""
    start = time.perf_counter()
    with open(output, "wb") as out:
        pid = os.posix_spawnp(command[0], command, os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
        _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def found(text):
    """The worst or largest load that an output states."""
    known = re.search(r"worst permutation load\s+(\d+)|max load\s+(\d+)|host links (\d+)", text)
    return next((value for value in known.groups() if value), None) if known else None


def fastest(runs):
    wall, processor, _ = min(runs, key=lambda run: run[1])
    return f"{wall:7.3f} {processor:7.3f} {max(memory for _, _, memory in runs):7.0f}"


def compare(job, program, scripts, repeats, folder):
    name, ours, theirs, is_same = job
    certificate = ["--certificate", str(folder / "cert")] if ours[0] == "ratio" else []
    commands = [[program, *ours, *certificate], [sys.executable, str(scripts / theirs[0]), *theirs[1:]]]
    runs = [[], []]
    for _ in range(repeats):
        for command, timed, place in zip(commands, runs, ["ours", "theirs"]):
            timed.append(run(command, folder / place))
    values = [found((folder / place).read_text()) for place in ["ours", "theirs"]]
    if None in values or (is_same and values[0] != values[1]):
        sys.exit(f"{name}: routebound found {values[0]}, {theirs[0]} {values[1]}")
    least = [min(processor for _, processor, _ in of_one) for of_one in runs]
    ratio = least[1] / least[0]
    print(f"{name:29} {fastest(runs[0])}   {fastest(runs[1])} {ratio:7.1f}   "
          f"{theirs[0]}: {values[0]}, {values[1]}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--program", default="target/release/routebound")
    parser.add_argument("--scripts", type=Path, default=Path("../shared/peers"))
    options = parser.parse_args()
    print(f"{'':29} {'routebound':^23}   {'peer':^23}")
    columns = f"{'seconds':>7} {'proc. s':>7} {'MB':>7}"
    print(f"{'job':29} {columns}   {columns} {'ratio':>7}   peer: value found by each")
    with tempfile.TemporaryDirectory() as folder:
        for job in JOBS:
            if not (options.scripts / job[2][0]).exists():
                print(f"{job[0]:29} skipped: there is no {options.scripts / job[2][0]}")
                continue
            compare(job, options.program, options.scripts, options.repeats, Path(folder))
        print("\nnot run here; stored figures of other machines")
        for name, ours, figure in STORED:
            runs = [run([options.program, *ours], Path(folder) / "ours")
                    for _ in range(options.repeats if ours else 0)]
            print(f"{name:29} {fastest(runs) if runs else '':23}   {figure}", flush=True)


if __name__ == "__main__":
    main()
