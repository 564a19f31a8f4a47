/* SPDX-License-Identifier: MIT */
/*
 * Ways that a pointer goes without being stored as one: through a pipe, what a thread returns with
 * pthread_exit(), sorted, found, copied backwards, handed over in a structure without a name,
 * multiplied, moved on by atomic operations.
 *
 * OPT 0
 * PAIR RW piped
 * PAIR RW sorted
 * PAIR RW copied
 * PAIR RW passed
 * PAIR RW scaled
 * PAIR RW vector[]
 * PAIR RW heap from ways.c:54
 * PAIR RW found[].value
 * PAIR RW moved[]
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/uio.h>
#include <unistd.h>

struct box {
    int *a, *b;
    long pad;
};

static int lower, sorted, piped, copied, passed, scaled, vector[2], moved[4];
static struct {
    int key, value;
} found[3] = {{1, 0}, {2, 0}, {3, 0}};
static int *both[2] = {&lower, &sorted}, *const backwards[1] = {&copied}, *forwards[1];
static int (*_Atomic next)[1] = (int (*)[1])moved;
static struct iovec pieces[1] = {{vector, sizeof vector}};
static volatile uintptr_t times_three;
static int ends[2];

static int by_address(const void *x, const void *y)
{
    return *(const int *const *)x < *(const int *const *)y ? 1 : -1;
}

static int by_key(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

static void *returns(void *arg)
{
    pthread_exit(calloc(1, 4));
    return arg;
}

static void last_of(int n, ...)
{
    va_list rest;

    va_start(rest, n);
    *va_arg(rest, struct box).b = n;
    va_end(rest);
}

static void *t1(void *arg)
{
    struct box box = {NULL, &passed, 0};
    int *p = NULL, key = 2;

    if (read(ends[0], &p, sizeof(p)) == sizeof(p))
        *p = 1;
    qsort(both, 2, sizeof(both[0]), by_address);
    *both[0] = 1;
    ((int *)bsearch(&key, found, 3, sizeof(found[0]), by_key))[1] = 1;
    bcopy(backwards, forwards, sizeof(forwards));
    *forwards[0] = 1;
    last_of(1, box);
    *(int *)(times_three / 3) = 1;
    *atomic_fetch_add(&next, 1)[0] = 1;
    *atomic_fetch_add(&next, 1)[0] = 1;
    vector[0] = 1;
    *(int *)arg = 1;
    return NULL;
}

static void *t2(void *arg)
{
    int *p = &piped;

    (void)!write(ends[1], &p, sizeof(p));
    piped = 2;
    lower = 2;
    sorted = 2;
    found[1].value = 2;
    copied = 2;
    passed = 2;
    scaled = 2;
    moved[1] = 2;
    (void)!writev(ends[1], pieces, 1);
    *(int *)arg = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    void *block = NULL;

    if (pipe(ends) != 0)
        return 1;
    times_three = 3 * (uintptr_t)&scaled;
    pthread_create(&a, NULL, returns, NULL);
    pthread_join(a, &block);
    pthread_create(&a, NULL, t1, block);
    pthread_create(&b, NULL, t2, block);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
