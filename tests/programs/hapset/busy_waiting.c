/* SPDX-License-Identifier: MIT */
/*
 * The second example of the paper on predecessor sets: a loop that waits for x, and takes a lock
 * for each look.  Rounds that see nothing teach nothing, so two executions show all there is.
 *
 * plait itself notices a thread that goes round without changing anything, and makes one execution
 * of all numbers of rounds; there dpor ends as well.  With COUNTS each round changes something:
 * dpor ends because rounds are limited while others can go on, guidance without that.
 *
 * RUN    plait test -s hapset --points all
 * EXPECT clean incomplete executions=2 ended~no uncovered order left \
 *        sets~@b;@f @c;@g @f;@b @g;@c
 *
 * RUN    -DCOUNTS=1 plait test -s hapset
 * EXPECT clean incomplete classes=2 ended~no uncovered order left sets~@b;@f @c;@g @f;@b @g;@c
 *
 * RUN    -DCOUNTS=1 plait test -s hapset:base=pcb,bound=1 -j 2
 * EXPECT clean incomplete classes=2 ended~no uncovered order left sets~@b;@f @c;@g @f;@b @g;@c
 *
 * RUN    -DCOUNTS=1 plait test -s hapset --restart fork
 * EXPECT clean incomplete same=2
 *
 * RUN    -DCOUNTS=1 plait test -s hapset --restart exec
 * EXPECT clean incomplete same=2
 *
 * RUN    -DCOUNTS=1 plait test -s hapset --checkpoints always
 * EXPECT clean incomplete same=2
 *
 * RUN    -DCOUNTS=1 plait test -s dpor -n 40
 * EXPECT clean incomplete ended~at most three times
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

#ifndef COUNTS
#define COUNTS 0
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x;
static volatile int rounds;

static void *waiter(void *arg)
{
    int seen;

    do {
        pthread_mutex_lock(&a); /* @b */
        seen = x;               /* @c */
        pthread_mutex_unlock(&a);
        if (COUNTS)
            rounds++;
    } while (!seen);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&a); /* @f */
    x = 1;                  /* @g */
    pthread_mutex_unlock(&a);
    return pthread_join(t, NULL);
}
