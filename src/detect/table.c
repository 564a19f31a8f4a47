/* SPDX-License-Identifier: MIT */
/* The detectors that look at accesses and at what orders threads: those of model/detectors.def. */
#include "detect/detector.h"

#include <stddef.h>

const struct pl_detector_part *const pl_detector_parts[] = {
#define PL_PART(name) &pl_##name,
#define PL_NO_PART
#define PL_DETECTOR(name, text, part, ...) part
#include "model/detectors.def"
#undef PL_DETECTOR
#undef PL_NO_PART
#undef PL_PART
    NULL,
};
