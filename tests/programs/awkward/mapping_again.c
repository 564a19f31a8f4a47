/* SPDX-License-Identifier: MIT */
/*
 * Addresses that one thread has given back and another one gets are other memory: no race, however
 * the kernel hands them out.
 *
 * RUN    plait test -s random -n 30 --detect +race
 * EXPECT clean executions=30
 */
#define _GNU_SOURCE

#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/shm.h>

static void *use(void *arg)
{
    volatile int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert(p != MAP_FAILED && *p == 0);
    *p = 1;
    p = mremap((void *)p, 4096, 1 << 20, MREMAP_MAYMOVE);
    assert(p != MAP_FAILED && *p == 1);
    p[100000] = 2;
    munmap((void *)p, 1 << 20);
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

    p = shmat(id, NULL, 0);
    assert(p != (void *)-1);
    *p = 3;
    shmdt((void *)p);
    shmctl(id, IPC_RMID, NULL);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, use, NULL);
    pthread_create(&u, NULL, use, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
