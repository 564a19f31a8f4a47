/* SPDX-License-Identifier: MIT */
/* Look-ups in the table of operation kinds.  Freestanding: no libc calls. */
#include "model/operation.h"

#include "base/text.h"

static const char *const kinds[] = {
#define PL_OP(name, text, ...) text,
#include "model/operation.def"
#undef PL_OP
};

static const char *const phrases[] = {
#define PL_OP(name, text, phrase, ...) phrase,
#include "model/operation.def"
#undef PL_OP
};

const struct pl_op_traits pl_op_traits[256] = {
#define PL_OP(name, text, phrase, model, object, least, most, ...) \
    {PL_ROLES(__VA_ARGS__), PL_OBJECT_##object, PL_EFFECT_##least, PL_EFFECT_##most},
#include "model/operation.def"
#undef PL_OP
};

static const char *const objects[] = {
    [PL_OBJECT_NONE] = "nothing",
    [PL_OBJECT_ANY] = "object",
    [PL_OBJECT_MEMORY] = "memory",
    [PL_OBJECT_MUTEX] = "mutex",
    [PL_OBJECT_COND] = "condition",
    [PL_OBJECT_RWLOCK] = "rwlock",
    [PL_OBJECT_SPIN] = "spin lock",
    [PL_OBJECT_BARRIER] = "barrier",
    [PL_OBJECT_SEM] = "semaphore",
    [PL_OBJECT_ONCE] = "once control",
    [PL_OBJECT_THREAD] = "thread",
    [PL_OBJECT_FUTEX] = "futex",
    [PL_OBJECT_FILE] = "file",
    [PL_OBJECT_CHILD] = "child process",
    [PL_OBJECT_FILE_LOCK] = "lock of a file",
    [PL_OBJECT_SEMAPHORES] = "set of semaphores",
    [PL_OBJECT_PIPE] = "pipe",
    [PL_OBJECT_SOCKET] = "socket",
    [PL_OBJECT_QUEUE] = "queue of messages",
    [PL_OBJECT_DESCRIPTOR] = "descriptor",
};

const char *pl_operation_text(unsigned kind)
{
    return kind < PL_OP_KINDS ? kinds[kind] : "unknown operation";
}

const char *pl_operation_phrase(unsigned kind)
{
    return kind < PL_OP_KINDS && phrases[kind][0] != '\0' ? phrases[kind] : NULL;
}

const char *pl_object_text(unsigned object_kind)
{
    return object_kind < sizeof(objects) / sizeof(objects[0]) ? objects[object_kind] : "object";
}

unsigned pl_operation_find(const char *text)
{
    for (unsigned i = 0; i < PL_OP_KINDS; i++) {
        if (pl_text_equal(kinds[i], text))
            return i;
    }
    return PL_OP_KINDS;
}
