#!/bin/sh
# SPDX-License-Identifier: MIT
# What is not seen is said: a search over a program with a library without hooks is complete but for that
# library, in words and as control.unseen; without one it is complete.  Objects without hooks are seen, but for
# accesses that nothing can be put before.
# PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >hidden.c <<'END'
static int count;
int hidden_add(void) { return ++count; }
END
cat >main.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#ifdef HIDDEN
int hidden_add(void);
#else
static int hidden_add(void) { return 1; }
#endif
static atomic_int turns;
static void *work(void *arg)
{
    turns++;
    hidden_add();
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return turns != 2;
}
END
cc -shared -fPIC -o libhidden.so hidden.c || fail "the library was not made"
plait cc -g -O1 -DHIDDEN -pthread main.c -o with -L. -lhidden -Wl,-rpath,"$PWD" || fail "with was not built"
plait cc -g -O1 -pthread main.c -o without || fail "without was not built"

plait test -s dpor --json with.json ./with >with.out 2>&1 || fail "with: $(cat with.out)"
grep -q 'complete but for libhidden.so, without hooks' with.out || fail "not said: $(cat with.out)"
python3 -c 'import json, sys; r = json.load(open("with.json")); sys.exit(r["control"]["unseen"] != ["libhidden.so"] or r["complete"])' ||
    fail "control.unseen: $(cat with.json)"

plait test -s dpor --json without.json ./without >without.out 2>&1 || fail "without: $(cat without.out)"
grep -q 'clean, complete: every interleaving' without.out || fail "not complete: $(cat without.out)"
python3 -c 'import json, sys; r = json.load(open("without.json")); sys.exit(r["control"]["unseen"] != [] or not r["complete"])' ||
    fail "control.unseen: $(cat without.json)"

# Accesses whose addresses are in a vector, without a hook: where they are is not to be known before.
cat >gather.c <<'END'
int gather_all(int *from);
__attribute__((used)) int gather_all(int *from)
{
    __asm__ volatile("vpgatherdd %%xmm2, (%0,%%xmm1,4), %%xmm0" : : "r"(from) : "memory");
    return 0;
}
END
plait cc -g -O1 -pthread main.c gather.c -o gathers || fail "gathers was not built"
plait test -s dpor --json gathers.json ./gathers >gathers.out 2>&1 || fail "gathers: $(cat gathers.out)"
grep -q 'not complete: all schedules were executed, but .*gather.c:4 accesses memory without a hook' gathers.out ||
    fail "not said: $(cat gathers.out)"

# A program without symbols: nobody knows which of its calls are hooks, nor what is accessed without one.
plait cc -O1 -s -pthread main.c gather.c -o stripped || fail "stripped was not built"
plait test -s dpor ./stripped >stripped.out 2>&1 || fail "stripped: $(cat stripped.out)"
grep -q 'not complete: all schedules were executed, but stripped has no symbols, and may access memory without a hook' stripped.out ||
    fail "not said: $(cat stripped.out)"

# An object that was compiled without plait cc in a program that has hooks: its accesses are seen.
cc -g -c hidden.c || fail "the object was not made"
cat >counts.c <<'END'
#include <assert.h>
#include <pthread.h>
int hidden_add(void);
static void *work(void *arg)
{
    hidden_add();
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    hidden_add();
    pthread_join(t, NULL);
    assert(hidden_add() == 3);
    return 0;
}
END
plait cc -g -O1 -pthread counts.c hidden.o -o counts || fail "counts was not built"
plait test -s dpor ./counts >counts.out 2>&1 && fail "no update was lost: $(cat counts.out)"
grep -q "assertion .hidden_add() == 3. failed" counts.out || fail "not found: $(cat counts.out)"
finish "what is not seen is said"
