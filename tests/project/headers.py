# SPDX-License-Identifier: MIT
"""Compiles each header alone, twice in the same file; plait.h also as strict C99 and as C++."""
import concurrent.futures
import os
import shutil
import subprocess

import tree

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compile_alone(root, header, command):
    include = header.split("/", 1)[1]
    result = subprocess.run(
        command + ["-fsyntax-only", "-I", os.path.join(root, "src"),
                   "-I", os.path.join(root, "include"), "-"],
        input=f'#include "{include}"\n#include "{include}"\nint pl_nothing;\n',
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return None if result.returncode == 0 else f"{header}: {' '.join(command)}\n{result.stdout}"


def llvm():
    """Options for headers of the analyser; None where there is no LLVM, and they cannot be compiled."""
    config = shutil.which("llvm-config")
    if config is None:
        return None
    folder = subprocess.run([config, "--includedir"], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
    return ["-isystem", folder]


def main():
    root = tree.root_argument()
    analyser = llvm()
    inside = ["gcc", "-x", "c", "-std=gnu17", "-D_GNU_SOURCE", '-DPL_VERSION="0"', "-Wall",
              "-Wextra", "-Wno-unused-function", "-Wno-unused-parameter", "-Werror"]
    jobs = []
    for name in tree.files(root):
        if not name.endswith(".h"):
            continue
        if name.startswith("src/static/"):
            if analyser is not None:
                jobs.append((name, inside + analyser))
        elif name.startswith("src/"):
            jobs.append((name, inside))
        elif name.startswith("include/"):
            jobs.append((name, ["gcc", "-x", "c", "-std=c99"] + STRICT))
            jobs.append((name, ["g++", "-x", "c++", "-std=c++11"] + STRICT))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda job: compile_alone(root, *job), jobs)
        tree.finish([r for r in results if r], f"{len(jobs)} compilations of headers")


main()
