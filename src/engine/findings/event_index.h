/* SPDX-License-Identifier: MIT */
/* The events of a traced execution by thread and ordinal. */
#ifndef PL_ENGINE_FINDINGS_EVENT_INDEX_H
#define PL_ENGINE_FINDINGS_EVENT_INDEX_H

#include "base/table.h"
#include "model/board.h"

struct pl_event_index {
    const struct pl_event *events;
    bool by_name;          /* threads by name, which is the same in all executions, not by number */
    struct pl_table table; /* of events, by thread and ordinal */
};

/* The events must outlive the index. */
void pl_event_index_open(struct pl_event_index *index, const struct pl_event *events, uint64_t n,
                         bool by_name);
void pl_event_index_close(struct pl_event_index *index);

/* The event of this thread with this ordinal, or NULL. */
const struct pl_event *pl_event_index_find(const struct pl_event_index *index, uint64_t thread,
                                           uint32_t ordinal);

#endif /* PL_ENGINE_FINDINGS_EVENT_INDEX_H */
