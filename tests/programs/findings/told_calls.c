/* SPDX-License-Identifier: MIT */
/*
 * A file is written over in place, and another thread reads it when it is empty.  What decides is
 * that it reads before the other one writes, of all that both do to descriptors, and the calls are
 * told by their names.
 *
 * RUN    plait test
 * EXPECT assertion decides~@reads<@writes
 *
 * RUN    plait test
 * EXPECT assertion decides~calls.read.*before.*calls.write
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *writer(void *arg)
{
    int file = open("told_calls", O_WRONLY | O_CREAT | O_TRUNC, 0600);

    write(file, "new", 3); /* @writes */
    close(file);
    return arg;
}

int main(void)
{
    char text[3];
    pthread_t t;

    writer(NULL);
    pthread_create(&t, NULL, writer, NULL);
    int file = open("told_calls", O_RDONLY);
    long got = read(file, text, sizeof(text)); /* @reads */

    close(file);
    assert(got == 3);
    pthread_join(t, NULL);
    unlink("told_calls");
    return 0;
}
