/* SPDX-License-Identifier: MIT */
/*
 * Threads hold a lock that processes share, or wait for it, when a child is made that uses it, too.
 * The child finds who has it, and wakes who waits.  The argument `robust`: a thread ends with the
 * lock in its hands.  With `lost` a thread looks before it waits: a signal comes in between.  With
 * `killed` a child is killed that has the lock.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 10 --carrier thread -- robust
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 10 -- robust
 * EXPECT clean executions=10
 *
 * RUN    plait test --follow-children -n 20
 * EXPECT clean executions=20
 *
 * RUN    plait test -s noise -n 10
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 100 -- lost
 * EXPECT deadlock
 *
 * RUN    plait test --follow-children -n 5 -- killed
 * EXPECT clean executions=5
 *
 * RUN    native killed
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_barrier_t both;
    int n;
    bool said;
} * shared;

static void prepare(bool robust)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_barrierattr_t barrier;

    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED);
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    if (robust)
        pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shared->lock, &mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->changed, &cond);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->both, &barrier, 2);
}

static void count(void)
{
    int rc = pthread_mutex_lock(&shared->lock);

    if (rc == EOWNERDEAD)
        assert(pthread_mutex_consistent(&shared->lock) == 0);
    else
        assert(rc == 0);
    shared->n++;
    pthread_mutex_unlock(&shared->lock);
}

static void *wait_for_it(void *arg)
{
    count();
    pthread_mutex_lock(&shared->lock);
    while (!shared->said)
        pthread_cond_wait(&shared->changed, &shared->lock);
    pthread_mutex_unlock(&shared->lock);
    pthread_barrier_wait(&shared->both);
    return arg;
}

static void *keep_it(void *arg)
{
    pthread_mutex_lock(&shared->lock);
    return arg;
}

static void *look_too_early(void *arg)
{
    pthread_mutex_lock(&shared->lock);
    bool said = shared->said;

    pthread_mutex_unlock(&shared->lock);
    pthread_mutex_lock(&shared->lock);
    if (!said)
        pthread_cond_wait(&shared->changed, &shared->lock);
    pthread_mutex_unlock(&shared->lock);
    return arg;
}

static void say(void)
{
    pthread_mutex_lock(&shared->lock);
    shared->said = true;
    pthread_cond_signal(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

static int kill_holder(void)
{
    int ends[2], status;
    char c;

    assert(pipe(ends) == 0);
    pid_t child = fork();

    if (child == 0) {
        pthread_mutex_lock(&shared->lock);
        _exit(write(ends[1], "x", 1) == 1 ? pause() : 1);
    }
    assert(read(ends[0], &c, 1) == 1 && pthread_mutex_trylock(&shared->lock) == EBUSY);
    assert(kill(child, SIGKILL) == 0);
    count();
    assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && shared->n == 1);
    return 0;
}

int main(int argc, char **argv)
{
    bool killed = argc > 1 && strcmp(argv[1], "killed") == 0;
    bool robust = argc > 1 && strcmp(argv[1], "robust") == 0;
    bool lost = argc > 1 && strcmp(argv[1], "lost") == 0;
    int status;
    pthread_t t;

    prepare(robust || killed);
    if (killed)
        return kill_holder();
    if (robust) {
        pthread_create(&t, NULL, keep_it, NULL);
        pthread_join(t, NULL);
    }
    pthread_create(&t, NULL, lost ? look_too_early : wait_for_it, NULL);
    if (lost) {
        say();
        pthread_join(t, NULL);
    }
    for (int i = 0; i < 3; i++)
        count();
    pid_t child = fork();

    if (child == 0) {
        count();
        say();
        if (!lost)
            pthread_barrier_wait(&shared->both);
        _exit(0);
    }
    count();
    if (!lost)
        pthread_join(t, NULL);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(shared->n == (lost ? 5 : 6));
    return 0;
}
