/* SPDX-License-Identifier: MIT */
/*
 * A text is replaced by strcpy while another thread reads it with strcmp: a
 * reader may come before or after, and so may see either.  The two calls that
 * make up one change are found torn.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char first[16] = "Ada", last[16] = "Lovelace";

static void *rename_person(void *arg)
{
    const char *const *names = arg;

    if (FIXED)
        pthread_mutex_lock(&lock);
    strcpy(first, names[0]);
    strcpy(last, names[1]);
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    static const char *names[] = {"Grace", "Hopper"};
    char full[64];
    pthread_t t;

    pthread_create(&t, NULL, rename_person, names);
    if (FIXED)
        pthread_mutex_lock(&lock);
    strcpy(full, first);
    strcat(full, " ");
    strcat(full, last);
    if (FIXED)
        pthread_mutex_unlock(&lock);
    assert(!strcmp(full, "Ada Lovelace") || !strcmp(full, "Grace Hopper")); /* @bug */
    pthread_join(t, NULL);
    return 0;
}
