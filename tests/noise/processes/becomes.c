/* SPDX-License-Identifier: MIT */
/*
 * Two children become another program (adds.c), which adds to a number in memory that all have, and
 * says so through a pipe.  How they become that is the first argument.  With -DFIXED=1 there is a
 * lock around the number.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "becomes.h"

static char program[4096];

static void *become(void *words)
{
    execv(program, words);
    _exit(1);
}

/* Somebody else is at it as well, until the program is gone. */
static void *add_meanwhile(void *shared)
{
    struct shared *s = shared;

    for (;;)
        __atomic_fetch_add(&s->meanwhile, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void become_beside_others(char **words, struct shared *s)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, add_meanwhile, s);
    pthread_create(&threads[1], NULL, become, words);
    pthread_join(threads[1], NULL);
    _exit(1);
}

static void close_all(int kept, int kept_too)
{
    for (int fd = 3; fd < 2048; fd++) {
        if (fd != kept && fd != kept_too)
            close(fd);
    }
}

/* A shell becomes the program; all of them run at once. */
static FILE *shells[CHILDREN];

static void open_shells(char **words)
{
    char command[5000];

    snprintf(command, sizeof(command), "exec %s %s %s", program, words[1], words[2]);
    for (int i = 0; i < CHILDREN; i++)
        assert((shells[i] = popen(command, i == 0 ? "r" : "w")) != NULL);
}

static void close_shells(void)
{
    for (int i = 0; i < CHILDREN; i++)
        assert(pclose(shells[i]) == 0);
}

static void *run_shell(void *words)
{
    char command[5000];

    snprintf(command, sizeof(command), "%s %s %s", program, ((char **)words)[1],
             ((char **)words)[2]);
    assert(system(command) == 0);
    return NULL;
}

static void run_shells(char **words)
{
    pthread_t threads[CHILDREN];

    for (int i = 0; i < CHILDREN; i++)
        pthread_create(&threads[i], NULL, run_shell, words);
    for (int i = 0; i < CHILDREN; i++)
        pthread_join(threads[i], NULL);
}

static pid_t start(const char *how, char **words, struct shared *s, int memory, int pipe)
{
    pid_t pid = 0;

    if (strcmp(how, "spawn") == 0) {
        assert(posix_spawn(&pid, program, NULL, NULL, words, environ) == 0);
        return pid;
    }
    pid = strcmp(how, "vfork") == 0 ? vfork() : fork();
    if (pid != 0)
        return pid;
    if (strcmp(how, "thread") == 0)
        become_beside_others(words, s);
    if (strcmp(how, "close") == 0)
        close_all(memory, pipe);
    if (strcmp(how, "fail") == 0) {
        execv("./no such program", words);
        execvp("no-such-program", words);
    }
    if (strcmp(how, "name") == 0)
        execlp(program, words[0], words[1], words[2], words[3], (char *)NULL);
    execve(program, words, environ);
    _exit(1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "fork";
    int memory = memfd_create("shared", 0), ends[2], said = 0, status;
    char numbers[2][16], byte;
    pthread_mutexattr_t attributes;

    assert(memory >= 0 && ftruncate(memory, 4096) == 0 && pipe(ends) == 0);
    struct shared *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);

    assert(s != MAP_FAILED && argc > 2);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&s->lock, &attributes);
    snprintf(program, sizeof(program), "%s", argv[2]);
    snprintf(numbers[0], sizeof(numbers[0]), "%d", memory);
    snprintf(numbers[1], sizeof(numbers[1]), "%d", ends[1]);
    char *words[] = {"adds", numbers[0], numbers[1], NULL};

    if (strcmp(how, "popen") == 0)
        open_shells(words);
    else if (strcmp(how, "system") == 0)
        run_shells(words);
    else
        for (int i = 0; i < CHILDREN; i++)
            assert(start(how, words, s, memory, ends[1]) > 0);
    close(ends[1]);
    while (read(ends[0], &byte, 1) == 1)
        said++;
    while (shells[0] == NULL && wait(&status) > 0)
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (strcmp(how, "popen") == 0)
        close_shells();
    assert(said == CHILDREN);
    assert(s->total == CHILDREN * THREADS * TIMES);
    return 0;
}
