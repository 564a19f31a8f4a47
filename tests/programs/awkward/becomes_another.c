/* SPDX-License-Identifier: MIT */
/*
 * A program that becomes another one after its threads have ended: that one runs as it would
 * anywhere, and its end is the end.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean
 *
 * RUN    plait test -s random -n 5 -- false
 * EXPECT exit
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int turn;

static void *thread(void *arg)
{
    turn += __builtin_ia32_rdtsc() != 0; /* time is virtual, for this program only */
    return arg;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "true";
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    turn++;
    pthread_join(t, NULL);
    execlp(name, name, (char *)NULL);
    return 2;
}
