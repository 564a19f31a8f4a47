/* SPDX-License-Identifier: MIT */
/*
 * A bit of everything that is an operation, and nothing wrong with any of it.  The program
 * says so by its exit status.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 50 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t done;
static mtx_t other;
static pthread_mutex_t nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int sum, read_sum, spins, ready, inits, destroyed;
static atomic_int hits;

static void init(void)
{
    inits++;
}

static void destroy(void *value)
{
    free(value);
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
}

static void one_round(void)
{
    pthread_mutex_lock(&nested);
    pthread_mutex_unlock(&nested);
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    pthread_rwlock_rdlock(&table);
    int seen = read_sum;

    pthread_rwlock_unlock(&table);
    pthread_rwlock_wrlock(&table);
    read_sum += seen >= 0;
    pthread_rwlock_unlock(&table);
    pthread_spin_lock(&spin);
    spins++;
    pthread_spin_unlock(&spin);
    atomic_fetch_add(&hits, 1);
}

static void *work(void *arg)
{
    pthread_setspecific(key, strdup("mine"));
    pthread_once(&once, init);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; i++)
        one_round();
    pthread_mutex_lock(&lock);
    ready++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    sem_post(&done);
    return arg;
}

static int second(void *arg)
{
    mtx_lock(&other);
    (*(int *)arg)++;
    mtx_unlock(&other);
    return 7;
}

static void *endless(void *arg)
{
    for (;;)
        usleep(1000);
    return arg;
}

/* Cancellation, C11 threads, a timeout and a child process. */
static int odds_and_ends(void)
{
    struct timespec soon;
    pthread_t victim;
    thrd_t small;
    void *result;
    int n = 0, code = 0, status = 1;

    pthread_create(&victim, NULL, endless, NULL);
    pthread_cancel(victim);
    pthread_join(victim, &result);
    thrd_create(&small, second, &n);
    thrd_join(small, &code);
    clock_gettime(CLOCK_REALTIME, &soon);
    int late = sem_timedwait(&done, &soon);
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    waitpid(child, &status, 0);
    return result == PTHREAD_CANCELED && n == 1 && code == 7 && late == -1 && status == 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    char *text = malloc(10);

    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_key_create(&key, destroy);
    sem_init(&done, 0, 0);
    mtx_init(&other, mtx_plain);
    pthread_mutex_lock(&nested);
    pthread_mutex_lock(&nested);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    if (pthread_mutex_unlock(&nested) != 0 || pthread_mutex_unlock(&nested) != 0)
        return 2;
    pthread_mutex_lock(&lock);
    while (ready < THREADS)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sem_wait(&done);
    }
    text = realloc(text, 100);
    snprintf(text, 100, "%d %d %d %d %d %d", sum, read_sum, spins, atomic_load(&hits), inits,
             destroyed);
    puts(text);
    int good = strcmp(text, "200 200 200 200 1 4") == 0 && odds_and_ends();

    free(text);
    return !good;
}
