/* SPDX-License-Identifier: MIT */
/*
 * A format that names its arguments by number: each text is read where it is printed, in the order
 * of the format, so that another thread may come between two of them.  One that is printed twice is
 * read twice, which the search says that it is not about.  -DLOCKED: nobody comes.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@mixed
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@mixed
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFORMAT='"%1$s%1$s%2$.0s"' plait test -s dpor
 * EXPECT clean incomplete ended~printf
 *
 * RUN    -DFORMAT='"%1$s%1$s%2$.0s"' -DLOCKED plait test -s dpor
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#ifndef FORMAT
#define FORMAT "%2$s%1$s"
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char left[2] = "a", right[2] = "a";

static void lock(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}

static void *change(void *arg)
{
    lock();
    right[0] = 'b';
    left[0] = 'b';
    unlock();
    return arg;
}

int main(void)
{
    char text[8];
    pthread_t thread;

    pthread_create(&thread, NULL, change, NULL);
    lock();
    snprintf(text, sizeof(text), FORMAT, left, right);
    unlock();
    pthread_join(thread, NULL);
    assert(!(text[0] == 'a' && text[1] == 'b')); /* @mixed */
    (void)mutex;
    return 0;
}
