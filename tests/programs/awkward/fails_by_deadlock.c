/* SPDX-License-Identifier: MIT */
/*
 * A deadlock while text is pending and a stream is locked, in some interleavings.  Where there
 * is none, all of the text is printed, and none of an execution before.
 *
 * OUTPUT begun
 * OUTPUT first
 * OUTPUT second
 *
 * RUN    plait test -s pos -k -n 100 --check='[ "$(sort)" = "$(sort %t/expected)" ]'
 * EXPECT deadlock threads=2 failures=1-99 executions=100 restart=rollback replay=1
 *
 * RUN    plait test -s pos -k -n 100 --no-minimize --restart fork \
 *        --check='[ "$(sort)" = "$(sort %t/expected)" ]'
 * EXPECT deadlock restart=fork same=1 replay=1
 *
 * RUN    plait test -s pos -k -n 40 --check='[ "$(sort)" = "$(sort %t/expected)" ]'
 * EXPECT deadlock failures=1-39 replay=1
 *
 * RUN    plait test -s pos -k -n 40 --no-minimize --restart exec \
 *        --check='[ "$(sort)" = "$(sort %t/expected)" ]'
 * EXPECT deadlock restart=exec same=3 replay=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    flockfile(stdout);
    pthread_mutex_lock(&mutex);
    puts("first");
    pthread_mutex_unlock(&mutex);
    funlockfile(stdout);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&mutex);
    puts("second"); /* waits for whoever has locked the stream */
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    puts("begun");
    assert(pthread_create(&t[0], NULL, first, NULL) == 0);
    assert(pthread_create(&t[1], NULL, second, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    return 0;
}
