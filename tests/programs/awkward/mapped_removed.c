/* SPDX-License-Identifier: MIT */
/*
 * A file that is mapped before the first thread, opened again by a thread and removed at the end,
 * as memory with a name is: the next execution finds the same file under the name.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor --restart fork
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char name[64];
static _Atomic int *count;

static _Atomic int *map(int flags)
{
    int fd = shm_open(name, O_RDWR | flags, 0600);

    assert(fd >= 0 && ftruncate(fd, PAGE) == 0);
    void *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    assert(at != MAP_FAILED);
    close(fd);
    return at;
}

static void *again(void *arg)
{
    _Atomic int *own = map(0);

    atomic_fetch_add(own, 1);
    munmap((void *)own, PAGE);
    return arg;
}

int main(void)
{
    pthread_t t;

    snprintf(name, sizeof(name), "/plait-removed-%07d", (int)getpid());
    count = map(O_CREAT);
    pthread_create(&t, NULL, again, NULL);
    atomic_fetch_add(count, 1);
    pthread_join(t, NULL);
    assert(*count == 2);
    shm_unlink(name);
    return 0;
}
