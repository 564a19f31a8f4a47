/* SPDX-License-Identifier: MIT */
/*
 * An end of a FIFO is there as soon as it is opened, while its thread still waits for the other
 * one.  So whoever comes to that goes on at once, and the first goes on, too, when it has come,
 * though it may be gone again by then: nobody waits for ever.  What others do meanwhile has
 * nothing to do with it: two threads add to the same number before one of them opens its end, in
 * either order.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=8 outputs=2,1
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete classes=8 outputs=2,1
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=8 outputs=2,1
 *
 * Whose opening is cancelled has opened nothing: who comes then waits for ever.
 *
 * RUN    -DCANCELLED plait test -s dfs -k --outputs
 * EXPECT deadlock complete outputs=1
 *
 * RUN    -DCANCELLED plait test -s dpor -k --outputs
 * EXPECT deadlock complete outputs=1
 *
 * Whose opening a signal has interrupted has not opened anything either, from before its handler
 * runs; it tries again, and whoever has come meanwhile goes on.
 *
 * RUN    -DINTERRUPTED plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DINTERRUPTED plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "fifoXXXXXX", name[32];
static atomic_int turns, first;

static void open_end(int flags)
{
    int fd;

    while ((fd = open(name, flags)) < 0)
        assert(errno == EINTR);
    assert(fd >= 0 && close(fd) == 0);
}

static void *reads(void *arg)
{
    open_end(O_RDONLY);
    return arg;
}

#ifdef INTERRUPTED
static void notice(int signo)
{
    atomic_fetch_add(&turns, signo == SIGUSR1);
}
#endif

static void *adds(void *arg)
{
    if (atomic_fetch_add(&turns, 1) == 0)
        atomic_store(&first, (int)(intptr_t)arg);
    return arg;
}

int main(void)
{
    pthread_t reader;

#ifdef INTERRUPTED
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = notice}, NULL);
#endif
    assert(mkdtemp(folder) != NULL);
    snprintf(name, sizeof(name), "%s/a", folder);
    assert(mkfifo(name, 0600) == 0);
    pthread_create(&reader, NULL, reads, NULL);
#ifdef CANCELLED
    pthread_cancel(reader);
    adds((void *)1);
#elif defined(INTERRUPTED)
    pthread_kill(reader, SIGUSR1);
    adds((void *)1);
#else
    pthread_t other;

    pthread_create(&other, NULL, adds, (void *)1);
    adds((void *)2);
    pthread_join(other, NULL);
#endif
    open_end(O_WRONLY);
    pthread_join(reader, NULL);
    printf("%d\n", first);
    unlink(name);
    rmdir(folder);
    return 0;
}
