/* SPDX-License-Identifier: MIT */
/*
 * /proc/self/environ says what the program was given, one text behind the other, as `environ` does:
 * nothing of plait.
 *
 * RUN    plait test -s random
 * EXPECT clean
 *
 * RUN    plait test -s random --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

extern char **environ;
static char text[1 << 20];

static void *read_all(void *arg)
{
    int fd = open("/proc/self/environ", O_RDONLY);
    size_t have = 0;
    ssize_t n;

    assert(fd >= 0);
    while ((n = read(fd, text + have, sizeof(text) - 1 - have)) > 0)
        have += (size_t)n;
    close(fd);
    return arg;
}

int main(void)
{
    const char *at = text;
    pthread_t t;

    pthread_create(&t, NULL, read_all, NULL);
    pthread_join(t, NULL);
    for (char **e = environ; *e != NULL; e++) {
        assert(strcmp(*e, at) == 0);
        at += strlen(at) + 1;
        assert(strncmp(*e, "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0);
    }
    assert(*at == '\0');
    return 0;
}
