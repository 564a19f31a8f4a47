# SPDX-License-Identifier: MIT
"""Holds the analysis against what executions do (--check-pairs), on test programs and on generated ones.

usage: soundness.py PLAIT FILE|FOLDER|seeds:A-B... [--opt N] [--executions N] [--strategy NAME] [--time TIME]
                    [--compiler gcc]

Every access and synchronisation that an execution performs in the program's code must be at a statement that the
analyser knows, and every two that conflict must be in a pair of its list.  A program that cannot be built, or that plait cannot run, is left out and counted.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import generate


def sources(paths, folder):
    for path in paths:
        seeds = re.fullmatch(r"seeds:(\d+)-(\d+)", path)
        for seed in range(int(seeds[1]), int(seeds[2]) + 1) if seeds else ():
            name = os.path.join(folder, f"seed{seed}.c")
            with open(name, "w", encoding="utf-8") as f:
                f.write(generate.Program(seed).text())
            yield name
        if os.path.isfile(path):
            yield path
            continue
        for place, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith((".c", ".cc", ".cpp")):
                    yield os.path.join(place, name)


def check(arguments, source, folder):
    """None when all is well, "left out", or what was said."""
    program = os.path.join(folder, "program")
    # Of its own: what is known of a large program takes longer to read than a small one to run.
    results = tempfile.mkdtemp(dir=folder)
    compiler = "cc" if source.endswith(".c") else "c++"
    built = subprocess.run(
        [arguments.plait, compiler, "--whole", f"-O{arguments.opt}", "-w", "-I", os.path.dirname(source), source,
         "-o", program, "-lpthread", "-lm", "-ldl", "-lrt", "-latomic"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=300, check=False)
    if built.returncode != 0:
        return "crash: " + built.stdout if "Stack dump" in built.stdout else "left out"
    try:
        result = subprocess.run(
            [arguments.plait, "test", "--check-pairs", "-k", "--no-minimize", "--drive", "0", "-s", arguments.strategy,
             "-n", str(arguments.executions), "-t", arguments.time, "-o", results, program],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return "left out"
    text = result.stdout.decode(errors="replace")
    for line in text.splitlines():
        if "analysis does not hold" in line or "analyser" in line:
            return line
    return None if result.returncode in (0, 1) else "left out"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plait")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--opt", default="1")
    parser.add_argument("--executions", type=int, default=200)
    parser.add_argument("--strategy", default="dfs")
    parser.add_argument("--time", default="20s")
    parser.add_argument("--compiler", default="clang", choices=("clang", "gcc"))
    arguments = parser.parse_args()
    os.environ.update({"PLAIT_CC": "gcc", "PLAIT_CXX": "g++"} if arguments.compiler == "gcc" else
                      {"PLAIT_CC": "clang", "PLAIT_CXX": "clang++"})
    counts = {"fine": 0, "left out": 0, "wrong": 0}
    with tempfile.TemporaryDirectory() as folder:
        for source in sources(arguments.paths, folder):
            said = check(arguments, source, folder)
            if said is None:
                counts["fine"] += 1
            elif said == "left out":
                counts["left out"] += 1
            else:
                counts["wrong"] += 1
                print(f"{source}: {said}", flush=True)
    print(f"{counts['fine']} programs fine, {counts['left out']} left out, {counts['wrong']} wrong")
    sys.exit(counts["wrong"] > 0 or counts["fine"] == 0)


main()
