#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what calls answer under plait with what kernel and libc answer.

    check_answers.py --plait BUILD/bin/plait [--seeds 1-20] [--steps 60] [--modes 0,1,2,4,5,6] [--restart rollback,fork] [--program PATH]

A seed is a script of calls with valid, invalid and odd arguments (answers.c), made by one thread or by two in turn while
others wait.  It runs natively, by itself, and under plait in a few executions, each of which must print every line that native runs agree on,
and nothing may be found.  A step that does not return natively is left out of the script; with it as the
last one, plait must find a deadlock.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O0", "-g", "-std=gnu17", "-w", "-pthread"]  # compilers warn of what is tried here


def build(plait, folder):
    program = os.path.join(folder, "answers")
    subprocess.run([os.path.join(os.path.dirname(plait), "plait-cc"), *FLAGS, "-o", program,
                    os.path.join(HERE, "answers.c"), os.path.join(HERE, "answers_rows.c"), "-lm"], check=True)
    return program


class Checker:
    def __init__(self, options, program, work):
        self.options, self.program, self.work = options, program, work
        self.calls = 0

    def command(self, seed, mode, steps, left_out):
        return [self.program, str(seed), str(steps), str(mode), ",".join(map(str, sorted(left_out)))]

    def native(self, seed, mode, left_out):
        """The lines of a run, and whether it came to its end."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            process = subprocess.Popen(self.command(seed, mode, self.options.steps, left_out), cwd=folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            try:
                out, _ = process.communicate(timeout=self.options.patience)
                ended = True
            except subprocess.TimeoutExpired:
                process.kill()
                out, _ = process.communicate()
                ended = False
        if ended and process.returncode:
            raise SystemExit("seed %d mode %d: a native run ends with %d after\n%s"
                             % (seed, mode, process.returncode, out.decode(errors="replace")[-300:]))
        return out.decode(errors="replace").splitlines(), ended

    def script(self, seed, mode, left_out):
        """Lines by step that two native runs agree on; steps that do not return are added to those that are left out."""
        while True:
            lines, ended = self.native(seed, mode, left_out)
            if ended:
                break
            done = {int(line.split(" ", 1)[0]) for line in lines}
            left_out.add(next(n for n in range(self.options.steps) if n not in done and n not in left_out))
        again, _ = self.native(seed, mode, left_out)
        self.calls += len(lines)
        first, second = by_step(lines), by_step(again)
        return {n: line for n, line in first.items() if second.get(n) == line}, set(first)

    def explore(self, seed, mode, steps, left_out, restart):
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            command = [self.options.plait, "test", "-n", str(self.options.executions), "-s", self.options.strategy, "-q", "--no-minimize", "--outputs", "--json", "-",
                       "-o", "out", *self.options.options.split()]
            if restart != "rollback":  # which goes over to another by itself, when it must
                command += ["--restart", restart]
            done = subprocess.run(command + ["--", *self.command(seed, mode, steps, left_out)], cwd=folder,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
            try:
                return json.loads(done.stdout)
            except ValueError:
                if "does not suit" in done.stderr and restart != "rollback":
                    return self.explore(seed, mode, steps, left_out, "rollback")
                return {"findings": [{"kind": "no result", "message": done.stderr[-500:]}], "outputs": []}

    def first_bad(self, seed, mode, left_out, restart):
        """The step at which an execution ends too early."""
        low, high = 0, self.options.steps
        while high - low > 1:
            middle = (low + high) // 2
            if self.explore(seed, mode, middle, left_out, restart)["findings"]:
                high = middle
            else:
                low = middle
        return low

    def check(self, seed, mode, restart):
        wrong, without = [], set()
        expected, steps = self.script(seed, mode, without)
        waiting = set(without)
        while True:
            report = self.explore(seed, mode, self.options.steps, without, restart)
            for output in report["outputs"]:
                lines = by_step(output["text"].splitlines())
                wrong += ["native  %s\n    plait   %s" % (line, lines.get(n))
                          for n, line in sorted(expected.items()) if lines.get(n) != line]
            wrong += ["finding: %s: %s" % (f["kind"], f["message"]) for f in report["findings"]]
            bad = self.first_bad(seed, mode, without, restart) if report["findings"] else None
            if bad not in steps or bad in without:
                break
            wrong.append("native  %s" % expected.get(bad, bad))
            without.add(bad)
            expected, steps = self.script(seed, mode, without)
        for n in waiting:
            alone = self.explore(seed, mode, n + 1, waiting - {n}, restart)
            kinds = {f["kind"] for f in alone["findings"]}
            if kinds != {"deadlock"}:
                wrong.append("step %d waits for ever natively, and plait finds %s" % (n, sorted(kinds) or "nothing"))
        return list(dict.fromkeys(wrong)), waiting


def by_step(lines):
    return {int(line.split(" ", 1)[0]): line for line in lines if re.match(r"\d+ \w", line)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True, type=os.path.abspath)
    parser.add_argument("--program", type=os.path.abspath)
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--steps", type=int, default=60)  # a report has 4 KiB of what is printed
    parser.add_argument("--modes", default="0,1,2,4,5,6")
    parser.add_argument("--restart", default="rollback,fork")
    parser.add_argument("--strategy", default="random")
    parser.add_argument("--executions", type=int, default=1)
    parser.add_argument("--patience", type=float, default=300)  # of whoever knows that no step waits for ever
    parser.add_argument("--options", default="")
    options = parser.parse_args()
    modes, restarts = [int(m) for m in options.modes.split(",")], options.restart.split(",")
    first, _, last = options.seeds.partition("-")
    wrong = 0
    begun, ends = int(first), int(last or first)
    with tempfile.TemporaryDirectory() as work:
        checker = Checker(options, options.program or build(options.plait, work), work)
        for seed in range(begun, ends + 1):
            mode, restart = modes[seed % len(modes)], restarts[seed // len(modes) % len(restarts)]
            differences, left_out = checker.check(seed, mode, restart)
            wrong += bool(differences)
            if differences:
                print("seed %d mode %d %s, without %s:" % (seed, mode, restart, sorted(left_out)))
                for text in differences:
                    print("    " + text, flush=True)
    print("%d scripts, %d calls, %d wrong" % (ends - begun + 1, checker.calls, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
