#!/bin/sh
# SPDX-License-Identifier: MIT
# The hooks in the archive: their object code, and what reaches a runtime that is
# preloaded.  The runtime here only counts.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# ---------------------------------------------------------------- object code

archive=$PLAIT_BUILD/lib/plait/libplait_gate.a
objdump -d --no-show-raw-insn "$archive" >code.txt || exit 1

# Hooks for plain accesses: no register saved, no call, only jumps into the gate.
awk '
    /^[0-9a-f]+ <.*>:$/ {
        name = $2
        plain = name ~ /^<__tsan_(unaligned_)?(volatile_)?(read|write|read_write)[0-9]+(_pc)?>:/ ||
                name ~ /^<__tsan_((read|write)_range(_pc)?|vptr_(read|update)|func_(entry|exit))>:/
        hooks += plain
        next
    }
    plain && ($2 ~ /^(push|call|sub|add|leave|pop)/ || /%(rbx|rbp|r1[2-5])/) { print name, $0; bad = 1 }
    plain && $2 == "jmp" && /\*/ { jumps++ }
    END {
        print hooks " hooks, " jumps " tail calls"
        exit bad || hooks < 90 || hooks != jumps
    }' code.txt >hooks.txt || fail "hooks for plain accesses do not end in a plain tail call: $(cat hooks.txt)"

# Natively an atomic operation saves nothing and calls nobody.
awk '
    /^[0-9a-f]+ <.*>:$/ { native = $2 ~ /^<pl_native_atomic/ && $2 !~ /atomic128_/; next }
    native && ($2 ~ /^(push|call)/ || /%(rbx|rbp|r1[2-5])/) { print; bad = 1 }
    END { exit bad }' code.txt >native.txt || fail "native atomics use the stack: $(cat native.txt)"

nm "$archive" 2>/dev/null | grep -Eq '__atomic_|__sync_' && fail "the archive needs libatomic"
readelf -sW "$archive" | awk '$5 == "GLOBAL" || $5 == "WEAK"' |
    awk '$7 != "UND" && $6 != "HIDDEN" { print $8 }' >visible.txt
[ -s visible.txt ] && fail "symbols that are not hidden: $(cat visible.txt)"
for bits in 8 16 32 64 128; do
    for op in load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand \
        compare_exchange_strong compare_exchange_weak compare_exchange_val; do
        grep -q "<__tsan_atomic${bits}_$op>:" code.txt || fail "no __tsan_atomic${bits}_$op"
    done
done

# What instrumented code calls last is the hook at its exit.  Anything else that
# ended as a jump would be taken for an operation of the caller's.
cat >last.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
int value;
int other(int);
int calls(int x) { value = x; return other(x + 1); }
int calls_only(int x) { return other(x + 1); }
int unlocks(pthread_mutex_t *m) { return pthread_mutex_unlock(m); }
void yields(void) { sched_yield(); }
void frees(void *p) { free(p); }
void *copies(void *to, void *from, size_t n) { return memcpy(to, from, n); }
int adds(atomic_int *p) { return atomic_fetch_add(p, 1); }
void stores(atomic_int *p) { atomic_store(p, 0); }
void fences(void) { atomic_thread_fence(memory_order_seq_cst); }
END
for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    for opt in -O1 -O2 -O3 -Os; do
        PLAIT_CC=$cc plait cc $opt -S last.c -o last.s || fail "last.c"
        grep -E '^\s+jmpq?\s+\*?[A-Za-z_]' last.s | grep -Ev '__tsan_(func_exit|init)' >jumps.txt &&
            fail "[$cc $opt] calls that became jumps: $(cat jumps.txt)"
    done
done

# ---------------------------------------------------------------- a counting runtime

cat >runtime.c <<'END'
#include "model/gate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int modules, reads, writes, volatiles, ranges, before[16], after[16], wrote[16], weak, depth;
static void access_(const void *a, size_t n, unsigned f, void *pc) {
    (void)a; (void)n; if (!pc) abort();
    reads += (f & PL_ACCESS_READ) != 0; writes += (f & PL_ACCESS_WRITE) != 0;
    volatiles += (f & PL_ACCESS_VOLATILE) != 0; ranges += (f & PL_ACCESS_RANGE) != 0;
}
static int before_(const void *a, size_t n, unsigned k, int o, const void *w, void *pc) {
    if ((w != NULL) != (k == PL_ATOMIC_CAS || k == PL_ATOMIC_CAS_WEAK)) abort();
    if (!pc || (a == NULL) != (k == PL_ATOMIC_FENCE) || (a == NULL) != (n == 0)) abort();
    if ((o & 255) > 5 || o >> 8 > 5 || (w == NULL && o > 5)) abort();
    before[k]++;
    return k == PL_ATOMIC_CAS_WEAK && weak++ == 0;
}
static void after_(const void *a, size_t n, unsigned k, int w) { (void)a; (void)n; after[k]++; wrote[k] += w; }
static void entry_(void *pc) { (void)pc; depth++; }
static void exit_(void) { depth--; }
static void *copy_(void *t, const void *f, size_t n, void *pc) { (void)pc; return memcpy(t, f, n); }
static void *move_(void *t, const void *f, size_t n, void *pc) { (void)pc; return memmove(t, f, n); }
static void *fill_(void *t, int b, size_t n, void *pc) { (void)pc; return memset(t, b, n); }
static unsigned choose_(unsigned n, void *pc) { (void)pc; return n - 1; }
static void fail_(const char *f, int l, const char *fn, const char *t, void *pc) { (void)f; (void)l; (void)pc; printf("fail %s %s\n", fn, t); fflush(stdout); _Exit(9); }
static void attach_(const void *in) { (void)in; modules++; }
#ifndef VERSION
#define VERSION PL_GATE_VERSION
#endif
static const uint64_t *entry;
__attribute__((visibility("default"))) const struct pl_gate plait_runtime_gate = {
    VERSION, sizeof(struct pl_gate), &entry, access_, before_, after_, entry_, exit_,
    copy_, move_, fill_, choose_, fail_, attach_};
