/* SPDX-License-Identifier: MIT */
/*
 * A mapping is taken away, or changed, while another thread still uses it: by munmap() (0),
 * mprotect() (1), mremap() (2), another mapping over it (3), or madvise() (4).  With -DJOINED the
 * thread has ended before, so nothing can go wrong, and with -DELSEWHERE it uses another page: one
 * execution is all there is.
 *
 * RUN    -DHOW=0 plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DHOW=0 plait test -s dfs
 * EXPECT crash exit=1
 *
 * RUN    -DHOW=1 plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DHOW=2 plait test -s dpor
 * EXPECT crash exit=1
 *
 * RUN    -DHOW=3 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=4 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=4 plait test -s random -n 500
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=0 -DJOINED plait test -s dpor --detect +race
 * EXPECT clean complete executions=1
 *
 * RUN    -DHOW=0 -DELSEWHERE plait test -s dfs
 * EXPECT clean complete executions=1
 *
 * RUN    -DHOW=4 -DELSEWHERE plait test -s dpor --detect +race
 * EXPECT clean complete executions=1
 *
 * RUN    -DHOW=0 -DJOINED native
 * EXPECT exit=0
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

enum { PAGE = 4096, ACCESS = PROT_READ | PROT_WRITE };

static volatile int *map, *used;
static int seen;

static void *look(void *arg)
{
    seen = *used;
    return arg;
}

static void end(void)
{
    void *start = (void *)map;

#if HOW == 0
    munmap(start, PAGE);
#elif HOW == 1
    mprotect(start, PAGE, PROT_NONE);
#elif HOW == 2
    assert(mremap(start, PAGE, 1 << 20, MREMAP_MAYMOVE) != MAP_FAILED);
#elif HOW == 3
    assert(mmap(start, PAGE, ACCESS, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == start);
#else
    madvise(start, PAGE, MADV_DONTNEED);
#endif
}

int main(void)
{
    pthread_t t;

    map = mmap(NULL, 2 * PAGE, ACCESS, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(map != MAP_FAILED);
#ifdef ELSEWHERE
    used = map + PAGE / sizeof(*map);
#else
    used = map;
#endif
    *used = 1;
    pthread_create(&t, NULL, look, NULL);
#ifndef JOINED
    end();
#endif
    pthread_join(t, NULL);
#ifdef JOINED
    end();
#endif
    assert(seen == 1);
    return 0;
}
