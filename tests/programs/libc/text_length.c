/* SPDX-License-Identifier: MIT */
/*
 * A text becomes longer or shorter while its reader waits for its turn.  What is read are the bytes
 * up to the end that is found then, whenever the reader came to its point: an execution in which
 * it came first and was late is none of its own.  So each search counts the two orders.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=14 outputs=12,1
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=14 outputs=12,1
 *
 * RUN    plait test -s pcb
 * EXPECT clean complete classes=14
 */
#define _GNU_SOURCE
#include <plait.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { WAYS = 7 };

static pthread_mutex_t unused = PTHREAD_MUTEX_INITIALIZER;
static char text[16] = "1", other[16] = "12";

static void *change(void *arg)
{
    text[1] = '2';
    other[1] = '\0';
    return arg;
}

/* The length of one of them, by functions of all kinds. */
static int length_of(int way)
{
    char got[16] = "";

    switch (way) {
    case 0:
        return (int)strlen(text);
    case 1:
        return (int)strnlen(other, 8);
    case 2:
        strcpy(got, text);
        break;
    case 3:
        memccpy(got, other, 0, sizeof(got));
        break;
    case 4:
        sprintf(got, "%s", text);
        break;
    case 5:
        return memchr(other, 0, 2) != NULL ? 1 : 2;
    default:
        strncat(got, text, 8);
        break;
    }
    return (int)strlen(got);
}

int main(void)
{
    pthread_t t;
    int way = (int)plait_choose(WAYS);

    pthread_create(&t, NULL, change, NULL);
    pthread_mutex_lock(&unused);
    pthread_mutex_unlock(&unused);
    printf("%.*s\n", length_of(way), "12");
    pthread_join(t, NULL);
    return 0;
}
