/* SPDX-License-Identifier: MIT */
/*
 * A call that changes what all names mean meets every other call on files, also one on another
 * object.
 *
 * RUN    plait test -s exitblock
 * EXPECT assertion location~@same
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT assertion location~@same
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *go_away(void *arg)
{
    assert(chdir("proc") == 0);
    assert(chdir("/") == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(chdir("/") == 0);
    pthread_create(&t, NULL, go_away, NULL);
    int rc = access("proc", F_OK);

    pthread_join(t, NULL);
    assert(rc == 0); /* @same */
    return 0;
}
