#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Additions whose results are used must never be taken for unused, however they are compiled.

    check_unused.py --plait BUILD/bin/plait --results BUILD/tests/generated/unused_results
                    [--builds N] [--all] [--from N] [--share N] [--keep DIR]

Forms are functions with one atomic addition or subtraction: every width, every builtin, every kind
of use of its result, and forms in which nobody uses it.  All of them are compiled with compilers
and options of the matrix, and plait's own analysis of the machine code is asked about each
(unused_results.c).  A used result that counts as unused is wrong.  Of unused ones most must be
proven to be so where the compiler optimises: else commuting additions would no longer commute.
--builds takes that many cells of the matrix, spread over it; without it all are taken.  --all crosses the
matrix with further options: 1,152 cells, an hour and a half of a processor; --from goes on with cell N.
--share gives each build one N-th of the forms, and the next build the next ones.
"""

import argparse
import collections
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

PRELUDE = """
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
typedef unsigned __int128 wide;
#define FORM __attribute__((noinline, used))
static volatile uint64_t sink;
uint64_t plain_sink, table[256];
char buffer[512];
static volatile int condition;
static uint8_t c8; static uint16_t c16; static uint32_t c32; static uint64_t c64; static int32_t i32;
static int64_t i64; static wide c128; static uint32_t another;
void elsewhere(void);
uint64_t take(uint64_t a), take6(int a, int b, int c, int d, int e, uint64_t f);
uint64_t take_some(const char *format, ...);
void (*volatile pointer)(void) = elsewhere;
static __attribute__((noinline)) void relax(void) { __asm__ volatile("pause"); }
static __attribute__((noinline)) void relax_more(void) { relax(); __asm__ volatile("nop"); }
static __attribute__((noinline)) uint64_t other_way(uint64_t n) { __asm__ volatile("" : "+r"(n)); return n; }
struct pair { uint64_t a, b; };
#ifdef __clang__
void __attribute__((preserve_most)) kept(void);
uint64_t __attribute__((regcall)) in_rax(uint64_t a);
#else
static __attribute__((noinline)) void kept(void) { __asm__ volatile("nop"); }
static __attribute__((noinline)) uint64_t in_rax(uint64_t a) { __asm__ volatile("" : "+r"(a)); return a; }
#endif
"""

SECOND = """
#include <stdint.h>
#include <stdarg.h>
static volatile uint64_t seen;
void elsewhere(void) { seen++; }
uint64_t take(uint64_t a) { return a + seen; }
uint64_t take6(int a, int b, int c, int d, int e, uint64_t f) { return f + seen + a; }
uint64_t take_some(const char *format, ...) { va_list l; va_start(l, format); uint64_t n = va_arg(l, uint64_t); va_end(l); return n; }
#ifdef __clang__
void __attribute__((preserve_most)) kept(void) { __asm__ volatile("nop"); }
uint64_t __attribute__((regcall)) in_rax(uint64_t a) { return a * 3; }
#endif
int main(void) { return 0; }
"""

# What may stand before `{e}`, the expression, and behind it; `T` is its type.
USED = {
    "returned": "return (uint64_t)({e});",
    "stored": "sink = (uint64_t)({e}); return 0;",
    "plainly": "plain_sink = (uint64_t)({e}); return 0;",
    "compared": "if (({e}) == 7) elsewhere(); return 0;",
    "answered": "return ({e}) == 7;",
    "negative": "T old = {e}; return (int64_t)old < 3;",
    "second_byte": "return table[(uint8_t)(({e}) >> (sizeof(T) > 1 ? 8 : 0))];",
    "high_half": "return (uint64_t)(({e}) >> (4 * sizeof(T)));",
    "first_byte": "return table[(uint8_t)({e})];",
    "bit": "if (({e}) & 16) sink = 1; return 2;",
    "over_call": "T old = {e}; relax(); return (uint64_t)old;",
    "over_calls": "T old = {e}; relax_more(); relax(); return (uint64_t)old;",
    "over_library": "T old = {e}; elsewhere(); return (uint64_t)old;",
    "over_pointer": "T old = {e}; pointer(); return (uint64_t)old;",
    "over_kept": "T old = {e}; kept(); return (uint64_t)old;",
    "kept_twice": "T old = {e}; kept(); kept(); sink = (uint64_t)old; return 1;",
    "in_rax": "return in_rax((uint64_t)({e}));",
    "loop": "T old = {e}; uint64_t n = 0; for (T i = 0; i < (T)(old & 7); i++) n += i + 1; return n;",
    "counted": "uint64_t n = 0; while ((({e}) & 3) != 3) n++; return n;",
    "switched": "switch ((unsigned)(({e}) & 7)) { case 0: return 5; case 1: elsewhere(); return 9; "
                "case 2: return 70; case 3: relax(); return 1; case 4: return 12; case 5: return 3; } return 4;",
    "indexed": "return (uint8_t)buffer[({e}) & 255];",
    "added": "return (uint64_t)({e}) + sink;",
    "multiplied": "return (uint64_t)({e}) * sink;",
    "divided": "return (uint64_t)({e}) / (sink | 1);",
    "divides": "return sink / ((uint64_t)({e}) | 1);",
    "shifted": "return sink << (({e}) & 31);",
    "floating": "double d = (double)(uint64_t)({e}); return d > 3.5 ? 1 : 2;",
    "passed": "return take((uint64_t)({e}));",
    "passed_last": "return take6(1, 2, 3, 4, 5, (uint64_t)({e}));",
    "varied": "return take_some(\"u\", (uint64_t)({e}));",
    "local": "return other_way((uint64_t)({e}));",
    "assembly": "__asm__ volatile(\"test %0, %0\" : : \"r\"((uint64_t)({e})) : \"memory\"); return 0;",
    "assembly_rax": "__asm__ volatile(\"test %0, %0\" : : \"a\"((uint64_t)({e})) : \"memory\"); return 0;",
    "perhaps": "T old = {e}; if (condition) sink = (uint64_t)old; return 0;",
    "later": "T old = {e}; __atomic_store_n(&another, 1, __ATOMIC_SEQ_CST); sink = (uint64_t)old; return 0;",
    "chosen": "T old = {e}; return condition ? (uint64_t)old : 5;",
    "structure": "struct pair p = {(uint64_t)({e}), 1}; memcpy(buffer, &p, sizeof(p)); return p.b;",
    "filled": "memset(buffer, (int)({e}), 64 + (sink & 63)); return 0;",
    "exchanged": "return __sync_val_compare_and_swap(&another, (uint32_t)({e}), 5);",
    "addressed": "return *(uint8_t *)((char *)buffer + (({e}) & 63));",
    "twice": "T old = {e}; sink = (uint64_t)old; return (uint64_t)old >> 1;",
    "negated": "return !({e});",
    "swapped": "T old = {e}; sink = __builtin_bswap64((uint64_t)old); return 0;",
    "counted_bits": "return (uint64_t)__builtin_popcountll((uint64_t)({e}));",
    "recursive": "T old = {e}; if (condition) return take((uint64_t)old); relax(); return (uint64_t)(old ^ 1);",
}

UNUSED = {
    "dropped": "{e}; return 0;",
    "void": "(void)({e}); return sink;",
    "before_call": "{e}; elsewhere(); return 1;",
    "before_local": "{e}; relax(); return 1;",
    "before_pointer": "{e}; pointer(); return 2;",
    "if": "if (condition) {e}; return 3;",
    "either": "if (condition) { {e}; elsewhere(); } return 3;",
    "looped": "for (int i = 0; i < 3; i++) {e}; return 4;",
    "atomics": "{e}; return __atomic_load_n(&another, __ATOMIC_SEQ_CST);",
    "stores": "{e}; plain_sink = 5; return plain_sink;",
    "local_left": "T old = {e}; (void)old; return 6;",
    "before_switch": "{e}; switch (condition) { case 1: return 2; case 2: elsewhere(); } return 7;",
    "passes": "{e}; return take(1);",
}

WIDTHS = {"b": ("uint8_t", "c8"), "h": ("uint16_t", "c16"), "w": ("uint32_t", "c32"), "s": ("int32_t", "i32"),
          "q": ("uint64_t", "c64"), "l": ("int64_t", "i64"), "wide": ("wide", "c128")}
BUILTINS = {
    "fa": "__atomic_fetch_add(&{v}, {n}, __ATOMIC_SEQ_CST)",
    "fs": "__atomic_fetch_sub(&{v}, {n}, __ATOMIC_RELAXED)",
    "af": "__atomic_add_fetch(&{v}, {n}, __ATOMIC_ACQ_REL)",
    "sf": "__atomic_sub_fetch(&{v}, {n}, __ATOMIC_RELEASE)",
    "sy": "__sync_fetch_and_add(&{v}, {n})",
    "ys": "__sync_sub_and_fetch(&{v}, {n})",
}
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og")
OPTIONS = ("", "-fPIC", "-fno-plt -fcf-protection=none", "-march=x86-64-v3", "-fno-inline -fno-omit-frame-pointer",
           "-fno-pie -no-pie", "-funroll-loops -fno-reorder-blocks", "-fno-stack-protector -fno-exceptions")
MORE = ("", "-mno-red-zone", "-fstack-protector-all", "-fno-optimize-sibling-calls", "-mstackrealign", "-fwrapv -fno-strict-aliasing",
        "-fstack-clash-protection", "-fno-jump-tables", "-mtune=atom", "-ffunction-sections -fvisibility=hidden",
        "-fno-schedule-insns2 -fno-tree-vectorize", "-mno-sse4.2 -mfpmath=sse")


def forms(compiler):
    """Names and texts of functions; a name ends with what is true."""
    for (w, (type_, variable)), (b, builtin) in itertools.product(WIDTHS.items(), BUILTINS.items()):
        if w == "wide" and compiler == "gcc":
            continue  # it calls libatomic
        if w == "wide" and b in ("sy", "ys"):
            continue
        addend = "1" if b in ("fa", "sy") else "256" if w != "b" else "3"
        expression = builtin.format(v=variable, n="(%s)%s" % (type_, addend))
        for truth, uses in (("used", USED), ("unused", UNUSED)):
            for use, text in uses.items():
                yield ("form_%s_%s_%s_%s" % (w, b, use, truth),
                       text.replace("{e}", expression).replace("T ", type_ + " ").replace("(T)", "(%s)" % type_)
                       .replace("sizeof(T)", "sizeof(%s)" % type_))


def build(plait, compiler, options, folder, share, number):
    texts = list(forms(compiler))[number % share :: share]
    with open(os.path.join(folder, "forms.c"), "w", encoding="utf-8") as file:
        file.write(PRELUDE)
        for name, text in texts:
            file.write("FORM uint64_t %s(void) { %s }\n" % (name, text))
    with open(os.path.join(folder, "second.c"), "w", encoding="utf-8") as file:
        file.write(SECOND)
    subprocess.run([os.path.abspath(plait) + "-cc", *options.split(), "-w", "-mcx16", "-o", "forms", "forms.c", "second.c"],
                   cwd=folder, check=True, env={**os.environ, "PLAIT_CC": compiler})
    return texts, os.path.join(folder, "forms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plait", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--builds", type=int, default=0)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    cells = [(compiler, level, (more + " " + further).strip())
             for further in (MORE if options.all else ("",))
             for compiler, level, more in itertools.product(("gcc", "clang"), LEVELS, OPTIONS)][options.first:]
    if options.builds:
        cells = [cells[(i * len(cells) // options.builds + i % len(OPTIONS)) % len(cells)] for i in range(options.builds)]
    counts = collections.Counter()
    wrong = []
    for number, (compiler, level, more) in enumerate(cells, options.first):
        folder = options.keep or tempfile.mkdtemp(prefix="plait-unused-")
        os.makedirs(folder, exist_ok=True)
        texts, program = build(options.plait, compiler, level + " " + more, folder, options.share, number)
        lines = subprocess.run([options.results, program], check=True, text=True, stdout=subprocess.PIPE).stdout
        answers = {words[0]: words[1:] for words in map(str.split, lines.splitlines())}
        proven = unused = 0
        for name, _ in texts:
            found = answers.get(name, [])
            own = found[:1]  # one that stands behind it is not about it
            counts["forms"] += 1
            counts["seen"] += bool(own)
            if name.endswith("_unused"):
                unused += bool(own)
                proven += own == ["unused"]
            elif own == ["unused"]:
                wrong.append("%s %s %s: %s is used" % (compiler, level, more, name))
                print(wrong[-1], flush=True)
        print("%-6s %-4s %-44s %4d forms, %4d of %4d unused ones proven" % (compiler, level, more, len(texts), proven, unused),
              flush=True)
        counts["unused"] += unused
        counts["proven"] += proven
        if level not in ("-O0",) and proven < 0.75 * unused:
            wrong.append("%s %s %s: only %d of %d unused results are proven to be" % (compiler, level, more, proven, unused))
        if not options.keep:
            shutil.rmtree(folder)
    print("%(forms)d forms, %(seen)d with a call; %(proven)d of %(unused)d unused ones proven" % counts)
    for line in wrong[:40]:
        print(line)
    print("%d wrong" % len(wrong))
    return 1 if wrong or counts["seen"] < 0.9 * counts["forms"] else 0


if __name__ == "__main__":
    sys.exit(main())
