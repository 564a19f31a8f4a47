/* SPDX-License-Identifier: MIT */
/*
 * Two accounts, after figure 5.1 of Chen's thesis: five data pairs and two of locks, nine
 * schedules.  The line that sets x is behind a branch that is never taken, unless a third thread
 * makes y negative in time (figure 5.18).
 *
 * RUN    [clang] [whole] --whole plait test -s values -k
 * EXPECT assertion complete classes=9 decides~@take<@add pairs=RW:5,MM:2 \
 *        judged~RW @reset<@add: impossible: a branch led past it: from @test; \
 *        RW @add<@reset: impossible; RW @take<@add: failed; MM @first<@outer: shown; \
 *        MM @outer<@first: shown
 *
 * RUN    [clang] [whole] --whole plait test -s values:priority=no,reachability=no -k
 * EXPECT assertion complete classes=9
 *
 * RUN    [clang] [whole] --whole plait test -s values:order=newest -k --jobs 2
 * EXPECT assertion complete classes=9
 *
 * RUN    [clang] [whole] -DTHIRD --whole plait test -s values -k
 * EXPECT assertion complete classes=60 judged~RW @reset<@add: shown; RW @add<@reset: shown
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete classes=9
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t of_x = PTHREAD_MUTEX_INITIALIZER, of_y = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *give(void *arg)
{
    pthread_mutex_lock(&of_x);
    x += 10; /* @add */
    pthread_mutex_unlock(&of_x);
    pthread_mutex_lock(&of_y); /* @first */
    y += 10;
    pthread_mutex_unlock(&of_y);
    return arg;
}

static void *take(void *arg)
{
    pthread_mutex_lock(&of_y); /* @outer */
    x -= 10;                   /* @take */
    if (y < 0)                 /* @test */
        x = 0;                 /* @reset */
    pthread_mutex_unlock(&of_y);
    pthread_mutex_lock(&of_y);
    y -= 10;
    pthread_mutex_unlock(&of_y);
    return arg;
}

#ifdef THIRD
static void *spoil(void *arg)
{
    y = -999;
    return arg;
}
#endif

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, take, NULL);
#ifdef THIRD
    pthread_t c;

    pthread_create(&c, NULL, spoil, NULL);
    pthread_join(c, NULL);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == y);
    return 0;
}
