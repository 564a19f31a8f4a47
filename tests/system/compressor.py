# SPDX-License-Identifier: MIT
"""A whole compressor from Debian's sources under noise, as it is and with an order bug.

usage: compressor.py BUILD SOURCES [--package pigz|pbzip2] [--time SECONDS] [--find SECONDS]
                     [--replays N]

As it is, the compressor is executed for --time seconds, 300 without it.  What each execution
writes is unpacked and compared with the original, and nothing must be found.  Then each
PACKAGE-*.patch beside this file moves one line.  Natively that does no harm, or nearly never.
Under noise it must be found within --find seconds, 300 without it, and what was found is replayed
--replays times on each carrier, without the input.

Exits with 77 when the sources cannot be had.

On a machine with two processors that had five times as much to do as they could, five minutes
were 2,300 executions of pigz, and 4,300 with less to do; of pbzip2 1,800.  pigz-release-early is
found after 1 to 30 executions, within 3 seconds; pigz-check-late mostly in the first, for being
recorded is disturbance enough.  Natively each fails in at most 2 of 100.  All of 100 replays on
each carrier showed the same.
"""

import argparse
import collections
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CARRIERS = ("fiber", "thread")
SKIPPED = 77
NATIVE = 100  # executions without plait, to see how rare an injected bug is
SLACK = 120  # seconds that a campaign may take beyond its own limit

# The compiler and what its makefile calls it, what makes several threads busy with 300 KB, how to
# unpack.
Package = collections.namedtuple("Package", "compiler variable arguments unpack")
PACKAGES = {
    "pigz": Package("cc", "CC", ["-p", "4", "-b", "32", "-k", "-c", "input"], "gzip -dc"),
    "pbzip2": Package("c++", "CXX", ["-p4", "-b1", "-k", "-c", "input"], "bzip2 -dc"),
}


def fail(text):
    sys.exit("compressor.py: " + text)


def run(command, **options):
    """Run to the end, quietly; what it printed is shown if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode != 0:
        fail("%s: exit status %d\n%s" % (" ".join(command), done.returncode, done.stdout))


class Compressor:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.name = options.package
        self.package = PACKAGES[self.name]
        self.bin = os.path.join(os.path.abspath(options.build), "bin")
        self.source = os.path.join(os.path.abspath(options.sources), self.name)
        self.input = os.path.join(work, "input")
        self.check = self.package.unpack + " | cmp - original"
        with open(os.path.join(work, "original"), "w", encoding="ascii") as file:
            file.write("".join("%d\n" % n for n in range(60000))[:300000])

    def build(self, folder, compiler, patch=None):
        """A copy of the source, built in a folder of its own; the program's path there."""
        copy = os.path.join(self.work, folder)
        shutil.copytree(self.source, copy, symlinks=True)
        if patch:
            run(["patch", "-s", "-p1", "-F0", "-d", copy, "-i", patch])
        run(["make", "-C", copy, "%s=%s" % (self.package.variable, compiler), self.name])
        return os.path.join(folder, self.name)

    def wrapper(self):
        return os.path.join(self.bin, "plait-" + self.package.compiler)

    def natively(self, program):
        """How many of NATIVE executions without plait go wrong."""
        shutil.copy(os.path.join(self.work, "original"), self.input)
        command = "./%s %s | %s" % (program, " ".join(self.package.arguments), self.check)
        return sum(subprocess.run(["sh", "-c", command], cwd=self.work, timeout=60,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL).returncode != 0
                   for _ in range(NATIVE))

    def plait(self, limit, *arguments):
        """Status, result and text of a command of plait that writes a result."""
        path = os.path.join(self.work, "result.json")
        if os.path.exists(path):
            os.unlink(path)
        command, *rest = arguments
        done = subprocess.run([os.path.join(self.bin, "plait"), command, "--json", path, *rest],
                              cwd=self.work, timeout=limit, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        if not os.path.exists(path):
            fail("plait %s: exit status %d and no result\n%s" %
                 (" ".join(arguments), done.returncode, done.stdout))
        with open(path, encoding="utf-8") as file:
            return done.returncode, json.load(file), done.stdout

    def disturb(self, program, seconds):
        shutil.copy(os.path.join(self.work, "original"), self.input)
        return self.plait(seconds + SLACK, "test", "-s", "noise", "-n", "1000000000",
                          "-t", "%ds" % seconds, "-o", program + ".results", "--check", self.check,
                          "--", program, *self.package.arguments)

    def stays_clean(self):
        program = self.build("whole", self.wrapper())
        status, result, text = self.disturb(program, self.options.time)
        if status != 0 or result["findings"]:
            fail("%s as it is: exit status %d\n%s" % (self.name, status, text))
        if result["executions"] == 0:
            fail("%s was not executed\n%s" % (self.name, text))
        print("%s: %d executions in %.0f s, every output right" %
              (self.name, result["executions"], result["seconds"]), flush=True)

    def fails(self, patch):
        bug = os.path.basename(patch)[: -len(".patch")]
        wrong = self.natively(self.build(bug + "-native", self.package.compiler, patch))
        if wrong > NATIVE / 4:
            fail("%s: fails natively %d times of %d" % (bug, wrong, NATIVE))
        program = self.build(bug, self.wrapper(), patch)
        begin = time.monotonic()
        status, result, text = self.disturb(program, self.options.find)
        if status != 1 or len(result["findings"]) != 1:
            fail("%s: exit status %d\n%s" % (bug, status, text))
        finding = result["findings"][0]
        print("%s: natively %d of %d fail; %s in execution %d, after %.1f s in all" %
              (bug, wrong, NATIVE, finding["kind"], finding["execution"],
               time.monotonic() - begin), flush=True)
        self.replays(bug, finding)

    def replays(self, bug, finding):
        """What was read is in the recording, so the input need not be there."""
        os.unlink(self.input)
        for carrier in CARRIERS:
            for number in range(self.options.replays):
                status, result, text = self.plait(SLACK, "replay", "--carrier", carrier,
                                                  finding["schedule"])
                kinds = [f["kind"] for f in result["findings"]]
                if status != 1 or kinds != [finding["kind"]]:
                    fail("%s: replay %d on %s: exit status %d\n%s" %
                         (bug, number + 1, carrier, status, text))
        print("%s: replayed %d of %d times on %s" %
              (bug, self.options.replays, self.options.replays, " and ".join(CARRIERS)), flush=True)


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
    parser.add_argument("--package", choices=sorted(PACKAGES), default="pigz")
    parser.add_argument("--time", type=int, default=300)
    parser.add_argument("--find", type=int, default=300)
    parser.add_argument("--replays", type=int, default=10)
    options = parser.parse_args()
    if not fetched(options):
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as work:
        compressor = Compressor(options, work)
        compressor.stays_clean()
        for patch in sorted(glob.glob(os.path.join(HERE, options.package + "-*.patch"))):
            compressor.fails(patch)


main()
