/* SPDX-License-Identifier: MIT */
/*
 * A file is waited for by looking for its name, which no function of libc is interposed for: the
 * kernel hands the call over.  With -DSPIN without a pause, with -DNEVER nobody makes the file.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DSPIN plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean exit=0
 *
 * RUN    -DNEVER plait test -s random -n 10
 * EXPECT livelock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[64];

static void *maker(void *arg)
{
#ifndef NEVER
    close(open(name, O_CREAT | O_WRONLY, 0600));
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    snprintf(name, sizeof(name), "spin_file.%07d", (int)getpid());
    unlink(name);
    pthread_create(&t, NULL, maker, NULL);
    while (access(name, F_OK) != 0) {
#ifndef SPIN
        usleep(1000);
#endif
    }
    pthread_join(t, NULL);
    assert(unlink(name) == 0);
    return 0;
}
