/* SPDX-License-Identifier: MIT */
/*
 * Threads that stop inside libc while it has the lock of a stream: in a callback that takes a
 * mutex, at a pipe that is empty, in a callback that is left by longjmp() while nobody else uses
 * the stream. Others who want the stream wait for it, and nobody else does.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *custom, *in;
static int bytes, ends[2];
static jmp_buf back;

static ssize_t count(void *cookie, const char *data, size_t n)
{
    assert(data != NULL);
    pthread_mutex_lock(&mutex);
    *(int *)cookie += (int)n;
    pthread_mutex_unlock(&mutex);
    return (ssize_t)n;
}

static ssize_t leave(void *cookie, const char *data, size_t n)
{
    static int left;

    assert(cookie == NULL && data != NULL);
    if (left++ == 0)
        longjmp(back, 1);
    return (ssize_t)n; /* at the end of the program */
}

static void *prints(void *arg)
{
    fputs("ab", custom);
    return arg;
}

static void *reads(void *arg)
{
    char line[8];

    assert(fgets(line, sizeof(line), in) != NULL && strcmp(line, "x\n") == 0);
    return arg;
}

static void leave_libc(void)
{
    cookie_io_functions_t io = {.write = leave};
    FILE *f = fopencookie(NULL, "w", io);

    setvbuf(f, NULL, _IONBF, 0);
    if (setjmp(back) == 0)
        fputc('a', f);
}

int main(void)
{
    cookie_io_functions_t io = {.write = count};
    pthread_t a, b;

    custom = fopencookie(&bytes, "w", io);
    setvbuf(custom, NULL, _IONBF, 0);
    assert(pipe(ends) == 0);
    in = fdopen(ends[0], "r");
    leave_libc();
    pthread_create(&a, NULL, prints, NULL);
    prints(NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, reads, NULL);
    assert(write(ends[1], "x\n", 2) == 2);
    pthread_join(b, NULL);
    assert(bytes == 4);
    return 0;
}
