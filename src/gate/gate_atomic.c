/* SPDX-License-Identifier: MIT */
/*
 * The hooks for atomic operations: announce, perform, say what happened.
 *
 * Unlike plain accesses these must be performed here, because the compiler has
 * replaced the operation by the call.  Natively that is all they do: each hook
 * has a native form, which saves no register, and a controlled one.  Every
 * operation is sequentially consistent, as on x86 almost every one is anyway;
 * only weaker stores and fences stay weaker, since there the difference is real.
 *
 * Sixteen bytes are done with compare-and-swap throughout: the builtins would
 * call libatomic, which the program may not have been linked with.
 */
#include "gate/gate.h"

#include <stdbool.h>
#include <stddef.h>

typedef unsigned __int128 uint128_t;

/* gcc puts hints for lock elision above the memory order. */
#define ORDER(order) ((order)&0x7fff)
/* Of a compare-exchange: when it writes, and above that when it does not. */
#define BOTH(order, fail_order) (((order)&0xff) | ((fail_order)&0x7f) << 8)

/*
 * A hook's entry.  Natively it jumps to the operation.  Under plait it first
 * saves the callee-saved registers, as the program has them, and leaves their
 * address at the gate's entry: spin detection compares them.  Then it calls the
 * controlled form, which therefore finds the gate open.
 */
#define STUB(name)                                                                               \
    __asm__(".text\n.globl __tsan_" name "\n" PL_GATE_HIDE(                                      \
        "__tsan_" name) ".type __tsan_" name ", @function\n__tsan_" name ":\n\t.cfi_startproc\n" \
                        "\tcmpq $0, pl_gate_now(%rip)\n\tje pl_native_" name "\n"                \
                        "\tpush %rbp\n\t.cfi_adjust_cfa_offset 8\n\tpush "                       \
                        "%rbx\n\t.cfi_adjust_cfa_offset 8\n"                                     \
                        "\tpush %r12\n\t.cfi_adjust_cfa_offset 8\n\tpush "                       \
                        "%r13\n\t.cfi_adjust_cfa_offset 8\n"                                     \
                        "\tpush %r14\n\t.cfi_adjust_cfa_offset 8\n\tpush "                       \
                        "%r15\n\t.cfi_adjust_cfa_offset 8\n"                                     \
                        "\tsub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n"                           \
                        "\tmov pl_gate_now(%rip), %rax\n\tmov 8(%rax), %rax\n"                   \
                        "\tlea 8(%rsp), %r11\n\tmov %r11, (%rax)\n\tcall pl_do_" name "\n"       \
                        "\tadd $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n"                          \
                        "\tpop %r15\n\t.cfi_adjust_cfa_offset -8\n\tpop "                        \
                        "%r14\n\t.cfi_adjust_cfa_offset -8\n"                                    \
                        "\tpop %r13\n\t.cfi_adjust_cfa_offset -8\n\tpop "                        \
                        "%r12\n\t.cfi_adjust_cfa_offset -8\n"                                    \
                        "\tpop %rbx\n\t.cfi_adjust_cfa_offset -8\n\tpop "                        \
                        "%rbp\n\t.cfi_adjust_cfa_offset -8\n"                                    \
                        "\tret\n\t.cfi_endproc\n.size __tsan_" name ", .-__tsan_" name "\n");
_Static_assert(offsetof(struct pl_gate, entry) == 8, "the stubs know where it is");

/*
 * Where the stub was called from: above what it has saved.  In a controlled form only, whose frame
 * lies right below: two words of its own, one that the stub has left free, six registers.  The
 * gate's entry may be another thread's by now.
 */
#define CALLER ((void *)((const uintptr_t *)__builtin_frame_address(0))[2 + 1 + 6])

/* The native operations of one width, by the compiler's builtins. */
#define NATIVE_RMW(bits, type, op)                                        \
    static inline type native_##op##bits(volatile type *addr, type value) \
    {                                                                     \
        return __atomic_fetch_##op(addr, value, __ATOMIC_SEQ_CST);        \
    }

#define NATIVE(bits, type)                                                              \
    static inline type native_load##bits(const volatile type *addr)                     \
    {                                                                                   \
        return __atomic_load_n(addr, __ATOMIC_SEQ_CST);                                 \
    }                                                                                   \
    static inline type native_exchange##bits(volatile type *addr, type value)           \
    {                                                                                   \
        return __atomic_exchange_n(addr, value, __ATOMIC_SEQ_CST);                      \
    }                                                                                   \
    static inline void native_store##bits(volatile type *addr, type value, int order)   \
    {                                                                                   \
        if (ORDER(order) == __ATOMIC_SEQ_CST)                                           \
            __atomic_store_n(addr, value, __ATOMIC_SEQ_CST);                            \
        else                                                                            \
            __atomic_store_n(addr, value, __ATOMIC_RELEASE);                            \
    }                                                                                   \
    static inline type native_cas##bits(volatile type *addr, type expected, type value) \
    {                                                                                   \
        return __sync_val_compare_and_swap(addr, expected, value);                      \
    }                                                                                   \
    NATIVE_RMW(bits, type, add)                                                         \
    NATIVE_RMW(bits, type, sub)                                                         \
    NATIVE_RMW(bits, type, and)                                                         \
    NATIVE_RMW(bits, type, or)                                                          \
    NATIVE_RMW(bits, type, xor)                                                         \
    NATIVE_RMW(bits, type, nand)

