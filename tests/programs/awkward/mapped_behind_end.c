/* SPDX-License-Identifier: MIT */
/*
 * Memory mapped before the first thread that lies behind the end of its file: whoever writes there
 * gets SIGBUS, as natively, and not whoever keeps pages to put them back.  The handler makes the
 * file longer, and the store is done; in the next execution the file is short again.  So it is
 * where the file is made longer first, and nobody gets a signal.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 20 --restart fork
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5
 *
 * RUN    -DKIND=MAP_PRIVATE plait test -s random -n 20
 * EXPECT clean executions=20
 *
 * RUN    -DAHEAD=1 plait test -s random -n 20
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    -DAHEAD=1 plait test -s random -n 20 --restart fork
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    -DUNCAUGHT=1 plait test -n 20
 * EXPECT crash message~SIGBUS
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef KIND
#define KIND MAP_SHARED
#endif
#ifndef AHEAD
#define AHEAD 0
#endif
#ifndef UNCAUGHT
#define UNCAUGHT 0
#endif

enum { SIZE = 4096 };

static int file;
static volatile char *bytes;
static volatile sig_atomic_t caught;

static void lengthen(int signal)
{
    caught++;
    if (signal != SIGBUS || ftruncate(file, SIZE) != 0)
        _exit(2);
}

static void *store(void *arg)
{
    if (AHEAD && ftruncate(file, SIZE) != 0)
        _exit(2);
    *(volatile char *)arg = 'x';
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_handler = lengthen};
    pthread_t threads[2];

    file = memfd_create("short", 0);
    bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, KIND, file, 0);
    assert(file >= 0 && bytes != MAP_FAILED);
    assert(UNCAUGHT || sigaction(SIGBUS, &action, NULL) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, store, (void *)(bytes + 8 * i));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert((caught >= 1) == !AHEAD && bytes[0] == 'x' && bytes[8] == 'x' && bytes[1] == 0);
    return 0;
}
