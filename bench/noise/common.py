# SPDX-License-Identifier: MIT
"""What the measurements of noise share: the experiments, how programs are built and run, and the page
that the tables go to.
"""
import dataclasses
import json
import os
import shutil
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
DOCS = os.path.join(ROOT, "docs", "noise.md")
sys.path.insert(0, os.path.dirname(FOLDER))

import report  # noqa: E402

HANG = "2s"  # the experiments take milliseconds
NATIVE_HANG = 2.0


@dataclasses.dataclass(frozen=True)
class Experiment:
    number: str  # as in the paper
    program: str  # of examples/
    arguments: tuple
    paper_plain: str
    paper_noise: str
    least: float  # share of failing executions that sleep must reach, or None


EXPERIMENTS = (
    Experiment("1", "first_race", (), "0 of 1,000", "sleep 20 %, yield 0.3 %", 0.20),
    Experiment("2", "move_money", (), "40 %", "sleep 85 %", 0.85),
    Experiment("2b", "move_money", ("2000",), "0", "80 %", 0.80),
    Experiment("3", "notified", (), "0 of 2,000", "sleep or yield 35 %", 0.35),
    Experiment("4", "late_parameter", (), "at the first thread only", "always, if it sleeps there", None),
    Experiment("5", "philosophers", (), "not in 15 minutes", "almost at once", 0.90),
    Experiment("6", "crawler", (), "never", "within an hour", None),
)


def say(text):
    print(text, file=sys.stderr, flush=True)


def chosen(only):
    """The experiments that a list of numbers or names stands for; all of them without one."""
    names = [n for n in only.split(",") if n]
    return [e for e in EXPERIMENTS if not names or e.number in names or e.program in names]


class Tool:
    """A build of plait and a folder to work in."""

    def __init__(self, build, work):
        self.plait = os.path.join(os.path.abspath(build), "bin", "plait")
        self.work = work
        self.built = {}

    def build(self, source, form="plait", flags=()):
        """The program of a source file: `plait` instrumented, `plain`, or `tsan`."""
        key = (source, form, tuple(flags))
        if key not in self.built:
            command = {"plait": [self.plait, "cc"], "plain": ["gcc"],
                       "tsan": ["gcc", "-fsanitize=thread"]}[form]
            name = os.path.splitext(os.path.basename(source))[0]
            out = os.path.join(self.work, f"{name}-{form}-{len(self.built)}")
            subprocess.run([*command, "-std=gnu17", "-O2", "-g", "-pthread", "-o", out, source,
                            *flags], check=True)
            self.built[key] = out
        return self.built[key]

    def example(self, name, form="plait", flags=()):
        return self.build(os.path.join(ROOT, "examples", name + ".c"), form, flags)

    def campaign(self, program, noise, options, env=None):
        """The result of `plait test -s noise` as a dictionary; nothing is known from earlier ones."""
        result = os.path.join(self.work, "result.json")
        out = os.path.join(self.work, "out")
        shutil.rmtree(out, ignore_errors=True)
        if os.path.exists(result):
            os.unlink(result)
        done = subprocess.run(
            [self.plait, "test", "-q", "-s", f"noise:{noise}", "--no-minimize", "--drive", "0",
             "--hang-time", HANG, "-o", out, *options,
             "--files", "real",  # a stopwatch writes to one
             "--json", result, "--", *program],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            check=False, cwd=self.work, env=dict(os.environ, **(env or {})))
        if not os.path.exists(result):  # else 3 says that a finding did not replay
            raise RuntimeError(f"{program}: exit status {done.returncode}\n{done.stderr}")
        with open(result, encoding="utf-8") as f:
            return json.load(f)

    def native(self, program, env=None, hang=NATIVE_HANG):
        """Whether a program that is started without plait ends well."""
        try:
            done = subprocess.run(program, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=hang, check=False,
                                  cwd=self.work, env=dict(os.environ, **(env or {})))
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


class Stopwatch:
    """Programs that are linked with stopwatch.c and say how long their parallel part took."""

    FLAGS = ("-Wl,--wrap=pthread_create", os.path.join(FOLDER, "stopwatch.c"))

    def __init__(self, tool):
        self.tool = tool
        self.path = os.path.join(tool.work, "times")
        self.env = {"STOPWATCH": self.path}

    def flags(self):
        """The clock itself is never instrumented, so it is compiled apart."""
        out = os.path.join(self.tool.work, "stopwatch.o")
        if not os.path.exists(out):
            subprocess.run(["gcc", "-O2", "-c", "-o", out, self.FLAGS[1]], check=True)
        return (self.FLAGS[0], out)

    def take(self):
        """Seconds, wall and processor, of the executions that came to their end since last asked."""
        if not os.path.exists(self.path):
            return []
        with open(self.path, encoding="utf-8") as f:
            lines = [line.split() for line in f]
        os.unlink(self.path)
        return [(int(wall) / 1e9, int(cpu) / 1e9) for wall, cpu in lines]


def median_ratio(values, others):
    return statistics.median(a / b for a, b in zip(values, others))


def percent(share):
    if share is None:
        return "–"
    return f"{100 * share:.1f} %" if share < 0.1 or share > 0.99 and share < 1 else f"{100 * share:.0f} %"


def update_docs(name, text):
    report.put_between(DOCS, name, text)


def conditions():
    """One sentence on where and when a table was measured."""
    doc = report.document("full", [])
    return f"{report.headline(doc)}. Measured on {doc['date']}."
