/* SPDX-License-Identifier: MIT */
/*
 * What may become of a child: it fails in one way or another, is killed, becomes another program or
 * fails to, makes a child itself, or never ends.  Or the program itself becomes another one, or a
 * shell starts two of them.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *shared;

static void be_child(const char *way)
{
    if (strcmp(way, "crash") == 0)
        *(volatile int *)NULL = 1;
    if (strcmp(way, "assert") == 0)
        assert(*shared == 1 && "of the child");
    if (strcmp(way, "killed") == 0 || strcmp(way, "endless") == 0)
        for (;;)
            usleep(1000);
    if (strcmp(way, "exec") == 0)
        execl("/bin/true", "true", NULL);
    if (strcmp(way, "no-exec") == 0 && execl("/bin/none", "none", NULL) < 0)
        *shared = 2;
    if (strcmp(way, "forks") == 0) {
        setsid();
        if (fork() == 0)
            _exit(++*shared != 1);
        wait(NULL);
        ++*shared;
    }
    _exit(strcmp(way, "status") == 0 ? 3 : 0);
}

static void *do_nothing(void *arg)
{
    return arg;
}

static void become_another(const char *program)
{
    pthread_t t;

    pthread_create(&t, NULL, do_nothing, NULL);
    pthread_join(t, NULL);
    execl(program, "ways", "none", NULL);
}

static void start_two(const char *program)
{
    char command[5000];

    snprintf(command, sizeof(command), "%s none & %s none; wait", program, program);
    assert(system(command) == 0);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int status;

    if (strcmp(way, "itself") == 0)
        become_another(argv[0]);
    if (strcmp(way, "shell") == 0) {
        start_two(argv[0]);
        return 0;
    }

    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = strcmp(way, "none") == 0 ? 0 : fork();

    if (child == 0 && strcmp(way, "none") != 0)
        be_child(way);
    if (strcmp(way, "killed") == 0)
        kill(child, SIGKILL);
    if (child > 0)
        assert(waitpid(child, &status, 0) == child);
    if (strcmp(way, "killed") == 0)
        assert(WIFSIGNALED(status));
    if (strcmp(way, "status") == 0)
        assert(WEXITSTATUS(status) == 3);
    if (strcmp(way, "forks") == 0 || strcmp(way, "no-exec") == 0)
        assert(*shared == 2);
    return 0;
}
