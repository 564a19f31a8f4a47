/* SPDX-License-Identifier: MIT */
/*
 * Who waits for any child gets the one that ends first, which is nobody's choice here: a search
 * that has seen the children end in one order only does not say that it has seen all.  Whoever
 * does not ask which one it was, nor how it ended, does not mind.
 *
 * RUN    plait test -s dfs
 * EXPECT clean incomplete
 *
 * RUN    plait test -s dfs --carrier thread
 * EXPECT clean incomplete
 *
 * RUN    plait test -s dfs -- count
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;

static void *start(void *arg)
{
    int status;
    pid_t one = fork();

    if (one == 0)
        _exit(0);
    pid_t two = fork();

    if (two == 0) {
        usleep(30000);
        _exit(0);
    }
    if (count) {
        while (wait(NULL) > 0)
            count++;
        assert(count == 3);
        return arg;
    }
    assert(wait(&status) == one); /* as a rule */
    assert(wait(&status) == two);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t, u;

    (void)argv;
    count = argc > 1;
    pthread_create(&t, NULL, start, NULL);
    pthread_create(&u, NULL, idle, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
