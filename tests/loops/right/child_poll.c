/* SPDX-License-Identifier: MIT */
/* The end of a child process is polled for, until told to stop.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
static atomic_int quit;
static void *watch(void *a)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execlp("sleep", "sleep", "0.1", (char *)0);
        _exit(0);
    }
    while (waitpid(child, &status, WNOHANG) == 0 && !atomic_load(&quit))
        usleep(10000);
    assert(status == 0);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, watch, 0);
    pthread_join(t, 0);
    return 0;
}
