/* SPDX-License-Identifier: MIT */
/*
 * Two threads that never meet: the first was joined before the second was created.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

int data;

static void *work(void *arg)
{
    data++;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(b, NULL);
    return data != 2;
}
