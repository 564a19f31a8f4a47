#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a guided search the same whether executions begin at checkpoints or at the root?

    hapset_same.py --plait BUILD/bin/plait [--seeds 1-20] [--strategies NAME,...]

When there is a checkpoint depends on time, so nothing that guidance decides may depend on whether
there is.  Over the random programs of check_steps.py, every step a statement of its own.  Exits
with 1 if the number of executions, of classes, or what was found when differs.
A strategy name may have `/` for `,`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import check_steps
import generate_steps

MOST = 300


def explore(checker, strategy, path, checkpoints):
    command = [word for word in checker.command(strategy, path) if word != "--outputs"]
    command[2:2] = ["-n", str(MOST), "--no-minimize", "--checkpoints", checkpoints]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    result = json.loads(done.stdout)
    found = [(f["kind"], f["execution"]) for f in result["findings"]]
    return result["search_executions"], result["classes"], found


def main():
    parser = argparse.ArgumentParser(description="Guided searches with checkpoints and without.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--strategies", default="hapset:context=2")
    options = parser.parse_args()
    options.plait, options.compiler, options.options = os.path.abspath(options.plait), "gcc", ""
    first, last = options.seeds.split("-")
    different = compared = 0
    with tempfile.TemporaryDirectory(prefix="plait-same-") as work:
        checker = check_steps.Checker(options, work)
        checker.build("-DSITES")
        for seed in range(int(first), int(last) + 1):
            path = checker.file_of(generate_steps.generate(seed).text())
            for strategy in options.strategies.replace(",", " ").replace("/", ",").split():
                without, always = (explore(checker, strategy, path, kind)
                                   for kind in ("off", "always"))
                compared += 1
                if without != always:
                    different += 1
                    print("seed %d, %s: %s without checkpoints, %s with" % (seed, strategy, without, always))
    print("%d searches, %d differ" % (compared, different))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
