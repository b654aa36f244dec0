"""The module against a program that is built: `ROUTEBOUND_BINARY`, the wheel's, or that in PATH."""

import os
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from unittest import mock

import routebound

try:
    import networkx
except ImportError:
    networkx = None

SOURCES = Path(__file__).resolve().parents[2]


class Runs(unittest.TestCase):
    def test_the_ratio_is_that_of_the_program(self):
        found = routebound.ratio("ft(8,3)", "dmodk")
        self.assertEqual(found["verb"], "ratio")
        self.assertEqual(found["oblivious_ratio"], {"lower": "7", "upper": "7", "evidence": "proven"})
        self.assertEqual(routebound.bounds(found["oblivious_ratio"]), (Fraction(7), Fraction(7), "proven"))

    def test_the_example_of_the_readme_prints_what_it_says(self):
        page = (SOURCES / "python" / "README.md").read_text(encoding="utf-8")
        example = page.split("```python\n")[1].split("```")[0]
        path = os.pathsep.join(sys.path)
        done = subprocess.run(
            [sys.executable, "-c", example],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        remarks = [line.split("# ")[1].split(", a ")[0] for line in example.splitlines() if "# " in line]
        self.assertEqual(done.stdout.splitlines(), remarks)
        self.assertEqual(len(remarks), 2)

    def test_loads_are_exact(self):
        found = routebound.load("ft(8,3)", "omrmn", "shift(1)")
        self.assertEqual(found["verb"], "load")
        exact = routebound.run("load", "ft(4,2)", "omrmn", "shift(2)")["max_load"]
        self.assertIsInstance(routebound.fraction(exact), Fraction)
        with self.assertRaises(TypeError):
            routebound.fraction(0.5)

    def test_options_are_those_of_the_command_line(self):
        pairs = routebound.run("route", "ft(8,3)", "dmodk", pair=[(0, 127), (5, 9)])["pairs"]
        self.assertEqual([(pair["source"], pair["destination"]) for pair in pairs], [(0, 127), (5, 9)])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.cert"
            routebound.ratio("ft(4,2)", "dmodk", certificate=file, at_most=4, unit_capacity=True, embed=False)
            checked = routebound.run("check", file)
            self.assertEqual(checked["verb"], "check")

    def test_a_file_of_the_sources(self):
        folder = SOURCES / "instances/fabrics/ft8x3/updn"
        found = routebound.ratio(folder / "ibnetdiscover.out.gz", f"lft:{folder / 'opensm-lfts.dump.gz'}")
        self.assertEqual(found["permutation_load"]["lower"], "16")


class Endings(unittest.TestCase):
    def test_a_gate_that_fails_has_its_result(self):
        with self.assertRaises(routebound.CheckFailed) as caught:
            routebound.ratio("ft(8,3)", "dmodk", at_most=2)
        self.assertEqual(caught.exception.exit_code, 1)
        self.assertEqual(caught.exception.result["oblivious_ratio"]["lower"], "7")

    def test_bad_input_says_what_is_wrong(self):
        for arguments in [("ratio", "ft(3,2)", "dmodk"), ("ratio", "ft(4,2)", "dmodq"), ("nonsense",)]:
            with self.assertRaises(routebound.BadInput) as caught:
                routebound.run(*arguments)
            self.assertEqual(caught.exception.exit_code, 2)
            self.assertEqual(str(caught.exception), caught.exception.result["error"])

    def test_a_limit_leaves_the_bounds(self):
        with self.assertRaises(routebound.LimitReached) as caught:
            routebound.ratio("ft(48,3)", "random(seed=1)", time_limit=0)
        self.assertEqual(caught.exception.exit_code, 3)
        self.assertTrue(caught.exception.result)

    def test_what_is_no_json_is_no_answer(self):
        with mock.patch.dict(os.environ, {"ROUTEBOUND_BINARY": sys.executable}):
            with self.assertRaises(routebound.RouteboundError) as caught:
                routebound.run("no-such-file.py")
        self.assertEqual(caught.exception.result, {})

    def test_the_program_can_be_run_as_a_module(self):
        command = [sys.executable, "-m", "routebound", "topo", "ft(3,2)"]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("m = 3 must be even", done.stderr)


@unittest.skipIf(networkx is None, "networkx is not installed")
class Graphs(unittest.TestCase):
    def test_a_tree_is_a_graph(self):
        graph = routebound.topo("ft(4,2)")
        self.assertIsInstance(graph, networkx.DiGraph)
        self.assertEqual((graph.graph["hosts"], len(graph), graph.number_of_edges()), (8, 14, 32))
        self.assertEqual(graph.nodes[0]["kind"], "host")
        self.assertEqual(networkx.shortest_path_length(graph, 0, 7), 4)
        self.assertTrue(all(edge["capacity"] == "1" for *_, edge in graph.edges(data=True)))

    def test_parallel_cables_stay_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "parallel.csv"
            file.write_text("a,s\nb,t\ns,t\ns,t\n", encoding="utf-8")
            graph = routebound.topo(file)
            self.assertEqual(graph.number_of_edges(), routebound.run("topo", file)["links"])
        self.assertEqual(graph.number_of_edges(), 8)
        self.assertEqual(networkx.DiGraph(graph).number_of_edges(), 6)


if __name__ == "__main__":
    unittest.main()
