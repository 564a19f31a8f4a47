/* SPDX-License-Identifier: MIT */
/* See room.h. */
#include "runtime/system/room.h"

#include "base/text.h"
#include "model/board.h"
#include "model/common.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/own.h"

#include <sys/resource.h>

enum { MANY = 128 << 10 }; /* so much at once is worth looking what is mapped */

/* Boards, heap, stage, stacks of threads and copies lie together. */
static bool is_own(uint64_t start, const char *access)
{
    return (start >= PL_COMMON_ADDRESS && start < PL_MAPS_KEPT_END) ||
           (start >= PL_SHADOW_ADDRESS && start < PL_SHADOW_ADDRESS + PL_SHADOW_SIZE) ||
           pl_maps_own(start, access) || pl_text_contains(access, "/libplait.so");
}

static void add(void *arg, uint64_t start, uint64_t end, const char *access)
{
    struct pl_room_taken *had = arg;

    if (is_own(start, access))
        return;
    had->all += end - start;
    if (access[1] == 'w' && access[3] == 'p' && !pl_text_contains(access, "[stack]"))
        had->data += end - start;
}

/* Of threads that run; not of those that are kept for others. */
static uint64_t stacks(void)
{
    uint64_t size = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->stack_high >= PL_STACKS_ADDRESS &&
            t->stack_high < PL_VAULT_ADDRESS)
            size += t->stack_size + t->guard_size;
    }
    return size;
}

/* But for the heap. */
static struct pl_room_taken look(void)
{
    char text[2048] = {0}; /* so that the kernel may write there */
    struct pl_room_taken had = {0};

    pl_maps_walk(text, sizeof(text), add, &had);
    had.stacks = stacks();
    had.all += had.stacks;
    had.data += had.stacks;
    return had;
}

struct pl_room_taken pl_room_taken(void)
{
    struct pl_room_taken had = look();

    had.all += pl_heap_in_use();
    had.data += pl_heap_in_use();
    return had;
}

static bool is_limited(void)
{
    return pl_on() && !pl_inside() &&
           (pl_own_most(RLIMIT_AS) != RLIM_INFINITY || pl_own_most(RLIMIT_DATA) != RLIM_INFINITY);
}

static bool fits(uint64_t had, uint64_t size, int which)
{
    uint64_t most = pl_own_most(which), heap = pl_heap_in_use();

    return most == RLIM_INFINITY || (size <= most && had + heap <= most - size);
}

bool pl_room_for(uint64_t size, bool data)
{
    if (!is_limited())
        return true;
    struct pl_room_taken had = look();

    return fits(had.all, size, RLIMIT_AS) && (!data || fits(had.data, size, RLIMIT_DATA));
}

bool pl_room_in_heap(uint64_t size)
{
    if (!is_limited())
        return true;
    return size < MANY ? fits(0, size, RLIMIT_AS) && fits(0, size, RLIMIT_DATA)
                       : pl_room_for(size, true);
}
