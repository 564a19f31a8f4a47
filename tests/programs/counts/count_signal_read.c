/* SPDX-License-Identifier: MIT */
/*
 * A signal that is blocked is found by whoever reads it from a descriptor, or looks whether it
 * could; calls that are about other files have nothing to do with it.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3 executions=4
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static pthread_t first;

static void *sends(void *arg)
{
    pthread_kill(first, SIGUSR2);
    return arg;
}

int main(void)
{
    struct signalfd_siginfo info;
    pthread_t thread;
    sigset_t set;
    char byte = 'a';
    int ends[2], failed = 0;

    first = pthread_self();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_NONBLOCK);

    if (fd < 0 || pipe(ends) != 0)
        return 2;
    pthread_create(&thread, NULL, sends, NULL);
    failed |= write(ends[1], &byte, 1) != 1;
    failed |= read(fd, &info, sizeof(info)) < 0 && errno != EAGAIN;
    failed |= read(ends[0], &byte, 1) != 1;
    failed |= access(".", F_OK) != 0;
    pthread_join(thread, NULL);
    return failed;
}
