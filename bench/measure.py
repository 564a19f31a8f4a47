# SPDX-License-Identifier: MIT
"""Taking measurements in turns, and the programs that are measured.

Nothing here is compared with a figure from another run: a machine has good and bad minutes.  So all
measurements of a section take turns, and a ratio is the median of the ratios of the turns.
"""
import concurrent.futures
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time

ENDLESS = "1000000000"  # more executions than any measurement has time for
FEW = 5  # executions that say nothing about a rate
NO_EXECUTION = 4  # exit status of `plait test`: none came to its end


@dataclasses.dataclass(frozen=True)
class Mode:
    name: str
    turns: int             # as a rule; a slow machine gets fewer, see in_turns()
    patience: float        # seconds for the turns of one section
    seconds: float         # for each measurement of a rate
    native_seconds: float  # for ThreadSanitizer, the slowest of what is compared natively
    growth_executions: int
    growth_seconds: float  # fewer executions when they would take longer


MODES = {
    "full": Mode("full", 7, 600, 1.5, 1.5, 1_000_000, 1800),
    "short": Mode("short", 3, 20, 0.25, 0.2, 1_000_000, 8),
    "smoke": Mode("smoke", 1, 0, 0.1, 0.02, 1_000_000, 1.5),
}


class Progress:
    """One line on a terminal; nothing elsewhere."""

    def __init__(self):
        self.on = sys.stderr.isatty()

    def show(self, text):
        if self.on:
            print(f"\r\033[K{text[:78]}", end="", file=sys.stderr, flush=True)

    def wipe(self):
        if self.on:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Bench:
    """The build that is measured, a folder to work in, and how long things may take."""

    def __init__(self, build, work, mode):
        self.source = os.path.dirname(os.path.abspath(__file__))
        self.bin = os.path.join(build, "bin")
        self.work = work
        self.mode = mode
        self.progress = Progress()

    def path(self, name):
        return os.path.join(self.work, name)

    def compile_all(self, jobs):
        """jobs are (compiler's command, source, program); returns the programs that were made."""
        self.progress.show(f"compiling {len(jobs)} programs")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(lambda job: self.compile(*job), jobs))
        return {job[2] for job, fine in zip(jobs, done) if fine}

    def compile(self, command, source, program):
        out = subprocess.run(
            command + ["-O2", "-pthread", "-o", self.path(program),
                       os.path.join(self.source, source)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return out.returncode == 0

    def plait_cc(self, compiler="gcc", language="c"):
        variable, wrapper = {"c": ("PLAIT_CC", "plait-cc"),
                             "c++": ("PLAIT_CXX", "plait-c++")}[language]
        return ["env", f"{variable}={compiler}", os.path.join(self.bin, wrapper)]

    def plait(self, program, *options):
        """A campaign of a while, longer if there are too few executions; what plait says about it."""
        seconds = self.mode.seconds
        while True:
            said = self.campaign(program, options, seconds)
            if said["complete"]:
                raise RuntimeError(f"{program[0]} is no program to measure: it has no choices left")
            if said["executions"] >= FEW:
                return said
            seconds *= 2

    def campaign(self, program, options, seconds):
        result = self.path("result.json")
        strategy = [] if "-s" in options else ["-s", "random"]
        command = [os.path.join(self.bin, "plait"), "test", "-q", "-n", ENDLESS, *strategy,
                   "-t", f"{int(seconds * 1000)}ms", "--json", result, *options, "--"] + program
        done = subprocess.run(command, cwd=self.work, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != NO_EXECUTION:  # there are too few of them, then
            done.check_returncode()
        with open(result, encoding="utf-8") as f:
            return json.load(f)

    def rate(self, program, *options):
        return self.plait(program, *options)["executions_per_second"]

    def loop(self, program, *arguments):
        """One of our own loops, which print a rate."""
        command = [self.path(program), *arguments]
        out = subprocess.run(command, cwd=self.work, stdout=subprocess.PIPE, text=True, check=True)
        return float(out.stdout)

    def in_turns(self, title, measures):
        """Call each measure once in each turn; the values of each, by its name.

        No turn begins that would not end in time, but for the first.
        """
        values = {name: [] for name in measures}
        start = time.monotonic()
        for turn in range(self.mode.turns):
            gone = time.monotonic() - start
            if turn > 0 and gone * (turn + 1) / turn > self.mode.patience:
                break
            for name, measure in measures.items():
                self.progress.show(f"{title}, turn {turn + 1} of {self.mode.turns}: {name}")
                values[name].append(measure())
        return values


def median_ratio(values, others):
    return statistics.median(a / b for a, b in zip(values, others))
