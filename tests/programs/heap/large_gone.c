/* SPDX-License-Identifier: MIT */
/*
 * A large range of memory that is given back is an operation on what others use of it: all of it
 * is more than dpor remembers of one operation, and its search ended there.
 *
 * RUN    plait test -s dpor
 * EXPECT use-after-free location~@used exit=1 replay=identical
 *
 * RUN    -DMAPPED plait test -s dpor
 * EXPECT crash location~@used exit=1 replay=identical
 *
 * RUN    -DMAPPED plait test -s dfs
 * EXPECT crash location~@used exit=1
 *
 * RUN    -DKEPT plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DKEPT -DMAPPED plait test -s dpor
 * EXPECT clean complete exit=0
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SIZE = 3 << 20, PLACE = 1 << 20 };

#ifdef KEPT
#define IS_KEPT true
#else
#define IS_KEPT false
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *volatile buffer;
static volatile int seen;

static void *use(void *arg)
{
    if (IS_KEPT)
        pthread_mutex_lock(&mutex);
    const char *b = buffer;

    if (b != NULL)
        seen = b[PLACE]; /* @used */
    if (IS_KEPT)
        pthread_mutex_unlock(&mutex);
    return arg;
}

static char *make(void)
{
#ifdef MAPPED
    return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#else
    return calloc(1, SIZE);
#endif
}

static void end(char *b)
{
#ifdef MAPPED
    munmap(b, SIZE);
#else
    free(b);
#endif
}

int main(void)
{
    pthread_t thread;

    buffer = make();
    buffer[PLACE] = 1;
    pthread_create(&thread, NULL, use, NULL);
    if (IS_KEPT)
        pthread_mutex_lock(&mutex);
    char *b = buffer;

    buffer = NULL;
    end(b);
    if (IS_KEPT)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
