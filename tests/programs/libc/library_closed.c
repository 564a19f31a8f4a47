/* SPDX-License-Identifier: MIT */
/*
 * Closing a library takes its memory away, which others may still use: an order with each of their
 * accesses.  -DKEPT: under a mutex, and nobody uses it then; that its code may be gone is said.
 *
 * RUN    -ldl plait test -s dpor
 * EXPECT crash location~@used exit=1 replay=identical
 *
 * RUN    -ldl plait test -s dfs
 * EXPECT crash location~@used exit=1
 *
 * RUN    -DKEPT -ldl plait test -s dpor
 * EXPECT clean incomplete exit=0
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#ifdef KEPT
#define IS_KEPT 1
#else
#define IS_KEPT 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *volatile number;
static int seen;

static void *use(void *arg)
{
    if (IS_KEPT)
        pthread_mutex_lock(&mutex);
    const int *p = number;

    if (p != NULL)
        seen = *p; /* @used */
    if (IS_KEPT)
        pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    void *library = dlopen("libm.so.6", RTLD_NOW);
    pthread_t thread;

    number = library != NULL ? (int *)dlsym(library, "signgam") : NULL;
    if (number == NULL)
        return 1;
    pthread_create(&thread, NULL, use, NULL);
    if (IS_KEPT)
        pthread_mutex_lock(&mutex);
    number = NULL;
    dlclose(library);
    if (IS_KEPT)
        pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen;
}
