/* SPDX-License-Identifier: MIT */
/*
 * libc stores what it prints, or scans as characters, one after the other: who reads meanwhile
 * finds some of them.  In each case there are three; sizes that the processor stores at once are
 * among them.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=8
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=8
 *
 * A text that is longer than a word, half of which was read: the schedule comes to that again.
 *
 * RUN    -DLONGER plait test -s dpor
 * EXPECT assertion location~@prefix
 *
 * RUN    native
 * EXPECT exit=0
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static _Alignas(16) char text[64];
static const struct tm day = {.tm_mday = 3, .tm_year = 100};
static int point, sign;

static void *print(void *number)
{
    switch (*(unsigned *)number) {
    case 0:
        sprintf(text, "%d", 777);
        break;
    case 1:
        snprintf(text, sizeof(text), "%s%c", "77", '7');
        break;
    case 2:
        strftime(text, sizeof(text), "777", &day);
        break;
    case 3:
        ecvt_r(777, 3, &point, &sign, text, sizeof(text));
        break;
    case 4:
        wcstombs(text, L"777", sizeof(text));
        break;
    case 5:
        sscanf("777", "%3s", text);
        break;
    case 6:
        sscanf("777", "%3c", text);
        break;
    case 7:
        swprintf((wchar_t *)text, 4, L"777");
        break;
    default:
        snprintf(text, sizeof(text), "%d", 1234567890);
        break;
    }
    return NULL;
}

/* How many characters there are, with one read. */
static long count(unsigned which)
{
    if (which == 7)
        return (long)wcslen((const wchar_t *)text);
    return (long)strlen(text);
}

int main(void)
{
#ifdef LONGER
    enum { CASES = 8 };
    unsigned which = CASES;
#else
    static const char *const names[] = {"sprintf",  "snprintf", "strftime", "ecvt_r",
                                        "wcstombs", "sscanf_s", "sscanf_c", "swprintf"};
    unsigned which = plait_choose(sizeof(names) / sizeof(names[0]));
#endif
    pthread_t t;

    pthread_create(&t, NULL, print, &which);
    long n = count(which);

    pthread_join(t, NULL);
#ifdef LONGER
    assert(n != 9); /* @prefix */
#else
    printf("%s %ld\n", names[which], n);
#endif
    return 0;
}
