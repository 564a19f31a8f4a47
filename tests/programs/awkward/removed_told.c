/* SPDX-License-Identifier: MIT */
/*
 * A file that is open since before the threads loses its name: what /proc says of its descriptor
 * then, in every execution.
 *
 * RUN    plait test -s random
 * EXPECT clean restart=rollback
 *
 * RUN    plait test -s random --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char name[] = "/tmp/plait-removed-XXXXXX";
static int file;

static void *told(void *arg)
{
    char link[64], text[128] = {0}, gone[128], part[8] = {0};

    snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
    assert(readlink(link, text, sizeof(text)) > 0 && strcmp(text, name) == 0);
    assert(unlink(name) == 0);
    snprintf(gone, sizeof(gone), "%s (deleted)", name);
    assert(readlink(link, text, sizeof(text)) == (ssize_t)strlen(gone) && strcmp(text, gone) == 0);
    assert(readlink(link, part, 4) == 4 && strcmp(part, "/tmp") == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    file = mkstemp(name);
    assert(file >= 0);
    pthread_create(&t, NULL, told, NULL);
    pthread_join(t, NULL);
    assert(access(name, F_OK) == -1);
    return 0;
}
