/* SPDX-License-Identifier: MIT */
/*
 * Two threads map a file, add to a number there, and unmap it, each by a mapping of its own that
 * may be gone before the other's comes; an addition is lost where both are there.  -DREADS has the
 * second look with pread(), which may come between two stores.  Whoever does not find that must not
 * say that the search is complete.  -DALONE gives each thread a file of its own: nothing is
 * lacking.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete
 *
 * RUN    -DREADS plait test -s dpor
 * EXPECT clean incomplete
 *
 * RUN    plait test
 * EXPECT assertion exit=1
 *
 * RUN    -DALONE plait test -s dpor
 * EXPECT clean complete
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int files[2];

static void *add(void *arg)
{
    volatile int *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, *(int *)arg, 0);

    assert(at != MAP_FAILED);
    at[0]++;
    at[1]++;
    assert(munmap((void *)at, 4096) == 0);
    return NULL;
}

static void *look(void *arg)
{
    int seen[2];

    assert(pread(*(int *)arg, seen, sizeof(seen), 0) == sizeof(seen));
    assert(seen[0] == seen[1]);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int sum = 2;

    for (int i = 0; i < 2; i++) {
        files[i] = memfd_create("numbers", 0);
        assert(files[i] >= 0 && ftruncate(files[i], 4096) == 0);
    }
    pthread_create(&a, NULL, add, &files[0]);
#if defined(READS)
    pthread_create(&b, NULL, look, &files[0]);
#elif defined(ALONE)
    pthread_create(&b, NULL, add, &files[1]);
#else
    pthread_create(&b, NULL, add, &files[0]);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    (void)look;
#if !defined(READS) && !defined(ALONE)
    assert(pread(files[0], &sum, sizeof(sum), 0) == sizeof(sum));
#endif
    assert(sum == 2);
    return 0;
}
