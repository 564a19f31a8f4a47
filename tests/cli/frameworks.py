#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A project with GoogleTest and Catch2, built by CMake and by Meson, explored as it is: plait finds what fails, shows
the test, the expectation and the values, and writes JUnit, SARIF and JSON that their readers can use.  The same words of
doctest, Boost.Test, cmocka and Check; where a framework runs tests in other processes, that is said.

argument: the folder with plait and plait-c++.
"""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import sarif

BIN = os.path.abspath(sys.argv[1])
PLAIT = os.path.join(BIN, "plait")
problems = []
SCHEMA = sarif.published()

FILES = {
    "counter.h": """
struct counter {
    int n = 0;
    int sum() const { return n; }
    void add() { n++; }
};
""",
    "google.cpp": """
#include <gtest/gtest.h>
#include <thread>
#include "counter.h"

TEST(Counter, CountsBoth)
{
    counter c;
    std::thread t([&] { c.add(); });
    c.add();
    t.join();
    EXPECT_EQ(c.sum(), 2) << "an update is lost";
}

TEST(Counter, CountsOneAfterTheOther)
{
    counter c;
    std::thread t([&] { c.add(); });
    t.join();
    c.add();
    EXPECT_EQ(c.sum(), 2);
}

TEST(Counter, IsNotForThis) { GTEST_SKIP() << "not here"; }
""",
    "catch.cpp": """
#include <catch2/catch.hpp>
#include <thread>
#include "counter.h"

TEST_CASE("counts both", "[counter]")
{
    counter c;
    std::thread t([&] { c.add(); });
    c.add();
    t.join();
    REQUIRE(c.sum() == 2);
}

TEST_CASE("counts one after the other", "[counter]")
{
    counter c;
    std::thread t([&] { c.add(); });
    t.join();
    c.add();
    REQUIRE(c.sum() == 2);
}
""",
    "catch_main.cpp": "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n",
    "greeting.cpp": """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
int main(int argc, char **argv)
{
    const char *who = getenv("WHO");
    std::thread t([] {});
    t.join();
    std::printf("hello %s\\n", who ? who : "nobody");
    return argc <= 1 ? 0 : strcmp(argv[1], "three") == 0 ? 3 : 77;
}
""",
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.14)
project(counter CXX)
enable_testing()
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(Catch2 REQUIRED)
include(GoogleTest)
include(Catch)
add_executable(google google.cpp)
target_link_libraries(google GTest::gtest_main Threads::Threads)
gtest_discover_tests(google)
add_executable(catch catch.cpp)
target_link_libraries(catch Catch2::Catch2 ${CMAKE_SOURCE_DIR}/catch_main.o Threads::Threads)
catch_discover_tests(catch)
add_executable(greeting greeting.cpp)
target_link_libraries(greeting Threads::Threads)
add_test(NAME pass COMMAND greeting three)
set_tests_properties(pass PROPERTIES PASS_REGULAR_EXPRESSION "hello (world|you)" ENVIRONMENT "WHO=world")
add_test(NAME fail COMMAND greeting)
set_tests_properties(fail PROPERTIES FAIL_REGULAR_EXPRESSION "nobody")
add_test(NAME modified COMMAND greeting)
set_tests_properties(modified PROPERTIES FAIL_REGULAR_EXPRESSION "nobody" ENVIRONMENT_MODIFICATION "WHO=set:me")
add_test(NAME fixture COMMAND greeting)
set_tests_properties(fixture PROPERTIES FIXTURES_REQUIRED thing)
add_test(NAME needs COMMAND greeting)
set_tests_properties(needs PROPERTIES REQUIRED_FILES "/no/such/file;/etc")
""",
    "meson.build": """
project('counter', 'cpp', default_options: ['cpp_std=c++14', 'buildtype=debug'])
threads = dependency('threads')
google = executable('google', 'google.cpp', dependencies: [dependency('gtest', main: true), threads])
catch = executable('catch', objects: ['build/CMakeFiles/catch.dir/catch.cpp.o', 'catch_main.o'], dependencies: threads)
greeting = executable('greeting', 'greeting.cpp', dependencies: threads)
test('google', google, args: ['--gtest_filter=Counter.CountsBoth'], protocol: 'gtest')
test('catch', catch, args: ['counts one after the other'])
test('greeting', greeting, env: ['WHO=meson'], suite: 'polite')
test('skips', greeting, args: ['skips'])
""",
}

