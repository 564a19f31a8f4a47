/* SPDX-License-Identifier: MIT */
/*
 * Ways past the discipline that blocks rely on, two for each that was open once: what exitblock
 * says of none of them is that it has seen everything.  Which one is the argument; the table is in
 * docs/design/exitblock.md.
 *
 * RUN    plait test -s exitblock -n 200 -- joined_by_sibling
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- joined_too_late
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- barrier_of_others
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- atomic_elsewhere
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- three_locks
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- reader_writes
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- copied_whole
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- across_words
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock:plain -n 200 -- circle_of_three
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock:rw -n 200 -- circle_of_readers
 * EXPECT any incomplete exit=0,1
 *
 * RUN    plait test -s exitblock -n 200 -- circle_of_three
 * EXPECT deadlock
 *
 * RUN    plait test -s exitblock -n 200 -- circle_of_readers
 * EXPECT deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static int number, other;
static atomic_int counter;
static pthread_t first;
static pthread_barrier_t barrier;
static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t shared[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static union {
    long whole;
    short parts[4];
    char bytes[8];
} word;

static void add(void)
{
    int now = number;

    number = now + 1;
}

/* The first is joined by the second, and the third is ordered behind neither. */
static void *plain(void *unused)
{
    add();
    return unused;
}

static void *joins_first(void *unused)
{
    pthread_join(first, NULL);
    add();
    return unused;
}

/* It has met somebody, but nobody who was there before it. */
static void *past_barrier(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *past_barrier_then_adds(void *unused)
{
    pthread_barrier_wait(&barrier);
    add();
    return unused;
}

static void *counts_then_adds(void *unused)
{
    atomic_fetch_add(&counter, 1);
    add();
    return unused;
}

/* Each under a lock of its own. */
static void *under(void *lock)
{
    pthread_mutex_lock(lock);
    add();
    pthread_mutex_unlock(lock);
    return NULL;
}

static void *under_read(void *unused)
{
    pthread_rwlock_rdlock(&shared[0]);
    add();
    pthread_rwlock_unlock(&shared[0]);
    return unused;
}

static void *sets_whole(void *unused)
{
    static const char from[8] = {1, 1, 1, 1, 1, 1, 1, 1};

    memcpy(&word, from, sizeof(word));
    return unused;
}

static void *sets_part(void *unused)
{
    word.parts[1] = (short)(word.parts[1] + 2);
    return unused;
}

static void *across(void *unused)
{
    short two = 0;

    memcpy(&two, &word.bytes[3],
           sizeof(two)); /* the end of one part and the beginning of the next */
    two = (short)(two + 0x101);
    memcpy(&word.bytes[3], &two, sizeof(two));
    return unused;
}

static void *takes_next(void *lock)
{
    pthread_mutex_t *own = lock, *next = own == &locks[2] ? &locks[0] : own + 1;

    pthread_mutex_lock(own);
    pthread_mutex_lock(next);
    other++;
    pthread_mutex_unlock(next);
    pthread_mutex_unlock(own);
    return NULL;
}

static void *reads_then_writes(void *lock)
{
    pthread_rwlock_t *own = lock, *next = own == &shared[0] ? &shared[1] : &shared[0];

    pthread_rwlock_rdlock(own);
    pthread_rwlock_wrlock(next);
    pthread_rwlock_unlock(next);
    pthread_rwlock_unlock(own);
    return NULL;
}

struct way {
    const char *name;
    int n;
    void *(*bodies[3])(void *);
    void *args[3];
};

static const struct way ways[] = {
    {"joined_by_sibling", 3, {plain, joins_first, plain}, {NULL}},
    {"joined_too_late", 2, {plain, plain}, {NULL}},
    {"barrier_of_others", 3, {plain, past_barrier, past_barrier_then_adds}, {NULL}},
    {"atomic_elsewhere", 2, {counts_then_adds, counts_then_adds}, {NULL}},
    {"three_locks", 3, {under, under, under}, {&locks[0], &locks[1], &locks[2]}},
    {"reader_writes", 2, {under_read, under_read}, {NULL}},
    {"copied_whole", 2, {sets_whole, sets_part}, {NULL}},
    {"across_words", 2, {across, sets_part}, {NULL}},
    {"circle_of_three", 3, {takes_next, takes_next, takes_next}, {&locks[0], &locks[1], &locks[2]}},
    {"circle_of_readers", 2, {reads_then_writes, reads_then_writes}, {&shared[0], &shared[1]}},
};

static void run(const struct way *w)
{
    int adds = w->n == 3 && w->bodies[1] == past_barrier ? 2 : w->n;
    pthread_t threads[3];

    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < w->n; i++) {
        pthread_create(&threads[i], NULL, w->bodies[i], w->args[i]);
        if (i == 0)
            first = threads[0];
    }
    if (strcmp(w->name, "joined_too_late") == 0)
        assert(number <= 2);
    for (int i = 0; i < w->n; i++) {
        if (i > 0 || w->bodies[1] != joins_first)
            pthread_join(threads[i], NULL);
    }
    assert(number == 0 || number == adds);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (argc > 1 && strcmp(argv[1], ways[i].name) == 0)
            run(&ways[i]);
    }
    return 0;
}
