/* SPDX-License-Identifier: MIT */
/* All objects that processes can share, used by two children as they should be. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 3 };

static struct shared {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_barrier_t barrier;
    pthread_rwlock_t table;
    pthread_spinlock_t spin;
    sem_t done;
    int turn, turns, written, spun;
} * shared;

static void take_turns(int self)
{
    pthread_mutex_lock(&shared->lock);
    while (shared->turn != self)
        pthread_cond_wait(&shared->changed, &shared->lock);
    shared->turn = !self;
    shared->turns++;
    pthread_cond_signal(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

static void be_child(int self)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&shared->barrier);
        take_turns(self);
        pthread_rwlock_wrlock(&shared->table);
        shared->written++;
        pthread_rwlock_unlock(&shared->table);
        pthread_rwlock_rdlock(&shared->table);
        assert(shared->written > i);
        pthread_rwlock_unlock(&shared->table);
        pthread_spin_lock(&shared->spin);
        shared->spun++;
        pthread_spin_unlock(&shared->spin);
    }
    sem_post(&shared->done);
    _exit(0);
}

static void prepare(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_barrierattr_t barrier;
    pthread_rwlockattr_t rwlock;

    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->lock, &mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->changed, &cond);
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->barrier, &barrier, 2);
    pthread_rwlockattr_init(&rwlock);
    pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&shared->table, &rwlock);
    pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED);
    sem_init(&shared->done, 1, 0);
}

int main(void)
{
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(shared != MAP_FAILED);
    prepare();
    for (int i = 0; i < 2; i++) {
        if (fork() == 0)
            be_child(i);
    }
    sem_wait(&shared->done);
    sem_wait(&shared->done);
    while (wait(NULL) > 0)
        ;
    assert(shared->turns == 2 * ROUNDS && shared->written == 2 * ROUNDS);
    assert(shared->spun == 2 * ROUNDS);
    return 0;
}
