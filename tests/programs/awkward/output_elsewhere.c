/* SPDX-License-Identifier: MIT */
/*
 * Standard output is led elsewhere in the middle of the execution and stays there, by dup2(),
 * by freopen() or by closing it, as the argument says.  In the next execution it is standard
 * output again.
 *
 * OUTPUT seen
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected
 * EXPECT clean executions=40 restart=rollback|fork why~descriptor|dup|close|file|output
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected -- reopen
 * EXPECT clean executions=40 restart=rollback|fork why~file|open|writ
 *
 * RUN    plait test -s random -n 40 --restart exec --expect-output=%t/expected -- reopen
 * EXPECT clean restart=exec same=4
 *
 * RUN    plait test -s random -n 40 --expect-output=%t/expected -- close
 * EXPECT clean executions=40 restart=rollback|fork why~descriptor|close|output
 *
 * RUN    plait test -s random -n 40 --restart exec --expect-output=%t/expected -- close
 * EXPECT clean restart=exec same=6
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void lead_away(const char *how)
{
    int null;

    if (strcmp(how, "close") == 0) {
        assert(fclose(stdout) == 0);
        return;
    }
    if (strcmp(how, "reopen") == 0) {
        assert(freopen("/dev/null", "w", stdout) != NULL);
    } else {
        fflush(stdout);
        null = open("/dev/null", O_RDONLY);
        assert(null >= 0 && dup2(null, 1) == 1);
        close(null);
    }
    puts("unseen");
    fflush(stdout); /* fails on a descriptor that is open for reading; nobody minds */
}

int main(int argc, char **argv)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    puts("seen");
    turn++;
    lead_away(argc > 1 ? argv[1] : "dup2");
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
    return 0;
}
