/* SPDX-License-Identifier: MIT */
/*
 * The limit: switches between fibers, and nothing else.
 * usage: fibers SECONDS SWITCHES
 * Two fibers and the program's own stack take turns as plait's runtime makes
 * them: registers, floating-point control words and thread pointer.  SWITCHES
 * of them count as one execution; prints how many of those fit in a second.
 */
#include <asm/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PARTIES = 3, STACK = 1 << 16, BATCH = 3000 };

/* void swap_stacks(void **save, void *load) */
void swap_stacks(void **save, void *load);
__asm__(".text\n"
        "swap_stacks:\n"
        "    push %rbp\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    sub $8, %rsp\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    add $8, %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    ret\n");

static void *stacks[PARTIES]; /* where each stopped; 0 is the program's own stack */
static void *thread_pointer;  /* the same for all: it is the setting that takes time */
static int have_wrfsbase;
static long switches;

static void set_thread_pointer(void)
{
    if (have_wrfsbase)
        __asm__ volatile("wrfsbase %0" : : "r"(thread_pointer) : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_SET_FS, thread_pointer);
}

static void pass_on(int from)
{
    switches++;
    set_thread_pointer();
    swap_stacks(&stacks[from], stacks[(from + 1) % PARTIES]);
}

static void first_fiber(void)
{
    for (;;)
        pass_on(1);
}

static void second_fiber(void)
{
    for (;;)
        pass_on(2);
}

static void *prepare(char *low, void (*entry)(void))
{
    uint64_t *sp = (uint64_t *)(low + STACK);

    *--sp = 0;
    *--sp = (uint64_t)entry;
    for (int r = 0; r < 6; r++)
        *--sp = 0;
    *--sp = UINT64_C(0x0000037f00001f80); /* x87 control word, mxcsr: their defaults */
    return sp;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    static _Alignas(16) char memory[2][STACK];

    if (argc != 3)
        return 2;
    double seconds = atof(argv[1]), each = atof(argv[2]), start = now(), gone;

    __asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
    have_wrfsbase = (getauxval(AT_HWCAP2) & 2) != 0;
    stacks[1] = prepare(memory[0], first_fiber);
    stacks[2] = prepare(memory[1], second_fiber);
    do {
        for (long last = switches + BATCH; switches < last;)
            pass_on(0);
        gone = now() - start;
    } while (gone < seconds);
    printf("%f\n", (double)switches / each / gone);
    return 0;
}
