# SPDX-License-Identifier: MIT
"""A whole compressor from Debian's sources under a controlled strategy, as it is and with an old bug.

usage: guided.py BUILD SOURCES [--package pbzip2|pigz] [--strategy NAME] [--time SECONDS]
                 [--find SECONDS] [--replays N]

As it is, two threads compress a small input for --time seconds or to the end of the search: every
output must be right and nothing be found, and `plait coverage` must list pairs of its statements. With
the patch of the package, which does no harm natively or nearly never, the strategy must find
something within --find seconds, and what it has found is replayed --replays times on each carrier.

Exits with 77 when the sources cannot be had.
"""
import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CARRIERS = ("fiber", "thread")
SKIPPED = 77
NATIVE = 50  # executions without plait, to see how rare the bug is
SLACK = 120  # seconds that a campaign may take beyond its own limit


@dataclasses.dataclass
class Package:
    compiler: str
    variable: str  # what its makefile calls the compiler
    arguments: list
    unpack: str
    size: int  # of the input: three blocks
    patch: str


PACKAGES = {
    "pbzip2": Package("c++", "CXX", ["-p2", "-b1", "-k", "-c", "input"], "bzip2 -dc", 250000,
                      "guided-pbzip2.patch"),
    "pigz": Package("cc", "CC", ["-p", "2", "-b", "32", "-k", "-c", "input"], "gzip -dc", 90000,
                    "pigz-release-early.patch"),
}


def fail(text):
    sys.exit("guided.py: " + text)


def run(command, **options):
    """Run to the end, quietly; what it printed is shown if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode != 0:
        fail("%s: exit status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


class Compressor:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.name, self.package = options.package, PACKAGES[options.package]
        self.bin = os.path.join(os.path.abspath(options.build), "bin")
        self.source = os.path.join(os.path.abspath(options.sources), self.name)
        self.check = self.package.unpack + " | cmp - input"
        with open(os.path.join(work, "input"), "w", encoding="ascii") as file:
            file.write("".join("%d\n" % n for n in range(60000))[:self.package.size])

    def build(self, folder, compiler, patch=None):
        """A copy of the source, built in a folder of its own; the program's path there."""
        copy = os.path.join(self.work, folder)
        shutil.copytree(self.source, copy, symlinks=True)
        if patch:
            run(["patch", "-s", "-p1", "-F0", "-d", copy, "-i", os.path.join(HERE, patch)])
        run(["make", "-C", copy, "%s=%s" % (self.package.variable, compiler), self.name])
        return os.path.join(folder, self.name)

    def instrumented(self, folder, patch=None):
        return self.build(folder, os.path.join(self.bin, "plait-" + self.package.compiler), patch)

    def natively(self, program):
        """How many of NATIVE executions without plait go wrong."""
        command = "./%s %s | %s" % (program, " ".join(self.package.arguments), self.check)
        return sum(subprocess.run(["sh", "-c", command], cwd=self.work, timeout=60,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL).returncode != 0
                   for _ in range(NATIVE))

    def plait(self, limit, command, *arguments):
        """Status, result and text of a command of plait that writes a result."""
        path = os.path.join(self.work, "result.json")
        if os.path.exists(path):
            os.unlink(path)
        done = subprocess.run([os.path.join(self.bin, "plait"), command, "--json", path, *arguments],
                              cwd=self.work, timeout=limit, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        if not os.path.exists(path):
            fail("plait %s: exit status %d and no result\n%s" %
                 (command, done.returncode, done.stdout))
        with open(path, encoding="utf-8") as file:
            return done.returncode, json.load(file), done.stdout

    def search(self, program, seconds):
        return self.plait(seconds + SLACK, "test", "-s", self.options.strategy, "-n", "1000000000",
                          "-t", "%ds" % seconds, "-o", program + ".results", "--check", self.check,
                          "--", program, *self.package.arguments)

    def stays_clean(self):
        program = self.instrumented("whole")
        status, result, text = self.search(program, self.options.time)
        if status != 0 or result["findings"] or result["executions"] == 0:
            fail("%s as it is: exit status %d\n%s" % (self.name, status, text))
        _, covered, _ = self.plait(SLACK, "coverage", program + ".results")
        pairs = covered["m3"]
        if not pairs["tasks"] or len(pairs["tasks"]) != pairs["covered"]:
            fail("no list of pairs of statements: %s" % pairs)
        print("%s: %d executions in %.0f s, every output right, %d of %d pairs of statements" %
              (self.name, result["executions"], result["seconds"], pairs["covered"],
               pairs["total"]), flush=True)

    def fails(self):
        bug = self.package.patch[: -len(".patch")]
        wrong = self.natively(self.build("native", self.package.compiler, self.package.patch))
        if wrong > NATIVE / 4:
            fail("%s: fails natively %d times of %d" % (bug, wrong, NATIVE))
        program = self.instrumented("patched", self.package.patch)
        status, result, text = self.search(program, self.options.find)
        if status != 1 or len(result["findings"]) != 1:
            fail("%s: exit status %d\n%s" % (bug, status, text))
        finding = result["findings"][0]
        print("%s: natively %d of %d fail; %s in execution %d, %.1f s" %
              (bug, wrong, NATIVE, finding["kind"], finding["execution"], result["seconds"]),
              flush=True)
        self.replays(bug, finding)

    def replays(self, bug, finding):
        for carrier in CARRIERS:
            for number in range(self.options.replays):
                status, result, text = self.plait(SLACK, "replay", "--carrier", carrier,
                                                  finding["schedule"])
                kinds = [f["kind"] for f in result["findings"]]
                if status != 1 or kinds != [finding["kind"]]:
                    fail("%s: replay %d on %s: exit status %d\n%s" %
                         (bug, number + 1, carrier, status, text))
        print("%s: replayed %d times on %s" % (bug, self.options.replays, " and ".join(CARRIERS)))


def fetched(options):
    done = subprocess.run([os.path.join(HERE, "fetch_source.sh"), options.sources, options.package],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print("SKIPPED: the source of %s cannot be had here: %s" %
              (options.package, (done.stderr.splitlines() or [""])[-1]))
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("sources")
    parser.add_argument("--package", choices=sorted(PACKAGES), default="pbzip2")
    parser.add_argument("--strategy", default="hapset")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--find", type=int, default=60)
    parser.add_argument("--replays", type=int, default=5)
    options = parser.parse_args()
    if not fetched(options):
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as work:
        compressor = Compressor(options, work)
        compressor.stays_clean()
        compressor.fails()


main()
