/* SPDX-License-Identifier: MIT */
/*
 * A file is opened before the root and read during the execution, by read() and by stdio, whose
 * buffer has already some of it.  Where the next byte comes from is known to the kernel, and
 * forked processes share it; it is the same at the start of every execution.
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
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fd;
static FILE *stream;
static atomic_int turn;

static void *thread(void *arg)
{
    char magic[4];

    turn++;
    assert(pread(fd, magic, sizeof(magic), 0) == sizeof(magic));
    assert(memcmp(magic, "\177ELF", sizeof(magic)) == 0);
    turn++;
    return arg;
}

static void execution(void)
{
    char magic[3], rest[64];
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(lseek(fd, 0, SEEK_CUR) == 1); /* @fresh */
    assert(read(fd, magic, sizeof(magic)) == sizeof(magic));
    assert(memcmp(magic, "ELF", sizeof(magic)) == 0);
    turn++;
    assert(ftell(stream) == 2 && fgetc(stream) == 'L' && fgetc(stream) == 'F');
    assert(fread(rest, 1, sizeof(rest), stream) == sizeof(rest));
    assert(fseek(stream, -1, SEEK_END) == 0 && fgetc(stream) != EOF && fgetc(stream) == EOF);
    assert(feof(stream));
    turn++;
    assert(lseek(fd, 1000, SEEK_SET) == 1000);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    char first;

    fd = open(argv[0], O_RDONLY);
    assert(fd >= 0 && read(fd, &first, 1) == 1 && first == '\177');
    stream = fopen(argv[0], "r");
    assert(stream != NULL && fgetc(stream) == '\177' && fgetc(stream) == 'E');
    execution();
    if (argc > 1)
        execution();
    return 0;
}
