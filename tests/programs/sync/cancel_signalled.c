/* SPDX-License-Identifier: MIT */
/*
 * A cancellation may come behind the signal that ends a wait: libc takes it until it has noticed.
 * The signal is lost then, unless others wait: who is cancelled consumes none.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=ready,cancelled
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=ready,cancelled
 *
 * RUN    -DPASSED_ON plait test -s dpor --outputs
 * EXPECT clean complete outputs=ready,cancelled
 *
 * RUN    -DPASSED_ON native
 * EXPECT exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int tokens;

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *take(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    while (tokens == 0)
        pthread_cond_wait(&condition, &mutex);
    tokens--;
    pthread_cleanup_pop(1);
    return arg;
}

static void give(void)
{
    pthread_mutex_lock(&mutex);
    tokens++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t first, second;
    void *result;

    pthread_create(&first, NULL, take, NULL);
#ifdef PASSED_ON
    pthread_create(&second, NULL, take, NULL);
#else
    (void)second;
#endif
    give();
    pthread_cancel(first);
    pthread_join(first, &result);
#ifdef PASSED_ON
    if (result != PTHREAD_CANCELED)
        give();
    pthread_join(second, NULL);
#endif
    printf("%s\n", result == PTHREAD_CANCELED ? "cancelled" : "ready");
    return 0;
}
