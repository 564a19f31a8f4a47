/* SPDX-License-Identifier: MIT */
/*
 * A child that vfork() makes is in its parent's memory until it becomes another program, or ends:
 * why the program could not be started is in a variable of the parent's, and what it was given is
 * its own.  SEEN: another thread looks at that variable meanwhile, when is not explored.  WRONG: it
 * is taken for the status of the child.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=10
 *
 * RUN    plait test -s dfs --restart exec
 * EXPECT clean complete classes=10
 *
 * RUN    plait test -s dpor --carrier thread
 * EXPECT clean complete classes=10
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean executions=5
 *
 * RUN    -DSEEN plait test -s dpor
 * EXPECT clean incomplete ended~vfork
 *
 * RUN    -DWRONG plait test -n 20
 * EXPECT assertion location~@wrong
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, ends[2];
static long error;

static int start(const char *path)
{
    char *const words[] = {(char *)path, "said", NULL};
    volatile int tried = 0;
    int status;

    error = 0;
    pid_t child = vfork();

    if (child == 0) {
        tried = 1;
        dup2(ends[1], 1);
        execv(path, words);
        error = errno;
        _exit(3);
    }
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert(tried == 1);
#ifdef WRONG
    assert(error == WEXITSTATUS(status)); /* @wrong */
#endif
    return WEXITSTATUS(status);
}

static void *work(void *arg)
{
#ifdef SEEN
    volatile int seen = error;

    (void)seen;
#endif
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    char text[8] = "";

    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(start("/bin/echo") == 0 && error == 0);
    assert(read(ends[0], text, 5) == 5 && strcmp(text, "said\n") == 0);
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    assert(start("/there/is/none") == 3 && error == ENOENT);
    pthread_join(thread, NULL);
    assert(count == 2);
    return 0;
}
