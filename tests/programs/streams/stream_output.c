/* SPDX-License-Identifier: MIT */
/*
 * Who prints first is open, whichever function it is: wide ones, unlocked ones, and those that
 * write to the descriptor behind the stream.
 *
 * RUN    plait test -s dpor --check='! grep -q ba' -- wide
 * EXPECT output exit=1
 *
 * RUN    plait test -s dpor --check='! grep -q ab' -- wide
 * EXPECT output exit=1
 *
 * RUN    plait test -s dfs --check='! grep -q ab' -- unlocked
 * EXPECT output exit=1
 *
 * RUN    plait test -s dpor --check='! grep -q ba' -- unlocked
 * EXPECT output exit=1
 *
 * RUN    plait test -s dpor --check='! grep -q ab' -- descriptor
 * EXPECT output exit=1
 *
 * RUN    plait test -s dpor --check='! grep -q ba' -- descriptor
 * EXPECT output exit=1
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static void *wide(void *arg)
{
    fputws(L"b", stdout);
    return arg;
}

static void *unlocked(void *arg)
{
    fwrite_unlocked("b", 1, 1, stdout);
    return arg;
}

static void *descriptor(void *arg)
{
    return write(1, "b", 1) == 1 ? arg : NULL;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "wide";
    pthread_t t;

    setvbuf(stdout, NULL, _IONBF, 0);
    pthread_create(&t, NULL,
                   strcmp(how, "wide") == 0       ? wide
                   : strcmp(how, "unlocked") == 0 ? unlocked
                                                  : descriptor,
                   NULL);
    if (strcmp(how, "wide") == 0)
        wprintf(L"%lc", L'a');
    else
        fputs_unlocked("a", stdout);
    pthread_join(t, NULL);
    return 0;
}
