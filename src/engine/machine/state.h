/* SPDX-License-Identifier: MIT */
/*
 * What is known about registers and the stack at a place in a function of the program: values that
 * instructions would compute if everything unknown were a random number.
 *
 * Two expressions that have the same value here are the same expression but for a chance of 1 to
 * 2^64 or so (Gulwani and Necula, "Discovering affine equalities using random interpretation",
 * 2003). So there is nothing symbolic: the address that a hook was given and the one that an
 * instruction uses are compared as numbers.  Where ways meet, the values of all places are mixed
 * with the same weights, which keeps what is linear between them: a pointer and a counter that run
 * together. Therefore numbers of 32 bits are not cut: the compiler counts on it that they do not
 * overflow.
 */
#ifndef PL_ENGINE_MACHINE_STATE_H
#define PL_ENGINE_MACHINE_STATE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

enum pl_machine_origin {
    PL_MACHINE_ANY,
    PL_MACHINE_STACK,    /* an address in the function's own frame, or beside it */
    PL_MACHINE_CONSTANT, /* an address in memory that nobody writes */
};

struct pl_machine_value {
    uint64_t n;
    enum pl_machine_origin origin;
};

/* Memory of the frame that holds a known value. */
struct pl_machine_slot {
    uint64_t addr;
    uint32_t size;
    struct pl_machine_value value;
};

/* What a hook has announced and nothing has ended yet. */
struct pl_machine_said {
    uint64_t addr, size;
    bool read, write;
};

enum {
    PL_MACHINE_SAID = 24,
    PL_MACHINE_REGISTERS = 16,
    PL_MACHINE_RAX = 0,
    PL_MACHINE_RSP = 4,
    PL_MACHINE_RBP = 5,
    PL_MACHINE_RSI = 6,
    PL_MACHINE_RDI = 7,
};

struct pl_machine_state {
    bool reached;
    struct pl_machine_value registers[PL_MACHINE_REGISTERS]; /* as the processor numbers them */
    struct pl_machine_slot *slots;                           /* sorted */
    unsigned n_slots, room;
    struct pl_machine_said said[PL_MACHINE_SAID];
    unsigned n_said;
};

/* One instruction. */
struct pl_machine_code {
    uint64_t pc;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* Whether an address is in memory that nobody writes. */
typedef bool pl_machine_constant(const void *context, uint64_t addr);

struct pl_machine_memory {
    pl_machine_constant *is_constant;
    const void *context;
};

/* As a function is entered. */
void pl_state_enter(struct pl_machine_state *s);
void pl_state_free(struct pl_machine_state *s);
void pl_state_copy(struct pl_machine_state *to, const struct pl_machine_state *from);
bool pl_state_equal(const struct pl_machine_state *a, const struct pl_machine_state *b);
/* Join what several blocks leave to `block`. */
void pl_state_join(struct pl_machine_state *to, const struct pl_machine_state *const *from,
                   unsigned n, uint64_t block);

/* The address of an operand in memory. */
struct pl_machine_value pl_state_address(const struct pl_machine_state *s,
                                         const struct pl_machine_code *c,
                                         const ZydisDecodedOperand *o,
                                         const struct pl_machine_memory *memory);
/* Whether an address is one of the frame, which can be told from what lies in other frames. */
bool pl_state_in_frame(uint64_t addr);
/* Where the frame begins: behind the address that the function returns to. */
uint64_t pl_state_cfa(void);

/* Perform an instruction that is no call. */
void pl_state_perform(struct pl_machine_state *s, const struct pl_machine_code *c,
                      const struct pl_machine_memory *memory);
/* What a call leaves: registers that it need not keep are unknown. */
void pl_state_called(struct pl_machine_state *s, uint64_t pc);
/*
 * Others may come in here: what was announced and has not happened yet was announced too early.
 * Wide accesses, which are followed step by step (runtime/access/step.h), are announced all the
 * same.
 */
void pl_state_outdate(struct pl_machine_state *s);
void pl_state_say(struct pl_machine_state *s, const struct pl_machine_said *said);

#endif /* PL_ENGINE_MACHINE_STATE_H */
