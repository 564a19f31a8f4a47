/* SPDX-License-Identifier: MIT */
/*
 * What an object file carries besides its code, and the bitcode that is made for it.
 *
 * `plait cc --whole` has clang make bitcode with hooks; pl_label_module() numbers its calls and
 * puts a label before each; then clang makes the object of it.  The sections are called .debug_...
 * so that linkers treat them like debug information: kept with the object, out of the program's
 * memory, and the addresses of code that was dropped become 0.
 *
 * .debug_plait_code: per object a struct pl_code_head, then the bitcode, without labels.
 * .debug_plait_sites: per label a struct pl_code_row.
 */
#ifndef PL_STATIC_CODE_H
#define PL_STATIC_CODE_H

#include "base/err.h"
#include "model/pair.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_CODE_SECTION PL_PAIR_CODE
#define PL_CODE_ROWS ".debug_plait_sites"
#define PL_CODE_METADATA "plait" /* of a call: its number */
#define PL_CODE_MAGIC UINT64_C(0x65646f4374616c70)
#define PL_CODE_VERSION 1

struct pl_code_head {
    uint64_t magic;
    uint32_t version;
    uint32_t by_place; /* gcc made the program: there are no rows */
    uint64_t hash;     /* of the bitcode, which rows name it by */
    uint64_t size;     /* of the bitcode, which follows, padded to 8 bytes */
};

struct pl_code_row {
    uint64_t label; /* an address; 0: dropped by the linker */
    uint64_t hash;
    uint32_t number; /* of the call */
    uint32_t zero;
};

/* hooks.c: put hooks before accesses that the compiler's pass has left out; returns how many. */
unsigned pl_hooks_complete(LLVMModuleRef module);

/* Whether the call is one that gets a number and a label: it becomes a call in the machine code. */
bool pl_label_wanted(LLVMValueRef call);

/*
 * Number the calls of a module that has been read, and keep its bitcode in a file with a head,
 * which the module is made to include; then put the labels in.
 */
int pl_label_module(LLVMModuleRef module, const char *kept, struct pl_err *err);

/* The same for a program that another compiler makes: there are no labels. */
int pl_label_keep(LLVMModuleRef module, const char *kept, struct pl_err *err);

/* Read a module from a file of bitcode; NULL with a sentence. */
LLVMModuleRef pl_label_read(LLVMContextRef context, const char *path, struct pl_err *err);

#endif /* PL_STATIC_CODE_H */
