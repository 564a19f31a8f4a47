/* SPDX-License-Identifier: MIT */
/*
 * The processor's counter of time is the program's own, and faults; programs that it starts read it
 * as it is, whichever OS thread starts them.
 *
 * RUN    plait test -s random -n 4 --carrier thread
 * EXPECT clean executions=4
 *
 * RUN    plait test -s random -n 4
 * EXPECT clean executions=4
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

static void *start(void *arg)
{
    int status;
    unsigned long long before = __rdtsc();
    pid_t child = fork();

    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
        _exit(1);
    }
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(__rdtsc() != before);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, start, NULL);
    pthread_create(&u, NULL, start, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
