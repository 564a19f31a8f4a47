/* SPDX-License-Identifier: MIT */
/* The detectors that look at accesses and at what orders threads. */
#include "detect/detector.h"

#include <stddef.h>

const struct pl_detector_part *const pl_detector_parts[] = {
    NULL,
};
