#!/usr/bin/env python3
"""Writes a tree as a fabric with forwarding tables in which every switch lists every host.

    tables.py [--program FILE] [--seed N] TREE FOLDER

    tables.py 'ft(48,3)' /tmp/fabric
    routebound ratio /tmp/fabric/network.ibnet lft:/tmp/fabric/dmodk

Written are `network.ibnet`, as ibnetdiscover does, and the tables as dump_fts does, a file for each switch: in
`dmodk` those of D-mod-k, in `random` with a random port up for every switch and destination. FT(48,3) has 80
million entries, 0.9 GB in each folder.
"""
import argparse
import json
import random
import subprocess
from pathlib import Path


def guid(node):
    return f"0002c9{node:010x}"


def ident(node):
    return f"{'H' if node['kind'] == 'host' else 'S'}-{guid(node['id'])}"


def write_network(nodes, cables, path):
    with path.open("w") as out:
        out.write("#\n# Topology file: generated on Fri Nov 20 10:48:22 2026\n#\n\n")
        for node in nodes:
            number, is_host = guid(node["id"]), node["kind"] == "host"
            out.write(f"vendid=0x0\ndevid=0x0\nsysimgguid=0x{number}\n")
            ports, lid = cables[node["id"]], node["id"] + 1
            if is_host:
                out.write(f'caguid=0x{number}\nCa\t{len(ports)} "{ident(node)}"\t\t# "{node["name"]}"\n')
            else:
                out.write(f'switchguid=0x{number}({number})\nSwitch\t{len(ports)} "{ident(node)}"'
                          f'\t\t# "{node["name"]}" base port 0 lid {lid} lmc 0\n')
            for port, (other, other_port) in sorted(ports.items()):
                there = nodes[other]
                own = f"({number})" if is_host else ""
                theirs = f"({guid(other)})" if there["kind"] == "host" else ""
                where = f"lid {lid} lmc 0 " if is_host else ""
                out.write(f'[{port}]{own}\t"{ident(there)}"[{other_port}]{theirs}'
                          f'\t\t# {where}"{there["name"]}" lid {other + 1} 4xQDR\n')
            out.write("\n")


def below(nodes, cables):
    """By node, the port that leads down to each host below it."""
    ports = [{} for _ in nodes]
    for node in sorted(nodes, key=lambda node: node["level"]):
        for port, (other, _) in cables[node["id"]].items():
            if nodes[other]["level"] < node["level"]:
                hosts = [other] if nodes[other]["kind"] == "host" else ports[other]
                ports[node["id"]].update(dict.fromkeys(hosts, port))
    return ports


def write_tables(nodes, cables, hosts, choose, folder):
    folder.mkdir(parents=True)
    down = below(nodes, cables)
    lids = [f"0x{host + 1:04x} " for host in range(hosts)]
    shown = [f"{port:03d}\n" for port in range(256)]
    # The number of ports up of the switches below, by level.
    widths = {}
    for node in nodes[hosts:]:
        level, own = node["level"], down[node["id"]]
        up = sorted(port for port, (other, _) in cables[node["id"]].items() if nodes[other]["level"] > level)
        widths[level] = len(up)
        step = 1
        for lower in range(1, level):
            step *= widths[lower]
        ports = [own.get(host) or up[choose(host // step, len(up))] for host in range(hosts)]
        with (folder / f"{node['id']}.lft").open("w") as out:
            out.write(f"Unicast lids [0x1-0x{hosts:x}] of switch Lid {node['id'] + 1} guid 0x{guid(node['id'])} "
                      f"({node['name']}):\n")
            out.write("".join(lid + shown[port] for lid, port in zip(lids, ports)))
            out.write(f"{hosts} valid lids dumped\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/routebound")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("tree")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    topology = subprocess.run([options.program, "topo", options.tree, "--format", "json"], check=True,
                              capture_output=True)
    topology = json.loads(topology.stdout)
    nodes, cables = topology["nodes"], [{} for _ in topology["nodes"]]
    for link in topology["links"]:
        cables[link["from"]][link["from_port"]] = (link["to"], link["to_port"])
    options.folder.mkdir(parents=True)
    write_network(nodes, cables, options.folder / "network.ibnet")
    draw = random.Random(options.seed)
    choices = {"dmodk": lambda digits, ports: digits % ports,
               "random": lambda _, ports: int(draw.random() * ports)}
    for name, choose in choices.items():
        write_tables(nodes, cables, topology["hosts"], choose, options.folder / name)


if __name__ == "__main__":
    main()
