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
import dataclasses
import tempfile

from packages import SLACK, Program, arguments, fail, fetch

NATIVE = 50  # executions without plait, to see how rare the bug is


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


class Compressor(Program):
    def __init__(self, options, work):
        package = PACKAGES[options.package]
        super().__init__(options, work, package, package.unpack + " | cmp - input")
        self.write("input", package.size)

    def stays_clean(self):
        program = self.instrumented("whole")
        status, result, text = self.search(program, self.options.strategy, self.options.time)
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
        native = self.build("native", self.package.compiler, self.package.patch)
        wrong = self.natively(native, NATIVE)
        if wrong > NATIVE / 4:
            fail("%s: fails natively %d times of %d" % (bug, wrong, NATIVE))
        program = self.instrumented("patched", self.package.patch)
        status, result, text = self.search(program, self.options.strategy, self.options.find)
        if status != 1 or len(result["findings"]) != 1:
            fail("%s: exit status %d\n%s" % (bug, status, text))
        finding = result["findings"][0]
        print("%s: natively %d of %d fail; %s in execution %d, %.1f s" %
              (bug, wrong, NATIVE, finding["kind"], finding["execution"], result["seconds"]),
              flush=True)
        self.replays(bug, finding)


def main():
    parser = arguments(PACKAGES, "pbzip2", time=60, find=60, replays=5)
    parser.add_argument("--strategy", default="hapset")
    options = parser.parse_args()
    fetch(options)
    with tempfile.TemporaryDirectory() as work:
        compressor = Compressor(options, work)
        compressor.stays_clean()
        compressor.fails()


main()
