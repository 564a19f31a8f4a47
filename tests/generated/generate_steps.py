#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small programs with every kind of object, as descriptions (program.h).

    generate_steps.py SEED        prints the program of that seed

The same seed gives the same program for ever: nothing here depends on Python's random numbers.
Locks are balanced on every path, a condition is always used with the same mutex, and no
thread takes what it holds already, so that nothing is misused.  Deadlocks are welcome.

A program is an object with `objects`, the lines that declare them, and `threads`, a list of
lists of nodes.  A node is (before, body, after): lines, nodes between them or None, lines.
"""

import sys

REGISTERS = 4
MASK = (1 << 64) - 1


class Random:
    """splitmix64."""

    def __init__(self, seed):
        self.state = seed & MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return self.next() % n

    def between(self, a, b):
        return a + self.below(b - a + 1)

    def choice(self, items):
        return items[self.below(len(items))]

    def chance(self, percent):
        return self.below(100) < percent


class Program:
    def __init__(self, objects, threads):
        self.objects, self.threads = objects, threads

    def text(self):
        lines = list(self.objects)
        for nodes in self.threads:
            lines.append("thread")
            write(nodes, lines, 1)
        return "\n".join(lines) + "\n"


def write(nodes, lines, depth):
    for before, body, after in nodes:
        lines += ["  " * depth + line for line in before]
        if body is not None:
            write(body, lines, depth + 1)
        lines += ["  " * depth + line for line in after]


def step(*words):
    return ([" ".join(str(word) for word in words)], None, [])


class Thread:
    """Makes the nodes of one thread."""

    def __init__(self, rng, plan):
        self.rng, self.plan = rng, plan
        self.used = 0  # registers that hold something read
        self.held = set()

    def register(self):
        self.used += 1
        return "r%d" % ((self.used - 1) % REGISTERS)

    def read_register(self):
        return "r%d" % self.rng.below(max(1, min(self.used, REGISTERS)))

    def access(self):
        rng = self.rng
        variable = rng.below(len(self.plan.variables))
        x = "x%d" % variable
        names = ["load", "load", "store", "copy"]
        if self.plan.variables[variable] == "atomic":
            names += ["add", "add", "fetch", "cas", "cas"]
        name = rng.choice(names)
        if name == "load":
            return step("load", x, self.register())
        if name == "store":
            return step("store", x, rng.between(1, 3))
        if name == "copy":
            return step("copy", x, self.read_register(), rng.below(3))
        if name == "add":
            return step("add", x, rng.between(1, 2))
        if name == "fetch":
            return step("fetch", x, rng.between(1, 2), self.register())
        return step("cas", x, rng.below(3), rng.between(1, 3), self.register())

    def semaphore(self):
        rng = self.rng
        s = "s%d" % rng.below(self.plan.semaphores)
        name = rng.choice(["down", "down", "up", "up", "up", "trydown", "timeddown", "value"])
        if name in ("down", "up"):
            return step(name, s)
        return step(name, s, self.register())

    def notify(self):
        return step(
            self.rng.choice(["signal", "signal", "broadcast"]),
            "c%d" % self.rng.below(self.plan.conditions),
        )

    def wait(self, condition):
        """A wait for a signal, perhaps only when a variable is still 0."""
        c, m = "c%d" % condition, "m%d" % (condition % self.plan.mutexes)
        if self.rng.chance(40):
            node = step("timedwait", c, m, self.register())
        else:
            node = step("wait", c, m)
        if self.rng.chance(70):
            return [node]
        x, r = "x%d" % self.rng.below(len(self.plan.variables)), self.register()
        return [step("load", x, r), (["if %s 0" % r], [node], ["end"])]

    def locked(self, acquire, try_words, release, held, body):
        """A region under a lock: taken, or perhaps, if it is there or within a time."""
        if held in self.held:
            return self.access()
        self.held.add(held)
        word = self.rng.choice([acquire, acquire, acquire] + try_words)
        if word == acquire:
            node = (["%s %s" % (word, held)], body(), ["%s %s" % (release, held)])
        else:
            r = self.register()
            node = (
                ["%s %s %s" % (word, held, r), "if %s 1" % r],
                body(),
                ["%s %s" % (release, held), "end"],
            )
        self.held.discard(held)
        return node

    def mutex_region(self, budget):
        m = "m%d" % self.rng.below(self.plan.mutexes)
        return self.locked(
            "lock", ["trylock", "timedlock"], "unlock", m, lambda: self.inside(budget - 2)
        )

    def wait_region(self):
        condition = self.rng.below(self.plan.conditions)
        m = "m%d" % (condition % self.plan.mutexes)

        def body():
            return self.wait(condition) + ([self.access()] if self.rng.chance(30) else [])

        return self.locked("lock", [], "unlock", m, body)

    def rwlock_region(self, budget):
        l = "l%d" % self.rng.below(self.plan.rwlocks)
        word = self.rng.choice(["read", "write"])
        return self.locked(
            word, ["try" + word, "timed" + word], "release", l, lambda: self.inside(budget - 2)
        )

    def crossing(self, budget):
        """Two mutexes, released in any order."""
        first = self.rng.below(2)
        names = ["m%d" % first, "m%d" % (1 - first)]
        if self.held & set(names):
            return self.access()
        self.held |= set(names)
        body = self.inside(min(1, budget - 3))
        self.held -= set(names)
        unlocks = ["unlock " + m for m in (names if self.rng.chance(50) else names[::-1])]
        return (["lock " + m for m in names], body, unlocks)

    def inside(self, budget):
        """What is done under a lock: mostly little."""
        nodes = []
        for _ in range(self.rng.choice([0, 1, 1, 1, 2])):
            if budget > cost(nodes):
                nodes.append(self.item(budget - cost(nodes), nested=True))
        return nodes

    def branch(self, budget):
        body = [self.item(min(budget, 2), nested=True)]
        return (["if %s %d" % (self.read_register(), self.rng.below(3))], body, ["end"])

    def loop(self, budget):
        rounds = self.rng.between(2, 3)
        body = [self.item(max(1, budget // rounds), nested=True)]
        if self.used and self.rng.chance(60):
            leave = "leave %s %d" % (self.read_register(), self.rng.below(3))
            body.insert(self.rng.below(2), step(leave))
        return (["loop %d" % rounds], body, ["end"])

    def item(self, budget, nested=False):
        plan, kinds = self.plan, ["access"] * 3
        if plan.mutexes and budget >= 3:
            kinds += ["mutex"] * 2
        if plan.mutexes > 1 and budget >= 4 and not nested:
            kinds += ["crossing"] * 3
        if plan.conditions:
            kinds += ["notify"] * 2
            if budget >= 3 and not nested:
                kinds += ["wait"] * 3
        if plan.rwlocks and budget >= 2:
            kinds += ["rwlock"] * 4
        if plan.semaphores:
            kinds += ["semaphore"] * 4
        if self.used:
            kinds += ["branch"]
        if budget >= 2 and not nested:
            kinds += ["loop"]
        if self.used and plan.fails:
            kinds += ["fail"]
        kind = self.rng.choice(kinds)
        if kind == "mutex":
            return self.mutex_region(budget)
        if kind == "rwlock":
            return self.rwlock_region(budget)
        if kind == "crossing":
            return self.crossing(budget)
        if kind == "wait":
            return self.wait_region()
        if kind == "notify":
            return self.notify()
        if kind == "semaphore":
            return self.semaphore()
        if kind == "branch":
            return self.branch(budget)
        if kind == "loop":
            return self.loop(budget)
        if kind == "fail":
            return step("fail", self.read_register(), self.rng.below(3))
        return self.access()

    def nodes(self, budget):
        nodes = []
        while cost(nodes) < budget and len(nodes) < 6:
            nodes.append(self.item(budget - cost(nodes)))
        return nodes


NO_OPERATION = ("if", "end", "leave", "fail", "loop")


def cost(nodes):
    """How many operations the nodes are at most."""
    total = 0
    for before, body, after in nodes:
        words = [line.split()[0] for line in before + after]
        rounds = int(before[0].split()[1]) if words[0] == "loop" else 1
        own = sum(word not in NO_OPERATION for word in words)
        own += sum(word in ("wait", "timedwait", "arrive") for word in words)
        total += own + rounds * cost(body or [])
    return total


class Plan:
    """Which objects there are, and how much each thread does."""

    def __init__(self, rng):
        self.threads = rng.choice([2, 2, 2, 2, 2, 3, 3, 3, 3, 4])
        self.budget = {2: rng.between(3, 6), 3: rng.between(2, 4), 4: rng.between(1, 2)}[
            self.threads
        ]
        self.variables = [rng.choice(["plain", "atomic"]) for _ in range(rng.between(1, 2))]
        self.mutexes = self.conditions = self.rwlocks = self.semaphores = 0
        self.parties = 0
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
            kind = rng.choice(["mutex", "mutex", "condition", "condition", "rwlock", "semaphore"])
            if kind in ("mutex", "condition"):
                self.mutexes = max(self.mutexes, rng.between(1, 2))
            if kind == "condition":
                self.conditions = rng.choice([1, 1, 1, 2])
            if kind == "rwlock":
                self.rwlocks = rng.choice([1, 1, 2])
            if kind == "semaphore":
                self.semaphores = rng.choice([1, 1, 2])
        self.values = [rng.choice([0, 0, 1, 2]) for _ in range(self.semaphores)]
        if rng.chance(10):
            self.parties = rng.between(2, self.threads)
        self.fails = rng.chance(25)

    def declarations(self):
        lines = ["x " + " ".join(self.variables)]
        for letter, n in (("m", self.mutexes), ("c", self.conditions), ("l", self.rwlocks)):
            if n:
                lines.append("%s %d" % (letter, n))
        if self.semaphores:
            lines.append("s " + " ".join(str(v) for v in self.values))
        if self.parties:
            lines.append("b %d" % self.parties)
        return lines


def generate(seed):
    rng = Random(seed)
    plan = Plan(rng)
    threads = []
    for number in range(plan.threads):
        nodes = Thread(rng, plan).nodes(plan.budget)
        if plan.parties and (number < plan.parties or rng.chance(20)):
            nodes.insert(rng.below(len(nodes) + 1), step("arrive", "b0"))
        threads.append(nodes)
    return Program(plan.declarations(), threads)


if __name__ == "__main__":
    print(generate(int(sys.argv[1])).text(), end="")
