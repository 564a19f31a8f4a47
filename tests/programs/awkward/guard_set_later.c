/* SPDX-License-Identifier: MIT */
/*
 * Memory from before the first thread that a thread takes away from itself: what it stores there
 * then fails as it does natively, also where the runner watches such memory, and is handled by the
 * program where it wants to.
 *
 * RUN    plait test -s dpor -- guard
 * EXPECT crash
 *
 * RUN    plait test -s dpor --restart fork -- guard
 * EXPECT crash
 *
 * RUN    plait test -s dpor -- shared
 * EXPECT crash
 *
 * RUN    plait test -s dpor -- fixed
 * EXPECT crash
 *
 * RUN    plait test -s dpor -- moved
 * EXPECT crash
 *
 * RUN    plait test -s dpor -- guard handled
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- shared handled
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- fixed handled
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- moved handled
 * EXPECT clean complete
 *
 * RUN    native -- moved handled
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static const char *how;
static char *page;
static sigjmp_buf back;
static volatile sig_atomic_t faults;

static void on_fault(int signo)
{
    (void)signo;
    faults++;
    siglongjmp(back, 1);
}

static void take_away(void)
{
    if (strcmp(how, "fixed") == 0) {
        assert(mmap(page, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page);
    } else if (strcmp(how, "moved") == 0) {
        char *to = mmap(NULL, 16 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        assert(mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to && *to == 2);
    } else {
        assert(mprotect(page, PAGE, PROT_NONE) == 0);
    }
}

static void *store(void *handled)
{
    take_away();
    if (sigsetjmp(back, 1) == 0)
        *(volatile char *)page = 1;
    assert(handled == NULL || faults == 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;

    how = argv[1];
    if (argc > 2)
        signal(SIGSEGV, on_fault);
    page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
                MAP_ANONYMOUS | (strcmp(how, "shared") == 0 ? MAP_SHARED : MAP_PRIVATE), -1, 0);
    assert(page != MAP_FAILED);
    *page = 2;
    pthread_create(&t, NULL, store, argc > 2 ? page : NULL);
    pthread_join(t, NULL);
    return 0;
}
