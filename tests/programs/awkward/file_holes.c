/* SPDX-License-Identifier: MIT */
/*
 * A file from before the threads has a hole and bytes on both sides of it.  A thread makes another
 * hole where there were bytes, and fills the first one.  In every execution each is as it was.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, HOLE = 16 * PAGE, SIZE = 48 * PAGE };

static char name[] = "/tmp/plait-holes-XXXXXX", page[PAGE];
static int file;

static void *change(void *arg)
{
    int again = open(name, O_RDWR);

    assert(again >= 0);
    assert(fallocate(again, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, HOLE) == 0);
    for (int at = HOLE; at < 2 * HOLE; at += PAGE)
        assert(pwrite(again, page, PAGE, at) == PAGE);
    assert(close(again) == 0);
    return arg;
}

static void *look(void *arg)
{
    struct stat st;

    assert(fstat(file, &st) == 0 && st.st_size == SIZE);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    memset(page, 'a', sizeof(page));
    file = mkstemp(name);
    for (int at = 0; at < SIZE; at += PAGE)
        assert(at / HOLE == 1 || pwrite(file, page, PAGE, at) == PAGE);
    assert(lseek(file, 0, SEEK_HOLE) == HOLE && lseek(file, HOLE, SEEK_DATA) == 2 * HOLE);
    assert(lseek(file, 7, SEEK_SET) == 7);
    pthread_create(&t[0], NULL, look, NULL);
    assert(lseek(file, 0, SEEK_CUR) == 7);
    assert(lseek(file, 0, SEEK_HOLE) == HOLE && lseek(file, HOLE, SEEK_DATA) == 2 * HOLE);
    assert(pread(file, page, PAGE, HOLE) == PAGE && page[5] == 0);
    memset(page, 'b', sizeof(page));
    pthread_create(&t[1], NULL, change, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(lseek(file, 0, SEEK_DATA) == HOLE && lseek(file, HOLE, SEEK_HOLE) == SIZE);
    assert(unlink(name) == 0);
    return 0;
}
