/* SPDX-License-Identifier: MIT */
/* The rows of detectors.def; see detector.h. */
#include "model/detector.h"

const struct pl_detector_row pl_detector_rows[PL_DETECTORS] = {
#define PL_DETECTOR(name, text, part, summary, ...) \
    {text, summary, PL_WORDS(PL_DETECTOR_, __VA_ARGS__)},
#include "model/detectors.def"
#undef PL_DETECTOR
};

uint32_t pl_detectors_with(uint32_t traits)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < PL_DETECTORS; i++)
        bits |= (uint32_t)((pl_detector_rows[i].traits & traits) != 0) << i;
    return bits;
}
