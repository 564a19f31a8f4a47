/* SPDX-License-Identifier: MIT */
/*
 * A call that is put between two instructions of a thread leaves no trace: registers, flags, red
 * zone, x87 stack and control words, xmm and ymm registers are as they were; and what the function
 * changes among the registers is what the thread goes on with.
 */
#include "unit.h"

#include "runtime/core/trampoline.h"

#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Everything that a thread has, before an illegal instruction and after it. */
struct state {
    uint64_t general[15]; /* rax rbx rcx rdx rsi rdi rbp r8 … r15 */
    uint64_t flags, sp;
    uint64_t red[16];
    uint8_t legacy[512] __attribute__((aligned(16)));
    uint8_t ymm[16][32];
};

static struct state before, after;
static uint64_t calls, argued, stack, change_rax;
static bool wide, found_caller;

/* Uses everything that it may. */
static void function(uint64_t argument)
{
    volatile char room[4096];
    void *frames[32];
    int n = backtrace(frames, 32);

    for (int i = 0; i < n; i++) {
        char **names = backtrace_symbols(&frames[i], 1);

        found_caller |= names != NULL && strstr(names[0], "interrupted") != NULL;
        free(names);
    }
    calls++;
    argued = argument;
    for (unsigned i = 0; i < sizeof(room); i++)
        room[i] = (char)i;
    if (change_rax != 0)
        pl_trampoline_registers(stack)->rax = change_rax;
    __asm__ volatile("fninit\n fldpi\n fldpi\n pcmpeqd %%xmm0, %%xmm0\n pcmpeqd %%xmm7, %%xmm7\n"
                     "pcmpeqd %%xmm8, %%xmm8\n pcmpeqd %%xmm15, %%xmm15\n stc\n"
                     "fninit\n"
                     :
                     :
                     : "xmm0", "xmm7", "xmm8", "xmm15", "rax", "rcx", "rdx", "rsi", "rdi", "r8",
                       "r9", "r10", "r11", "rbx", "r12", "r13", "r14", "r15", "cc", "memory");
    if (wide)
        __asm__ volatile("vzeroall" : : : "memory");
    if (backtrace(frames, 32) < 3)
        abort();
}

static void on_illegal(int signo, siginfo_t *info, void *context)
{
    ucontext_t *u = context;

    (void)signo, (void)info;
    u->uc_mcontext.gregs[REG_RIP] += 2;
    stack = (uint64_t)u->uc_mcontext.gregs[REG_RSP];
    pl_trampoline_push(u, function, UINT64_C(0x123456789abcdef0));
}

/* Load what `before` says, be interrupted, store to `after`.  Flags: carry, sign and direction. */
void interrupted(void);
__asm__(".text\n"
        ".globl interrupted\n"
        ".type interrupted, @function\n"
        "interrupted:\n"
        ".cfi_startproc\n"
        "push %rbp\n .cfi_adjust_cfa_offset 8\n push %rbx\n .cfi_adjust_cfa_offset 8\n"
        "push %r12\n .cfi_adjust_cfa_offset 8\n push %r13\n .cfi_adjust_cfa_offset 8\n"
        "push %r14\n .cfi_adjust_cfa_offset 8\n push %r15\n .cfi_adjust_cfa_offset 8\n"
        "lea before+136(%rip), %rsi\n"
        "lea -128(%rsp), %rdi\n"
        "mov $16, %ecx\n"
        "cld\n rep movsq\n"
        "fxrstor64 before+272(%rip)\n"
        "cmpb $0, wide(%rip)\n"
        "je 1f\n"
        ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "vmovdqu before+784+32*\\r(%rip), %ymm\\r\n"
        ".endr\n"
        "1:\n"
        "mov %rsp, before+128(%rip)\n"
        "mov before+0(%rip), %rax\n mov before+8(%rip), %rbx\n mov before+16(%rip), %rcx\n"
        "mov before+24(%rip), %rdx\n mov before+32(%rip), %rsi\n mov before+40(%rip), %rdi\n"
        "mov before+48(%rip), %rbp\n mov before+56(%rip), %r8\n mov before+64(%rip), %r9\n"
        "mov before+72(%rip), %r10\n mov before+80(%rip), %r11\n mov before+88(%rip), %r12\n"
        "mov before+96(%rip), %r13\n mov before+104(%rip), %r14\n mov before+112(%rip), %r15\n"
        "cmpq $-1, before+0(%rip)\n" /* borrows, so carry */
        "std\n"
        "ud2\n"
        "mov %rax, after+0(%rip)\n mov %rbx, after+8(%rip)\n mov %rcx, after+16(%rip)\n"
        "mov %rdx, after+24(%rip)\n mov %rsi, after+32(%rip)\n mov %rdi, after+40(%rip)\n"
        "mov %rbp, after+48(%rip)\n mov %r8, after+56(%rip)\n mov %r9, after+64(%rip)\n"
        "mov %r10, after+72(%rip)\n mov %r11, after+80(%rip)\n mov %r12, after+88(%rip)\n"
        "mov %r13, after+96(%rip)\n mov %r14, after+104(%rip)\n mov %r15, after+112(%rip)\n"
        "mov %rsp, after+128(%rip)\n"
        "lea -128(%rsp), %rsi\n lea after+136(%rip), %rdi\n mov $16, %ecx\n"
        "2: mov (%rsi), %rax\n mov %rax, (%rdi)\n"
        "lea 8(%rsi), %rsi\n lea 8(%rdi), %rdi\n lea -1(%rcx), %rcx\n jrcxz 3f\n jmp 2b\n"
        "3: pushfq\n .cfi_adjust_cfa_offset 8\n popq after+120(%rip)\n"
        ".cfi_adjust_cfa_offset -8\n"
        "cld\n"
        "fxsave64 after+272(%rip)\n"
        "cmpb $0, wide(%rip)\n"
        "je 4f\n"
        ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "vmovdqu %ymm\\r, after+784+32*\\r(%rip)\n"
        ".endr\n"
        "vzeroupper\n"
        "4: fninit\n"
        "pop %r15\n .cfi_adjust_cfa_offset -8\n pop %r14\n .cfi_adjust_cfa_offset -8\n"
        "pop %r13\n .cfi_adjust_cfa_offset -8\n pop %r12\n .cfi_adjust_cfa_offset -8\n"
        "pop %rbx\n .cfi_adjust_cfa_offset -8\n pop %rbp\n .cfi_adjust_cfa_offset -8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size interrupted, .-interrupted\n");