__attribute__((destructor)) static void tell(void) {
    printf("modules %d\nreads %d\nwrites %d\nvolatiles %d\n", modules, reads, writes, volatiles);
    for (int k = 0; k < 12; k++) printf("kind %d: %d %d %d\n", k, before[k], after[k], wrote[k]);
}
END
cat >lib.c <<'END'
int shared_count;
void lib_step(void) { shared_count++; }
END
cat >prog.c <<'END'
#include <plait.h>
#include <stdatomic.h>
#include <stdio.h>
void lib_step(void);
int plain[4];
volatile int vol;
atomic_int word;
int main(int argc, char **argv) {
    int one = 1, two = 2, expected = 8;
    (void)argv;
    plain[0] = 5;
    vol = 1;
    lib_step();
    atomic_store(&word, 1);
    atomic_fetch_add(&word, 1);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_compare_exchange_strong(&word, &one, 7)) return 1;
    if (one != 2 || !atomic_compare_exchange_strong(&word, &two, 8)) return 2;
    int failed = !atomic_compare_exchange_weak(&word, &expected, 9);
    printf("weak %s\nactive %d\nchoose %u\n", failed && expected == 8 ? "failed" : "done", plait_active() != 0, plait_choose(4));
    plait_assert(argc == 1);
    return 0;
}
END
gcc -shared -fPIC -O1 -I"$source/src" runtime.c -o runtime.so || fail "the counting runtime does not compile"
gcc -shared -fPIC -O1 -DVERSION=999 -I"$source/src" runtime.c -o other.so

# says LINE: the last output has this line.
says() {
    grep -qxF -- "$1" out.txt || fail "[$cc $opt] no '$1' in: $(cat out.txt)"
}

for cc in gcc clang; do
    command -v $cc >/dev/null || { echo "skipped: $cc is not installed"; continue; }
    PLAIT_CC=$cc
    export PLAIT_CC
    for opt in -O0 -O2 '-O2 -flto'; do
        # shellcheck disable=SC2086
        plait cc $opt -fPIC -shared lib.c -o libstep.so || fail "lib.c"
        # shellcheck disable=SC2086
        plait cc $opt prog.c -L. -lstep -Wl,-rpath,"$work" -o prog || fail "prog.c"
        ./prog >out.txt || fail "prog fails natively"
        says 'weak done'
        says 'active 0'
        says 'choose 0'
        LD_PRELOAD=$work/runtime.so ./prog >out.txt || fail "prog fails under the runtime: $(cat out.txt)"
        says 'modules 2'
        says 'active 1'
        says 'choose 3'
        says 'volatiles 1'
        says 'kind 1: 1 1 1'
        says 'kind 3: 1 1 1'
        says 'kind 11: 1 0 0'
        grep -Eq '^reads [1-9]' out.txt || fail "[$cc $opt] no reads"
        grep -Eq '^writes ([2-9]|[1-9][0-9])' out.txt || fail "[$cc $opt] too few writes"
        if [ $cc = gcc ]; then # clang's hooks do not tell weak from strong
            says 'kind 9: 2 2 1'
            says 'kind 10: 1 1 0'
            says 'weak failed'
        else
            says 'kind 9: 3 3 2'
        fi
        LD_PRELOAD=$work/runtime.so ./prog more >out.txt
        [ $? -eq 9 ] || fail "plait_assert does not reach the runtime"
        says 'fail main argc == 1'
        LD_PRELOAD=$work/other.so ./prog >out.txt 2>err.txt || fail "another version must leave the program alone"
        says 'active 0'
        grep -q 'another version' err.txt || fail "another version is not reported"
    done
done

if [ $failures -ne 0 ]; then
    echo "$failures checks failed"
    exit 1
fi
cat hooks.txt
echo "all checks passed"
