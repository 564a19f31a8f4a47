# SPDX-License-Identifier: MIT
"""plait coverage and what plait test collects for it.  usage: coverage.py FOLDER_OF_PLAIT"""
import html.parser
import json
import os
import re
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

# What main() does to early comes before its thread is created, what it does to late after the
# end of the thread; shared is touched by both at any time.
RELATED = r"""
#include <pthread.h>
static volatile long early, late, shared, sum;
static void *idle(void *arg) { return arg; }
static void *thread(void *arg)
{
    sum += early;
    late = 1;
    shared = 1;
    return arg;
}
int main(void)
{
    pthread_t other, t;
    pthread_create(&other, NULL, idle, NULL);
    early = 1;
    pthread_create(&t, NULL, thread, NULL);
    shared = 2;
    pthread_join(t, NULL);
    long seen = late;
    pthread_join(other, NULL);
    return (int)seen - 1;
}
"""

# What a thread reads at line 9 it writes at line 10 before it unlocks; main() writes with the lock, or,
# with an argument, also without.
LOCKED = r"""
#include <pthread.h>
static volatile long x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *arg)
{
    pthread_mutex_lock(&lock);
    if (arg == NULL) {
        long seen = x;
        x = seen + 1;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t;
    (void)argv;
    pthread_create(&t, NULL, thread, NULL);
    for (int i = 0; i < argc; i++) {
        if (i == 0)
            pthread_mutex_lock(&lock);
        x = 5;
        if (i == 0)
            pthread_mutex_unlock(&lock);
    }
    return pthread_join(t, NULL);
}
"""
APART = ("both have the mutex taken at locked.c:7:5 and at locked.c:22:13; the first one's thread always "
         "comes back there before it unlocks")

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


def run(*words, code=0, **environment):
    r = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=600,
                       env=dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm", **environment)
                       if "LC_ALL" not in environment else dict(os.environ, **environment))
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
    result = json.loads(run(PLAIT, "coverage", "--json", "-", *folders))
    same((result["format"], result["version"]), ("plait-coverage", 1))
    return result


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
                      (good.replace('"version":4', '"version":99'), "another version")):
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
    out, r = until("coverage=m1:80%")  # it looks every now and then
    true(r["until"] in [f"{n} of 6 tasks of M1 were covered" for n in (5, 6)], r["until"])
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


def programs_in_one_folder_are_kept_apart():
    for name in ("first", "second"):
        os.mkdir(name)
    compile_it("choice", CHOICE)
    for source, target in (("tiny", "first/same"), ("choice", "second/same")):
        run("cp", source, target)
    alone = []
    for program in ("./tiny", "./choice", "first/same", "second/same"):
        folder = "alone" + program.replace("/", "-")
        test(program, folder)
        alone.append(covered(folder))
    for turn in (1, 2):
        for program, expected in zip(("./tiny", "./choice", "first/same", "second/same"), alone):
            test(program, "together")
            out = run(PLAIT, "coverage", "together")
            run(PLAIT, "coverage", "--json", "c.json", "together")
            c = json.load(open("c.json"))
            for model in ("m1", "m2", "m3"):
                same((program, c[model]["tasks"], c[model]["total"]), (program, expected[model]["tasks"], expected[model]["total"]))
            same(c["executions"], turn * expected["executions"])
            true(program == "./tiny" and turn == 1 or f"several programs. This is that of {os.path.realpath(program)}" in out, out)
    same(sorted(x for x in os.listdir("together") if x.startswith("coverage")),
         ["coverage-2.json", "coverage-3.json", "coverage-4.json", "coverage.json"])
    run(PLAIT, "clean", "--coverage", "together")
    same([x for x in os.listdir("together") if x.startswith("coverage")], [])


def it_can_be_left_out():
    out = test("./tiny", "without", "--no-coverage", "--json", "without.json")
    true("coverage" not in out, out)
    true("covered" not in json.load(open("without.json")), "covered is there")
    true(not os.path.exists("without/coverage.json"), "the file is there")


def campaign_with_coverage(folder):
    """A campaign that goes on, of which something has been kept."""
    p = subprocess.Popen([PLAIT, "test", "-q", "-s", "random", "-n", "1000000000", "-o", folder,
                          "--json", f"{folder}.json", "./long"])
    while not os.path.exists(f"{folder}/coverage.json") or covered(folder)["executions"] == 0:
        if p.poll() is not None:
            fail(f"it ended with {p.returncode}")
            break
        time.sleep(0.1)
    return p


