/* SPDX-License-Identifier: MIT */
/*
 * A number that one thread closes and opens again, while another uses it: that comes before, in
 * between or after, also where what is opened has nothing to do with what was there.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1 replay=identical
 *
 * RUN    -DFIXED=1 plait test -s dpor
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

static int fd;

static void *renew(void *arg)
{
    if (FIXED) {
        int other = open("/dev/zero", O_RDWR);

        dup2(other, fd);
        close(other);
    } else {
        close(fd);
        assert(open("/dev/zero", O_RDWR) == fd);
    }
    return arg;
}

static void *use(void *arg)
{
    char c;

    assert(pread(fd, &c, 1, 0) >= 0);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    fd = open("/dev/null", O_RDWR);
    pthread_create(&t, NULL, renew, NULL);
    pthread_create(&u, NULL, use, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
