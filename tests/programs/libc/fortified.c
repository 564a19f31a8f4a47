/* SPDX-License-Identifier: MIT */
/*
 * Buffers that are as large as their texts by default, and too small for the other one: what
 * _FORTIFY_SOURCE checks is checked, and libc ends the program without a call of abort().
 *
 * RUN    [gcc] -O2 -D_FORTIFY_SOURCE=2 -DFACE=0 plait test -s dfs
 * EXPECT assertion location~@here
 *
 * RUN    [gcc] -O2 -D_FORTIFY_SOURCE=2 -DFACE=1 plait test -s dpor
 * EXPECT assertion location~@here
 *
 * RUN    [gcc] -O2 -D_FORTIFY_SOURCE=2 -DFACE=2 plait test -s dpor
 * EXPECT assertion location~@here
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct {
    char text[8], more[8];
} to;

static const char longer[128] = "longer than that";
static const char *volatile text = "short";
static volatile size_t size = 8;
static char format[3] = "%p", other[32];
static int number;

static void *change(void *arg)
{
    text = longer;
    size = sizeof(longer);
    format[1] = 'n';
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, change, NULL);
    /* clang-format off */
    FACE == 0 ? (void)strcpy(to.text, text) : FACE == 1 ? (void)memmove(to.text, longer, size) : (void)snprintf(other, sizeof(other), format, &number); /* @here */
    /* clang-format on */
    pthread_join(t, NULL);
    return number + other[0] > 0x7fffff;
}