NATIVE(8, uint8_t)
NATIVE(16, uint16_t)
NATIVE(32, uint32_t)
NATIVE(64, uint64_t)

/* The same for sixteen bytes.  -mcx16 makes __sync_val_compare_and_swap one instruction. */
static inline uint128_t native_cas128(volatile uint128_t *addr, uint128_t expected, uint128_t value)
{
    return __sync_val_compare_and_swap(addr, expected, value);
}

static inline uint128_t native_load128(const volatile uint128_t *addr)
{
    return native_cas128((volatile uint128_t *)addr, 0, 0);
}

#define NATIVE_LOOP(op, result)                                                          \
    static inline uint128_t native_##op##128(volatile uint128_t * addr, uint128_t value) \
    {                                                                                    \
        uint128_t old = native_load128(addr);                                            \
        for (;;) {                                                                       \
            uint128_t seen = native_cas128(addr, old, result);                           \
            if (seen == old)                                                             \
                return old;                                                              \
            old = seen;                                                                  \
        }                                                                                \
    }

NATIVE_LOOP(exchange, value)
NATIVE_LOOP(add, old + value)
NATIVE_LOOP(sub, old - value)
NATIVE_LOOP(and, old &value)
NATIVE_LOOP(or, old | value)
NATIVE_LOOP(xor, old ^ value)
NATIVE_LOOP(nand, ~(old &value))

static inline void native_store128(volatile uint128_t *addr, uint128_t value, int order)
{
    native_exchange128(addr, value);
}

/* The two forms of a hook; only its stub refers to them. */
#define FORM(type, name, ...)                                    \
    PL_GATE_HIDDEN __attribute__((used)) type name(__VA_ARGS__); \
    type name(__VA_ARGS__)
#define NATIVELY(type, name, ...) FORM(type, pl_native_##name, __VA_ARGS__)
#define CONTROLLED(type, name, ...) FORM(type, pl_do_##name, __VA_ARGS__)

