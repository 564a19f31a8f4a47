/* SPDX-License-Identifier: MIT */
/*
 * Before its first thread the program asks to become the parent of processes that have lost
 * theirs; so it is in every execution, and waits for one that its child has left behind.
 *
 * RUN    plait test -s dpor -n 20
 * EXPECT clean
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *arg)
{
    int reaps = 0;

    assert(prctl(PR_GET_CHILD_SUBREAPER, &reaps) == 0 && reaps == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int status, n = 0, sum = 0;

    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pid_t child = fork();

    if (child == 0) {
        if (fork() == 0)
            _exit(2);
        _exit(1);
    }
    for (; wait(&status) > 0; n++)
        sum += WEXITSTATUS(status);
    assert(n == 2 && sum == 3);
    return 0;
}
