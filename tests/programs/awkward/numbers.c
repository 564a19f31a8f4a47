/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the process and of its threads are those that the kernel, /proc, children and signals
 * know, the same before and after the first thread; what a thread says about itself is its own.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 2 };

static pid_t self, parent, numbers[THREADS];
static pthread_barrier_t all;

static unsigned listed(const char *path, const pid_t *wanted, unsigned n)
{
    DIR *folder = opendir(path);
    unsigned found = 0, entries = 0;

    assert(folder != NULL);
    for (const struct dirent *e; (e = readdir(folder)) != NULL;) {
        entries += e->d_name[0] != '.';
        for (unsigned i = 0; i < n; i++)
            found += atoi(e->d_name) == wanted[i];
    }
    closedir(folder);
    assert(found == n);
    return entries;
}

static void look(pid_t tid)
{
    char path[64], text[64] = "";
    cpu_set_t one, other;

    assert(getpid() == self && getppid() == parent);
    assert(syscall(SYS_getpid) == self && syscall(SYS_getppid) == parent);
    assert(gettid() == tid && syscall(SYS_gettid) == tid);
    assert(readlink("/proc/self", text, sizeof(text) - 1) > 0 && atoi(text) == self);
    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)self, (int)tid);
    assert(access(path, R_OK) == 0);
    assert(sched_getaffinity(tid, sizeof(one), &one) == 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof(other), &other) == 0);
    assert(CPU_EQUAL(&one, &other));
    assert(getsid(self) == getsid(0) && getpgid(self) == getpgrp());
    assert(sched_getscheduler(tid) == sched_getscheduler(0));
}

static void *run(void *arg)
{
    int me = (int)(long)arg;
    char name[16] = "";

    numbers[me] = gettid();
    assert(numbers[me] != self);
    assert(setpriority(PRIO_PROCESS, 0, me + 3) == 0);
    assert(prctl(PR_SET_NAME, me == 0 ? "first" : "second") == 0);
    pthread_barrier_wait(&all);
    look(numbers[me]);
    assert(numbers[0] != numbers[1]);
    assert(listed("/proc/self/task", numbers, THREADS) == THREADS + 1);
    assert(getpriority(PRIO_PROCESS, 0) == me + 3);
    assert(getpriority(PRIO_PROCESS, (id_t)numbers[1 - me]) == 4 - me);
    assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, me == 0 ? "first" : "second") == 0);
    pthread_barrier_wait(&all);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int before;

    self = getpid();
    parent = getppid();
    before = getpriority(PRIO_PROCESS, 0);
    look(self);
    pthread_barrier_init(&all, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    look(self);
    assert(getpriority(PRIO_PROCESS, 0) == before);
    assert(listed("/proc/self/task", &self, 1) == 1);
    return 0;
}
