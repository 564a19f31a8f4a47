# SPDX-License-Identifier: MIT
"""Workers are killed at random moments of an exhaustive search; it comes to the same end.

usage: kills.py BIN [KILLS]

A keeper or a runner is killed again and again, in as many campaigns as that takes.
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


def torment(command, rng):
    """Run the command, killing processes of its workers; returns how many."""
    tool = subprocess.Popen(command, env=campaign.environment(), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    kills = 0
    time.sleep(rng.uniform(0, 0.1))
    while tool.poll() is None:
        found = victims(tool.pid)
        if found:
            try:
                os.kill(rng.choice(found), signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
        time.sleep(rng.uniform(0.1, 0.4))
    if tool.returncode != 0:
        raise AssertionError("exit status %d after %d kills\n%s" % (
            tool.returncode, kills, tool.stdout.read().decode(errors="replace")))
    return kills


def survive(bin_dir, program, strategy, wanted, rng):
    """Campaigns with at least that many kills among them; all must end like one without."""
    options = ("-s", strategy, "--restart", "fork")
    expected = campaign.explore(bin_dir, program, *options)
    kills = campaigns = 0
    while kills < wanted:
        kills += torment(campaign.command(bin_dir, program, "-j", "2", *options), rng)
        campaigns += 1
        found = campaign.result()
        for member in ("complete", "bound", "classes"):
            assert found.get(member) == expected.get(member), "%s: %s is %s instead of %s" % (
                strategy, member, found.get(member), expected.get(member))
    print("%s: %d kills in %d campaigns, %d classes each time" % (
        strategy, kills, campaigns, expected["classes"]))
    return expected


def main():
    bin_dir, wanted = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="plait-workers-") as work:
        os.chdir(work)
        program = campaign.build(bin_dir, "split", campaign.SPLIT, "-DROUNDS=3")
        assert survive(bin_dir, program, "dfs", wanted, rng)["complete"]
        bounded = survive(bin_dir, program, "pcb:5", wanted, rng)
        assert bounded["bound"] == 5 and not bounded["complete"]
        os.chdir("/")


if __name__ == "__main__":
    sys.exit(main())
