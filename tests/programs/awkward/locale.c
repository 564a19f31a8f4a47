/* SPDX-License-Identifier: MIT */
/*
 * The locale is changed, which reads files, allocates, and changes what strings and numbers
 * look like, for all threads; one thread has a locale of its own on top.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static atomic_int turn;

static void *thread(void *arg)
{
    locale_t mine;

    turn++;
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    mine = newlocale(LC_ALL_MASK, "POSIX", (locale_t)0);
    assert(mine != (locale_t)0 && uselocale(mine) == LC_GLOBAL_LOCALE);
    turn++;
    assert(MB_CUR_MAX == 1);
    return arg;
}

static void execution(void)
{
    pthread_t t;
    wchar_t wide;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0); /* @fresh */
    assert(MB_CUR_MAX == 1);
    turn++;
    assert(setlocale(LC_ALL, "C.UTF-8") != NULL);
    assert(MB_CUR_MAX > 1 && strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
    turn++;
    assert(mbtowc(&wide, "\xc3\xa4", 2) == 2 && wide == 0xe4);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
