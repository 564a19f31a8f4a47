#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs with loops of all shapes: right ones are not accused, what is wrong with the others is found.

    check.py --plait BUILD/bin/plait [--all] [--time 10] [--strategies auto,pct] [NAME...]

The second line of a program says what is right after the word EXPECT: clean, or kinds of findings of
which one is to be found.  No search may be given up because an execution did not repeat another.  Each
is built by a compiler and with a level that its name decides, and explored with each strategy; what
must be found, `auto` must find.  With --all every program is built in
four ways and explored for --time seconds, and may take no more than two seconds longer than that.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
STRATEGIES = ("auto", "random", "pct", "pairs", "pos", "dpor")
FEW = ("auto", "pct", "dpor")
WAYS = [("gcc", 0), ("gcc", 2), ("clang", 0), ("clang", 2)]
EXECUTIONS = 15


def programs(words):
    for folder in ("right", "wrong"):
        for name in sorted(os.listdir(os.path.join(HERE, folder))):
            path = os.path.join(HERE, folder, name)
            if not words or any(w in path for w in words):
                yield path


def expected(path):
    with open(path, encoding="utf-8") as file:
        return re.search(r"EXPECT\s+(\S+)\s+\*/", file.read())[1].split("|")


def build(plait, path, compiler, level, binary, headers=None):
    cxx = path.endswith(".cpp")
    env = dict(os.environ, PLAIT_CC=compiler, PLAIT_CXX={"gcc": "g++", "clang": "clang++"}[compiler])
    command = [plait, "c++" if cxx else "cc", "-std=gnu++20" if cxx else "-std=gnu17", "-O%d" % level, "-g",
               "-pthread", path, "-o", binary]
    if cxx and headers:
        command[4:4] = ["-include", os.path.join(headers, "%s%d" % (compiler, level), "standard.hpp")]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else None


def explore(plait, binary, strategy, options, folder):
    """What is wrong with the answer, or None; and the findings."""
    report = os.path.join(folder, "report.json")
    done = subprocess.run([plait, "test", "-s", strategy, *options, "--json", report, "--", binary], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    with open(report, encoding="utf-8") as file:
        found = [f["kind"] for f in json.load(file)["findings"]]
    return done.returncode, found, done.stdout


def judge(plait, path, compiler, level, args, folder):
    """Lines about what went wrong."""
    name, wanted = os.path.relpath(path, HERE), expected(path)
    binary = os.path.join(folder, "program")
    errors = build(plait, path, compiler, level, binary, args.headers)
    if errors:
        return ["%s does not compile:\n%s" % (name, errors)]
    wrong = []
    for strategy in args.strategies.split(",") if wanted == ["clean"] else ("auto",):
        options = ["-n", "3000"]
        if args.all:
            options = ["-t", "%ds" % args.time]
        elif wanted == ["clean"]: # one that takes long may be given up
            options = ["-n", str(EXECUTIONS), "--hang-time", "5s"]
        began = time.monotonic()
        status, found, text = explore(plait, binary, strategy, options, folder)
        took = time.monotonic() - began
        where = "%s, %s -O%d, %s: " % (name, compiler, level, strategy)
        if wanted == ["clean"] and (found or status not in (0, 4) or "did not repeat" in text):
            wrong.append(where + "exit status %d\n%s" % (status, text))
        elif wanted != ["clean"] and (not set(found) & set(wanted) or status != 1):
            wrong.append(where + "expected %s, exit status %d\n%s" % (" or ".join(wanted), status, text))
        elif args.all and took > args.time + 2:
            wrong.append(where + "took %.1f s" % took)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plait", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--strategies")
    parser.add_argument("--part", default="1/1", help="K/N: every N-th program, beginning with the K-th")
    parser.add_argument("--headers", help="folder of ../programs with compiled headers for C++")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    plait = os.path.abspath(args.plait)
    args.strategies = args.strategies or ",".join(STRATEGIES if args.all else FEW)
    k, n = map(int, args.part.split("/"))
    failed = 0
    chosen = list(programs(args.names))[k - 1::n]
    for path in chosen:
        ways = WAYS if args.all else [WAYS[zlib.crc32(os.path.basename(path).encode()) % 4]]
        for compiler, level in ways:
            with tempfile.TemporaryDirectory() as folder:
                wrong = judge(plait, path, compiler, level, args, folder)
            failed += bool(wrong)
            for line in wrong:
                print(line, flush=True)
    print("%d programs, %d wrong" % (len(chosen), failed))
    sys.exit(1 if failed or not chosen else 0)


if __name__ == "__main__":
    main()
