#!/bin/sh
# SPDX-License-Identifier: MIT
# A correct producer-consumer of 8 threads and 10,000 operations: 1,000 random executions, clean.
. "$2/common.sh"
cat >queue.c <<'C'
#include <assert.h>
#include <pthread.h>
enum { EACH = 312, SLOTS = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, goods = PTHREAD_COND_INITIALIZER;
static int slots[SLOTS], n, in, out;
static long put_sum, got_sum;
static void *produce(void *arg)
{
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_lock(&lock);
        while (n == SLOTS)
            pthread_cond_wait(&room, &lock);
        slots[in++ % SLOTS] = i;
        put_sum += i;
        n++;
        pthread_cond_signal(&goods);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
static void *consume(void *arg)
{
    for (int i = 0; i < EACH; i++) {
        pthread_mutex_lock(&lock);
        while (n == 0)
            pthread_cond_wait(&goods, &lock);
        got_sum += slots[out++ % SLOTS];
        n--;
        pthread_cond_signal(&room);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
int main(void)
{
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&t[i], NULL, i % 2 ? consume : produce, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
    assert(n == 0 && put_sum == got_sum);
    return 0;
}
C
plait-cc -g -O2 -o queue queue.c
plait test -s random -n 1000 --json r.json ./queue || fail "a finding in a correct program"
[ "$(json r.json 'r["executions"]')" = 1000 ] || fail "not 1,000 executions"
[ "$(json r.json 'r["points_per_execution"] > 10000')" = True ] || fail "too few points"
