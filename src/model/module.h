/* SPDX-License-Identifier: MIT */
/* Modules of the program, by what plait knows of their code. */
#ifndef PL_MODEL_MODULE_H
#define PL_MODEL_MODULE_H

#include "model/board.h"

/* Whether it is a library without hooks, and not one whose functions are modelled or announced. */
bool pl_module_is_unseen(const struct pl_board *board, unsigned i);

/* Whether there is one. */
bool pl_module_has_unseen(const struct pl_board *board);

/* A function that compilers and linkers put into every program. */
bool pl_module_is_furniture(const char *name);

#endif /* PL_MODEL_MODULE_H */
