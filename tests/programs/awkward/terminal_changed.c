/* SPDX-License-Identifier: MIT */
/*
 * A terminal that was open at the root is changed by a thread, in its modes and its size; the next
 * execution finds it as it was.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean executions=10 restart=exec why~ioctl
 *
 * RUN    plait test -s random -n 10 --restart fork
 * EXPECT refused
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
#include <sys/ioctl.h>
#include <termios.h>

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

int main(void)
{
    pthread_t t;

    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert(terminal >= 0);
    assert(pthread_create(&t, NULL, change, NULL) == 0);
    turn = 2;
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
