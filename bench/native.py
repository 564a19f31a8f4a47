# SPDX-License-Identifier: MIT
"""What instrumented programs cost when they are started without plait.

Each program of native/ is built three times: plain, by plait-cc and with ThreadSanitizer.  What counts
is processor time, since that does not depend on who else uses the machine.
"""
import os
import statistics

from measure import median_ratio
from report import Ratio, Row, Section

PROGRAMS = {"matrix": "product of matrices", "sort": "quicksort", "chase": "hash table with chains",
            "calls": "recursion over a tree", "locks": "short critical sections",
            "atomics": "atomic operations", "map": "C++ containers and threads"}
CXX = {"map"}
COMPILERS = {"gcc": "g++", "clang": "clang++"}
FORMS = ("plain", "plait", "tsan")

SHARE_LIMIT = 1 / 3  # of the time that ThreadSanitizer adds


def build(bench, compiler, names):
    """Compile all forms of the programs; returns the names of which all forms run."""
    jobs = []
    for name in names:
        cxx = name in CXX
        command = COMPILERS[compiler] if cxx else compiler
        source = f"native/{name}.{'cc' if cxx else 'c'}"
        forms = {"plain": [command], "tsan": [command, "-fsanitize=thread"],
                 "plait": bench.plait_cc(command, "c++" if cxx else "c")}
        jobs += [(forms[form], source, program(compiler, name, form)) for form in FORMS]
    made = bench.compile_all(jobs)
    return [n for n in names if all(program(compiler, n, f) in made for f in FORMS) and
            works(bench, program(compiler, n, "tsan"))]


def program(compiler, name, form):
    return f"{name}-{compiler}-{form}"


def run(bench, program_name, rounds):
    path = bench.path(program_name)
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawn(path, [path, str(rounds)], os.environ, file_actions=silent)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise RuntimeError(f"{program_name} failed")
    return usage.ru_utime + usage.ru_stime


def works(bench, program_name):
    """An older ThreadSanitizer does not start where addresses are randomised more than it knew."""
    try:
        run(bench, program_name, 0)
    except RuntimeError:
        return False
    return True


def processor_time(bench, program_name, rounds):
    """What the rounds take, without the start and the preparation."""
    return run(bench, program_name, rounds) - run(bench, program_name, 0)


def find_rounds(bench, compiler, name):
    """As many as keep ThreadSanitizer busy long enough."""
    rounds = 1
    while processor_time(bench, program(compiler, name, "tsan"), rounds) < \
            bench.mode.native_seconds and rounds < 1 << 20:
        rounds *= 2
    return rounds


def measures(bench, compiler, name):
    """Processor time of each form, for in_turns()."""
    rounds = find_rounds(bench, compiler, name)
    return {program(compiler, name, form):
            lambda p=program(compiler, name, form): processor_time(bench, p, rounds)
            for form in FORMS}


def added_share(plain, plait, tsan):
    """How much of the time that ThreadSanitizer adds plait adds."""
    return (plait - plain) / (tsan - plain)


def rows_of(compiler, name, values):
    plain, plait, tsan = (values[program(compiler, name, form)] for form in FORMS)
    share = statistics.median(added_share(*times) for times in zip(plain, plait, tsan))
    unit = "x plain build"
    return [Row(f"native.{compiler}.{name}", f"{PROGRAMS[name]}: plait-cc",
                median_ratio(plait, plain), unit,
                [Ratio(share, "what ThreadSanitizer adds", SHARE_LIMIT)]),
            Row(f"native.{compiler}.{name}.tsan", f"{PROGRAMS[name]}: ThreadSanitizer",
                median_ratio(tsan, plain), unit)]


def slow_down(bench):
    sections = []
    for compiler in COMPILERS:
        title = f"Started without plait: {compiler} -O2"
        names = build(bench, compiler, list(PROGRAMS))
        taken = {}
        for name in names:
            taken.update(measures(bench, compiler, name))
        values = bench.in_turns(f"native {compiler}", taken)
        rows = [row for name in names for row in rows_of(compiler, name, values)]
        missing = [n for n in PROGRAMS if n not in names]
        if missing:
            rows.append(Row(f"native.{compiler}.missing", ", ".join(missing), None, "", [],
                            f"{compiler} or its ThreadSanitizer does not work here"))
        sections.append(Section(title, rows))
    return sections
