# SPDX-License-Identifier: MIT
"""A long campaign: does it use more and more memory or descriptors, does it become slower?

plait counts its executions on a terminal, so it is given one to write to.
"""
import dataclasses
import os
import pty
import re
import subprocess
import time

from report import Ratio, Row, Section


@dataclasses.dataclass
class Sample:
    seconds: float
    executions: int
    tool_kb: int
    worker_kb: int     # of the largest process of the worker
    descriptors: int   # of the process that has most


def children(pid):
    found = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            for child in f.read().split():
                found += [int(child)] + children(int(child))
    except OSError:
        pass  # it has just ended
    return found


def memory_kb(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as f:
            found = re.search(r"^VmRSS:\s*(\d+)", f.read(), re.M)
    except OSError:
        return 0
    return int(found[1]) if found else 0


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def take_sample(pid, start, executions):
    workers = children(pid)
    return Sample(time.monotonic() - start, executions, memory_kb(pid),
                  max(map(memory_kb, workers), default=0),
                  max(map(descriptors, workers + [pid])))


def watch(pid, terminal, start):
    """A sample for each number of executions that plait shows."""
    samples = []
    while True:
        try:
            shown = os.read(terminal, 4096).decode(errors="replace")
        except OSError:  # the other side is closed
            return samples
        counts = re.findall(r"(\d+) executions,", shown)
        if counts:
            samples.append(take_sample(pid, start, int(counts[-1])))
        elif not shown:
            return samples


def campaign(bench, n):
    """The samples of a campaign; none if it failed."""
    terminal, other_side = pty.openpty()
    start = time.monotonic()
    command = [os.path.join(bench.bin, "plait"), "test", "-s", "random", "-n", str(n), "--", bench.path("split")]
    with subprocess.Popen(command, cwd=bench.work, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=other_side) as tool:
        os.close(other_side)
        samples = watch(tool.pid, terminal, start)
    os.close(terminal)
    return samples if tool.returncode == 0 else None


def when(samples, executions):
    """The time at which so many executions were done, between two samples if need be."""
    before = Sample(0, 0, 0, 0, 0)
    for sample in samples:
        if sample.executions >= executions:
            part = (executions - before.executions) / max(1, sample.executions -
                                                          before.executions)
            return before.seconds + part * (sample.seconds - before.seconds)
        before = sample
    return samples[-1].seconds


def long_campaign(bench):
    n = bench.mode.growth_executions
    rate = bench.rate([bench.path("split")])
    n = min(n, max(1000, int(rate * bench.mode.growth_seconds)))
    bench.progress.show(f"growth: {n} executions")
    samples = campaign(bench, n)
    while samples is not None and len(samples) < 3:  # the machine has become faster
        n *= 4
        samples = campaign(bench, n)
    if samples is None:
        raise RuntimeError("the long campaign failed")
    last = samples[-1]
    tenth = next(s for s in samples if s.executions >= last.executions / 10)
    rates = rates_of_tenths(samples)
    rows = [
        Row("growth.worker", "memory of the worker at the end", last.worker_kb, "KB",
            [Ratio(last.worker_kb / max(1, tenth.worker_kb), "after a tenth")]),
        Row("growth.tool", "memory of the tool at the end", last.tool_kb, "KB",
            [Ratio(last.tool_kb / max(1, tenth.tool_kb), "after a tenth")]),
        Row("growth.descriptors", "descriptors at the end", last.descriptors, "",
            [Ratio(last.descriptors / max(1, tenth.descriptors), "after a tenth")]),
        Row("growth.rate", "rate of the last tenth", rates[1], "executions/s",
            [Ratio(rates[1] / rates[0], "first tenth")])]
    return [Section(f"A campaign of {n:,} executions", rows)]


def rates_of_tenths(samples):
    shown = samples[-1].executions
    first = when(samples, 0.1 * shown) - when(samples, 0)
    last = when(samples, shown) - when(samples, 0.9 * shown)
    return 0.1 * shown / max(first, 1e-9), 0.1 * shown / max(last, 1e-9)
