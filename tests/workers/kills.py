# SPDX-License-Identifier: MIT
"""Workers are killed at random moments of a search; it comes to the same end.

usage: kills.py BIN [KILLS]

A keeper or a runner is killed again and again, in as many campaigns as that takes: first of an
exhaustive search, then of one that samples with what it has measured.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import campaign


def children(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def victims(tool):
    keepers = children(tool)
    return keepers + [runner for keeper in keepers for runner in children(keeper)]


def torment(command, rng, most):
    """Run the command, killing processes of its workers, so many at most; returns how many."""
    tool = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    kills = 0
    time.sleep(rng.uniform(0, 0.1))
    while kills < most and tool.poll() is None:
        found = victims(tool.pid)
        if found:
            try:
                os.kill(rng.choice(found), signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
        time.sleep(rng.uniform(0.1, 0.4))
    printed, _ = tool.communicate()  # where workers start slowly it needs to be left alone to end
    if tool.returncode != 0:
        raise AssertionError("exit status %d after %d kills\n%s" % (
            tool.returncode, kills, printed.decode(errors="replace")))
    return kills


def same_end(bin_dir, program, wanted, rng, members, *options):
    """Kill that often; the members of the result must not change.  Returns what was done.

    Executions by fork take so long that there is time to kill; what they come to is known before by rollback.
    """
    kills = campaigns = 0
    expected = campaign.explore(bin_dir, program, *options)
    while kills < wanted:
        kills += torment(campaign.command(bin_dir, program, "-j", "2", "--restart", "fork", *options),
                         rng, wanted - kills)
        campaigns += 1
        found = campaign.result()
        for member in members:
            assert found[member] == expected[member], "%s: %s is %s instead of %s" % (
                " ".join(options), member, found[member], expected[member])
    return expected, "%d kills in %d campaigns, %d classes each time" % (
        kills, campaigns, expected["classes"])


def main():
    bin_dir, wanted = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="plait-workers-") as work:
        os.chdir(work)
        program = campaign.build(bin_dir, "split", campaign.SPLIT, "-DROUNDS=3")
        found, what = same_end(bin_dir, program, wanted, rng, ("complete", "classes"),
                               "-s", "dfs")
        assert found["complete"]
        print("dfs: " + what)
        found, what = same_end(bin_dir, program, wanted // 2, rng, ("complete", "classes"),
                               "-s", "dpor")
        assert found["complete"]
        print("dpor: " + what)
        _, what = same_end(bin_dir, program, wanted // 2, rng, ("executions", "classes"),
                           "-s", "surw", "-n", "5000")
        print("surw: " + what)
        found, what = same_end(bin_dir, program, wanted, rng, ("complete", "bound", "classes"),
                               "-s", "pcb:5")
        assert found["bound"] == 5 and not found["complete"]
        print("pcb:5: " + what)
        os.chdir("/")


if __name__ == "__main__":
    sys.exit(main())
