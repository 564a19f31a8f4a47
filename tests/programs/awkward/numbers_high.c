/* SPDX-License-Identifier: MIT */
/*
 * A pipe from before the first thread whose ends have high numbers, as they have in a program with
 * many files: each execution begins with an empty one, and the end that is closed last ends it.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { HIGH = 300 };

static int in, out;

static void *writer(void *arg)
{
    assert(write(out, "x", 1) == 1);
    close(out);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int ends[2];
    char c;

    assert(pipe(ends) == 0);
    in = fcntl(ends[0], F_DUPFD, HIGH);
    out = fcntl(ends[1], F_DUPFD, HIGH);
    assert(in >= HIGH && out > in);
    close(ends[0]);
    close(ends[1]);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(in, &c, 1) == 1 && c == 'x');
    assert(read(in, &c, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
