/* SPDX-License-Identifier: MIT */
/*
 * A thread that gives the work half a minute and says so if it takes longer: by a condition, a
 * semaphore, a descriptor or a sleep.  That its time was over although the others could run all the
 * time is plait's doing and nobody's fault: it is a note.  It counts if it is asked for (`any`), if
 * nobody could have gone on (`stuck`), if the time is so short that a machine can take it
 * (-DSHORT), and if the thread does something on its own behind it that another one finds wrong
 * (-DGIVES_UP).
 *
 * RUN    plait test -n 500
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s random -n 300 -- semaphore
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dpor -- descriptor
 * EXPECT clean incomplete ended~early\stime-outs exit=0
 *
 * RUN    plait test -s pcb -- sleep
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s random -n 300 --time-outs any
 * EXPECT assertion location~@over exit=1
 *
 * RUN    plait test -n 20 -- stuck
 * EXPECT assertion location~@over exit=1
 *
 * RUN    -DSHORT plait test -n 500
 * EXPECT assertion location~@over exit=1
 *
 * RUN    -DGIVES_UP plait test -n 500
 * EXPECT assertion location~@given_up exit=1
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef SHORT
enum { MILLISECONDS = 20 };
#else
enum { MILLISECONDS = 30000 };
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int count, given_up;
static int done, ends[2];
static const char *how = "";

static struct timespec later(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += MILLISECONDS / 1000;
    t.tv_nsec += MILLISECONDS % 1000 * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

static int is_done_in_time(void)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    const struct timespec end = later();
    int in_time;

    if (strcmp(how, "semaphore") == 0)
        return sem_timedwait(&semaphore, &end) == 0;
    if (strcmp(how, "descriptor") == 0)
        return poll(&p, 1, MILLISECONDS) == 1;
    if (strcmp(how, "sleep") == 0)
        usleep(MILLISECONDS * 1000);
    pthread_mutex_lock(&m);
    while (!done && pthread_cond_timedwait(&c, &m, &end) == 0) {
    }
    in_time = done;
    pthread_mutex_unlock(&m);
    return in_time;
}

static void *watch(void *arg)
{
    if (is_done_in_time())
        return arg;
#ifdef GIVES_UP
    given_up = 1;
    return arg;
#else
    abort(); /* @over */
#endif
}

static void *work(void *arg)
{
    count++;
    return arg;
}

static void tell(void)
{
    pthread_mutex_lock(&m);
    done = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    sem_post(&semaphore);
    assert(write(ends[1], "x", 1) == 1);
}

int main(int argc, char **argv)
{
    pthread_t dog, worker;

    how = argc > 1 ? argv[1] : "";
    sem_init(&semaphore, 0, 0);
    assert(pipe(ends) == 0);
    pthread_create(&dog, NULL, watch, NULL);
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    if (strcmp(how, "stuck") != 0)
        tell();
    pthread_join(dog, NULL);
    assert(!given_up); /* @given_up */
    return 0;
}
