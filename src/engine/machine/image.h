/* SPDX-License-Identifier: MIT */
/*
 * A module of the program as its file has it: its code, where its functions are, which calls are
 * hooks, and which memory nobody writes.
 *
 * Hooks that have been turned off (model/gate.h) are calls here: the access is one that is known.
 * Addresses are those at which the module was loaded.  What is called is known by name, also
 * through the stubs and pointers that the loader fills in; a file without symbols tells nothing.
 */
#ifndef PL_ENGINE_MACHINE_IMAGE_H
#define PL_ENGINE_MACHINE_IMAGE_H

#include "engine/machine/function.h"

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwfl_Module;

enum { PL_IMAGE_STRETCHES = 64 };

/* Part of the module; `bytes` of code and data only. */
struct pl_image_stretch {
    uint64_t start, end;
    const uint8_t *bytes;
};

/* A name of code or of a slot that holds a pointer to it. */
struct pl_image_name {
    uint64_t addr;
    struct pl_machine_hook hook;
};

struct pl_image_function {
    uint64_t start, end;
    bool skipped; /* what compilers put into every program */
};

struct pl_image {
    struct Dwfl_Module *dwfl;
    struct pl_image_stretch constant[PL_IMAGE_STRETCHES];
    struct pl_image_stretch code[PL_IMAGE_STRETCHES]; /* without stubs and plait's own */
    struct pl_image_stretch data[PL_IMAGE_STRETCHES]; /* that nobody writes */
    uint8_t *changed[PL_IMAGE_STRETCHES]; /* code with hooks turned on, or NULL: as in the file */
    unsigned n_constant, n_code, n_data;
    bool symbols;                /* its own table of them has not been stripped */
    struct pl_image_name *names; /* sorted */
    size_t n_names, names_room;
    struct pl_image_name *slots; /* sorted */
    size_t n_slots, slots_room;
    struct pl_image_function *functions; /* sorted */
    size_t n_functions, functions_room;
};

/* False when there is no file.  The image is valid as long as the session that has the module. */
bool pl_image_read(struct pl_image *image, struct Dwfl_Module *module);
void pl_image_free(struct pl_image *image);

/* Whether symbols tell which calls are hooks. */
bool pl_image_knows_hooks(const struct pl_image *image);
bool pl_image_is_constant(const struct pl_image *image, uint64_t addr);
/* What is called at `target`, or through the pointer at `slot`; the other is 0. */
struct pl_machine_hook pl_image_called(const struct pl_image *image, uint64_t target,
                                       uint64_t slot);
/* The bytes of code from pc on, and how many; NULL when there is none. */
const uint8_t *pl_image_code(const struct pl_image *image, uint64_t pc, size_t *size);
/* The same of data that nobody writes. */
const uint8_t *pl_image_data(const struct pl_image *image, uint64_t addr, size_t *size);

#endif /* PL_ENGINE_MACHINE_IMAGE_H */
