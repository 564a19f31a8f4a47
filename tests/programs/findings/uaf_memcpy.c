/* SPDX-License-Identifier: MIT */
/*
 * A block is read by memcpy, or by strlen, after another thread freed it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT use-after-free exit=1 location~@memcpy
 *
 * RUN    -DLENGTH=1 plait test -s random -n 1000
 * EXPECT use-after-free exit=1 location~@strlen
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t size = 24;
static char copy[24];

static void *reader(void *arg)
{
#ifdef LENGTH
    size = strlen(arg); /* @strlen */
#else
    memcpy(copy, arg, size); /* @memcpy */
#endif
    return NULL;
}

int main(void)
{
    char *text = calloc(1, 24);
    pthread_t t;

    pthread_create(&t, NULL, reader, text);
    free(text);
    pthread_join(t, NULL);
    return copy[0];
}
