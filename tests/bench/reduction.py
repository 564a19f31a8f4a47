# SPDX-License-Identifier: MIT
"""What optimal partial-order reduction costs, as ratios within one run.

Its executions come at a third of the rate of random ones at least; an operation costs no more in a
long execution than in a short one; memory does not grow with the number of executions.  It is processor
time that is compared, so others may run meanwhile.  A busy machine can spoil an attempt all the same, so
there are some; code that is too slow fails in all of them.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

ROOT, BUILD = sys.argv[1:]
PLAIT = os.path.join(BUILD, "bin", "plait")
ATTEMPTS = 6


def build(work, source, name, *flags):
    binary = os.path.join(work, name)
    subprocess.run([PLAIT + "-cc", "-O1", "-g", *flags, os.path.join(ROOT, "bench", source),
                    "-o", binary], check=True)
    return binary


def processor_time():
    """Of all that this process has started and waited for, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def explore(work, binary, *options):
    begun = processor_time()
    done = subprocess.run([PLAIT, "test", *options, "-q", "--json", "-", "-o", work + "/out", binary],
                          stdout=subprocess.PIPE, check=True)
    return dict(json.loads(done.stdout), used=processor_time() - begun)


def attempt(name, limit, measure, better):
    """Try until the ratio is on the right side of its limit."""
    found = []
    while len(found) < ATTEMPTS and not (found and better(found[-1], limit)):
        found.append(measure())
    print("%-34s limit %.2f: %s" % (name, limit, " ".join("%.2f" % f for f in found)), flush=True)
    return better(found[-1], limit)


def time_per_operation(work, binary, operations):
    """Without what a campaign costs before and after its executions; the least of some measurements."""
    def least(*options):
        return min((explore(work, binary, "-s", "dpor", "--checkpoints", "off", *options) for _ in range(3)),
                   key=lambda result: result["used"])

    result, one = least(), least("-n", "1")
    assert result["complete"] and result["classes"] == 20 and one["executions"] == 1, result
    return (result["used"] - one["used"]) / (result["executions"] - 1) / operations


def memory(work, binary):
    """The most that any process of a campaign had in memory, in KB."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True,"
            " stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", code, PLAIT, "test", "-s", "dpor", "-q", "-o",
                           work + "/out", binary], stdout=subprocess.PIPE, check=True)
    return int(done.stdout)


def main():
    with tempfile.TemporaryDirectory(prefix="plait-reduction-") as work:
        small = build(work, "scoreboard/lastzero.c", "small", "-DN=10")
        large = build(work, "scoreboard/lastzero.c", "large", "-DN=12")
        short = build(work, "deep.c", "short", "-DK=300")
        deep = build(work, "deep.c", "deep", "-DK=3000")

        def rate():
            reduced = explore(work, large, "-s", "dpor")
            assert reduced["complete"] and reduced["classes"] == 15360, reduced
            random = explore(work, large, "-s", "random", "-n", "15000")
            return (reduced["executions"] / reduced["used"]) / (random["executions"] / random["used"])

        def depth():
            return time_per_operation(work, deep, 12000) / time_per_operation(work, short, 1200)

        fine = attempt("rate, as a share of random's", 1 / 3, rate, lambda a, b: a >= b)
        fine &= attempt("time per operation, ten times deeper", 2, depth, lambda a, b: a <= b)
        fine &= attempt("memory, five times the executions", 1.5,
                        lambda: memory(work, large) / memory(work, small), lambda a, b: a <= b)
    return 0 if fine else 1


sys.exit(main())
