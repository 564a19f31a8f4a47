/* SPDX-License-Identifier: MIT */
/*
 * What functions of libc remember from one call to the next: where strtok() is in a string,
 * the state of the random number generators, getopt()'s place, buffers that results are in, time
 * zone, the next key.  At the root all have been used already.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NUMBERS = 5 };

static char words[] = "one two three four";
static char *const options[] = {"program", "-a", "-b", "-c", NULL};
static long expected[NUMBERS];
static const struct tm *broken_down;
static pthread_key_t next_key;
static atomic_int turn;

static void numbers(long *out)
{
    out[0] = rand();
    out[1] = random();
    out[2] = lrand48();
    out[3] = (long)(drand48() * 1e9);
    out[4] = mrand48();
}

/* As at the root: what numbers() gives next is `expected`. */
static void seed(void)
{
    srand(3);
    srandom(5);
    srand48(7);
    for (int i = 0; i < 10; i++)
        numbers(expected);
    srand(3);
    srandom(5);
    srand48(7);
    for (int i = 0; i < 9; i++)
        numbers((long[NUMBERS]){0});
}

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    const time_t later = 86400 * 366;
    long drawn[NUMBERS];
    pthread_key_t key;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(strcmp(strtok(NULL, " "), "two") == 0); /* @fresh */
    assert(getopt(3, options, "abc") == 'b');      /* after -a, before the root */
    numbers(drawn);
    assert(memcmp(drawn, expected, sizeof(drawn)) == 0);
    turn++;
    assert(broken_down->tm_year == 70 && gmtime(&later) == broken_down);
    assert(broken_down->tm_year == 71);
    assert(strcmp(tzname[0], "UTC") == 0);
    assert(setenv("TZ", "AWK-3", 1) == 0);
    tzset();
    assert(strcmp(tzname[0], "AWK") == 0);
    assert(hcreate(100) != 0 && hsearch((ENTRY){"key", NULL}, ENTER) != NULL); /* just one table */
    assert(pthread_key_create(&key, NULL) == 0 && key == next_key);
    assert(strcmp(strtok(NULL, " "), "three") == 0);
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    const time_t early = 0;

    (void)argv;
    seed();
    setenv("TZ", "UTC0", 1);
    tzset();
    broken_down = gmtime(&early);
    assert(strcmp(strtok(words, " "), "one") == 0);
    assert(getopt(3, options, "abc") == 'a');
    assert(pthread_key_create(&next_key, NULL) == 0 && pthread_key_delete(next_key) == 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
