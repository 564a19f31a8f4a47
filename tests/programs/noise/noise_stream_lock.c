/* SPDX-License-Identifier: MIT */
/*
 * Who has locked a stream reads two lines that follow each other, while another free thread reads
 * one.
 *
 * RUN    plait test -s noise -n 40
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *f;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void count(void)
{
    pthread_mutex_lock(&lock);
    lines++;
    pthread_mutex_unlock(&lock);
}

static void *one(void *arg)
{
    char s[8];

    count();
    assert(fgets(s, sizeof(s), f) != NULL);
    count();
    return arg;
}

int main(void)
{
    static char text[] = "1\n2\n3\n4\n";
    char a[8], b[8];
    pthread_t t;

    f = fmemopen(text, sizeof(text) - 1, "r");
    pthread_create(&t, NULL, one, NULL);
    flockfile(f);
    assert(fgets(a, sizeof(a), f) != NULL);
    count();
    assert(fgets(b, sizeof(b), f) != NULL);
    funlockfile(f);
    assert(b[0] == a[0] + 1);
    pthread_join(t, NULL);
    fclose(f);
    return 0;
}
