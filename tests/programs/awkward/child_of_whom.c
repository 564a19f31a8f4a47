/* SPDX-License-Identifier: MIT */
/*
 * What stands below /proc about a child has the number that its parent knows as its own, also for
 * the child.  And what the parent has of time, an instruction that faults, the child has not.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    plait test --follow-children -n 5
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

static int shared;

static void *work(void *unused)
{
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static long in_status(pid_t pid)
{
    char path[64], line[256];
    long parent = -1;

    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *f = fopen(path, "r");

    assert(f != NULL);
    while (fgets(line, sizeof(line), f) != NULL) {
        if (strncmp(line, "PPid:", 5) == 0)
            parent = atol(line + 5);
    }
    fclose(f);
    return parent;
}

static long in_stat(pid_t pid)
{
    char path[64], name[64], state;
    int number, parent = -1;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");

    assert(f != NULL && fscanf(f, "%d %63s %c %d", &number, name, &state, &parent) == 4);
    fclose(f);
    assert(number == pid);
    return parent;
}

int main(void)
{
    pthread_t thread;
    int wait[2], status;

    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    assert(pipe(wait) == 0);
    pid_t child = fork();

    if (child == 0) {
        char c;

        close(wait[1]);
        assert(in_status(getpid()) == getppid() && in_stat(getpid()) == getppid());
        _exit(__rdtsc() != 0 && read(wait[0], &c, 1) == 0 ? 0 : 1);
    }
    assert(in_status(child) == getpid() && in_stat(child) == getpid());
    assert(__rdtsc() != 0 && system("true") == 0);
    close(wait[1]);
    assert(waitpid(child, &status, 0) == child && status == 0);
    pthread_join(thread, NULL);
    return 0;
}
