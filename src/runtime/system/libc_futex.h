/* SPDX-License-Identifier: MIT */
/*
 * The futex system call on the model: whoever waits is parked, and who is woken is a choice.
 *
 * Called under control, by the running thread; others run inside.  Nothing of it reaches the
 * kernel.  Every way to the system call comes here: syscall(), and whatever catches the
 * instruction itself.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_FUTEX_H
#define PL_RUNTIME_SYSTEM_LIBC_FUTEX_H

#include "runtime/ground/stage.h"

/*
 * Perform the call with the kernel's six arguments, made at pc.  Returns what the kernel would:
 * a negative errno if it fails.
 */
long pl_futex_call(const uint64_t a[6], uint64_t pc);
/* The same for futex_waitv(). */
long pl_futex_wait_several(const uint64_t a[6], uint64_t pc);

/*
 * For words of the runtime, or of the program where nobody else changes them: wait until the word
 * is no longer `value`, or the wait ends in another way; store a value and wake all who wait, in
 * one operation; and whether anybody has been seen to wait there.
 */
enum pl_way pl_futex_await(uint32_t *word, uint32_t value, uint64_t deadline, uint64_t pc);
void pl_futex_update(uint32_t *word, uint32_t value, uint64_t pc);
bool pl_futex_is_used(const uint32_t *word);

#endif /* PL_RUNTIME_SYSTEM_LIBC_FUTEX_H */
