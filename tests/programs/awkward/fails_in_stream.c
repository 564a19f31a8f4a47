/* SPDX-License-Identifier: MIT */
/*
 * An assertion fails inside libc: in a function that a stream calls to get rid of its buffer,
 * while libc holds that stream's lock and the buffer is half way out.  The executions after it
 * print to the same stream.
 *
 * RUN    plait test -s random -k -n 100
 * EXPECT assertion location~@bug failures=1-99 executions=100 restart=rollback replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart fork
 * EXPECT assertion location~@bug restart=fork same=1 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart exec
 * EXPECT assertion location~@bug restart=exec same=1 replay=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int broken, lines;
static FILE *stream;

static ssize_t put(void *cookie, const char *text, size_t size)
{
    (void)cookie;
    assert(!broken); /* @bug */
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return (ssize_t)size;
}

static void *writer(void *arg)
{
    for (int i = 0; i < 2; i++)
        fprintf(stream, "line %d\n", i);
    assert(fflush(stream) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
    assert(stream != NULL);
    fprintf(stream, "begun\n"); /* pending at the root */
    assert(pthread_create(&t, NULL, writer, NULL) == 0);
    broken = 1;
    broken = 0;
    assert(pthread_join(t, NULL) == 0);
    assert(fclose(stream) == 0 && lines == 3); /* and none of another execution */
    return 0;
}
