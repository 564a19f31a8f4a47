/* SPDX-License-Identifier: MIT */
/* What becomes.c and adds.c have in common. */
#include <pthread.h>

enum { CHILDREN = 2, THREADS = 2, TIMES = 4 };

struct shared {
    pthread_mutex_t lock;
    int total, meanwhile;
};
