/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes of <aio.h> are performed by threads of libc, which are threads like any other:
 * each case is a small program.  What it saw is printed, both orders with both searches.
 *
 * RUN    -DCASE=polls plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DCASE=polls plait test -s random -n 100
 * EXPECT clean
 *
 * RUN    -DCASE=polls plait test -s noise -n 15
 * EXPECT clean
 *
 * RUN    -DCASE=notifies plait test -s noise -n 15
 * EXPECT clean
 *
 * RUN    -DCASE=lists plait test -s noise -n 15
 * EXPECT clean
 *
 * RUN    -DCASE=never plait test -s noise -n 15
 * EXPECT deadlock
 *
 * RUN    -DCASE=looks plait test -s dfs --outputs
 * EXPECT clean complete outputs=wait,over
 *
 * RUN    -DCASE=looks plait test -s dpor --outputs
 * EXPECT clean complete outputs=wait,over
 *
 * RUN    -DCASE=two_writers plait test -s dpor --outputs
 * EXPECT clean complete outputs=b,a
 *
 * RUN    -DCASE=in_order plait test -s dpor --outputs
 * EXPECT clean complete outputs=b
 *
 * RUN    -DCASE=first_of_two plait test -s dpor --outputs
 * EXPECT clean complete outputs=10,11,01
 *
 * RUN    -DCASE=cancels plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,2,3
 *
 * RUN    -DCASE=cancels plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,3,2
 *
 * RUN    -DCASE=notifies plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=notifies plait test -s random -n 100
 * EXPECT clean
 *
 * RUN    -DCASE=lists plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=times_out plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=too_early plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DCASE=too_early plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCASE=races plait test -s dpor --detect race
 * EXPECT race
 *
 * RUN    -DCASE=never plait test -s dfs
 * EXPECT deadlock
 *
 * RUN    -DCASE=never plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    -DCASE=lists native
 * EXPECT exit=0
 *
 * RUN    -DCASE=notifies native
 * EXPECT exit=0
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int file;
static char text[8] = "abcdefg";
static sem_t told;

static struct aiocb job(int fd, void *buffer, size_t size)
{
    struct aiocb cb;

    memset(&cb, 0, sizeof(cb));
    cb.aio_fildes = fd;
    cb.aio_buf = buffer;
    cb.aio_nbytes = size;
    cb.aio_sigevent.sigev_notify = SIGEV_NONE;
    return cb;
}

static void wait_for(struct aiocb *cb)
{
    const struct aiocb *list[] = {cb};

    while (aio_error(cb) == EINPROGRESS)
        assert(aio_suspend(list, 1, NULL) == 0);
}

__attribute__((unused)) static void polls(void)
{
    char got[4] = "";
    struct aiocb cb = job(file, got, sizeof(got));

    assert(aio_read(&cb) == 0);
    while (aio_error(&cb) == EINPROGRESS)
        usleep(100);
    assert(aio_return(&cb) == 4 && memcmp(got, "0123", 4) == 0);
}

__attribute__((unused)) static void looks(void)
{
    struct aiocb cb = job(file, text, 4);

    assert(aio_write(&cb) == 0);
    puts(aio_error(&cb) == EINPROGRESS ? "wait" : "over");
    wait_for(&cb);
    assert(aio_return(&cb) == 4);
}

__attribute__((unused)) static void two_writers(void)
{
    int again = dup(file);
    struct aiocb one = job(file, text, 1), other = job(again, text + 1, 1);
    char got;

    assert(aio_write(&one) == 0 && aio_write(&other) == 0);
    wait_for(&one);
    wait_for(&other);
    assert(pread(file, &got, 1, 0) == 1);
    printf("%c\n", got);
}

/* Of one descriptor, libc performs one after the other. */
__attribute__((unused)) static void in_order(void)
{
    struct aiocb one = job(file, text, 1), other = job(file, text + 1, 1),
                 sync = job(file, NULL, 0);
    char got;

    assert(aio_write(&one) == 0 && aio_write(&other) == 0 && aio_fsync(O_SYNC, &sync) == 0);
    wait_for(&sync);
    assert(aio_error(&other) == 0 && aio_error(&one) == 0);
    assert(pread(file, &got, 1, 0) == 1);
    printf("%c\n", got);
}

static void *write_second(void *pipes)
{
    assert(write(((int(*)[2])pipes)[1][1], "2", 1) == 1);
    return NULL;
}

__attribute__((unused)) static void first_of_two(void)
{
    int pipes[2][2];
    char got[2];
    pthread_t writer;

    assert(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0);
    struct aiocb a = job(pipes[0][0], got, 1), b = job(pipes[1][0], got + 1, 1);
    const struct aiocb *list[] = {&a, NULL, &b};

    assert(aio_read(&a) == 0 && aio_read(&b) == 0);
    pthread_create(&writer, NULL, write_second, pipes);
    assert(write(pipes[0][1], "1", 1) == 1);
    assert(aio_suspend(list, 3, NULL) == 0);
    printf("%d%d\n", aio_error(&a) == 0, aio_error(&b) == 0);
    wait_for(&a);
    wait_for(&b);
    pthread_join(writer, NULL);
}

