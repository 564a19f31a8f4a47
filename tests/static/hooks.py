# SPDX-License-Identifier: MIT
"""Hooks that are turned off: which, and that nothing is missed for it.

usage: hooks.py PLAIT cases | hooks.py PLAIT FILE|FOLDER|seeds:A-B...

`cases` are programs below, each with the number of statements whose hooks must be off, and a finding that must be there all
the same.  Other programs are built with all hooks and without those that are off: searches of both to their ends must come
to the same outcomes, that is, to the same findings and the same output.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import generate

HEAD = """#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
"""
START = """
int main(int argc, char **argv)
{
    pthread_t t[2];
%s
    pthread_create(&t[0], NULL, work, NULL);
    pthread_create(&t[1], NULL, work, NULL);
%s
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
%s
    return argc == 9;
}
"""

# Name: code, hooks that are off, words that `plait test` must say (None: nothing is found).  What main() reads of its
# pthread_t is always among them.
CASES = {
    "only read once threads exist": (
        "static int limit, sum; static void *work(void *a) { sum += limit; return a; }"
        + START % ("limit = argc;", "", ""), 4, "race"),
    "written while threads exist": (
        "static int limit, sum; static void *work(void *a) { sum += limit; return a; }"
        + START % ("", "limit = argc;", ""), 2, "race"),
    "behind the joins": (
        "static int n; static void *work(void *a) { return a; }" + START % ("", "", "n += argc;"), 4, None),
    # A lock that both hold does not make it private: what is seen is how plait knows that it is held.
    "a common lock": (
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n; static void *work(void *a) {"
        "pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return a; }" + START % ("", "", ""), 2, None),
    "one thread, a block that is there": (
        "static struct node { struct node *next; int n; } *head;"
        "int main(int argc, char **argv) { int sum = 0; for (int i = 0; i < argc + 3; i++) {"
        "struct node *p = malloc(sizeof(*p)); if (!p) return 1; p->next = head; p->n = i; head = p; }"
        "for (struct node *p = head; p; p = p->next) sum += p->n; return sum == 9; }", 7, None),
    "used after it was freed": (
        "static int *p; static void *work(void *a) { return a; }"
        + START % ("p = malloc(4); *p = argc;", "", "free(p); *p = 2;"), 5, "freed block"),
    "beyond the block": (
        "static void *work(void *a) { return a; }"
        + START % ("", "", "volatile char *p = malloc(8); p[argc + 7] = 1; free((void *)p);"), 2, "heap-bounds"),
    # Without its counter the loop would seem to wait for ever, and would be parked.
    "a loop that counts": (
        "static int tries; static atomic_int flag; static void *work(void *a) { return a; }"
        "static void *wait(void *a) { while (!flag) { if (++tries == 3) break; } assert(tries < 3); return a; }"
        "int main(void) { pthread_t t; pthread_create(&t, NULL, wait, NULL); flag = 1; pthread_join(t, NULL);"
        "return work(NULL) != NULL; }", 2, "assertion"),
    # With another of what it reads, in a function that it calls.
    "a loop that calls what counts": (
        "static int tries; static atomic_int flag; __attribute__((noinline)) static int next(void) { return ++tries; }"
        "static void *wait(void *a) { while (!flag) { if (next() == 3) break; } assert(tries < 3); return a; }"
        "int main(void) { pthread_t t; pthread_create(&t, NULL, wait, NULL); flag = 1; pthread_join(t, NULL);"
        "return 0; }", 2, "assertion"),
    "a handler": (
        "static volatile sig_atomic_t got; static void on(int s) { got = s; }"
        "int main(void) { signal(SIGUSR1, on); raise(SIGUSR1); return got == 0; }", 0, None),
    "a function without hooks": (
        "static int n; __attribute__((no_sanitize(\"thread\"), noinline)) static void add(void) { n++; }"
        "static void *work(void *a) { add(); return a; }" + START % ("", "n += argc;", ""), 2, None),
    "at exit, while threads go on": (
        "static int n; __attribute__((destructor)) static void last(void) { n = 7; }"
        "static void *work(void *a) { return n ? a : NULL; }" + START % ("", "", ""), 2, None),
}

FOREIGN = "extern int counted; void *count(void *a) { counted++; return a; }"
NAMED = """int counted; void *count(void *a);
int main(void) { pthread_t t; pthread_create(&t, NULL, count, NULL); counted++; pthread_join(t, NULL); return 0; }
"""


def run(*command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          check=False, **more)


def build(plait, source, program, *options):
    compiler = "cc" if source.endswith(".c") else "c++"
    return run(plait, compiler, "--whole", "-O1", "-g", "-w", "-I", os.path.dirname(source), *options, source, "-o", program,
               "-lpthread", "-lm")


def off(plait, program):
    return json.loads(run(plait, "pairs", "--json", program).stdout)["unhooked"]


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def check_cases(plait, folder):
    """What is wrong, as sentences."""
    program = os.path.join(folder, "program")
    for name, (code, expected, word) in CASES.items():
        built = build(plait, write(os.path.join(folder, "case.c"), HEAD + code), program)
        if built.stdout:
            yield f"{name}: {built.stdout}"
            continue
        if off(plait, program) != expected:
            yield f"{name}: {off(plait, program)} hooks are off instead of {expected}"
        native = subprocess.run([program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
        if word is None and native != 0:
            yield f"{name}: it ends with {native}"
        said = run(plait, "test", "-k", "-n", "200", *(["--detect", "race"] if word == "race" else []), "-o", os.path.join(folder, "results"), program).stdout
        found = re.findall(r"^ *finding \d+: .*", said, re.M)
        if word is None and found:
            yield f"{name}: {found[0]}"
        if word is not None and not any(word in line for line in found):
            yield f"{name}: no finding with '{word}' in\n{said}"
    yield from check_names(plait, folder)
    yield from check_replay(plait, folder)


def check_replay(plait, folder):
    """A schedule that was made with all hooks on says so: events are counted."""
    program, results = os.path.join(folder, "program"), os.path.join(folder, "checked")
    code = ("static int x, limit, own; static void *work(void *a) { if (limit) own = 3; x++; return a; }"
            "int main(int argc, char **argv) { pthread_t t; limit = argc; pthread_create(&t, NULL, work, NULL);"
            "if (limit) x++; pthread_join(t, NULL); assert(x == 2); return own == 9; }")
    build(plait, write(os.path.join(folder, "case.c"), HEAD + code), program)
    run(plait, "test", "--check-pairs", "-o", results, program)
    said = run(plait, "replay", os.path.join(results, "finding-001-assertion.plait")).stdout
    if "the same finding" not in said:
        yield f"what --check-pairs has found does not replay:\n{said}"


def check_names(plait, folder):
    """Code without bitcode that can name a variable may touch it."""
    program, other = os.path.join(folder, "program"), os.path.join(folder, "other.o")
    source = write(os.path.join(folder, "named.c"), HEAD + NAMED)
    beside = write(os.path.join(folder, "beside.c"), FOREIGN)
    with_it = build(plait, source, program, beside)
    if with_it.stdout or off(plait, program) != 1:
        yield f"two objects: {with_it.stdout}{off(plait, program)} hooks are off instead of 1"
    subprocess.run(["clang", "-c", beside, "-o", other], check=True)
    without = build(plait, source, program, other)
    if without.stdout or off(plait, program) != 0:
        yield f"an object without bitcode: {without.stdout}{off(plait, program)} hooks are off instead of 0"
    alone = write(os.path.join(folder, "alone.c"), "int n; int main(int c, char **v) { n += c; return n == 9; }")
    for options, expected in ([], 2), (["-rdynamic"], 0), (["--keep-hooks"], 0):
        built = build(plait, alone, program, *options)
        if built.stdout or off(plait, program) != expected:
            yield f"{options}: {built.stdout}{off(plait, program)} hooks are off instead of {expected}"


def outcome(plait, program, folder):
    """None: the search did not come to its end."""
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.unlink(report)
    run(plait, "test", "-s", "dpor", "-k", "--no-minimize", "--drive", "0", "-t", "10s", "--json", report, "-o",
        os.path.join(folder, "results"), program, stdin=subprocess.DEVNULL)
    if not os.path.exists(report):
        return None
    with open(report, encoding="utf-8") as f:
        result = json.load(f)
    if not result["complete"]:
        return None
    return sorted({(f["kind"], f.get("what", f.get("summary", ""))) for f in result["findings"]})


def sources(paths, folder):
    for path in paths:
        seeds = re.fullmatch(r"seeds:(\d+)-(\d+)", path)
        for seed in range(int(seeds[1]), int(seeds[2]) + 1) if seeds else ():
            yield write(os.path.join(folder, f"seed{seed}.c"), generate.Program(seed).text())
        if os.path.isfile(path):
            yield path
        for inner, _, names in sorted(os.walk(path)):
            yield from (os.path.join(inner, n) for n in sorted(names) if n.endswith((".c", ".cc", ".cpp")))


def compare(plait, paths, folder):
    counts = {"same": 0, "left out": 0}
    gone = 0
    for source in sources(paths, folder):
        programs = [os.path.join(folder, name) for name in ("kept", "light")]
        if build(plait, source, programs[0], "--keep-hooks").returncode or build(plait, source, programs[1]).returncode:
            counts["left out"] += 1
            continue
        kept = outcome(plait, programs[0], folder)
        light = outcome(plait, programs[1], folder) if kept is not None else None
        if light is None:
            counts["left out"] += 1
        elif kept != light:
            yield f"{source}: {light} instead of {kept}"
        else:
            counts["same"] += 1
            gone += off(plait, programs[1])
    print(f"{counts['same']} programs the same, {gone} hooks off; {counts['left out']} left out")
    if counts["same"] == 0 or gone == 0:
        yield "nothing was compared"


def main():
    plait, *what = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        wrong = list(check_cases(plait, folder) if what == ["cases"] else compare(plait, what, folder))
    for sentence in wrong:
        print(sentence)
    sys.exit(bool(wrong))


main()
