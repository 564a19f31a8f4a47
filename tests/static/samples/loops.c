/* SPDX-License-Identifier: MIT */
/*
 * Threads that a loop creates and another joins are gone behind it; behind one that joins fewer of
 * them, or may be left before its end, they are not.
 *
 * OPT 0
 * PAIR RW some
 * PAIR RW left
 * PAIR RW again
 * NONE all
 * NONE counted
 * WHY 27 63 joined
 */
#include <pthread.h>

enum { N = 3 };

static int all, some, left, again, counted;
static pthread_t global[N];

static void *reads_some(void *arg)
{
    return some + arg;
}
static void *reads_all(void *arg)
{
    return all + arg;
}
static void *reads_left(void *arg)
{
    return left + arg;
}
static void *reads_again(void *arg)
{
    return again + arg;
}
static void *reads_counted(void *arg)
{
    return counted + arg;
}

/* A loop that comes again before what it noted has been joined. */
static void twice(int often)
{
    pthread_t t[N];

    for (int k = 0; k < often; k++) {
        for (int i = 0; i < N; i++)
            pthread_create(&t[i], NULL, reads_again, NULL);
        if (k > 0)
            for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
    }
    again = 1;
}

static void all_of_them(void)
{
    for (int i = 0; i < N; i++)
        pthread_create(&global[i], NULL, reads_all, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(global[i], NULL);
    all = 1;
}

int main(int argc, char **argv)
{
    struct {
        int number;
        pthread_t thread;
    } t[N], u[N], v[N];

    all_of_them();
    for (int i = 0; i < N; i++)
        pthread_create(&t[i].thread, NULL, reads_some, NULL);
    for (int i = 1; i < N; i++)
        pthread_join(t[i].thread, NULL);
    some = 1;
    for (int i = 0; i < N; i++)
        pthread_create(&u[i].thread, NULL, reads_left, NULL);
    for (int i = 0; i < N; i++) {
        if (pthread_join(u[i].thread, NULL) != 0)
            break;
    }
    left = 1;
    for (int i = 0; i < argc; i++)
        pthread_create(&v[i].thread, NULL, reads_counted, NULL);
    for (int i = 0; i < argc; i++)
        pthread_join(v[i].thread, NULL);
    counted = 1;
    twice(argc);
    return 0;
}
