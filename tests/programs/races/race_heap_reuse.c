/* SPDX-License-Identifier: MIT */
/*
 * A block that is freed and allocated again is new: what the one before did to it is over.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <stdlib.h>

static void *work(void *arg)
{
    int *p = malloc(sizeof(*p));

    *p = 1;
    arg = seen(arg, *p - 1);
    free(p);
    return arg;
}

int main(void)
{
    return both(work, work);
}
