/* SPDX-License-Identifier: MIT */
/*
 * A thread limits memory and descriptors, and starts programs: by posix_spawn(), where to look for
 * them or not, by system() and popen().  All of them have its limits, soft and hard, and their own
 * names; what cannot be executed cannot.
 *
 * RUN    plait test -s random -n 2
 * EXPECT clean
 *
 * RUN    plait test -s random -n 2 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random --follow-children -n 2
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 2
 * EXPECT clean executions=2
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void wait_for(pid_t pid)
{
    int status;

    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *run(void *unused)
{
    static const char command[] =
        "test \"$(ulimit -v)\" = 307200 && test \"$(ulimit -Hv)\" = 409600 && "
        "test \"$(ulimit -n)\" = 200 && test \"$(ulimit -Hn)\" = 300 && test $0 = name";
    char *const words[] = {(char *)"own", (char *)"-c", (char *)command, (char *)"name", NULL};
    const struct rlimit memory = {300 << 20, 400 << 20}, descriptors = {200, 300};
    char text[64] = "";
    pid_t pid;

    assert(setrlimit(RLIMIT_AS, &memory) == 0 && setrlimit(RLIMIT_NOFILE, &descriptors) == 0);
    assert(posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ) == 0);
    wait_for(pid);
    assert(posix_spawnp(&pid, "sh", NULL, NULL, words, environ) == 0);
    wait_for(pid);
    assert(posix_spawn(&pid, "/bin/none", NULL, NULL, words, environ) == ENOENT);
    assert(system("test \"$(ulimit -v)\" = 307200") == 0);
    FILE *f = popen("ulimit -Hv", "r");

    assert(fgets(text, sizeof(text), f) != NULL && strcmp(text, "409600\n") == 0);
    assert(pclose(f) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
