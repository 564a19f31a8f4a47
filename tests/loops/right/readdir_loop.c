/* SPDX-License-Identifier: MIT */
/* Names in a directory.  EXPECT clean */
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int names;
static void *work(void *a)
{
    DIR *d = opendir("/etc");
    int n = 0;
    while (readdir(d))
        n++;
    closedir(d);
    atomic_fetch_add(&names, n);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(names > 0);
    return 0;
}
