/* SPDX-License-Identifier: MIT */
/*
 * Choices other than of a thread: a value, who is woken, a timeout, a weak
 * compare-exchange, which clang does not tell from others.  The samplers make them
 * at random, and so come to each.
 *
 * RUN    [gcc] plait test -s pct -k -n 600 --weak-cas
 * EXPECT assertion,assertion,assertion,assertion exit=1
 *
 * RUN    [gcc] plait test -s pos -k -n 600 --weak-cas
 * EXPECT assertion,assertion,assertion,assertion exit=1
 *
 * RUN    [gcc] plait test -s surw -k -n 600 --weak-cas
 * EXPECT assertion,assertion,assertion,assertion exit=1
 *
 * RUN    plait test -s rff -k -n 600
 * EXPECT assertion,assertion,assertion exit=1
 *
 * RUN    plait test -s pct -k -n 600
 * EXPECT assertion,assertion,assertion exit=1
 *
 * RUN    plait test -s pos -k -n 600
 * EXPECT assertion,assertion,assertion exit=1
 *
 * RUN    plait test -s surw -k -n 600
 * EXPECT assertion,assertion,assertion exit=1
 */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, first;
static atomic_int word;

static void *wait_here(void *arg)
{
    const struct timespec soon = {0, 1000};

    pthread_mutex_lock(&lock);
    waiting++;
    int rc = pthread_cond_timedwait(&changed, &lock, &soon);

    if (rc == 0 && first == 0)
        first = *(int *)arg;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    int numbers[] = {1, 2}, zero = 0;
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_here, &numbers[i]);
    bool swapped = atomic_compare_exchange_weak(&word, &zero, 1);

    pthread_mutex_lock(&lock);
    int waiters = waiting;

    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    plait_assert(swapped);
    plait_assert(plait_choose(4) != 3);
    plait_assert(waiters < 2 || first != 1);
    plait_assert(waiters < 2 || first != 2);
    return 0;
}
