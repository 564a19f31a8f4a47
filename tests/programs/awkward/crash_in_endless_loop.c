/* SPDX-License-Identifier: MIT */
/*
 * A thread goes round and round, until another takes away the memory that it looks at: the crash is
 * where it looks, although plait looks first, to compare one round with the next.
 *
 * RUN    plait test -s random -n 3
 * EXPECT crash exit=1 message~SIGSEGV location~@look replay=1
 *
 * RUN    -DON_HEAP plait test -s random -n 3
 * EXPECT crash exit=1 message~SIGSEGV location~@look replay=1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, ROUNDS = 40000 };

#ifndef ON_HEAP
static _Alignas(PAGE) char page[PAGE];
#endif
static volatile int *word;
static atomic_long seen;

static void *look(void *arg)
{
    for (;;)
        seen += *word; /* @look */
    return arg;
}

int main(void)
{
    pthread_t t;

#ifdef ON_HEAP
    char *page = aligned_alloc(PAGE, PAGE);

    if (page == NULL)
        return 2;
    page[0] = 0;
#endif
    word = (volatile int *)page;
    pthread_create(&t, NULL, look, NULL);
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(&seen, 2);
    mprotect(page, PAGE, PROT_NONE);
    return pthread_join(t, NULL);
}
