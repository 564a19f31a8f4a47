/* SPDX-License-Identifier: MIT */
/*
 * A text becomes longer while a function is about to read it.  All that is read is announced, so
 * every search knows that "12" can be read before the 3 is there; and nothing is read
 * that was never there: with the 3 first, it is "1" or "123".
 *
 * RUN    -DBACK=0 plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,12,123
 *
 * RUN    -DBACK=0 plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,123,12
 *
 * RUN    -DBACK=1 plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,123
 *
 * RUN    -DBACK=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,123
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { WAYS = 9 };

static char text[16] = "1";
static wchar_t wide[16] = L"1";

static void *do_nothing(void *arg)
{
    return arg;
}

static void *write_two(void *arg)
{
    text[1 + BACK] = (char)('2' + BACK);
    text[2 - BACK] = (char)('3' - BACK);
    wide[1 + BACK] = L'2' + BACK;
    wide[2 - BACK] = L'3' - BACK;
    return arg;
}

static void say(int way, const char *t)
{
    char got[16] = "", *made = NULL;

    switch (way) {
    case 0:
        puts(t);
        return;
    case 1:
        printf("%s\n", t);
        return;
    case 2:
        sprintf(got, "%s", t);
        break;
    case 3:
        strncpy(got, t, 8);
        break;
    case 4:
        made = strndup(t, 8);
        break;
    case 5:
        memccpy(got, t, 0, 8);
        break;
    case 6:
        strncat(got, t, 8);
        break;
    case 7:
        printf("%.*s\n", (int)strnlen(t, 8), "123");
        return;
    default:
        printf("%.*s\n", (int)wcslen(wide), "123");
        return;
    }
    puts(made != NULL ? made : got);
    free(made);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, do_nothing, NULL);
    pthread_join(t, NULL);
    int way = (int)plait_choose(WAYS);

    pthread_create(&t, NULL, write_two, NULL);
    say(way, text);
    pthread_join(t, NULL);
    return 0;
}
