/* SPDX-License-Identifier: MIT */
/*
 * A block is freed while another thread still uses it.
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

static int *item;

static void *user(void *arg)
{
    return seen(arg, *item); /* @here */
}

int main(void)
{
    pthread_t t;

    item = calloc(4, sizeof(*item));
    pthread_create(&t, NULL, user, NULL);
    if (RACE)
        free(item); /* @here */
    pthread_join(t, NULL);
    if (!RACE)
        free(item);
    return 0;
}
