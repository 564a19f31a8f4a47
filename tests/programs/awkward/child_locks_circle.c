/* SPDX-License-Identifier: MIT */
/*
 * A process and its child each have a lock of a file and wait for the other's: one of the two is
 * told EDEADLK, whoever comes last, and gives up what it has.  Which one that is is found, and
 * replays.
 *
 * RUN    plait test -s random --follow-children -n 20
 * EXPECT clean executions=20
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean executions=5
 *
 * RUN    -DBY_CHILD plait test -s random --follow-children -n 40
 * EXPECT assertion message~child
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int file, to_child[2], to_parent[2];

static struct flock at(short type, off_t byte)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
}

/* Whether the kernel refuses the second one, since each waits for the other. */
static bool is_refused(off_t first, int say, int hear, off_t second)
{
    struct flock one = at(F_WRLCK, first), other = at(F_WRLCK, second);
    char byte = 'x';

    assert(fcntl(file, F_SETLKW, &one) == 0);
    assert(write(say, &byte, 1) == 1 && read(hear, &byte, 1) == 1);
    bool refused = fcntl(file, F_SETLKW, &other) != 0;

    assert(!refused || errno == EDEADLK);
    one.l_type = F_UNLCK;
    assert(fcntl(file, F_SETLK, &one) == 0);
    return refused;
}

int main(void)
{
    char name[] = "/tmp/circle-XXXXXX";
    int status;

    file = mkstemp(name);
    unlink(name);
    assert(pipe(to_child) == 0 && pipe(to_parent) == 0);
    pid_t child = fork();

    if (child == 0)
        _exit(is_refused(1, to_parent[1], to_child[0], 0));
    bool refused = is_refused(0, to_child[1], to_parent[0], 1);

    assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
#ifdef BY_CHILD
    assert(refused && "not the child");
#endif
    assert(WEXITSTATUS(status) + refused == 1);
    return 0;
}
