# SPDX-License-Identifier: MIT
"""plait suite: lists, folders, CTest, TAP, rounds, files, and being killed in the middle.

argument: the folder with plait and plait-cc.
"""
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

BIN = os.path.abspath(sys.argv[1])
os.environ["PATH"] = BIN + ":" + os.environ["PATH"]
# A shell lets what it starts in the background ignore it, and so would plait.
signal.signal(signal.SIGINT, signal.default_int_handler)

STEADY = r"""
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *unused)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t t[3];
    if (getenv("STARTS")) {
        FILE *f = fopen(getenv("STARTS"), "a");
        fprintf(f, "%s\n", argc > 1 ? argv[1] : "?");
        fclose(f);
    }
    if (getenv("HOLD") && argc > 1 && atoi(argv[1]) > 8)
        flock(open(getenv("HOLD"), O_RDONLY), LOCK_SH); /* waits for whoever holds it */
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 12);
    return argc > 2 ? atoi(argv[2]) : 0;
}
"""

SMALL = STEADY.replace("i < 4", "i < 1").replace("count == 12", "count == 3")

LOST = r"""
#include <assert.h>
#include <pthread.h>
static int count;
static void *add(void *unused) { count = count + 1; return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2 && "<both> & \"all\"");
}
"""

LOCKS = r"""
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
static void *other(void *unused) { both(&b, &a); return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
}
"""

TAP = r"""
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static int count;
static void *add(void *unused) { count = count + 1; return unused; }
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    if (strcmp(how, "fine") == 0)
        pthread_join(a, NULL);
    pthread_create(&b, NULL, add, NULL);
    if (strcmp(how, "fine") != 0)
        pthread_join(a, NULL);
    pthread_join(b, NULL);
    puts("1..2\nok 1 - ran");
    if (strcmp(how, "short") == 0 && count != 2)
        return 0;
    printf("%sok 2 - both%s\n", count == 2 ? "" : "not ",
           strcmp(how, "known") == 0 ? " # TO" "DO later" : "");
}
"""

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(twenty C)
find_package(Threads REQUIRED)
link_libraries(Threads::Threads)
add_compile_options(-g)
enable_testing()
foreach(name steady lost locks)
    add_executable(${name} ${name}.c)
endforeach()
foreach(i RANGE 1 15)
    add_test(NAME steady.${i} COMMAND steady ${i})
endforeach()
add_test(NAME steady.fails COMMAND steady fails 3)
set_tests_properties(steady.fails PROPERTIES WILL_FAIL TRUE)
add_test(NAME steady.skips COMMAND steady skips 7)
set_tests_properties(steady.skips PROPERTIES SKIP_RETURN_CODE 7 RUN_SERIAL TRUE)
add_test(NAME steady.wrapped COMMAND ${CMAKE_COMMAND} -E env STARTS=${STARTS} $<TARGET_FILE:steady> wrapped)
add_test(NAME flaky.lost COMMAND lost)
add_test(NAME flaky.locks COMMAND locks)
set_tests_properties(flaky.lost flaky.locks PROPERTIES LABELS shaky TIMEOUT 20)
foreach(i RANGE 1 15)
    set_property(TEST steady.${i} PROPERTY ENVIRONMENT "STARTS=${STARTS}")
