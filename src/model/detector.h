/* SPDX-License-Identifier: MIT */
/*
 * What plait must know of a detector without asking it: its row in detectors.def.  A setting
 * has a bit for each, (1 << PL_DETECT_RACE) and so on.
 */
#ifndef PL_MODEL_DETECTOR_H
#define PL_MODEL_DETECTOR_H

#include "base/words.h"

#include <stdint.h>

enum pl_detector {
#define PL_DETECTOR(name, ...) PL_DETECT_##name,
#include "model/detectors.def"
#undef PL_DETECTOR
    PL_DETECTORS
};

enum pl_detector_trait {
    PL_DETECTOR_NONE = 0,
    PL_DETECTOR_USUAL = 1 << 0,    /* on, unless the user says something else */
    PL_DETECTOR_PREDICTS = 1 << 1, /* notes what may show in other executions than the one that
                                         it is seen in */
    PL_DETECTOR_FORESEES_DEADLOCKS = 1 << 2, /* what it predicts comes true as a deadlock, which
                                          must be seen then */
};

struct pl_detector_row {
    const char *text, *summary;
    uint32_t traits; /* of enum pl_detector_trait */
};

extern const struct pl_detector_row pl_detector_rows[PL_DETECTORS];

/* The detectors with any of these traits, a bit each. */
uint32_t pl_detectors_with(uint32_t traits);

#endif /* PL_MODEL_DETECTOR_H */
