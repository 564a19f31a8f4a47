/* SPDX-License-Identifier: MIT */
/*
 * What a call sends the kernel reads in steps, so another thread may come between two of them. Here
 * it is read at once: the search is complete but for that, unless a lock keeps the other away.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean incomplete ended~but.for.the.system.call.write.at
 *
 * RUN    -DVECTOR plait test -s dpor --outputs
 * EXPECT clean incomplete ended~but.for.the.system.call.writev.at
 *
 * RUN    -DLIST plait test -s dpor --outputs
 * EXPECT clean incomplete ended~but.for.the.system.call.writev.at
 *
 * RUN    -DLOCKED plait test -s dpor --outputs
 * EXPECT clean complete outputs=a.a,b.b
 *
 * RUN    -DLOCKED -DVECTOR plait test -s dpor --outputs
 * EXPECT clean complete outputs=a.a,b.b
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef LOCKED
static const int locked = 1;
#else
static const int locked = 0;
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[16] = "a.......a", other[16] = "b.......b";
struct iovec list[] = {{text, 8}, {text + 8, 1}};
static int ends[2];

static void lock(int (*how)(pthread_mutex_t *))
{
    if (locked)
        how(&mutex);
}

static void *send_it(void *arg)
{
    lock(pthread_mutex_lock);
#ifdef LIST
    assert(writev(ends[1], list, 2) == 9);
#elif defined(VECTOR)
    struct iovec one = {text, 9};

    assert(writev(ends[1], &one, 1) == 9);
#else
    assert(write(ends[1], text, 9) == 9);
#endif
    lock(pthread_mutex_unlock);
    return arg;
}

static void *change_it(void *arg)
{
    lock(pthread_mutex_lock);
#ifdef LIST
    __atomic_store_n(&list[0].iov_base, (void *)other, __ATOMIC_RELAXED);
    __atomic_store_n(&list[1].iov_base, (void *)(other + 8), __ATOMIC_RELAXED);
#else
    __atomic_store_n(&text[0], other[0], __ATOMIC_RELAXED);
    __atomic_store_n(&text[8], other[8], __ATOMIC_RELAXED);
#endif
    lock(pthread_mutex_unlock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    char got[9];

    assert(pipe(ends) == 0);
    pthread_create(&a, NULL, send_it, NULL);
    pthread_create(&b, NULL, change_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(read(ends[0], got, 9) == 9);
    printf("%c.%c\n", got[0], got[8]);
    return 0;
}
