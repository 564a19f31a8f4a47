#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: bench/risk.py BUILD [--strategies A,B] [--kinds off,on] [--executions N] [--seconds N]
                     [--only P,Q] [--seeds FIRST-LAST] [--json FILE]

How many executions exhaustive strategies take to the first bug, by what --risk says: over the
programs of bench/scoreboard and bench/guided, and over the generated programs with a bug among those seeds.
Prints a table for each; `-` is a bug that the budget did not suffice for.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
GENERATED = os.path.join(os.path.dirname(FOLDER), "tests", "generated")
sys.path.insert(0, GENERATED)

import check_steps  # noqa: E402
import generate_steps  # noqa: E402


def programs_of(folder):
    """The module `programs` of a folder of bench."""
    path = os.path.join(FOLDER, folder, "programs.py")
    spec = importlib.util.spec_from_file_location("programs_" + folder, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.all_of()


def cases(only):
    """(name, source, flags, arguments, kinds of findings that are the bug)"""
    for p in programs_of("scoreboard").values():
        for size in p.sizes if p.kind == "bug" else []:
            if not only or p.name in only:
                yield (f"{p.name} {size or ''}".strip(), p.path,
                       [] if size is None else [f"-DN={size}"], [], p.finds)
    for p in programs_of("guided"):
        for size in p.sizes[:2]:
            if not only or p.name in only:
                yield f"{p.name} {size or ''}".strip(), p.path, [], [size] if size else [], p.finds


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.plait = os.path.join(os.path.abspath(options.build), "bin", "plait")

    def campaign(self, where, strategy, kind, command, finds=None):
        """The execution that showed the bug, or None."""
        result, folder = os.path.join(self.work, where + ".json"), where + ".out"
        shutil.rmtree(os.path.join(self.work, folder), ignore_errors=True)
        o = self.options
        done = subprocess.run(
            [self.plait, "test", "-q", "-s", strategy, "--risk", kind, "-n", str(o.executions),
             "-t", f"{o.seconds}s", "--no-minimize", "--drive", "0", "--json", result,
             "-o", folder, "--", *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            check=False, cwd=self.work)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{command}, {strategy}: {done.stderr}")
        with open(result, encoding="utf-8") as f:
            found = json.load(f)["findings"]
        at = [f["execution"] for f in found if finds is None or f["kind"] in finds]
        return min(at) if at else None

    def row(self, case):
        name, source, flags, arguments, finds = case
        where = name.replace(" ", "_")
        binary = os.path.join(self.work, where)
        subprocess.run([self.plait, "cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags, "-o",
                        binary, source], check=True)
        return name, {(s, k): self.campaign(where, s, k, [binary, *arguments], finds)
                      for s in self.options.strategies for k in self.options.kinds}

    def generated(self):
        """Rows of the generated programs that can fail."""
        o = argparse.Namespace(plait=self.plait, compiler="gcc", options="", enumerate=os.path.join(
            os.path.abspath(self.options.build), "tests", "generated", "enumerate"))
        checker = check_steps.Checker(o, self.work)
        checker.build("-DSITES")
        first, last = map(int, self.options.seeds.split("-"))
        for seed in range(first, last + 1):
            path = checker.file_of(generate_steps.generate(seed).text())
            answer = checker.ask(path)
            if answer.executions is None or not answer.kinds():
                continue
            yield f"seed {seed}", {
                (s, k): self.campaign("seed", s, k, [checker.interpret, path])
                for s in self.options.strategies for k in self.options.kinds}


def show(rows, options):
    columns = [(s, k) for s in options.strategies for k in options.kinds]
    print("| program | " + " | ".join(f"{s} {k}" for s, k in columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(str(cells[c] or "–") for c in columns) + " |")
    summarize(rows, options)


def summarize(rows, options):
    """Against the first kind: how often sooner and later, and the sum over those both found."""
    base = options.kinds[0]
    for s in options.strategies:
        for k in options.kinds[1:]:
            pairs = [(cells[s, base] or float("inf"), cells[s, k] or float("inf"))
                     for _, cells in rows]
            both = [(a, b) for a, b in pairs if max(a, b) != float("inf")]
            print(f"{s}, {k} against {base}: sooner in {sum(b < a for a, b in pairs)}, later in "
                  f"{sum(b > a for a, b in pairs)} of {len(pairs)}; found "
                  f"{sum(b != float('inf') for _, b in pairs)} instead of "
                  f"{sum(a != float('inf') for a, _ in pairs)}; executions where both found it "
                  f"{sum(b for _, b in both)} instead of {sum(a for a, _ in both)}")


def main():
    parser = argparse.ArgumentParser(description="Executions to the first bug, by --risk.")
    parser.add_argument("build")
    parser.add_argument("--strategies", default="dfs,pcb,delay,dpor")
    parser.add_argument("--kinds", default="off,on")
    parser.add_argument("--executions", type=int, default=10000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", default="", help="of generated programs; none by default")
    parser.add_argument("--json", help="write all numbers here")
    options = parser.parse_args()
    options.strategies, options.kinds = options.strategies.split(","), options.kinds.split(",")
    only = set(filter(None, options.only.split(",")))
    with tempfile.TemporaryDirectory(prefix="plait-risk-") as work:
        bench = Bench(options, work)
        if options.seeds:
            rows = list(bench.generated())
            summarize(rows, options)
        else:
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                rows = list(pool.map(bench.row, cases(only)))
            show(rows, options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump([[name, [[*c, n] for c, n in cells.items()]] for name, cells in rows], f)
    return 0


if __name__ == "__main__":
    sys.exit(main())
