/* SPDX-License-Identifier: MIT */
/*
 * An update is lost, in a program that can make its file only once: before its threads begin, or
 * while they run.  The finding is confirmed, minimised and replayed in further processes, none of
 * which meets the file of another.  Without the lost update there is nothing to be found.
 *
 * RUN    plait test -s random -n 200
 * EXPECT assertion location~@lost preemptions=1
 *
 * RUN    plait test -s random -n 200 --restart exec -- early
 * EXPECT assertion location~@lost preemptions=1
 *
 * RUN    plait test -s noise -n 2000 -- early
 * EXPECT assertion location~@lost
 *
 * RUN    plait test -s noise -n 5 -- locked
 * EXPECT clean executions=5
 *
 * RUN    plait test -s random -n 20 --restart exec -- locked
 * EXPECT clean executions=20
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n, locked;

static void *add(void *arg)
{
    if (locked)
        pthread_mutex_lock(&mutex);
    int old = n;

    n = old + 1;
    if (locked)
        pthread_mutex_unlock(&mutex);
    return arg;
}

static void make(void)
{
    assert(open("made", O_CREAT | O_EXCL | O_RDWR, 0600) >= 0);
}

int main(int argc, char **argv)
{
    int early = argc > 1 && strcmp(argv[1], "early") == 0;
    pthread_t t[2];

    locked = argc > 1 && strcmp(argv[1], "locked") == 0;
    if (early)
        make();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    if (!early)
        make();
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(n == 2); /* @lost */
    return 0;
}
