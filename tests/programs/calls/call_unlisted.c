/* SPDX-License-Identifier: MIT */
/*
 * A function of libc without a row gets memory that another thread changes: what it does there is
 * not seen, and the result says so, with the place.  So it is with memory that nobody but such
 * functions touches.  With memory that nobody else has, or that nobody writes, and for functions
 * that get none, the search is complete.
 *
 * RUN    -DCASE=shared plait test -s dfs
 * EXPECT clean incomplete ended~but.for.the.function.rpmatch.at.*call_unlisted
 *
 * RUN    -DCASE=shared plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.function.rpmatch.at.*call_unlisted
 *
 * RUN    -DCASE=shared -Wl,-z,now plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.function.rpmatch.at.*call_unlisted
 *
 * RUN    -DCASE=shared -fno-plt plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.function.rpmatch.at.*call_unlisted
 *
 * RUN    -DCASE=list plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.function.argz_append.at.*call_unlisted
 *
 * RUN    -DCASE=before plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=own plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DCASE=constant plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DCASE=numbers plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DCASE=numbers native
 * EXPECT exit=0
 */
#include <argz.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static char text[16] = "zz", never[16] = "zz";
static _Atomic int word;

__attribute__((unused)) static void shared(void)
{
    word = rpmatch(text) != 0;
}

__attribute__((unused)) static void before(void)
{
    word = 1;
}

__attribute__((unused)) static void own(void)
{
    char mine[8] = "z";

    word = rpmatch(mine) != 0;
}

__attribute__((unused)) static void constant(void)
{
    word = rpmatch("zz") != 0 && rpmatch(never) != 0;
}

__attribute__((unused)) static void numbers(void)
{
    jmp_buf here;
    volatile int n = 0;

    if (setjmp(here) == 0)
        n = abs(-2) + toupper('a') + (int)labs(-3L) + (int)ldiv(7, 2).rem;
    n += memchr(text, 'q', 2) != NULL; /* whose arguments are still in their registers */
    errno = 0;
    assert(n == 2 + 'A' + 3 + 1 && pthread_equal(pthread_self(), pthread_self()));
    word = n;
}

static char *list_of_texts;
static size_t size_of_list;

__attribute__((unused)) static void list(void)
{
    argz_append(&list_of_texts, &size_of_list, "a", 2);
}

static void *change(void *unused)
{
    (void)unused;
    argz_append(&list_of_texts, &size_of_list, "b", 2);
    text[0] = 'a';
    word = 2;
    return NULL;
}

int main(void)
{
    pthread_t other;

    assert(rpmatch(text) != 0);
    pthread_create(&other, NULL, change, NULL);
    CASE();
    pthread_join(other, NULL);
    return 0;
}