__attribute__((unused)) static void cancels(void)
{
    struct aiocb cb = job(file, text, 4);

    assert(aio_write(&cb) == 0);
    int answer = aio_cancel(file, &cb);

    wait_for(&cb);
    assert((aio_error(&cb) == ECANCELED) == (answer == AIO_CANCELED));
    assert(aio_return(&cb) == (answer == AIO_CANCELED ? -1 : 4));
    printf("%d\n", answer == AIO_ALLDONE ? 3 : answer == AIO_NOTCANCELED ? 2 : 1);
}

static void in_thread(union sigval value)
{
    struct aiocb *cb = value.sival_ptr;

    assert(aio_error(cb) == 0 && aio_return(cb) == 2);
    sem_post(&told);
}

static void in_handler(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)context;
    assert(info->si_code == SI_ASYNCIO && info->si_value.sival_int == 7);
    sem_post(&told);
}

__attribute__((unused)) static void notifies(void)
{
    struct sigaction action = {.sa_sigaction = in_handler, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct aiocb a = job(file, text, 2), b = job(dup(file), text + 2, 3);

    sem_init(&told, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    a.aio_sigevent.sigev_notify = SIGEV_THREAD;
    a.aio_sigevent.sigev_notify_function = in_thread;
    a.aio_sigevent.sigev_value.sival_ptr = &a;
    b.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
    b.aio_sigevent.sigev_signo = SIGUSR1;
    b.aio_sigevent.sigev_value.sival_int = 7;
    assert(aio_write(&a) == 0);
    while (sem_wait(&told) != 0)
        assert(errno == EINTR);
    assert(aio_write(&b) == 0);
    while (sem_wait(&told) != 0)
        assert(errno == EINTR);
    assert(aio_error(&b) == 0 && aio_return(&b) == 3);
}

static void all_done(union sigval value)
{
    const struct aiocb *list = value.sival_ptr;

    assert(aio_error(&list[0]) == 0 && aio_error(&list[1]) == EBADF);
    sem_post(&told);
}

__attribute__((unused)) static void lists(void)
{
    struct aiocb cbs[2] = {job(file, text, 2), job(dup(file), text + 2, 2)};
    struct aiocb *list[] = {&cbs[0], NULL, &cbs[1]};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = all_done,
                             .sigev_value.sival_ptr = cbs};
    struct aioinit wish = {.aio_threads = 2};

    aio_init(&wish);
    sem_init(&told, 0, 0);
    cbs[0].aio_lio_opcode = cbs[1].aio_lio_opcode = LIO_WRITE;
    assert(lio_listio(LIO_WAIT, list, 3, NULL) == 0);
    assert(aio_return(&cbs[0]) == 2 && aio_return(&cbs[1]) == 2);
    cbs[1].aio_fildes = -1;
    cbs[0].aio_lio_opcode = LIO_READ;
    assert(lio_listio(LIO_NOWAIT, list, 3, &event) == 0);
    assert(sem_wait(&told) == 0);
}

__attribute__((unused)) static void times_out(void)
{
    struct timespec soon = {.tv_nsec = 1000000};
    int ends[2];
    char got;

    assert(pipe(ends) == 0);
    struct aiocb cb = job(ends[0], &got, 1);
    const struct aiocb *list[] = {&cb};

    assert(aio_read(&cb) == 0);
    assert(aio_suspend(list, 1, &soon) == -1 && errno == EAGAIN);
    assert(write(ends[1], "x", 1) == 1);
    wait_for(&cb);
    assert(aio_return(&cb) == 1 && got == 'x');
}

/* Wrong: nobody has said that the bytes are there. */
__attribute__((unused)) static void too_early(void)
{
    static _Atomic char got[4];
    struct aiocb cb = job(file, (char *)got, 4);

    assert(aio_read(&cb) == 0);
    assert(got[0] == '0');
}

/* Wrong: the buffer belongs to libc until the request is over. */
__attribute__((unused)) static void races(void)
{
    struct aiocb cb = job(file, text, 4);

    assert(aio_write(&cb) == 0);
    text[0] = 'z';
    wait_for(&cb);
}

/* Wrong: nobody writes. */
__attribute__((unused)) static void never(void)
{
    int ends[2];
    char got;

    assert(pipe(ends) == 0);
    struct aiocb cb = job(ends[0], &got, 1);

    assert(aio_read(&cb) == 0);
    wait_for(&cb);
}

int main(void)
{
    file = memfd_create("file", 0);
    assert(file >= 0 && write(file, "0123456789", 10) == 10);
    CASE();
    return 0;
}