def what_is_interrupted_keeps_what_it_has():
    # A shell lets what it starts in the background ignore it, and so would plait.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    compile_it("long", LONG)
    p = campaign_with_coverage("interrupted")
    p.send_signal(signal.SIGINT)
    p.wait(300)
    c = covered("interrupted")
    same(c["executions"], json.load(open("interrupted.json"))["executions"])
    true(c["m3"]["covered"] > 0, c["m3"])
    p = campaign_with_coverage("killed")
    p.kill()
    p.wait()
    before = covered("killed")
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


def orders_are_listed_with_source_lines():
    text = run(PLAIT, "coverage", "-v", "tiny1")
    true("""
  M3 pairs of statements: 2
    write at tiny.c:5:53 (set, called at tiny.c:19:5)""" in text, text)
    line = re.search(r"^      before read at tiny.c:6:54 \(get, called at tiny.c:13:41\), execution "
                     r"\d+ +│ __attribute__.*int v = x;", text, re.M)
    true(line, text)
    true("│" not in run(PLAIT, "coverage", "-v", "tiny1", LC_ALL="C"), "no ASCII")
    os.rename("tiny.c", "hidden.c")
    true("int v = x" not in run(PLAIT, "coverage", "-v", "tiny1"), "where is that from?")
    os.rename("hidden.c", "tiny.c")


def orders_can_be_chosen():
    compile_it("related", RELATED)
    test("./related", "related1", "--points", "all")
    text = run(PLAIT, "coverage", "related1")
    true("creation or join of their threads has ordered them each time: 2" in text, text)
    for chosen, others in (("--covered", ["not covered", "cannot be"]),
                           ("--uncovered", ["cannot be"]), ("--impossible", ["not covered"])):
        text = run(PLAIT, "coverage", chosen, "related1")
        for other in others:
            true(f"\n{other}" not in text, text)
    true("\ncovered\n" in run(PLAIT, "coverage", "--covered", "related1"), "nothing is covered")
    by_line = run(PLAIT, "coverage", "-v", "--file", "related.c:18", "related1")
    true("before write at related.c:9:12" in by_line and "related.c:7" not in by_line, by_line)
    by_function = run(PLAIT, "coverage", "-v", "--function", "nobody*", "related1")
    true("M3 pairs of statements: " not in by_function and "interrupted by" not in by_function,
         by_function)
    true("thread interrupted by main" in
         run(PLAIT, "coverage", "-v", "--function", "thr*", "related1"), "no functions")
    both = run(PLAIT, "coverage", "-v", "--function", "main", "--file", "other.c", "related1")
    true("related.c:" not in both, both)
    for options in (["--merge", "x.json", "-v"], ["--json", "-", "--covered"],
                    ["--html", "x.html", "--file", "a.c"]):
        true("a file always has everything" in
             run(PLAIT, "coverage", *options, "related1", code=2), options)
    true("cannot both be printed" in
         run(PLAIT, "coverage", "--html", "-", "--json", "-", "related1", code=2), "no sentence")


def lists_are_cut_short():
    compile_it("wide", "#include <pthread.h>\nstatic volatile int x;\nstatic void *thread(void *arg)\n"
               "{\n" + "    x = 1;\n" * 12 + "    return arg;\n}\nint main(void)\n{\n    pthread_t t;\n"
               "    pthread_create(&t, NULL, thread, NULL);\n" + "    x = 2;\n" * 12 +
               "    return pthread_join(t, NULL);\n}\n")
    test("./wide", "wide1", "-n", "30", strategy="random")
    c = covered("wide1")
    open_ = sum(o["state"] == "uncovered" for o in c["orders"])
    true(open_ > 20, open_)
    text = run(PLAIT, "coverage", "--uncovered", "wide1")
    true(f"    and {open_ - 20} more; -v shows all" in text, text)
    same(text.count("      before "), 20)
    same(run(PLAIT, "coverage", "--uncovered", "-v", "wide1").count("      before "), open_)


