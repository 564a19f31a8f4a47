# SPDX-License-Identifier: MIT
"""Installs into a folder, moves the folder, and uses plait from there.

usage: install.py ROOT BUILD
"""
import os
import shutil
import subprocess
import sys
import tempfile

import tree

EXPECTED = """
bin/plait bin/plait-cc bin/plait-c++
include/plait.h
lib/plait/libplait.so lib/plait/libplait_gate.a
share/man/man1/plait.1 share/man/man1/plait-test.1 share/man/man1/plait-replay.1
share/man/man1/plait-coverage.1 share/man/man1/plait-pairs.1 share/man/man1/plait-show.1 share/man/man1/plait-list.1 share/man/man1/plait-cc.1
share/man/man1/plait-c++.1 share/man/man3/plait.h.3 share/man/man5/plait-schedule.5
share/bash-completion/completions/plait share/zsh/site-functions/_plait
share/fish/vendor_completions.d/plait.fish
share/pkgconfig/plait.pc
share/doc/plait/README.md share/doc/plait/LICENSE share/doc/plait/CHANGELOG.md
""".split()

LOST_UPDATE = """
#include <pthread.h>
#include <plait.h>
static int count;
static void *add(void *arg) { count++; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    plait_assert(count == 2);
    return (int)plait_choose(3);
}
"""

problems = []


def run(command, folder, expected, **environment):
    result = subprocess.run(command, cwd=folder, env=dict(os.environ, **environment), text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=600, check=False)
    if result.returncode != expected:
        problems.append(f"{' '.join(command)}: exit status {result.returncode}, "
                        f"not {expected}\n{result.stdout}")
    return result.stdout


def use(prefix, folder):
    """Compile and test a program with nothing but the installation."""
    with open(os.path.join(folder, "count.c"), "w", encoding="utf-8") as f:
        f.write(LOST_UPDATE)
    path = f"{prefix}/bin:{os.environ['PATH']}"
    run(["plait-cc", "-O1", "-pthread", "-o", "count", "count.c"], folder, 0, PATH=path)
    run(["./count"], folder, 0)
    run(["plait", "test", "--quiet", "./count"], folder, 1, PATH=path)
    latest = os.path.join(folder, ".plait", "count", "latest")
    schedules = os.listdir(latest) if os.path.isdir(latest) else []
    schedules = [s for s in schedules if s.startswith("finding-") and s.endswith(".plait")]
    if not schedules:
        problems.append("plait test wrote no schedule")
    for schedule in schedules:
        run(["plait", "replay", f".plait/count/latest/{schedule}"], folder, 1, PATH=path)
        run(["plait", "show", f".plait/count/latest/{schedule}"], folder, 0, PATH=path)
    run(["plait", "test", "--quiet", "--detect=-exit", "/bin/true"], folder, 3, PATH=path)


def use_without_wrapper(prefix, folder):
    """plait.h by way of pkg-config, with an ordinary compiler."""
    where = {"PKG_CONFIG_PATH": os.path.join(prefix, "share", "pkgconfig")}
    flags = run(["pkg-config", "--cflags", "--libs", "plait"], folder, 0, **where).split()
    run(["gcc", "-pthread", "-o", "native", "count.c", *flags], folder, 0)
    run(["./native"], folder, 0)


def main():
    build = os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run(["cmake", "--install", build, "--prefix", f"{folder}/first"], folder, 0, DESTDIR="")
        shutil.move(f"{folder}/first", f"{folder}/moved")
        prefix = f"{folder}/moved"
        problems.extend(f"{name} is not installed" for name in EXPECTED
                        if not os.path.exists(os.path.join(prefix, name)))
        run(["cmake", "--install", build, "--prefix", "/opt/plait"], folder, 0,
            DESTDIR=f"{folder}/staged")
        if not os.path.exists(f"{folder}/staged/opt/plait/bin/plait"):
            problems.append("DESTDIR is not respected")
        os.mkdir(f"{folder}/work")
        use(prefix, f"{folder}/work")
        use_without_wrapper(prefix, f"{folder}/work")
    tree.finish(problems, f"{len(EXPECTED)} installed files")


main()
