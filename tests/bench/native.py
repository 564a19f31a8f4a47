# SPDX-License-Identifier: MIT
"""Started without plait, an instrumented program costs a third of ThreadSanitizer's cost at most.

Cost is the processor time that instrumentation adds to a plain build.  The shortest time of several
turns counts, because whatever disturbs a run makes it longer.  A busy machine can spoil an attempt,
so there are some; code that is too slow fails in all of them.

Code that does little but load, store and call is held to less in some cases: there the calls of
empty hooks alone are more than a third of what a fast ThreadSanitizer takes (docs/performance.md).
"""
import os
import sys
import tempfile

ROOT, BUILD = sys.argv[1:]
sys.path.insert(0, os.path.join(ROOT, "bench"))

import measure  # noqa: E402
import native  # noqa: E402

MODE = measure.Mode("test", 2, 60, 0, 0.08, 0, 0)
ATTEMPTS = 12
LESS = {("gcc", "calls"): 0.5, ("clang", "matrix"): 1.0, ("clang", "sort"): 1.0,
        ("clang", "chase"): 1.0, ("clang", "calls"): 1.0}


def limit_of(compiler, name):
    return LESS.get((compiler, name), native.SHARE_LIMIT)


def share(bench, compiler, name, measures):
    values = bench.in_turns(f"{compiler} {name}", measures)
    best = [min(values[native.program(compiler, name, form)]) for form in native.FORMS]
    return native.added_share(*best)


def check(bench, compiler, name):
    limit, found = limit_of(compiler, name), []
    measures = native.measures(bench, compiler, name, native.FORMS)
    while len(found) < ATTEMPTS and (not found or found[-1] > limit):
        found.append(share(bench, compiler, name, measures))
    print(f"{compiler:6} {name:8} at most {limit:.2f}: " + " ".join(f"{s:.3f}" for s in found))
    return found[-1] <= limit


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        bench = measure.Bench(BUILD, work, MODE)
        for compiler in native.COMPILERS:
            names = native.build(bench, compiler, list(native.PROGRAMS), native.FORMS)
            if not names:
                print(f"skipped: {compiler} or its ThreadSanitizer does not work here")
            failed += sum(not check(bench, compiler, name) for name in names)
    sys.exit(1 if failed else 0)


main()
