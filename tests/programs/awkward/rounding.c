/* SPDX-License-Identifier: MIT */
/*
 * The direction of rounding and the sticky flags of floating point are in registers of the
 * processor, not in memory.  What a thread sets is its own, and what an execution sets must not
 * reach the next.
 *
 * RUN    -frounding-math -lm plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    -frounding-math -lm plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    -frounding-math -lm plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    -frounding-math -lm native
 * EXPECT exit=0
 *
 * RUN    -frounding-math -lm native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;
static volatile double one = 1, three = 3;

static void *thread(void *arg)
{
    turn++;
    assert(fesetround(FE_DOWNWARD) == 0);
    turn++;
    assert(fegetround() == FE_DOWNWARD);
    assert(-one / three + 0.5 < 0.5 - one / three + 1);
    return arg;
}

static void execution(void)
{
    volatile double nearest, upward;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(fegetround() == FE_TONEAREST); /* @fresh */
    assert(fetestexcept(FE_DIVBYZERO) == 0);
    nearest = one / three;
    turn++;
    assert(fesetround(FE_UPWARD) == 0);
    upward = one / three;
    assert(upward > nearest);
    turn++;
    assert(fegetround() == FE_UPWARD);
    assert(feraiseexcept(FE_DIVBYZERO) == 0 && fetestexcept(FE_DIVBYZERO) != 0);
    assert(pthread_join(t, NULL) == 0);
    assert(fegetround() == FE_UPWARD && turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
