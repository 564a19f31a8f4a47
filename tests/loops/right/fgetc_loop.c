/* SPDX-License-Identifier: MIT */
/* Characters of a file.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int chars;
static void *work(void *a)
{
    FILE *f = fopen("/etc/hostname", "r");
    int n = 0;
    while (fgetc(f) != EOF)
        n++;
    fclose(f);
    atomic_fetch_add(&chars, n);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(chars > 0);
    return 0;
}
