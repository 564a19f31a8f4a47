/* SPDX-License-Identifier: MIT */
/*
 * The program changes to another folder and stays there.  In which folder a process is belongs
 * to the process, not to its memory: each execution must begin where the program was started.
 * The argument `handle` changes by a descriptor.
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
 * RUN    plait test -s random -n 100 --restart rollback
 * EXPECT clean restart=rollback same=1
 *
 * RUN    plait test -s random -n 100 -- handle
 * EXPECT clean executions=100 restart=rollback
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
#include <string.h>
#include <unistd.h>

static char home[4096];
static int root;
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    char now[sizeof(home)];
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(getcwd(now, sizeof(now)) != NULL && strcmp(now, home) == 0); /* @fresh */
    turn++;
    assert((root > 0 ? fchdir(root) : chdir("/")) == 0);
    turn++;
    assert(getcwd(now, sizeof(now)) != NULL && strcmp(now, "/") == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";

    assert(getcwd(home, sizeof(home)) != NULL);
    if (strcmp(how, "handle") == 0)
        root = open("/", O_RDONLY | O_DIRECTORY);
    execution();
    if (strcmp(how, "twice") == 0)
        execution();
    return 0;
}
