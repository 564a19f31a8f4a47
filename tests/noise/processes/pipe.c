/* SPDX-License-Identifier: MIT */
/*
 * Two children send a message each through one pipe, in two writes, between which the other's may
 * come; with -DFIXED=1 in one.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

static void send(int to, char letter)
{
    const char both[2] = {letter, letter};

    if (FIXED) {
        assert(write(to, both, 2) == 2);
        return;
    }
    assert(write(to, both, 1) == 1);
    assert(write(to, both + 1, 1) == 1);
}

int main(void)
{
    char text[5] = "";
    int ends[2];

    assert(pipe(ends) == 0);
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            close(ends[0]);
            send(ends[1], (char)('a' + i));
            exit(0);
        }
    }
    close(ends[1]);
    for (ssize_t n = 0, more; n < 4 && (more = read(ends[0], text + n, 4 - (size_t)n)) > 0;)
        n += more;
    while (wait(NULL) > 0)
        ;
    assert(strcmp(text, "aabb") == 0 || strcmp(text, "bbaa") == 0);
    return 0;
}
