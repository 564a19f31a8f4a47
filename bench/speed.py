# SPDX-License-Identifier: MIT
"""Executions per second, what a point and a hook cost under control, and several workers."""
import statistics
import subprocess

import native
from measure import median_ratio
from report import Ratio, Row, Section

RESTARTS = ("rollback", "fork", "exec")
SETUP_SECONDS = 0.05

POINT_ROUNDS = 2000
HOOK_ROUNDS = {"private": 100_000, "shared": 4000}
POINT_KINDS = {"lock": "locking and unlocking a mutex", "atomic": "an atomic addition",
               "plain": "a plain access to shared memory"}
HOOK_KINDS = {"private": "hook of an access to private memory",
              "shared": "hook of an access to shared memory, the other thread blocked"}


def compile_programs(bench):
    native = ["gcc"]
    jobs = [(native, "processes.c", "processes"), (native, "fibers.c", "fibers")]
    for name in ("split", "operations", "heap", "setup"):
        jobs.append((native, f"{name}.c", f"{name}-native"))
    for name in ("split", "operations", "heap", "setup", "points", "hooks"):
        jobs.append((bench.plait_cc(), f"{name}.c", name))
    made = bench.compile_all(jobs)
    missing = sorted({job[2] for job in jobs} - made)
    if missing:
        raise RuntimeError(f"not compiled: {', '.join(missing)}")


def setup_steps(bench):
    """How many steps of setup.c take as long as the set-up is to take on this machine."""
    steps = 1_000_000
    while True:
        took = min(native.run(bench, "setup-native", steps) for _ in range(3))
        if took >= SETUP_SECONDS:
            return int(steps * SETUP_SECONDS / took)
        steps *= 2


def programs(bench):
    """(id, title, program, arguments)"""
    return [("split", "two threads x 2 split critical sections", "split", []),
            ("operations", "four threads x 50 operations", "operations", []),
            ("heap64", "64 MB of heap, 10 pages touched", "heap", ["64"]),
            ("heap1", "1 MB of heap, 10 pages touched", "heap", ["1"]),
            ("setup", "50 ms of set-up before the threads", "setup", [str(setup_steps(bench))])]


def measure_loops(bench, points):
    """What the system can do, as measures for in_turns()."""
    seconds = str(bench.mode.seconds)
    return {"fork-wait": lambda: bench.loop("processes", "fork", seconds),
            "fork-wait, 64 MB": lambda: bench.loop("processes", "fork", seconds, "64"),
            "fiber switches": lambda: bench.loop("fibers", seconds, str(points))}


def measure_program(bench, id_, program, arguments, restarts):
    """The same for one program: started in a loop, and by plait in each of its ways.

    restarts gets what plait says it used, which may be another restart than the one asked for.
    """
    def start():
        return bench.loop("processes", "start", str(bench.mode.seconds),
                          bench.path(program + "-native"), *arguments)

    def explore(restart):
        said = bench.plait([bench.path(program), *arguments], "--restart", restart)
        restarts[id_, restart] = said["restart"]
        return said["executions_per_second"]

    measures = {f"{id_}: start": start}
    for restart in RESTARTS:
        measures[f"{id_}: {restart}"] = lambda r=restart: explore(r)
    return measures


def executions(bench):
    compile_programs(bench)
    known = programs(bench)
    points = bench.plait([bench.path("split")])["points_per_execution"]
    restarts = {}
    measures = measure_loops(bench, points)
    for id_, _, program, arguments in known:
        measures.update(measure_program(bench, id_, program, arguments, restarts))
    values = bench.in_turns("executions", measures)
    sections = [loops_section(values, points)]
    for id_, title, _, _ in known:
        rows = program_rows(id_, values, restarts)
        sections.append(Section(f"Executions: {title}", rows))
    return sections


def loops_section(values, points):
    fork = values["fork-wait"]
    return Section("What the system can do", [
        Row("loop.fork", "fork-wait loop, nothing else", statistics.median(fork), "forks/s"),
        Row("loop.fork64", "fork-wait loop with 64 MB of heap",
            statistics.median(values["fork-wait, 64 MB"]), "forks/s",
            [Ratio(median_ratio(values["fork-wait, 64 MB"], fork), "fork-wait loop")]),
        Row("loop.fibers", f"fiber switches, {points:.1f} of them",
            statistics.median(values["fiber switches"]), "rounds/s",
            [Ratio(median_ratio(values["fiber switches"], fork), "fork-wait loop")])])


