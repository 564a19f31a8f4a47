/* SPDX-License-Identifier: MIT */
/*
 * Memory mapped with MAP_SHARED before the root is the same memory in every forked process, and
 * more of it is written to in some executions than in others: nothing of that is there in the next
 * one.  `file`: it is that of a file, which is written to by its descriptor as well, cut, and
 * mapped once more.  `twice`: it was mapped twice before; only a program that starts anew is fresh
 * then.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 30 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 30 --restart fork
 * EXPECT clean restart=fork same=2
 *
 * RUN    plait test -s random -n 30 --carrier thread
 * EXPECT clean executions=30
 *
 * RUN    plait test -s random -n 30 -- file
 * EXPECT clean executions=30 restart=rollback
 *
 * RUN    plait test -s random -n 30 --restart fork -- file
 * EXPECT clean executions=30
 *
 * RUN    plait test -s random -n 20 -- spoil
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    plait test -s random -n 20 -- twice
 * EXPECT clean executions=20 restart=exec why~shared
 *
 * RUN    plait test -s random -n 20 --restart fork -- twice
 * EXPECT refused
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native file
 * EXPECT exit=0
 *
 * RUN    native again
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 4 };

static atomic_int *counter, *again;
static char *page;
static int file = -1;
static bool spoils;

static void *thread(void *arg)
{
    int n = ++*counter;

    /* Which page it is depends on who comes first; the kernel writes there, too. */
    assert(page[PAGE * n] == 0); /* @fresh */
    if (arg != NULL && spoils)
        assert(mlock(page, 1) == 0);
    page[PAGE * n] = arg != NULL ? 'a' : 'b';
    assert(readlink("/proc/self/exe", page + PAGE * n + 8, 64) > 0);
    return NULL;
}

static void change_file(void)
{
    char was[8];

    assert(pread(file, was, 8, PAGE * 3) == 8 && memcmp(was, "written\0", 8) == 0);
    assert(pwrite(file, "changed", 7, PAGE * 3) == 7);
    assert(memcmp(page + PAGE * 3, "changed", 7) == 0);
    page[PAGE * 3] = 'C';
    char *other = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, PAGE * 3);

    assert(other != MAP_FAILED && other[0] == 'C');
    other[1] = 'H';
    assert(page[PAGE * 3 + 1] == 'H');
    assert(ftruncate(file, PAGE) == 0);
}

static void execution(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, thread, i == 0 ? NULL : t) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(*counter == 2); /* @fresh */
    if (file >= 0)
        change_file();
    if (again != NULL)
        assert(++*again == 3);
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/plait-shared-XXXXXX";
    bool twice = argc > 1 && strcmp(argv[1], "twice") == 0;

    spoils = argc > 1 && strcmp(argv[1], "spoil") == 0;
    if (argc > 1 && (twice || strcmp(argv[1], "file") == 0)) {
        file = mkstemp(path);
        assert(file >= 0 && unlink(path) == 0 && ftruncate(file, PAGES * PAGE) == 0);
        assert(pwrite(file, "written", 7, PAGE * 3) == 7);
    }
    page = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                file >= 0 ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS, file, 0);
    assert(page != MAP_FAILED);
    counter = (atomic_int *)page;
    if (twice) {
        again = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        assert(again != MAP_FAILED);
        file = -1;
    }
    execution();
    if (argc > 1 && strcmp(argv[1], "again") == 0)
        execution();
    return 0;
}
