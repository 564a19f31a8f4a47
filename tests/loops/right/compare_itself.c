/* SPDX-License-Identifier: MIT */
/* A buffer is compared with itself while another thread goes on until told to stop.  EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char key[4] = "one", *other;
static atomic_int left = 2;
static long rounds;
static void *look(void *a)
{
    char text[16];
    const char *mine = a ? other : key;
    assert(memcmp(mine, key, 4) == 0);
    assert(memcmp(mine, mine, 3) == 0 && strcmp(mine, mine) == 0);
    strcpy(text, mine);
    strcat(strcat(text, mine), mine);
    assert(strlen(text) == 9);
    left--;
    return 0;
}
static void *tick(void *a)
{
    while (left) {
        rounds++;
        usleep(1000);
    }
    return a;
}
int main(void)
{
    pthread_t t[3];
    other = strdup("one");
    pthread_create(&t[0], 0, tick, 0);
    pthread_create(&t[1], 0, look, 0);
    pthread_create(&t[2], 0, look, (void *)1);
    assert(memcmp(key, other, 4) == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    free(other);
    return 0;
}
