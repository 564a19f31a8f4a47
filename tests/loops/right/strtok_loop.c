/* SPDX-License-Identifier: MIT */
/* Words of a string.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static atomic_int words;
static void *work(void *a)
{
    char b[600];
    b[0] = 0;
    for (int i = 0; i < 120; i++)
        strcat(b, "ab ");
    char *s;
    int n = 0;
    for (char *w = strtok_r(b, " ", &s); w; w = strtok_r(NULL, " ", &s))
        n++;
    atomic_fetch_add(&words, n);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(words == 240);
    return 0;
}
