# SPDX-License-Identifier: MIT
"""Started without plait, an instrumented program costs a third of ThreadSanitizer's cost at most.

Cost is the processor time that instrumentation adds to a plain build.  The shortest time of several
turns counts, because whatever disturbs a run makes it longer.  A busy machine can spoil an attempt,
so there are some; code that is too slow fails in all of them.

Where code does little but load, store and call, the calls of hooks alone may be more than that third: it depends on
the processor.  What such calls cost is measured with hooks that are a single return, and plait is held to that and a
little more (docs/performance.md).
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
FIRST = 3  # attempts before the calls alone are looked at
CALLS_LIMIT = 1.15  # of the time that the calls of empty hooks add


def shares(bench, compiler, name, other, limit, attempts):
    """How much of the time that the other form adds plait adds, in attempts until one is within the limit."""
    forms = ("plain", "plait", other)
    measures, found = native.measures(bench, compiler, name, forms), []
    while len(found) < attempts and (not found or found[-1] > limit):
        values = bench.in_turns(f"{compiler} {name}", measures)
        found.append(native.added_share(*(min(values[native.program(compiler, name, f)]) for f in forms)))
    text = " ".join(f"{s:.3f}" for s in found)
    print(f"{compiler:6} {name:8} at most {limit:.2f} of {other:5}: {text}")
    return found[-1] <= limit


def check(bench, compiler, name):
    if shares(bench, compiler, name, "tsan", native.SHARE_LIMIT, FIRST):
        return True
    if native.build_empty(bench, compiler, name):
        return shares(bench, compiler, name, native.EMPTY, CALLS_LIMIT, ATTEMPTS)
    return shares(bench, compiler, name, "tsan", native.SHARE_LIMIT, ATTEMPTS)


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
