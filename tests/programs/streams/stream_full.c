/* SPDX-License-Identifier: MIT */
/*
 * A thread that prints more than a pipe holds waits inside libc until somebody reads: others go on,
 * those who want the FILE wait for it, a child that is forked meanwhile has it for itself, and a
 * cancellation ends the wait.
 *
 * RUN    plait test -s noise -n 10 --hang-time 5s
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MUCH = 140000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char much[MUCH + 1];
static int ends[2], got;
static FILE *out;

static void *print(void *arg)
{
    fprintf(out, "%s", much);
    return arg;
}

static void *read_all(void *arg)
{
    char piece[8192];
    ssize_t n;

    while ((n = read(ends[0], piece, sizeof(piece))) > 0) {
        pthread_mutex_lock(&mutex);
        got += (int)n;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

/* Two who print, one who reads; and a child that prints while one of them may be at it. */
static void print_and_read(void)
{
    pthread_t one, reader;
    int status;

    assert(pipe(ends) == 0);
    out = fdopen(ends[1], "w");
    setvbuf(out, NULL, _IONBF, 0);
    pthread_create(&one, NULL, print, NULL);
    pid_t child = fork();

    if (child == 0) {
        fputs("abc", out);
        _exit(0);
    }
    pthread_create(&reader, NULL, read_all, NULL);
    print(NULL);
    assert(waitpid(child, &status, 0) == child && status == 0);
    pthread_join(one, NULL);
    fclose(out);
    pthread_join(reader, NULL);
    assert(got == 2 * MUCH + 3);
}

static void *lock_twice(void *arg)
{
    struct flock lock = {.l_type = F_WRLCK, .l_len = 1};
    int file = memfd_create("locked", 0);
    char path[40];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    int other = open(path, O_RDWR);

    fcntl(file, F_OFD_SETLKW, &lock);
    fcntl(other, F_OFD_SETLKW, &lock);
    return arg;
}

static void cancel(void *(*function)(void *))
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, function, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
}

int main(void)
{
    memset(much, 'x', MUCH);
    print_and_read();
    assert(pipe(ends) == 0);
    out = fdopen(ends[1], "w");
    cancel(print);
    assert(!ferror(out));
    cancel(lock_twice);
    return 0;
}
