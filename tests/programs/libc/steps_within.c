/* SPDX-License-Identifier: MIT */
/*
 * Functions that read a text, keep something and write several results do so in steps of their own:
 * what another thread writes between the reading and the writing is lost, and it may find the first
 * result without the second.
 *
 * RUN    -DCUTS plait test -s dpor
 * EXPECT assertion location~@lost
 *
 * RUN    -DCUTS plait test -s dfs
 * EXPECT assertion location~@lost
 *
 * RUN    -DOPTIONS plait test -s dpor
 * EXPECT assertion location~@changed
 *
 * RUN    -DCONVERTS plait test -s dpor
 * EXPECT assertion location~@half
 *
 * RUN    -DEXPANDS plait test -s dpor
 * EXPECT assertion location~@nowhere
 *
 * RUN    -DREADS plait test -s dpor
 * EXPECT assertion location~@early
 *
 * RUN    -DREADS plait test -s dfs
 * EXPECT assertion location~@early
 *
 * RUN    -DCOUNTS plait test -s dpor
 * EXPECT assertion location~@kept
 *
 * RUN    -DSCATTERS plait test -s dpor
 * EXPECT assertion location~@over
 *
 * RUN    -DLOCKED -DCUTS plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED -DCONVERTS plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED -DREADS plait test -s dpor
 * EXPECT clean complete
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <iconv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}

#if defined(CUTS)
static wchar_t text[] = L"a b", *rest;

static void prepare(void)
{
}

static void call(void)
{
    wcstok(text, L" ", &rest);
}

static void meanwhile(void)
{
    text[1] = L'-';
}

static void judge(void)
{
    assert(text[1] == L'-' || rest == NULL || text[1] == L'\0');
    assert(!(text[1] == L'\0' && rest == text + 2)); /* @lost */
}
#elif defined(OPTIONS)
static char text[] = "a,b", *at = text, *value;
static char *const names[] = {"a", NULL};
static int option, seen;

static void prepare(void)
{
}

static void call(void)
{
    option = getsubopt(&at, names, &value);
}

static void meanwhile(void)
{
    seen = text[1] == '\0' && at == text;
}

static void judge(void)
{
    assert(option == 0 && at == text + 2);
    assert(!seen); /* @changed */
}
#elif defined(CONVERTS)
static char in[] = "ab", out[4], *from = in, *to = out;
static size_t left = 2, room = 4;
static iconv_t by;
static int seen;

static void prepare(void)
{
    by = iconv_open("UTF-8", "ASCII");
    assert(by != (iconv_t)-1);
}

static void call(void)
{
    assert(iconv(by, &from, &left, &to, &room) == 0);
}

static void meanwhile(void)
{
    seen = out[1] == 'b' && left == 2;
}

static void judge(void)
{
    assert(left == 0 && room == 2 && from == in + 2 && to == out + 2 && strcmp(out, "ab") == 0);
    assert(!seen); /* @half */
}
#elif defined(EXPANDS)
static wordexp_t words;
static int seen;

static void prepare(void)
{
}

static void call(void)
{
    assert(wordexp("a b", &words, 0) == 0);
}

static void meanwhile(void)
{
    seen = words.we_wordc == 2 && words.we_wordv == NULL;
}

static void judge(void)
{
    assert(words.we_wordc == 2 && strcmp(words.we_wordv[1], "b") == 0);
    assert(!seen); /* @nowhere */
}
#elif defined(READS)
static FILE *file;
static char *line;
static size_t size;
static int seen;

static void prepare(void)
{
    file = tmpfile();
    assert(file != NULL && fputs("a\n", file) > 0);
    rewind(file);
}

static void call(void)
{
    assert(getline(&line, &size, file) == 2);
}

static void meanwhile(void)
{
    seen = size > 0 && line == NULL;
}

static void judge(void)
{
    assert(strcmp(line, "a\n") == 0 && size > 1);
    assert(!seen); /* @early */
}
#elif defined(SCATTERS)
static char first[2], second[2], seen;
static int file;

static void prepare(void)
{
    file = memfd_create("steps", 0);
    assert(write(file, "abcd", 4) == 4);
}

static void call(void)
{
    struct iovec pieces[2] = {{first, 2}, {second, 2}};

    assert(preadv(file, pieces, 2, 0) == 4);
}

/* What stands here is stored when the call is made, and the file is read then. */
static void meanwhile(void)
{
    assert(pwrite(file, "WXYZ", 4, 0) == 4);
    first[0] = '-';
    seen = second[0];
}

static void judge(void)
{
    assert(!(first[0] == '-' && first[1] == 'X' && seen == 'Y')); /* @over */
}
#else
static int events;
static eventfd_t count;

static void prepare(void)
{
    events = eventfd(0, 0);
}

/* It waits for the other thread, which has stored by then: the kernel stores when it goes on. */
static void call(void)
{
    assert(eventfd_read(events, &count) == 0);
}

static void meanwhile(void)
{
    assert(eventfd_write(events, 1) == 0);
    count = 5;
}

static void judge(void)
{
    assert(count == 1); /* @kept */
}
#endif

static void *run(void *arg)
{
    lock();
    call();
    unlock();
    return arg;
}

int main(void)
{
    pthread_t thread;

    prepare();
    pthread_create(&thread, NULL, run, NULL);
    lock();
    meanwhile();
    unlock();
    pthread_join(thread, NULL);
    judge();
    (void)mutex;
    return 0;
}
