/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include "base/exit.h"
#include "unit.h"

static void the_class_decides_the_exit_code(void)
{
    static const int codes[PL_ERR_CLASSES] = {
        [PL_ERR_NONE] = PL_EXIT_CLEAN,        [PL_ERR_USER] = PL_EXIT_USAGE,
        [PL_ERR_TARGET] = PL_EXIT_TARGET,     [PL_ERR_SYSTEM] = PL_EXIT_TARGET,
        [PL_ERR_INTERNAL] = PL_EXIT_INTERNAL,
    };

    for (unsigned i = 0; i < PL_ERR_CLASSES; i++) {
        struct pl_err err = {(enum pl_err_class)i, ""};

        CHECK(pl_err_exit(&err) == codes[i]);
    }
}

static void context_goes_in_front(void)
{
    struct pl_err err;

    CHECK(pl_err_set(&err, PL_ERR_USER, "there is no %s", "file") == -1);
    CHECK(pl_err_prefix(&err, "line %d", 3) == -1);
    CHECK_STR(err.text, "line 3: there is no file");
    CHECK(err.class == PL_ERR_USER);
    for (int i = 0; i < 200; i++)
        pl_err_prefix(&err, "again");
    CHECK(strlen(err.text) == sizeof(err.text) - 1); /* what does not fit is cut at the end */
}

int main(void)
{
    the_class_decides_the_exit_code();
    context_goes_in_front();
    return unit_result();
}
