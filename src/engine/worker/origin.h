/* SPDX-License-Identifier: MIT */
/* An execution of a worker that has shown something: where all that is known of it stands. */
#ifndef PL_ENGINE_WORKER_ORIGIN_H
#define PL_ENGINE_WORKER_ORIGIN_H

#include "model/common.h"

struct pl_origin {
    const struct pl_common *common;
    const struct pl_board *board; /* of its worker: it has the modules */
    const struct pl_found *found;
};

#endif /* PL_ENGINE_WORKER_ORIGIN_H */
