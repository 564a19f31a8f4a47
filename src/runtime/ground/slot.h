/* SPDX-License-Identifier: MIT */
/*
 * Exported functions.  Each is a jump through a slot, a word of its own, which says where its code
 * is: here, as a rule.  Where nothing is modelled (native.h) the slots of functions that
 * plait has no business with are set to libc's own, so that all they cost is the jump.
 */
#ifndef PL_RUNTIME_GROUND_SLOT_H
#define PL_RUNTIME_GROUND_SLOT_H

struct pl_slot {
    void *target;
    const char *name;
};

/* All of them; the linker gathers them. */
extern struct pl_slot __start_pl_slots[] __attribute__((visibility("hidden")));
extern struct pl_slot __stop_pl_slots[] __attribute__((visibility("hidden")));

/* Assembler text: the exported function `name`, whose code is at `label` to begin with. */
#define PL_SLOT(name, label)                                                     \
    ".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"          \
    "\t.cfi_startproc\n\tjmp *pl_slot_" #name "(%rip)\n\t.cfi_endproc\n"         \
    ".size " #name ", .-" #name "\n"                                             \
    ".pushsection .rodata.str1.1,\"aMS\",@progbits,1\npl_slot_name_" #name ":\n" \
    "\t.asciz \"" #name "\"\n.popsection\n"                                      \
    ".pushsection pl_slots,\"aw\",@progbits\n.balign 8\npl_slot_" #name ":\n"    \
    "\t.quad " #label ", pl_slot_name_" #name "\n.popsection\n"

/*
 * Define the exported function `name` without a stub: its code is pl_in_<name>, which the macro
 * declares and the text after it defines.
 */
#define PL_EXPOSE(ret, name, params)                                     \
    __asm__(PL_SLOT(name, pl_in_##name));                                \
    __attribute__((visibility("hidden"), used)) ret pl_in_##name params; \
    ret pl_in_##name params

#endif /* PL_RUNTIME_GROUND_SLOT_H */
