/* SPDX-License-Identifier: MIT */
/*
 * The environment changes in every way there is: setenv(), putenv() with a string of the
 * program's own, unsetenv(), clearenv(), and by hand.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own[] = "AWKWARD_OWN=at root";
static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    assert(getenv("AWKWARD_LATE") == NULL || strcmp(getenv("AWKWARD_LATE"), "late") == 0);
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(getenv("AWKWARD_LATE") == NULL);
    assert(strcmp(getenv("AWKWARD_EARLY"), "early") == 0);
    assert(strcmp(getenv("AWKWARD_OWN"), "at root") == 0);
    turn++;
    assert(setenv("AWKWARD_LATE", "late", 1) == 0);
    turn++;
    strcpy(strchr(own, '=') + 1, "changed");
    assert(strcmp(getenv("AWKWARD_OWN"), "changed") == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(unsetenv("AWKWARD_EARLY") == 0 && getenv("AWKWARD_EARLY") == NULL);
    assert(clearenv() == 0 && environ == NULL);
    assert(setenv("AWKWARD_LATE", "very late", 1) == 0);
    environ[0][0] = 'B';
    assert(strcmp(getenv("BWKWARD_LATE"), "very late") == 0);
    environ[0][0] = 'A';
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(setenv("AWKWARD_EARLY", "early", 1) == 0);
    assert(putenv(own) == 0);
    execution();
    if (argc > 1) {
        assert(getenv("AWKWARD_LATE") == NULL); /* @fresh */
        execution();
    }
    return 0;
}
