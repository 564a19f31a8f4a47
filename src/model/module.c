/* SPDX-License-Identifier: MIT */
/* See module.h. */
#include "model/module.h"

#include "base/text.h"

/* Libraries whose functions are modelled or announced, by the beginnings of their names. */
static bool is_known(const char *name)
{
    static const char *const known[] = {
        "libc.so",      "libm.so",  "libpthread.so", "libdl.so",    "librt.so",   "libgcc_s.so",
        "libstdc++.so", "ld-linux", "libresolv.so",  "libanl.so",   "linux-vdso", "libtsan.so",
        "libplait",     "libc-",    "libcrypt.so",   "libatomic.so"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (pl_text_starts(name, known[i]))
            return true;
    }
    return false;
}

/* What follows the last slash. */
static const char *name_of(const char *path)
{
    const char *name = path;

    for (; *path != '\0'; path++) {
        if (*path == '/')
            name = path + 1;
    }
    return name;
}

bool pl_module_is_unseen(const struct pl_board *board, unsigned i)
{
    const struct pl_module *m = &board->modules[i];

    /* The program itself comes first. */
    return i > 0 && !m->instrumented && m->path[0] != '\0' && !is_known(name_of(m->path));
}

bool pl_module_has_unseen(const struct pl_board *board)
{
    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++) {
        if (pl_module_is_unseen(board, i))
            return true;
    }
    return false;
}

bool pl_module_is_furniture(const char *name)
{
    static const char *const names[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "deregister_tm_clones",
                                        "register_tm_clones",
                                        "frame_dummy",
                                        "__do_global_dtors_aux",
                                        "_dl_relocate_static_pie",
                                        "__libc_csu_init",
                                        "__libc_csu_fini"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pl_text_equal(name, names[i]))
            return true;
    }
    return false;
}
