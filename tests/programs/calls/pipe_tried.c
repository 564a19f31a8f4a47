/* SPDX-License-Identifier: MIT */
/*
 * Whether a read that waits can come earlier is found by trying.  Where it cannot, what a search
 * had planned to find behind it must not be lost: here that the first reader gets what
 * the second writer has written.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=7 outputs=ab1,ca1,ba1,cab2
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=7 outputs=ab1,cab2,ca1,ba1
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete classes=7 outputs=ab1,cab2,ca1,ba1
 *
 * With -DFULL=4096 two write to a pipe that has room for one page.  Who begins when the other one's
 * byte is there puts its own behind it; who waits by then waits for another page.
 *
 * RUN    -DFULL=4096 plait test -s dfs -k --outputs
 * EXPECT deadlock,deadlock complete classes=12 outputs=2
 *
 * RUN    -DFULL=4096 plait test -s dpor -k --outputs
 * EXPECT deadlock,deadlock complete classes=12 outputs=2
 *
 * With -DFULL=1 there is something that both can be put behind.
 *
 * RUN    -DFULL=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=3
 *
 * And what has nothing to do with a lock that is tried is found although that cannot be had (with
 * LOCKS; who looks for orders that are new had five classes less).
 *
 * RUN    -DLOCKS plait test -s hapset:then=dpor
 * EXPECT clean complete classes=1044
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#ifdef LOCKS

static char path[] = "/tmp/tried-XXXXXX";

static void *exclusive(void *arg)
{
    int fd = open(path, O_RDWR);

    flock(fd, LOCK_EX);
    close(fd);
    return arg;
}

static void *shared(void *arg)
{
    int fd = open(path, O_RDWR);

    flock(fd, LOCK_SH);
    close(fd);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    close(mkstemp(path));
    pthread_create(&a, NULL, exclusive, NULL);
    pthread_create(&b, NULL, shared, NULL);
    int fd = open(path, O_RDWR);

    flock(fd, LOCK_EX | LOCK_NB);
    close(fd);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return unlink(path);
}

#else

#ifndef FULL
#define FULL 0
#endif

enum { ROOM = 4096 };

static int ends[2];
static char first, second[2];
static long n_second;

static void *read_two_and_write(void *arg)
{
    n_second = read(ends[0], second, 2);
    assert(write(ends[1], "c", 1) == 1);
    return arg;
}

static void *write_one(void *arg)
{
    assert(write(ends[1], "b", 1) == 1);
    return arg;
}

static pthread_t a, b;

static void fill_and_write(int n)
{
    static char page[ROOM];

    assert(fcntl(ends[1], F_SETPIPE_SZ, ROOM) == ROOM && write(ends[1], page, n) == n);
    pthread_create(&a, NULL, write_one, NULL);
    pthread_create(&b, NULL, write_one, NULL);
    if (n == ROOM)
        assert(read(ends[0], page, ROOM) == ROOM);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld\n", (long)read(ends[0], page, ROOM));
}

int main(void)
{
    assert(pipe(ends) == 0);
    if (FULL > 0) {
        fill_and_write(FULL);
        return 0;
    }
    assert(write(ends[1], "a", 1) == 1);
    pthread_create(&a, NULL, read_two_and_write, NULL);
    pthread_create(&b, NULL, write_one, NULL);
    assert(read(ends[0], &first, 1) == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%c%.*s%ld\n", first, (int)n_second, second, n_second);
    return 0;
}

#endif
