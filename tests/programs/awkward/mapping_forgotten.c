/* SPDX-License-Identifier: MIT */
/*
 * madvise(MADV_DONTNEED) empties pages without writing to them.  What was in them at the root
 * must be there again in the next execution, whether the page was emptied only, emptied and
 * written, or written and emptied.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|fork why~madvise|forg|memory
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
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *pages;

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    pages[2 * PAGE] = 5;
    pages[3 * PAGE] = 5;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void execution(void)
{
    pthread_t t;

    pthread_mutex_lock(&lock);
    assert(pthread_create(&t, NULL, writer, NULL) == 0);
    for (int i = 0; i < PAGES; i++)
        assert(pages[i * PAGE] == i % 100 && pages[i * PAGE + PAGE - 1] == 7); /* @fresh */
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(madvise(pages, PAGES / 2 * PAGE, MADV_DONTNEED) == 0);
    assert(pages[PAGE] == 0 && pages[2 * PAGE + PAGE - 1] == 0);
    pages[4 * PAGE] = 6;
    pthread_mutex_unlock(&lock);
    assert(pthread_join(t, NULL) == 0);
    assert(pages[2 * PAGE] == 0 || pages[2 * PAGE] == 5);
    assert(pages[PAGES / 2 * PAGE + 1] == 7);
}

int main(int argc, char **argv)
{
    (void)argv;
    pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(pages != MAP_FAILED);
    memset(pages, 7, PAGES * PAGE);
    for (int i = 0; i < PAGES; i++)
        pages[i * PAGE] = (char)(i % 100);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
