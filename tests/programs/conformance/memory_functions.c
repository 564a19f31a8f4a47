/* SPDX-License-Identifier: MIT */
/*
 * The mem* and str* functions on memory that threads share, with exactly C's
 * results.
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 60
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 15 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[64], text[64];

static void *thread(void *arg)
{
    char *copy, *save;

    pthread_mutex_lock(&lock);
    memset(buffer, 'x', sizeof(buffer));
    assert(memchr(buffer, 'y', sizeof(buffer)) == NULL);
    memcpy(buffer, "hello", 5);
    memmove(buffer + 1, buffer, 5);
    assert(memcmp(buffer, "hhello", 6) == 0 && memcmp(buffer, "hhellp", 6) < 0);
    assert(mempcpy(buffer, "ab", 2) == buffer + 2);
    bzero(buffer + 10, 4);
    assert(memrchr(buffer, 'x', sizeof(buffer)) == buffer + 63);
    assert(strlen(buffer) == 10 && strnlen(buffer, 3) == 3);

    assert(strcpy(text, "one two") == text);
    assert(strcat(text, " three") == text && strlen(text) == 13);
    assert(strncpy(buffer, "abc", 6) == buffer && memcmp(buffer, "abc\0\0\0", 6) == 0);
    assert(stpcpy(buffer, "abc") == buffer + 3);
    assert(strncat(buffer, "def", 9) == buffer && strcmp(buffer, "abcdef") == 0);
    assert(strncmp(buffer, "abcxyz", 3) == 0 && strcasecmp(buffer, "ABCDEF") == 0);
    assert(strchr(text, 't') == text + 4 && strrchr(text, 't') == text + 8);
    assert(strstr(text, "three") == text + 8 && strpbrk(text, "wh") == text + 5);
    assert(strspn(text, "eno") == 3 && strcspn(text, " ") == 3);
    copy = strdup(text);
    assert(strcmp(copy, text) == 0);
    free(copy);
    copy = strndup(text, 3);
    assert(strcmp(copy, "one") == 0);
    free(copy);
    assert(strcmp(strtok_r(text, " ", &save), "one") == 0);
    assert(strcmp(strtok_r(NULL, " ", &save), "two") == 0);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
