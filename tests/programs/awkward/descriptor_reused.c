/* SPDX-License-Identifier: MIT */
/*
 * A number that one thread closes and opens again, while another uses it: that comes before, in
 * between or after, also where what is opened has nothing to do with what was there.  With OLD the
 * number is that of a pipe that was closed, and a file is read by it: a replay counts what that
 * is as the search did, which did not know of anybody else who uses the number.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1 replay=identical
 *
 * RUN    -DFIXED=1 plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DOLD=1 plait test -s random --seed 2
 * EXPECT assertion exit=1 replay=identical
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif
#ifndef OLD
#define OLD 0
#endif

static int fd;
static int steps;

static void *renew(void *arg)
{
    if (OLD) {
        steps++;
    } else if (FIXED) {
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

static int read_by_old_number(void)
{
    pthread_t t;
    int ends[2], seen;
    char c;

    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, renew, NULL);
    close(ends[0]);
    close(ends[1]);
    fd = open("/proc/self/exe", O_RDONLY);
    assert(fd == ends[0] && read(fd, &c, 1) == 1);
    seen = steps;
    steps = seen + 1;
    pthread_join(t, NULL);
    assert(steps == 2);
    return 0;
}

int main(void)
{
    pthread_t t, u;

    if (OLD)
        return read_by_old_number();
    fd = open("/dev/null", O_RDWR);
    pthread_create(&t, NULL, renew, NULL);
    pthread_create(&u, NULL, use, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