def program_rows(id_, values, restarts):
    start = values[f"{id_}: start"]
    rows = [Row(f"{id_}.start", "starting it natively in a loop", statistics.median(start),
                "starts/s", [Ratio(median_ratio(start, values["fork-wait"]), "fork-wait loop")])]
    for restart in RESTARTS:
        mine = values[f"{id_}: {restart}"]
        ratios = [Ratio(median_ratio(mine, start), "starting it natively"),
                  Ratio(median_ratio(mine, values["fork-wait"]), "fork-wait loop")]
        if id_ == "split":
            ratios.append(Ratio(median_ratio(mine, values["fiber switches"]),
                                "fiber switches, the limit"))
        if id_ == "heap64":
            small = values[f"heap1: {restart}"]
            ratios.append(Ratio(median_ratio(mine, values["fork-wait, 64 MB"]),
                                "fork-wait loop with 64 MB"))
            ratios.append(Ratio(median_ratio(small, mine), "the time with 1 MB",
                                2.0 if restart == "rollback" else None))
        used = restarts[id_, restart]
        note = "" if used == restart else f"plait used {used}"
        rows.append(Row(f"{id_}.{restart}", f"plait, {restart}", statistics.median(mine),
                        "executions/s", ratios, note))
    return rows


def measure_cost(bench, program, kind, rounds):
    """Nanoseconds for each point: those of an execution with `rounds`, less those of one without."""
    def sample(n):
        said = bench.plait([bench.path(program), kind, str(n)])
        return 1e9 / said["executions_per_second"], said["points_per_execution"]

    def point():
        (with_time, with_points), (base_time, base_points) = sample(rounds), sample(0)
        return (with_time - base_time) / (with_points - base_points)

    def hook():
        return (sample(rounds)[0] - sample(0)[0]) / (2 * rounds)

    return point if program == "points" else hook


def costs(bench):
    measures = {f"point: {k}": measure_cost(bench, "points", k, POINT_ROUNDS)
                for k in POINT_KINDS}
    measures.update({f"hook: {k}": measure_cost(bench, "hooks", k, HOOK_ROUNDS[k])
                     for k in HOOK_KINDS})
    measures["switch"] = lambda: 1e9 / bench.loop("fibers", str(bench.mode.seconds), "1")
    values = bench.in_turns("costs", measures)
    switch = values["switch"]
    rows = [Row("cost.switch", "switch between fibers, bare", statistics.median(switch), "ns")]
    for kind, title in POINT_KINDS.items():
        mine = values[f"point: {kind}"]
        rows.append(Row(f"cost.point.{kind}", f"point: {title}", statistics.median(mine), "ns",
                        [Ratio(median_ratio(mine, switch), "bare switch")]))
    private = values["hook: private"]
    for kind, title in HOOK_KINDS.items():
        mine = values[f"hook: {kind}"]
        ratios = [Ratio(median_ratio(mine, switch), "bare switch")]
        if kind == "shared":
            ratios.append(Ratio(median_ratio(mine, private), "hook of private memory"))
        rows.append(Row(f"cost.hook.{kind}", title, statistics.median(mine), "ns", ratios))
    return [Section("Costs under control", rows)]


def knows_jobs(bench):
    out = subprocess.run([f"{bench.bin}/plait", "test", "--help"], text=True, capture_output=True,
                         check=True)
    return "-j, " in out.stdout


def jobs(bench):
    title = "Several workers: two threads x 2 split critical sections"
    if not knows_jobs(bench):
        return [Section(title, [Row("jobs.2", "-j 2", None, "", [], "plait has no option -j")])]
    program = [bench.path("split")]
    values = bench.in_turns("workers", {f"-j {n}": lambda n=n: bench.rate(program, "-j", str(n))
                                        for n in (1, 2)})
    one, two = values["-j 1"], values["-j 2"]
    return [Section(title, [
        Row("jobs.1", "-j 1", statistics.median(one), "executions/s"),
        Row("jobs.2", "-j 2", statistics.median(two), "executions/s",
            [Ratio(median_ratio(two, one), "-j 1")])])]
