/* SPDX-License-Identifier: MIT */
/*
 * Where children are under control, a shell of which nothing is takes its time: who waits for what
 * it writes goes on as soon as that is there.
 *
 * RUN    plait test -s random --follow-children -n 3 --hang-time 4s
 * EXPECT clean executions=3
 *
 * RUN    plait test -s random -n 3
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *run(void *arg)
{
    FILE *f = popen("sleep 0.05; echo a", "r");
    char line[8];

    assert(fgets(line, sizeof(line), f) != NULL && line[0] == 'a');
    assert(pclose(f) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
