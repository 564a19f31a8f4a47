/* SPDX-License-Identifier: MIT */
/*
 * The first thread is created while main holds a recursive lock of libc, the loader's: in a
 * callback of dl_iterate_phdr().  Both threads want it again later, and a library is loaded at the
 * end.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 50 --carrier thread
 * EXPECT clean exit=0
 *
 * RUN    -DWRONG=1 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int count(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)info, (void)size;
    ++*(int *)arg;
    return 0;
}

static void *run(void *arg)
{
    int modules = 0;

    dl_iterate_phdr(count, &modules);
    assert(modules > 0);
#ifndef WRONG
    pthread_mutex_lock(&m);
#endif
    int seen = n;
    n = seen + 1;
#ifndef WRONG
    pthread_mutex_unlock(&m);
#endif
    return arg;
}

static int start(struct dl_phdr_info *info, size_t size, void *thread)
{
    (void)info, (void)size;
    return pthread_create(thread, NULL, run, NULL) == 0;
}

int main(void)
{
    pthread_t thread;

    if (dl_iterate_phdr(start, &thread) != 1)
        return 0;
    run(NULL);
    pthread_join(thread, NULL);
    assert(n == 2);
    void *library = dlopen("libm.so.6", RTLD_NOW);

    assert(library != NULL && dlsym(library, "cos") != NULL);
    dlclose(library);
    return 0;
}