def json_has_every_order_once():
    for folder in ("tiny1", "related1", "wide1"):
        c = covered(folder)
        orders = {(o["before"], o["after"]): o for o in c["orders"]}
        same(len(orders), len(c["orders"]))
        counted = [o for o in c["orders"] if o["m3"] and o["state"] != "impossible"]
        same(len(counted), c["m3"]["total"])
        same(sum(o["state"] == "covered" for o in counted), c["m3"]["covered"])
        for o in c["orders"]:
            same("reason" in o, o["state"] == "impossible")
            same("execution" in o, o["state"] == "covered")
            true((o["after"], o["before"]) in orders, o)
        same(c["curve"][-1][1:], [c[m]["covered"] for m in ("m1", "m2", "m3")])
        same(c["curve"][-1][0], c["latest"])


def creation_and_join_rule_orders_out():
    c = covered("related1")

    def state(before, after):
        lines = [(s["line"], s["operation"]) for s in c["statements"]]
        return [(o["state"], "creation" in o.get("reason", "")) for o in c["orders"]
                if (lines[o["before"]], lines[o["after"]]) == (before, after)]

    first, read = (16, "write"), (7, "read")
    same((state(first, read), state(read, first)), ([("covered", False)], [("impossible", True)]))
    write, last = (8, "write"), (20, "read")
    same((state(write, last), state(last, write)), ([("covered", False)], [("impossible", True)]))
    one, two = (9, "write"), (18, "write")
    same((state(one, two), state(two, one)), ([("covered", False)], [("covered", False)]))


def order_of(c, before, after):
    """Of two accesses by their lines."""
    lines = [s["line"] if s["operation"] in ("read", "write") else 0 for s in c["statements"]]
    return [o for o in c["orders"] if (lines[o["before"]], lines[o["after"]]) == (before, after)]


def locks_keep_accesses_apart():
    compile_it("locked", LOCKED)
    for i, options in enumerate(([], ["-j", "2"], ["--restart", "fork"], ["--carrier", "thread"],
                                 ["--checkpoints", "always"])):
        test("./locked", f"locked{i}", *options)
        c = covered(f"locked{i}")
        order, = order_of(c, 9, 23)
        same((order["state"], order["reason"]), ("impossible", APART))
        same([c["statements"][n]["place"] for n in order["locks"]],
             ["locked.c:7:5", "locked.c:22:13"])
        same([o["state"] for o in order_of(c, 10, 23) + order_of(c, 23, 9)], ["covered"] * 2)
        same(c["m3"]["uncovered"], [])
    true(f"\n      {APART}\n      before write at locked.c:23:11 (main)" in
         run(PLAIT, "coverage", "locked0"), "no reason in the terminal")
    run(PLAIT, "coverage", "--html", "locked.html", "locked0")
    true(APART.replace("'", "&#39;") in open("locked.html").read(), "no reason on the page")
    asked = test("./locked", "asked", "-n", "20", "--cover", "locked.c:9<locked.c:23", code=5,
                 strategy="random")
    true(f"as far as is known it is impossible: {APART}" in asked, asked)
    # An access without the lock: it is possible, and here and in what is merged nothing says otherwise.
    test(["./locked", "2"], "unlocked", "-n", "5", strategy="random")
    c = covered("locked0", "unlocked")
    same([o.get("reason", "") for o in order_of(c, 9, 23)], [""])
    test(["./locked", "2"], "unlocked")
    same([o["state"] for o in order_of(covered("locked0", "unlocked"), 9, 23)], ["covered"])
    # Threads that run freely are not followed.
    test("./locked", "freely", "-n", "30", strategy="noise")
    same([o for o in covered("freely")["orders"] if "both have" in o.get("reason", "")], [])


def growth_is_drawn():
    text = run(PLAIT, "coverage", "wide1")
    true("growth over executions\n" in text and "█" in text, text)
    true(re.search(r"^ +1 +15 +30 *$", text, re.M), text)
    true("the last new pair of statements at" in text, text)
    for locale, terminal in (("C", "xterm"), ("C.UTF-8", "dumb")):
        plain = run(PLAIT, "coverage", "wide1", LC_ALL=locale, TERM=terminal)
        true("█" not in plain and "#####" in plain, plain)
    test("./wide", "wide2", "-n", "1000", strategy="random")
    test("./wide", "wide2", "-n", "500", strategy="random")
    text = run(PLAIT, "coverage", "wide2")
    true("on a logarithmic axis" in text and "┴" in text, text)
    true(re.search(r"^ +1 +10 +100 +1500 *$", text, re.M), text)
    # One after the other, whichever file is read first.
    same(covered("wide2", "wide1"), covered("wide1", "wide2"))
    c = covered("wide1", "wide2")
    same(c["campaigns_begin_at"], [1, 31, 1031])
    same([p for p in c["curve"] if p[0] <= 30], covered("wide1")["curve"])


