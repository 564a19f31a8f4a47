/* SPDX-License-Identifier: MIT */
/*
 * Fails with some interleavings, and says so in one of sixteen places: which one
 * is up to times and random numbers, so that a replay with others is noticed.
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int sum;
static unsigned bits[2];

static unsigned from_clock(void)
{
    struct timespec now, later;
    struct timeval day;

    assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0 && gettimeofday(&day, NULL) == 0);
    assert(time(NULL) > 1000000000 && clock_gettime(CLOCK_MONOTONIC, &later) == 0);
    assert(later.tv_sec > now.tv_sec ||
           (later.tv_sec == now.tv_sec && later.tv_nsec >= now.tv_nsec));
    return (unsigned)(now.tv_nsec / 1000 + day.tv_usec);
}

static unsigned from_kernel(void)
{
    unsigned char a, b;
    int fd = open("/dev/urandom", O_RDONLY);

    assert(getrandom(&a, 1, 0) == 1 && fd >= 0 && read(fd, &b, 1) == 1);
    close(fd);
    return a ^ b;
}

static void *add(void *arg)
{
    bits[arg != NULL] = arg != NULL ? from_clock() : from_kernel();
    int old = sum; /* the bug */

    sum = old + 1;
    return NULL;
}

#define CASE(n)           \
    case n:               \
        assert(sum == 2); \
        break;

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    switch ((bits[0] % 4) * 4 + bits[1] % 4) {
        CASE(0)
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
        CASE(7)
        CASE(8)
        CASE(9)
        CASE(10)
        CASE(11)
        CASE(12)
        CASE(13)
        CASE(14)
        CASE(15)
    }
    return 0;
}
