/* SPDX-License-Identifier: MIT */
/*
 * Two threads start processes and read what these print.  libc holds a lock of its own while it
 * does that, which the other thread waits for; and one process may have ended, with nobody having
 * asked yet, while the other still runs.  While system() runs, in any of them, signals are
 * ignored, and afterwards heeded again; and a child of popen() does not have the streams of those
 * before it, which would not end while it lives: also where all processes are under control, and
 * these functions are not libc's.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 50
 * EXPECT clean exit=0
 *
 * RUN    -DSHELLS=1 plait test -s noise -n 5
 * EXPECT clean executions=5
 *
 * RUN    -DSHELLS=1 plait test -s random -n 5
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SHELLS
#define SHELLS 0
#endif

static void *thread(void *arg)
{
    char line[9] = "";
    FILE *f = popen("echo word", "r");

    assert(f != NULL && fgets(line, sizeof(line), f) != NULL);
    assert(strcmp(line, "word\n") == 0);
    assert(pclose(f) == 0);
    assert(!SHELLS || system("exit 0") == 0);
    return arg;
}

static void handle(int signo)
{
    (void)signo;
}

static void write_to_two(void)
{
    FILE *first = popen("cat >/dev/null", "w"), *second = popen("cat >/dev/null", "w");
    struct sigaction now;

    assert(first != NULL && second != NULL && pclose(first) == 0 && pclose(second) == 0);
    assert(sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == handle);
    assert(sigaction(SIGQUIT, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
}

int main(void)
{
    pthread_t t;

    assert(!SHELLS || signal(SIGINT, handle) != SIG_ERR);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    if (SHELLS)
        write_to_two();
    return 0;
}
