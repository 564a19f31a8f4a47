/* SPDX-License-Identifier: MIT */
/*
 * How long the system runs is told in three ways, and they agree, also after a while; whoever looks
 * at one of them again and again comes to an end.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean
 *
 * RUN    plait test -s random -n 20 -- looks
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

static int looks;

static double told(void)
{
    FILE *f = fopen("/proc/uptime", "r");
    double up = 0;

    assert(f != NULL && fscanf(f, "%lf", &up) == 1 && fclose(f) == 0);
    return up;
}

static void *agree(void *arg)
{
    struct timespec before, after;
    struct sysinfo s;

    /* It takes as long as the system likes; sysinfo() tells seconds that have begun. */
    assert(clock_gettime(CLOCK_BOOTTIME, &before) == 0 && sysinfo(&s) == 0);
    double up = told();

    assert(clock_gettime(CLOCK_BOOTTIME, &after) == 0);
    assert(s.uptime >= before.tv_sec && s.uptime <= after.tv_sec + 1);
    assert(up > (double)s.uptime - 1.1 && up < (double)after.tv_sec + 1.1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    assert(pthread_create(&t, NULL, agree, NULL) == 0);
    double begun = told();

    if (argc > 1) {
        for (; told() < begun + 0.3; looks++)
            ;
        assert(looks > 0);
    } else {
        sleep(1);
        assert(told() >= begun + 0.9);
    }
    agree(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
