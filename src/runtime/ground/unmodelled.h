/* SPDX-License-Identifier: MIT */
/* Something that the program has done and that is not modelled: the search is complete but for it.
 */
#ifndef PL_RUNTIME_GROUND_UNMODELLED_H
#define PL_RUNTIME_GROUND_UNMODELLED_H

#include "base/text.h"
#include "runtime/ground/stage.h"

/* The first of them is named in the summary. */
static inline void pl_unmodelled(const char *name, enum pl_unmodelled what, uint64_t pc)
{
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNMODELLED);
    if (pl_board->unmodelled_pc != 0)
        return;
    pl_text_copy(pl_board->unmodelled, sizeof(pl_board->unmodelled), name);
    pl_board->unmodelled_what = (uint8_t)what;
    pl_board->unmodelled_pc = pc;
}

#endif /* PL_RUNTIME_GROUND_UNMODELLED_H */
