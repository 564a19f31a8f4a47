/* SPDX-License-Identifier: MIT */
/* Lines of a file.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int lines;
static void *work(void *a)
{
    FILE *f = fopen("/etc/passwd", "r");
    char b[256];
    int n = 0;
    while (fgets(b, sizeof b, f))
        n++;
    fclose(f);
    atomic_fetch_add(&lines, n);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(lines > 0);
    return 0;
}
