/* SPDX-License-Identifier: MIT */
/*
 * NoEraser of Bruening's thesis (2.2, 4.4): whether x is ever touched without the
 * lock depends on the schedule.  B does so if it finds 0; Eraser sees it if A has
 * come by before B is done, so that x is no longer B's own.  The program finds
 * out by itself in which executions that is so, and those and no others are
 * reported: both findings have the same count, which is that of all failures.  In the usual
 * order of the search the first execution, which only shows what is shared, is a good one.
 *
 * RUN    plait test -s dfs -k --risk off --detect +lockset --hooks-only
 * EXPECT assertion,lockset complete count=126 failures=126 accesses~ x at @unlocked .* nothing
 *
 * RUN    plait test -s dfs -k --risk off --detect lockset --hooks-only
 * EXPECT assertion,lockset complete count=126 failures=126 replay=1
 *
 * RUN    plait test -s dpor -k --detect +lockset --hooks-only
 * EXPECT assertion,lockset complete replay=1
 *
 * RUN    plait test -s dfs -k --risk off --hooks-only
 * EXPECT assertion complete count=126 failures=126 replay=1
 *
 * RUN    -DORDERED plait test -s dfs --detect +lockset --hooks-only
 * EXPECT clean complete
 *
 * RUN    -DFIXED plait test -s dfs --detect +lockset --hooks-only
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifdef FIXED
#define IS_B(name) ((void)(name), false)
#else
#define IS_B(name) ((name) == 'B')
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
static bool a_came, seen_by_eraser;

/* Not instrumented: these happen together with the access before them. */
__attribute__((noinline, no_sanitize("thread"))) static void was_read(char name)
{
    a_came |= name == 'A';
}

__attribute__((noinline, no_sanitize("thread"))) static void was_written(void)
{
    seen_by_eraser |= a_came;
}

__attribute__((no_sanitize("thread"))) static bool is_seen_by_eraser(void)
{
    return seen_by_eraser;
}

static void *increment(void *arg)
{
    char name = *(const char *)arg;

    pthread_mutex_lock(&lock);
    int y = x;
    was_read(name);
    pthread_mutex_unlock(&lock);
    if (y == 0 && IS_B(name)) {
        x = x + 1; /* @unlocked */
        was_written();
    } else {
        pthread_mutex_lock(&lock);
        x = x + 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, increment, "A");
#ifdef ORDERED
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, increment, "B");
#ifndef ORDERED
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
    assert(!is_seen_by_eraser());
    return 0;
}
