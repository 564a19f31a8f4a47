/* SPDX-License-Identifier: MIT */
/*
 * Hints for ThreadSanitizer that programs give by hand when they see that they
 * are built with -fsanitize=thread.  plait needs none of them: it sees the
 * synchronisation itself.  They are here so that such programs link.
 *
 * Weak, because many programs bring some of these functions along.
 */
#include "gate/gate.h"

#define IGNORED(name, ...)                                       \
    PL_GATE_HIDDEN __attribute__((weak)) void name(__VA_ARGS__); \
    void name(__VA_ARGS__)                                       \
    {                                                            \
    }

#define ANSWERED(type, name, value, ...)                         \
    PL_GATE_HIDDEN __attribute__((weak)) type name(__VA_ARGS__); \
    type name(__VA_ARGS__)                                       \
    {                                                            \
        return value;                                            \
    }

#define FILE_LINE const char *file, int line

/* <sanitizer/tsan_interface.h> */
IGNORED(__tsan_acquire, void *addr)
IGNORED(__tsan_release, void *addr)
IGNORED(__tsan_mutex_create, void *addr, unsigned flags)
IGNORED(__tsan_mutex_destroy, void *addr, unsigned flags)
IGNORED(__tsan_mutex_pre_lock, void *addr, unsigned flags)
IGNORED(__tsan_mutex_post_lock, void *addr, unsigned flags, int recursion)
ANSWERED(int, __tsan_mutex_pre_unlock, 0, void *addr, unsigned flags)
IGNORED(__tsan_mutex_post_unlock, void *addr, unsigned flags)
IGNORED(__tsan_mutex_pre_signal, void *addr, unsigned flags)
IGNORED(__tsan_mutex_post_signal, void *addr, unsigned flags)
IGNORED(__tsan_mutex_pre_divert, void *addr, unsigned flags)
IGNORED(__tsan_mutex_post_divert, void *addr, unsigned flags)
ANSWERED(void *, __tsan_external_register_tag, NULL, const char *object_type)
IGNORED(__tsan_external_register_header, void *tag, const char *header)
IGNORED(__tsan_external_assign_tag, void *addr, void *tag)
IGNORED(__tsan_external_read, void *addr, void *caller_pc, void *tag)
IGNORED(__tsan_external_write, void *addr, void *caller_pc, void *tag)
ANSWERED(void *, __tsan_get_current_fiber, NULL, void)
ANSWERED(void *, __tsan_create_fiber, NULL, unsigned flags)
IGNORED(__tsan_destroy_fiber, void *fiber)
IGNORED(__tsan_switch_to_fiber, void *fiber, unsigned flags)
IGNORED(__tsan_set_fiber_name, void *fiber, const char *name)
IGNORED(__tsan_flush_memory, void)

/* The dynamic annotations of valgrind and Abseil. */
IGNORED(AnnotateHappensBefore, FILE_LINE, const volatile void *addr)
IGNORED(AnnotateHappensAfter, FILE_LINE, const volatile void *addr)
IGNORED(AnnotateBenignRace, FILE_LINE, const volatile void *addr, const char *text)
IGNORED(AnnotateBenignRaceSized, FILE_LINE, const volatile void *addr, size_t size,
        const char *text)
IGNORED(AnnotateIgnoreReadsBegin, FILE_LINE)
IGNORED(AnnotateIgnoreReadsEnd, FILE_LINE)
IGNORED(AnnotateIgnoreWritesBegin, FILE_LINE)
IGNORED(AnnotateIgnoreWritesEnd, FILE_LINE)
IGNORED(AnnotateIgnoreSyncBegin, FILE_LINE)
IGNORED(AnnotateIgnoreSyncEnd, FILE_LINE)
IGNORED(AnnotateEnableRaceDetection, FILE_LINE, int enable)
IGNORED(AnnotateRWLockCreate, FILE_LINE, const volatile void *lock)
IGNORED(AnnotateRWLockCreateStatic, FILE_LINE, const volatile void *lock)
IGNORED(AnnotateRWLockDestroy, FILE_LINE, const volatile void *lock)
IGNORED(AnnotateRWLockAcquired, FILE_LINE, const volatile void *lock, long is_writer)
IGNORED(AnnotateRWLockReleased, FILE_LINE, const volatile void *lock, long is_writer)
IGNORED(AnnotateNewMemory, FILE_LINE, const volatile void *addr, size_t size)
IGNORED(AnnotateThreadName, FILE_LINE, const char *name)
IGNORED(AnnotateFlushState, FILE_LINE)
IGNORED(AnnotateMemoryIsInitialized, FILE_LINE, const volatile void *addr, size_t size)
IGNORED(AnnotateMemoryIsUninitialized, FILE_LINE, const volatile void *addr, size_t size)
