/* SPDX-License-Identifier: MIT */
/*
 * Three threads with one critical section each have 6 orders, whatever they do
 * between; one of them is wrong.  All variants of dpor see the 6 classes; the
 * optimal one executes each once, also when the work cannot be divided, and
 * however an execution begins.  With -DFIXED=1 every order is right.
 *
 * RUN    plait test -s dpor --points all -k
 * EXPECT assertion complete exit=1 executions=6 classes=6 count=1
 *
 * RUN    plait test -s dpor:optimal --points all -k -j 2
 * EXPECT assertion complete exit=1 same=1
 *
 * RUN    plait test -s dpor --points all -k --checkpoints always
 * EXPECT assertion complete exit=1 same=1
 *
 * RUN    plait test -s dpor --points all -k --restart fork
 * EXPECT assertion complete exit=1 same=1
 *
 * RUN    plait test -s dpor --points all -k --restart exec
 * EXPECT assertion complete exit=1 same=1
 *
 * RUN    plait test -s dpor:source -k
 * EXPECT assertion complete exit=1 classes=6
 *
 * RUN    plait test -s dpor:classic -k
 * EXPECT assertion complete exit=1 classes=6
 *
 * RUN    plait test -s dpor -n 3 --points all --require-complete
 * EXPECT clean incomplete exit=4
 *
 * RUN    -DFIXED=1 plait test -s dpor --require-complete
 * EXPECT clean complete exit=0 classes=6
 *
 * RUN    -DFIXED=1 plait test -s dpor:source --require-complete --restart fork
 * EXPECT clean complete exit=0 classes=6
 *
 * RUN    -DFIXED=1 plait test -s dpor:classic --require-complete --checkpoints always
 * EXPECT clean complete exit=0 classes=6
 */
#include <assert.h>
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *append(void *digit)
{
    pthread_mutex_lock(&lock);
    order = order * 10 + *(const int *)digit;
    pthread_mutex_unlock(&lock);
    return digit;
}

int main(void)
{
    static int digits[] = {1, 2, 3};
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, append, &digits[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(FIXED || order != 312);
    return 0;
}