endforeach()
"""


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def suite(*arguments, code):
    """Run it; the exit status must be that, and the files that it writes must be whole."""
    p = subprocess.run(["plait", "suite", *arguments], stdin=subprocess.DEVNULL, text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    check(p.returncode == code,
          f"plait suite {' '.join(arguments)} ended with {p.returncode}, not {code}:\n{p.stdout}")
    return p.stdout


def results(*arguments, code):
    """The tests by name, from --json; the output is in the key None."""
    out = suite(*arguments, "--json", "result.json", code=code)
    with open("result.json", encoding="utf-8") as f:
        whole = json.load(f)
    return {None: out, "": whole} | {t["name"]: t for t in whole["tests"]}


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)


def compile_all(**programs):
    for name, text in programs.items():
        write(name + ".c", text)
        subprocess.run(["plait-cc", "-g", name + ".c", "-o", name, "-pthread"], check=True)


def finished(folder):
    """Names of the tests that the state says something about; none while there is no state."""
    try:
        with open(os.path.join(folder, ".state.json"), encoding="utf-8") as f:
            return {t["name"] for t in json.load(f)["tests"] if t["status"] != 0}
    except FileNotFoundError:
        return set()


class Hold:
    """As long as it is there, tests with a number beyond 8 do not come to their first thread."""

    def __enter__(self):
        self.file = open("hold", "w", encoding="utf-8")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()


def start(arguments, is_far_enough, **environment):
    """Start it while tests are held, and wait until others are done."""
    environment = dict(os.environ, HOLD=os.path.abspath("hold"), **environment)
    p = subprocess.Popen(["plait", "suite", *arguments], stdin=subprocess.DEVNULL, env=environment,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    limit = time.monotonic() + 300
    while not is_far_enough() and time.monotonic() < limit and p.poll() is None:
        time.sleep(0.01)
    check(p.poll() is None, "the suite was over although tests were held")
    check(is_far_enough(), "the suite does not come to what it should")
    return p


def end_early(arguments, folder, enough, number):
    """Start it, send it that signal when so many tests are done; the exit status."""
    with Hold():
        p = start(arguments, lambda: len(finished(folder)) >= enough)
        p.send_signal(number)
        return p.wait(timeout=300)


def nothing_left(word):
    """No process whose command line has the word is left."""
    for _ in range(600):
        left = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    if word.encode() in f.read() and int(pid) != os.getpid():
                        left.append(pid)
            except OSError:
                pass
        if not left:
            return
        time.sleep(0.1)
    check(False, f"processes are left over: {left}")


def lines(name):
    try:
        with open(name, encoding="utf-8") as f:
            return f.read().split()
    except FileNotFoundError:
        return []


def twenty_tests_two_flaky(work):
    """A CTest project: killed in the middle it goes on, and finds both."""
    os.mkdir("project")
    for name, text in {"steady": STEADY, "lost": LOST, "locks": LOCKS}.items():
        write(f"project/{name}.c", text)
    write("project/CMakeLists.txt", PROJECT)
    starts = os.path.join(work, "starts")
    subprocess.run(["cmake", "-S", "project", "-B", "built", f"-DSTARTS={starts}",
                    f"-DCMAKE_C_COMPILER={BIN}/plait-cc"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "built"], check=True, stdout=subprocess.DEVNULL)
    command = ["--ctest", "built", "-s", "random", "-n", "200", "--hang-time", "10m", "-j2",
               "--files", "real", "-o", "out"]

    check(end_early(command, "out", 6, signal.SIGKILL) == -signal.SIGKILL, "it was not killed")
    nothing_left(work)
    before, done = lines(starts), finished("out")
    check(6 <= len(done) < 20, f"{len(done)} tests were done when it was killed")
    r = results(*command, "--junit", "junit.xml", code=1)
    after = lines(starts)[len(before):]
    check(f"{len(done)} of 20 tests have been run" in r[None], f"it did not go on:\n{r[None]}")
    check(r[""]["resumed"] == len(done), "another number of tests was taken over")
    check(len(before) >= len([n for n in done if re.match(r"steady\.\d", n)]), "starts are missing")
    for name in done:
        check(name.split(".")[1] not in after, f"{name} was run again")
    check(len(after) > 0, "nothing was run after the kill")
    judge_twenty(r)
    for name in ("flaky.lost", "flaky.locks"):
        check(name + " " in r[None] and r[name]["schedule"] in r[None], f"{name} is not named")
    replay_printed(r[None], 2)
    shown = xml.parse("junit.xml").getroot()
    check(shown.get("tests") == "20" and shown.get("failures") == "2", "the sums of the XML")
    failing = {c.get("name"): c.find("failure") for c in shown.iter("testcase")
               if c.find("failure") is not None}
    check(set(failing) == {"flaky.lost", "flaky.locks"}, f"the XML has {set(failing)}")
    check('<both> & \\"all\\"' in failing["flaky.lost"].get("message"), "the message in the XML")
    check("plait replay" in failing["flaky.locks"].text, "no command to replay in the XML")
    if shutil.which("xmllint"):
        subprocess.run(["xmllint", "--noout", "junit.xml"], check=True)
    check(set(results(*command, "--filter", "shaky", code=1)) ==
          {None, "", "flaky.lost", "flaky.locks"}, "--filter does not know labels")


def judge_twenty(r):
    tests = r[""]["tests"]
    check(len(tests) == 20, f"{len(tests)} tests instead of 20")
    for t in tests:
        flaky = t["name"].startswith("flaky")
        check(t["status"] == ("failed" if flaky else "clean"), f"{t['name']} is {t['status']}: {t}")
        check(t["executions"] > 0 and t["rounds"] == 1, f"{t['name']} was not explored once: {t}")
        check(not flaky or os.path.isfile(t["schedule"]), f"no schedule of {t['name']}")
    check(r["flaky.lost"]["findings"][0]["kind"] == "assertion", "another finding of flaky.lost")
    check(r["flaky.locks"]["findings"][0]["kind"] == "deadlock", "another finding of flaky.locks")


def replay_printed(out, number):
    """The commands of the summary show what was found."""
    commands = re.findall(r"^    (.*plait replay .*)$", out, re.M)
    check(len(commands) == number, f"{len(commands)} commands to replay:\n{out}")
    for command in commands:
        p = subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE)
        check(p.returncode == 1 and "the same finding" in p.stdout, f"{command}: {p.stdout}")


def lists():
    os.mkdir("elsewhere")
    write("script.sh", "#!/bin/sh\nexit 0\n")
    os.chmod("script.sh", 0o755)
    write("list", "# tests\n\n  good: ./small first\n./small 'a b' 0\nenv: A=1 B='x y' ./lost # flaky\n"
          "moved: cd=elsewhere ../lost\ntwice: ./small\ntwice: ./small again 3\n"
          "gone: ./missing\nscripted: ./script.sh\nodd<&\">name: ./lost\n")
    r = results("list", "-v", "--junit", "junit.xml", code=1)
    status = {n: t["status"] for n, t in r.items() if n}
    check(status == {"good": "clean", "./small 'a b' 0": "clean", "env": "failed",
                     "moved": "failed", "twice": "clean", "twice#2": "failed", "gone": "error",
                     "scripted": "skipped", 'odd<&">name': "failed"}, f"statuses: {status}")
    check(r["env"]["environment"] == ["A=1", "B=x y"] and r["env"]["command"] == ["./lost"],
          "what stands before the program")
    check(r["good"]["complete"] and r["good"]["classes"] > 1, f"good: {r['good']}")
    check("class" in r[None], "-v does not say more")
    replay_printed(r[None], 4)
    names = [c.get("name") for c in xml.parse("junit.xml").getroot().iter("testcase")]
    check(sorted(names) == sorted(status), f"names in the XML: {names}")
    # Those that failed, and only those.
    again = results("list", "--rerun-failed", "--expect-exit", "0,3", code=1)
    check(again["twice#2"]["status"] == "clean", "what failed was not run again")
    check(again["good"]["seconds"] == r["good"]["seconds"], "what was clean was run again")
    check(suite("list", "-q", "--filter", "go*", code=3).count("\n") == 1, "-q says too much")
    check("could not be run" in suite("list", "--filter", "gone", code=3), "nothing about gone")
    suite("list", "--filter", "good", "--filter", "scripted", code=0)
    out = subprocess.run(["plait", "suite", "list", "--filter", "good", "--json", "-"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    check(len(json.loads(out)["tests"]) == 1, "JSON on standard output")


def folders():
    os.mkdir("programs")
    for name in ("small", "lost", "script.sh", "small.c"):
        shutil.copy(name, "programs")
    subprocess.run("gcc -shared -fPIC -xc /dev/null -o programs/library.so".split(), check=True)
    write("programs/CTestTestfile.cmake", "")
    r = results("programs", "small", code=1)
    check({n: t["status"] for n, t in r.items() if n} ==
          {"programs/small": "clean", "programs/lost": "failed", "programs/script.sh": "skipped",
           "small": "clean"}, f"a folder: {r[None]}")
    check("3 files that cannot be executed left out" in r[None], "what was left out is not said")
    check("--ctest programs" in r[None], "whose tests these are is not said")
    check("is a shared library" in subprocess.run(["plait", "test", "programs/library.so"],
                                                  stderr=subprocess.PIPE, text=True).stderr,
          "a library is taken for a program")


def tap():
    write("taps", "fine: ./tap fine\nbad: ./tap\nshort: ./tap short\nknown: ./tap known\n")
    r = results("taps", "--tap", "-o", "taps-out", code=1)
    check({n: t["status"] for n, t in r.items() if n} ==
          {"fine": "clean", "bad": "failed", "short": "failed", "known": "clean"}, r[None])
    replay_printed(r[None], 2)
    r = results("taps", "-o", "taps-out", code=0)
    check(r["bad"]["status"] == "clean", "the output counts although nobody asked")


def rounds_of(name, *arguments):
    """The results with as much for --total-time as this machine needs for three rounds of a test."""
    for seconds in (2, 8, 32, 128):
        r = results(*arguments, "--total-time", f"{seconds}s", "--fresh", "-o", "rounds", code=1)
        check(r[""]["seconds"] < 10 * seconds, f"{r['']['seconds']} s instead of {seconds}")
        if r[name]["rounds"] > 2:
            break
    check(r[name]["rounds"] > 2, f"no rounds: {r[name]}")
    return r


def rounds():
    # What fails comes first: it is found however slow everything is.
    write("round", "lost: ./lost\nbig: ./steady\nsmall: ./small\n")
    r = rounds_of("big", "round", "-n", "30", "-j2")
    most = 30 * r["big"]["rounds"]  # the last round may have been cut short
    check(most - 30 <= r["big"]["executions"] <= most, f"executions: {r['big']}")
    check(r["small"]["complete"] and r["small"]["rounds"] == 1, f"small: {r['small']}")
    check(r["lost"]["rounds"] == 1, f"lost: {r['lost']}")
    r = results("round", "--total-time", "1ms", "-o", "rounds", code=3)
    check(r[""]["counts"]["not-run"] == 3 and "3 not run" in r[None], f"no time: {r[None]}")
    r = rounds_of("lost", "round", "-s", "random", "-n", "5", "-k", "--filter", "lost", "--seed", "7")
    check(os.path.isfile(r["lost"]["schedule"]), f"-k: {r['lost']}")


def goes_on():
    """A changed program is run again, what is finished is not, Ctrl-C leaves all in order."""
    shutil.copy("small", "changed")
    write("three", "changed: ./changed 1\nsame: ./small 2\nheld: ./steady 9\nother: ./steady 10\n")
    command = ["three", "-j1", "-o", "three-out", "-s", "random", "--hang-time", "10m",
               "--files", "real", "-n", "200"]
    check(end_early(command, "three-out", 2, signal.SIGINT) == 130, "Ctrl-C")
    nothing_left(os.getcwd())
    check(finished("three-out") == {"changed", "same"}, f"{finished('three-out')} are finished")
    os.utime("changed", (1, 1))
    r = results(*command, code=0)
    check(r[""]["resumed"] == 1 and "1 of 4 tests" in r[None], f"what was taken over: {r[None]}")
    check("4 clean" in r[None], f"not all were run: {r[None]}")
    r = results(*command[:-1], "100", code=0)
    check(r[""]["resumed"] == 0 and "of other options" in r[None], "results of other options count")
    os.remove("three-out/.state.json")
    check(end_early(command, "three-out", 1, signal.SIGKILL) == -signal.SIGKILL, "it was not killed")
    nothing_left(os.getcwd())
    with Hold():
        holder = start([*command, "--fresh"], lambda: "9" in lines("fresh"),
                       STARTS=os.path.abspath("fresh"))
        check("another plait suite" in suite(*command, code=2), "two use one folder")
    check(holder.wait(timeout=300) == 0, "--fresh")
    check(lines("fresh") == ["1", "2", "9", "10"], f"--fresh starts {lines('fresh')}")
    check(results(*command, "--filter", "same", code=0)["same"]["executions"] == 200, "-n")


def killed_between():
    """One that is killed when it has forked: the folder is free at once, whatever its child does."""
    write("between.c", '#include <fcntl.h>\n#include <poll.h>\n#include <unistd.h>\n'
          'int setpgid(pid_t a, pid_t b) { close(creat("between", 0600)); '
          'for (int i = 0; i < 3000 && access("go", F_OK) != 0; i++) poll(0, 0, 10); return 0; }\n')
    subprocess.run([os.environ.get("CC", "gcc"), "-shared", "-fPIC", "between.c", "-o", "between.so"], check=True)
    write("one", "one: ./small 1\n")
    command = ["one", "-j1", "-o", "one-out", "-s", "random", "-n", "2"]
    p = start(command, lambda: os.path.exists("between"), LD_PRELOAD=os.path.abspath("between.so"))
    p.send_signal(signal.SIGKILL)
    p.wait(timeout=300)
    suite(*command, code=0)
    write("go", "")


def bad_input():
    write("empty", "# nothing\n")
    write("open", "a: ./small 'x\n")
    write("piped", "./small\n./small | cat\n")
    write("nothing", "name: A=1\n")
    write("bad-suppressions", "nonsense\n")
    for arguments, word in (
            ([], "no tests were given"), (["missing-list"], "missing-list"), (["empty"], "no test"),
            (["open"], "open:1"), (["piped"], "piped:2"), (["nothing"], "no program"),
            (["list", "--colour"], "--colour"), (["list", "-s", "magic"], "magic"),
            (["list", "--filter", "zzz"], "zzz"), (["list", "--tap", "--check", "cat"], "--tap"),
            (["list", "--fresh", "--rerun-failed"], "--fresh"), (["--ctest", "elsewhere"], "CTest"),
            (["list", "--rerun-failed", "-o", "unused"], "earlier results"),
            (["list", "-j", "1000"], "--jobs"), (["list", "--json", "-", "--junit", "-"], "--junit"),
            (["list", "--total-time", "soon"], "soon"),
            (["list", "--suppressions", "bad-suppressions"], "bad-suppressions"),
            (["list", "--outputs"], "no option --outputs"), (["elsewhere"], "executable"),
            (["list", "-o", "list/x"], "list")):
        out = suite(*arguments, code=2)
        check(word in out and out.startswith("plait: ") and out.count("\n") == 1,
              f"plait suite {' '.join(arguments)} says: {out}")
    os.makedirs("junk-out")
    write("junk-out/.state.json", '{"version": 1, "tests": 5')
    suite("list", "--filter", "good", "-o", "junk-out", code=0)


def main():
    work = os.path.realpath(tempfile.mkdtemp(prefix="plait-suite-"))
    try:
        os.chdir(work)
        compile_all(steady=STEADY, small=SMALL, lost=LOST, tap=TAP)
        twenty_tests_two_flaky(work)
        lists()
        folders()
        tap()
        rounds()
        goes_on()
        killed_between()
        bad_input()
    finally:
        os.chdir("/")
        shutil.rmtree(work)


main()
