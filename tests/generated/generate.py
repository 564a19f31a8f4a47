#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small programs for the test of exhaustive search.

A program is a dict:
  variables  list of "plain" or "atomic"
  mutexes    how many
  threads    list of lists of steps
A step is a tuple, first its name:
  ("load", variable, register)          register = variable
  ("store", variable, number)           variable = number
  ("copy", variable, register, number)  variable = register + number
  ("add", variable, register, number)   register = fetch_add(variable, number)
  ("cas", variable, register, old, new) register = compare_exchange(variable, old, new)
  ("lock", mutex)  ("unlock", mutex)
  ("unless", register, number, skip)    when register != number, leave out the next `skip` steps
All values are kept below 256; every thread has REGISTERS registers, 0 at first, and hands
them to main as its result.

    generate.py SEED        prints the program of that seed as C
"""

import random
import re
import sys

REGISTERS = 4


def access(rng, variables, registers_used):
    """One access to a shared variable, as a list of one step."""
    variable = rng.randrange(len(variables))
    names = ["load", "load", "store", "copy"]
    if variables[variable] == "atomic":
        names += ["add", "add", "cas", "cas"]
    name = rng.choice(names)
    register = registers_used[0] % REGISTERS
    if name == "store":
        return [(name, variable, rng.randint(1, 3))]
    if name == "copy":
        return [(name, variable, rng.randrange(REGISTERS), rng.randint(0, 2))]
    registers_used[0] += 1
    if name == "load":
        return [(name, variable, register)]
    if name == "add":
        return [(name, variable, register, rng.randint(1, 2))]
    return [(name, variable, register, rng.randint(0, 2), rng.randint(1, 3))]


def item(rng, variables, mutexes, budget, registers_used):
    """Steps of about `budget` operations or fewer; locks are released again."""
    kind = rng.random()
    if mutexes == 2 and budget >= 2 and kind < 0.35:  # two locks, nested or crossing
        first = rng.randrange(2)
        inner = [] if budget < 3 else access(rng, variables, registers_used)
        unlocks = [("unlock", 0), ("unlock", 1)]
        rng.shuffle(unlocks)
        return [("lock", first), ("lock", 1 - first)] + inner + unlocks
    if mutexes and budget >= 2 and kind < 0.55:
        mutex = rng.randrange(mutexes)
        inner = access(rng, variables, registers_used)
        if budget >= 3 and rng.random() < 0.5:
            inner += access(rng, variables, registers_used)
        return [("lock", mutex)] + inner + [("unlock", mutex)]
    if registers_used[0] and kind < 0.8:
        register = rng.randrange(min(registers_used[0], REGISTERS))
        inner = access(rng, variables, registers_used)
        if mutexes and budget >= 2 and rng.random() < 0.3:
            mutex = rng.randrange(mutexes)
            inner = [("lock", mutex)] + inner + [("unlock", mutex)]
        return [("unless", register, rng.randint(0, 2), len(inner))] + inner
    return access(rng, variables, registers_used)


def operations(steps):
    """How many operations the steps are, releases not counted."""
    return sum(step[0] not in ("unless", "unlock") for step in steps)


def generate(seed):
    rng = random.Random(seed)
    threads = 3 if seed % 3 == 0 else 2
    most = rng.randint(2, 3) if threads == 3 else 4
    variables = [rng.choice(["plain", "atomic"]) for _ in range(rng.randint(1, 2))]
    mutexes = rng.choice([0, 1, 2, 2, 2])
    program = {"variables": variables, "mutexes": mutexes, "threads": []}
    for _ in range(threads):
        steps, used = [], [0]
        while operations(steps) < most:
            steps += item(rng, variables, mutexes, most - operations(steps), used)
        program["threads"].append(steps)
    return program


def statement(step):
    name = step[0]
    if name in ("lock", "unlock"):
        return "pthread_mutex_%s(&m%d);" % (name, step[1])
    if name == "unless":
        return "if (r%d == %d) {" % (step[1], step[2])
    variable = "x%d" % step[1]
    if name == "load":
        return "r%d = %s;" % (step[2], variable)
    if name == "store":
        return "%s = %d;" % (variable, step[2])
    if name == "copy":
        return "%s = (r%d + %d) & 255;" % (variable, step[2], step[3])
    if name == "add":
        return "r%d = atomic_fetch_add(&%s, %d) & 255;" % (step[2], variable, step[3])
    return "r%d = exchanged(&%s, %d, %d);" % (step[2], variable, step[3], step[4])


INCLUDES = ["#include <pthread.h>", "#include <stdatomic.h>", "#include <stdio.h>", "#include <stdlib.h>",
            "#include <unistd.h>", ""]


def objects(program):
    """What the threads share."""
    c = []
    for i, kind in enumerate(program["variables"]):
        # Apart, so that a neighbour's sharing does not make a private variable count.
        kind = "volatile int" if kind == "plain" else "atomic_int"
        c.append("static _Alignas(64) %s x%d;" % (kind, i))
    used = {step[1] for steps in program["threads"] for step in steps if step[0] == "lock"}
    for i in sorted(used):
        c.append("static pthread_mutex_t m%d = PTHREAD_MUTEX_INITIALIZER;" % i)
    if any(step[0] == "cas" for steps in program["threads"] for step in steps):
        c += [
            "",
            "static int exchanged(atomic_int *x, int old, int new)",
            "{",
            "    return atomic_compare_exchange_strong(x, &old, new);",
            "}",
        ]
    return c


def function(number, steps):
    """What one of the threads does."""
    registers = ", ".join("r%d = 0" % r for r in range(REGISTERS))
    packed = " | ".join("(unsigned long)r%d << %d" % (r, 8 * r) for r in range(REGISTERS))
    c = ["", "static void *thread%d(void *arg)" % number, "{", "    int %s;" % registers, ""]
    c.append("    (void)arg;")
    inside = 0
    for step in steps:
        c.append("    " + "    " * (inside > 0) + statement(step))
        if step[0] == "unless":
            inside = step[3]
        elif inside > 0:
            inside -= 1
            if inside == 0:
                c.append("    }")
    return c + ["    return (void *)(%s);" % packed, "}"]


def body(program, main):
    """All of it but for the headers."""
    c = objects(program)
    for i, steps in enumerate(program["threads"]):
        c += function(i, steps)
    n = len(program["threads"])
    values = ["%d" for _ in program["variables"]] + ["%lx" for _ in range(n)]
    arguments = ["x%d" % i for i in range(len(program["variables"]))]
    arguments += ["(unsigned long)result[%d]" % i for i in range(n)]
    c += [
        "",
        main,
        "{",
        "    pthread_t t[%d];" % n,
        "    void *result[%d];" % n,
        "    char line[128];",
        "    int length;",
        "",
    ]
    c += ["    pthread_create(&t[%d], NULL, thread%d, NULL);" % (i, i) for i in range(1, n)]
    c.append("    result[0] = thread0(NULL);")
    c += ["    pthread_join(t[%d], &result[%d]);" % (i, i) for i in range(1, n)]
    c += [
        '    length = snprintf(line, sizeof(line), "%s\\n", %s);'
        % (" ".join(values), ", ".join(arguments)),
        "    if (write(1, line, (size_t)length) != length)",
        "        abort();",
        "    return 0;",
        "}",
        "",
    ]
    return c


def emit(program):
    """
    The program as C.  main is the first of its threads, so that there are no more orders than
    need be.  It prints the outcome.
    """
    return "\n".join(INCLUDES + body(program, "int main(void)"))


def emit_all(programs):
    """Programs by number as one, which becomes that of its argument."""
    c = list(INCLUDES)
    for number, program in programs.items():
        lines = "\n".join(body(program, "static int program(void)"))
        c.append(re.sub(r"\b(x\d+|m\d+|thread\d+|exchanged|program)\b", r"p%d_\1" % number, lines))
    c += ["int main(int argc, char **argv)", "{", "    switch (argc > 1 ? atoi(argv[1]) : -1) {"]
    c += ["    case %d: return p%d_program();" % (number, number) for number in programs]
    return "\n".join(c + ["    }", "    return 2;", "}", ""])


if __name__ == "__main__":
    print(emit(generate(int(sys.argv[1]))))
