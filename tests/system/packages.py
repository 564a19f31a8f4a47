# SPDX-License-Identifier: MIT
"""A program from Debian's sources: had, built with and without plait, executed, replayed.

compressor.py and guided.py say what is to come out.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CARRIERS = ("fiber", "thread")
PATIENCE = ("--hang-time", "10m")  # an execution takes seconds, on a busy machine minutes
SKIPPED = 77
SLACK = 900  # seconds that a campaign may take beyond its own limit


def fail(text):
    sys.exit("%s: %s" % (os.path.basename(sys.argv[0]), text))


def run(command, **options):
    """Run to the end, quietly; what it printed is shown if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode != 0:
        fail("%s: exit status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def arguments(packages, package, time, find, replays):
    """What all scripts are given, with the defaults of this one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("sources")
    parser.add_argument("--package", choices=sorted(packages), default=package)
    parser.add_argument("--time", type=int, default=time)
    parser.add_argument("--find", type=int, default=find)
    parser.add_argument("--replays", type=int, default=replays)
    return parser


def fetch(options, source=None):
    """Exits with 77 when the sources cannot be had."""
    source = source or options.package
    done = subprocess.run([os.path.join(HERE, "fetch_source.sh"), options.sources, source],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print("SKIPPED: the source of %s cannot be had here: %s" %
              (source, (done.stderr.splitlines() or [""])[-1]))
        sys.exit(SKIPPED)


class Program:
    """`package` has compiler, variable (what its makefile calls that) and arguments; `check` is a
    shell command that says whether what the program wrote is right."""

    def __init__(self, options, work, package, check):
        self.options, self.work, self.package, self.check = options, work, package, check
        self.name = options.package
        self.bin = os.path.join(os.path.abspath(options.build), "bin")
        self.source = os.path.join(os.path.abspath(options.sources), self.name)

    def write(self, name, size):
        """A file to be compressed."""
        with open(os.path.join(self.work, name), "w", encoding="ascii") as file:
            file.write("".join("%d\n" % n for n in range(60000))[:size])

    def build(self, folder, compiler, patch=None):
        """A copy of the source, built in a folder of its own; the program's path there.  Where a patch leaves most of
        the objects as they are, and without one, they come from where they have been made for everybody."""
        copy = os.path.join(self.work, folder)
        source = self.source
        if patch is None or len(glob.glob(self.source + "/**/*.c*", recursive=True)) > 2:
            source = run([os.path.join(HERE, "built.sh"), os.path.abspath(self.options.build),
                          os.path.abspath(self.options.sources), self.name, self.package.variable, compiler]).strip()
        shutil.copytree(source, copy, symlinks=True)
        if patch:
            run(["patch", "-s", "-p1", "-F0", "-d", copy, "-i", os.path.join(HERE, patch)])
        run(["make", "-C", copy, "%s=%s" % (self.package.variable, compiler), self.name])
        return os.path.join(folder, self.name)

    def instrumented(self, folder, patch=None):
        return self.build(folder, os.path.join(self.bin, "plait-" + self.package.compiler), patch)

    def natively(self, program, times):
        """How many of so many executions without plait go wrong; one that does not end does."""
        command = "timeout 60 ./%s %s | %s" % (program, " ".join(self.package.arguments), self.check)
        return sum(subprocess.run(["sh", "-c", command], cwd=self.work,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL).returncode != 0
                   for _ in range(times))

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
            fail("plait %s %s: exit status %d and no result\n%s" %
                 (command, " ".join(arguments), done.returncode, done.stdout))
        with open(path, encoding="utf-8") as file:
            return done.returncode, json.load(file), done.stdout

    def search(self, program, strategy, seconds, seed=1):
        return self.plait(seconds + SLACK, "test", "-s", strategy, "--seed", str(seed),
                          "-n", "1000000000", *PATIENCE,
                          "-t", "%ds" % seconds, "-o", program + ".results", "--check", self.check,
                          "--", program, *self.package.arguments)

    def replays(self, bug, finding):
        for carrier in CARRIERS:
            for number in range(self.options.replays):
                status, result, text = self.plait(SLACK, "replay", *PATIENCE, "--carrier", carrier,
                                                  finding["schedule"])
                kinds = [f["kind"] for f in result["findings"]]
                if status != 1 or kinds != [finding["kind"]]:
                    fail("%s: replay %d on %s: exit status %d\n%s" %
                         (bug, number + 1, carrier, status, text))
        print("%s: replayed %d times on %s" %
              (bug, self.options.replays, " and ".join(CARRIERS)), flush=True)
