/* SPDX-License-Identifier: MIT */
/*
 * What one call of a library function reads and writes is several steps: another thread sees the
 * first result without the second, changes one of two texts after the other was read, or comes
 * between a read and the write that follows it.  Each case prints what the other thread saw, or
 * what the call came to.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=000,001,010,011,100,101,110,111,200,201,210,211,300,301,311
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=000,001,011,010,100,101,111,110,200,201,211,210,300,301,311
 *
 * RUN    -DLATER plait test -s dfs --outputs
 * EXPECT clean complete outputs=471,470,411,410,500,510,520,600,601
 *
 * RUN    -DLATER plait test -s dpor --outputs
 * EXPECT clean complete outputs=471,470,410,411,500,510,520,600,601
 *
 * RUN    native
 * EXPECT exit=0
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct {
    int a, b;
} numbers;
static struct timeval now;
static int ends[2];
static _Alignas(8) char text[8], other[8];
static volatile size_t five = 5;
static char *end;
static unsigned seed;
static int seen[2];

static void *scan(void *arg)
{
    sscanf("1 1", "%d %d", &numbers.a, &numbers.b);
    return arg;
}

static void *tell_time(void *arg)
{
    gettimeofday(&now, NULL);
    return arg;
}

static void *make_pipe(void *arg)
{
    seen[1] += pipe(ends);
    return arg;
}

static void *copy(void *arg)
{
    memcpy(text, "11111", five);
    return arg;
}

static void *read_number(void *arg)
{
    seen[0] = (int)strtol(text, &end, 10);
    return arg;
}

static void *compare(void *arg)
{
    int order = strcoll(text, other);

    seen[0] = order < 0 ? 2 : order > 0;
    return arg;
}

static void *draw(void *arg)
{
    seen[arg != NULL] = rand_r(&seed);
    return NULL;
}

static void look(const volatile int *a, const volatile int *b)
{
    seen[0] = *a != 0;
    seen[1] = *b != 0;
}

static void meet(unsigned which)
{
    switch (which) {
    case 0:
        look(&numbers.a, &numbers.b);
        break;
    case 1:
        seen[0] = *(volatile time_t *)&now.tv_sec != 0;
        seen[1] = *(volatile suseconds_t *)&now.tv_usec != 0;
        break;
    case 2:
        look(&ends[0], &ends[1]);
        break;
    case 3:
        seen[0] = *(volatile char *)&text[0] != 0;
        seen[1] = *(volatile char *)&text[4] != 0;
        break;
    case 4:
        text[0] = '7';
        end = NULL;
        break;
    case 5:
        *(volatile char *)text = '2';
        *(volatile char *)other = '2';
        break;
    default:
        draw(&seed);
    }
}

static void run(unsigned which)
{
    static void *(*const all[])(void *) = {scan,        tell_time, make_pipe, copy,
                                           read_number, compare,   draw};
    pthread_t t;

    if (which == 4 || which == 5) {
        strcpy(text, "1");
        strcpy(other, "1");
    }
    pthread_create(&t, NULL, all[which], NULL);
    meet(which);
    pthread_join(t, NULL);
    if (which == 4)
        seen[1] = end != NULL;
    if (which == 6)
        seen[1] = seen[0] == seen[1], seen[0] = 0;
    printf("%u%d%d\n", which, seen[0], seen[1]);
}

int main(void)
{
    plait_begin();
#ifdef LATER
    run(4 + plait_choose(3));
#else
    run(plait_choose(4));
#endif
    return 0;
}
