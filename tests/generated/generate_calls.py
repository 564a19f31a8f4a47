#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small programs that call the system and the library, as C.

    generate_calls.py SEED [FEATURE,...]        prints the program of that seed

The same seed and features give the same program for ever.  A program has two or three threads, main
one of them, that make a few blocks of one to three features (call_*.py).  Each thread hands what
it saw to main, which prints that with what it sees itself in the end: the outcome.

What a program needs is made by main before the first thread (`early`), so before executions begin, or
by a thread of its own before the others, so within them.

A node is (text before, nodes or None, text after), so that a smaller program is one with fewer nodes.
"""

import re
import sys

import call_blocks
import call_more
import call_objects
import call_rest
from call_blocks import COMMON
from generate_steps import Random

# Those of other files than call_blocks.py are drawn if somebody asks for them.
FEATURES = {**call_blocks.FEATURES, **call_objects.FEATURES, **call_more.FEATURES, **call_rest.FEATURES}

# Signals are sent to a thread in programs with one of these.
SIGNALLED = {"signals", "actions", "suspends", "queued", "handlers", "resets", "jumps", "families", "timers"}

SETUPS = ("late", "early")


class Program:
    """`setup` has for each feature, and for what is common, what main does and what the setup does."""

    def __init__(self, features, setup, early, threads):
        self.features, self.setup, self.early, self.threads = features, setup, early, threads

    def with_threads(self, threads):
        return Program(self.features, self.setup, self.early, threads)

    def used_features(self):
        return [FEATURES[name] for name in self.features] + [COMMON]

    def may_wait_for_ever(self):
        """Whether a deadlock is possible, as far as its blocks tell."""
        return self.cancels() or any(waits(nodes) for nodes in self.threads)

    def cancels(self):
        return any(FEATURES[name].cancels for name in self.features)

    def plusplus(self):
        return any(FEATURES[name].plusplus for name in self.features)

    def is_racy(self):
        return any(FEATURES[name].racy for name in self.features)

    def may_lose_signals(self):
        """Whether a thread is sent both a cancellation and signals.  If both are there when it wakes up, the kernel
        makes the frame of the handler first and that of the cancellation on top, and that one leaves by both: a signal
        that was sent before anything else happened is handled never.  No search has that."""
        return self.cancels() and not SIGNALLED.isdisjoint(self.features)

    def may_end_within(self):
        """Whether a thread may be cancelled while it has a mutex that nobody gives back then."""
        return self.cancels() and re.search(r"mutex_unlock\(&@(m|ka|kb)\)", repr(self.threads)) is not None

    def text(self, prefix):
        """The C text; its function `prefix` runs the program."""
        by_main, setup = (
            [line for name in self.features for line in self.setup[name][part]] for part in (0, 1))
        features = self.used_features()
        objects = "".join(f.objects.strip("\n") + "\n" for f in reversed(features) if f.objects)
        wraps = [f.wrap for f in features if f.wrap]
        lines = ["/* %s, %s */" % (" ".join(self.features), "early" if self.early else "late")]
        lines += [objects.rstrip("\n"), "static pthread_t @T[4];", ""]
        lines += ["static void *@setup(void *arg)", "{"] + setup + ["return arg;", "}", ""]
        for number, nodes in enumerate(self.threads):
            head = "static void *@t%d(void *arg)" % number
            lines += [head, "{", "uint64_t seen = 1;", "(void)arg;"]
            lines += [w[0] for w in wraps if number]
            write(nodes, lines)
            lines += ["D;"] + [w[1] for w in wraps if number] + ["return (void *)seen;", "}", ""]
        n = len(self.threads)
        lines += ["static int @(void)", "{", "uint64_t results[%d], seen = 1;" % (n + 1)] + by_main
        if self.early:
            lines += ["@setup(NULL);"]
        else:
            lines += ["MUST(pthread_create(&@T[0], NULL, @setup, NULL) == 0);", "pthread_join(@T[0], NULL);"]
        for number in range(1, n):
            lines.append("MUST(pthread_create(&@T[%d], NULL, @t%d, NULL) == 0);" % (number, number))
        lines.append("results[0] = (uint64_t)@t0(NULL);")
        for number in range(1, n):
            lines.append("results[%d] = result_of(@T[%d]);" % (number, number))
        for f in features:
            lines += f.final.strip("\n").splitlines()
        lines += ["results[%d] = seen;" % n, "print_outcome(results, %d);" % (n + 1), "return 0;", "}"]
        text = indented("\n".join(lines).splitlines())
        return re.sub(r"@(\w*)", lambda m: prefix + ("_" + m[1] if m[1] else ""), text)


def indented(lines):
    depth, out = 0, []
    for line in lines:
        line = line.strip() if depth or not line.startswith(" ") else line
        depth -= line.startswith("}")
        out.append(("    " * depth + line) if line else "")
        depth += line.endswith("{")
    return "\n".join(out) + "\n"


def write(nodes, lines):
    for before, body, after in nodes:
        lines.append("D;")
        lines += before.splitlines()
        if body is not None:
            write(body, lines)
            lines.append("D;")
        lines += after.splitlines()


# Calls that end only when somebody else does something, and locks that may be taken in two orders.
WAITING = (r"\bget\(number\(&@(?:p|fl|spa)\[|suspend_for|pause\(|take_event|eventfd_read|receive\(.*, 0\)|get\(number\(&@pp|, -1\)|fgetc\(file\(&@sr|"
           r"add_to_semaphore\(.*, -\d, 0|take_letter\(.*, 0, 0\)|serve\(|"
           r"fgets\(line, 2, file\(&@sr|LOCK_EX\)|LOCK_SH\)|SETLKW|sem_wait|barrier_wait|lock_robust|take_message\(.*false|open\(PATH\(@ff\), O_(?:WRONLY|RDONLY|RDWR)\)|FUTEX_WAIT_PRIVATE, \d, NULL|sigwait\(|"
           r"cond_wait\(|cnd_wait\(|BITSET_PRIVATE, \d, NULL|receive_whole|selected\(.*, -1|splice\(.*, 0\)|wait_for_timer|"
           r"cxx_(?:wait|latch|take_token|wait_for_change|wait_any)\(|read_twice|accept4|get\(number\(&@[hjud]e?p\[|"
           r"take_page|put\(number\(&@fup|send_message\(number\(&@ful")


def waits(nodes, inside=False):
    for before, body, _ in nodes:
        locks = re.search(r"lock\(&@|flockfile", before) is not None
        if re.search(WAITING, before) or (inside and locks):
            return True
        if body and waits(body, inside or locks):
            return True
    return False


def weighted(rng, blocks):
    at = rng.below(sum(block[0] for block in blocks))
    for block in blocks:
        at -= block[0]
        if at < 0:
            return block
    raise AssertionError


class Maker:
    """Makes the threads of one program."""

    def __init__(self, rng, features, n_threads):
        self.rng, self.features, self.n_threads = rng, features, n_threads
        self.once = set()  # blocks that may not come again

    def filled(self, text):
        rng = self.rng
        a, b = rng.choice([("a", "b"), ("b", "a")])
        names = {"p": "@f" + a, "q": "@f" + b}
        drawn = {
            "n": lambda: str(rng.between(1, 3)),
            "b": lambda: str(rng.below(2)),
            "c": lambda: "abc"[rng.below(3)],
            "t": lambda: str(rng.between(1, self.n_threads - 1)),
        }
        return re.sub(r"\$([a-z])", lambda m: names.get(m[1]) or drawn[m[1]](), text)

    def allowed(self, block, number, held):
        _, text, marks = block
        if "m" in marks and number != 0 or "o" in marks and number == 0:
            return False
        if "1" in marks and (text in self.once or ("z" in marks and "z" in self.once)):
            return False
        if "g" in marks and "g" in self.once:
            return False
        return held.isdisjoint(locks_of(block)) and not ("z" in marks and held)

    def block(self, number, feature, budget, held):
        """A node, how many blocks it is, and whether the thread must end."""
        blocks = [b for b in feature.blocks if self.allowed(b, number, held)]
        if not blocks:
            return None, 1, False
        chosen = weighted(self.rng, blocks)
        _, text, marks = chosen
        if "1" in marks:
            self.once.update((text, "z") if "z" in marks else (text,))
        if "g" in marks:
            self.once.add("g")
        before, dots, after = text.partition("\n...\n")
        if not dots:
            return (self.filled(text), None, ""), 1, "z" in marks
        inside, used = [], 1
        if budget > 1 and self.rng.chance(70):
            inside, used = self.nodes(number, 1, held | locks_of(chosen))
            used += 1
        return (self.filled(before), inside, self.filled(after)), used, False

    def nodes(self, number, budget, held=frozenset()):
        nodes, used = [], 0
        while used < budget:
            feature = COMMON if self.rng.chance(25) else FEATURES[self.rng.choice(self.features)]
            node, cost, ends = self.block(number, feature, budget - used, held)
            used += cost
            nodes += [node] if node else []
            if ends:
                break
        return nodes, used


def supplied(supply, threads):
    """What makes up for taking more than is given, as lines of the setup."""
    lines = []
    for nodes in threads:
        write(nodes, lines)
    text = "\n".join(lines)
    taken, given = (sum(next((int(g) for g in match.groups() if g), 1) for match in re.finditer(pattern, text))
                    for pattern in supply[:2])
    return [supply[2].replace("$s", str(taken - given))] if taken > given else []


def locks_of(block):
    """What a block must not be within, because it would misuse it, or itself."""
    return frozenset(re.findall(r"(?:lock\(&|open\(PATH\()(@\w+)", block[1]))


def generate(seed, features=None, setups=SETUPS):
    rng = Random(seed)
    known = list(features or call_blocks.USUAL)
    chosen = []
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
        name = rng.choice(known)
        chosen += [name] if name not in chosen else []
    early = rng.choice(["late", "early", "early"]) == "early"
    if len(setups) == 1:
        early = setups[0] == "early"
    n_threads = rng.choice([2, 2, 2, 3])
    budget = rng.choice([2, 2, 3, 3, 4] if n_threads == 2 else [1, 1, 1, 2])
    if any(FEATURES[name].large for name in chosen):
        n_threads, budget = 2, min(budget, 2)
    maker = Maker(rng, chosen, n_threads)
    setup = {
        name: tuple(maker.filled(getattr(FEATURES[name], part)).strip("\n").splitlines()
                    for part in ("by_main", "setup"))
        for name in chosen}
    threads = [maker.nodes(number, budget)[0] for number in range(n_threads)]
    for name in chosen:
        supply = FEATURES[name].supply
        if supply and rng.chance(92):
            setup[name] = (setup[name][0], setup[name][1] + supplied(supply, threads))
    return Program(chosen, setup, early, threads)


def batch(programs):
    """A C file with all of these; the program takes the number of one as its argument."""
    lines = ["#define _GNU_SOURCE", '#include "calls.h"', ""]
    for number, program in enumerate(programs):
        lines.append(program.text("p%d" % number))
    lines.append("static int (*const programs[])(void) = {%s};"
                 % ", ".join("p%d" % n for n in range(len(programs))))
    lines.append("""
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
#ifdef NATIVE
    run_natively(programs[n], argc > 2 ? (unsigned)atoi(argv[2]) : 10, argc > 3 ? (uint64_t)atoll(argv[3]) : 1,
                 argc > 4 ? atoi(argv[4]) : 1000);
    return 0;
#else
    return programs[n]();
#endif
}""")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    wanted = sys.argv[2].split(",") if len(sys.argv) > 2 else None
    print(batch([generate(int(sys.argv[1]), wanted)]), end="")
