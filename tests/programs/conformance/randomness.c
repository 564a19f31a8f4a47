/* SPDX-License-Identifier: MIT */
/*
 * Random numbers, process and thread ids, addresses and the time are the same
 * in every execution, so what is printed is too.
 *
 * RUN    plait test -s pos -n 200 --check='cat > %t/b; cp -n %t/b %t/a; cmp %t/b %t/a'
 * EXPECT clean executions=200 exit=0
 *
 * RUN plait test -s pos -n 50 --restart=exec --check='cat > %t/b; cp -n %t/b %t/a; cmp %t/b %t/a'
 * EXPECT clean executions=50 exit=0
 *
 * RUN plait test -s pos -n 50 --carrier=thread --check='cat > %t/b; cp -n %t/b %t/a; cmp %t/b %t/a'
 * EXPECT clean executions=50 exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static unsigned long seen[6];
static atomic_int turn; /* in several orders, or there would be but one execution */

static void *thread(void *arg)
{
    struct timespec t;
    int fd = open("/dev/urandom", O_RDONLY);

    turn++;
    assert(getrandom(&seen[0], sizeof(seen[0]), 0) == sizeof(seen[0]));
    assert(getentropy(&seen[1], sizeof(seen[1])) == 0);
    assert(read(fd, &seen[2], sizeof(seen[2])) == sizeof(seen[2]));
    close(fd);
    turn++;
    seen[3] = (unsigned long)random() ^ (unsigned long)rand();
    clock_gettime(CLOCK_REALTIME, &t);
    srand((unsigned)(t.tv_nsec ^ t.tv_sec)); /* not getpid(): a new process has a new number */
    seen[4] = (unsigned long)rand();
    seen[5] = (unsigned long)malloc(100);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    turn++;
    assert(pthread_join(t, NULL) == 0);
    for (int i = 0; i < 6; i++)
        printf("%lx\n", seen[i]);
    free((void *)seen[5]);
    return 0;
}
