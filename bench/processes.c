/* SPDX-License-Identifier: MIT */
/*
 * What the system can do, to compare with.
 * usage: processes fork SECONDS [MEGABYTES]    fork, exit, wait; with so much memory
 *        processes start SECONDS PROG ARGS...  start a program and wait for it
 * Prints how many of them there were in a second.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void wait_for(pid_t pid)
{
    int status;

    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        fputs("processes: a process failed.\n", stderr);
        exit(1);
    }
}

static void fork_one(char **argv)
{
    pid_t pid = fork();

    (void)argv;
    if (pid == 0)
        _exit(0);
    wait_for(pid);
}

static void start_one(char **argv)
{
    pid_t pid;

    wait_for(posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) == 0 ? pid : -1);
}

static double rate(void (*one)(char **), char **argv, double seconds)
{
    double start = now(), gone;
    long n = 0;

    do {
        one(argv);
        n++;
        gone = now() - start;
    } while (gone < seconds);
    return (double)n / gone;
}

/* Memory to fork with.  Nobody reads it, which the compiler must not know. */
static void fill(size_t size)
{
    void *memory = malloc(size);

    if (!memory)
        exit(1);
    memset(memory, 1, size);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    double seconds = atof(argv[2]);

    if (strcmp(argv[1], "start") == 0 && argc > 3) {
        printf("%f\n", rate(start_one, argv + 3, seconds));
        return 0;
    }
    if (argc > 3)
        fill(strtoul(argv[3], NULL, 10) << 20);
    printf("%f\n", rate(fork_one, argv, seconds));
    return 0;
}
