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

    enumerate_all.py SEED       prints the answer for the program of that seed
"""

import sys

import generate


class Enumeration:
    def __init__(self, program):
        self.program = program
        self.outcomes, self.classes = set(), set()
        self.deadlock = False
        self.executions = 0
        n = len(program["threads"])
        self.at = [0] * n
        self.registers = [[0] * generate.REGISTERS for _ in range(n)]
        self.values = [0] * len(program["variables"])
        self.owner = [None] * program["mutexes"]
        self.events = []  # (thread, object, is it a write) in the order performed
        self.traces = set()
        for thread in range(n):
            self.settle(thread)
        self.explore()
        self.classify()

    def settle(self, thread):
        """Decide branches at once: they touch nothing that is shared."""
        steps = self.program["threads"][thread]
        while self.at[thread] < len(steps) and steps[self.at[thread]][0] == "unless":
            _, register, number, skip = steps[self.at[thread]]
            taken = self.registers[thread][register] == number
            self.at[thread] += 1 if taken else 1 + skip

    def enabled(self, thread):
        steps = self.program["threads"][thread]
        if self.at[thread] == len(steps):
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
        for thread in ready:
            saved = (self.at[:], [r[:] for r in self.registers], self.values[:], self.owner[:])
            events = len(self.events)
            self.perform(thread)
            self.settle(thread)
            self.explore()
            self.at, self.registers, self.values, self.owner = saved
            del self.events[events:]

    def perform(self, thread):
        step = self.program["threads"][thread][self.at[thread]]
        name, target, registers = step[0], step[1], self.registers[thread]
        self.at[thread] += 1
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
            self.outcomes.add(" ".join(words))
        else:
            self.deadlock = True
        self.traces.add(tuple(self.events))

    def classify(self):
        """Only what two threads touch, one of them writing, counts; main reads all at the end."""
        readers, writers = {}, {}
        for thread, target, write in (event for trace in self.traces for event in trace):
            readers.setdefault(target, {0} if self.outcomes else set()).add(thread)
            if write:
                writers.setdefault(target, set()).add(thread)
        shared = {t for t in readers if t[0] == "m" or (t in writers and len(readers[t]) > 1)}
        for trace in self.traces:
            self.classes.add(normal_form([event for event in trace if event[1] in shared]))


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