class Page(html.parser.HTMLParser):
    """Tags, links and ids of a page, and what stands in its lines."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.code, self.attributes = set(), [], [], [], set()
        self.counts, self.open = {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        values = dict(attributes)
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if tag == "summary" and "title" in values:
            self.counts[self.ids[-1]] = [int(n) for n in re.findall(r"\d+", values["title"])]
        self.open = tag
        if tag == "code":
            self.code.append("")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open == "code":
            self.code[-1] += data


TAGS = set("a article b body button code details div h1 h2 h3 h4 head header html i kbd li main meta nav "
           "output p path script section small span strong style summary svg table tbody td text th "
           "thead title tr ul".split())
ATTRIBUTES = set("aria-label aria-pressed charset class content d data-do hidden href http-equiv id "
                 "lang name role scope style text-anchor title type viewbox x y".split())


def page_of(*folders):
    run(PLAIT, "coverage", "--html", "page.html", *folders)
    text = open("page.html", encoding="utf-8").read()
    page = Page(text)
    same(page.tags - TAGS, set())
    same(page.attributes - ATTRIBUTES, set())
    same([l for l in page.links if l[0] != "#" or l[1:] not in page.ids], [])
    same(len(page.ids), len(set(page.ids)))
    true("://" not in re.sub("<code>.*</code>", "", text), "the page asks for something")
    return page, text


def a_page_shows_every_line():
    page, text = page_of("related1")
    source = open("related.c").read().splitlines()
    lines = page.code[-len(source):]
    same(lines, source)
    c = covered("related1")
    for line in (7, 8, 9, 16, 18, 20):
        here = [i for i, s in enumerate(c["statements"]) if s["line"] == line]
        ends = [o["state"] for o in c["orders"] for end in ("before", "after") if o[end] in here]
        begin = sum(o["before"] in here for o in c["orders"])
        same(page.counts[f"f0L{line}"],
             [begin, len(ends) - begin] + [ends.count(s) for s in
                                           ("covered", "uncovered", "impossible")])
    true("<svg" in text and "prefers-color-scheme" in text, "no growth, or no dark")
    true("creation or join of their threads" in text, "no reason")
    os.mkdir("pages")
    run(PLAIT, "coverage", "--html", "pages", "related1")
    same(open("pages/coverage.html").read(), text)
    same(run(PLAIT, "coverage", "--html", "-", "related1"), text)
    true("could not be written" in
         run(PLAIT, "coverage", "--html", "nowhere/x.html", "related1", code=2), "no sentence")
    os.rename("related.c", "hidden.c")
    page, text = page_of("related1")
    same(page.code[-5:], [""] * 5)
    true("There is no such file" in text and "f0L18" in page.ids, text)
    os.rename("hidden.c", "related.c")
    # Of files of the system there is only what is near.
    places = json.load(open("related1/coverage.json"))
    for statement in places["statements"]:
        statement["place"] = re.sub(".*:([0-9]+):[0-9]+", r"/usr/include/stdlib.h:\1", statement["place"])
    os.mkdir("system")
    json.dump(places, open("system/coverage.json", "w"))
    page, text = page_of("system")
    numbers = [int(n) for n in re.findall(r"<b>(\d+)</b>", text)]
    same((min(numbers), max(numbers), sorted(numbers)), (2, 25, numbers))
    true("\u22ee" in text, "no gap")
    page, text = page_of("plain1")
    true("code without source lines" in text and any("+0x" in l for l in page.code), page.code)


def names_cannot_do_harm():
    evil = "</code><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;\u202e\u0007.c"
    with open("related1/coverage.json") as f:
        c = json.load(f)
    for f in c["functions"]:
        f["name"] = f["file"] = f["module"] = evil + f["name"]
    for s in c["statements"]:
        s["place"] = s["place"].replace("related.c", evil)
        s["operation"] = s["caller"] = evil
    os.mkdir("evil")
    with open("evil/coverage.json", "w") as f:
        json.dump(c, f)
    page, text = page_of("evil")
    same(text.count("<script"), 1)
    true("&lt;/code&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img" in text, text)
    true("\u202e" not in text and "\u0007" not in text, "control characters")
    text = run(PLAIT, "coverage", "-v", "evil")
    true("\u202e" not in text and "\u0007" not in text and "<script>" in text, text)
    # A source file may hold anything as well.
    with open("odd.c", "wb") as f:
        f.write(RELATED.encode().replace(b"shared = 1;", b"shared = 1; // </details><b>\xff\x00\x1b[31m"))
    for s in c["statements"]:
        s["place"] = s["place"].replace(evil, "odd.c")
    with open("evil/coverage.json", "w") as f:
        json.dump(c, f)
    page, text = page_of("evil")
    true("    shared = 1; // </details><b>\ufffd\ufffd\ufffd[31m" in page.code, page.code)
    # Neither a device nor a folder is read, and a name may be long.
    for name in ("/dev/zero", "/", "x" * 5000 + ".c"):
        for i, s in enumerate(c["statements"]):
            s["place"] = f"{name}:{i + 1}"
        with open("evil/coverage.json", "w") as f:
            json.dump(c, f)
        page_of("evil")
        run(PLAIT, "coverage", "-v", "evil")


def earlier_versions_are_read():
    with open("related1/coverage.json") as f:
        c = json.load(f)
    os.mkdir("old")
    for version, gone in ((2, ["tried", "concurrent"]), (1, ["predecessors"])):
        c["version"] = version
        for name in gone:
            del c[name]
        with open("old/coverage.json", "w") as f:
            json.dump(c, f)
        old = covered("old")
        same(old["m3"]["covered"], covered("related1")["m3"]["covered"])
        same(sum("creation" in o.get("reason", "") for o in old["orders"]), 0)
        # A campaign goes on with it, and writes the present version.
        run("cp", "-r", "old", f"old{version}")
        test("./related", f"old{version}", "--points", "all")
        same(json.load(open(f"old{version}/coverage.json"))["version"], 4)
        same(covered(f"old{version}")["campaigns"], 2)


def suites_have_it_per_test():
    with open("list.txt", "w") as f:
        f.write("./tiny\n")
    out = run(PLAIT, "suite", "-s", "dfs", "-o", "suite", "--json", "suite.json", "list.txt")
    same(json.load(open("suite.json"))["tests"][0]["covered"],
         {"m1": {"covered": 6, "total": 6}, "m2": {"covered": 3, "total": 4},
          "m3": {"covered": 2, "total": 2}})
    true("coverage 11 of 12" in out, out)


BOUND = r"""
#include <pthread.h>
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static void add(void)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
}
static void *thread(void *arg) { add(); return arg; }
__attribute__((noinline)) static int both(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, thread, NULL);
    pthread_create(&u, NULL, thread, NULL);
    pthread_join(u, NULL);
    return pthread_join(t, NULL);
}
int main(void) { int rc = both(); add(); return rc; }
"""


def what_no_interleaving_shows_is_no_task():
    """A function that waits for the threads it has created is never executed without being interrupted."""
    compile_it("bound", BOUND)
    run(PLAIT, "test", "-s", "random", "-n", "50", "-o", "bound-r", "./bound")
    m1 = covered("bound-r")["m1"]
    same((m1["covered"], m1["total"], m1["uncovered"]), (3, 4, ["both: executed without being interrupted"]))
    run(PLAIT, "test", "-s", "dpor", "-o", "bound-r", "./bound")  # one execution of each class is not all of them
    same(covered("bound-r")["m1"]["total"], 4)
    out = run(PLAIT, "test", "-s", "dfs", "-o", "bound-r", "./bound")
    true("M1 functions 3 of 3" in out, out)
    m1 = covered("bound-r")["m1"]
    same((m1["covered"], m1["total"], m1["uncovered"]), (3, 3, []))
    true("both: executed without being interrupted: every interleaving was executed, and none does" in m1["uncoverable"], m1)
    # It is known from now on, and reached at once; of another build it is not.
    out = run(PLAIT, "test", "-s", "random", "--until", "coverage=m1:100%", "-o", "bound-r", "./bound")
    true("3 of 3 tasks of M1 were covered" in out, out)
    compile_it("bound", BOUND.replace("x++;", "x += 2;"))
    run(PLAIT, "test", "-s", "random", "-n", "5", "-o", "bound-r", "./bound")
    same(covered("bound-r")["m1"]["total"], 4)


SEPARATE = r"""
#include <pthread.h>
#include <stdatomic.h>
static int a, b;
static atomic_int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static void one(void) { for (int i = 0; i < 5; i++) { a++; n++; } }
__attribute__((noinline)) static void two(void) { for (int i = 0; i < 5; i++) { a++; b++; n--; } }
__attribute__((noinline)) static void three(void)
{
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        b++;
        pthread_mutex_unlock(&lock);
    }
}
__attribute__((noinline)) static void mine(void)
{
    pthread_mutex_lock(&lock);
    a++;
    pthread_mutex_unlock(&lock);
}
static void *run_one(void *arg) { one(); return arg; }
static void *run_two(void *arg) { two(); return arg; }
static void *run_three(void *arg) { three(); return arg; }
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, run_one, NULL);
    pthread_create(&t[1], NULL, run_two, NULL);
    mine();
    pthread_join(t[0], NULL); /* the next one may get its slot */
    pthread_create(&t[2], NULL, run_three, NULL);
    mine();
    pthread_join(t[1], NULL);
    return pthread_join(t[2], NULL);
}
"""


def noise_shows_what_can_be():
    """Each function runs in one thread: none interrupts itself, and every statement is one of the program."""
    compile_it("apart", SEPARATE)
    for record in ("full", "light", "none"):
        for seed in ("1", "2"):
            folder = f"apart-{record}-{seed}"
            run(PLAIT, "test", "-q", "-s", f"noise:record={record}", "--seed", seed, "-n", "60", "-o", folder, "./apart")
            o = json.load(open(folder + "/coverage.json"))
            names = [f["name"] for f in o["functions"]]
            same([names[a] for a, b, *_ in o["switches"] if a == b], [])
            true({"one", "three"} not in [{names[a], names[b]} for a, b, *_ in o["switches"]], f"one had ended: {folder}")
            same([s["place"] for s in o["statements"] if not s["place"].startswith("apart.c:")], [])


def large_programs_are_counted_without_a_table_of_pairs():
    """40,000 functions have more pairs than memory has bits for: they are counted, and some are listed."""
    n, threads = 40000, 3
    functions = [{"module": "p", "name": f"f{i}", "file": "p.c", "alone": False, "executed": True, "interrupted": None, "whole": None}
                 for i in range(n)]
    lists = ("statements pairs predecessors failing tried concurrent reads first_reads with_lock without_lock first_in_hold last_in_hold"
             " lasting_in_hold").split()
    os.mkdir("large")
    with open("large/coverage.json", "w") as f:
        json.dump({"format": "plait coverage", "version": 4, "lost": False, "campaigns": [{"id": "a", "started_ms": 1, "executions": 9}],
                   "functions": functions, "switches": [[0, 1, 0, 1], [5, 5, 0, 2]], **{x: [] for x in lists},
                   "threads": [{"name": str(t), "functions": list(range(t, n, threads)), "together": [u for u in range(threads) if u != t]}
                               for t in range(threads)]}, f)
    sizes = [len(range(t, n, threads)) for t in range(threads)]
    pairs = n * n - sum(s * s for s in sizes) + 1  # and one that was seen although nothing says that it can be
    out = run(PLAIT, "coverage", "--json", "large.json", "large")
    o = json.load(open("large.json"))
    same((o["m1"]["total"], o["m2"]["covered"], o["m2"]["total"]), (2 * n, 2, pairs))
    same(len(o["m2"]["uncovered"]) + o["m2"]["uncovered_more"], pairs - 2)
    same(sorted(o["m2"]["tasks"]), ["f0 interrupted by f1", "f5 interrupted by f5"])
    row = [f for f in o["functions"] if f["name"] == "f5"][0]
    same((row["interrupted_by"], row["interrupted_by_total"]), (1, n - sizes[5 % threads] + 1))
    out = run(PLAIT, "coverage", "large")
    true(f"M2 pairs of functions: {pairs - 2}" in out, out[-2000:])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    large_programs_are_counted_without_a_table_of_pairs()
    what_no_interleaving_shows_is_no_task()
    noise_shows_what_can_be()
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
    programs_in_one_folder_are_kept_apart()
    it_can_be_left_out()
    what_is_interrupted_keeps_what_it_has()
    people_can_read_it()
    orders_are_listed_with_source_lines()
    orders_can_be_chosen()
    lists_are_cut_short()
    json_has_every_order_once()
    creation_and_join_rule_orders_out()
    locks_keep_accesses_apart()
    growth_is_drawn()
    a_page_shows_every_line()
    names_cannot_do_harm()
    earlier_versions_are_read()
    suites_have_it_per_test()
    os.chdir("/")
sys.exit(failures != 0)
