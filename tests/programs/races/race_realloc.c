/* SPDX-License-Identifier: MIT */
/*
 * realloc() gives the old block back.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <stdlib.h>

#ifndef RACE
#define RACE 0
#endif

static char *item;

static void *user(void *arg)
{
    return seen(arg, item[0]); /* @here */
}

int main(void)
{
    pthread_t t;
    char *other = NULL;

    item = calloc(4, 1);
    pthread_create(&t, NULL, user, NULL);
    if (RACE)
        other = realloc(item, 4000); /* @here */
    pthread_join(t, NULL);
    if (!RACE)
        other = realloc(item, 4000);
    free(other);
    return 0;
}
