/* SPDX-License-Identifier: MIT */
/*
 * A terminal that was open at the root is changed by a thread, in its modes and its size; the next
 * execution finds it as it was.  So it does where the two ends are talked through, and something is
 * left in one of them.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean executions=10 restart=exec why~ioctl
 *
 * RUN    plait test -s random -n 10 --restart fork
 * EXPECT refused
 *
 * RUN    -DTALKS=1 plait test -s random -n 10
 * EXPECT clean executions=10 restart=exec why~terminal
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#ifndef TALKS
#define TALKS 0
#endif

static int terminal;
static atomic_int turn;

static void *change(void *arg)
{
    struct termios modes;
    struct winsize size = {0};

    turn = 1;
    assert(ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_row == 0);
    assert(tcgetattr(terminal, &modes) == 0 && (modes.c_lflag & ICANON) != 0);
    cfmakeraw(&modes);
    size.ws_row = 25;
    assert(tcsetattr(terminal, TCSANOW, &modes) == 0);
    assert(ioctl(terminal, TIOCSWINSZ, &size) == 0);
    return arg;
}

static void *talk(void *other)
{
    char text[8];

    turn = 1;
    assert(read(terminal, text, sizeof(text)) == 4 && memcmp(text, "hi\r\n", 4) == 0);
    assert(write(terminal, "echoed\n", 7) == 7);
    return other;
}

int main(void)
{
    int other = -1;
    pthread_t t;

    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert(terminal >= 0);
    if (TALKS) {
        assert(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
        other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
        assert(other >= 0);
    }
    assert(pthread_create(&t, NULL, TALKS ? talk : change, NULL) == 0);
    assert(!TALKS || write(other, "hi\n", 3) == 3);
    turn = 2;
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
