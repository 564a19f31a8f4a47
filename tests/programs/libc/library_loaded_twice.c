/* SPDX-License-Identifier: MIT */
/*
 * Two threads load and unload a library, and a third is made meanwhile, for which libc takes a lock
 * that whoever loads has.
 *
 * RUN    -ldl plait test -s random -n 30
 * EXPECT clean executions=30
 *
 * RUN    -ldl plait test -s random -n 10 --restart exec
 * EXPECT clean executions=10
 *
 * RUN    -ldl plait test -s random -n 10 --restart fork
 * EXPECT clean executions=10
 *
 * RUN    -ldl plait test -s random -n 10 --carrier thread
 * EXPECT clean executions=10
 *
 * RUN    -ldl plait test -s random -n 10 --carrier thread --restart exec
 * EXPECT clean executions=10
 *
 * RUN    -ldl native
 * EXPECT exit=0
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void *load(void *arg)
{
    void *library = dlopen("libm.so.6", RTLD_NOW);
    double (*root)(double);

    assert(library != NULL);
    *(void **)&root = dlsym(library, "sqrt");
    assert(root != NULL && root(9.0) == 3.0 && dlclose(library) == 0);
    return arg;
}

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    void *(*const all[])(void *) = {load, load, nothing};
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        assert(pthread_create(&threads[i], NULL, all[i], NULL) == 0);
    for (int i = 0; i < 3; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    return 0;
}
