#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small programs that keep a locking discipline, as descriptions (program.h).

    generate_blocks.py SEED       prints the program of that seed

Each variable has a guard, a mutex, a rwlock or a semaphore, and is accessed only by those who
hold it: the discipline that the ExitBlock family asks for.  Regions are nested in any order, so
deadlocks are welcome, as are assertions that fail and waits that nobody ends.

`features` names what a program has beyond mutexes and conditions that are signalled under their
mutex: `bare` signals without it, `try`, `rwlock`, `semaphore`, `timedwait`.
"""

import sys

from generate_steps import Program, Random, cost, step

REGISTERS = 4


class Plan:
    """Which objects there are, and how much each thread does."""

    def __init__(self, rng):
        self.threads = rng.choice([2, 2, 3, 3, 3])
        self.budget = {2: rng.between(4, 12), 3: rng.between(4, 8)}[self.threads]
        self.mutexes = rng.choice([1, 2, 2, 2, 3, 3])
        self.conditions = rng.choice([1, 2]) if rng.chance(35) else 0
        self.rwlocks = self.semaphores = 0
        self.features = set()
        if rng.chance(25):
            self.features.add(rng.choice(["bare", "try", "try", "rwlock", "rwlock", "semaphore",
                                          "timedwait"]))
        if self.features & {"bare", "timedwait"}:
            self.conditions = max(1, self.conditions)
        if "rwlock" in self.features:
            self.rwlocks = rng.choice([1, 2])
        if "semaphore" in self.features:
            self.semaphores = 2  # the first is a lock, the second counts
        guards = ["m%d" % i for i in range(self.mutexes)]
        guards += ["l%d" % i for i in range(self.rwlocks)] + ["s0"] * bool(self.semaphores)
        self.guards = [rng.choice(guards) for _ in range(rng.between(1, 3))]
        self.values = [1, rng.below(2)][: self.semaphores]
        self.fails = rng.chance(40)

    def declarations(self):
        lines = ["# features: " + " ".join(sorted(self.features)),
                 "x" + " plain" * len(self.guards), "m %d" % self.mutexes]
        if self.conditions:
            lines.append("c %d" % self.conditions)
        if self.rwlocks:
            lines.append("l %d" % self.rwlocks)
        if self.semaphores:
            lines.append("s " + " ".join(str(v) for v in self.values))
        return lines


class Thread:
    """Makes the nodes of one thread."""

    def __init__(self, rng, plan):
        self.rng, self.plan = rng, plan
        self.used = 0  # registers that hold something read
        self.held = []  # guards, those of readers in capitals

    def register(self):
        self.used += 1
        return "r%d" % ((self.used - 1) % REGISTERS)

    def read_register(self):
        return "r%d" % self.rng.below(max(1, min(self.used, REGISTERS)))

    def access(self):
        """To a variable whose guard is held; none if there is no such variable."""
        rng = self.rng
        may_write = [i for i, g in enumerate(self.plan.guards) if g in self.held]
        may_read = [i for i, g in enumerate(self.plan.guards)
                    if g in self.held or g.upper() in self.held]
        if not may_read:
            return None
        name = rng.choice(["load", "load", "store", "copy"])
        if name == "load" or not may_write:
            return step("load", "x%d" % rng.choice(may_read), self.register())
        x = "x%d" % rng.choice(may_write)
        if name == "store":
            return step("store", x, rng.between(1, 2))
        return step("copy", x, self.read_register(), rng.below(2))

    def assertion(self):
        """Right after an access, which nobody else can come in between."""
        node = self.access()
        if node is None or not node[0][0].startswith("load"):
            return node
        return (node[0] + ["fail %s %d" % (node[0][0].split()[-1], self.rng.between(1, 2))], None, [])

    def branch(self):
        """Steps that depend on what was read."""
        r, n = self.read_register(), self.rng.below(3)
        node = self.region(3) if self.rng.chance(60) else self.access()
        return None if node is None else (["if %s %d" % (r, n)], [node], ["end"])

    def inside(self, budget):
        nodes = []
        for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])):
            node = self.item(budget - cost(nodes), nested=True) if budget > cost(nodes) else None
            if node is not None:
                nodes.append(node)
        return nodes

    def under(self, guard, before, after, budget):
        self.held.append(guard)
        body = self.inside(budget - 2)
        self.held.remove(guard)
        return (before, body, after)

    def region(self, budget):
        """A region under a lock that is not held yet."""
        rng, plan = self.rng, self.plan
        held = {guard.lower() for guard in self.held}
        locks = ["m%d" % i for i in range(plan.mutexes)] + ["l%d" % i for i in range(plan.rwlocks)]
        locks += [guard for guard in plan.guards if guard != "s0"]  # so that there is something to do
        locks = [lock for lock in locks if lock not in held]
        if not locks:
            return self.access()
        lock = rng.choice(locks)
        read = lock[0] == "l" and rng.chance(50)
        take = {"m": "lock", "l": "read" if read else "write"}[lock[0]]
        give = {"m": "unlock", "l": "release"}[lock[0]]
        before, after = ["%s %s" % (take, lock)], ["%s %s" % (give, lock)]
        if "try" in plan.features and rng.chance(30):
            r = self.register()
            before = ["%s%s %s %s" % (rng.choice(["try", "timed"]), take, lock, r), "if %s 1" % r]
            after.append("end")
        return self.under(lock.upper() if read else lock, before, after, budget)

    def crossing(self, budget):
        """Two mutexes, the first released first."""
        free = ["m%d" % i for i in range(self.plan.mutexes) if "m%d" % i not in self.held]
        if len(free) < 2:
            return self.region(budget)
        a = self.rng.choice(free)
        b = self.rng.choice([m for m in free if m != a])
        self.held += [a, b]
        body = self.inside(1)
        self.held.remove(a)
        later = [self.access()] if self.rng.chance(50) else []
        self.held.remove(b)
        rest = [line for node in later if node for line in node[0]]
        return (["lock " + a, "lock " + b], body, ["unlock " + a] + rest + ["unlock " + b])

    def semaphore(self, budget):
        """The first is a lock of its own, the second counts what is there."""
        if self.held:
            return self.access()
        if self.rng.chance(50):
            self.held.append("s0")
            body = [node for node in (self.access(), self.access()) if node]
            self.held.remove("s0")
            return (["down s0"], body, ["up s0"])
        return step(self.rng.choice(["up", "up", "down"]), "s1")

    def waits(self, c, m):
        if "timedwait" in self.plan.features and self.rng.chance(60):
            return step("timedwait", c, m, self.register())
        return step("wait", c, m)

    def condition(self):
        """A wait or a signal under the condition's mutex."""
        rng, plan = self.rng, self.plan
        number = rng.below(plan.conditions)
        c, m = "c%d" % number, "m%d" % (number % plan.mutexes)
        if "bare" in plan.features and rng.chance(40):
            return step(rng.choice(["signal", "broadcast"]), c)
        if m in self.held:
            return step(rng.choice(["signal", "signal", "broadcast"]), c)
        self.held.append(m)
        nodes = [self.access() if rng.chance(50) else None]
        if rng.chance(45):
            nodes.append(self.waits(c, m))
            if nodes[0] is not None and nodes[0][0][0].startswith("load"):
                r = nodes[0][0][0].split()[-1]
                nodes[1] = (["if %s 0" % r], [nodes[1]], ["end"])
            nodes.append(self.access() if rng.chance(50) else None)
        else:
            nodes += [step(rng.choice(["signal", "signal", "broadcast"]), c)] * rng.choice([1, 1, 2])
        self.held.remove(m)
        return (["lock " + m], [node for node in nodes if node], ["unlock " + m])

    def item(self, budget, nested=False):
        plan, kinds = self.plan, ["region"] * 2
        if self.held:
            kinds += ["access"] * 4 + ["assertion"] * (3 * plan.fails)
        if self.used:
            kinds += ["branch"] * 2
        if budget < 3:
            kinds = [kind for kind in kinds if kind != "region"] or ["access"]
        else:
            kinds += ["crossing"] * (not nested) + ["condition"] * (2 * bool(plan.conditions))
            kinds += ["semaphore"] * (3 * bool(plan.semaphores) * (not nested))
        kind = self.rng.choice(kinds)
        if kind == "region":
            return self.region(budget)
        if kind == "crossing":
            return self.crossing(budget)
        if kind == "condition":
            return self.condition()
        if kind == "semaphore":
            return self.semaphore(budget)
        if kind == "assertion":
            return self.assertion()
        if kind == "branch":
            return self.branch()
        return self.access()

    def nodes(self, budget):
        nodes = []
        while cost(nodes) < budget and len(nodes) < 5:
            node = self.item(max(3, budget - cost(nodes)))
            if node is not None:
                nodes.append(node)
        return nodes


def generate(seed):
    rng = Random(seed)
    plan = Plan(rng)
    threads = [Thread(rng, plan).nodes(plan.budget) for _ in range(plan.threads)]
    program = Program(plan.declarations(), threads)
    program.features = plan.features
    return program


if __name__ == "__main__":
    print(generate(int(sys.argv[1])).text(), end="")
