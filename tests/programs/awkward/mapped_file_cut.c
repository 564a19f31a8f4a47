/* SPDX-License-Identifier: MIT */
/*
 * A file that is cut while another thread has it mapped: what lay behind the new end is gone, so
 * the two come in either order.  With -DFIXED=1 only what nobody reads is cut off.  CUT is how.
 *
 * RUN    plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DCUT=truncate(path,SIZE) plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DCUT=close(open(path,O_WRONLY|O_TRUNC)) plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DCUT=close(creat(path,0600)) plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DFIXED=1 plait test -s dpor
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

#define SIZE (FIXED ? 4096 : 0)

#ifndef CUT
#define CUT ftruncate(fd, SIZE)
#endif

static char path[] = "/tmp/plait-cut-XXXXXX";
static int fd;
static volatile char *bytes, got;

static void *cut(void *arg)
{
    assert(CUT == 0);
    return arg;
}

static void *look(void *arg)
{
    got = bytes[100];
    return arg;
}

int main(void)
{
    pthread_t t, u;

    fd = mkstemp(path);
    assert(fd >= 0 && ftruncate(fd, 8192) == 0);
    bytes = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    assert(bytes != MAP_FAILED);
    pthread_create(&t, NULL, cut, NULL);
    pthread_create(&u, NULL, look, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return unlink(path);
}
