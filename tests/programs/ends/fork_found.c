/* SPDX-License-Identifier: MIT */
/*
 * What a child reads of its copy, the thread that made it has read: memory that no other thread of
 * the program looks at is shared with whoever writes it.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete location~@same
 *
 * RUN    [dpor] plait test -s dpor -k
 * EXPECT assertion complete location~@same
 *
 * A search over blocks does not look into them.
 *
 * RUN    [exitblock] plait test -s exitblock
 * EXPECT clean incomplete
 *
 * The copy is made behind the handlers, in which others may get on.
 *
 * RUN    [dpor] -DHANDLERS plait test -s dpor -k
 * EXPECT assertion complete location~@same
 *
 * A lock that another thread holds stays locked in the child.
 *
 * RUN    [exitblock] -DLOCKED plait test -s exitblock
 * EXPECT clean incomplete
 *
 * What the child has written itself before it reads it nobody else minds.
 *
 * RUN    [dpor] -DOWN plait test -s dpor
 * EXPECT clean complete executions=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static long one, other;
__attribute__((unused)) static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef HANDLERS
static atomic_bool called;

static void begin(void)
{
    pthread_mutex_lock(&lock);
}

static void end(void)
{
    pthread_mutex_unlock(&lock);
}
#endif

static void *run(void *arg)
{
#ifdef HANDLERS
    if (!called)
        return arg;
#elif defined LOCKED
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
#endif
    one = 1;
    other = 1;
    return arg;
}

static int look(void)
{
#ifdef LOCKED
    return 0;
#elif defined OWN
    one = other = 2;
#endif
    return one != other;
}

int main(void)
{
    pthread_t t;
    int status;

#ifdef HANDLERS
    pthread_atfork(begin, end, end);
#endif
    pthread_create(&t, NULL, run, NULL);
#ifdef HANDLERS
    called = true;
#endif
    pid_t child = fork();

    if (child == 0)
        _exit(look());
    assert(waitpid(child, &status, 0) == child);
    pthread_join(t, NULL);
    assert(status == 0); /* @same */
    return 0;
}
