/* SPDX-License-Identifier: MIT */
/*
 * strtok(), lrand48() and getopt() keep something between calls without a lock: two threads may
 * find the same token, or draw the same number, since both read it before either has changed it.
 * rand() has a lock.  LOCKED: so have the others.
 *
 * RUN    -DTOKEN plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DNUMBER plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DOPTION plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DOPTION -DLOCKED plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DNUMBER -DLOCKED plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DTOKEN -DLOCKED plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((unused)) static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long got[2];
static char text[] = "a b c d";
__attribute__((unused)) static char *words[] = {"program", "-a", "-b", NULL};

static void *get(void *arg)
{
    long *to = arg;

#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
#if defined(TOKEN)
    *to = (long)strtok(NULL, " ");
#elif defined(NUMBER)
    *to = lrand48();
#elif defined(OPTION)
    *to = getopt(3, words, "ab");
#else
    *to = rand();
#endif
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    strtok(text, " ");
    srand48(1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, get, &got[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(got[0] != got[1]);
    return 0;
}
