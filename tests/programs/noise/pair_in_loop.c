/* SPDX-License-Identifier: MIT */
/*
 * Two threads handle messages, a function for each kind of them, and one pair of functions matters:
 * a `rename_entry` that is interrupted leaves the entry without a name, which `list_entries` of the
 * other thread would print.  Each thread has its own kinds of messages and a few of each.
 *
 * RUN    plait test -s random
 * EXPECT exit exit=1
 *
 * RUN    plait test -s pairs
 * EXPECT exit exit=1
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { KINDS = 8, MESSAGES = 12 };

static volatile int counts[2][KINDS]; /* of a thread each */
static volatile int name = 1;
static bool nameless;

#define COUNTING(name, thread, n)                    \
    static __attribute__((noinline)) void name(void) \
    {                                                \
        counts[thread][n]++;                         \
        counts[thread][n] *= 3;                      \
    }

COUNTING(create_entry, 0, 0)
COUNTING(remove_entry, 0, 1)
COUNTING(copy_entry, 0, 2)
COUNTING(move_entry, 0, 3)
COUNTING(lock_entry, 0, 5)
COUNTING(unlock_entry, 0, 6)
COUNTING(touch_entry, 0, 7)

COUNTING(count_entries, 1, 0)
COUNTING(find_entry, 1, 1)
COUNTING(watch_entry, 1, 3)
COUNTING(export_entries, 1, 4)
COUNTING(import_entries, 1, 5)
COUNTING(save_entries, 1, 6)
COUNTING(load_entries, 1, 7)

static __attribute__((noinline)) void rename_entry(void)
{
    int old = name;

    name = 0;
    name = old + 1; /* until here it has none */
}

static __attribute__((noinline)) void list_entries(void)
{
    counts[1][2]++;
    if (name == 0)
        nameless = true;
}

typedef void handler(void);

static handler *const handlers[2][KINDS] = {
    {create_entry, remove_entry, copy_entry, move_entry, rename_entry, lock_entry, unlock_entry,
     touch_entry},
    {count_entries, find_entry, list_entries, watch_entry, export_entries, import_entries,
     save_entries, load_entries},
};

static void *serve(void *arg)
{
    uintptr_t me = (uintptr_t)arg;
    unsigned kind = 0;

    for (int i = 0; i < MESSAGES; i++) {
        handlers[me][kind]();
        kind = (kind + 3) % KINDS;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return nameless;
}
