/* SPDX-License-Identifier: MIT */
/* The words for kinds of choices, as they stand in schedule files. */
#include "model/choice.h"

#include "base/text.h"

static const char *const texts[PL_CHOICE_KINDS] = {
    [PL_CHOICE_THREAD] = "switch", [PL_CHOICE_WAITER] = "wake", [PL_CHOICE_WAY] = "way",
    [PL_CHOICE_WEAK_CAS] = "weak", [PL_CHOICE_VALUE] = "value",
};

const char *pl_choice_text(unsigned kind)
{
    return kind < PL_CHOICE_KINDS ? texts[kind] : "unknown choice";
}

unsigned pl_choice_find(const char *text)
{
    for (unsigned i = 0; i < PL_CHOICE_KINDS; i++) {
        if (pl_text_equal(texts[i], text))
            return i;
    }
    return PL_CHOICE_KINDS;
}
