#!/bin/sh
# SPDX-License-Identifier: MIT
# What is not seen is said: a search over a program with a library without hooks is complete but for that
# library, in words and as control.unseen; without one it is complete.
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
python3 -c 'import json, sys; c = json.load(open("with.json"))["control"]; sys.exit(c["unseen"] != ["libhidden.so"])' ||
    fail "control.unseen: $(cat with.json)"

plait test -s dpor --json without.json ./without >without.out 2>&1 || fail "without: $(cat without.out)"
grep -q 'clean, complete: every interleaving' without.out || fail "not complete: $(cat without.out)"
python3 -c 'import json, sys; c = json.load(open("without.json"))["control"]; sys.exit(c["unseen"] != [])' ||
    fail "control.unseen: $(cat without.json)"
finish "what is not seen is said"
