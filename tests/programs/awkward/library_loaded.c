/* SPDX-License-Identifier: MIT */
/*
 * A library is loaded during the execution and stays loaded: mappings, the loader's lists, its
 * constructors, descriptors that were open meanwhile.  At the start of each execution it is not
 * there.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;

static void *thread(void *arg)
{
    void *resolver;

    turn++;
    resolver = dlopen("libresolv.so.2", RTLD_NOW | RTLD_GLOBAL);
    assert(resolver != NULL && dlsym(resolver, "ns_put32") != NULL);
    turn++;
    return arg;
}

static void execution(void)
{
    double (*cosine)(double);
    void *library;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD) == NULL); /* @fresh */
    turn++;
    library = dlopen("libm.so.6", RTLD_LAZY);
    assert(library != NULL);
    *(void **)&cosine = dlsym(library, "cos");
    turn++;
    assert(cosine != NULL && cosine(0) == 1);
    assert(pthread_join(t, NULL) == 0);
    assert(dlsym(RTLD_DEFAULT, "ns_put32") != NULL);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
