#!/bin/sh
# SPDX-License-Identifier: MIT
# A program linked by gcc with plain -fsanitize=thread is taken under control without a rebuild.
. "$2/common.sh"
cat >racy.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int n;
static atomic_int m;
static void *work(void *arg) { n++; m++; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(m == 2);
    assert(n == 2);
    return 0;
}
C
gcc -fsanitize=thread -g -o racy racy.c -pthread
rc=0
plait test --json r.json ./racy || rc=$?
[ "$rc" = 1 ] || fail "exit status $rc"
[ "$(json r.json 'r["findings"][0]["kind"]')" = assertion ] || fail "not the assertion"
grep -q 'racy' r.json
