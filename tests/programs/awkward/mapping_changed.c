/* SPDX-License-Identifier: MIT */
/*
 * Memory that was there at the root is unmapped, protected or moved during the execution, as the
 * argument says.  That is no change of its contents, so copying pages back does not undo it.
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
 * RUN    plait test -s random -n 100 --restart rollback -- move
 * EXPECT refused
 *
 * RUN    plait test -s random -n 100 -- protect
 * EXPECT clean executions=100 restart=fork why~mprotect|protect
 *
 * RUN    plait test -s random -n 100 --restart exec -- protect
 * EXPECT clean restart=exec same=5
 *
 * RUN    plait test -s random -n 100 -- move
 * EXPECT clean executions=100 restart=fork why~mremap|mapp|mov
 *
 * RUN    plait test -s random -n 100 --restart exec -- move
 * EXPECT clean restart=exec same=7
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=139
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 64 << 10 };

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
static const char *how = "unmap";
static char *volatile p;

static void change(void)
{
    if (strcmp(how, "protect") == 0)
        assert(mprotect(p, SIZE, PROT_NONE) == 0);
    else if (strcmp(how, "move") == 0)
        assert(mremap(p, SIZE, 2 * SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, p + 8 * SIZE) != p);
    else
        assert(munmap(p, SIZE) == 0);
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&start);
    assert(p[SIZE - 1] == 1);
    pthread_mutex_unlock(&start);
    return arg;
}

static void execution(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, reader, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    change(); /* after this, and without a restart, a reader gets SIGSEGV */
}

int main(int argc, char **argv)
{
    if (argc > 1)
        how = argv[1];
    p = mmap((void *)0x100000000000, SIZE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert(p != MAP_FAILED);
    memset(p, 1, SIZE);
    execution();
    if (strcmp(how, "twice") == 0)
        execution();
    return 0;
}
