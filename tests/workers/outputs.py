# SPDX-License-Identifier: MIT
"""--outputs lists each text that executions print once, with the number of those that print it.

usage: outputs.py BIN
"""

import os
import sys
import tempfile

import campaign

# Prints a line before its first thread, then a text that is chosen: the i-th has SIZE bytes and
# differs from the others only at its end.
TEXTS = """
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
static void *work(void *arg) { return arg; }
int main(void)
{
    pthread_t t;
    puts("begin");
    fflush(stdout);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    unsigned i = plait_choose(TEXTS * 2);
    for (int n = 0; n < SIZE - 5; n++)
        putchar('x');
    printf("%04u\\n", i / 2);
    plait_assert(i != 1);
    return 0;
}
"""


def texts(bin_dir, *options):
    found = campaign.explore(bin_dir, "./texts", "-s", "dfs", "-k", "--outputs", *options)
    return found, {o["text"]: o["count"] for o in found["outputs"]}


def check(found, expected, what):
    if found != expected:
        raise AssertionError("%s: %r instead of %r" % (what, found, expected))


def each_text_once(bin_dir):
    """The first text counts once: the other execution that prints it has a finding."""
    expected = {"begin\n%04d\n" % i: 2 for i in range(5)}
    expected["begin\n0000\n"] = 1
    campaign.build(bin_dir, "texts", TEXTS, "-DTEXTS=5", "-DSIZE=5")
    for options in ((), ("-j", "2"), ("--restart", "fork"), ("--restart", "exec")):
        check(texts(bin_dir, *options)[1], expected, "texts with %s" % (options,))
    found = campaign.explore(bin_dir, "./texts", "-s", "dfs", "-k")
    check("outputs" in found, False, "outputs that nobody asked for")


def long_texts_differ_at_their_end(bin_dir):
    campaign.build(bin_dir, "texts", TEXTS, "-DTEXTS=3", "-DSIZE=10000")
    found, _ = texts(bin_dir)
    check([len(o["text"]) for o in found["outputs"]], [4096] * 3, "what is kept of three texts")


def too_many_texts_are_counted(bin_dir):
    campaign.build(bin_dir, "texts", TEXTS, "-DTEXTS=8300", "-DSIZE=5")
    found, different = texts(bin_dir)
    check(len(different), 8192, "texts that fit")
    check(found["outputs_lost"], 2 * (8300 - 8192), "executions whose text did not fit")


def main():
    bin_dir = os.path.abspath(sys.argv[1])
    include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
    os.environ["CPATH"] = include
    with tempfile.TemporaryDirectory(prefix="plait-outputs-") as work:
        os.chdir(work)
        each_text_once(bin_dir)
        long_texts_differ_at_their_end(bin_dir)
        too_many_texts_are_counted(bin_dir)


if __name__ == "__main__":
    main()
