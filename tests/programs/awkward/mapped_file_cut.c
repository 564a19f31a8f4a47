/* SPDX-License-Identifier: MIT */
/*
 * A file that is cut while another thread has it mapped: what lay behind the new end is gone, so
 * the two come in either order.  With -DFIXED=1 only what nobody reads is cut off.
 *
 * RUN    plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DFIXED=1 plait test -s dpor
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

static int fd;
static volatile char *bytes, got;

static void *cut(void *arg)
{
    assert(ftruncate(fd, FIXED ? 4096 : 0) == 0);
    return arg;
}

static void *look(void *arg)
{
    got = bytes[100];
    return arg;
}

int main(void)
{
    FILE *f = tmpfile();
    pthread_t t, u;

    assert(f != NULL);
    fd = fileno(f);
    assert(ftruncate(fd, 8192) == 0);
    bytes = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    assert(bytes != MAP_FAILED);
    pthread_create(&t, NULL, cut, NULL);
    pthread_create(&u, NULL, look, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
