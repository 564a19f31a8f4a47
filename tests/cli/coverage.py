# SPDX-License-Identifier: MIT
"""plait coverage and what plait test collects for it.  usage: coverage.py FOLDER_OF_PLAIT"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

PLAIT = os.path.join(os.path.abspath(sys.argv[1]), "plait")

# Two functions that share x, one that runs before there are threads, one that nobody calls.
# main() stands in its join while get() runs, or comes there after it; thread() has no operation
# of its own.
TINY = r"""
#include <pthread.h>
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static void set(void) { x = 1; __asm__ volatile(""); }
__attribute__((noinline)) static int get(void) { int v = x; __asm__ volatile(""); return v; }
__attribute__((noinline)) static void before(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
void unused(void) { pthread_mutex_lock(&lock); }
static void *thread(void *arg) { return get() ? arg : NULL; }
int main(void)
{
    pthread_t t;
    before();
    pthread_create(&t, NULL, thread, NULL);
    set();
    return pthread_join(t, NULL);
}
"""

M1 = [f"{f}: {how}" for f in ("get", "main", "set")
      for how in ("executed without being interrupted", "interrupted")]
M2 = ["get interrupted by set", "main interrupted by get", "set interrupted by get"]

# Its argument says which of two functions the second thread runs.
CHOICE = r"""
#include <pthread.h>
#include <stdlib.h>
static int x, y;
__attribute__((noinline)) static void left(void) { x++; __asm__ volatile(""); }
__attribute__((noinline)) static void right(void) { y++; x++; __asm__ volatile(""); }
static void *thread(void *arg) { if (arg) left(); else right(); return NULL; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, argc > 1 ? argv[1] : NULL);
    left();
    pthread_join(t, NULL);
    if (argc > 2 && x != 2) abort();
    return 0;
}
"""

# Long enough for a campaign that lasts.
LONG = r"""
#include <pthread.h>
static int x;
__attribute__((noinline)) static void step(void) { x++; __asm__ volatile(""); }
static void *thread(void *arg) { for (int i = 0; i < 40; i++) step(); return arg; }
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
"""

failures = 0


def fail(text):
    global failures
    failures += 1
    caller = sys._getframe(2)
    print(f"FAILED line {caller.f_lineno}: {text}")


def same(what, expected):
    if what != expected:
        fail(f"{what!r} instead of {expected!r}")


def true(what, text):
    if not what:
        fail(text)


def run(*words, code=0):
    r = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=120)
    if r.returncode != code:
        fail(f"{' '.join(map(str, words))} exited with {r.returncode} instead of {code}: "
             f"{r.stdout}{r.stderr}")
    return r.stdout + r.stderr


def compile_it(name, text, *options, compiler=(PLAIT, "cc")):
    with open(f"{name}.c", "w") as f:
        f.write(text)
    run(*compiler, "-g", "-O1", *options, "-o", name, f"{name}.c", "-pthread")


def test(program, folder, *options, code=0, strategy="dfs"):
    return run(PLAIT, "test", "-s", strategy, "-o", folder, "--no-minimize", *options, "--",
               *([program] if isinstance(program, str) else program), code=code)


def covered(*folders):
    return json.loads(run(PLAIT, "coverage", "--json", "-", *folders))


def a_small_program_has_exactly_these_tasks():
    summary = test("./tiny", "tiny1")
    true("coverage  M1 functions 6 of 6, M2 pairs of functions 3 of 4, M3 pairs of statements 2 "
         "of 2" in summary, summary)
    c = covered("tiny1")
    same(sorted(c["m1"]["tasks"]), M1)
    same(c["m1"]["uncovered"], [])
    same(sorted(c["m2"]["tasks"]), M2)
    same(c["m2"]["uncovered"], ["get interrupted by main"])
    same(sorted(c["m3"]["tasks"]),
         ["read at tiny.c:6:54 (get, called at tiny.c:13:41) before write at tiny.c:5:53 (set, "
          "called at tiny.c:19:5)",
          "write at tiny.c:5:53 (set, called at tiny.c:19:5) before read at tiny.c:6:54 (get, "
          "called at tiny.c:13:41)"])
    never = c["m1"]["uncoverable"]
    true("before: executed only while there was one thread" in never, never)
    true("unused: no operation of it was seen" in never, never)
    true("thread: no operation of it was seen" in never, never)
    same([l for l in never if "tsan" in l or "_start" in l], [])
    same(c["m2"]["uncoverable"],
         [f"{a} interrupted by {b}: never in threads that are alive at the same time"
          for a, b in (("get", "get"), ("main", "main, set"), ("set", "main, set"))])


def other_ways_to_run_it_show_the_same():
    for i, options in enumerate((["-j", "2"], ["--restart", "fork"], ["--restart", "exec"],
                                 ["--carrier", "thread"], ["--checkpoints", "always"])):
        test("./tiny", f"ways{i}", *options)
        c = covered(f"ways{i}")
        same(sorted(c["m1"]["tasks"]), M1)
        same(sorted(c["m2"]["tasks"]), M2)
        same(c["m3"]["covered"], 2)
    test("./tiny", "free", "-n", "60", strategy="noise:direct=m2")
    c = covered("free")
    same([t for t in c["m2"]["tasks"] if t not in M2 + ["get interrupted by main"]], [])
    true(c["m2"]["covered"] > 0 and c["m3"]["covered"] > 0, c["m2"])


def names_come_from_the_symbol_table_as_well():
    run("cp", "tiny", "plain")
    run("strip", "-g", "plain")
    test("./plain", "plain1")
    c = covered("plain1")
    same(sorted(c["m1"]["tasks"]), M1)
    same(sorted(c["m2"]["tasks"]), M2)
    same(c["m3"]["covered"], 2)
    true(all("+0x" in t for t in c["m3"]["tasks"]), c["m3"]["tasks"])


def a_program_that_is_not_compiled_for_plait_has_functions():
    compile_it("foreign", TINY.replace("x = 1;", "pthread_mutex_lock(&lock); x = 1; "
                                       "pthread_mutex_unlock(&lock);")
               .replace("int v = x;", "pthread_mutex_lock(&lock); int v = x; "
                        "pthread_mutex_unlock(&lock);"), compiler=("gcc",))
    test("./foreign", "foreign1")
    c = covered("foreign1")
    true("set interrupted by get" in c["m2"]["tasks"], c["m2"]["tasks"])
    true("get interrupted by set" in c["m2"]["tasks"], c["m2"]["tasks"])
    names = {f["name"] for f in c["functions"]}
    same(names, {"set", "get", "main"})


def campaigns_add_up():
    test("./tiny", "two")
    first = covered("two")
    test("./tiny", "two", "-n", "40", strategy="random")
    both = covered("two")
    same(both["campaigns"], 2)
    same(both["executions"], first["executions"] + 40)
    same(both["latest"], first["latest"])
    same(both["m2"], first["m2"])
    same(both["m3"], first["m3"])
    # Other addresses, other lines of the same code; functions are what they were.
    compile_it("tiny2", "int padding[999]; void pad(void) { padding[1] = 2; }\n" + TINY)
    os.rename("tiny", "tiny.kept")
    os.rename("tiny2", "tiny")
    os.rename("tiny2.c", "tiny.kept.c")
    test("./tiny", "two")
    os.rename("tiny.kept", "tiny")
    again = covered("two")
    same(again["campaigns"], 3)
    names = [f["name"] for f in again["functions"]]
    true(set(names) == {"set", "get", "main"}, names)


def merging_loses_nothing():
    compile_it("choice", CHOICE)
    test(["./choice", "1"], "in1")
    test(["./choice"], "in2")
    run(PLAIT, "coverage", "--merge", "ab.json", "in1", "in2")
    run(PLAIT, "coverage", "--merge", "ba.json", "in2/coverage.json", "in1")
    run(PLAIT, "coverage", "--merge", "aabb.json", "ab.json", "in2", "ba.json", "in1")
    texts = [open(n).read() for n in ("ab.json", "ba.json", "aabb.json")]
    true(texts[0] == texts[1] == texts[2], "merged files differ")
    one, two, all_ = covered("in1"), covered("in2"), covered("ab.json")
    same(all_["executions"], one["executions"] + two["executions"])
    for m in ("m1", "m2", "m3"):
        same(set(all_[m]["tasks"]), set(one[m]["tasks"]) | set(two[m]["tasks"]))
    same(covered("in1", "in2"), all_)
    true("left interrupted by left" in one["m2"]["tasks"], one["m2"]["tasks"])
    true("left interrupted by right" in two["m2"]["tasks"], two["m2"]["tasks"])


def crashes_do_not_lose_what_came_before():
    test(["./choice", "1", "abort"], "crash", "-k", code=1)
    c = covered("crash")
    true("left interrupted by left" in c["m2"]["tasks"], c["m2"]["tasks"])
    same(c["m3"]["covered"], c["m3"]["total"])


def foreign_files_are_refused_and_kept():
    test("./tiny", "bad")
    path = "bad/coverage.json"
    good = open(path).read()
    for text, why in ((good[:len(good) // 2], "damaged"), ("{}", "no coverage file"),
                      (good.replace('"version":3', '"version":99'), "another version")):
        with open(path, "w") as f:
            f.write(text)
        true(why in test("./tiny", "bad", code=2), why)
        same(open(path).read(), text)
        true(why in run(PLAIT, "coverage", "bad", code=2), why)
        true(why in run(PLAIT, "coverage", "--merge", "never.json", "bad", code=2), why)
        true(not os.path.exists("never.json"), "written all the same")
        test("./tiny", "bad", "--no-coverage")
        same(open(path).read(), text)
    os.mkdir("empty")
    true("has no coverage" in run(PLAIT, "coverage", "empty", code=2), "no sentence")
    true("cannot be read" in run(PLAIT, "coverage", "nowhere", code=2), "no sentence")
    true("nothing was given" in run(PLAIT, "coverage", code=2), "no sentence")
    true("no option --frobnicate" in run(PLAIT, "coverage", "--frobnicate", code=2), "no sentence")


def a_campaign_ends_when_enough_is_covered():
    def until(goal, *options, code=0, program="./tiny"):
        folder = f"until{len(os.listdir('.'))}"
        out = test(program, folder, "--until", goal, "--json", "until.json", *options, code=code,
                   strategy="random")
        return out, json.load(open("until.json")) if code == 0 else None

    out, r = until("coverage=75%")
    true("3 of 4 tasks of M2 were covered" in out, out)
    same(r["until"], "3 of 4 tasks of M2 were covered")
    true(r["executions"] < 100000, r["executions"])
    out, r = until("coverage=m3:100%")
    same(r["until"], "2 of 2 tasks of M3 were covered")
    out, r = until("coverage=m1:80%")
    same(r["until"], "6 of 6 tasks of M1 were covered")
    out, r = until("coverage=100%", "-n", "3000")
    true("until" not in r and r["executions"] == 3000, r)
    out, r = until("plateau")
    true("executions covered nothing new" in r["until"], r)
    same(r["covered"]["m2"], {"covered": 3, "total": 4})
    out, r = until("plateau=5000")
    true(r["executions"] >= 5000, r["executions"])
    for bad in ("coverage", "coverage=", "coverage=0%", "coverage=101%", "coverage=m4:5%",
                "coverage=95", "plateau=", "plateau=0", "plateau=x", "ever"):
        true("--until cannot be" in until(bad, code=2)[0], bad)
    true("--until needs coverage" in until("plateau", "--no-coverage", code=2)[0], "no sentence")


def it_can_be_left_out():
    out = test("./tiny", "without", "--no-coverage", "--json", "without.json")
    true("coverage" not in out, out)
    true("covered" not in json.load(open("without.json")), "covered is there")
    true(not os.path.exists("without/coverage.json"), "the file is there")


def what_is_interrupted_keeps_what_it_has():
    compile_it("long", LONG)
    p = subprocess.Popen([PLAIT, "test", "-s", "random", "-t", "60s", "-q", "-o", "ctrl-c",
                          "./long"])
    time.sleep(1)
    p.send_signal(signal.SIGINT)
    p.wait(30)
    c = covered("ctrl-c")
    true(c["executions"] > 0 and c["m3"]["covered"] > 0, c["executions"])
    p = subprocess.Popen([PLAIT, "test", "-s", "random", "-t", "60s", "-q", "-o", "killed",
                          "./long"])
    for _ in range(200):
        if os.path.exists("killed/coverage.json"):
            break
        time.sleep(0.1)
    p.kill()
    p.wait()
    before = covered("killed")
    true(before["executions"] > 0, before["executions"])
    test("./long", "killed", "-n", "10", strategy="random")
    same(covered("killed")["executions"], before["executions"] + 10)


def people_can_read_it():
    text = run(PLAIT, "coverage", "tiny1")
    for line in ("  M2 pairs of functions        3 of 4 covered, 75 %",
                 "  set       yes          yes    1 of 1        2 of 2",
                 "  the last new task came at execution",
                 "    get interrupted by main",
                 "    before: executed only while there was one thread"):
        true(line in text, f"{line!r} is not in {text}")
    true("    get interrupted by set\n" not in text, text)
    true("    get interrupted by set\n" in run(PLAIT, "coverage", "-v", "tiny1"), "not with -v")
    true("usage: plait coverage" in run(PLAIT, "coverage", "--help"), "no help")


def suites_have_it_per_test():
    with open("list.txt", "w") as f:
        f.write("./tiny\n")
    out = run(PLAIT, "suite", "-s", "dfs", "-o", "suite", "--json", "suite.json", "list.txt")
    same(json.load(open("suite.json"))["tests"][0]["covered"],
         {"m1": {"covered": 6, "total": 6}, "m2": {"covered": 3, "total": 4},
          "m3": {"covered": 2, "total": 2}})
    true("coverage 11 of 12" in out, out)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    compile_it("tiny", TINY)
    a_small_program_has_exactly_these_tasks()
    other_ways_to_run_it_show_the_same()
    names_come_from_the_symbol_table_as_well()
    a_program_that_is_not_compiled_for_plait_has_functions()
    campaigns_add_up()
    merging_loses_nothing()
    crashes_do_not_lose_what_came_before()
    foreign_files_are_refused_and_kept()
    a_campaign_ends_when_enough_is_covered()
    it_can_be_left_out()
    what_is_interrupted_keeps_what_it_has()
    people_can_read_it()
    suites_have_it_per_test()
    os.chdir("/")
sys.exit(failures != 0)
