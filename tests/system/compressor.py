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

import collections
import glob
import os
import shutil
import tempfile
import time

from packages import HERE, Program, arguments, fail, fetch

# What the library that compresses reads and writes has no place in a recording, since it is
# compiled without plait.  So of what is found now and then something does not replay, and plait
# says so itself with the finding; then another seed is tried.
SEEDS = 3
NATIVE = 100  # executions without plait, to see how rare an injected bug is

# The compiler and what its makefile calls it, what makes several threads busy with 300 KB, how to
# unpack.
Package = collections.namedtuple("Package", "compiler variable arguments unpack")
PACKAGES = {
    "pigz": Package("cc", "CC", ["-p", "4", "-b", "32", "-k", "-c", "input"], "gzip -dc"),
    "pbzip2": Package("c++", "CXX", ["-p4", "-b1", "-k", "-c", "input"], "bzip2 -dc"),
}


class Compressor(Program):
    def __init__(self, options, work):
        package = PACKAGES[options.package]
        super().__init__(options, work, package, package.unpack + " | cmp - original")
        self.input = os.path.join(work, "input")
        self.write("original", 300000)

    def give_input(self):
        shutil.copy(os.path.join(self.work, "original"), self.input)

    def disturb(self, program, seconds, seed=1):
        self.give_input()
        return self.search(program, "noise", seconds, seed)

    def stays_clean(self):
        program = self.instrumented("whole")
        status, result, text = self.disturb(program, self.options.time)
        if status != 0 or result["findings"]:
            fail("%s as it is: exit status %d\n%s" % (self.name, status, text))
        if result["executions"] == 0:
            fail("%s was not executed\n%s" % (self.name, text))
        print("%s: %d executions in %.0f s, every output right" %
              (self.name, result["executions"], result["seconds"]), flush=True)

    def fails(self, patch):
        bug = os.path.basename(patch)[: -len(".patch")]
        self.give_input()
        wrong = self.natively(self.build(bug + "-native", self.package.compiler, patch), NATIVE)
        if wrong > NATIVE / 4:
            fail("%s: fails natively %d times of %d" % (bug, wrong, NATIVE))
        program = self.instrumented(bug, patch)
        begin = time.monotonic()
        for seed in range(1, SEEDS + 1):
            status, result, text = self.disturb(program, self.options.find, seed)
            if not any(f.get("unreplayed") for f in result["findings"]):
                break
            print("%s: what was found with seed %d does not replay" % (bug, seed), flush=True)
        if status != 1 or len(result["findings"]) != 1:
            fail("%s: exit status %d\n%s" % (bug, status, text))
        finding = result["findings"][0]
        print("%s: natively %d of %d fail; %s in execution %d, after %.1f s in all" %
              (bug, wrong, NATIVE, finding["kind"], finding["execution"],
               time.monotonic() - begin), flush=True)
        os.unlink(self.input)  # what was read is in the recording
        self.replays(bug, finding)


def main():
    options = arguments(PACKAGES, "pigz", time=300, find=300, replays=10).parse_args()
    fetch(options)
    with tempfile.TemporaryDirectory() as work:
        compressor = Compressor(options, work)
        compressor.stays_clean()
        for patch in sorted(glob.glob(os.path.join(HERE, options.package + "-*.patch"))):
            compressor.fails(patch)


main()
