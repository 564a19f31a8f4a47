# SPDX-License-Identifier: MIT
"""What the tests of this folder have in common: programs, campaigns, and checks that fail with what was printed."""
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bench", "noise"))

import common  # noqa: E402


class Failed(Exception):
    pass


def check(true, what, printed=""):
    if not true:
        raise Failed(f"{what}\n{printed}")


class Bench:
    """A build of plait, a folder to work in, and the sources of programs."""

    def __init__(self, build, work, sources):
        self.tool = common.Tool(build, work)
        self.work = work
        self.sources = os.path.join(ROOT, "tests", "noise", sources)

    def program(self, name, flags=("-O0",), form="plait"):
        return self.tool.build(os.path.join(self.sources, name + ".c"), form, flags)

    def run(self, *words):
        return subprocess.run([self.tool.plait, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=self.work, check=False)

    def test(self, options, *program):
        """Exit status, text and result of `plait test`."""
        out, result = os.path.join(self.work, "out"), os.path.join(self.work, "result.json")
        shutil.rmtree(out, ignore_errors=True)
        done = self.run("test", *options, "-o", out, "--json", result, "--", *program)
        check(os.path.exists(result), f"{program}: no result", done.stdout)
        with open(result, encoding="utf-8") as f:
            return done.returncode, done.stdout, json.load(f)
