/* SPDX-License-Identifier: MIT */
/*
 * Who owns a file that has no name any more and was open before the first thread, what may be done
 * with it and when it was changed: each execution finds it as it was, and a watch on files has the
 * first number again.  Memory that is given back in part and then protected is no obstacle to what
 * lies behind it.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean restart=exec
 *
 * RUN    -DMEMORY plait test -s random -n 20
 * EXPECT clean restart=fork
 *
 * RUN    -DMEMORY -DLASTS plait test -s random -n 20
 * EXPECT clean restart=exec
 *
 * RUN    -DWATCH plait test -s random -n 20
 * EXPECT clean restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { PAGE = 4096, THEN = 7 };

static atomic_int turns;

#if defined MEMORY

static char *pages;
static sigjmp_buf back;

static void refused(int number)
{
    siglongjmp(back, number);
}

/* What lies behind the pages is libc's, which must go on. */
static void *changer(void *arg)
{
    assert(pages[0] == 1 && pages[PAGE] == 2);
    munmap(pages + PAGE, PAGE);
    mprotect(pages, PAGE, PROT_READ);
#ifdef LASTS
    setxattr("/tmp/plait-no-such-file", "user.plait", "x", 1, 0);
#endif
    if (sigsetjmp(back, 1) == 0) {
        *(volatile char *)pages = 3;
        abort();
    }
    assert(pages[0] == 1);
    return arg;
}

static void prepare(void)
{
    signal(SIGSEGV, refused);
    pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[0] = 1;
    pages[PAGE] = 2;
}

#elif defined WATCH

static int watch;

static void *changer(void *arg)
{
    assert(inotify_add_watch(watch, "/", IN_DELETE_SELF) == 1);
    return arg;
}

static void prepare(void)
{
    watch = inotify_init1(0);
}

#else

static int file;

static void *changer(void *arg)
{
    const struct timespec then[2] = {{THEN, 0}, {THEN, 0}};
    struct stat st;

    assert(fstat(file, &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_mtime != THEN);
    fchmod(file, 0400);
    futimens(file, then);
    return arg;
}

static void prepare(void)
{
    char name[] = "/tmp/plait-about-XXXXXX";

    file = mkstemp(name);
    unlink(name);
}

#endif

static void *other(void *arg)
{
    turns++;
    turns++;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    prepare();
    pthread_create(&a, NULL, changer, NULL);
    pthread_create(&b, NULL, other, NULL);
    turns++;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(malloc(100000));
    return 0;
}