_Static_assert(offsetof(struct state, red) == 136, "the assembly above counts on it");
_Static_assert(offsetof(struct state, legacy) == 272, "the assembly above counts on it");
_Static_assert(offsetof(struct state, ymm) == 784, "the assembly above counts on it");

static void fill(void)
{
    uint8_t *all = (uint8_t *)&before;

    for (unsigned i = 0; i < sizeof(before); i++)
        all[i] = (uint8_t)(i * 167 + 13);
    /* Three values on the x87 stack, rounding down, an unusual mxcsr. */
    __asm__ volatile("fninit\n fldpi\n fldl2e\n fldlg2\n fxsave64 %0\n fninit"
                     : "=m"(before.legacy));
    *(uint16_t *)&before.legacy[0] = 0x077f;
    *(uint32_t *)&before.legacy[24] = 0x3f80;
    for (unsigned r = 0; r < 16; r++)
        memcpy(&before.legacy[160 + 16 * r], before.ymm[r], 16);
    memset(&after, 0, sizeof(after));
}

static void nothing_is_changed(void)
{
    enum { CARRY = 1, DIRECTION = 0x400 };

    fill();
    calls = 0;
    change_rax = 0;
    interrupted();
    CHECK(calls == 1 && argued == UINT64_C(0x123456789abcdef0));
    CHECK(memcmp(before.general, after.general, sizeof(before.general)) == 0);
    CHECK(before.sp == after.sp && before.sp == stack);
    CHECK((after.flags & (CARRY | DIRECTION)) == (CARRY | DIRECTION));
    CHECK(memcmp(before.red, after.red, sizeof(before.red)) == 0);
    CHECK(memcmp(before.legacy, after.legacy, 24 + 4) == 0);              /* x87 and mxcsr */
    CHECK(memcmp(before.legacy + 32, after.legacy + 32, 128 + 256) == 0); /* st, xmm */
    if (wide)
        CHECK(memcmp(before.ymm, after.ymm, sizeof(before.ymm)) == 0);
}

static void function_may_change_a_register(void)
{
    fill();
    change_rax = 77;
    interrupted();
    CHECK(after.general[0] == 77);
    CHECK(memcmp(before.general + 1, after.general + 1, sizeof(before.general) - 8) == 0);
}

static void unwinders_find_who_was_interrupted(void)
{
    CHECK(found_caller);
}

int main(void)
{
    static char room[65536];
    stack_t own = {.ss_sp = room, .ss_size = sizeof(room)};
    struct sigaction action = {.sa_sigaction = on_illegal,
                               .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};

    sigaltstack(&own, NULL);
    wide = __builtin_cpu_supports("avx");
    sigaction(SIGILL, &action, NULL);
    nothing_is_changed();
    for (int i = 0; i < 1000; i++)
        nothing_is_changed();
    function_may_change_a_register();
    unwinders_find_who_was_interrupted();
    return unit_result();
}