# Other frameworks, without a build system: how they are linked, what is said, and the program.
OTHERS = {
    "doctest.cpp": ([], ["counts_both", "CHECK( both() == 2 )", "1 == 2"], """
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include "both.h"
TEST_CASE("counts_both") { CHECK(both() == 2); }
"""),
    "boost.cpp": (["-lboost_unit_test_framework"], ["counts_both", "both() == 2", "[1 != 2]"], """
#define BOOST_TEST_MODULE counter
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include "both.h"
BOOST_AUTO_TEST_CASE(counts_both) { BOOST_TEST(both() == 2); }
"""),
    "cmocka.c": (["-lcmocka"], ["counts_both", "0x1 != 0x2", "cmocka.c:8"], """
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "both.h"
static void counts_both(void **state) { assert_int_equal(both(), 2); }
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""),
    "check.c": (["-lcheck_pic", "-lrt", "-lm", "-lsubunit"], ["counts_both", "both() == 2", "both() == 1, 2 == 2"], """
#include <check.h>
#include "both.h"
START_TEST(counts_both) { ck_assert_int_eq(both(), 2); }
END_TEST
int main(void)
{
    Suite *s = suite_create("Counter");
    TCase *c = tcase_create("adds");
    tcase_add_test(c, counts_both);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
"""),
    "criterion.c": (["-lcriterion"], [], """
#include <criterion/criterion.h>
#include "both.h"
Test(counter, counts_both) { cr_assert_eq(both(), 2); }
"""),
}
BOTH = """
#include <pthread.h>
static int count;
static void *add(void *arg) { count++; return arg; }
static int both(void)
{
    pthread_t t;
    count = 0;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return count;
}
"""


def check(fine, what):
    if not fine:
        problems.append(what)
        print("FAILED", what)


def run(*words, code=None, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=600, check=False, **more)
    check(code is None or done.returncode == code,
          f"exit status {done.returncode}, not {code}: {' '.join(words)}\n{done.stdout}")
    return done.stdout


def tests_of(path):
    return {t["name"]: t for t in json.load(open(path, encoding="utf-8"))["tests"]}


def check_junit(path):
    root = ET.parse(path).getroot()
    cases = {c.get("name"): c for c in root.iter("testcase")}
    check(root.tag == "testsuites" and int(root.get("tests")) == len(cases), f"{path}: {root.attrib}")
    for kind in ("failure", "error", "skipped"):
        n = len([c for c in cases.values() if c.find(kind) is not None])
        wanted = {"failure": "failures", "error": "errors", "skipped": "skipped"}[kind]
        check(int(root.get(wanted)) == n, f"{path}: {n} {wanted}, {root.attrib}")
    return cases


def check_sarif(path):
    o = json.load(open(path, encoding="utf-8"))
    for problem in sarif.problems(o, SCHEMA):
        check(False, f"{path}: {problem}")
    return o["runs"][0]["results"]


def ctest():
    run("cmake", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_COMPILER={BIN}/plait-c++", code=0)
    run("cmake", "--build", "build", code=0)
    printed = run(PLAIT, "suite", "--ctest", "build", "-s", "random", "-n", "60", "--no-minimize", "-j", "2", "-o", "r", "--json", "s.json", "--junit", "s.xml", "--sarif",
                  "s.sarif", code=1)
    tests = tests_of("s.json")
    is_ = {name: t["status"] for name, t in tests.items()}
    wanted = {"Counter.CountsBoth": "failed", "Counter.CountsOneAfterTheOther": "clean", "Counter.IsNotForThis": "skipped",
              "counts both": "failed", "counts one after the other": "clean", "pass": "clean", "fail": "failed",
              "modified": "clean", "fixture": "skipped", "needs": "error"}
    check(is_ == wanted, f"CTest: {is_}\n{printed}")
    check("FIXTURES_REQUIRED" in tests["fixture"]["why"], f"{tests['fixture']}")
    check("/no/such/file" in tests["needs"]["why"], f"{tests['needs']}")
    # The words of both frameworks: test, expectation, values.
    for name, words in (("Counter.CountsBoth", ["Counter.CountsBoth", "c.sum()", "Which is: 1", "an update is lost"]),
                        ("counts both", ["counts both", "REQUIRE( c.sum() == 2 )", "1 == 2"])):
        report = open(os.path.join(tests[name]["folder"], "report.txt"), encoding="utf-8").read()
        check(all(w in report for w in words), f"{name}: {report}")
        print(report)
    cases = check_junit("s.xml")
    check(set(cases) == set(wanted), f"{set(cases)}")
    check("Which is: 1" in cases["Counter.CountsBoth"].find("failure").text, "JUnit does not have the expectation")
    results = check_sarif("s.sarif")
    check(len(results) == 3 and {r["properties"]["test"] for r in results} == {"Counter.CountsBoth", "counts both", "fail"},
          f"{results}")
    # Each can be seen again, by the command that is given.
    for r in results:
        replay = r["properties"]["replay"]
        done = run("sh", "-c", f"PATH={BIN}:$PATH; {replay}")
        check("as recorded" in done, f"{replay}: {done}")
    # All skipped is no success.
    run(PLAIT, "suite", "--ctest", "build", "--filter", "fixture", "-o", "none", code=3)


def meson():
    env = dict(os.environ, CXX=f"{BIN}/plait-c++")
    run("meson", "setup", "mbuild", code=0, env=env)
    run("ninja", "-C", "mbuild", code=0)
    printed = run(PLAIT, "suite", "--meson", "mbuild", "-s", "random", "-n", "60", "--no-minimize", "-j", "2", "-o", "m", "--json", "m.json", "--junit", "m.xml", "--sarif",
                  "m.sarif", code=1)
    tests = tests_of("m.json")
    check({n: t["status"] for n, t in tests.items()} == {"google": "failed", "catch": "clean", "greeting": "clean", "skips": "clean"},
          f"Meson: {printed}")
    check(tests["greeting"]["environment"] == ["WHO=meson"] and "polite" in " ".join(tests["greeting"]["labels"]), f"{tests['greeting']}")
    check(tests["google"]["command"][1:] == ["--gtest_filter=Counter.CountsBoth"], f"{tests['google']}")
    check(printed.count("Meson does not tell whether it has should_fail") == 1, f"no word about should_fail: {printed}")
    check(len(check_junit("m.xml")) == 4 and len(check_sarif("m.sarif")) == 1, "JUnit or SARIF of Meson's tests")
    run(PLAIT, "suite", "--meson", "build", code=2)


def single():
    """The same for one campaign."""
    words = ["-s", "random", "-n", "60", "--no-minimize", "-o", "one", "build/google", "--gtest_filter=Counter.CountsBoth"]
    printed = run(PLAIT, "test", "--junit", "t.xml", "--sarif", "t.sarif", "--json", "t.json", *words, code=1)
    check("Which is: 1" in printed, f"the expectation is not shown: {printed}")
    cases = check_junit("t.xml")
    check(len(cases) == 1 and "Which is: 1" in cases["build/google"].find("failure").text, "JUnit of a campaign")
    check(len(check_sarif("t.sarif")) == 1, "SARIF of a campaign")
    o = json.load(open("t.json", encoding="utf-8"))
    check(o["format"] == "plait-result" and o["version"] == 1, f"{o['format']}")
    check("Which is: 1" in o["findings"][0]["stdout"], "JSON has not what was printed")
    # A place in parts; and what could not be run is an error, not a success.
    run(PLAIT, "test", "-q", "--detect", "race", "--drive", "0", "--json", "r.json", "--sarif", "r.sarif", *words, code=1)
    access = json.load(open("r.json", encoding="utf-8"))["findings"][0]["accesses"][0]
    check(access["place"]["file"].endswith("counter.h") and access["place"]["line"] == 5 and "add" in access["place"]["function"],
          f"{access}")
    run(PLAIT, "test", "--junit", "e.xml", "./none", code=3)
    check(check_junit("e.xml")["./none"].find("error") is not None, "what could not be run is no error")


def others():
    with open("both.h", "w", encoding="utf-8") as f:
        f.write(BOTH)
    for name, (libraries, words, text) in OTHERS.items():
        program = "./" + name.split(".", maxsplit=1)[0]
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
        run(os.path.join(BIN, "plait-c++" if name.endswith("cpp") else "plait-cc"), "-g", "-O0", "-o", program, name, *libraries, code=0)
        if not words:
            continue
        printed = run(PLAIT, "test", "-s", "random", "-n", "60", "--no-minimize", "-o", program + ".results", program, code=1,
                      env=dict(os.environ, CK_FORK="no"))
        check(all(w in printed for w in words), f"not {words}: {printed}")
        run(PLAIT, "replay", program + ".results/finding-001-exit.plait", code=1, env=dict(os.environ, CK_FORK="no"))
    # In another process nothing is under control: no finding, and no success.
    printed = run(PLAIT, "test", "-s", "random", "-n", "20", "-o", "forks", "./check", code=3)
    check("no finding" in printed and "tell it not to fork" in printed and "it starts processes" in printed, printed)
    # Its processes are slower than its time-outs if these may expire early; then it does wait for ever.
    printed = run(PLAIT, "test", "-s", "random", "--time-outs", "last", "-n", "2", "-t", "60s", "-o", "starts", "./criterion", code=3)
    check("finding 1" not in printed and "left control" in printed and "test without it" in printed, printed)


def main():
    for name, text in FILES.items():
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
    # Once for both, and by the compiler that takes a little more than half as long.
    run(os.path.join(BIN, "plait-c++"), "-c", "-O0", "catch_main.cpp", code=0, env=dict(os.environ, PLAIT_CXX="clang++"))
    ctest()
    meson()
    single()
    others()


if __name__ == "__main__":
    sarif.selftest()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
