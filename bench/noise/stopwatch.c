/* SPDX-License-Identifier: MIT */
/*
 * How long a program takes from its first thread to its end, wall and processor time.
 *
 * Linked in with -Wl,--wrap=pthread_create, it begins the executions of plait at the first thread,
 * as plait would, and looks at the clock behind that place: what came before happens once for many
 * executions.  An execution that comes to its end adds a line to the file that STOPWATCH names.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A plain build has none. */
__attribute__((weak)) void plait_begin(void);

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static uint64_t wall, processor;

static uint64_t now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *),
                          void *arg)
{
    if (wall == 0) {
        if (plait_begin)
            plait_begin();
        processor = now(CLOCK_PROCESS_CPUTIME_ID);
        wall = now(CLOCK_MONOTONIC);
    }
    return __real_pthread_create(thread, attr, body, arg);
}

__attribute__((destructor)) static void stop(void)
{
    uint64_t wall_end = now(CLOCK_MONOTONIC), processor_end = now(CLOCK_PROCESS_CPUTIME_ID);
    const char *path = getenv("STOPWATCH");

    if (wall == 0 || path == NULL)
        return;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);

    dprintf(fd, "%llu %llu\n", (unsigned long long)(wall_end - wall),
            (unsigned long long)(processor_end - processor));
    close(fd);
}
