/* SPDX-License-Identifier: MIT */
/*
 * A child is made while another thread holds a lock: in the child nobody will give it back.  Who
 * waits for such a child waits for ever.  Right are a handler that takes the lock around fork()
 * (`handled`), a child whose lock is given back by a thread of its own (`gives`), and one that an
 * alarm frees (`alarm`).  With `deep` it is the child's child that is stuck.
 *
 * RUN    plait test -n 50
 * EXPECT deadlock
 *
 * RUN    plait test -n 50 -- deep
 * EXPECT deadlock
 *
 * RUN    plait test -n 20 -- handled
 * EXPECT clean
 *
 * RUN    plait test -s random -n 4 -- gives
 * EXPECT clean executions=4
 *
 * RUN    plait test -s random -n 2 -- alarm
 * EXPECT clean executions=2
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static const char *how = "";

static void take(void)
{
    pthread_mutex_lock(&lock);
}

static void give(void)
{
    pthread_mutex_unlock(&lock);
}

static void *holder(void *arg)
{
    take();
    give();
    return arg;
}

static void await(pid_t pid)
{
    int status;

    assert(waitpid(pid, &status, 0) == pid && status == 0);
}

static void rang(int signo)
{
    (void)signo;
    _exit(0);
}

static void *late(void *arg)
{
    usleep(300000);
    pthread_mutex_unlock(&second);
    return arg;
}

static void be_child(void)
{
    pthread_t t;

    if (strcmp(how, "gives") == 0) { /* all wait for a while */
        pthread_mutex_lock(&second);
        pthread_create(&t, NULL, late, NULL);
        pthread_mutex_lock(&second);
        _exit(0);
    }
    if (strcmp(how, "alarm") == 0) {
        signal(SIGALRM, rang);
        alarm(1);
        pthread_mutex_lock(&second);
        pthread_mutex_lock(&second);
    }
    if (strcmp(how, "deep") == 0) {
        pid_t pid = fork();

        if (pid != 0) {
            await(pid);
            _exit(0);
        }
    }
    take();
    give();
    _exit(0);
}

static void *maker(void *arg)
{
    pid_t pid = fork();

    if (pid == 0)
        be_child();
    await(pid);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    if (argc > 1)
        how = argv[1];
    if (strcmp(how, "handled") == 0)
        pthread_atfork(take, give, give);
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, maker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
