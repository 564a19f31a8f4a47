#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All interleavings of a small program (see generate.py), by brute force.

This is the oracle for exhaustive strategies and knows nothing of plait: an interpreter that
tries every thread at every step.  It gives the set of outcomes, whether a deadlock is
possible, and the number of equivalence classes: executions are equivalent when they perform
the same operations in each thread, order the accesses to each variable in the same way as
far as they conflict (a compare-exchange that fails only reads), and take and release each
mutex in the same order.  An execution ends when all
threads have ended, or as soon as some of them wait for each other in a circle: that is a
deadlock, whatever the others would still do.

Each execution also has costs, as bounded searches count them: preemptions, switches away from
a thread that could have gone on; and delays, how many threads that could have gone on were
passed over, in the order of a round-robin scheduler.  What of all that can be had at a cost of
at most k is in the answer of within().  main is thread 0, and that it creates thread 2 and those
after it is a step of it: a switch is possible there.

    enumerate_all.py SEED       prints the answer for the program of that seed
"""

import sys

import generate


COSTS = ("preemptions", "delays")


class Costs:
    """Things with the least that each of them costs, in each way of counting."""

    def __init__(self):
        self.least = {}

    def add(self, thing, costs):
        known = self.least.get(thing)
        self.least[thing] = costs if known is None else tuple(map(min, known, costs))

    def within(self, which, bound):
        return {thing for thing, costs in self.least.items() if costs[which] <= bound}


class Answer:
    """What the executions within some bound come to."""

    def __init__(self, outcomes, classes, deadlock):
        self.outcomes, self.classes, self.deadlock = outcomes, classes, deadlock


class Enumeration:
    def __init__(self, program):
        n = len(program["threads"])
        creates = [("create", thread) for thread in range(2, n)]
        self.program = dict(program, threads=[creates + program["threads"][0]]
                            + program["threads"][1:])
        self.cost_of_outcome, self.cost_of_class, self.cost_of_deadlock = Costs(), Costs(), Costs()
        self.executions = 0
        self.created, self.current, self.costs = min(n, 2), 0, (0, 0)
        self.at = [0] * n
        self.registers = [[0] * generate.REGISTERS for _ in range(n)]
        self.values = [0] * len(program["variables"])
        self.owner = [None] * program["mutexes"]
        self.events = []  # (thread, object, is it a write) in the order performed
        self.traces = Costs()
        for thread in range(n):
            self.settle(thread)
        self.explore()
        self.classify()
        everything = self.within("preemptions", sum(map(len, self.program["threads"])))
        self.outcomes, self.classes = everything.outcomes, everything.classes
        self.deadlock = everything.deadlock

    def within(self, what, bound):
        which = COSTS.index(what)
        return Answer(self.cost_of_outcome.within(which, bound),
                      self.cost_of_class.within(which, bound),
                      bool(self.cost_of_deadlock.within(which, bound)))

    def settle(self, thread):
        """Decide branches at once: they touch nothing that is shared."""
        steps = self.program["threads"][thread]
        while self.at[thread] < len(steps) and steps[self.at[thread]][0] == "unless":
            _, register, number, skip = steps[self.at[thread]]
            taken = self.registers[thread][register] == number
            self.at[thread] += 1 if taken else 1 + skip

    def enabled(self, thread):
        steps = self.program["threads"][thread]
        if self.at[thread] == len(steps) or thread >= self.created:
            return False
        step = steps[self.at[thread]]
        return step[0] != "lock" or self.owner[step[1]] is None

    def circle(self):
        """Whether some threads wait for each other's mutexes in a circle."""
        for start in range(len(self.at)):
            thread = start
            for _ in self.at:
                steps = self.program["threads"][thread]
                step = steps[self.at[thread]] if self.at[thread] < len(steps) else ("end",)
                thread = self.owner[step[1]] if step[0] == "lock" else None
                if thread is None:
                    break
                if thread == start:
                    return True
        return False

    def explore(self):
        ready = [t for t in range(len(self.at)) if self.enabled(t)]
        if self.circle():
            ready = []
        if not ready:
            self.end()
        in_turn = sorted(ready, key=lambda thread: (thread < self.current, thread))
        for delays, thread in enumerate(in_turn):
            saved = (self.at[:], [r[:] for r in self.registers], self.values[:], self.owner[:])
            before = (self.created, self.current, self.costs)
            events = len(self.events)
            preempted = self.current in ready and thread != self.current
            self.costs = (self.costs[0] + preempted, self.costs[1] + delays)
            self.current = thread
            self.perform(thread)
            self.settle(thread)
            self.explore()
            self.at, self.registers, self.values, self.owner = saved
            self.created, self.current, self.costs = before
            del self.events[events:]

    def perform(self, thread):
        step = self.program["threads"][thread][self.at[thread]]
        name, target, registers = step[0], step[1], self.registers[thread]
        self.at[thread] += 1
        if name == "create":
            self.created = target + 1
            return
        if name == "lock":
            self.owner[target] = thread
            self.events.append((thread, "m%d" % target, True))
            return
        if name == "unlock":
            assert self.owner[target] == thread
            self.owner[target] = None
            self.events.append((thread, "m%d" % target, True))
            return
        old = self.values[target]
        write = name != "load" and (name != "cas" or old == step[3])
        if name == "load":
            registers[step[2]] = old
        elif name == "store":
            self.values[target] = step[2]
        elif name == "copy":
            self.values[target] = (registers[step[2]] + step[3]) & 255
        elif name == "add":
            registers[step[2]] = old & 255
            self.values[target] = old + step[3]
        elif name == "cas":
            registers[step[2]] = int(old == step[3])
            if old == step[3]:
                self.values[target] = step[4]
        self.events.append((thread, "x%d" % target, write))

    def end(self):
        self.executions += 1
        lengths = [len(steps) for steps in self.program["threads"]]
        if self.at == lengths:
            packed = [sum(r << (8 * i) for i, r in enumerate(rs)) for rs in self.registers]
            words = ["%d" % v for v in self.values] + ["%x" % p for p in packed]
            self.cost_of_outcome.add(" ".join(words), self.costs)
        else:
            self.cost_of_deadlock.add("deadlock", self.costs)
        self.traces.add(tuple(self.events), self.costs)

    def classify(self):
        """Only what two threads touch, one of them writing, counts; main reads all at the end."""
        readers, writers = {}, {}
        main_reads = {0} if self.cost_of_outcome.least else set()
        for thread, target, write in (event for trace in self.traces.least for event in trace):
            readers.setdefault(target, set(main_reads)).add(thread)
            if write:
                writers.setdefault(target, set()).add(thread)
        shared = {t for t in readers if t[0] == "m" or (t in writers and len(readers[t]) > 1)}
        for trace, costs in self.traces.least.items():
            self.cost_of_class.add(normal_form([e for e in trace if e[1] in shared]), costs)


def normal_form(events):
    """Per object, its writes in order, and between two writes the set of reads."""
    form, counts = {}, {}
    for thread, target, write in events:
        counts[thread] = counts.get(thread, 0) + 1
        event = (thread, counts[thread])
        rows = form.setdefault(target, [])
        if write:
            rows.append(event)
        elif rows and isinstance(rows[-1], frozenset):
            rows[-1] |= {event}
        else:
            rows.append(frozenset([event]))
    return frozenset((target, tuple(rows)) for target, rows in form.items())


if __name__ == "__main__":
    answer = Enumeration(generate.generate(int(sys.argv[1])))
    print("executions %d, classes %d" % (answer.executions, len(answer.classes)))
    print("deadlock", "possible" if answer.deadlock else "impossible")
    for outcome in sorted(answer.outcomes):
        print("outcome", outcome)
