/* SPDX-License-Identifier: MIT */
/*
 * What functions of libc store counts as much in a replay as where threads are free, also where
 * searches see it in pieces, and system calls that functions make within count as nothing: two
 * threads in turn make pipes, set timers and take up a locale, and the program ends as it did.
 * How long it is until a timer goes off is what it was then.
 *
 * RUN    plait test -s noise -n 1 --expect-exit=7
 * EXPECT exit exit=1
 */
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int turn;

static void use(void)
{
    const struct itimerspec later = {.it_value.tv_sec = 1000};
    struct itimerspec left;
    int ends[2], fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);

    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    assert(timerfd_settime(fd, 0, &later, NULL) == 0 && timerfd_gettime(fd, &left) == 0);
    assert(timerfd_settime(fd, -1, &later, NULL) == -1 && errno == EINVAL);
    assert(setlocale(LC_ALL, "C.UTF-8") != NULL && setlocale(LC_ALL, "C") != NULL);
    close(ends[0]);
    close(ends[1]);
    close(fd);
}

/* Until its time is over. */
static void ask_timer(void)
{
    struct sigevent nothing = {.sigev_notify = SIGEV_NONE};
    struct itimerspec left = {.it_value.tv_nsec = 200000};
    timer_t timer;

    assert(timer_create(CLOCK_MONOTONIC, &nothing, &timer) == 0);
    assert(timer_settime(timer, 0, &left, NULL) == 0);
    do
        timer_gettime(timer, &left);
    while (left.it_value.tv_nsec != 0);
    timer_delete(timer);
}

static void *work(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&lock);
        while (turn % 2 != (arg != NULL))
            pthread_cond_wait(&passed, &lock);
        use();
        turn++;
        pthread_cond_signal(&passed);
        pthread_mutex_unlock(&lock);
        use();
        ask_timer();
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, &turn);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
