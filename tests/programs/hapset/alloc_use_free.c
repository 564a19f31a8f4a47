/* SPDX-License-Identifier: MIT */
/*
 * The first example of the paper on predecessor sets: a pointer is set, tested and used, and
 * cleared by another thread.  Good executions teach that e1 comes after e2, e2 after e1 and
 * e4, and e4 after e3.  Nothing comes between the test and the use: e3 has no predecessor.
 * So the one order in which it has one, and which crashes, is looked for.
 *
 * RUN    plait test -s hapset --points all -n 1
 * EXPECT clean incomplete sets~@e2;@e4
 *
 * RUN    plait test -s hapset --points all -k
 * EXPECT crash incomplete location~@e3 ended~no uncovered order left \
 *        sets~@e1;@e2 @e2;@e1,@e4 @e3; @e4;@e3
 *
 * RUN    plait test -s hapset
 * EXPECT crash incomplete location~@e3
 *
 * RUN    plait test -s hapset:base=pcb
 * EXPECT crash incomplete location~@e3
 *
 * RUN    plait test -s hapset:base=all -k
 * EXPECT crash incomplete location~@e3 ended~no uncovered order left
 *
 * RUN    plait test -s hapset:base=all,then=dpor --points all -k
 * EXPECT crash complete classes=6 executions=6
 *
 * RUN    plait test -s hapset:learn=6,context=0 -k
 * EXPECT crash incomplete location~@e3 ended~no uncovered order left
 *
 * RUN    plait test -s hapset:base=pcb,bound=1 -k
 * EXPECT clean incomplete ended~no uncovered order left
 *
 * RUN    plait test -s hapset:then=dpor --points all -k
 * EXPECT crash complete classes=6 executions=6
 *
 * RUN    plait test -s hapset:base=pcb,then=dpor --points all --checkpoints always -k
 * EXPECT crash complete classes=6 executions=6
 *
 * RUN    -DFIXED=1 plait test -s hapset --require-complete
 * EXPECT clean incomplete exit=4 ended~no uncovered order left
 *
 * RUN    -DFIXED=1 plait test -s hapset:then=dpor --require-complete
 * EXPECT clean complete exit=0
 */
#include <pthread.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a;
static int *volatile p;

static void *owner(void *arg)
{
    p = &a; /* @e1 */
    if (FIXED)
        pthread_mutex_lock(&lock);
    p = NULL; /* @e4 */
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return arg;
}

static void *user(void *arg)
{
    if (FIXED)
        pthread_mutex_lock(&lock);
    if (p != NULL) /* @e2 */
        *p = 1;    /* @e3 */
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, owner, NULL);
    pthread_create(&u, NULL, user, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
