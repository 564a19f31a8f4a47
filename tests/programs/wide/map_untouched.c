/* SPDX-License-Identifier: MIT */
/*
 * One thread gives pages back that nobody has touched since there are threads, another one reads
 * them: it finds what was there, or nothing.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=0,7
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=0,7
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

enum { SIZE = 4096 };

static char *page;

static void *give_back(void *arg)
{
    assert(madvise(page, SIZE, MADV_DONTNEED) == 0);
    return arg;
}

static void *look(void *arg)
{
    printf("%d\n", *(volatile char *)page);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED);
    page[0] = 7;
    pthread_create(&a, NULL, give_back, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