/* A read-modify-write operation: the old value is returned and a new one written. */
#define RMW(bits, type, name, op, kind)                                                          \
    NATIVELY(type, atomic##bits##_##name, volatile type *addr, type value, int order)            \
    {                                                                                            \
        return native_##op##bits(addr, value);                                                   \
    }                                                                                            \
    CONTROLLED(type, atomic##bits##_##name, volatile type *addr, type value, int order)          \
    {                                                                                            \
        const struct pl_gate *gate = pl_gate_now;                                                \
        gate->atomic_before((const void *)addr, sizeof(type), kind, ORDER(order), NULL, CALLER); \
        type old = native_##op##bits(addr, value);                                               \
        gate->atomic_after((const void *)addr, sizeof(type), kind, 1);                           \
        return old;                                                                              \
    }

#define LOAD_STORE(bits, type)                                                                     \
    NATIVELY(type, atomic##bits##_load, const volatile type *addr, int order)                      \
    {                                                                                              \
        return native_load##bits(addr);                                                            \
    }                                                                                              \
    CONTROLLED(type, atomic##bits##_load, const volatile type *addr, int order)                    \
    {                                                                                              \
        const struct pl_gate *gate = pl_gate_now;                                                  \
        gate->atomic_before((const void *)addr, sizeof(type), PL_ATOMIC_LOAD, ORDER(order), NULL,  \
                            CALLER);                                                               \
        type seen = native_load##bits(addr);                                                       \
        gate->atomic_after((const void *)addr, sizeof(type), PL_ATOMIC_LOAD, 0);                   \
        return seen;                                                                               \
    }                                                                                              \
    NATIVELY(void, atomic##bits##_store, volatile type *addr, type value, int order)               \
    {                                                                                              \
        native_store##bits(addr, value, order);                                                    \
    }                                                                                              \
    CONTROLLED(void, atomic##bits##_store, volatile type *addr, type value, int order)             \
    {                                                                                              \
        const struct pl_gate *gate = pl_gate_now;                                                  \
        gate->atomic_before((const void *)addr, sizeof(type), PL_ATOMIC_STORE, ORDER(order), NULL, \
                            CALLER);                                                               \
        native_store##bits(addr, value, order);                                                    \
        gate->atomic_after((const void *)addr, sizeof(type), PL_ATOMIC_STORE, 1);                  \
    }

/* What all forms of compare-exchange share; the value seen is returned.  _val is clang's form. */
#define CAS_COMMON(bits, type)                                                                   \
    static inline __attribute__((always_inline)) type cas##bits(                                 \
        volatile type *addr, type wanted, type value, unsigned kind, int order, bool *done)      \
    {                                                                                            \
        const struct pl_gate *gate = pl_gate_now;                                                \
        int spurious = gate->atomic_before((const void *)addr, sizeof(type), kind, ORDER(order), \
                                           &wanted, CALLER);                                     \
        bool fail = kind == PL_ATOMIC_CAS_WEAK && spurious != 0;                                 \
        type seen = fail ? native_load##bits(addr) : native_cas##bits(addr, wanted, value);      \
        *done = !fail && seen == wanted;                                                         \
        gate->atomic_after((const void *)addr, sizeof(type), kind, *done);                       \
        return seen;                                                                             \
    }                                                                                            \
    NATIVELY(type, atomic##bits##_compare_exchange_val, volatile type *addr, type wanted,        \
             type value, int order, int fail_order)                                              \
    {                                                                                            \
        return native_cas##bits(addr, wanted, value);                                            \
    }                                                                                            \
    CONTROLLED(type, atomic##bits##_compare_exchange_val, volatile type *addr, type wanted,      \
               type value, int order, int fail_order)                                            \
    {                                                                                            \
        bool done;                                                                               \
        return cas##bits(addr, wanted, value, PL_ATOMIC_CAS, BOTH(order, fail_order), &done);    \
    }

/*
 * gcc's form of compare-exchange: true, or false and the value seen put into *expected.  That is
 * mostly in the caller's frame; if not, others may use it, and no other hook tells of it.
 */
static inline bool is_elsewhere(const void *expected, uintptr_t frame)
{
    return (uintptr_t)expected - frame >= 1 << 20;
}

#define CAS(bits, type, name, kind)                                                              \
    NATIVELY(int, atomic##bits##_compare_exchange_##name, volatile type *addr, type *expected,   \
             type value, int order, int fail_order)                                              \
    {                                                                                            \
        type wanted = *expected;                                                                 \
        type seen = native_cas##bits(addr, wanted, value);                                       \
        if (seen != wanted)                                                                      \
            *expected = seen;                                                                    \
        return seen == wanted;                                                                   \
    }                                                                                            \
    CONTROLLED(int, atomic##bits##_compare_exchange_##name, volatile type *addr, type *expected, \
               type value, int order, int fail_order)                                            \
    {                                                                                            \
        bool done, told = is_elsewhere(expected, (uintptr_t)__builtin_frame_address(0));         \
        if (told)                                                                                \
            pl_gate_now->access(expected, sizeof(type), PL_ACCESS_READ, CALLER);                 \
        type seen = cas##bits(addr, *expected, value, kind, BOTH(order, fail_order), &done);     \
        if (!done && told)                                                                       \
            pl_gate_now->access(expected, sizeof(type), PL_ACCESS_WRITE, CALLER);                \
        if (!done)                                                                               \
            *expected = seen;                                                                    \
        return done;                                                                             \
    }

#define ATOMIC(bits, type)                                  \
    LOAD_STORE(bits, type)                                  \
    RMW(bits, type, exchange, exchange, PL_ATOMIC_EXCHANGE) \
    RMW(bits, type, fetch_add, add, PL_ATOMIC_ADD)          \
    RMW(bits, type, fetch_sub, sub, PL_ATOMIC_SUB)          \
    RMW(bits, type, fetch_and, and, PL_ATOMIC_AND)          \
    RMW(bits, type, fetch_or, or, PL_ATOMIC_OR)             \
    RMW(bits, type, fetch_xor, xor, PL_ATOMIC_XOR)          \
    RMW(bits, type, fetch_nand, nand, PL_ATOMIC_NAND)       \
    CAS_COMMON(bits, type)                                  \
    CAS(bits, type, strong, PL_ATOMIC_CAS)                  \
    CAS(bits, type, weak, PL_ATOMIC_CAS_WEAK)               \
    STUB("atomic" #bits "_load")                            \
    STUB("atomic" #bits "_store")                           \
    STUB("atomic" #bits "_exchange")                        \
    STUB("atomic" #bits "_fetch_add")                       \
    STUB("atomic" #bits "_fetch_sub")                       \
    STUB("atomic" #bits "_fetch_and")                       \
    STUB("atomic" #bits "_fetch_or")                        \
    STUB("atomic" #bits "_fetch_xor")                       \
    STUB("atomic" #bits "_fetch_nand")                      \
    STUB("atomic" #bits "_compare_exchange_strong")         \
    STUB("atomic" #bits "_compare_exchange_weak")           \
    STUB("atomic" #bits "_compare_exchange_val")

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, uint128_t)

/* On x86 a weaker fence binds the compiler only, and the call has done that. */
static inline void native_fence(int order)
{
    if (ORDER(order) == __ATOMIC_SEQ_CST)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

STUB("atomic_thread_fence")
NATIVELY(void, atomic_thread_fence, int order)
{
    native_fence(order);
}

CONTROLLED(void, atomic_thread_fence, int order)
{
    const struct pl_gate *gate = pl_gate_now;

    gate->atomic_before(NULL, 0, PL_ATOMIC_FENCE, ORDER(order), NULL, CALLER);
    native_fence(order);
}

/* Orders a thread with its own signal handlers only: no other thread can tell. */
PL_GATE_HIDDEN void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
