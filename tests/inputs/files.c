/* SPDX-License-Identifier: MIT */
/*
 * Reads files in every way: before its first thread and in threads, through
 * stdio, read(), lseek(), mmap(), stat(); one is missing, one is written.  With
 * some interleavings the sum comes out wrong.  Workers are in the same folder: with
 * SHARED none of them empties the file that another is about to read.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int sum;

static void add(int n)
{
    int old = sum; /* the bug */

    sum = old + n;
}

static int by_stdio(const char *path)
{
    char line[32];
    FILE *f = fopen(path, "r");

    assert(f != NULL && fgets(line, sizeof(line), f) != NULL);
    assert(fileno(f) >= 0);
    fclose(f);
    return atoi(line);
}

static int by_reading(const char *path)
{
    char all[32] = "";
    struct stat st, by_path;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    assert(fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode));
    assert(stat(path, &by_path) == 0 && by_path.st_size == st.st_size);
    assert(lseek(fd, 0, SEEK_END) == st.st_size && lseek(fd, 0, SEEK_SET) == 0);
    assert(read(fd, all, sizeof(all)) == st.st_size);
    assert(write(fd, all, 1) < 0 && errno == EBADF);
    close(fd);
    return atoi(all);
}

static int by_mapping(const char *path)
{
    int fd = open(path, O_RDONLY);
    char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

    assert(fd >= 0 && p != MAP_FAILED);
    int n = atoi(p);

    munmap(p, 4096);
    close(fd);
    return n;
}

static void *first(void *arg)
{
    add(by_stdio("first.txt"));
    return arg;
}

static void *second(void *arg)
{
    add(by_reading("second.txt"));
    add(by_mapping("second.txt"));
    return arg;
}

int main(int argc, char **argv)
{
    const char *more = getenv("MORE");
    int expected = by_stdio(argc > 1 ? argv[1] : "expected.txt") + (more ? atoi(more) : 0);
    pthread_t a, b;

    assert(open("missing.txt", O_RDONLY) < 0 && errno == ENOENT);
    assert(access("missing.txt", R_OK) < 0 && errno == ENOENT);
    FILE *out = fopen("written.txt", getenv("SHARED") ? "a" : "w");

    assert(out != NULL && fputs("new\n", out) >= 0 && fclose(out) == 0);
    assert(by_stdio("written.txt") == 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == expected);
    return 0;
}
