/* SPDX-License-Identifier: MIT */
/*
 * One memory with two addresses: each thread uses its own.  -DHOW says how it came to two: a memory
 * file that is mapped twice (0), mapped over something else (1), System V shared memory (2), a
 * mapping without a file that mremap() makes another of (3), and a file of which the two mappings
 * begin at different places (4).
 *
 * -DLOCKED protects the number by a mutex in that memory, which each thread knows by its own
 * address as well, -DWAITING has one wait for the other by a condition, -DATOMIC adds by one atomic
 * operation: nothing is lost, and there are as many classes as with one address.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=1 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=2 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=3 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=4 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor --detect +race
 * EXPECT race,race exit=1
 *
 * RUN    -DLOCKED plait test -s dpor --detect +race
 * EXPECT clean complete classes=2
 *
 * RUN    -DLOCKED plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -DWAITING plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DWAITING -DHOW=3 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -DATOMIC plait test -s dfs
 * EXPECT clean complete
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#ifndef HOW
#define HOW 0
#endif
enum { PAGE = 4096, ACCESS = PROT_READ | PROT_WRITE };

struct shared {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int number;
    atomic_int total;
    int ready;
};

static struct shared *here, *there;

static void make(void)
{
    int fd = memfd_create("both", 0);

    assert(fd >= 0 && ftruncate(fd, 2 * PAGE) == 0);
#if HOW == 0
    here = mmap(NULL, PAGE, ACCESS, MAP_SHARED, fd, 0);
    there = mmap(NULL, PAGE, ACCESS, MAP_SHARED, fd, 0);
#elif HOW == 1
    void *room = mmap(NULL, PAGE, ACCESS, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    here = mmap(NULL, PAGE, ACCESS, MAP_SHARED, fd, 0);
    there = mmap(room, PAGE, ACCESS, MAP_SHARED | MAP_FIXED, fd, 0);
#elif HOW == 2
    int id = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0600);

    assert(id >= 0);
    here = shmat(id, NULL, 0);
    there = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
#elif HOW == 3
    here = mmap(NULL, PAGE, ACCESS, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    there = mremap(here, 0, PAGE, MREMAP_MAYMOVE);
#else
    here = (void *)((char *)mmap(NULL, 2 * PAGE, ACCESS, MAP_SHARED, fd, 0) + PAGE);
    there = mmap(NULL, PAGE, ACCESS, MAP_SHARED, fd, PAGE);
#endif
    assert(here != MAP_FAILED && there != MAP_FAILED && here != there);
    close(fd);
}

static void *use(void *arg)
{
    struct shared *mine = arg;

#if defined(ATOMIC)
    mine->total++;
#elif defined(LOCKED)
    pthread_mutex_lock(&mine->lock);
    mine->number++;
    pthread_mutex_unlock(&mine->lock);
#elif defined(WAITING)
    pthread_mutex_lock(&mine->lock);
    if (mine == here) {
        mine->ready = 1;
        pthread_cond_signal(&mine->changed);
    }
    while (!mine->ready)
        pthread_cond_wait(&mine->changed, &mine->lock);
    mine->number++;
    pthread_mutex_unlock(&mine->lock);
#else
    mine->number++;
#endif
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_t a, b;

    make();
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&here->lock, &mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&here->changed, &cond);
    pthread_create(&a, NULL, use, here);
    pthread_create(&b, NULL, use, there);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(here->number + here->total == 2);
    return 0;
}
