/* SPDX-License-Identifier: MIT */
/*
 * Blocks are reached from static and thread-local memory, stacks, thread-specific values and other
 * blocks, also by addresses within them, and from threads that still wait when the program ends.
 * What only a thread had that has ended is lost.
 *
 * RUN    plait test -s random -n 100 --detect +leak
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 20 --restart fork --detect +leak
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 20 --carrier thread --detect +leak
 * EXPECT clean exit=0
 *
 * RUN    -DLOST=1 plait test -s random -n 20 --detect +leak
 * EXPECT leak location~@lost exit=1
 *
 * RUN    -DLOST=2 plait test -s random -n 20 --detect +leak
 * EXPECT leak location~@local exit=1
 *
 * RUN    -DLOST=3 plait test -s random -n 20 --detect +leak
 * EXPECT leak location~@result exit=1
 */
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <vector>

#ifndef LOST
#define LOST 0
#endif

static std::map<int, std::string> names;
static char *inner;
static char *before = new char[40];
static thread_local char *local;
static pthread_key_t key;
static std::mutex lock;
static sem_t never, there;
static std::shared_ptr<std::vector<int>> numbers;

static void *waits(void *arg)
{
    char *own = static_cast<char *>(malloc(64));

    local = new char[32];
    sem_post(&there);
    sem_wait(&never);
    free(own);
    delete[] local;
    return arg;
}

static void *works(void *arg)
{
    std::lock_guard<std::mutex> guard(lock);

    names[static_cast<int>(names.size())] = std::string(100, 'x');
    numbers = std::make_shared<std::vector<int>>(50);
#if LOST == 1
    char *volatile lost = static_cast<char *>(malloc(24)); // @lost

    if (lost != nullptr)
        lost = nullptr;
#elif LOST == 2
    local = new char[24]; // @local
#elif LOST == 3
    arg = malloc(24); // @result
#endif
    return arg;
}

int main()
{
    pthread_t thread[3];

    sem_init(&never, 0, 0);
    sem_init(&there, 0, 0);
    pthread_key_create(&key, nullptr);
    pthread_setspecific(key, malloc(16));
    inner = static_cast<char *>(malloc(16)) + 8;
    local = new char[8];
    before[0] = 1;
    pthread_create(&thread[0], nullptr, waits, nullptr);
    pthread_detach(thread[0]);
    for (int i = 1; i < 3; i++)
        pthread_create(&thread[i], nullptr, works, nullptr);
    for (int i = 1; i < 3; i++)
        pthread_join(thread[i], nullptr);
    sem_wait(&there);
    return 0;
}
