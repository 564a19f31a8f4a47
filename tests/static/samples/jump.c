/* SPDX-License-Identifier: MIT */
/*
 * A jump goes on where setjmp() was called, and there only where that was not 0: what comes before
 * is not beside the thread, what it lands at is.
 *
 * NONE early
 * PAIR RW late
 * PAIR RW landed
 * WHY 26 19 not parallel
 */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf env;
static int early, late, landed;

static void *work(void *arg)
{
    return early + late + landed > 100 ? arg : NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;

    early = argc;
    if (setjmp(env) == 0) {
        pthread_create(&t, NULL, work, NULL);
        late = argc;
        if (argc < 9)
            longjmp(env, 1);
        pthread_join(t, NULL);
    } else {
        landed = argc;
    }
    return 0;
}
