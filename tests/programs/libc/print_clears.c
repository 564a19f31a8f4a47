/* SPDX-License-Identifier: MIT */
/*
 * snprintf() makes the text empty before it prints: another thread finds the old text, the new one,
 * or none.  sprintf() does not.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=3,0,2
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=3,2,0
 *
 * RUN    -DWHOLE=1 plait test -s dfs --outputs
 * EXPECT clean complete outputs=3,2
 *
 * RUN    -DWHOLE=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=3,2
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[8] = "old";

static void *print(void *arg)
{
#ifdef WHOLE
    sprintf(text, "%d", *(int *)arg);
#else
    snprintf(text, sizeof(text), "%d", *(int *)arg);
#endif
    return NULL;
}

int main(void)
{
    pthread_t other;
    int value = 42;

    pthread_create(&other, NULL, print, &value);
    size_t n = strlen(text);

    pthread_join(other, NULL);
    printf("%d\n", (int)n);
    return 0;
}
