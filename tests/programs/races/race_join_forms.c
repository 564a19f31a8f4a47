/* SPDX-License-Identifier: MIT */
/*
 * Joined by trying, in time, and after pthread_exit().
 *
 * RUN    -D_GNU_SOURCE plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it does not know the forms of join beyond POSIX
 */
#include <pthread.h>
#include <stddef.h>
#include <time.h>

int data[3];

static void *writer(void *arg)
{
    int *mine = arg;

    *mine = 1;
    if (mine == &data[2])
        pthread_exit(arg);
    return arg;
}

int main(void)
{
    struct timespec until = {.tv_sec = 2000000000};
    pthread_t t[3];
    int value = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, writer, &data[i]);
    if (pthread_tryjoin_np(t[0], NULL) == 0)
        value += data[0];
    else
        pthread_join(t[0], NULL);
    if (pthread_timedjoin_np(t[1], NULL, &until) == 0)
        value += data[1];
    pthread_join(t[2], NULL);
    return value + data[2] > 3;
}
