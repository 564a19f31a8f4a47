/* SPDX-License-Identifier: MIT */
/*
 * Children that wait for each other, or for the program that waits for them: for the end of a pipe
 * whose other end somebody still has (`held`, and `both`, where each of two children has that of
 * the other), for room in a pipe that nobody empties (`full`), for a signal that nobody sends
 * (`paused`).  `filter` is `full` with another program.  Right are a thread that closes the pipe
 * later (`later`), two children that talk with each other (`talk`) and a child with an alarm
 * (`alarm`).
 *
 * RUN    plait test --no-minimize -n 50 -- held
 * EXPECT deadlock
 *
 * RUN    plait test --no-minimize -s dpor -- both
 * EXPECT deadlock
 *
 * RUN    plait test --no-minimize --restart exec -n 5 -- full
 * EXPECT deadlock
 *
 * RUN    plait test --no-minimize --carrier thread -n 5 -- paused
 * EXPECT deadlock
 *
 * RUN    plait test --no-minimize -n 5 -- filter
 * EXPECT deadlock
 *
 * RUN    plait test -s dpor -- later
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- talk
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 2 -- alarm
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MUCH = 300000, ROUNDS = 50 };
static const char *way;
static char all[MUCH];

static bool is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void ends_well(pid_t child)
{
    int status;

    assert(waitpid(child, &status, 0) == child && status == 0);
}

/* Reads to the end, and is waited for; the write end is closed too late, or by the alarm's time. */
static void *read_to_end(void *arg)
{
    int fds[2], status;
    char c;

    assert(pipe(fds) == 0);
    pid_t child = fork();
    if (child == 0) {
        if (!is("alarm"))
            close(fds[1]);
        else
            alarm(1);
        while (read(fds[0], &c, 1) == 1)
            ;
        _exit(0);
    }
    close(fds[0]);
    if (is("both"))
        close(fds[1]);
    assert(waitpid(child, &status, 0) == child);
    assert(is("alarm") ? WIFSIGNALED(status) : status == 0);
    if (!is("both"))
        close(fds[1]);
    return arg;
}

static void copy(int from, int to)
{
    char block[4096];
    ssize_t n;

    while ((n = read(from, block, sizeof(block))) > 0)
        assert(write(to, block, (size_t)n) == n);
    _exit(0);
}

/* All is written before anything is read. */
static void *write_first(void *arg)
{
    int there[2], back[2];

    assert(pipe(there) == 0 && pipe(back) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(there[0], 0);
        dup2(back[1], 1);
        for (int fd = 3; fd < 64; fd++)
            close(fd);
        if (is("filter"))
            execlp("cat", "cat", NULL);
        copy(0, 1);
    }
    close(there[0]);
    close(back[1]);
    assert(write(there[1], all, MUCH) == MUCH);
    close(there[1]);
    while (read(back[0], all, MUCH) > 0)
        ;
    close(back[0]);
    ends_well(child);
    return arg;
}

static void *wait_for_paused(void *arg)
{
    pid_t child = fork();

    while (child == 0)
        pause();
    ends_well(child);
    return arg;
}

static int later[2];

static void *close_later(void *arg)
{
    sleep(1);
    close(later[1]);
    return arg;
}

static void *wait_for_reader(void *arg)
{
    pthread_t closer;
    char c;

    assert(pipe(later) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(later[1]);
        _exit(read(later[0], &c, 1) == 0 ? 0 : 1);
    }
    pthread_create(&closer, NULL, close_later, NULL);
    ends_well(child);
    pthread_join(closer, NULL);
    close(later[0]);
    return arg;
}

static void *wait_for_talkers(void *arg)
{
    int there[2], back[2];
    char c = 'x';

    assert(pipe(there) == 0 && pipe(back) == 0);
    pid_t first = fork();
    for (int i = 0; first == 0 && i < ROUNDS; i++)
        assert(write(there[1], &c, 1) == 1 && read(back[0], &c, 1) == 1);
    pid_t second = first == 0 ? 0 : fork();
    for (int i = 0; first != 0 && second == 0 && i < ROUNDS; i++)
        assert(read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1);
    if (second == 0)
        _exit(0);
    ends_well(first);
    ends_well(second);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    assert(argc == 2);
    way = argv[1];
    void *(*does)(void *) = is("full") || is("filter") ? write_first
                            : is("paused")             ? wait_for_paused
                            : is("later")              ? wait_for_reader
                            : is("talk")               ? wait_for_talkers
                                                       : read_to_end;

    pthread_create(&a, NULL, does, NULL);
    if (is("both"))
        pthread_create(&b, NULL, does, NULL);
    pthread_join(a, NULL);
    if (is("both"))
        pthread_join(b, NULL);
    return 0;
}
