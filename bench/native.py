# SPDX-License-Identifier: MIT
"""What instrumented programs cost when they are started without plait.

Each program of native/ is built three times: plain, by plait-cc and with ThreadSanitizer; by clang also by plait-cc --whole,
which turns off hooks that nobody needs.  What counts is processor time, since that does not depend on who else uses the
machine.
"""
import json
import os
import statistics
import subprocess

from measure import median_ratio
from report import Ratio, Row, Section

PROGRAMS = {"matrix": "product of matrices", "sort": "quicksort", "chase": "hash table with chains",
            "calls": "recursion over a tree", "locks": "short critical sections",
            "atomics": "atomic operations", "map": "C++ containers and threads"}
CXX = {"map"}
COMPILERS = {"gcc": "g++", "clang": "clang++"}
FORMS = ("plain", "plait", "tsan")
LIGHT = "whole"  # of clang's, if plait was built with the analyser
EMPTY = "empty"  # hooks that do nothing; see build_empty()

SHARE_LIMIT = 1 / 3  # of the time that ThreadSanitizer adds


def forms_of(bench, compiler):
    analyser = os.path.join(bench.bin, "../lib/plait/plait-static")
    return FORMS + (LIGHT,) if compiler == "clang" and os.path.exists(analyser) else FORMS


def build(bench, compiler, names, wanted=None):
    """Compile all forms of the programs, or those wanted; returns the names of which all run."""
    jobs = []
    wanted = wanted or forms_of(bench, compiler)
    for name in names:
        cxx = name in CXX
        command = COMPILERS[compiler] if cxx else compiler
        source = f"native/{name}.{'cc' if cxx else 'c'}"
        forms = {"plain": [command], "tsan": [command, "-fsanitize=thread"],
                 "plait": bench.plait_cc(command, "c++" if cxx else "c"),
                 LIGHT: bench.plait_cc(command, "c++" if cxx else "c") + ["--whole"]}
        jobs += [(forms[form], source, program(compiler, name, form)) for form in wanted]
    made = bench.compile_all(jobs)
    return [n for n in names if all(program(compiler, n, f) in made for f in wanted) and
            works(bench, program(compiler, n, "tsan"))]


def build_empty(bench, compiler, name):
    """What plait-cc compiles, with hooks that are a single return.  Not where hooks do what the program needs: atomics."""
    cxx = name in CXX
    command = COMPILERS[compiler] if cxx else compiler
    made = bench.path(program(compiler, name, EMPTY))
    source = os.path.join(bench.source, f"native/{name}.{'cc' if cxx else 'c'}")
    subprocess.run(bench.plait_cc(command, "c++" if cxx else "c") + ["-O2", "-c", "-o", made + ".o", source], check=True)
    wanted = subprocess.run(["nm", "-u", made + ".o"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    hooks = [w for w in wanted if w.startswith("__tsan_")]
    if any("atomic" in hook for hook in hooks):
        return False
    with open(made + ".s", "w", encoding="ascii") as f:
        f.writelines(f".globl {hook}\n{hook}:\n" for hook in hooks)
        f.write('ret\n.section .note.GNU-stack,"",@progbits\n')
    subprocess.run([command, "-pthread", "-o", made, made + ".o", made + ".s"], check=True)
    return True


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


def measures(bench, compiler, name, wanted=None):
    """Processor time of each form, or of those wanted, for in_turns()."""
    rounds = find_rounds(bench, compiler, name)
    return {program(compiler, name, form):
            lambda p=program(compiler, name, form): processor_time(bench, p, rounds)
            for form in wanted or forms_of(bench, compiler)}


def added_share(plain, plait, tsan):
    """How much of the time that ThreadSanitizer adds plait adds."""
    return (plait - plain) / (tsan - plain)


def light_row(bench, compiler, name, values):
    """What is left without the hooks that nobody needs, and how many these are."""
    light = program(compiler, name, LIGHT)
    plain, plait = (values[program(compiler, name, form)] for form in ("plain", "plait"))
    said = json.loads(subprocess.run([os.path.join(bench.bin, "plait"), "pairs", "--json", bench.path(light)],
                                     stdout=subprocess.PIPE, check=True).stdout)
    return Row(f"native.{compiler}.{name}.whole",
               f"{PROGRAMS[name]}: plait-cc --whole, {said['unhooked']} of {said['hooks']} hooks off",
               median_ratio(values[light], plain), "x plain build",
               [Ratio(median_ratio(values[light], plait), "plait-cc")])


def rows_of(bench, compiler, name, values):
    plain, plait, tsan = (values[program(compiler, name, form)] for form in FORMS)
    share = statistics.median(added_share(*times) for times in zip(plain, plait, tsan))
    unit = "x plain build"
    rows = [Row(f"native.{compiler}.{name}", f"{PROGRAMS[name]}: plait-cc",
                median_ratio(plait, plain), unit,
                [Ratio(share, "what ThreadSanitizer adds", SHARE_LIMIT)])]
    if program(compiler, name, LIGHT) in values:
        rows.append(light_row(bench, compiler, name, values))
    rows.append(Row(f"native.{compiler}.{name}.tsan", f"{PROGRAMS[name]}: ThreadSanitizer",
                    median_ratio(tsan, plain), unit))
    return rows


def slow_down(bench):
    sections = []
    for compiler in COMPILERS:
        title = f"Started without plait: {compiler} -O2"
        names = build(bench, compiler, list(PROGRAMS))
        taken = {}
        for name in names:
            taken.update(measures(bench, compiler, name))
        values = bench.in_turns(f"native {compiler}", taken)
        rows = [row for name in names for row in rows_of(bench, compiler, name, values)]
        missing = [n for n in PROGRAMS if n not in names]
        if missing:
            rows.append(Row(f"native.{compiler}.missing", ", ".join(missing), None, "", [],
                            f"{compiler} or its ThreadSanitizer does not work here"))
        sections.append(Section(title, rows))
    return sections
