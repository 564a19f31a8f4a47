/* SPDX-License-Identifier: MIT */
/* See fiber.c. */
#ifndef PL_RUNTIME_CORE_FIBER_H
#define PL_RUNTIME_CORE_FIBER_H

#include "runtime/ground/stage.h"

void pl_fiber_init(void);
void pl_fiber_reserve(unsigned n);
bool pl_fiber_attach(struct pl_thread *t, uint64_t stack_size, void *user_stack,
                     uint64_t user_size);
void pl_fiber_switch_to(struct pl_thread *from, struct pl_thread *to);
void pl_fiber_start(struct pl_thread *t); /* OS threads: it begins to run */
/* The first function of every thread; the start of the runtime says which. */
extern void (*pl_fiber_body)(void) __attribute__((visibility("hidden")));
void pl_fiber_began(const struct pl_thread *t);                    /* on its stack */
void pl_fiber_rest(struct pl_thread *t) __attribute__((noreturn)); /* OS threads: t has ended */
void pl_fiber_set_pointer(void *tp);
void pl_fiber_swap(void **save_sp, void *new_sp); /* switch.S */
void *pl_fiber_frame(uint64_t top, void (*entry)(void));

#endif /* PL_RUNTIME_CORE_FIBER_H */
