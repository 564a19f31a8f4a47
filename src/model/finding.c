/* SPDX-License-Identifier: MIT */
/* The words for kinds of findings, as they stand in reports and files. */
#include "model/finding.h"

#include "base/text.h"
#include "base/words.h"

static const char *const texts[] = {
#define PL_FINDING(name, text, ...) text,
#include "model/finding.def"
#undef PL_FINDING
};

static const char *const meanings[] = {
#define PL_FINDING(name, text, meaning, ...) meaning,
#include "model/finding.def"
#undef PL_FINDING
};

static const uint32_t traits_of[] = {
#define PL_FINDING(name, text, meaning, ...) PL_WORDS(PL_FINDING_IS_, __VA_ARGS__),
#include "model/finding.def"
#undef PL_FINDING
};

const char *pl_finding_text(unsigned kind)
{
    return kind < PL_FINDING_KINDS ? texts[kind] : "unknown";
}

const char *pl_finding_meaning(unsigned kind)
{
    return kind < PL_FINDING_KINDS ? meanings[kind] : "unknown";
}

bool pl_finding_is(unsigned kind, uint32_t traits)
{
    return kind < PL_FINDING_KINDS && (traits_of[kind] & traits) != 0;
}

bool pl_finding_ends(unsigned kind)
{
    return !pl_finding_is(kind, PL_FINDING_IS_NOTED);
}

unsigned pl_finding_find(const char *text)
{
    for (unsigned i = 0; i < PL_FINDING_KINDS; i++) {
        if (pl_text_equal(texts[i], text))
            return i;
    }
    return PL_FINDING_KINDS;
}
