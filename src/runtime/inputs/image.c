/* SPDX-License-Identifier: MIT */
/* What was recorded as one piece of memory, with those files that its records name. */
#include "base/assert.h"
#include "base/memory.h"
#include "model/inputs.h"
#include "runtime/inputs/inputs.h"

static struct pl_inputs *const log = &pl_board->inputs;

/* Which files are in it; the rest is not wanted. */
static void mark_contents(uint64_t wanted[PL_INPUT_CONTENTS])
{
    pl_memory_fill(wanted, 0, PL_INPUT_CONTENTS * sizeof(wanted[0]));
    for (unsigned i = 0; i < PL_THREADS_MAX; i++) {
        for (uint64_t at = log->threads[i].first; at != 0; at = pl_inputs_record(at)->next) {
            if (pl_inputs_record(at)->bytes >= PL_INPUTS_HALF)
                wanted[pl_contents_index(pl_inputs_record(at)->bytes)] = 1;
        }
    }
}

uint64_t pl_image_size(void)
{
    uint64_t n = 0, places[PL_INPUT_CONTENTS];

    if (pl_board->settings.record_inputs == 0 || log->feeding)
        return 0;
    for (unsigned i = 0; i < PL_THREADS_MAX; i++)
        n += log->threads[i].first != 0;
    mark_contents(places);
    return sizeof(struct pl_inputs_head) + n * sizeof(struct pl_input_thread) + log->used +
           pl_contents_place(places, log->used);
}

/* Records of the copy find their files in the copy. */
static void lead_to_copies(unsigned char *area, uint64_t first,
                           const uint64_t places[PL_INPUT_CONTENTS])
{
    for (uint64_t at = first; at != 0;) {
        struct pl_input_record *r = (struct pl_input_record *)(area + at);

        if (r->bytes >= PL_INPUTS_HALF)
            r->bytes = places[pl_contents_index(r->bytes)];
        at = r->next;
    }
}

void pl_image_copy(void *to)
{
    struct pl_inputs_head *head = to;
    struct pl_input_thread *thread = (struct pl_input_thread *)(head + 1);
    uint64_t places[PL_INPUT_CONTENTS];

    mark_contents(places);
    *head = (struct pl_inputs_head){
        .magic = PL_INPUTS_MAGIC,
        .version = PL_INPUTS_VERSION,
        .flags = log->flags | pl_board->settings.record_inputs,
        .used = log->used + pl_contents_place(places, log->used),
        .process = log->process,
    };
    for (unsigned i = 0; i < PL_THREADS_MAX; i++) {
        if (log->threads[i].first == 0)
            continue;
        *thread++ = log->threads[i];
        head->n_threads++;
    }
    unsigned char *area = (unsigned char *)thread;

    PL_ASSERT(head->n_threads <= PL_THREADS_MAX && log->used <= PL_INPUTS_HALF);
    pl_memory_copy(area, log->area, log->used);
    pl_contents_copy(places, area);
    for (uint32_t i = 0; i < head->n_threads; i++)
        lead_to_copies(area, ((struct pl_input_thread *)(head + 1))[i].first, places);
}
